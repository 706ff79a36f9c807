"""The plan gate: rounds of replies and feedback, and the one act that approves."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.plan import DROPPED, KEPT, NO_HEADING
from mandrel_tui.protocol.plan_gate import Gate, begun
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, work

NAME = "2026-03-02-a-task"
ONE = "## Goal / Acceptance\n- one\n"
TWO = "Thanks.\n\n## Goal / Acceptance\n- two\n"


def a(*entries: str, **keys: str | None) -> Task:
    return read_task(a_task(*entries, id=NAME, **keys), NAME, "")  # type: ignore[arg-type]


def gate(*texts: str) -> Gate:
    """A gate with these replies, feedback between them."""
    made = begun(a(status="pending"), None, "2026-03-02T14:00:00Z")
    for number, text in enumerate(texts):
        if number:
            made = made.with_feedback("more", f"2026-03-02T14:{number:02}:30Z")
        made = made.with_reply(text, f"2026-03-02T14:{number:02}:00Z")
    return made


def test_replies_revise_the_plan_by_whole_restatement_or_keep_it() -> None:
    made = gate(ONE, TWO, "I see no reason.\nPLAN-REPORT: unchanged\n", "Hm.")
    numbers = [(one.number, one.replaces) for one in made.revisions]
    assert numbers == [(1, None), (2, 1), (2, None), (2, None)]
    assert made.plan == "## Goal / Acceptance\n- two"
    assert made.revisions[1].adopted.warnings == (DROPPED,)
    assert made.revisions[3].adopted.warnings == (KEPT,)
    assert made.revisions[0].first and not made.revisions[1].first


def test_a_first_reply_without_the_heading_is_taken_whole_with_a_warning() -> None:
    made = gate("just words")
    assert made.plan == "just words"
    assert made.latest is not None and made.latest.adopted.warnings == (NO_HEADING,)


def test_a_reply_waits_and_feedback_does_not() -> None:
    assert not gate().waits
    assert gate(ONE).waits
    assert not gate(ONE).with_feedback("more", "t").waits


def test_approval_is_one_explicit_act_on_a_plan_that_is_there() -> None:
    with pytest.raises(Refusal, match="no plan to approve"):
        gate().approved("", "t")
    made = gate(ONE).approved("  ", "t")
    assert made.approval is not None and made.approval.answer == "confirm"
    assert not made.waits
    for again in (lambda: made.approved("", "t"), lambda: made.with_reply(TWO, "t")):
        with pytest.raises(Refusal, match="approved already"):
            again()


def test_feedback_answers_a_reply_and_an_empty_reply_is_none() -> None:
    with pytest.raises(Refusal, match="no reply waits"):
        gate().with_feedback("more", "t")
    with pytest.raises(Refusal, match="empty"):
        gate().with_reply(" \n", "t")


def test_the_word_that_approves_is_no_feedback() -> None:
    with pytest.raises(Refusal, match="approving is an act of its own"):
        gate(ONE).with_feedback("confirm\n", "t")


def test_a_plan_is_in_force_until_a_session_worked() -> None:
    made = gate(ONE)
    assert made.in_force(a(status="in_progress"))
    assert made.same(a(status="pending")) and not made.same(a(status="in_progress"))
    assert not made.in_force(a(work("dev-1")))
