"""The index as a person reads it, and what differs from the files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.board import Board, row_of
from mandrel_tui.protocol.drift import Surroundings, build_board, prefetch_path
from mandrel_tui.protocol.index import Index, read_index, split_cells
from mandrel_tui.protocol.reading import read_task
from tests.builders import a_task

TABLE = "# Active tasks\n\n| id | title | status |\n|:---|:---:|---:|\n"


def ids(text: str) -> list[str]:
    return [row.id for row in read_index(text.encode()).rows]


def test_a_row_is_read_whatever_its_title_holds() -> None:
    text = (
        TABLE
        + "| [a-1](a-1.md) | accept `a|b` and a\\|b in the filter | final_review |\n"
        + "| a-1-2 | waits for [a-1 | part two](x.md) | pending |\n\nNotes: a-1 is nearly done.\n"
    )
    rows = read_index(text.encode()).rows
    assert [(r.line, r.id, r.status) for r in rows] == [
        (5, "a-1", "final_review"),
        (6, "a-1-2", "pending"),
    ]


def test_a_bullet_list_is_an_index_too() -> None:
    text = "# Active tasks\n\n- done-1: Close me (completed)\n- [b-2](b-2.md) as a bullet\n"
    assert [(r.id, r.status) for r in read_index(text.encode()).rows] == [
        ("done-1", "completed"),
        ("b-2", None),
    ]


def test_no_row_is_said_to_be_missing_from_an_index_that_could_not_be_read() -> None:
    task = read_task(a_task(), "2026-03-02-a-task", "x")
    for index, missing in ((Index((), "a folder"), False), (Index(()), True)):
        (row,) = build_board((task,), (), Surroundings(index)).rows
        assert ("index-missing-row" in {d.rule for d in row.diagnostics}) is missing


@pytest.mark.parametrize(
    "text", ["Index\n=======\n", "", "# Active tasks\n\n(none)\n", TABLE + "| (none) | | |\n"]
)
def test_an_index_without_tasks_is_no_damage(text: str) -> None:
    index = read_index(text.encode())
    assert (index.rows, index.damage) == ((), "")


@pytest.mark.parametrize("data", [b"<<<<<<< HEAD\n| a |\n=======\n>>>>>>> x\n", b"| caf\xe9 |\n"])
def test_conflict_markers_and_foreign_bytes_are_damage(data: bytes) -> None:
    assert read_index(data).damage


@given(st.text(alphabet="a|\\` b", max_size=30))
def test_cells_keep_every_letter(row: str) -> None:
    kept = "".join(split_cells(f"|{row}|"))
    assert kept.count("a") == row.count("a")


def board(index: str, *names: str, archived: tuple[str, ...] = (), **keys: str) -> Board:
    def task(name: str):  # type: ignore[no-untyped-def]
        return read_task(a_task(id=name, **keys), name, f".ai-tasks/{name}.md")

    return build_board(
        [task(n) for n in names],
        [row_of(task(n), archived=True) for n in archived],
        Surroundings(read_index(index.encode())),
    )


def drift(given: Board) -> set[tuple[str, int | None]]:
    every = [*given.notes, *(d for row in given.rows for d in row.diagnostics)]
    return {(d.rule, d.line) for d in every if d.rule.startswith("index")}


def test_rows_and_files_are_compared_both_ways() -> None:
    text = (
        TABLE
        + "| done-1 | x | in_progress |\n| other-1 | x | in_progress |\n"
        + "| other-1 | again | blocked |\n| ghost-1 | x | pending |\n| old-1 | x | completed |\n"
    )
    assert drift(board(text, "done-1", "other-1", "lost-1", archived=("old-1",))) == {
        ("index-row-repeated", 7),
        ("index-row-status", 7),
        ("index-row-without-file", 8),
        ("index-row-archived", 9),
        ("index-missing-row", None),
    }


def test_a_bullet_that_names_no_task_is_a_remark() -> None:
    assert drift(board("- remember the milk\n- a-1\n", "a-1")) == set()


def test_without_an_index_nothing_is_compared() -> None:
    given = build_board([read_task(a_task(), "2026-03-02-a-task", "x")], [], Surroundings())
    assert drift(given) == set()


def test_a_circle_is_marked_and_what_merely_leads_into_it_is_not() -> None:
    def blocked(name: str, by: str):  # type: ignore[no-untyped-def]
        return read_task(a_task(id=name, status="blocked", blockers=f"[{by}]"), name, "x")

    given = build_board(
        [blocked("a", "b"), blocked("b", "c"), blocked("c", "b"), blocked("d", "d")],
        [],
        Surroundings(),
    )
    marked = {r.name for r in given.rows if any(d.rule == "blocker-circle" for d in r.diagnostics)}
    assert marked == {"b", "c"}


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        (".ai/x.md", ".ai/x.md"),
        ("x.md", ".ai/x.md"),
        ("./.ai/a/../x.md", ".ai/x.md"),
        ("../x.md", None),
        (".ai/../../etc/passwd", None),
        ("/etc/passwd", None),
    ],
)
def test_prefetch_never_leaves_the_snapshot(entry: str, path: str | None) -> None:
    assert prefetch_path(entry) == path
