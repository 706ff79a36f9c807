"""What a board tells of sessions, rulings and rewritten logs, over restarts and on real files."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.plan_gate import begun
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.standing import HandoverState
from mandrel_tui.workspace import sessions
from tests.builders import a_task, review, work
from tests.seats import NAME, Seat

DISPUTE = review("dev-1", "rev-1", verdict="pass", dispute="F1 stands")


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    return Seat.at(tmp_path / "repository", status="pending", est="0/3", claimed_by=None)


def row(seat: Seat) -> Row:
    """The task's row as a fresh start of the program reads it."""
    found = seat.open().board().find(NAME)
    assert found is not None
    return found


def send(seat: Seat, **asked: str | None) -> str:
    """Records a fresh prompt as copied; the id of the handover."""
    workspace = seat.open()
    prompt = workspace.prompt(PromptRequest(NAME, **asked))  # type: ignore[arg-type]
    recorded = workspace.hand_over(prompt, "clipboard", "copy", "the tmux buffer")
    assert recorded.note == ""
    return recorded.handover.id


def test_a_handed_over_task_is_out_then_returned_over_restarts(seat: Seat) -> None:
    assert row(seat).handover is None
    send(seat, sid="s-1")
    out = row(seat).handover
    assert out is not None and (out.state, out.launcher) == (HandoverState.OUT, "clipboard")
    seat.write(work("s-1"), est="1/3", claimed_by="s-1@2026-03-02T14:03:00Z")
    back = row(seat).handover
    assert back is not None and back.state is HandoverState.RETURNED and back.unchecked
    assert back.since > out.since
    assert row(seat).handover == back  # noticed once, not anew at every look


def test_the_bytes_that_went_out_can_be_shown_later(seat: Seat) -> None:
    workspace = seat.open()
    prompt = workspace.prompt(PromptRequest(NAME, sid="s-1"))
    workspace.hand_over(prompt, "clipboard", "copy")
    seat.write(work("s-1"))
    (handover,) = seat.open().handovers.trail(NAME).handovers
    assert seat.open().handovers.bytes_of(handover) == prompt.data
    assert handover.facts is not None and handover.facts.est_before == (0, 3)


def test_the_facts_are_those_of_the_task_the_prompt_was_made_from(seat: Seat) -> None:
    workspace = seat.open()
    prompt = workspace.prompt(PromptRequest(NAME, sid="s-1"))
    seat.write(status="in_progress", est="0/3", claimed_by="s-1@2026-03-02T14:01:00Z")
    handover = workspace.hand_over(prompt, "claude", "here").handover
    assert handover.facts is not None and handover.facts.status_before == "pending"


def test_a_ruling_typed_with_a_prompt_is_given_once_the_prompt_left(seat: Seat) -> None:
    seat.write(work("dev-1"), DISPUTE)
    seat.open().prompt(PromptRequest(NAME, sid="s-2", ruling="F1 is dropped."))
    assert row(seat).ruling is None
    send(seat, sid="s-2", ruling="F1 is dropped.")
    ruling = row(seat).ruling
    assert ruling is not None and (ruling.text, ruling.position) == ("F1 is dropped.", 1)


def test_the_next_dev_prompts_carry_a_stored_ruling_until_another_review(seat: Seat) -> None:
    seat.write(work("dev-1"), DISPUTE)
    with pytest.raises(Refusal, match="needs your ruling"):
        seat.open().prompt(PromptRequest(NAME, sid="s-2"))
    send(seat, sid="s-2", ruling="F1 is dropped.")
    again = seat.open().prompt(PromptRequest(NAME, sid="s-3"))
    assert again.ruling == "F1 is dropped." and b"F1 is dropped." in again.data
    assert [w for w in again.warnings if "it carries the ruling given 2026-03-02T14" in w]
    without = seat.open().prompt(PromptRequest(NAME, sid="s-3", without_ruling=True))
    assert b"F1 is dropped." not in without.data
    seat.write(work("dev-1"), DISPUTE, work("s-2"), review("s-2", "rev-2"))
    later = seat.open().prompt(PromptRequest(NAME, sid="s-4"))
    assert later.ruling is None and row(seat).ruling is None


def test_a_followup_is_recorded_in_the_session_it_went_to(seat: Seat) -> None:
    first = send(seat, sid="s-1")
    seat.write(work("s-1"), est="0/3", claimed_by="s-1@x")
    workspace = seat.open()
    task = workspace.task(NAME)
    workspace.hand_followup(task, "violation-fix", b"mend it", "claude", "here")
    ((one, other),) = seat.open().handovers.trail(NAME).sessions
    assert (one.id, other.kind, other.sid) == (first, "violation-fix", "s-1")
    standing = row(seat).handover
    assert standing is not None and standing.out and standing.followups == 1


def test_every_version_that_was_looked_at_is_kept(seat: Seat) -> None:
    first = seat.path.read_bytes()
    seat.open().board()
    second = seat.write(work("s-1"))
    seat.open().task(NAME)
    versions = seat.open().versions
    assert [versions.bytes_of(v.sha256) for v in versions.of(NAME)] == [first, second]


def test_a_rewritten_log_is_a_mark_on_the_board_until_it_is_whole_again(seat: Seat) -> None:
    whole = (work("s-1"), review("s-1"))
    seat.write(*whole)
    assert not [d for d in row(seat).diagnostics if d.rule == "log-rewritten"]
    seat.write(work("s-1"))
    (alarm,) = [d for d in row(seat).diagnostics if d.rule == "log-rewritten"]
    assert alarm.message.startswith("earlier entries: 1 gone, seen 2026-03-02T14")
    seat.write(*whole, work("s-2"))
    assert not [d for d in row(seat).diagnostics if d.rule == "log-rewritten"]


def test_a_look_at_a_very_large_store_keeps_no_versions(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "OBSERVED", 0)
    seat.open().board()
    assert seat.open().versions.of(NAME) == ()
    seat.open().task(NAME)
    assert len(seat.open().versions.of(NAME)) == 1


def test_a_very_large_store_is_kept_and_watched_by_who_has_the_time(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "OBSERVED", 0)
    seat.write(work("s-1"), review("s-1"))
    workspace = seat.open()
    assert workspace.back_up() == ""
    seat.write(work("s-1"))
    assert workspace.back_up() == ""
    board = workspace.board()
    assert [d.rule for d in board.rows[0].diagnostics if d.rule == "log-rewritten"]


def test_the_archive_has_a_backup(seat: Seat) -> None:
    archived = seat.root / ".ai-tasks/archive/2026-01-01-old.md"
    archived.parent.mkdir()
    archived.write_bytes(a_task(work("x"), id="2026-01-01-old", status="completed"))
    told: list[tuple[int, int]] = []
    assert seat.open().back_up(lambda done, total: told.append((done, total))) == ""
    versions = seat.open().versions
    (version,) = versions.of("2026-01-01-old")
    assert versions.bytes_of(version.sha256) == archived.read_bytes()
    assert told == []  # so few are no matter of progress


def test_looking_works_where_nothing_can_be_kept(seat: Seat, home: Path) -> None:
    (home / "state").write_bytes(b"no folder")
    assert row(seat).handover is None
    workspace = seat.open()
    prompt = workspace.prompt(PromptRequest(NAME, sid="s-1"))
    assert "nothing is kept" in workspace.hand_over(prompt, "clipboard", "copy").note


def test_a_plan_session_whose_plan_is_approved_is_out_no_more(seat: Seat) -> None:
    send(seat, kind="plan")
    workspace = seat.open()
    task = workspace.task(NAME)
    (asked,) = workspace.handovers.trail(NAME).handovers
    gate = begun(task, asked, workspace.now())
    gate = gate.with_reply("## Goal / Acceptance\n- it runs", workspace.now())
    workspace.plans.keep(gate)
    assert sessions.unsettled(workspace, task) is not None
    workspace.plans.keep(gate.approved("confirm", workspace.now()))
    assert sessions.unsettled(workspace, task) is None
    prompt = workspace.prompt(PromptRequest(NAME))
    assert workspace.hand_over(prompt, "clipboard", "copy").beside is None
