"""Convergence groups as chains of reviews with a budget of two rounds."""

from __future__ import annotations

from mandrel_tui.protocol.convergence import groups, rounds, unreviewed
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work


def read(*entries: str) -> Task:
    return read_task(a_task(*entries), "2026-03-02-a-task", "x")


def test_a_fix_belongs_to_the_group_whose_findings_it_answers() -> None:
    task = read(
        work("w1"),
        review("w1", verdict="changes-requested"),
        work("w2"),
        review("w2", group="w1"),
        work("w3"),
        work("w4"),
    )
    (group,) = groups(task)
    assert (group.name, group.rounds, group.entries, group.state) == (
        "w1",
        1,
        (0, 1, 2, 3),
        "settled",
    )
    assert unreviewed(task) == (4, 5)


def test_reviews_without_a_group_count_together() -> None:
    task = read(
        work("w1"),
        review("w1", verdict="changes-requested", group=None),
        work("w2"),
        review("w2", verdict="changes-requested", group=None),
    )
    assert (rounds(task, None), [g.name for g in groups(task)]) == (2, [None])


def test_a_third_round_spends_the_budget() -> None:
    log = []
    for number in range(3):
        log += [
            work(f"w{number}"),
            review(f"w{number}", verdict="changes-requested", group="w0"),
        ]
    (group,) = groups(read(*log))
    assert (group.rounds, group.state) == (3, "spent")


def test_a_dispute_shows_in_its_group() -> None:
    (group,) = groups(read(work("w1"), review("w1", dispute="the cache is needed")))
    assert (group.disputes, group.state) == ((1,), "disputed")
