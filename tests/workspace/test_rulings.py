"""Rulings survive restarts, can be edited and withdrawn, and are not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.ruling import Ruling, ruling_on
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.rulings import Rulings
from mandrel_tui.workspace.state import State
from tests.builders import a_task, review, work

DISPUTE = review("dev-1", "rev-1", verdict="changes-requested", dispute="F1")


def read(*entries: str) -> Task:
    return read_task(a_task(work("dev-1"), *entries), "a-task", ".ai-tasks/a-task.md")


DISPUTED = read(DISPUTE)
WORKED = read(DISPUTE, work("dev-2"))
REVIEWED = read(DISPUTE, work("dev-2"), review("dev-2", "rev-2"))


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path, tmp_path / "state")


@pytest.fixture
def rulings(state: State) -> Rulings:
    return Rulings(state)


def given(text: str = "F1 is dropped.", task: Task = DISPUTED, at: str = "t1") -> Ruling:
    return ruling_on(task, text, at)


def test_a_ruling_is_there_after_a_restart_and_in_force_until_another_review(
    rulings: Rulings, state: State
) -> None:
    assert rulings.give(given()) == ""
    assert Rulings(state).in_force(DISPUTED) == given()
    assert Rulings(state).in_force(WORKED) == given()
    assert Rulings(state).in_force(REVIEWED) is None
    assert Rulings(state).latest("a-task") == given()


def test_another_text_on_the_same_review_takes_the_place_of_the_first(rulings: Rulings) -> None:
    rulings.give(given())
    rulings.give(given("F1 stands.", at="t2"))
    assert [one.text for one in rulings.of("a-task")] == ["F1 stands."]
    rulings.give(given("Another.", REVIEWED, at="t3"))
    assert [one.text for one in rulings.of("a-task")] == ["F1 stands.", "Another."]


def test_the_same_ruling_again_is_nothing_new(rulings: Rulings) -> None:
    rulings.give(given())
    rulings.give(given(at="t2"))
    assert rulings.latest("a-task") == given()


def test_a_withdrawn_ruling_binds_nobody(rulings: Rulings, state: State) -> None:
    rulings.give(given())
    assert rulings.withdraw(DISPUTED, "t2") == ""
    assert Rulings(state).in_force(DISPUTED) is None
    with pytest.raises(Refusal, match="no ruling to withdraw"):
        rulings.withdraw(DISPUTED, "t3")


def test_a_delivered_ruling_cannot_be_taken_back_but_another_given(rulings: Rulings) -> None:
    rulings.give(given())
    with pytest.raises(Refusal, match="worked by the ruling already"):
        rulings.withdraw(WORKED, "t2")
    rulings.give(given("Rather this.", WORKED, at="t3"))
    now = rulings.in_force(WORKED)
    assert now is not None and now.text == "Rather this."
    assert rulings.withdraw(WORKED, "t4") == ""
    assert rulings.in_force(WORKED) == given()


def test_several_lines_and_odd_characters_come_back_as_they_were(rulings: Rulings) -> None:
    text = "F1 is dropped:\r\n\tsee {{sid}} \u2028 … 名\n"
    rulings.give(given(text))
    now = rulings.latest("a-task")
    assert now is not None and now.text == text


@pytest.mark.parametrize("fact", [{"text": 1}, {"at": "t"}, {"text": "x", "at": "t", "sid": "s"}])
def test_a_fact_of_another_shape_is_left_out(rulings: Rulings, fact: dict[str, object]) -> None:
    rulings.give(given())
    rulings.records.append("a-task", fact)
    assert rulings.latest("a-task") == given()
