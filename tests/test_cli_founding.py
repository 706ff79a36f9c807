"""`demo` and `init`: what they write is shown first, and nothing is written over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.builders import a_task
from tests.conftest import RunCli, git
from tests.terminals import in_terminal


def paths(root: Path) -> list[str]:
    inside = (p.relative_to(root) for p in root.rglob("*") if p.is_file())
    return sorted(str(p) for p in inside if p.parts[0] != ".git")


def test_demo_makes_a_sample_that_every_reading_command_reads(
    tmp_path: Path, run_cli: RunCli
) -> None:
    made = run_cli("demo", "sample", "--no-open", cwd=tmp_path)
    assert (made.code, made.out) == (0, b"")
    assert str(tmp_path / "sample") in made.said
    rows = run_cli("-C", tmp_path / "sample", "board", "--archived", "--json").json
    assert [row["archived"] for row in rows] == [False] * 9 + [True] * 4
    gate = next(row["task"] for row in rows if row["mode"] == "final-gate")
    assert run_cli("-C", tmp_path / "sample", "prompt", gate).code == 0
    assert git(tmp_path / "sample", "status", "--porcelain") == ""


def test_the_files_of_a_sample_agree_with_each_other(tmp_path: Path, run_cli: RunCli) -> None:
    run_cli("demo", "sample", "--no-open", cwd=tmp_path)
    rows = run_cli("-C", tmp_path / "sample", "board", "--archived", "--json").json
    rules = sorted({d["rule"] for row in rows for d in row["diagnostics"]})
    assert rules == [
        "completed-not-archived",
        "estimate-over",
        "front-matter-unclosed",
        "scheduler-reads-differently",
    ]
    assert " line " not in run_cli("-C", tmp_path / "sample", "prompt", rows[2]["task"]).said


def test_demo_without_a_folder_makes_one_and_says_where(tmp_path: Path, run_cli: RunCli) -> None:
    made = run_cli("demo", "--no-open", env={"TMPDIR": str(tmp_path)})
    assert made.code == 0
    (folder,) = (p.parent for p in tmp_path.glob("*/*/.ai-tasks"))
    assert folder.name == "ledger-sync"
    assert str(folder) in made.said


def test_demo_refuses_a_folder_that_is_not_empty(tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    ran = run_cli("demo", ".", "--no-open", cwd=tmp_path)
    assert (ran.code, ran.said.count("\n")) == (2, 1)
    assert paths(tmp_path) == ["notes.txt"]


def test_demo_without_git_works_and_says_what_is_missing(tmp_path: Path, run_cli: RunCli) -> None:
    ran = run_cli("demo", "sample", "--no-open", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert ran.code == 0
    assert "no history" in ran.said
    assert run_cli("-C", tmp_path / "sample", "next").code == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "CLAUDE.md").write_text("# Rules\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "First")
    return folder


def test_init_shows_the_files_and_writes_none_without_a_yes(project: Path, run_cli: RunCli) -> None:
    ran = run_cli("init", cwd=project)
    assert ran.code == 1
    assert ran.said.count("\n") == 1
    for path in (".ai/index.md", ".ai-protocol/protocols/review.md", ".gitignore"):
        assert path in ran.text
    assert "+@.ai-protocol/protocols/conduct.md" in ran.text
    assert "+/.ai-tasks/" in ran.text
    assert paths(project) == ["CLAUDE.md"]


def test_init_with_yes_leaves_the_loader_out(project: Path, run_cli: RunCli) -> None:
    ran = run_cli("init", "--yes", cwd=project)
    assert ran.code == 0, ran.said
    assert "no loader block" in ran.said
    assert (project / "CLAUDE.md").read_text("utf-8") == "# Rules\n"
    assert git(project, "status", "--porcelain", "--", ".ai-tasks") == ""
    board = run_cli("board", "--json", cwd=project)
    assert (board.code, board.json) == (0, [])
    assert "`mandrel-tui new` drafts a task" in ran.said
    assert "commit these files first: a session is to leave a clean tree" in ran.said


def test_without_the_loader_a_prompt_brings_what_nothing_else_would(
    project: Path, run_cli: RunCli
) -> None:
    run_cli("init", "--yes", cwd=project)
    (project / ".ai-tasks/a-task.md").write_bytes(a_task(id="a-task"))
    last = "/session-end.md` to its last step."
    bare = run_cli("prompt", "a-task", cwd=project).text
    assert bare.startswith("This repository loads nothing by itself.")
    assert "`.ai-protocol/protocols/conduct.md`" in bare
    assert re.search(r"Your session id \(sid\) is `[0-9a-f-]{36}`", bare)
    assert bare.rstrip("\n").endswith(last)
    run_cli("init", "--yes", "--loader", cwd=project)
    loaded = run_cli("prompt", "a-task", cwd=project).text
    assert "loads nothing by itself" not in loaded and last not in loaded


def test_init_with_yes_and_loader_adds_the_block(project: Path, run_cli: RunCli) -> None:
    assert run_cli("init", "--yes", "--loader", cwd=project).code == 0
    text = (project / "CLAUDE.md").read_text("utf-8")
    assert text.startswith("# Rules\n\n<!-- mandrel: begin -->\n")
    assert (project / "AGENTS.md").is_file()


def test_init_is_refused_the_second_time(project: Path, run_cli: RunCli) -> None:
    run_cli("init", "--yes", "--loader", cwd=project)
    before = paths(project)
    ran = run_cli("init", "--yes", "--loader", cwd=project)
    assert (ran.code, ran.out) == (1, b"")
    assert "set up already" in ran.said
    assert paths(project) == before


def test_init_goes_to_the_top_of_the_repository(project: Path, run_cli: RunCli) -> None:
    (project / "src").mkdir()
    assert run_cli("init", "--yes", cwd=project / "src").code == 0
    assert (project / ".ai-tasks/index.md").is_file()
    assert not (project / "src/.ai-tasks").exists()


def test_init_inside_git_is_refused(project: Path, run_cli: RunCli) -> None:
    for arguments in (["init", "--yes"], ["init", "--yes", "."]):
        ran = run_cli(*arguments, cwd=project / ".git")
        assert (ran.code, ran.said.count("\n")) == (2, 1)
    assert paths(project) == ["CLAUDE.md"]


def test_init_asks_for_the_files_and_for_the_loader(project: Path) -> None:
    typed = [(b"write these files? [y/N]", b"y\n"), (b"loader block too? [y/N]", b"n\n")]
    code, _ = in_terminal(["init"], project, typed=typed)
    assert code == 0
    assert (project / ".ai/index.md").is_file()
    assert (project / "CLAUDE.md").read_text("utf-8") == "# Rules\n"


def test_a_no_on_the_terminal_writes_nothing(project: Path) -> None:
    code, _ = in_terminal(["init"], project, typed=[(b"[y/N]", b"\n")])
    assert code == 1
    assert paths(project) == ["CLAUDE.md"]


def test_a_prompt_can_be_made_right_after_init(project: Path, run_cli: RunCli) -> None:
    run_cli("init", "--yes", "--loader", cwd=project)
    facts = "id: first\nstatus: pending\nsession-est: 0/1\nblockers: []\nprefetch: []\n"
    task = f"---\n{facts}---\n\n# The first\n\n## Session log\n"
    (project / ".ai-tasks/first.md").write_text(task, "utf-8")
    ran = run_cli("prompt", "first", cwd=project)
    assert (ran.code, ran.said) == (0, "")
    assert "first" in ran.text
