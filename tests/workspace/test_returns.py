"""A session that came back is checked by what was recorded, given or inferred, and a closeout
verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.returned import Basis, Given, Report
from mandrel_tui.protocol.ruling import ruling_on
from mandrel_tui.protocol.trail import FOLLOWUPS
from mandrel_tui.protocol.verify_closeout import CODES
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.journal import Journal
from tests.builders import review, work
from tests.conftest import git
from tests.seats import NAME, Seat

CLAIM = "s-1@2026-03-02T14:03:00Z"


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    return Seat.at(tmp_path / "repository", status="pending", est="0/3", claimed_by=None)


def send(seat: Seat, sid: str | None = "s-1", **asked: str) -> None:
    workspace = seat.open()
    prompt = workspace.prompt(PromptRequest(NAME, sid=sid, **asked))  # type: ignore[arg-type]
    workspace.hand_over(prompt, "claude", "here")


def follow(seat: Seat, kind: str) -> None:
    workspace = seat.open()
    workspace.hand_followup(workspace.task(NAME), kind, b"text", "claude", "here")


def check(seat: Seat, sid: str | None = None, **given: object) -> Report:
    return seat.open().check(NAME, sid, Given(**given))  # type: ignore[arg-type]


def failed(report: Report) -> list[str]:
    return [result.id for result in report.failed]


def warned(report: Report) -> list[str]:
    return [warning.id for warning in report.warnings]


def facts(report: Report) -> Facts:
    assert report.judged is not None
    return report.judged.facts


def basis(report: Report) -> Basis:
    assert report.judged is not None
    return report.judged.basis


def test_a_recorded_session_is_checked_by_what_held_before_it(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    report = check(seat)
    assert (report.sid, basis(report)) == ("s-1", Basis.RECORDED)
    assert facts(report) == Facts("dev", "s-1", "pending", (0, 3), False)
    assert failed(report) == ["dev-est-increment"]
    assert report.handover is not None and report.followup == "violation-fix"


def test_checks_that_pass_settle_the_session_on_the_board(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    assert check(seat).passed
    row = seat.open().board().find(NAME)
    assert row is not None and row.handover is None


def test_checks_that_fail_are_told_on_the_board_until_they_pass(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    check(seat)
    row = seat.open().board().find(NAME)
    assert row is not None and row.handover is not None and row.handover.failing


def test_followups_are_counted_and_end_with_the_human(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    for count in range(FOLLOWUPS):
        assert check(seat).followups == count
        follow(seat, "violation-fix")
    assert check(seat).followups == FOLLOWUPS
    row = seat.open().board().find(NAME)
    assert row is not None and row.handover is not None and row.handover.exhausted


def test_the_sid_of_an_agent_that_chooses_its_own_is_learnt_on_return(seat: Seat) -> None:
    send(seat, sid=None, form="contract")
    seat.write(work("its-own"), est="1/3", claimed_by="its-own@2026-03-02T14:03:00Z")
    report = check(seat)
    assert (report.sid, basis(report), report.passed) == ("its-own", Basis.RECORDED, True)


def test_without_a_record_the_sessions_own_entry_tells_and_that_is_said(seat: Seat) -> None:
    seat.write(work("s-1", before="in_progress"), claimed_by=CLAIM)
    report = check(seat, "s-1")
    assert (basis(report), facts(report)) == (Basis.INFERRED, Facts("dev", "s-1", "in_progress"))
    assert report.handover is None and report.passed


def test_what_the_human_says_is_laid_over_what_is_known(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    report = check(seat, "s-1", est_before=(1, 3))
    assert basis(report) is Basis.GIVEN
    assert facts(report) == Facts("dev", "s-1", "pending", (1, 3), False)
    assert failed(report) == ["dev-est-increment"]


@pytest.mark.parametrize("recorded", [True, False])
def test_a_plan_that_changed_in_the_session_unsaid_is_a_warning(seat: Seat, recorded: bool) -> None:
    if recorded:
        send(seat)
    seat.open().board()
    seat.write(work("s-1"), claimed_by=CLAIM, scope="- Another thing alone.")
    report = check(seat, "s-1")
    assert report.passed and warned(report) == ["plan-changed"]
    assert "-- One thing." in report.warnings[0].diff
    told = work("s-1", done="The scope is less, since one thing was there.")
    seat.write(told, claimed_by=CLAIM, scope="- Another thing alone.")
    assert "plan-changed" not in warned(check(seat, "s-1"))


def test_a_session_that_may_still_be_at_work_is_told(seat: Seat) -> None:
    send(seat)
    assert "not-back" in warned(check(seat))
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    assert "not-back" not in warned(check(seat))


def test_a_resumed_session_that_wrote_nothing_since_the_answer_is_told(seat: Seat) -> None:
    blocked = work("s-1", before="in_progress", after="blocked")
    seat.write(blocked, status="blocked", claimed_by=CLAIM, est="0/3")
    workspace = seat.open()
    task = workspace.task(NAME)
    workspace.hand_followup(task, "blocked-resume", b"Ten.", "claude", "here", "", sid="s-1")
    seat.write(blocked, status="in_progress", claimed_by=CLAIM, est="0/3")
    told = [one.detail for one in check(seat).warnings if one.id == "not-back"]
    assert told == ["no entry since your answer"]
    seat.write(blocked, work("s-1"), status="in_progress", claimed_by=CLAIM, est="1/3")
    assert "not-back" not in warned(check(seat))


def test_work_under_a_ruling_that_its_done_does_not_hold_is_told(seat: Seat) -> None:
    held = work("dev-1"), review("dev-1", "rev-1", verdict="changes-requested", dispute="F1.")
    seat.write(*held, claimed_by=CLAIM)
    workspace = seat.open()
    task = workspace.task(NAME)
    workspace.rulings.give(ruling_on(task, "Keep the *old* name.", workspace.now()))
    claim = "dev-2@2026-03-02T15:00:00Z"
    seat.write(*held, work("dev-2", done="Renamed it."), claimed_by=claim)
    report = check(seat, "dev-2")
    assert "ruling-unrecorded" in warned(report)
    said = "The human ruled: keep the\n  *old* name. So it stays."
    seat.write(*held, work("dev-2", done=said), claimed_by=claim)
    assert "ruling-unrecorded" not in warned(check(seat, "dev-2"))
    later = work("dev-3", done="More."), "dev-3@2026-03-02T16:00:00Z"
    passed = review("dev-2", "rev-2", group="dev-1")
    seat.write(*held, work("dev-2", done=said), passed, later[0], claimed_by=later[1])
    assert "ruling-unrecorded" not in warned(check(seat, "dev-3"))


def test_the_claim_names_the_session_where_nobody_does(seat: Seat) -> None:
    seat.write(work("s-1"), claimed_by=CLAIM)
    assert check(seat).sid == "s-1"
    seat.write(work("s-1"), claimed_by=None)
    with pytest.raises(Refusal, match="no session is known"):
        check(seat)


@pytest.mark.parametrize("recorded", [True, False])
def test_an_answered_session_is_checked_as_one_that_resumes(seat: Seat, recorded: bool) -> None:
    blocked = work("s-1", before="in_progress", after="blocked")
    seat.write(blocked, status="blocked", blockers="[external:why?]", claimed_by=CLAIM)
    if recorded:
        follow(seat, "blocked-resume")
    again = work("s-1", before="blocked", after="in_progress")
    seat.write(blocked, again, est="0/3", claimed_by=CLAIM)
    report = check(seat, "s-1")
    assert facts(report) == Facts("dev", "s-1", "in_progress")
    assert report.followup == "blocked-violation" and report.passed
    assert basis(report) is (Basis.RECORDED if recorded else Basis.INFERRED)


def test_another_session_that_was_given_the_answer_goes_on_where_the_first_stood(
    seat: Seat,
) -> None:
    blocked = work("s-1", before="in_progress", after="blocked")
    seat.write(blocked, status="blocked", blockers="[external:why?]", claimed_by=CLAIM)
    workspace = seat.open()
    task = workspace.task(NAME)
    workspace.hand_followup(task, "blocked-resume", b"text", "claude", "headless", sid="s-2")
    again = work("s-2", before="blocked", after="in_progress")
    seat.write(blocked, again, claimed_by="s-2@2026-03-02T15:00:00Z")
    report = check(seat)
    assert (report.sid, report.passed) == ("s-2", True)
    assert facts(report) == Facts("dev", "s-2", "in_progress")


def test_a_review_that_was_blocked_resumes_as_a_review(seat: Seat) -> None:
    blocked = review("s-1", "r-1", before="final_review", after="blocked")
    done = review("s-1", "r-1", before="blocked", after="completed")
    seat.write(work("s-1"), blocked, done, status="completed", claimed_by="r-1@x")
    report = check(seat, "r-1")
    assert facts(report) == Facts("review", "r-1", "final_review")


def test_a_task_archived_meanwhile_is_verified_instead(seat: Seat) -> None:
    seat.write(work("s-1"), review("s-1", "r-1"), status="completed", claimed_by="r-1@x")
    send(seat, sid=None)
    (seat.root / ".ai-tasks/archive").mkdir()
    seat.path.rename(seat.root / f".ai-tasks/archive/{NAME}.md")
    report = check(seat)
    assert report.judged is None and report.followup == "closeout-incomplete"
    assert [result.id for result in report.results] == [code for code, _, _ in CODES]
    assert failed(report) == ["audit-line-missing"]


def test_the_message_about_a_closeout_names_what_is_missing_of_it(seat: Seat) -> None:
    seat.write(work("s-1"), review("s-1", "r-1"), status="completed", claimed_by="r-1@x")
    told = seat.open().followup(NAME, "closeout-incomplete", answer=None, sid=None).decode()
    assert "- the task file is gone from .ai-tasks/ (" in told
    assert "- the archive holds the task (no " in told


def test_commits_of_the_sessions_time_that_touch_memory_are_a_warning(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(seat)
    commit(seat, ".ai/modules.md", monkeypatch)
    commit(seat, "code.py", monkeypatch)
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    report = check(seat)
    assert report.passed and warned(report) == ["memory-committed"]
    assert git(seat.root, "rev-parse", "HEAD~1")[:12] in report.warnings[0].detail
    assert git(seat.root, "rev-parse", "HEAD")[:12] not in report.warnings[0].detail


def test_commits_before_the_session_are_none_of_its_own(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(seat, ".ai/modules.md", monkeypatch)
    send(seat)
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    assert warned(check(seat)) == []


def test_commits_of_closeouts_made_here_are_no_sessions_own(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(seat)
    commit(seat, ".ai/modules.md", monkeypatch)
    made = git(seat.root, "rev-parse", "HEAD").strip()
    begun = Journal("another", "", "", "chore(.ai): absorb", "", (), (".ai/modules.md",))
    ClosedRecords(seat.open().state).add(begun, made, "")
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    assert warned(check(seat)) == []
    commit(seat, ".ai/other.md", monkeypatch)
    assert warned(check(seat)) == ["memory-committed"]


def commit(seat: Seat, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (seat.root / path).write_text("changed\n", encoding="utf-8")
    git(seat.root, "add", path)
    with monkeypatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", seat.moment)
        git(seat.root, "commit", "--quiet", "--message", path)


def test_a_session_that_shortened_the_log_is_warned_of(seat: Seat) -> None:
    seat.write(work("a"), review("a"), status="in_progress")
    send(seat)
    seat.write(work("a"), work("s-1"), status="in_progress", est="2/3", claimed_by=CLAIM)
    report = check(seat, "s-1")
    assert report.passed and warned(report) == ["log-shrank"]


def test_a_session_that_changed_an_earlier_entry_is_warned_of(seat: Seat) -> None:
    seat.write(work("a"), review("a"), status="in_progress")
    send(seat)
    other = work("a", done="Something else.")
    seat.write(other, review("a"), work("s-1"), est="2/3", claimed_by=CLAIM)
    report = check(seat, "s-1")
    assert report.passed and warned(report) == ["entries-changed"]


def test_a_dirty_tree_is_shown_with_gits_own_words(seat: Seat) -> None:
    send(seat)
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    (seat.root / "left over.txt").write_text("x", encoding="utf-8")
    report = check(seat)
    assert failed(report) == ["tree-clean"] and "?? left over.txt" in report.failed[0].detail
