"""The cases of closing out: one step or none, as it was shown, and every refusal says why."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran, git
from tests.situations.case import Case, build

APPLY = ("--apply", "--accept", "all", "--yes")


def close(
    case: Case, diff: str | None = "ok.diff", task: str = "done-1", cwd: Path | None = None
) -> Ran:
    """A task closed out with a diff that lies beside the repository, all of it accepted."""
    proposal = () if diff is None else ("--propose", case.root / diff)
    return case.run("closeout", task, *proposal, *APPLY, cwd=cwd)


def closed(case: Case, diff: str | None = "ok.diff", task: str = "done-1") -> str:
    ran = close(case, diff, task)
    assert ran.code == 0, ran.said
    assert case.run("closeout", task, "--verify").code == 0
    return ran.text


def refused(case: Case, *words: str, diff: str | None = "ok.diff", task: str = "done-1") -> None:
    """A closeout that is refused in words, and leaves every byte as it was."""
    before = case.snapshot()
    ran = close(case, diff, task)
    assert ran.code == 1
    for word in words:
        assert word in ran.said
    assert case.snapshot() == before


def plan_of(case: Case, *arguments: str) -> Any:
    ran = case.run(*arguments, "--json")
    assert ran.code == 0, ran.said
    return ran.json


def committed(case: Case) -> list[str]:
    return git(case.repo, "show", "--name-only", "--format=", "HEAD").splitlines()


def test_patch_01_crlf_target(case: Case) -> None:
    closed(case)
    assert case.passes
    text = (case.repo / ".ai/design.md").read_bytes()
    assert text.startswith((case.root / "before").read_bytes()[:5])
    assert text.endswith(b"- admitted fact\r\n")


def test_patch_01_crlf_target_the_other_way(tmp_path: Path) -> None:
    case = build("patch-01-crlf-target", tmp_path / "situation")
    closed(case, "crlf-on-lf.diff")
    assert case.passes
    assert (case.repo / ".ai/map.md").read_bytes().endswith(b"- admitted fact\n")


def test_patch_05_rename_upgrade_and_partial(case: Case) -> None:
    said = close(case, "rename.diff").said
    memory = case.repo / ".ai"
    assert not (memory / "design.md").exists()
    assert b"- see retry.md" in (memory / "design/index.md").read_bytes()
    assert b"| Design | design/index.md |" in (memory / "index.md").read_bytes()
    assert ".ai/design/retry.md has no row in .ai/index.md" in said
    assert git(case.repo, "status", "--porcelain") == ""
    assert {".ai/design/retry.md", ".ai/design/index.md", ".ai/index.md"} <= set(committed(case))
    assert case.passes


def test_patch_05_rename_upgrade_and_partial_all_or_nothing(tmp_path: Path) -> None:
    case = build("patch-05-rename-upgrade-and-partial", tmp_path / "situation")
    refused(case, ".ai/map.md: ", "does not apply", diff="partial.diff")
    assert case.passes


def test_patch_05_rename_upgrade_and_partial_twice(tmp_path: Path) -> None:
    case = build("patch-05-rename-upgrade-and-partial", tmp_path / "situation")
    design = case.repo / ".ai/design.md"
    design.write_bytes(design.read_bytes() + b"- admitted fact\n")
    git(case.repo, "commit", "--quiet", "--all", "--message", "By hand")
    refused(case, "already applied", diff="twice.diff")
    assert case.passes


def test_crash_01_between_steps(case: Case) -> None:
    notes = case.run("board").text
    assert "index.md.tmp" in notes
    assert "index-missing-row" in notes
    refused(case, "tree-clean:  M .ai/design.md", "--propose worktree", diff=None)
    shown = case.run("closeout", "done-2", "--finish")
    assert "still names done-2" in shown.said
    assert "other-1 still waits for done-2" in shown.said
    ran = case.run("closeout", "done-1", "--propose", "worktree", *APPLY)
    assert ran.code == 0, ran.said
    for _ in range(2):
        finished = case.run("closeout", "done-2", "--finish", "--yes")
        assert finished.code in (0, 1)
    assert "no closeout of done-2 was interrupted" in finished.said
    assert not (case.tasks / "done-1.md").exists()
    assert sorted(p.name for p in (case.tasks / "archive").iterdir()) == [
        "2026-06-03-done-2.md",
        "done-1.md",
    ]
    index = (case.tasks / "index.md").read_text()
    assert "done-1" not in index and "done-2" not in index
    other = (case.tasks / "other-1.md").read_text()
    assert "status: pending\n" in other and "blockers: []\n" in other
    assert (case.repo / ".ai/design.md").read_bytes().endswith(b"- admitted fact\n")
    assert git(case.repo, "status", "--porcelain") == ""
    assert (case.tasks / "index.md.tmp").read_bytes() == b"half"
    for task in ("done-1", "done-2"):
        assert case.run("closeout", task, "--verify").code in (0, 1)


def test_crash_03_archive_target_exists(case: Case) -> None:
    refused(case, "archive-name-free: .ai-tasks/archive/done-1.md exists with other content")
    other = case.tasks / "other-1.md"
    other.write_bytes(other.read_bytes().replace(b"status: pending", b"status: completed"))
    refused(case, "archive-name-free: .ai-tasks/archive/other-1.md is a folder", task="other-1")
    assert case.passes


def test_gitcfg_01_quoted_paths(case: Case) -> None:
    plan = plan_of(case, "closeout", "done-1", "--propose", "worktree")
    assert {document["path"] for document in plan["documents"]} == {
        ".ai/模块/重试 loop.md",
        ".ai/模块/重试.md",
        ".ai/a -> b.md",
        '.ai/say "hi" b/x.md',
        ".ai/новый файл.md",
    }
    ran = case.run("closeout", "done-1", "--propose", "worktree", *APPLY)
    assert ran.code == 0, ran.said
    assert "\\346" not in ran.text + ran.said
    assert git(case.repo, "status", "--porcelain") == ""
    assert b"- more\n" in (case.repo / ".ai/a -> b.md").read_bytes()
    assert not (case.repo / ".ai/模块/重试 loop.md").exists()


def test_gitcfg_06_no_identity(case: Case) -> None:
    refused(case, "git has no name and e-mail for commits here", "git config user.name")
    assert (case.tasks / "done-1.md").exists()


@pytest.mark.parametrize("run", range(3))
def test_conc_01_two_writers(tmp_path: Path, run: int) -> None:
    case = build("conc-01-two-writers", tmp_path / "situation")
    with subprocess.Popen(["bash", case.root / "act.sh"], env=case.env) as agent:
        while b"| n-5 " not in (case.tasks / "index.md").read_bytes():
            assert agent.poll() is None
        ran = close(case, None)
    assert agent.returncode == 0
    assert ran.code == 0, ran.said
    assert case.passes


def test_git_01_unborn_head(case: Case) -> None:
    refused(case, "?? .ai/", "there is no commit yet: make a first one")
    assert git(case.repo, "symbolic-ref", "HEAD") == "refs/heads/trunk\n"


def test_git_04_linked_worktree(case: Case) -> None:
    ran = close(case)
    assert (ran.code, ran.out) == (2, b"")
    assert f"{case.repo} has 2 tasks: -C {case.repo}" in ran.said
    plan = case.run("-C", case.repo, "closeout", "done-1", "--propose", case.root / "ok.diff")
    assert "  commit  chore(.ai): absorb done-1 findings\n          on main " in plan.text
    assert not (case.start / ".ai-tasks").exists()


def test_git_06_no_git_or_bare(case: Case) -> None:
    plain, orphan, hub = (case.root / name for name in ("plain", "orphan", "hub"))
    for folder, why in ((plain, "no git repository"), (orphan, "which is not there")):
        before = case.snapshot(folder)
        ran = close(case, cwd=folder)
        assert ran.code == 1
        assert "git: it cannot be committed here: " in ran.said
        assert why in ran.said
        assert case.snapshot(folder) == before
    assert "bare" in close(case, cwd=hub).said
    ran = close(case, cwd=hub / "main")
    assert ran.code == 0, ran.said
    assert git(hub / "main", "status", "--porcelain") == ""


def test_git_09_ignored_task_store(case: Case) -> None:
    closed(case)
    assert case.passes
    assert committed(case) == [".ai/design.md"]


def test_md_06_index_table_pipes(case: Case) -> None:
    closed(case, None, "2026-06-01-pipe")
    assert case.passes


def test_sem_03_index_drift(case: Case) -> None:
    before = (case.tasks / "index.md").read_bytes()
    closed(case, None)
    row = b"| done-1 | Close me | completed |\n"
    assert (case.tasks / "index.md").read_bytes() == before.replace(row, b"")
    assert case.passes


@pytest.mark.parametrize("variant", ["none.md", "empty.md", "list.md", None])
def test_sem_03_index_drift_in_its_variants(tmp_path: Path, variant: str | None) -> None:
    case = build("sem-03-index-drift", tmp_path / "situation")
    index = case.tasks / "index.md"
    index.unlink()
    if variant is not None:
        shutil.copyfile(case.root / "variants" / variant, index)
    before = index.read_bytes() if index.exists() else None
    closed(case, None)
    after = index.read_bytes() if index.exists() else None
    removed = b"- done-1: Close me (completed)\n"
    assert after == (before.replace(removed, b"") if before is not None else None)


def test_sem_06_duplicate_ids(case: Case) -> None:
    refused(case, "id-unique: .ai-tasks/copy-of-done.md has this id too")
    copy = case.tasks / "copy-of-done.md"
    copy.write_bytes(copy.read_bytes().replace(b"status: in_progress", b"status: completed"))
    refused(case, "id-unique: .ai-tasks/done-1.md has this id too", task="copy-of-done")
    assert case.passes


def test_path_05_permissions(open_folder: Path) -> None:
    case = build("path-05-permissions", open_folder / "situation")
    user = (case.root / "as-user.sh",)
    reaches = [*user, sys.executable, "-c", "import mandrel_tui.commands.closing"]
    if subprocess.run(reaches, env=case.env, capture_output=True).returncode != 0:
        pytest.skip("another user cannot reach the program")
    before = case.snapshot()
    ran = case.run("closeout", "done-1", "--propose", case.root / "ok.diff", *APPLY, prefix=user)
    assert ran.code == 1
    for word in (".ai/ cannot be written", ".ai-tasks/archive/ cannot be written"):
        assert word in ran.said
    assert "sec-1: cannot be read (permission denied)" in ran.said
    assert case.snapshot() == before
    assert case.passes


def test_time_01_utc_and_local_date(case: Case) -> None:
    days = {datetime.now(UTC).date().isoformat()}
    closed(case)
    days.add(datetime.now(UTC).date().isoformat())
    text = (case.repo / ".ai/design.md").read_text()
    assert any(f"last-updated: {day}\n" in text for day in days)
    assert (case.tasks / "archive/done-1.md").exists()


def test_the_plan_of_a_case_is_whole_as_json(tmp_path: Path) -> None:
    case = build("git-09-ignored-task-store", tmp_path / "situation")
    plan = plan_of(case, "closeout", "done-1", "--propose", str(case.root / "ok.diff"))
    assert plan["documents"] == [
        {
            "path": ".ai/design.md",
            "change": "changed",
            "hunks": [{"old_line": 9, "old_lines": 0, "new_line": 9, "new_lines": 1}],
        }
    ]
    assert json.loads(json.dumps(plan)) == plan
