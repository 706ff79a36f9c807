"""What changed between two versions of a task file, in one phrase."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.revision import revision
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, work


def read(*entries: str, **front: str) -> Task:
    return read_task(a_task(*entries, id="t", **front), "t", ".ai-tasks/t.md")  # type: ignore[arg-type]


FIRST, SECOND = work("7c1e09aa-1"), work("9b02f4d1-1", before="in_progress")


@pytest.mark.parametrize(
    ("earlier", "later", "said"),
    [
        (None, read(), "first seen"),
        (read(), read(FIRST), "entry of 7c1e09aa"),
        (read(), read(FIRST, SECOND), "2 entries"),
        (read(FIRST, SECOND), read(FIRST), "earlier entries: 1 gone"),
        (
            read(FIRST, status="in_progress"),
            read(FIRST, SECOND, status="final_review", claimed_by="9b02f4d1-1@t"),
            "entry of 9b02f4d1, in_progress → final_review, claim",
        ),
        (read(est="0/3"), read(est="0/4", title="Another"), "title and estimate"),
        (read(), read(), "other words"),
    ],
)
def test_the_phrase_names_what_changed(earlier: Task | None, later: Task, said: str) -> None:
    assert revision(earlier, later) == said
