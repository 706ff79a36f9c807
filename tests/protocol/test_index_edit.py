"""One row of the index changes, and nothing else in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.diff import touched
from mandrel_tui.protocol.index import SEPARATOR, read_index
from mandrel_tui.protocol.index_edit import (
    AddRow,
    DropRows,
    SetCells,
    Step,
    index_edit,
    new_index,
)
from mandrel_tui.protocol.index_rows import Told
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from tests.builders import a_task

TABLE = (
    "---\nlast-updated: 2026-06-01\n---\n\n# Active tasks\n\n"
    "| id | title | status | session-est | blockers |\n|:--|---|:-:|---|--:|\n"
    "| [a-1](a-1.md) | accept `a|b` and a\\|b | final_review | 1/2 | [] |\n"
    "| a-1-2 | waits for a-1 | `pending`  | 0/1 | [a-1] |\n\nNotes: a-1 is nearly done.\n"
)
NEW = Told(("b-1",), "A new | odd ` title", "pending", "0/2")


def changed(step: Step, text: str) -> list[str]:
    """The changed lines, as the diff shows them."""
    return [line for line in index_edit(step, text.encode()).diff[3:] if line[0] in "+-"]


def test_a_row_goes_behind_the_rows_of_the_table() -> None:
    assert changed(AddRow(NEW), TABLE) == ["+| b-1 | A new \\| odd ` title | pending | 0/2 | [] |"]
    after = AddRow(NEW).on(TABLE.encode()).decode()
    assert after.index("| b-1 |") > after.index("| a-1-2 |")
    assert after.endswith("| [] |\n\nNotes: a-1 is nearly done.\n")


def test_a_row_that_is_there_is_not_added_again() -> None:
    told = Told(("a-1",), "x", "pending", "0/1")
    assert AddRow(told).on(TABLE.encode()) == TABLE.encode()


def test_the_row_has_the_columns_of_its_table() -> None:
    table = b"| Task | Status | Owner | Title |\n|---|---|---|---|"
    row = b"| b-1 | pending |  | A new \\| odd ` title |"
    assert AddRow(NEW).on(table) == table + b"\n" + row
    assert AddRow(NEW).on(table + b"\r\n") == table + b"\r\n" + row + b"\r\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# Active tasks\n\n| id | status |\n|---|---|\n| (none) | |\n", ["-| (none) | |"]),
        ("# Active tasks\n\n(none)\n", ["-(none)"]),
        ("# Active tasks\n\n- (none)\n", ["-- (none)"]),
    ],
)
def test_a_line_that_says_none_gives_way(text: str, lines: list[str]) -> None:
    diff = changed(AddRow(NEW), text)
    assert [line for line in diff if line[0] == "-"] == lines
    assert [row.id for row in read_index(AddRow(NEW).on(text.encode())).rows] == ["b-1"]


@pytest.mark.parametrize("text", ["", "# Active tasks\n", "# Active tasks\r\n\r\n", "words"])
def test_an_index_without_any_row_gets_a_table(text: str) -> None:
    after = AddRow(NEW).on(text.encode())
    assert after.startswith(text.encode())
    assert [(row.id, row.status) for row in read_index(after).rows] == [("b-1", "pending")]
    assert (b"\r\n" in after) == ("\r\n" in text)
    assert not after.replace(b"\r\n", b"").count(b"\r")


def test_a_list_gets_an_item_in_its_own_marks() -> None:
    text = "# Active tasks\n\n* done-1: Close me (completed)\n* other-1: Other\n\n- a remark\n"
    diff = index_edit(AddRow(NEW), text.encode()).diff
    assert diff[2:] == (
        "@@ -2,5 +2,6 @@",
        " ",
        " * done-1: Close me (completed)",
        " * other-1: Other",
        "+* b-1: A new | odd ` title (pending)",
        " ",
        " - a remark",
    )


def test_a_table_of_something_else_gets_no_row() -> None:
    text = f"| word | means |\n|---|---|\n| gate | the last review |\n\n{TABLE}"
    assert AddRow(NEW).on(text.encode()).startswith(text[: text.index("Notes")].encode()[:-1])


def test_only_the_row_of_exactly_that_task_goes() -> None:
    assert changed(DropRows(("a-1",)), TABLE) == [f"-{TABLE.split(chr(10))[8]}"]
    assert changed(DropRows(("a",)), TABLE) == []


def test_a_doubled_row_can_go_alone() -> None:
    row = b"| a-1-2 | waits for a-1 | `pending`  | 0/1 | [a-1] |"
    doubled = TABLE.encode() + row
    assert DropRows(("a-1-2",), row).on(doubled) == TABLE.encode()
    assert b"a-1-2" not in DropRows(("a-1-2",)).on(doubled)


def test_the_item_of_a_list_is_the_row() -> None:
    text = "- done-1: Close me (completed)\n- other-1: Other\n"
    assert DropRows(("done-1",)).on(text.encode()) == b"- other-1: Other\n"
    assert SetCells(("done-1",), (("status", "blocked"),)).on(text.encode()) == (
        b"- done-1: Close me (blocked)\n- other-1: Other\n"
    )


def test_cells_are_corrected_where_they_stand() -> None:
    step = SetCells(
        ("a-1-2",),
        (("status", "blocked"), ("session-est", "1/1"), ("blockers", "[external:a|b]")),
    )
    assert changed(step, TABLE) == [
        "-| a-1-2 | waits for a-1 | `pending`  | 0/1 | [a-1] |",
        "+| a-1-2 | waits for a-1 | `blocked`  | 1/1 | [external:a\\|b] |",
    ]


def test_an_empty_cell_is_filled_and_a_missing_one_left() -> None:
    text = "| id | title | blockers |\n|---|---|---|\n| a || [] |\n| b |\n"
    cells = (("title", "T"), ("status", "pending"), ("blockers", "[x]"))
    assert (
        SetCells(("a",), cells).on(text.encode())
        == text.replace("||", "| T |").replace("[]", "[x]").encode()
    )
    assert SetCells(("b",), cells).on(text.encode()) == text.encode()


def test_a_cell_that_tells_no_status_is_left() -> None:
    text = "| id | status |\n|---|---|\n| a | x |\n"
    assert SetCells(("a",), (("status", "pending"),)).on(text.encode()) == text.encode()


def test_a_row_in_another_encoding_of_the_same_letters_is_the_row_of_the_task() -> None:
    text = "| id |\n|---|\n| cafe\u0301 |\n"
    assert DropRows(("caf\u00e9",)).on(text.encode()) == b"| id |\n|---|\n"
    both = text + "| caf\u00e9 |\n"
    assert DropRows(("caf\u00e9",)).on(both.encode()) == text.encode()


@pytest.mark.parametrize("data", [b"<<<<<<< HEAD\n| a |\n=======\n>>>>>>> x\n", b"| caf\xe9 |\n"])
@pytest.mark.parametrize("step", [AddRow(NEW), DropRows(("a",)), SetCells(("a",), ())])
def test_a_damaged_index_is_never_written(step: Step, data: bytes) -> None:
    with pytest.raises(Refusal, match="damaged"):
        step.on(data)


@pytest.mark.parametrize("name", ["_a_", "a|b", "x.md", "(none)", "two words | c"])
def test_a_name_that_would_read_otherwise_is_refused_or_reads_back(name: str) -> None:
    told = Told((name,), "T", "pending", "0/1")
    try:
        after = AddRow(told).on(TABLE.encode())
    except Refusal:
        return
    assert name in [row.id for row in read_index(after).rows]


def test_a_new_index_lists_every_task() -> None:
    task = read_task(a_task(status="blocked", blockers="[external:why?, b]"), "n", "p")
    edit = new_index([Told.of(task), NEW])
    assert edit.before is None
    assert edit.after == (
        b"# Active tasks\n\n| id | title | status | session-est | blockers |\n"
        b"|---|---|---|---|---|\n"
        b"| n | A task | blocked | 1/3 | [external:why?, b] |\n"
        b"| b-1 | A new \\| odd ` title | pending | 0/2 | [] |\n"
    )


ROW = st.text(alphabet="ab1-|`\\ *#x\u2028\u200b", max_size=14)
TITLE = st.text(alphabet="ab|`\\ \t-", max_size=10)
BODY = st.lists(
    st.one_of(
        ROW,
        ROW.map(lambda t: f"| a{t} | t | pending |"),
        ROW.map(lambda t: f"- {t}"),
        st.sampled_from(["| id | title | status |", "|---|---|---|", "", "(none)"]),
    ),
    max_size=8,
)


@given(BODY, TITLE, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_row_is_added_and_taken_away_again_without_a_trace(
    body: list[str], title: str, eol: str, ended: bool
) -> None:
    data = (eol.join(body) + (eol if ended else "")).encode()
    told = Told(("2026-01-02-new",), title, "pending", "0/1", ("external:a|b",))
    try:
        after = AddRow(told).on(data)
    except Refusal:  # a heap of tables without rows between their separators
        assert sum(SEPARATOR.fullmatch(line.strip()) is not None for line in body) > 1
        return
    before = [(row.id, row.status) for row in read_index(data).rows]
    rows = [(row.id, row.status) for row in read_index(after).rows]
    assert [row for row in rows if row[0] != told.names[0]] == before
    gone, come = touched(data, after)
    assert all(line.strip(b"| -*+") in (b"(none)", b"") for line in gone)
    assert [line for line in come if told.names[0].encode() in line] == [come[-1]]
    without = DropRows(told.names).on(after)
    assert [(row.id, row.status) for row in read_index(without).rows] == before


@given(BODY, st.data())
def test_a_corrected_cell_leaves_every_other_line_and_cell(
    body: list[str], data: st.DataObject
) -> None:
    text = "\n".join(body).encode()
    ids = sorted({row.id for row in read_index(text).rows})
    if not ids:
        return
    name = data.draw(st.sampled_from(ids))
    value = data.draw(TITLE)
    try:
        after = SetCells((name,), (("status", "blocked"), ("title", value))).on(text)
    except Refusal:  # it would close a code span that another cell left open
        assert "`" in value and b"`" in text
        return
    gone, come = touched(text, after)
    assert len(gone) == len(come)
    before_ids = [row.id for row in read_index(text).rows]
    assert [row.id for row in read_index(after).rows] == before_ids
