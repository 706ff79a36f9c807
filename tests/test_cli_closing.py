"""`closeout` and `curate` through the real command line: what they show, when they write, how they
end."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol import review_record
from mandrel_tui.protocol.candidates import facts_of_log
from mandrel_tui.protocol.desk import Desk, Given, Source
from mandrel_tui.protocol.proposal import ACCEPT, Document, Review
from mandrel_tui.protocol.targets import Library
from mandrel_tui.workspace.drafts import Drafts
from tests.closable import (
    CALM,
    DESIGN,
    DIFF,
    DONE,
    WAITING,
    a_repository,
    a_workspace,
    contents,
)
from tests.conftest import Ran, RunCli, git

AUDIT = f"checked 2 active task(s); updated {WAITING}; unchanged {CALM}"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "ok.diff").write_bytes(DIFF)
    return a_repository(tmp_path / "repository")


@pytest.fixture
def closeout(run_cli: RunCli, top: Path):
    def run(*arguments: str | Path, task: str = DONE, stdin: bytes | None = None) -> Ran:
        return run_cli("-C", top, "closeout", task, *arguments, stdin=stdin)

    return run


def test_a_plan_is_shown_and_nothing_is_written(closeout, top: Path, tmp_path: Path) -> None:
    before = contents(top)
    ran = closeout("--propose", tmp_path / "ok.diff")
    assert ran.code == 0
    lines = ran.text.split("\n")
    assert lines[0] == f"close out {DONE}: 4 file changes"
    assert "  ~ .ai/design.md  22 -> 35 of 3,000 tokens" in lines
    assert f"  > .ai-tasks/{DONE}.md  moved to .ai-tasks/archive/" in lines
    assert "  commit  chore(.ai): absorb done findings" in lines
    assert any(line.endswith(AUDIT) for line in lines)
    assert "+- admitted fact" in lines
    assert "-blockers: [2026-03-02-done]  # soon" in lines
    assert contents(top) == before


def test_a_plan_as_json_has_its_documents_files_and_preconditions(closeout, tmp_path: Path) -> None:
    plan = closeout("--propose", tmp_path / "ok.diff", "--json").json
    assert plan.keys() == {"schema", "task", "preconditions", "documents", "files"}
    assert (plan["schema"], plan["task"]) == (1, DONE)
    assert all(row.keys() == {"id", "passed", "detail"} for row in plan["preconditions"])
    assert all(row["passed"] for row in plan["preconditions"])
    (document,) = plan["documents"]
    assert (document["path"], document["change"]) == (".ai/design.md", "changed")
    assert plan["files"] == [
        {"path": ".ai/design.md", "action": "changed"},
        {"path": f".ai-tasks/archive/{DONE}.md", "action": "added"},
        {"path": f".ai-tasks/{DONE}.md", "action": "moved"},
        {"path": ".ai-tasks/index.md", "action": "changed"},
        {"path": f".ai-tasks/{WAITING}.md", "action": "changed"},
    ]


LARGE = DESIGN + b"".join(
    b"\n## %b\n\n- %b\n" % (title, b"x" * size)
    for title, size in ((b"Retry rules", 8_000), (b"Queues", 2_000), (b"Names", 3_000))
)


@pytest.fixture
def large(top: Path) -> Path:
    """The repository with a document over its limit, which the loader imports."""
    (top / ".ai/design.md").write_bytes(LARGE)
    (top / "CLAUDE.md").write_bytes(b"@.ai/design.md\n")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "--message", "Grow")
    return top


def test_an_oversize_document_becomes_a_folder_that_all_that_names_it_follows(
    closeout, large: Path
) -> None:
    plan = closeout("--upgrade", "design.md")
    assert plan.code == 0
    assert "+- [Retry rules](retry-rules.md)" in plan.text
    assert "-@.ai/design.md" in plan.text and "+@.ai/design/index.md" in plan.text
    assert (large / ".ai/design.md").read_bytes() == LARGE
    ran = closeout("--upgrade", ".ai/design.md", "--apply", "--accept", "all", "--yes")
    assert ran.code == 0
    assert not (large / ".ai/design.md").exists()
    assert len((large / ".ai/design/index.md").read_bytes()) // 4 <= 1_500
    assert b"# Retry rules" in (large / ".ai/design/retry-rules.md").read_bytes()
    assert (large / "CLAUDE.md").read_bytes() == b"@.ai/design/index.md\n"
    routing = (large / ".ai/index.md").read_text()
    assert "| Design | design/index.md |\n| Retry rules | design/retry-rules.md |" in routing
    assert git(large, "status", "--porcelain") == ""


def test_a_task_that_prefetches_what_goes_is_named(closeout, large: Path) -> None:
    calm = large / f".ai-tasks/{CALM}.md"
    calm.write_bytes(calm.read_bytes().replace(b"prefetch: []", b"prefetch: [.ai/design.md]"))
    said = closeout("--upgrade", "design.md").said
    assert f"{CALM} prefetches .ai/design.md, which goes: `edit` points it elsewhere" in said
    assert "prefetches" not in closeout().said


def test_a_loader_behind_a_link_is_left_and_one_in_a_folder_follows(
    closeout, large: Path, tmp_path: Path
) -> None:
    (large / ".claude").mkdir()
    (large / ".claude/CLAUDE.md").write_bytes(b"@../.ai/design.md\n")
    (tmp_path / "elsewhere").write_bytes(b"@.ai/design.md\n")
    (large / "AGENTS.md").symlink_to(tmp_path / "elsewhere")
    git(large, "add", ".")
    git(large, "commit", "--quiet", "--message", "Load")
    assert closeout("--upgrade", "design.md", "--apply", "--accept", "all", "--yes").code == 0
    assert (large / ".claude/CLAUDE.md").read_bytes() == b"@../.ai/design/index.md\n"
    assert (tmp_path / "elsewhere").read_bytes() == b"@.ai/design.md\n"


def test_the_sections_that_leave_can_be_chosen_on_top_of_a_proposal(
    closeout, large: Path, tmp_path: Path
) -> None:
    sections = ("--section", "Queues", "--section", "Names")
    taken = ("--propose", tmp_path / "ok.diff", "--upgrade", "design.md", *sections)
    ran = closeout(*taken, "--apply", "--accept", "all", "--yes")
    assert ran.code == 0
    folder = large / ".ai/design"
    assert sorted(path.name for path in folder.iterdir()) == ["index.md", "names.md", "queues.md"]
    assert b"- admitted fact" in (folder / "index.md").read_bytes()


def test_edits_of_the_working_tree_become_a_folder_too(closeout, large: Path) -> None:
    edited = LARGE.replace(b"one fact", b"one better fact")
    (large / ".ai/design.md").write_bytes(edited)
    taken = ("--propose", "worktree", "--upgrade", "design.md", "--section", "Queues")
    assert closeout(*taken, "--apply", "--accept", "all", "--yes").code == 0
    assert b"one better fact" in (large / ".ai/design/index.md").read_bytes()
    assert not (large / ".ai/design.md").exists()
    assert git(large, "status", "--porcelain") == ""


def test_a_document_that_was_flagged_is_named_with_what_would_help(closeout, large: Path) -> None:
    notes = b".ai/design.md SIZE 3286/3000\n.ai/map.md SIZE 4000/3000\nDOMINANCE 61%\n"
    (large / ".ai/.housekeeping-pending").write_bytes(notes)
    git(large, "add", ".")
    git(large, "commit", "--quiet", "--message", "Flag")
    said = closeout().said
    assert ".ai/design.md is flagged as over its limit: --upgrade .ai/design.md" in said
    assert "--upgrade .ai/map.md" not in said
    ran = closeout("--upgrade", "design.md", "--apply", "--accept", "all", "--yes")
    assert (ran.code, "flagged" in ran.said) == (0, False)
    left = (large / ".ai/.housekeeping-pending").read_bytes()
    assert left == b".ai/map.md SIZE 4000/3000\nDOMINANCE 61%\n"


def test_an_upgrade_that_is_rejected_leaves_every_document(closeout, large: Path) -> None:
    before = contents(large / ".ai")
    ran = closeout("--upgrade", "design.md", "--apply", "--accept", "none", "--yes")
    assert ran.code == 0
    assert contents(large / ".ai") == before


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--upgrade", "none.md"), 1, ".ai/none.md cannot become a folder: it is not there"),
        (("--upgrade", "map.md"), 1, ".ai/map.md has no folder form"),
        (("--upgrade", "../x.md"), 1, "it is not there"),
        (("--upgrade", "design.md", "--section", "No"), 1, "has no section No; it has Retry rules"),
        (("--section", "Queues"), 2, "--section needs --upgrade"),
        (("--verify", "--upgrade", "design.md"), 2, "are for showing and applying a plan"),
    ],
)
def test_an_upgrade_that_cannot_be_is_refused_in_a_sentence(
    closeout, large: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    ran = closeout(*arguments)
    assert (ran.code, ran.text) == (code, "")
    assert words in ran.said


def test_applying_prints_the_audit_line_last(closeout, top: Path, tmp_path: Path) -> None:
    ran = closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "all", "--yes")
    assert ran.code == 0
    assert ran.text.split("\n")[-2] == f"Remaining-task audit: {AUDIT}"
    assert f"committed {git(top, 'rev-parse', 'HEAD')[:7]}" in ran.said
    assert b"- admitted fact" in (top / ".ai/design.md").read_bytes()
    verified = closeout("--verify", "--json")
    assert (verified.code, verified.json) == (0, {"schema": 1, "problems": [], "passed": True})


def test_applying_as_json_says_the_commit_the_audit_line_and_what_does_not_hold(
    closeout, top: Path
) -> None:
    ran = closeout("--apply", "--yes", "--json")
    assert ran.code == 0
    assert ran.json["commit"] is None
    assert ran.json["audit"].endswith(AUDIT)
    assert ran.json["problems"] == []
    assert "there was nothing to commit" in ran.said


def test_nothing_of_a_proposal_may_be_accepted(closeout, top: Path, tmp_path: Path) -> None:
    ran = closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "none", "--yes")
    assert ran.code == 0
    assert (top / ".ai/design.md").read_bytes() == DESIGN
    assert (top / f".ai-tasks/archive/{DONE}.md").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--apply",), 1, "nothing was written; --yes writes without asking"),
        (("--propose", "{diff}", "--apply", "--yes"), 2, "--accept all or --accept none"),
        (("--accept", "all"), 2, "--accept needs --apply"),
        (("--audit-file", "x"), 2, "--audit-file needs --verify"),
        (("--verify", "--propose", "x"), 2, "are for showing"),
        (("--propose", "absent", "--apply", "--yes"), 2, "no folder, no file and no commit"),
        (("--finish", "--yes"), 1, f"no closeout of {DONE} was interrupted"),
        (("--roll-back", "--yes"), 1, f"no closeout of {DONE} was interrupted"),
        (("--apply", "--verify"), 2, "not allowed with"),
    ],
)
def test_what_is_not_asked_for_rightly_changes_nothing(
    closeout, top: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    before = contents(top)
    ran = closeout(*(a.replace("{diff}", str(tmp_path / "ok.diff")) for a in arguments))
    assert ran.code == code
    assert words in ran.said
    assert contents(top) == before


def test_what_asks_an_agent_to_propose_is_printed_exactly(closeout, top: Path) -> None:
    ran = closeout("--request")
    assert (ran.code, ran.said) == (0, "")
    assert ran.text.startswith(f"Propose what task `{DONE}` adds")
    assert f".ai-tasks/proposals/{DONE}" in ran.text
    refused = closeout("--request", task=CALM)
    assert (refused.code, refused.text) == (1, "")


def test_a_task_that_is_not_completed_is_refused_in_a_sentence(closeout) -> None:
    ran = closeout(task=CALM)
    assert (ran.code, ran.out) == (1, b"")
    assert ran.said == f"mandrel-tui: {CALM} is pending: only a completed task is closed out\n"
    ran = closeout(task="absent")
    assert (ran.code, ran.out) == (2, b"")


def test_a_precondition_that_fails_is_in_the_plan_and_said(closeout, top: Path) -> None:
    (top / "app.py").write_bytes(b"changed\n")
    ran = closeout("--json")
    assert ran.code == 1
    failed = [row["id"] for row in ran.json["preconditions"] if not row["passed"]]
    assert failed == ["tree-clean"]
    ran = closeout()
    assert ran.code == 1
    assert "x tree-clean" in ran.text
    assert "tree-clean:  M app.py" in ran.said


def test_verifying_takes_the_audit_line_from_a_file(closeout, top: Path, tmp_path: Path) -> None:
    closeout("--apply", "--yes")
    report = tmp_path / "report"
    report.write_text("All done.\n")
    ran = closeout("--verify", "--audit-file", report, "--json")
    assert ran.code == 1
    (problem,) = ran.json["problems"]
    assert problem["code"] == "audit-line-missing"
    report.write_text("remaining task audit : checked 2\n")
    whole = closeout("--verify", "--audit-file", report)
    assert whole.code == 0
    assert "v the task file is gone from .ai-tasks/" in whole.text
    assert "audit-line-missing" not in whole.text
    assert closeout("--verify", "--audit-file", "-", stdin=b"no line").code == 1
    assert closeout("--verify", "--audit-file", tmp_path / "absent").code == 2
    assert closeout("--verify", task="absent").code == 2


def test_what_is_not_closed_out_fails_to_verify(closeout) -> None:
    ran = closeout("--verify")
    assert ran.code == 1
    assert "x task-not-archived" in ran.text


@pytest.mark.parametrize("way", ["--finish", "--roll-back"])
def test_an_interrupted_closeout_is_recovered(
    closeout, top: Path, tmp_path: Path, way: str
) -> None:
    before = contents(top)
    hook = top / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho the linter says no\nexit 1\n")
    hook.chmod(0o755)
    ran = closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "all", "--yes")
    assert ran.code == 1
    assert "git: the linter says no" in ran.said
    assert "--finish or --roll-back" in ran.said
    hook.unlink()
    asked = closeout(way)
    assert asked.code == 1
    assert "1  done " in asked.text and "--yes writes without asking" in asked.said
    done = closeout(way, "--yes")
    assert done.code == 0, done.said
    if way == "--finish":
        assert done.text.endswith(f"Remaining-task audit: {AUDIT}\n")
        assert closeout("--verify").code == 0
    else:
        assert contents(top) == before
        assert f"the closeout of {DONE} is taken back" in done.said


def test_a_closeout_by_an_agent_is_shown_with_what_its_commit_changed(closeout, top: Path) -> None:
    (top / ".ai/design.md").write_bytes(DESIGN + b"- admitted fact\n")
    git(top, "commit", "--quiet", "--all", "--message", "chore(.ai): absorb done findings")
    (top / f".ai-tasks/{DONE}.md").rename(top / f".ai-tasks/archive/{DONE}.md")
    plan = closeout("--json")
    (document,) = plan.json["documents"]
    assert (document["path"], document["change"]) == (".ai/design.md", "changed")
    assert [file["path"] for file in plan.json["files"]] == [
        ".ai-tasks/index.md",
        f".ai-tasks/{WAITING}.md",
    ]
    assert "--accept none" not in plan.said
    assert "index-row-present" in plan.said


def by_an_agent(top: Path) -> None:
    """The task archived by an agent's own commands, with two facts in two places of the memory."""
    (top / ".ai/design.md").write_bytes(
        DESIGN.replace(b"# Design\n\n", b"# Design\n\nDoubtful.\n\n") + b"- admitted fact\n"
    )
    git(top, "commit", "--quiet", "--all", "--message", "chore(.ai): absorb done findings")
    (top / f".ai-tasks/{DONE}.md").rename(top / f".ai-tasks/archive/{DONE}.md")


def test_one_hunk_of_an_agents_own_closeout_is_rejected_by_a_change_that_follows(
    closeout, top: Path
) -> None:
    by_an_agent(top)
    said = closeout().said
    assert ".ai/design.md:1  line 8: -0 +2" in said and ".ai/design.md:2  line 9: -0 +1" in said
    reject = ("--apply", "--accept", "all", "--reject", "design.md:1")
    shown = closeout(*reject)
    assert shown.code == 1
    assert "-Doubtful." in shown.text and "-- admitted fact" not in shown.text
    assert closeout(*reject, "--yes").code == 0
    text = (top / ".ai/design.md").read_bytes()
    assert b"- admitted fact\n" in text and b"Doubtful" not in text
    assert git(top, "log", "-1", "--format=%s").strip() == "chore(.ai): revise done findings"


def test_an_agents_commit_that_cannot_be_reviewed_stops_no_mending(closeout, top: Path) -> None:
    (top / ".ai/notes.txt").write_bytes(b"x\n")
    git(top, "add", ".")
    by_an_agent(top)
    words = ".ai/notes.txt cannot be part of a proposal"
    rejected = closeout("--apply", "--accept", "none", "--yes")
    assert (rejected.code, words in rejected.said) == (1, True)
    mended = closeout("--finish", "--yes")
    assert (mended.code, words in mended.said) == (0, True)
    assert f"| {DONE} |".encode() not in (top / ".ai-tasks/index.md").read_bytes()


def test_all_of_an_agents_own_closeout_can_be_rejected(closeout, top: Path) -> None:
    by_an_agent(top)
    assert closeout("--apply", "--accept", "none", "--yes").code == 0
    text = (top / ".ai/design.md").read_bytes()
    assert b"Doubtful" not in text and b"admitted" not in text
    assert closeout("--verify").code == 0


def test_hunks_of_a_proposal_can_be_rejected_one_by_one(
    closeout, top: Path, tmp_path: Path
) -> None:
    two = DIFF.replace(b"-6,3 +6,4", b"-6,3 +6,6").replace(b" \n", b" \n+Doubtful.\n+\n")
    (tmp_path / "two.diff").write_bytes(two)
    take = ("--propose", tmp_path / "two.diff", "--apply", "--accept", "all")
    for wrong, words in (
        ("design.md:3", ".ai/design.md has no hunk 3; it has 2"),
        (f"design.md:{'9' * 5000}", "it has 2"),
        ("map.md", "no document map.md is under review"),
    ):
        ran = closeout(*take, "--reject", wrong, "--yes")
        assert (ran.code, words in ran.said) == (2, True)
    assert closeout(*take, "--reject", ".ai/design.md:1", "--yes").code == 0
    text = (top / ".ai/design.md").read_bytes()
    assert b"- admitted fact\n" in text and b"Doubtful" not in text


def test_the_last_closeout_is_undone_after_it_was_shown(
    closeout, top: Path, tmp_path: Path
) -> None:
    before = contents(top)
    closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "all", "--yes")
    done = git(top, "rev-parse", "HEAD").strip()
    asked = closeout("--undo")
    assert asked.code == 1
    lines = asked.text.split("\n")
    assert lines[0] == f"take back the closeout of {DONE}"
    assert f"  < .ai-tasks/{DONE}.md  moved back from .ai-tasks/archive/" in lines
    assert "-- admitted fact" in lines and f"+| {DONE} | A \\| pipe | completed |" in lines
    assert f"          reverts {done[:7]}" in lines
    ran = closeout("--undo", "--yes")
    assert ran.code == 0
    assert f"the closeout of {DONE} is taken back" in ran.said
    assert contents(top) == before
    assert git(top, "log", "-1", "--format=%s").startswith("Revert ")
    again = closeout("--undo", "--yes")
    assert (again.code, "no closeout of" in again.said) == (1, True)
    assert closeout("--undo", task="absent").code == 2


def test_an_undo_is_refused_before_the_first_byte(closeout, top: Path, tmp_path: Path) -> None:
    closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "all", "--yes")
    (top / ".git/MERGE_HEAD").write_text(git(top, "rev-parse", "HEAD"))
    before = contents(top)
    ran = closeout("--undo", "--yes")
    assert ran.code == 1
    assert "a merge is in progress" in ran.said
    assert contents(top) == before


def test_what_changes_only_stamps_is_no_reason_for_another_commit(
    closeout, top: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "proposed"
    bare.mkdir()
    (bare / "queues.md").write_bytes(b"# Queues\n\nTen at most.\n")
    apply = ("--propose", bare, "--apply", "--accept", "all", "--yes")
    assert closeout(*apply).code == 0
    after, done = contents(top), git(top, "rev-parse", "HEAD")
    again = closeout(*apply)
    assert "  nothing is left to do" in again.text.split("\n")
    assert (again.code, git(top, "rev-parse", "HEAD"), contents(top)) == (0, done, after)
    undone = closeout("--undo", "--yes")
    assert f"the closeout of {DONE} is taken back" in undone.said
    assert (top / f".ai-tasks/{DONE}.md").exists() and not (top / ".ai/queues.md").exists()


def test_taking_back_a_later_change_says_that_the_task_stays_archived(
    closeout, top: Path, tmp_path: Path
) -> None:
    closeout("--apply", "--yes")
    closeout("--propose", tmp_path / "ok.diff", "--apply", "--accept", "all", "--yes")
    ran = closeout("--undo", "--yes")
    assert f"the change after the closeout of {DONE} is taken back" in ran.said
    assert f"{DONE} stays archived" in ran.said
    assert not (top / f".ai-tasks/{DONE}.md").exists()
    assert f"the closeout of {DONE} is taken back" in closeout("--undo", "--yes").said
    assert (top / f".ai-tasks/{DONE}.md").exists()


def test_what_is_said_of_a_proposal_follows_what_was_decided(
    closeout, top: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "proposed"
    folder.mkdir()
    (folder / "queues.md").write_bytes(b"# Queues\n")
    (folder / "design.md").write_bytes(b"")
    new, gone = ".ai/queues.md has no row in .ai/index.md", ".ai/design.md, which goes"
    shown = closeout("--propose", folder).said
    assert shown.count(new) == 1 and shown.count(gone) == 1
    apply = ("--propose", folder, "--apply")
    kept = closeout(*apply, "--accept", "all", "--reject", "design.md").said
    assert new in kept and gone not in kept
    none = closeout(*apply, "--accept", "none").said
    assert new not in none and gone not in none


def test_decisions_made_in_the_app_are_said_to_be_no_part_of_the_plan(closeout, top: Path) -> None:
    workspace = a_workspace(top)
    given = Given(facts_of_log(workspace.task(DONE)), {}, Library({}))
    desk, _ = Desk.opened(DONE, given, Source(), None)
    drafts = Drafts(workspace.state)
    drafts.save(DONE, desk.record)
    assert "made in the app" not in closeout().said
    decided = Review.of(Document(".ai/design.md", b"a\n", b"b\n"), ACCEPT)
    drafts.save(DONE, {**desk.record, "reviews": review_record.record([decided])})
    told = closeout().said
    assert "no part of this plan: 1 decision made in the app, where x goes on" in told


FILE = b"# Rules\n\n- use pnpm, never npm\n- we are currently moving\n- a\n  long one\n"


@pytest.fixture
def curate(run_cli: RunCli, tmp_path: Path):
    file = tmp_path / "CLAUDE.md"
    file.write_bytes(FILE)

    def run(*arguments: str, answers: bytes = b"") -> Ran:
        return run_cli("curate", file, *arguments, stdin=answers, cwd=tmp_path)

    return run


def test_facts_are_shown_with_hints_and_nothing_is_written_without_answers(
    curate, tmp_path: Path
) -> None:
    ran = curate()
    assert ran.code == 1
    assert "fact 1 of 3, line 3" in ran.text
    assert "derivation cost: several files" in ran.text
    assert "nothing was written: 3 undecided facts" in ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == FILE


def test_a_file_is_walked_fact_by_fact_and_written_after_a_yes(curate, tmp_path: Path) -> None:
    answers = b"aaa\nar\naba\n"
    ran = curate(answers=answers)
    assert ran.code == 1
    assert "-- we are currently moving" in ran.text and "+- a long one" in ran.text
    assert "--yes writes without asking, answers are kept" in ran.said
    ran = curate("--yes")
    assert ran.code == 0, ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == (
        b"# Rules\n\n- use pnpm, never npm\n- a long one\n"
    )
    assert f"{len(FILE):,} -> " in ran.text


def test_answers_are_kept_and_the_walk_goes_on_where_it_was_left(curate, tmp_path: Path) -> None:
    curate(answers=b"aaa\nq\n")
    ran = curate("--json")
    assert ran.code == 0
    facts = ran.json["facts"]
    assert [fact["outcome"] for fact in facts] == ["keep", None, None]
    assert facts[1]["hints"][0]["test"] == "stability"
    assert (facts[2]["line"], facts[2]["end_line"]) == (5, 6)
    assert "fact 2 of 3" in curate().text
    file = tmp_path / "CLAUDE.md"
    file.write_bytes(FILE.replace(b"npm\n", b"npm ever\n"))
    ran = curate("--json")
    assert [fact["outcome"] for fact in ran.json["facts"]] == [None, None, None]
    assert "open again, since it changed: use pnpm, never npm" in ran.said


def test_what_was_written_in_part_goes_on_where_it_was_left(curate, tmp_path: Path) -> None:
    ran = curate("--yes", answers=b"aaa\nr\n")
    assert ran.code == 0
    assert (tmp_path / "CLAUDE.md").read_bytes() == (
        b"# Rules\n\n- use pnpm, never npm\n- a\n  long one\n"
    )
    ran = curate("--yes", answers=b"aba\n")
    assert "fact 2 of 2" in ran.text and "fact 1 of 2" not in ran.text
    assert "open again" not in ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == (
        b"# Rules\n\n- use pnpm, never npm\n- a long one\n"
    )


def test_facts_can_be_reworded_split_merged_skipped_and_taken_back(curate, tmp_path: Path) -> None:
    answers = b"e use pnpm\naaa\nu\naaa\ns we are moving | it moves\nr\naaa\nn\nx\n"
    ran = curate("--yes", answers=answers)
    assert ran.code == 0, ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == (
        b"# Rules\n\n- use pnpm\n- it moves\n- a\n  long one\n"
    )


def test_a_letter_that_means_nothing_is_explained(curate) -> None:
    assert "a pass, b borderline, r fail" in curate(answers=b"z\n").said


def test_two_facts_become_one(curate, tmp_path: Path) -> None:
    ran = curate("--yes", answers=b"aaa\nm\naaa\n")
    assert ran.code == 0, ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == (
        b"# Rules\n\n- use pnpm, never npm\n- we are currently moving; a long one\n"
    )


def test_a_file_in_which_all_is_kept_is_not_written(curate, tmp_path: Path) -> None:
    ran = curate(answers=b"aaa\naaa\naaa\n")
    assert ran.code == 0
    assert "nothing changes" in ran.said
    assert (tmp_path / "CLAUDE.md").read_bytes() == FILE


def test_a_file_without_facts_or_none_at_all_says_so(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_bytes(b"# Only a title\n")
    ran = run_cli("curate", tmp_path / "empty.md")
    assert ran.code == 0
    assert "no facts in" in ran.said
    assert run_cli("curate", tmp_path / "absent.md").code == 2
    assert run_cli("curate", tmp_path).code == 2


def test_curating_leaves_nothing_beside_the_file(curate, tmp_path: Path) -> None:
    curate(answers=b"r\n")
    assert [path.name for path in tmp_path.iterdir()] == ["CLAUDE.md"]
