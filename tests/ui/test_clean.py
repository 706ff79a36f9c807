"""Text made safe: nothing a terminal would obey is left, and every width is counted in cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len, split_graphemes

from mandrel_tui.ui import clean as module
from mandrel_tui.ui.clean import (
    chop,
    clean,
    cut,
    cut_middle,
    fits,
    head,
    label,
    pad,
    tail,
    width,
    wrap,
)

ODD = "aé漢字🎉e\u0301\u200d\u200b\ufe0f⚠👨\u202e\x1b\x07\x9b\t\r\n \udce9\u2028\U000e0041"
texts = st.one_of(st.text(), st.text(alphabet=ODD, max_size=60))
widths = st.integers(min_value=0, max_value=40)


def obeyed(character: str) -> bool:
    """Whether a terminal may act on a character, or show it as nothing that can be seen."""
    code = ord(character)
    return (
        (code < 0x20 and character != "\n")
        or 0x7F <= code < 0xA0
        or 0xD800 <= code < 0xE000
        or code in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)
        or 0x202A <= code <= 0x202E
        or 0x2066 <= code <= 0x2069
        or 0xE0000 <= code <= 0xE0FFF
    )


@given(texts, st.booleans(), st.booleans())
def test_nothing_a_terminal_obeys_survives(text: str, ascii: bool, tabs: bool) -> None:
    assert not [c for c in clean(text, ascii=ascii, tabs=tabs) if obeyed(c)]


@given(texts)
def test_a_label_is_one_line(text: str) -> None:
    assert "\n" not in label(text)
    assert not [c for c in label(text) if obeyed(c)]


@given(texts, widths)
def test_a_cut_text_never_exceeds_its_cells(text: str, cells: int) -> None:
    shown = label(text)
    for made in (
        cut(shown, cells),
        cut_middle(shown, cells),
        head(shown, cells),
        tail(shown, cells),
    ):
        assert cell_len(made) <= cells
    for made in (cut(shown, cells, "..."), cut_middle(shown, cells, "...")):
        assert cell_len(made) <= cells


@given(texts, widths)
def test_a_text_that_fits_is_left_alone_and_one_that_does_not_ends_in_one_ellipsis(
    text: str, cells: int
) -> None:
    shown = label(text).replace("…", "")
    made = cut(shown, cells)
    if fits(shown, cells):
        assert made == shown
    elif cells:
        assert made.endswith("…") and made.count("…") == 1
        assert shown.startswith(made[:-1])


@given(texts, st.integers(min_value=2, max_value=40))
def test_chopping_keeps_every_character_and_no_row_is_too_wide(text: str, cells: int) -> None:
    shown = label(text)
    rows = chop(shown, cells)
    assert "".join(rows) == shown
    assert all(cell_len(row) <= cells for row in rows)


@given(texts, st.integers(min_value=2, max_value=40))
def test_wrapping_keeps_every_word_and_no_row_is_too_wide(text: str, cells: int) -> None:
    shown = label(text)
    rows = wrap(shown, cells)
    assert "".join(rows).replace(" ", "") == shown.replace(" ", "")
    assert all(cell_len(row) <= cells for row in rows)


def test_prose_breaks_between_words() -> None:
    assert wrap("submit fails loudly within 30 s", 14) == ["submit fails", "loudly within", "30 s"]


def test_a_wide_character_is_never_halved() -> None:
    assert head("漢字", 3) == "漢"
    assert cut("漢字漢字", 5) == "漢字…"
    assert cut("漢字漢字", 4) == "漢…"
    assert chop("漢字a", 3) == ["漢", "字a"]


def test_control_characters_are_seen_as_pictures() -> None:
    assert clean("\x1b]52;c;aGk=\x07") == "␛]52;c;aGk=␇"
    assert clean("\x1b[2J\x7f", ascii=True) == "^[[2J^?"
    assert clean("a\x9bb\u202ec") == "a\ufffdb\ufffdc"


def test_bytes_that_are_no_text_are_seen() -> None:
    assert clean("caf\udce9") == "caf\ufffd"


def test_line_ends_stay_and_a_lone_carriage_return_is_seen() -> None:
    assert clean("a\r\nb\rc") == "a\nb␍c"


def test_a_joiner_stays_where_it_is_spelling_and_is_seen_where_it_hides() -> None:
    assert clean("می\u200cخواهم") == "می\u200cخواهم"
    assert clean("pass\u200bword ad\u200dmin") == "pass\ufffdword ad\ufffdmin"


def test_a_presentation_selector_does_not_move_the_columns_behind_it() -> None:
    assert width(label("⚠\ufe0f x")) == 3


def test_tabs_stop_every_four_cells_or_are_pictures() -> None:
    assert clean("\ta\tb") == "    a   b"
    assert clean("\ta", tabs=False) == "␉a"
    assert label("a\tb") == "a b"


def test_the_ends_of_a_path_stay() -> None:
    assert cut_middle(".ai-tasks/archive/2026-08-17-submit.md", 20) == ".ai-tasks…-submit.md"


def test_padding_counts_cells() -> None:
    assert pad("漢", 4) == "漢  "
    assert pad("漢", 4, right=True) == "  漢"


@pytest.mark.parametrize("unit", ["x", "漢", "e\u0301", "\x1b", "a b "])
def test_a_line_of_two_megabytes_is_cut_without_measuring_it(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = unit * (2_000_000 // len(unit))
    measured: list[int] = []

    def counted(measure: Callable[[str], Any]) -> Callable[[str], Any]:
        return lambda text: measured.append(len(text)) or measure(text)

    monkeypatch.setattr(module, "cell_len", counted(cell_len))
    monkeypatch.setattr(module, "split_graphemes", counted(split_graphemes))
    assert cell_len(cut(text, 40)) <= 40
    assert cell_len(cut_middle(text, 40)) <= 40
    assert sum(measured) < 2_000
