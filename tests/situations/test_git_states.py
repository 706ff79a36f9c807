"""Cases of git states: no commit, a linked worktree, no git, a bare hub, an ignored store."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import git
from tests.situations.case import Case
from tests.situations.tmux import app, top_bar

TWO_TASKS = {"done-1": "closeout", "other-1": "dev"}
TREE = "the working tree is clean"


def turns(case: Case, cwd: Path) -> dict[str, str]:
    """The turns of the active tasks of a folder."""
    return {turn["task"]: turn["turn"] for turn in case.json("next", cwd=cwd)}


def unmet(case: Case, cwd: Path) -> list[str]:
    """What a session that did nothing in a folder is told to put right."""
    ran = case.run("followup", "other-1", "violation-fix", "--sid", "sidX", cwd=cwd)
    assert ran.code == 0, ran.said
    return [line for line in ran.text.split("\n") if line.startswith("- ")]


def test_git_01_unborn_head(case: Case) -> None:
    before = case.snapshot()
    assert turns(case, case.repo) == TWO_TASKS
    assert case.run("board").said == ""
    assert "done-1" in case.prompt("done-1")
    (tree,) = (line for line in unmet(case, case.repo) if TREE in line)
    assert "?? .ai/" in tree
    assert "fatal" not in tree
    with app(case, size=(80, 24)) as terminal:
        top = top_bar(terminal, "tasks 2")
        assert top.startswith(" repo  trunk (no commits yet)  no commit yet ")
        assert "detached" not in top
        terminal.keys("Enter")
        terminal.wait(r"━ done-1   \[task\]  log 2 ")
        terminal.keys("t")
        terminal.wait("(?m)^› 2 .* sidR  review  of sidA .* ✓ pass ")
        terminal.keys("q")
        terminal.wait("━ tasks 2 ━")
        terminal.quit()
    assert case.snapshot() == before
    assert git(case.repo, "symbolic-ref", "HEAD") == "refs/heads/trunk\n"


def test_git_04_linked_worktree(case: Case) -> None:
    worktree = case.start
    for arguments in (("board",), ("next",), ("show", "done-1"), ("prompt", "other-1")):
        ran = case.run(*arguments)
        assert (ran.code, ran.out) == (2, b"")
        (words,) = ran.said.splitlines()
        assert f"no .ai-tasks/ in {worktree} (a linked worktree of {case.repo})" in words
        assert f"{case.repo} has 2 tasks: -C {case.repo}" in words
    assert case.run("-C", worktree, "board").said == case.run("board").said
    rows = case.json("-C", case.repo, "next")
    assert {turn["task"]: turn["turn"] for turn in rows} == TWO_TASKS
    with app(case, size=(120, 30)) as terminal:
        screen = terminal.wait(r"(?m)^ wt  feature [0-9a-f]{7}  ✓ clean  worktree$")
        assert f" a linked worktree of {case.repo}\n" in screen
        assert " looked for  .ai-tasks/ " in screen
        assert re.search(f"› Open {re.escape(str(case.repo))}  +2 tasks\n", screen)
        terminal.keys("Enter")
        assert top_bar(terminal, "tasks 2").startswith(" repo  main ")
        terminal.quit()
    assert not (worktree / ".ai-tasks").exists()
    assert git(worktree, "status", "--porcelain") == ""


def test_git_06_no_git_or_bare(case: Case) -> None:
    # A repository above, as a home folder under version control is.
    git(case.root, "init", "--quiet")
    git(case.root, "commit", "--quiet", "--allow-empty", "--message", "Home")
    plain, orphan, hub = (case.root / name for name in ("plain", "orphan", "hub"))
    for folder in (plain, orphan, hub / "main"):
        assert turns(case, folder) == TWO_TASKS
        assert set(case.board(cwd=folder)) == set(TWO_TASKS)
        assert "dev-advancement" in case.run("prompt", "other-1", cwd=folder).text
    assert not any(TREE in line for line in unmet(case, plain))
    (broken,) = (line for line in unmet(case, orphan) if TREE in line)
    assert "git cannot say: .git points to /nonexistent/worktrees/x, which is not there" in broken
    assert not any(TREE in line for line in unmet(case, hub / "main"))
    (hub / "main/src/app.py").write_text("changed\n")
    (dirty,) = (line for line in unmet(case, hub / "main") if TREE in line)
    assert "M src/app.py" in dirty
    ran = case.run("board", cwd=hub)
    assert (ran.code, ran.out) == (2, b"")
    assert f"{hub} is a bare repository without a working tree" in ran.said
    assert f"{hub}/main has 2 tasks: -C {hub}/main" in ran.said
    with app(case, size=(120, 30), cwd=hub) as terminal:
        screen = terminal.wait(r"is a bare\s+repository\s+without\s+a\s+working\s+tree")
        assert re.search(f"› Open {re.escape(str(hub))}/main  +2 tasks\n", screen)
        terminal.quit()
    for folder, expected in ((plain, "  no git  "), (orphan, "  ? git  ")):
        with app(case, size=(120, 30), cwd=folder) as terminal:
            top = top_bar(terminal, "tasks 2")
            assert expected in top
            assert "clean" not in top
            if folder == orphan:
                why = ".git points to /nonexistent/worktrees/x, which is not there"
                terminal.wait(re.escape(f"git does not answer: {why}"))
            terminal.quit()


def test_git_09_ignored_task_store(case: Case) -> None:
    before = case.snapshot()
    assert turns(case, case.repo) == TWO_TASKS
    case.prompt("other-1")
    assert not any(TREE in line for line in unmet(case, case.repo))
    assert case.snapshot() == before
    assert git(case.repo, "ls-files", ".ai-tasks") == ""
    assert git(case.repo, "status", "--porcelain") == ""
