"""Closeouts on real files and a real git: one step that archives, reconciles, commits and verifies,
can be interrupted, taken back and undone, and never loses a byte."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mandrel_tui.protocol.index import read_index
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Review
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.verify_closeout import audit_line
from mandrel_tui.workspace import apply, closeout, journal
from mandrel_tui.workspace.apply import Stopped
from mandrel_tui.workspace.closed import native, verified
from mandrel_tui.workspace.closeout import Finished, Prepared
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.documents import ProposalRefused
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.proposals import NOTHING, from_diff, from_folder, from_worktree
from mandrel_tui.workspace.steps import Stage, do
from mandrel_tui.workspace.traces import traces
from mandrel_tui.workspace.workspace import UnknownTask, Workspace
from tests.closable import (
    CALM,
    DESIGN,
    DIFF,
    DONE,
    INDEX,
    WAITING,
    a_repository,
    a_workspace,
    contents,
)
from tests.conftest import git

REPORT = "Remaining-task audit: checked 2 active task(s); updated none; unchanged none"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return a_repository(tmp_path / "repository")


@pytest.fixture
def workspace(top: Path) -> Workspace:
    return a_workspace(top)


def prepared(workspace: Workspace, name: str = DONE, diff: bytes | None = DIFF) -> Prepared:
    proposal = NOTHING if diff is None else from_diff(workspace.root, diff)
    return closeout.prepare(workspace, name, proposal, closeout.reviews_of(proposal, True))


def closed(workspace: Workspace, name: str = DONE, diff: bytes | None = DIFF) -> Finished:
    return closeout.carry_out(workspace, prepared(workspace, name, diff))


def failed(found: Prepared) -> list[str]:
    return [row.id for row in found.failed]


def test_a_closeout_archives_reconciles_commits_and_verifies(workspace: Workspace) -> None:
    before = contents(workspace.root)
    finished = closed(workspace)
    after = contents(workspace.root)
    assert finished.problems == ()
    assert finished.note == ""
    assert after[f".ai-tasks/archive/{DONE}.md"] == before[f".ai-tasks/{DONE}.md"]
    assert f".ai-tasks/{DONE}.md" not in after
    assert after[".ai-tasks/index.md"] == INDEX.replace(
        f"| {DONE} | A \\| pipe | completed |\n".encode(), b""
    ).replace(b"| blocked |", b"| in_progress |")
    waiting = before[f".ai-tasks/{WAITING}.md"]
    assert after[f".ai-tasks/{WAITING}.md"] == waiting.replace(
        f"blockers: [{DONE}]".encode(), b"blockers: []"
    ).replace(b"status: blocked", b"status: in_progress")
    assert after[f".ai-tasks/{CALM}.md"] == before[f".ai-tasks/{CALM}.md"]
    head = git(workspace.root, "rev-parse", "HEAD~1").strip()
    today = workspace.now()[:10]
    assert after[".ai/design.md"] == (DESIGN + b"- admitted fact\n").replace(
        b"2026-01-01", today.encode()
    ).replace(b"verified-against: none", f"verified-against: {head}".encode())
    assert git(workspace.root, "log", "-1", "--format=%s").strip() == (
        "chore(.ai): absorb done findings"
    )
    assert git(workspace.root, "show", "--name-only", "--format=", "HEAD").split() == [
        ".ai/design.md"
    ]
    assert git(workspace.root, "status", "--porcelain") == ""
    assert git(workspace.root, "ls-files", ".ai-tasks") == ""
    assert finished.audit.endswith(f"checked 2 active task(s); updated {WAITING}; unchanged {CALM}")
    assert closeout.open_closeouts(workspace).journals == ()


def test_a_tracked_store_has_both_halves_of_the_move_in_the_commit(tmp_path: Path) -> None:
    workspace = a_workspace(a_repository(tmp_path / "tracked", tracked=True))
    assert closed(workspace).problems == ()
    named = git(workspace.root, "show", "--name-status", "--format=", "-M100%", "HEAD")
    assert f"R100\t.ai-tasks/{DONE}.md\t.ai-tasks/archive/{DONE}.md" in named
    assert {line.split("\t")[-1] for line in named.splitlines()} == {
        ".ai/design.md",
        f".ai-tasks/archive/{DONE}.md",
        ".ai-tasks/index.md",
        f".ai-tasks/{WAITING}.md",
    }
    assert git(workspace.root, "status", "--porcelain") == ""


def test_a_store_tracked_in_part_is_never_forced_past_its_ignore_rule(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "partly", tracked=True)
    (top / ".gitignore").write_bytes(b".ai-tasks/archive/\n")
    git(top, "rm", "--quiet", "--cached", "-r", ".ai-tasks/archive")
    git(top, "commit", "--quiet", "--all", "--message", "Ignore the archive")
    assert closed(a_workspace(top)).problems == ()
    named = git(top, "show", "--name-status", "--format=", "HEAD")
    assert f"D\t.ai-tasks/{DONE}.md" in named
    assert "archive" not in named


def test_nothing_admitted_and_nothing_tracked_is_no_commit(workspace: Workspace) -> None:
    head = git(workspace.root, "rev-parse", "HEAD")
    finished = closed(workspace, diff=None)
    assert (finished.ended.commit, finished.problems) == (None, ())
    assert git(workspace.root, "rev-parse", "HEAD") == head


def test_the_edits_of_the_working_tree_are_the_proposal_they_are(workspace: Workspace) -> None:
    root = workspace.root
    (root / ".ai/design.md").write_bytes(DESIGN + b"- admitted fact\n")
    (root / ".ai/new.md").write_bytes(b"# New\n")
    proposal = from_worktree(root)
    reviews = closeout.reviews_of(proposal, True)
    finished = closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))
    assert finished.problems == ()
    assert git(root, "show", "--name-status", "--format=", "HEAD").split() == [
        "M",
        ".ai/design.md",
        "A",
        ".ai/new.md",
    ]


def test_what_was_staged_as_moved_is_committed_as_moved(workspace: Workspace) -> None:
    root = workspace.root
    git(root, "mv", ".ai/map.md", ".ai/places.md")
    proposal = from_worktree(root)
    reviews = closeout.reviews_of(proposal, True)
    finished = closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))
    assert finished.problems == ()
    assert not (root / ".ai/map.md").exists()


def test_rejected_edits_of_the_working_tree_are_taken_back_and_kept_with_the_record(
    workspace: Workspace,
) -> None:
    root, edited = workspace.root, DESIGN + b"- unwanted\n"
    (root / ".ai/design.md").write_bytes(edited)
    (root / ".ai/new.md").write_bytes(b"# New\n")
    proposal = from_worktree(root)
    reviews = closeout.reviews_of(proposal, False)
    finished = closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))
    assert (finished.ended.commit, finished.problems) == (None, ())
    assert (root / ".ai/design.md").read_bytes() == DESIGN
    assert not (root / ".ai/new.md").exists()
    record = ClosedRecords(workspace.state).last(DONE)
    assert record is not None and record.journal is not None
    kept = {step.path: step.before for step in record.journal.steps}
    assert (kept[".ai/design.md"], kept[".ai/new.md"]) == (edited, b"# New\n")


def test_open_hunks_count_as_rejected_and_are_counted(workspace: Workspace) -> None:
    proposal = from_diff(workspace.root, DIFF)
    found = closeout.prepare(workspace, DONE, proposal)
    assert found.undecided == 1
    assert found.plan.message == "chore: archive done"


def test_a_document_becomes_a_folder_in_one_commit_with_all_that_names_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "proposal"
    (folder / "design").mkdir(parents=True)
    (folder / "design.md").write_bytes(b"")
    (folder / "design/index.md").write_bytes(DESIGN + b"- see retry.md\n")
    (folder / "design/retry.md").write_bytes(b"# Retry\n")
    proposal = from_folder(workspace.root, folder)
    reviews = closeout.reviews_of(proposal, True)
    finished = closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))
    assert finished.problems == ()
    assert not (workspace.root / ".ai/design.md").exists()
    assert b"design/index.md" in (workspace.root / ".ai/index.md").read_bytes()
    assert git(workspace.root, "status", "--porcelain") == ""


@pytest.mark.parametrize("status", ["pending", "in_progress", "final_review", "blocked"])
def test_only_a_completed_task_is_closed_out(workspace: Workspace, status: str) -> None:
    task = workspace.root / f".ai-tasks/{CALM}.md"
    task.write_bytes(task.read_bytes().replace(b"status: pending", f"status: {status}".encode()))
    with pytest.raises(Refusal, match=f"is {status}: only a completed task is closed out"):
        closeout.prepare(workspace, CALM)


def test_an_unknown_task_is_named_with_those_that_are_near(workspace: Workspace) -> None:
    with pytest.raises(UnknownTask, match=f"did you mean {DONE}"):
        closeout.prepare(workspace, "done")


def untouched(workspace: Workspace, *ids: str, name: str = DONE) -> None:
    """A closeout that is refused for exactly these preconditions, and changes nothing."""
    before, head = contents(workspace.root), git(workspace.root, "rev-parse", "HEAD")
    found = prepared(workspace, name)
    assert failed(found) == list(ids)
    with pytest.raises(Refusal, match=ids[0]):
        closeout.carry_out(workspace, found)
    assert contents(workspace.root) == before
    assert git(workspace.root, "rev-parse", "HEAD") == head
    assert closeout.open_closeouts(workspace).journals == ()


def test_a_tree_that_is_not_clean_is_refused(workspace: Workspace) -> None:
    (workspace.root / "app.py").write_bytes(b"changed\n")
    untouched(workspace, "tree-clean")


def test_a_merge_in_progress_is_refused(workspace: Workspace) -> None:
    (workspace.root / ".git/MERGE_HEAD").write_text(git(workspace.root, "rev-parse", "HEAD"))
    untouched(workspace, "no-operation")


def test_an_unmerged_path_is_refused_also_where_no_operation_is_left(workspace: Workspace) -> None:
    root = workspace.root
    (root / "app.py").write_bytes(b"stashed\n")
    git(root, "stash", "--quiet")
    (root / "app.py").write_bytes(b"other\n")
    git(root, "commit", "--quiet", "--all", "--message", "Other")
    subprocess.run(["git", "-C", root, "stash", "pop", "--quiet"], capture_output=True)
    found = prepared(workspace)
    assert failed(found) == ["tree-clean", "no-unmerged-path"]
    assert "app.py" in found.failed[1].detail


def test_an_archive_name_that_is_taken_is_refused(workspace: Workspace) -> None:
    taken = workspace.root / f".ai-tasks/archive/{DONE}.md"
    taken.write_bytes(b"---\nid: other\n---\nhistory\n")
    untouched(workspace, "archive-name-free")
    taken.unlink()
    taken.mkdir()
    untouched(workspace, "archive-name-free")


def test_a_damaged_index_is_refused(workspace: Workspace) -> None:
    index = workspace.root / ".ai-tasks/index.md"
    index.write_bytes(b"<<<<<<< ours\n" + INDEX)
    untouched(workspace, "index-sound")


def test_two_files_with_one_id_are_refused(workspace: Workspace) -> None:
    done = workspace.root / f".ai-tasks/{DONE}.md"
    (workspace.root / ".ai-tasks/copy.md").write_bytes(done.read_bytes())
    untouched(workspace, "id-unique")
    untouched(workspace, "id-unique", name="copy")


def test_nobody_who_commits_is_refused_with_the_remedy(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    config = tmp_path / "nobody"
    config.write_text("[user]\n\tuseConfigOnly = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    for name in ("EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.delenv(name, raising=False)
    found = prepared(workspace)
    assert failed(found) == ["identity"]
    assert "git config user.name" in found.failed[0].detail
    assert failed(prepared(workspace, diff=None)) == []


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_a_path_git_does_not_look_at_is_refused(workspace: Workspace, flag: str) -> None:
    git(workspace.root, "update-index", flag, ".ai/design.md")
    untouched(workspace, "paths-checked-out")


def test_a_locked_index_is_refused(workspace: Workspace) -> None:
    (workspace.root / ".git/index.lock").write_bytes(b"")
    untouched(workspace, "index-lock-free")


@pytest.mark.skipif(os.geteuid() == 0, reason="mode bits do not bind root")
def test_what_cannot_be_written_is_named_before_anything_is(workspace: Workspace) -> None:
    (workspace.root / ".ai-tasks/archive").chmod(0o555)
    try:
        untouched(workspace, "paths-writable")
    finally:
        (workspace.root / ".ai-tasks/archive").chmod(0o755)


def test_a_task_that_cannot_be_reconciled_is_named(workspace: Workspace) -> None:
    waiting = workspace.root / f".ai-tasks/{WAITING}.md"
    data = waiting.read_bytes()
    waiting.write_bytes(data.replace(b"  # soon\n", b"\nblockers: [x]\n"))
    untouched(workspace, "tasks-reconcilable")


def test_a_second_form_of_a_document_is_refused(workspace: Workspace) -> None:
    new = b"diff --git a/.ai/design/index.md b/.ai/design/index.md\nnew file mode 100644\n"
    new += b"--- /dev/null\n+++ b/.ai/design/index.md\n@@ -0,0 +1 @@\n+# Design\n"
    assert failed(prepared(workspace, diff=new)) == ["one-form"]


@pytest.mark.parametrize("name", ["x" * 253, f"{'x' * 256}/y", "/".join(["x" * 200] * 21)])
def test_a_name_that_no_file_can_have_is_refused(workspace: Workspace, name: str) -> None:
    path = f".ai/{name}.md"
    added = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+# X\n".encode()
    found = prepared(workspace, diff=added)
    assert failed(found) == ["names-fit"]
    assert found.failed[0].detail.endswith("is too long a name")


def test_a_document_that_differs_from_another_in_letter_case_is_refused(
    workspace: Workspace,
) -> None:
    added = b"--- /dev/null\n+++ b/.ai/Design.md\n@@ -0,0 +1 @@\n+# Design\n"
    found = prepared(workspace, diff=added)
    assert failed(found) == ["one-form"]
    assert ".ai/Design.md differs from another in letter case" in found.failed[0].detail


def test_without_git_a_closeout_is_refused(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "plain")
    (top / ".git").rename(tmp_path / "gone")
    found = prepared(a_workspace(top))
    assert failed(found) == ["git", "tree-clean"]
    with pytest.raises(Refusal):
        closeout.carry_out(a_workspace(top), found)


def test_without_a_commit_a_first_one_is_asked_for(tmp_path: Path) -> None:
    top = a_repository(tmp_path / "unborn")
    (top / ".git").rename(tmp_path / "gone")
    git(top, "init", "--quiet")
    assert failed(prepared(a_workspace(top))) == ["tree-clean", "identity"]


def test_a_file_that_changed_since_the_plan_was_shown_is_refused(workspace: Workspace) -> None:
    found = prepared(workspace)
    task = workspace.root / f".ai-tasks/{WAITING}.md"
    task.write_bytes(task.read_bytes() + b"\nmore\n")
    with pytest.raises(Refusal, match=f"files-as-read: .*{WAITING}"):
        closeout.carry_out(workspace, found)
    assert (workspace.root / f".ai-tasks/{DONE}.md").exists()


def test_a_commit_made_since_the_plan_was_shown_is_refused(workspace: Workspace) -> None:
    found = prepared(workspace)
    git(workspace.root, "commit", "--quiet", "--allow-empty", "--message", "Other")
    with pytest.raises(Refusal, match="HEAD moved"):
        closeout.carry_out(workspace, found)


def test_rows_that_others_add_meanwhile_stay(workspace: Workspace) -> None:
    found = prepared(workspace)
    index = workspace.root / ".ai-tasks/index.md"
    index.write_bytes(index.read_bytes() + b"| new | Added meanwhile | pending |\n")
    assert closeout.carry_out(workspace, found).problems == ()
    assert index.read_bytes().endswith(b"| new | Added meanwhile | pending |\n")
    assert f"| {DONE} |".encode() not in index.read_bytes()


def a_hook(workspace: Workspace, name: str, script: str) -> Path:
    hook = workspace.root / ".git/hooks" / name
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)
    return hook


def test_a_hook_that_fails_is_shown_and_the_commit_can_be_tried_again(workspace: Workspace) -> None:
    hook = a_hook(workspace, "pre-commit", "echo 'the linter says no'; exit 1")
    with pytest.raises(Stopped) as stopped:
        closed(workspace)
    assert "the linter says no" in stopped.value.output
    (begun,) = closeout.open_closeouts(workspace).journals
    assert {row.stage for row in apply.outlook(workspace.root, begun)} == {Stage.DONE}
    hook.unlink()
    finished = closeout.finish(workspace, begun)
    assert finished.problems == ()
    assert finished.ended.commit == git(workspace.root, "rev-parse", "HEAD").strip()


def test_a_closeout_whose_commit_failed_can_be_rolled_back_to_the_last_byte(
    workspace: Workspace, tmp_path: Path
) -> None:
    a_hook(workspace, "pre-commit", "exit 1")
    before = contents(workspace.root)
    new = b"diff --git a/.ai/n/x.md b/.ai/n/x.md\nnew file mode 100644\n--- /dev/null\n"
    new += b"+++ b/.ai/n/x.md\n@@ -0,0 +1 @@\n+# X\n"
    with pytest.raises(Stopped):
        closed(workspace, diff=DIFF + new)
    assert " A .ai/n/x.md" in git(workspace.root, "status", "--porcelain")
    (begun,) = closeout.open_closeouts(workspace).journals
    rolled = closeout.roll_back(workspace, begun)
    assert rolled.ended.left == ()
    assert contents(workspace.root) == before
    assert not (workspace.root / ".ai/n").exists()
    assert git(workspace.root, "status", "--porcelain") == ""
    assert closeout.open_closeouts(workspace).journals == ()


@pytest.mark.parametrize("way", ["finish", "roll_back"])
def test_a_hook_that_writes_anew_and_refuses_is_satisfied_by_the_next_try(
    workspace: Workspace, way: str
) -> None:
    before = contents(workspace.root)
    design = workspace.root / ".ai/design.md"
    formats = "grep -q formatted .ai/design.md || { echo formatted >> .ai/design.md; exit 1; }"
    hook = a_hook(workspace, "pre-commit", formats)
    with pytest.raises(Stopped, match="git did not commit"):
        closed(workspace)
    (begun,) = closeout.open_closeouts(workspace).journals
    assert getattr(closeout, way)(workspace, begun).note == ""
    assert git(workspace.root, "status", "--porcelain") == ""
    if way == "finish":
        assert design.read_bytes().endswith(b"- admitted fact\nformatted\n")
        hook.unlink()
        closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert contents(workspace.root) == before


def test_what_hooks_say_is_shown_and_what_they_change_is_kept(workspace: Workspace) -> None:
    a_hook(
        workspace, "pre-commit", "echo formatted; echo '- by hook' >> .ai/design.md; git add .ai"
    )
    finished = closed(workspace)
    assert "formatted" in finished.ended.output
    assert finished.problems == ()
    assert (workspace.root / ".ai/design.md").read_bytes().endswith(b"- by hook\n")


@pytest.mark.parametrize("way", ["finish", "roll_back"])
def test_a_commit_whose_message_a_hook_worded_anew_is_still_the_closeouts(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    before = contents(workspace.root)
    a_hook(workspace, "commit-msg", """sed -i '1s/^/[ABC-1] /' "$1" """)
    with monkeypatch.context() as dying:
        dying.setattr(closeout, "_finished", lambda *_: None)  # before the end is written down
        closed(workspace)
    (begun,) = closeout.open_closeouts(workspace).journals
    getattr(closeout, way)(workspace, begun)
    assert git(workspace.root, "status", "--porcelain") == ""
    if way == "roll_back":
        assert contents(workspace.root) == before
    else:
        assert all(row.passed for row in verified(workspace, DONE))


def test_a_signature_that_cannot_be_made_stops_the_commit(workspace: Workspace) -> None:
    git(workspace.root, "config", "commit.gpgSign", "true")
    git(workspace.root, "config", "gpg.program", "/nonexistent/gpg")
    with pytest.raises(Stopped, match="git did not commit"):
        closed(workspace)
    assert len(closeout.open_closeouts(workspace).journals) == 1


def test_while_one_closeout_is_open_no_other_begins(workspace: Workspace) -> None:
    a_hook(workspace, "pre-commit", "exit 1")
    with pytest.raises(Stopped):
        closed(workspace)
    other = workspace.root / f".ai-tasks/{CALM}.md"
    other.write_bytes(other.read_bytes().replace(b"status: pending", b"status: completed"))
    found = prepared(workspace, CALM, None)
    assert "journal-ready" in failed(found)
    assert DONE in found.failed[-1].detail


def test_a_file_that_somebody_changed_meanwhile_stops_finishing_and_survives_rolling_back(
    workspace: Workspace,
) -> None:
    a_hook(workspace, "pre-commit", "exit 1")
    with pytest.raises(Stopped):
        closed(workspace)
    (begun,) = closeout.open_closeouts(workspace).journals
    mine = b"# mine now\n"
    (workspace.root / ".ai/design.md").write_bytes(mine)
    with pytest.raises(Stopped, match=r"\.ai/design\.md changed since"):
        closeout.finish(workspace, begun)
    rolled = closeout.roll_back(workspace, begun)
    assert rolled.ended.left == (".ai/design.md",)
    assert (workspace.root / ".ai/design.md").read_bytes() == mine
    assert (workspace.root / f".ai-tasks/{DONE}.md").exists()


def begun_only(workspace: Workspace) -> journal.Journal:
    """A closeout of which nothing but the journal was written."""
    begun = closeout._journal(workspace, prepared(workspace), {})
    assert journal.begin(workspace.state, begun) == ""
    return begun


def test_a_file_that_stops_the_last_step_stops_the_first(workspace: Workspace) -> None:
    begun = begun_only(workspace)
    waiting = workspace.root / f".ai-tasks/{WAITING}.md"
    waiting.write_bytes(waiting.read_bytes() + b"mine\n")
    before = contents(workspace.root)
    with pytest.raises(Stopped, match=f"{WAITING}.md changed since"):
        closeout.finish(workspace, begun)
    assert contents(workspace.root) == before


def test_a_git_that_died_before_it_wrote_its_index_is_made_good(workspace: Workspace) -> None:
    begun = begun_only(workspace)
    apply.finish(workspace.root, begun)
    git(workspace.root, "read-tree", "HEAD^")
    assert git(workspace.root, "status", "--porcelain") != ""
    assert closeout.finish(workspace, begun).problems == ()
    assert git(workspace.root, "status", "--porcelain") == ""


def test_a_closeout_that_cannot_be_recorded_stays_open(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(ClosedRecords, "add", lambda *given: "no space left")
        assert closed(workspace).note == "no space left"
    (begun,) = closeout.open_closeouts(workspace).journals
    assert closeout.finish(workspace, begun).problems == ()
    assert ClosedRecords(workspace.state).last(DONE) is not None


def test_a_closeout_is_undone_by_a_revert_commit_and_a_restore(workspace: Workspace) -> None:
    before = contents(workspace.root)
    finished = closed(workspace)
    inverse = closeout.undo_of(workspace, DONE)
    assert {step.path for step in inverse.steps} == {
        ".ai/design.md",
        f".ai-tasks/{DONE}.md",
        f".ai-tasks/archive/{DONE}.md",
        f".ai-tasks/{WAITING}.md",
        ".ai-tasks/index.md",
    }
    closeout.undo(workspace, inverse)
    assert contents(workspace.root) == before
    subjects = git(workspace.root, "log", "--format=%s").splitlines()
    assert subjects == [
        'Revert "chore(.ai): absorb done findings"',
        "chore(.ai): absorb done findings",
        "Begin",
    ]
    assert f"This reverts commit {finished.ended.commit}" in git(
        workspace.root, "log", "-1", "--format=%b"
    )
    assert git(workspace.root, "status", "--porcelain") == ""
    with pytest.raises(Refusal, match="no closeout"):
        closeout.undo_of(workspace, DONE)
    assert closed(workspace).problems == ()


def test_what_was_decided_of_the_facts_is_a_draft_again_after_an_undo(workspace: Workspace) -> None:
    sheet = {"items": [{"text": "a", "answers": ["pass", "fail", None]}]}
    told = {"sheet": sheet, "source": "the diff"}
    closeout.carry_out(workspace, prepared(workspace), remembered=told)  # type: ignore[arg-type]
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    drafts = Drafts(workspace.state)
    assert drafts.load(DONE).value == {"sheet": sheet}
    drafts.end(DONE)
    drafts.save(DONE, {"sheet": "newer"})
    closeout.carry_out(workspace, prepared(workspace), remembered=told)  # type: ignore[arg-type]
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert drafts.load(DONE).value == {"sheet": "newer"}


def test_undoing_a_proposal_of_the_working_tree_gives_what_was_committed(
    workspace: Workspace,
) -> None:
    root = workspace.root
    (root / ".ai/design.md").write_bytes(DESIGN + b"- admitted fact\n")
    proposal = from_worktree(root)
    reviews = closeout.reviews_of(proposal, True)
    closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert (root / ".ai/design.md").read_bytes() == DESIGN
    assert git(root, "status", "--porcelain") == ""


def test_a_closeout_without_a_commit_is_undone_by_a_restore(workspace: Workspace) -> None:
    before = contents(workspace.root)
    assert closed(workspace, diff=None).ended.commit is None
    undone = closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert (undone.problems, undone.audit, undone.ended.commit) == ((), "", None)
    assert contents(workspace.root) == before
    with pytest.raises(Refusal, match="no closeout"):
        closeout.undo_of(workspace, DONE)
    assert closed(workspace, diff=None).problems == ()
    assert ClosedRecords(workspace.state).last(DONE) is not None


def test_when_a_change_that_followed_is_undone_the_closeout_before_it_stands(
    workspace: Workspace,
) -> None:
    first = closed(workspace).ended.commit
    rejected = [Review.of(document, REJECT) for document in native(workspace, DONE).documents]
    followed = closeout.carry_out(workspace, closeout.follow_up(workspace, DONE, rejected))
    assert closeout.undo_of(workspace, DONE).undoes == followed.ended.commit
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert closeout.undo_of(workspace, DONE).undoes == first


def test_what_an_undo_shows_of_the_index_is_what_it_does_now(workspace: Workspace) -> None:
    closed(workspace)
    index = workspace.root / ".ai-tasks/index.md"
    index.write_bytes(index.read_bytes() + b"| new | Later | pending |\n")
    inverse = closeout.undo_of(workspace, DONE)
    (edit,) = (e for e in closeout.undo_edits(workspace, inverse) if e.path.endswith("index.md"))
    closeout.undo(workspace, inverse)
    assert edit.after == index.read_bytes()


def test_an_undo_is_refused_while_another_closeout_is_open(workspace: Workspace) -> None:
    closed(workspace)
    other = workspace.root / f".ai-tasks/{CALM}.md"
    other.write_bytes(other.read_bytes().replace(b"status: pending", b"status: completed"))
    begun = closeout._journal(workspace, prepared(workspace, CALM, None), {})
    assert journal.begin(workspace.state, begun) == ""
    with pytest.raises(Refusal, match="did not end"):
        closeout.undo_of(workspace, DONE)


def test_an_undo_knows_what_a_hook_wrote_anew(workspace: Workspace) -> None:
    before = contents(workspace.root)
    script = "echo '- by hook' >> .ai/design.md; git add .ai"
    hook = a_hook(workspace, "pre-commit", script)
    closed(workspace)
    hook.unlink()
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert contents(workspace.root) == before
    assert git(workspace.root, "status", "--porcelain") == ""


def test_an_undo_over_a_document_that_moved_on_is_refused(workspace: Workspace) -> None:
    closed(workspace)
    design = workspace.root / ".ai/design.md"
    design.write_bytes(design.read_bytes() + b"- later\n")
    git(workspace.root, "commit", "--quiet", "--all", "--message", "Later")
    with pytest.raises(Refusal, match=r"\.ai/design\.md changed since"):
        closeout.undo_of(workspace, DONE)


def test_an_index_that_moved_on_gets_its_row_back_where_it_stood(workspace: Workspace) -> None:
    closed(workspace)
    index = workspace.root / ".ai-tasks/index.md"
    index.write_bytes(index.read_bytes() + b"| new | Later | pending |\n")
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    assert index.read_bytes() == INDEX + b"| new | Later | pending |\n"


def test_a_row_that_is_back_already_is_not_put_back_twice(workspace: Workspace) -> None:
    closed(workspace)
    inverse = closeout.undo_of(workspace, DONE)
    (step,) = (step for step in inverse.steps if step.path.endswith("index.md"))
    index = workspace.root / step.path
    back = INDEX.replace(b"| Calm | pending |", b"| Calm | blocked |").replace(
        b"| blocked |\n| 2026-03-04", b"| final_review |\n| 2026-03-04"
    )
    index.write_bytes(back)
    do(workspace.root, step)
    assert index.read_bytes() == back
    lone = back.replace(f"| {DONE} | A \\| pipe | completed |\n".encode(), b"") + b"\nA note.\n"
    index.write_bytes(lone)
    do(workspace.root, step)
    assert [row.id for row in read_index(index.read_bytes()).rows] == [WAITING, CALM, DONE]
    assert index.read_bytes().endswith(b"| completed |\n\nA note.\n")


def test_a_closeout_is_verified_from_its_record_or_a_report(workspace: Workspace) -> None:
    codes = [row.id for row in verified(workspace, DONE) if not row.passed]
    assert codes == [
        "task-not-archived",
        "archive-copy-missing",
        "index-row-present",
        "audit-line-missing",
    ]
    closed(workspace)
    assert all(row.passed for row in verified(workspace, DONE))
    wrong = verified(workspace, DONE, "All done.")
    assert [row.id for row in wrong if not row.passed] == ["audit-line-missing"]
    with pytest.raises(UnknownTask):
        verified(workspace, "absent")


def test_a_record_says_why_each_line_is_in_memory(workspace: Workspace) -> None:
    found = prepared(workspace)
    told = {"facts": [{"text": "a", "outcome": "keep"}]}
    closeout.carry_out(workspace, found, remembered=told)  # type: ignore[arg-type]
    record = ClosedRecords(workspace.state).last(DONE)
    assert record is not None
    assert record.remembered["facts"] == told["facts"]
    assert record.commit == git(workspace.root, "rev-parse", "HEAD").strip()
    assert audit_line(record.audit) == record.audit


def test_a_task_in_both_places_with_equal_content_is_finished_by_the_same_plan(
    workspace: Workspace,
) -> None:
    task = workspace.root / f".ai-tasks/{DONE}.md"
    (workspace.root / f".ai-tasks/archive/{DONE}.md").write_bytes(task.read_bytes())
    assert closed(workspace).problems == ()
    assert not task.exists()


def test_a_task_archived_under_another_name_is_finished_by_its_id(workspace: Workspace) -> None:
    root = workspace.root
    moved = root / f".ai-tasks/archive/2026-06-03-{DONE}.md"
    (root / f".ai-tasks/{DONE}.md").rename(moved)
    found = prepared(workspace, diff=None)
    assert found.plan.archive == ()
    finished = closeout.carry_out(workspace, found)
    assert finished.problems == ()
    assert moved.exists()
    assert f"| {DONE} |".encode() not in (root / ".ai-tasks/index.md").read_bytes()
    assert b"status: in_progress" in (root / f".ai-tasks/{WAITING}.md").read_bytes()


def test_a_task_file_that_is_a_link_is_archived_as_a_file(workspace: Workspace) -> None:
    task = workspace.root / f".ai-tasks/{DONE}.md"
    elsewhere = workspace.root.parent / "elsewhere.md"
    task.rename(elsewhere)
    task.symlink_to(elsewhere)
    assert closed(workspace).problems == ()
    copy = workspace.root / f".ai-tasks/archive/{DONE}.md"
    assert not copy.is_symlink() and copy.read_bytes() == elsewhere.read_bytes()
    assert not os.path.lexists(task)


def test_the_archived_file_keeps_its_mode_and_times(workspace: Workspace) -> None:
    task = workspace.root / f".ai-tasks/{DONE}.md"
    task.chmod(0o640)
    before = task.stat()
    closed(workspace)
    after = (workspace.root / f".ai-tasks/archive/{DONE}.md").stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_a_torn_journal_is_set_aside_and_said(workspace: Workspace) -> None:
    a_hook(workspace, "pre-commit", "exit 1")
    with pytest.raises(Stopped):
        closed(workspace)
    (file,) = workspace.state.folder.glob("closeout-*.json")
    file.write_bytes(file.read_bytes()[:-9])
    opened = journal.open_journals(workspace.state)
    assert opened.journals == ()
    assert "set aside" in opened.notes[0]


def test_a_journal_whose_bytes_are_lost_is_never_carried_out(workspace: Workspace) -> None:
    a_hook(workspace, "pre-commit", "exit 1")
    with pytest.raises(Stopped):
        closed(workspace)
    for blob in (workspace.state.folder / "blobs").rglob("*"):
        if blob.is_file():
            blob.write_bytes(b"other")
    opened = journal.open_journals(workspace.state)
    assert (opened.journals, len(opened.notes)) == ((), 1)


def test_reviews_decided_hunk_by_hunk_are_what_is_written(workspace: Workspace) -> None:
    two = DIFF.replace(b"@@ -6,3 +6,4 @@\n # Design\n", b"@@ -6,3 +6,5 @@\n # Design\n+Intro.\n")
    proposal = from_diff(workspace.root, two)
    review = Review.of(proposal.documents[0])
    assert len(review.hunks) == 2
    accepted = review.decide_open(closeout.reviews_of(proposal, True)[0].decisions[0])  # type: ignore[arg-type]
    one = accepted.decide(0, None)
    closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, [one]))
    text = (workspace.root / ".ai/design.md").read_bytes()
    assert b"- admitted fact\n" in text and b"Intro." not in text


def by_an_agent(workspace: Workspace) -> None:
    """The task closed out by an agent's own commands, all of it right."""
    root = workspace.root
    (root / ".ai/design.md").write_bytes(DESIGN + b"- admitted fact\n- doubtful fact\n")
    git(root, "commit", "--quiet", "--all", "--message", "chore(.ai): absorb done findings")
    (root / f".ai-tasks/{DONE}.md").rename(root / f".ai-tasks/archive/{DONE}.md")
    index = INDEX.replace(f"| {DONE} | A \\| pipe | completed |\n".encode(), b"")
    (root / ".ai-tasks/index.md").write_bytes(index.replace(b"blocked", b"pending"))
    waiting = root / f".ai-tasks/{WAITING}.md"
    text = waiting.read_bytes().replace(f"[{DONE}]".encode(), b"[]")
    waiting.write_bytes(text.replace(b"status: blocked", b"status: pending"))


def test_a_closeout_of_an_agents_own_is_verified_and_its_commit_reviewed(
    workspace: Workspace,
) -> None:
    by_an_agent(workspace)
    codes = [row.id for row in verified(workspace, DONE, REPORT) if not row.passed]
    assert codes == []
    (document,) = native(workspace, DONE).documents
    assert (document.base, document.path) == (DESIGN, ".ai/design.md")


def test_what_is_rejected_of_an_agents_own_closeout_becomes_a_change_that_follows(
    workspace: Workspace,
) -> None:
    by_an_agent(workspace)
    (document,) = native(workspace, DONE).documents
    review = Review.of(document)
    review = review.split(0, pieces(review.hunks[0])).decide(0, ACCEPT).decide(1, REJECT)
    found = closeout.follow_up(workspace, DONE, [review])
    assert failed(found) == []
    finished = closeout.carry_out(workspace, found)
    assert finished.problems == ()
    text = (workspace.root / ".ai/design.md").read_bytes()
    assert b"- admitted fact\n" in text and b"doubtful" not in text
    assert git(workspace.root, "log", "-1", "--format=%s").strip() == (
        "chore(.ai): revise done findings"
    )


def test_nothing_follows_over_a_document_that_moved_on(workspace: Workspace) -> None:
    by_an_agent(workspace)
    (document,) = native(workspace, DONE).documents
    design = workspace.root / ".ai/design.md"
    design.write_bytes(design.read_bytes() + b"- later\n")
    with pytest.raises(ProposalRefused, match="changed since that commit"):
        closeout.follow_up(workspace, DONE, [Review.of(document, REJECT)])


def test_the_commit_of_a_task_is_not_that_of_one_whose_name_begins_alike(
    workspace: Workspace,
) -> None:
    root = workspace.root
    (root / ".ai/design.md").write_bytes(DESIGN + b"- of another\n")
    git(root, "commit", "--quiet", "--all", "--message", "chore(.ai): absorb done-again findings")
    (root / f".ai-tasks/{DONE}.md").rename(root / f".ai-tasks/archive/{DONE}.md")
    assert native(workspace, DONE).documents == ()
    (root / ".ai/design.md").write_bytes(DESIGN + b"- of another\n- its own\n")
    git(root, "commit", "--quiet", "--all", "--message", "Absorb done: one fact")
    (document,) = native(workspace, DONE).documents
    assert document.proposed == DESIGN + b"- of another\n- its own\n"


def test_a_closeout_that_is_remembered_is_shown_by_its_own_commit(workspace: Workspace) -> None:
    closed(workspace)
    git(workspace.root, "commit", "--amend", "--quiet", "--message", "Worded anew")
    git(workspace.root, "commit", "--quiet", "--allow-empty", "--message", "absorb done findings")
    (document,) = native(workspace, DONE).documents
    assert b"- admitted fact" in (document.proposed or b"")


def test_without_a_commit_that_tells_of_it_nothing_is_shown(workspace: Workspace) -> None:
    assert native(workspace, DONE).documents == ()
    assert native(workspace, "2026-01-01-older").documents == ()
    with pytest.raises(UnknownTask):
        native(workspace, "absent")


def test_traces_of_a_closeout_without_a_journal_are_told_one_by_one(workspace: Workspace) -> None:
    root = workspace.root
    assert traces(workspace) == ()
    task = root / f".ai-tasks/{DONE}.md"
    (root / f".ai-tasks/archive/{DONE}.md").write_bytes(task.read_bytes())
    index = root / ".ai-tasks/index.md"
    index.write_bytes(INDEX + b"| 2026-01-01-older | Row left behind | completed |\n")
    told = [(trace.task, trace.words) for trace in traces(workspace)]
    assert told == [
        (DONE, f".ai-tasks/{DONE}.md and its archive copy are the same"),
        ("2026-01-01-older", ".ai-tasks/index.md line 8 still names 2026-01-01-older"),
        (DONE, f"{WAITING} still waits for {DONE}"),
    ]
    closeout.carry_out(workspace, prepared(workspace, diff=None))
    assert [trace.task for trace in traces(workspace)] == ["2026-01-01-older"]
    closeout.carry_out(workspace, prepared(workspace, "2026-01-01-older", None))
    assert traces(workspace) == ()
