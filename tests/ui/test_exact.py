"""Exact text in rows: every character is on one row, found without cutting the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mandrel_tui.ui import exact
from mandrel_tui.ui.exact import Layout, lines_of

LINES = st.lists(st.text(alphabet="ab漢e\u0301 ", max_size=50), min_size=1, max_size=6)


@given(LINES, st.integers(min_value=2, max_value=20))
def test_the_rows_hold_every_character_and_none_is_too_wide(lines: list[str], cells: int) -> None:
    layout = Layout(lines, cells)
    places = [layout.at(row) for row in range(len(layout))]
    shown: dict[int, str] = {}
    for place in places:
        text = lines[place.line][place.start : place.stop]
        assert cell_len(text) <= cells
        shown[place.line] = shown.get(place.line, "") + text
    assert shown == dict(enumerate(lines))


@given(LINES, st.integers(min_value=2, max_value=20), st.data())
def test_a_character_is_found_on_its_row(lines: list[str], cells: int, data) -> None:
    layout = Layout(lines, cells)
    line = data.draw(st.integers(0, len(lines) - 1))
    character = data.draw(st.integers(0, max(len(lines[line]) - 1, 0)))
    place = layout.at(layout.row_of(line, character))
    assert place.line == line
    assert place.start <= character < max(place.stop, place.start + 1)


def test_without_wrapping_a_line_is_a_row() -> None:
    layout = Layout(["a" * 100, "b"], 10, wrap=False)
    assert len(layout) == 2
    assert layout.at(0).stop == 100


@pytest.mark.parametrize("unit", ["x", "漢", "e\u0301"])
def test_a_line_of_two_megabytes_is_never_cut_as_a_whole(unit, monkeypatch) -> None:
    def chop(text: str, cells: int) -> list[str]:
        raise AssertionError("the line was cut from end to end")

    monkeypatch.setattr(exact, "chop", chop)
    text = unit * (2_000_000 // len(unit))
    layout = Layout([text], 80)
    place = layout.at(len(layout) - 1)
    assert place.stop == len(text)
    assert cell_len(text[place.start : place.stop]) <= 80
    assert layout.row_of(0, place.start) == len(layout) - 1


def test_many_lines_that_are_not_ascii_are_cut_at_a_fixed_number(monkeypatch) -> None:
    monkeypatch.setattr(exact, "MUCH", 10)
    layout = Layout(["漢" * 12], 8)
    assert [layout.at(row).stop - layout.at(row).start for row in range(len(layout))] == [4, 4, 4]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\n", ("a", "b")),
        ("a\nb", ("a", "b")),
        ("a\r\nb\r\n", ("a", "b")),
        ("a\r\nb\n", ("a␍", "b")),
        ("", ("",)),
        ("\n", ("",)),
        ("a\x0bb\u2028c\x85d", ("a␋b\ufffdc\ufffdd",)),
        ("\tx\x1b", ("␉x␛",)),
    ],
)
def test_lines_end_at_line_feeds_and_what_is_not_seen_is_shown(text, lines) -> None:
    assert lines_of(text) == lines
