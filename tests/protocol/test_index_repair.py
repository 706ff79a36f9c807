"""Making the index agree with the files, one correction at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.board import row_of
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.index import read_index
from mandrel_tui.protocol.index_repair import repairs
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from tests.builders import a_task

INDEX = (
    "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
    "| done-1 | Close me | completed |\n| other-1 | Other | blocked |\n"
    "| other-1 | Other again | pending |\n| ghost-1 | No file | pending |\n"
    "| old-1 | Archived | in_progress |\n\n- [extra-1](extra-1.md) as a bullet\n- a remark\n"
)


def task(name: str, status: str = "pending") -> Task:
    return read_task(a_task(id=name, status=status, title=name), name, f".ai-tasks/{name}.md")


TASKS = (task("done-1", "in_progress"), task("other-1"), task("extra-1"), task("lost-1"))


def whole(index: str, tasks: tuple[Task, ...], archived: frozenset[str]) -> bytes:
    """The index when every correction is made, each planned on what the one before left."""
    data = index.encode()
    for _ in range(50):
        found = repairs(data, tasks, archived)
        if not found:
            return data
        data = found[0].files[0].edit.after or b""
    raise AssertionError("the corrections never end")


def test_each_difference_is_a_correction_of_its_own() -> None:
    found = repairs(INDEX.encode(), TASKS, frozenset({"old-1"}))
    assert [(plan.what, [d for d in plan.diff[2:] if d[0] in "+-"]) for plan in found] == [
        (
            "correct done-1: completed → in_progress",
            ["-| done-1 | Close me | completed |", "+| done-1 | Close me | in_progress |"],
        ),
        ("remove the second row of other-1", ["-| other-1 | Other | blocked |"]),
        ("remove the row of ghost-1, which has no file", ["-| ghost-1 | No file | pending |"]),
        (
            "remove the row of old-1, which is archived",
            ["-| old-1 | Archived | in_progress |"],
        ),
        ("add a row for lost-1", ["+| lost-1 | lost-1 | pending |"]),
    ]


def test_an_index_that_agrees_needs_nothing() -> None:
    good = whole(INDEX, TASKS, frozenset({"old-1"}))
    assert repairs(good, TASKS, frozenset({"old-1"})) == ()
    assert good.decode() == (
        "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
        "| done-1 | Close me | in_progress |\n| other-1 | Other again | pending |\n"
        "| lost-1 | lost-1 | pending |\n\n- [extra-1](extra-1.md) as a bullet\n- a remark\n"
    )


@pytest.mark.parametrize("index", ["", "# Active tasks\n\n(none)\n"])
def test_an_index_without_rows_gets_those_that_lack(index: str) -> None:
    data = whole(index, TASKS, frozenset())
    assert [row.id for row in read_index(data).rows] == [t.name for t in TASKS]


def test_an_index_that_is_not_there_is_made_whole_in_one_step() -> None:
    (plan,) = repairs(None, TASKS, frozenset())
    assert plan.what == "make .ai-tasks/index.md with 4 rows"
    assert plan.files[0].edit.before is None
    assert repairs(plan.files[0].edit.after, TASKS, frozenset()) == ()


def test_a_damaged_index_is_repaired_by_hand_alone() -> None:
    with pytest.raises(Refusal, match="damaged"):
        repairs(b"<<<<<<< a\n", TASKS, frozenset())


LINE = st.one_of(
    st.builds(
        "| {} | t | {} |".format,
        st.sampled_from(["a", "b", "c", "old", "2026-01-01-gone"]),
        st.sampled_from(["pending", "blocked", "x"]),
    ),
    st.sampled_from(["- a", "- 2026-01-01-gone (pending)", "- remark", "", "words", "(none)"]),
)
HEAD = st.sampled_from(["", "| id | t | status |\n|---|---|---|\n", "| a | b |\n|:-:|--|\n"])


@given(HEAD, st.lists(LINE, max_size=12))
def test_after_all_corrections_the_board_finds_no_drift_in_the_index(
    head: str, lines: list[str]
) -> None:
    tasks = (task("a"), task("b", "blocked"), task("c"))
    data = whole(head + "\n".join(lines) + "\n", tasks, frozenset({"old"}))
    archived = [row_of(task("old"), archived=True)]
    board = build_board(tasks, archived, Surroundings(read_index(data)))
    every = [*board.notes, *(d for row in board.rows for d in row.diagnostics)]
    left = [d.rule for d in every if d.rule.startswith("index")]
    assert left == []
