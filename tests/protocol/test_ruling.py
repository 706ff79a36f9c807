"""The life of a ruling: given, delivered, carried again, past."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.ruling import Ruling, Stage, refuse_unowed, ruling_on, with_ruling
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import turn_of
from tests.builders import a_task, review, work

AT = "2026-03-04T10:00:00Z"
DISPUTE = review("dev-1", "rev-1", verdict="pass", dispute="F1 stands")


def read(*entries: str, **front: str | None) -> Task:
    return read_task(a_task(*entries, **front), "a-task", ".ai-tasks/a-task.md")  # type: ignore[arg-type]


DISPUTED = read(work("dev-1"), DISPUTE)
STALLED = read(work("dev-1"), review("dev-1", "rev-1"), status="final_review")


def given(task: Task = DISPUTED, text: str = "F1 is dropped.") -> Ruling:
    return ruling_on(task, text, AT)


def asked(task: Task, stored: Ruling | None, **request: object) -> str | None:
    made = PromptRequest(task.name, **request)  # type: ignore[arg-type]
    return with_ruling(made, stored, task, turn_of(task)).ruling


def test_a_ruling_is_bound_to_the_review_entry_that_caused_it() -> None:
    ruling = given()
    assert (ruling.position, ruling.sid, ruling.entries) == (1, "rev-1", 2)
    assert ruling.stage(DISPUTED) is Stage.GIVEN


def test_of_a_batched_review_the_last_entry_is_the_cause() -> None:
    task = read(work("a"), work("b"), review("a", "rev-1"), review("b", "rev-1", dispute="F2"))
    assert given(task).position == 3


def test_a_work_entry_after_the_review_delivers_it() -> None:
    worked = read(work("dev-1"), DISPUTE, work("dev-2"))
    assert given().stage(worked) is Stage.DELIVERED
    assert given().in_force(worked)


def test_another_review_ends_it() -> None:
    done = read(work("dev-1"), DISPUTE, work("dev-2"), review("dev-2", "rev-2"))
    assert given().stage(done) is Stage.PAST
    assert not given().in_force(done)


def test_a_new_text_given_after_work_was_delivered_to_nobody_yet() -> None:
    worked = read(
        work("dev-1"),
        review("dev-1", "rev-1", verdict="changes-requested", dispute="F1"),
        work("dev-2"),
        fix_set="open",
    )
    assert given().stage(worked) is Stage.DELIVERED
    assert given(worked, "F1 stands after all.").stage(worked) is Stage.GIVEN


def test_a_ruling_whose_review_entry_is_gone_binds_nobody() -> None:
    ruling = given()
    assert ruling.stage(read(work("dev-1"))) is Stage.UNBOUND
    assert ruling.stage(read(work("dev-1"), review("dev-1", "rev-9"))) is Stage.UNBOUND
    assert not ruling.in_force(read(work("dev-1")))


def test_a_stall_without_any_review_is_ruled_until_a_review_comes() -> None:
    bare = read(status="final_review")
    ruling = given(bare)
    assert (ruling.position, ruling.sid) == (None, "")
    assert ruling.stage(bare) is Stage.GIVEN
    assert ruling.stage(read(work("x"), review("x"), status="final_review")) is Stage.PAST


@pytest.mark.parametrize("kind", [None, "dev", "plan"])
def test_dev_and_plan_prompts_carry_it_again_and_again(kind: str | None) -> None:
    assert asked(DISPUTED, given(), kind=kind) == "F1 is dropped."
    worked = read(work("dev-1"), DISPUTE, work("dev-2"))
    assert asked(worked, given(), kind="dev") == "F1 is dropped."


def test_a_review_carries_it_only_where_the_gate_stalled() -> None:
    assert asked(STALLED, given(STALLED, "Conclude.")) == "Conclude."
    worked = read(work("dev-1"), DISPUTE, work("dev-2"))
    assert asked(worked, given()) is None


def test_the_humans_word_for_this_prompt_comes_before_the_stored_one() -> None:
    assert asked(DISPUTED, given(), ruling="Another.") == "Another."
    assert asked(DISPUTED, given(), without_ruling=True) is None


@pytest.mark.parametrize("form", ["contract", "invoke"])
def test_a_form_without_a_place_for_it_stays_without(form: str) -> None:
    assert asked(DISPUTED, given(), form=form) is None


def test_nothing_stored_changes_nothing() -> None:
    assert asked(DISPUTED, None) is None


@pytest.mark.parametrize("text", ["", " \n\t", "\udfff"])
def test_a_text_that_binds_nobody_is_no_ruling(text: str) -> None:
    with pytest.raises(Refusal):
        given(text=text)


def test_where_nothing_escalated_none_is_owed() -> None:
    refuse_unowed(DISPUTED, turn_of(DISPUTED))
    refuse_unowed(STALLED, turn_of(STALLED))
    calm = read(work("dev-1"), review("dev-1"))
    with pytest.raises(Refusal, match="a-task: no ruling is owed: Everything written so far"):
        refuse_unowed(calm, turn_of(calm))
