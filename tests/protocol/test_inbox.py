"""The inbox: one item for each thing the human owes, with both sides of it, oldest first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import Delivery, Handover, Then
from mandrel_tui.protocol.inbox import KINDS, Item, count, inbox
from mandrel_tui.protocol.index import Index, IndexRow
from mandrel_tui.protocol.reading import read_task, unreadable_task
from mandrel_tui.protocol.ruling import ruling_on
from mandrel_tui.protocol.standing import standing
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import Checked, Ending, Trail
from tests.builders import a_task, review, work

CLAIM = "dev-1@2026-03-02T09:00:00Z"
SENT = Delivery("2026-03-04T14:00:00Z", "claude", "here")


def a_read_task(*entries: str, name: str = "2026-03-02-a-task", **front: str | None) -> Task:
    keys = {"id": name, "claimed_by": CLAIM, **front}
    return read_task(a_task(*entries, **keys), name, f".ai-tasks/{name}.md")  # type: ignore[arg-type]


def board(*tasks: Task, index: Index | None = None) -> Board:
    return build_board(tasks, (), Surroundings(index=index))


def only(found: Board) -> Item:
    (item,) = inbox(found)
    return item


def stood(task: Task, trail: Trail) -> Board:
    """A board whose task has a session with that trail."""
    found = board(task)
    (row,) = found.rows
    return replace(found, rows=(replace(row, handover=standing(trail, task, "2026-03-05")),))


def sent(task: Task, kind: str = "dev") -> Trail:
    facts = Facts("dev", "s-1", "in_progress") if kind == "dev" else None
    then = replace(Then.of(task), sha256="", entries=0)
    one = Handover("h-1", task.name, kind, "dev", None, "s-1", "", 0, SENT, then, facts)
    return Trail((one,))


CALM = a_read_task(work("dev-1"), review("dev-1"))


def test_who_owes_nothing_has_an_empty_inbox() -> None:
    assert inbox(board(CALM)) == ()


def test_a_blocked_task_shows_its_question_and_what_its_session_left_open() -> None:
    task = a_read_task(
        work("dev-1", after="blocked", open="The cache cannot tell.\n  Is a field acceptable?"),
        status="blocked",
        blockers="[external:may the server mark it?, external:or the client]",
    )
    item = only(board(task))
    assert (item.kind, item.cause) == ("answer", "blocked")
    assert item.words == "may the server mark it?; or the client"
    assert item.sides[0].text == "external:may the server mark it?"
    assert item.sides[-1].title == "dev dev-1, entry 1, Open"
    assert item.sides[-1].text.startswith("The cache cannot tell.")
    assert item.sides[-1].line == task.entries[0].fields[-1].line


def test_a_task_that_waits_for_another_owes_nobody_an_answer() -> None:
    waiting = a_read_task(name="b", status="blocked", blockers="[2026-03-02-a-task]")
    assert inbox(board(CALM, waiting)) == ()


def test_a_task_blocked_by_nothing_needs_an_answer_all_the_same() -> None:
    item = only(board(a_read_task(status="blocked")))
    assert item.kind == "answer" and "list is empty" in item.words


def test_a_dispute_shows_both_sides_together() -> None:
    task = a_read_task(
        work("dev-1", done="Merging is deliberate."),
        review("dev-1", "rev-1", verdict="pass", findings="F1: merged.", dispute="F1 stands."),
    )
    item = only(board(task))
    assert (item.kind, item.cause) == ("rule", "dispute-unresolved")
    assert [(side.title, side.text) for side in item.sides] == [
        ("review rev-1, entry 2, Dispute-unresolved", "F1 stands."),
        ("review rev-1, entry 2, Findings", "F1: merged."),
        ("dev dev-1, entry 1, Done", "Merging is deliberate."),
        ("dev dev-1, entry 1, Open", "none"),
    ]


def spent() -> Task:
    entries = [work("dev-1")]
    for number in (1, 2, 3):
        request = review(
            f"dev-{number}", f"rev-{number}", verdict="changes-requested", group="dev-1"
        )
        entries += [request, work(f"dev-{number + 1}")] if number < 3 else [request]
    return a_read_task(*entries)


def test_a_spent_budget_waits_for_a_ruling() -> None:
    item = only(board(spent()))
    assert (item.kind, item.cause) == ("rule", "convergence-budget")
    assert item.words == "group dev-1 used 3 rounds, 2 are allowed"
    assert [side.title for side in item.sides][:2] == [
        "review rev-3, entry 6, Findings",
        "review rev-3, entry 6, Verdict",
    ]


def test_a_stalled_gate_waits_for_a_ruling() -> None:
    item = only(board(a_read_task(work("dev-1"), review("dev-1"), status="final_review")))
    assert (item.kind, item.cause) == ("rule", "final-review-stall")


def test_a_ruling_that_was_given_is_owed_no_more() -> None:
    found = board(spent())
    (row,) = found.rows
    given = replace(row, ruling=ruling_on(spent(), "Drop it.", "2026-03-05T10:00:00Z"))
    assert inbox(replace(found, rows=(given,))) == ()


def test_a_completed_task_waits_for_its_closeout() -> None:
    gate = review("dev-1", before="final_review", after="completed")
    item = only(board(a_read_task(work("dev-1"), gate, status="completed")))
    assert (item.kind, item.words) == ("close", "the final gate passed")
    item = only(board(a_read_task(status="completed")))
    assert item.words == "completed, to be absorbed and archived"


def test_a_file_nobody_can_read_by_the_rules_is_an_item() -> None:
    item = only(board(a_read_task(status="doing")))
    assert (item.kind, item.cause) == ("invalid", "status-unknown")
    assert ". To do: use " in item.sides[0].text and item.sides[0].text.endswith(".")
    item = only(board(unreadable_task("x", ".ai-tasks/x.md", "permission denied")))
    assert (item.kind, item.cause) == ("invalid", "unreadable")


def test_a_session_that_came_back_is_to_be_checked() -> None:
    item = only(stood(CALM, sent(CALM)))
    assert (item.kind, item.cause, item.since) == ("check", "unchecked", "2026-03-05")
    assert item.words.startswith("returned, unchecked: line ")


def test_checks_that_fail_are_an_item_and_after_three_followups_the_humans_call() -> None:
    trail = replace(
        sent(CALM), checks={"h-1": Checked("h-1", "t", CALM.sha256, ("tree-clean", "claim-sid"))}
    )
    assert only(stood(CALM, trail)).words == "2 checks fail"
    (first,) = trail.handovers
    more = [replace(first, id=f"h-{n}", kind="violation-fix", facts=None) for n in (2, 3, 4)]
    used = Trail((first, *more), checks={"h-4": Checked("h-4", "t", CALM.sha256, ("claim-sid",))})
    item = only(stood(CALM, used))
    assert (item.cause, item.words) == ("exhausted", "3 follow-ups used, 1 check fails")


def test_a_program_that_failed_is_told() -> None:
    fresh = a_read_task()
    trail = replace(sent(fresh), endings={"h-1": Ending("h-1", "t", 1, "exit status 1")})
    item = only(stood(fresh, trail))
    assert (item.kind, item.cause, item.words) == ("check", "failed", "failed: exit status 1")


def test_what_was_answered_waits_for_its_session_not_for_the_human() -> None:
    blocked = a_read_task(
        work("dev-1", after="blocked"), status="blocked", blockers="[external:why?]"
    )
    trail = sent(blocked, "blocked-resume")
    trail = replace(trail, handovers=(replace(trail.handovers[0], then=Then.of(blocked)),))
    assert inbox(stood(blocked, trail)) == ()
    failed = replace(trail, endings={"h-1": Ending("h-1", "t", 1, "no such conversation")})
    assert [item.kind for item in inbox(stood(blocked, failed))] == ["answer", "check"]


@pytest.mark.parametrize(
    ("blockers", "claimed", "cause", "words"),
    [
        ("[external:why?]", "dev-1@2026-03-05T00:00:00Z", "blocked", "why?"),
        ("[external:why?]", "", "blockers", "why?"),
        ("[nobody, external:why?]", "dev-1@2026-03-05T00:00:00Z", "blocked", "why?"),
        ("[]", "dev-1@2026-03-05T00:00:00Z", "blockers", "its blockers list is empty"),
        ("[nobody]", "dev-1@2026-03-05T00:00:00Z", "blockers", "no active task has that name"),
    ],
)
def test_what_asks_nobody_is_told_from_what_a_session_asks(
    blockers: str, claimed: str, cause: str, words: str
) -> None:
    task = a_read_task(status="blocked", blockers=blockers, claimed_by=claimed)
    (item,) = (one for one in inbox(board(task)) if one.kind == "answer")
    assert item.cause == cause and item.words.endswith(words)


def test_drift_is_one_item_a_task_and_one_for_the_store() -> None:
    odd = a_read_task(blockers="[nobody, 2026-03-02-a-task]")
    index = Index((IndexRow(4, "2026-01-01-ghost", None),))
    store, task = sorted(inbox(board(odd, index=index)), key=lambda item: item.task)
    assert (task.kind, task.task) == ("drift", odd.name) and "and 2 more" in task.words
    assert len(task.sides) == 3
    assert (store.task, store.cause) == ("", "index-row-without-file")
    assert [side.title for side in store.sides] == ["index-row-without-file", "index-missing-row"]


def test_an_index_without_any_row_is_one_item_however_many_tasks_there_are() -> None:
    tasks = [a_read_task(name=f"2026-03-0{n}-task") for n in range(1, 6)]
    item = only(board(*tasks, index=Index(())))
    assert (item.task, item.cause, len(item.sides)) == ("", "index-missing-row", 5)


def test_the_oldest_comes_first_and_what_has_no_age_last() -> None:
    old = a_read_task(name="2026-01-01-old", status="completed", claimed_by=None)
    new = a_read_task(name="2026-02-01-new", status="completed", claimed_by=None)
    nameless = a_read_task(name="nameless", status="completed", claimed_by=None)
    names = [item.task for item in inbox(board(nameless, new, old))]
    assert names == ["2026-01-01-old", "2026-02-01-new", "nameless"]


def test_items_are_counted_by_kind() -> None:
    items = inbox(board(a_read_task(status="completed"), a_read_task(name="x", status="doing")))
    assert count(items) == {"invalid": 1, "close": 1}
    assert set(count(items)) <= set(KINDS)
