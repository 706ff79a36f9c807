"""Markdown for reading: every word of the text is there, nothing is markup, nothing is obeyed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.line import plain, size
from mandrel_tui.ui.markdown import lay_out
from mandrel_tui.ui.symbols import ASCII, UNICODE


def rows(text: str, cells: int = 40) -> list[str]:
    return [plain(laid.line.left).rstrip() for laid in lay_out(text, cells, UNICODE)]


def roles(text: str, words: str) -> set[str]:
    """The roles the words are shown in."""
    pieces = [piece for laid in lay_out(text, 80, UNICODE) for piece in laid.line.left]
    return {role for shown, role in pieces if words in shown}


def test_headings_stand_out_and_their_text_follows_at_once() -> None:
    assert rows("# T\n\n## Goal\n\nfail loudly\n\n## Scope\n- a\n- b") == [
        "T",
        "Goal",
        "fail loudly",
        "",
        "Scope",
        "∙ a",
        "∙ b",
    ]
    assert roles("## Goal", "Goal") == {"accent bold"}


def test_a_list_item_wraps_under_its_words() -> None:
    assert rows("- submit does not call resync on error; it returns", 24) == [
        "∙ submit does not call",
        "  resync on error; it",
        "  returns",
    ]


def test_numbers_nesting_and_loose_items_are_kept() -> None:
    assert rows("3. one\n4. two\n   - deep\n\n   more") == [
        "3. one",
        "4. two",
        "   ∙ deep",
        "",
        "   more",
    ]


def test_open_and_done_boxes_are_text() -> None:
    assert rows("- [ ] todo\n- [x] done") == ["∙ [ ] todo", "∙ [x] done"]


def test_an_empty_item_is_still_there() -> None:
    assert rows("-\n- b") == ["∙", "∙ b"]


def test_code_is_exact_behind_a_bar() -> None:
    assert rows("```go\nx := 1\n  y()\n```") == ["│ go", "│ x := 1", "│   y()"]
    assert rows("```\n" + "a" * 12 + "\n```", 10) == ["│ aaaaaaaa", "↳ aaaa"]


def test_a_quote_has_a_bar_on_every_row() -> None:
    assert rows("> one two three", 10) == ["│ one two", "│ three"]


def test_links_and_images_are_shown_with_their_address() -> None:
    assert rows("[a](http://x/y) ![b](i.png) <http://z>") == ["a (http://x/y) b (i.png) http://z"]


def test_a_table_that_fits_has_columns() -> None:
    assert rows("| a | long |\n|---|---|\n| 1 | 2 |") == ["a  long", "1  2"]


def test_a_table_that_does_not_fit_or_has_more_cells_is_shown_as_typed() -> None:
    more = "| a | b |\n|---|---|\n| 1 | 2 | 3 |"
    assert rows(more) == ["│ | a | b |", "│ |---|---|", "│ | 1 | 2 | 3 |"]
    wide = "| aaaaaa | bbbbbb |\n|---|---|\n| 1 | 2 |"
    assert rows(wide, 12) == ["│ | aaaaaa |", "↳  bbbbbb |", "│ |---|---|", "│ | 1 | 2 |"]


@pytest.mark.parametrize(
    "text",
    [
        "see [/x] and [red]this[/red] [b",
        "<!-- a comment --> <b>x</b> <script>y</script>",
        "[F2]: dropped",
        "[ref]: http://x 'title'",
        "&amp;amp; javascript:alert(1)",
    ],
)
def test_what_looks_like_markup_of_another_kind_is_text(text: str) -> None:
    assert rows(text, 80) == [text.replace("&amp;", "&", 1)]


def test_html_is_shown_and_not_dropped() -> None:
    assert rows("<div>\nhidden?\n</div>") == ["<div> hidden? </div>"]


@pytest.mark.parametrize("entity", ["&#27;[2J", "&#8238;evil", "&#x9b;", "\x1b[31m", "\u202e"])
def test_no_entity_and_no_byte_reaches_the_terminal_as_a_control(entity: str) -> None:
    shown = "\n".join(rows(f"a {entity} b `{entity}`\n\n    {entity}"))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)


def test_two_megabytes_in_one_line_are_laid_out_as_plain_text() -> None:
    made = lay_out("*x* " * 500_000, 80, UNICODE)
    assert len(made) == 25_000


@pytest.mark.parametrize("text", ["> " * 300 + "deep", "- " * 300 + "deep", "[" * 3000 + "deep"])
def test_no_depth_loses_a_word(text: str) -> None:
    assert "deep" in "".join(rows(text, 60))


def test_ascii_symbols_are_used_where_they_are_asked_for() -> None:
    made = lay_out("- a\n\n> b\n\n---", 10, ASCII)
    assert all(plain(laid.line.left).isascii() for laid in made)


WORDS = st.text(alphabet="ab漢 *_`[]()#->|&<!\n\t\x1b1.~\\", max_size=120)


@given(WORDS, st.integers(min_value=2, max_value=60))
def test_no_row_is_too_wide_and_none_holds_a_control(text: str, cells: int) -> None:
    for laid in lay_out(text, cells, UNICODE):
        assert size(laid.line.left) <= cells
        assert "\x1b" not in plain(laid.line.left) and "\n" not in plain(laid.line.left)


@given(WORDS)
def test_every_letter_of_the_text_is_shown(text: str) -> None:
    shown = "".join(rows(text, 60))
    assert sorted(c for c in shown if c in "ab漢") == sorted(c for c in text if c in "ab漢")


@given(st.lists(st.sampled_from(["para", "- item", "## H", "", "> q", "1. n"]), max_size=12))
def test_rows_follow_the_lines_of_the_source(lines: list[str]) -> None:
    sources = [laid.source for laid in lay_out("\n".join(lines), 40, UNICODE)]
    assert sources == sorted(sources)
