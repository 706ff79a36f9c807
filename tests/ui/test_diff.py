"""A review laid out: both sides stand on the same rows, every character stands somewhere, and a
row is found again by hunk and line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Document, Review
from mandrel_tui.ui.diff import LONG, UNENDED, Layout, Shape, breaks, entries
from mandrel_tui.ui.line import plain, size
from mandrel_tui.ui.present_diff import Drawing
from mandrel_tui.ui.search import Hits
from mandrel_tui.ui.symbols import ASCII, UNICODE

LINES = st.lists(
    st.sampled_from(
        ["", "- a fact", "- a fact that is a good deal longer than the others are", "宽" * 30, "x"]
    ),
    max_size=25,
)
DECISIONS = st.sampled_from([None, ACCEPT, REJECT, Decision(True, b"- mine\n- and more\n")])


def a_review(old: list[str], new: list[str]) -> Review:
    texts = ("".join(f"{line}\n" for line in side).encode() for side in (old, new))
    return Review.of(Document(".ai/design.md", *texts))


def laid(review: Review, width: int, *, sides: bool = True, wrap: bool = True) -> Layout:
    made = entries(review, stacked=not sides)
    return Layout(made, *Drawing(review, UNICODE, width, sides).cells, wrap=wrap)


def drawn(review: Review, width: int, *, sides: bool = True, wrap: bool = True) -> list[str]:
    drawing = Drawing(review, UNICODE, width, sides, hunk=0)
    layout = laid(review, width, sides=sides, wrap=wrap)
    rows = [drawing.row(layout, layout.at(row), Hits()) for row in range(len(layout))]
    assert {size(row) for row in rows} <= {width}
    return [plain(row).rstrip() for row in rows]


@given(LINES, LINES, st.integers(20, 140), st.booleans(), st.booleans(), st.data())
def test_every_row_is_as_wide_as_the_terminal(
    old: list[str], new: list[str], width: int, sides: bool, wrap: bool, data: st.DataObject
) -> None:
    review = a_review(old, new)
    for number in range(len(review.hunks)):
        review = review.decide(number, data.draw(DECISIONS))
    drawn(review, width, sides=sides, wrap=wrap)


@given(LINES, LINES, st.integers(20, 140), st.booleans())
def test_every_character_of_a_shown_line_stands_on_a_row(
    old: list[str], new: list[str], width: int, sides: bool
) -> None:
    layout = laid(a_review(old, new), width, sides=sides)
    for at, entry in enumerate(layout.entries):
        for side in (0, 1):
            cell = entry.shown[side]
            if cell is None:
                continue
            first = layout.row_of(at)
            spans = [
                layout.span(layout.at(row), side) for row in range(first, layout.row_of(at + 1))
            ]
            assert "".join(cell.text[start:stop] for start, stop in spans) == cell.text
            assert all(cell_len(cell.text[a:b]) <= layout.cells[side] for a, b in spans)


@given(LINES, LINES, st.integers(20, 140), st.booleans())
def test_the_rows_of_a_hunk_begin_with_its_head(
    old: list[str], new: list[str], width: int, sides: bool
) -> None:
    review = a_review(old, new)
    layout = laid(review, width, sides=sides)
    assert set(layout.hunks) == set(range(len(review.hunks)))
    for number in layout.hunks:
        first, end = layout.rows_of(number)
        assert layout.entries[layout.at(first).entry].shape is Shape.HEAD
        inside = {layout.entries[layout.at(row).entry].hunk for row in range(first, end)}
        assert inside == {number}


@given(LINES, st.integers(20, 140))
def test_an_unchanged_line_is_found_at_every_width(lines: list[str], width: int) -> None:
    old = [f"{n} {line}" for n, line in enumerate(lines)]
    review = a_review(old, [*old, "last"])
    layout = Layout(entries(review, context=None), *Drawing(review, UNICODE, width, True).cells)
    for number in range(1, len(old) + 1):
        cell = layout.entries[layout.entry_at(number)].old
        assert cell is not None and cell.number == number


def test_a_line_is_broken_behind_a_blank_and_no_character_is_lost() -> None:
    text = "the client returns to the main loop"
    assert [
        text[a:b] for a, b in zip(breaks(text, 12), (*breaks(text, 12)[1:], 99), strict=True)
    ] == [
        "the client ",
        "returns to ",
        "the main ",
        "loop",
    ]


def test_a_word_longer_than_the_row_is_cut_at_the_edge() -> None:
    assert breaks("x" * 25, 10) == (0, 10, 20)
    assert breaks("宽" * 6, 10) == (0, 5)


def test_a_line_of_two_megabytes_is_cut_without_looking_for_words() -> None:
    assert breaks("word " * 400_000, 50)[:3] == (0, 50, 100)
    assert len(breaks("ж " * LONG, 50)) == 2 * LONG // 25 + 1


def test_a_shorter_side_is_filled_and_both_end_on_one_row() -> None:
    rows = drawn(a_review(["- the client retries"], ["- the client retries " + "more " * 12]), 100)
    assert [row[48:53] for row in rows] == ["┃ ? ┃"] * len(rows)
    assert len(rows) == 3


def test_only_the_last_line_end_differs_and_it_is_said() -> None:
    review = Review.of(Document(".ai/a.md", b"one\ntwo\n", b"one\ntwo"))
    assert any("two (no line end)" in row for row in drawn(review, 100))
    assert [cell.tail for e in entries(review) for cell in e.shown if cell][-1] == UNENDED


def test_a_carriage_return_is_shown_only_where_it_differs() -> None:
    alike = Review.of(Document(".ai/a.md", b"one\r\ntwo\r\n", b"one\r\nTWO\r\n"))
    other = Review.of(Document(".ai/a.md", b"one\r\ntwo\r\n", b"one\r\ntwo\n"))
    assert not any("␍" in row for row in drawn(alike, 100))
    assert any("two␍" in row for row in drawn(other, 100))


def test_control_characters_of_a_document_never_reach_the_terminal() -> None:
    review = Review.of(Document(".ai/a.md", b"one\n", b"\x1b]52;c;x\x07 \xe2\x80\xae[red]\xff\n"))
    text = "".join(drawn(review, 100))
    assert text.isprintable() and "[red]" in text


def test_a_renamed_document_says_so_in_a_hunk_without_lines() -> None:
    review = Review.of(Document(".ai/x/index.md", b"a\n", b"a\n", origin=".ai/x.md"))
    rows = drawn(review, 80, sides=False)
    assert rows[0].startswith("━ hunk 1 of 1, undecided ━")
    assert rows[1] == "┃? it becomes .ai/x/index.md; now it is .ai/x.md"


def test_the_sides_are_stacked_under_captions_with_the_mark_on_every_row() -> None:
    review = a_review(["a", "- one", "b"], ["a", "- two", "b"]).decide(0, REJECT)
    assert drawn(review, 40, sides=False)[1:6] == [
        "━ hunk 1 of 1, rejected ━━━━━━━━━━━━━━━━",
        "┃✗ old, line 2",
        "┃✗-   2 - one",
        "┃✗ new, line 2",
        "┃✗+   2 - two",
    ]


def test_an_edited_hunk_shows_what_was_written() -> None:
    review = a_review(["- one"], ["- two"]).decide(0, Decision(True, b"- mine\n"))
    rows = drawn(review, 100)
    assert "─ edited ─" in rows[0].replace("━", "─")
    assert "+   1 - mine" in rows[1] and "- two" not in rows[1]


def test_a_diff_is_drawn_in_ascii_alone() -> None:
    review = a_review(["a"] * 20 + ["- one"], ["a"] * 20 + ["- one more " + "word " * 30])
    drawing = Drawing(review, ASCII, 100, True, hunk=0)
    layout = Layout(entries(review, ascii=True), *drawing.cells)
    rows = [plain(drawing.row(layout, layout.at(n), Hits())) for n in range(len(layout))]
    assert all(row.isascii() for row in rows)
