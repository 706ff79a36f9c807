"""The turn of a task: golden answers, legality by hand, escalations, reasons."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Mode, Turn, TurnKind, turn_of
from tests.builders import a_task, review, work

GOLDEN = Path(__file__).parents[1] / "golden"
TURNS: dict[str, dict[str, Any]] = json.loads((GOLDEN / "expected/turns.json").read_bytes())
NAME = "2026-03-02-a-task"


def read(data: bytes, name: str = NAME) -> Task:
    return read_task(data, name, f".ai-tasks/{name}.md")


def turn(*entries: str, active: tuple[str, ...] = (), **keys: str | None) -> Turn:
    return turn_of(read(a_task(*entries, **keys)), frozenset(active))


@pytest.mark.parametrize("name", TURNS)
def test_the_turn_is_the_one_the_golden_scheduler_gives(name: str) -> None:
    path = GOLDEN / "workspace/.ai-tasks" / f"{name}.md"
    task = read(path.read_bytes(), name)
    given = turn_of(task, frozenset(TURNS))
    facts: dict[str, Any] = {
        "escalation_after_review": given.escalation_after_review,
        "ignored_fix_set": given.ignored_fix_set,
        "pending_review": list(given.pending_review),
        "remediation": task.remediation,
        "turn": given.kind.value,
    }
    if given.kind is TurnKind.RULING:
        facts["kind"] = given.escalation
    assert facts == TURNS[name]


def test_every_rule_decides_some_golden_task() -> None:
    rules = set()
    for name in TURNS:
        path = GOLDEN / "workspace/.ai-tasks" / f"{name}.md"
        rules.add(turn_of(read(path.read_bytes(), name), frozenset(TURNS)).rule)
    assert rules == {1, 2, 3, 4, 5, 6, 7}


def test_a_question_ends_its_own_sentence() -> None:
    asked = work(before="in_progress", after="blocked")
    blocked = {"status": "blocked", "blockers": "[external:ten, or twenty?]"}
    assert turn(asked, **blocked).reason.endswith("twenty? Session dev-1 resumes with your answer.")
    assert turn(**blocked, claimed_by=None).reason.endswith("or twenty?")
    event = {**blocked, "blockers": "[external:the release]"}
    assert turn(asked, **event).reason.endswith("release; session dev-1 resumes with your answer.")
    assert turn(**event, claimed_by=None).reason.endswith(": the release.")


CHANGES = (work(), review(verdict="changes-requested"))


@pytest.mark.parametrize(
    ("given", "legal"),
    [
        (turn(), ("dev-advancement", "plan")),
        (turn(work()), ("dev-advancement", "review", "plan")),
        (turn(work(), review()), ("dev-advancement", "plan")),
        (turn(*CHANGES), ("dev-remediation",)),
        (turn(*CHANGES, work("dev-2")), ("dev-remediation", "review")),
        (turn(*CHANGES, work("dev-2"), fix_set="open"), ("dev-remediation",)),
        (turn(work(), status="final_review"), ("dev-advancement", "review", "plan")),
        (
            turn(work(), review(), status="final_review"),
            ("dev-advancement", "review", "plan"),
        ),
        (turn(status="completed"), ("closeout",)),
        (turn(status="blocked", blockers="[external:why?]"), ("answer",)),
        (turn(status="odd"), ()),
    ],
)
def test_a_role_may_be_chosen_by_hand_only_where_it_is_legal(
    given: Turn, legal: tuple[str, ...]
) -> None:
    assert given.legal == legal


def test_the_role_that_is_next_is_always_legal() -> None:
    names = {Mode.ADVANCEMENT: "dev-advancement", Mode.REMEDIATION: "dev-remediation"}
    for name in TURNS:
        path = GOLDEN / "workspace/.ai-tasks" / f"{name}.md"
        given = turn_of(read(path.read_bytes(), name), frozenset(TURNS))
        role = names.get(given.mode) if given.role == "dev" else given.role  # type: ignore[arg-type]
        if role is not None:
            assert role in given.legal
        assert given.kind is not TurnKind.RULING or "review" in given.legal


def test_a_disputed_finding_waits_for_a_ruling() -> None:
    given = turn(work(), review(verdict="pass", dispute=""))
    assert (given.kind, given.escalation, given.word) == ("dev", "dispute-unresolved", "rule")
    assert "ruling" in given.owes


def test_a_third_round_of_one_group_waits_for_a_ruling() -> None:
    def rounds(count: int) -> Turn:
        log = []
        for number in range(count):
            log += [
                work(f"dev-{number}"),
                review(f"dev-{number}", verdict="changes-requested", group="g"),
            ]
        return turn(*log)

    assert rounds(2).escalation is None
    assert rounds(3).escalation == "convergence-budget"
    assert "group g used 3 rounds, 2 are allowed" in rounds(3).owes


def test_an_escalation_waits_while_another_turn_is_due() -> None:
    given = turn(work(), review(dispute="x"), work("dev-2"))
    assert (given.kind, given.escalation) == ("review", None)
    assert given.escalation_after_review == "dispute-unresolved"


def test_a_task_blocked_only_by_active_tasks_owes_nobody_an_answer() -> None:
    waiting = turn(status="blocked", blockers="[2026-01-01-b]", active=("2026-01-01-b",))
    assert (waiting.word, waiting.owes) == ("waits", "")
    asking = turn(
        status="blocked",
        blockers="[2026-01-01-b, external:why?]",
        active=("2026-01-01-b",),
        claimed_by="dev-1@2026-03-02T00:00:00Z",
    )
    assert (asking.word, asking.owes) == ("answer", "an answer")
    assert "why?" in asking.reason and "dev-1" in asking.reason


def test_a_blocker_that_is_no_active_task_is_yours_to_correct() -> None:
    given = turn(
        status="blocked", blockers="[2026-01-01-gone, 2026-01-01-b]", active=("2026-01-01-b",)
    )
    assert (given.word, given.yours) == ("answer", True)
    assert "2026-01-01-gone" in given.reason and "2026-01-01-b" not in given.reason


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (turn(), "dev"),
        (turn(*CHANGES), "fix"),
        (turn(work()), "review"),
        (turn(work(), status="final_review"), "gate"),
        (turn(status="final_review"), "rule"),
        (turn(status="completed"), "close"),
        (turn(status="odd"), "invalid"),
    ],
)
def test_a_row_names_its_turn_by_one_word(given: Turn, word: str) -> None:
    assert given.word == word


def test_a_reason_is_one_sentence() -> None:
    for name in TURNS:
        path = GOLDEN / "workspace/.ai-tasks" / f"{name}.md"
        reason = turn_of(read(path.read_bytes(), name), frozenset(TURNS)).reason
        assert not reason[0].islower() and reason.endswith(".") and "\n" not in reason


def test_sids_that_look_alike_are_shown_longer() -> None:
    given = turn(work("aaaaaaaa-one"), work("aaaaaaaa-two"))
    assert "aaaaaaaa-one" in given.reason and "aaaaaaaa-two" in given.reason
