"""Search in rows: hits across a break, marks on each row, round the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.search import MOST, hits_in_rows

ROWS = ("the same decision", "∙ id again, the", "  Decision", "same")


def test_hits_are_counted_and_the_current_one_is_the_first_below() -> None:
    hits = hits_in_rows(ROWS, "decision", near=1)
    assert hits.count == 2
    assert hits.place == (2, 2, 10)


def test_a_capital_makes_case_count() -> None:
    assert hits_in_rows(ROWS, "Decision").count == 1


def test_a_phrase_is_found_across_a_break() -> None:
    hits = hits_in_rows(("retry with the same", "  decision id"), "same decision")
    assert hits.count == 1
    assert [hits.on(row) for row in (0, 1)] == [((15, 19, "reverse"),), ((0, 10, "reverse"),)]


def test_next_goes_round_the_end() -> None:
    hits = hits_in_rows(ROWS, "same")
    assert [hits.moved(step).current for step in (0, 1, 2, -1)] == [0, 1, 0, 1]


def test_a_find_is_a_text_and_no_pattern() -> None:
    assert hits_in_rows(("a.c [x] (y", "abc"), "a.c").count == 1
    assert hits_in_rows(("a.c [x] (y", "abc"), "[x] (").count == 1


def test_nothing_typed_finds_nothing() -> None:
    assert hits_in_rows(ROWS, "  ").count == 0
    assert hits_in_rows((), "a").count == 0
    assert hits_in_rows(ROWS, "").moved(1).count == 0


def test_marks_are_asked_for_part_of_a_long_row() -> None:
    hits = hits_in_rows(("ab" * 1000,), "ab")
    assert hits.on(0, 1000, 1003) == ((0, 2, "underline"), (2, 3, "underline"))


def test_hits_beyond_the_most_are_left_out() -> None:
    assert hits_in_rows(("a" * (MOST + 5),), "a").count == MOST


@given(st.lists(st.text(alphabet="ab ", max_size=8), max_size=6), st.text("ab ", max_size=3))
def test_every_part_of_a_hit_lies_in_its_row(rows: list[str], query: str) -> None:
    hits = hits_in_rows(rows, query)
    assert all(0 <= start < stop <= len(rows[row]) for row, start, stop in hits.places)
    assert list(hits.places) == sorted(hits.places)
