"""Prose, exact text and wrapped lines: read, find, reload and resize without losing the place."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.worker import WorkerFailed

from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.symbols import ASCII
from mandrel_tui.ui.widgets import prose as module
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.field import Field
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.prose import Prose
from mandrel_tui.ui.widgets.text import Text
from tests.stories.stage import Stage, cells, screen, styles

SIZE = (40, 8)
LONG = "\n\n".join(f"Paragraph {n} of the text." for n in range(60))
LINES = "".join(f"line {n}\n" for n in range(100))


async def settled(pilot: Pilot[Any]) -> None:
    """Wait until texts laid out off the event loop stand on the screen."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_prose_shows_headings_lists_and_code() -> None:
    app = Stage(Prose("## Goal\n\nfail **loudly**\n\n- a\n- `b`\n"))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settled(pilot)
        assert screen(app)[:5] == [" Goal", " fail loudly", "", " ∙ a", " ∙ b"]
        assert styles(app, 0)("Goal").bold
        assert styles(app, 0)("Goal").color.name == "#62c6b8"


async def test_prose_is_never_wider_than_can_be_read() -> None:
    prose = Prose("word " * 200)
    app = Stage(prose)
    async with app.run_test(size=(160, 8), notifications=True) as pilot:
        await settled(pilot)
        assert 80 < max(map(len, prose.rows)) <= 88


@pytest.mark.parametrize("view", [Exact, Prose, Lines])
async def test_a_text_learns_its_size_though_its_place_was_asked_for_before(view: Any) -> None:
    shown = view(id="shown")
    app = Stage(shown)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        shown.styles.display = "none"
        await settled(pilot)
        if isinstance(shown, Lines):
            shown.set_lines([line("here")])
        else:
            shown.set_text("here")
        await settled(pilot)
        app.screen._compositor.reflow_visible(app.screen, app.size)  # as any scroll does
        shown.styles.display = "block"
        assert shown.region.height
        await settled(pilot)
        assert "here" in [row.strip() for row in screen(app)]


async def test_prose_keeps_the_line_at_the_top_when_the_text_grows_above_it() -> None:
    prose = Prose(LONG)
    app = Stage(prose)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("2", "0", "j")
        assert screen(app)[0] == " Paragraph 10 of the text."
        prose.set_text("A new first line.\n\n" + LONG)
        await settled(pilot)
        assert screen(app)[0] == " Paragraph 10 of the text."
        prose.set_text(LONG, top=True)
        await settled(pilot)
        assert screen(app)[0] == " Paragraph 0 of the text."


async def test_prose_keeps_its_place_at_another_width() -> None:
    prose = Prose("\n\n".join(f"Paragraph {n} is a little longer than that." for n in range(40)))
    app = Stage(prose)
    async with app.run_test(size=(60, 8), notifications=True) as pilot:
        await settled(pilot)
        await pilot.press("4", "0", "j")
        await pilot.resize_terminal(24, 8)
        await settled(pilot)
        assert screen(app)[0].startswith(" Paragraph 20 is")


async def test_a_newer_text_wins_over_one_still_being_laid_out() -> None:
    prose = Prose(LONG * 30)
    app = Stage(prose, hear=[Prose.Shown])
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.pause()
        prose.set_text("the newer text")
        await settled(pilot)
        assert screen(app)[0] == " the newer text"
        assert prose.rows == ("the newer text",)


async def test_a_text_that_cannot_be_laid_out_is_shown_as_it_is(monkeypatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("no Markdown")

    monkeypatch.setattr(module, "lay_out", fail)
    app = Stage(Prose("## Goal\n- a"))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        with suppress(WorkerFailed):
            await settled(pilot)
        await pilot.pause()
        assert screen(app)[:2] == [" ## Goal", " - a"]


async def test_prose_counts_hits_and_goes_from_one_to_the_next() -> None:
    prose = Prose(LONG)
    app = Stage(prose)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settled(pilot)
        found = prose.find("graph 5")
        assert (found.at, found.total) == (1, 11)
        await pilot.pause()
        row = next(n for n, text in enumerate(screen(app)) if "Paragraph 5 " in text)
        assert styles(app, row)("graph 5").reverse
        assert prose.find_next(-1).at == 11
        await pilot.pause()
        assert any("Paragraph 59" in text for text in screen(app))
        assert prose.find("").total == 0


@pytest.mark.parametrize("text", ["see [/x] and [red]x[/red]", "[@click=app.quit]x[/]", "[b "])
async def test_prose_shows_brackets_as_typed(text: str) -> None:
    app = Stage(Prose(text))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settled(pilot)
        assert screen(app)[0].strip() == text.strip()


async def test_no_control_character_of_a_text_reaches_the_screen() -> None:
    hostile = "a\x1b]52;c;aGk=\x07b\x9bc\u202ed\x00"
    app = Stage(Prose(f"{hostile}\n\n    {hostile}"), Exact(hostile), Lines([line("x")]))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settled(pilot)
        shown = "".join(screen(app))
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\x00"} & set(shown)
        assert shown.count("␛]52;c;aGk=␇") == 3


async def test_no_control_character_of_a_value_to_edit_reaches_the_screen() -> None:
    hostile = "a\x1b]52;c;aGk=\x07b\x9bc\u202ed\x00"
    field, text = Field(), Text(hostile)
    app = Stage(field, text)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        field.value = hostile
        for focused in (field, text):
            focused.focus()
            await settled(pilot)
            shown = "".join(screen(app))
            assert not {"\x1b", "\x07", "\x9b", "\u202e", "\x00"} & set(shown)
            assert shown.count("␛]52;c;aGk=␇") == 2
        assert field.value == text.text == hostile


async def test_exact_text_is_cut_at_cells_with_a_mark_in_the_gutter() -> None:
    app = Stage(Exact("short\n" + "abcdefghij" * 2 + "\n漢字漢字漢字"))
    async with app.run_test(size=(12, 6), notifications=True):
        assert screen(app) == [
            "  short",
            "  abcdefghij",
            "↳ abcdefghij",
            "  漢字漢字漢",
            "↳ 字",
            "",
        ]
        assert cells(app) == [12] * 6


async def test_exact_text_counts_its_lines() -> None:
    app = Stage(Exact("a\n" + "b" * 14, numbers=True))
    async with app.run_test(size=(12, 4), notifications=True):
        assert screen(app) == [" 1 a", " 2 bbbbbbbbb", " ↳ bbbbb", ""]


async def test_panning_shows_the_rest_of_a_long_line() -> None:
    exact = Exact("0123456789" * 4 + "\nb")
    app = Stage(exact)
    async with app.run_test(size=(14, 6), notifications=True) as pilot:
        exact.toggle_wrap()
        await pilot.pause()
        assert screen(app)[:2] == ["  01234567890…", "  b"]
        await pilot.press("right")
        assert screen(app)[:2] == ["  89012345678…", ""]
        await pilot.press("2", "right", "left", "left", "left", "left")
        assert screen(app)[0] == "  01234567890…"
        exact.toggle_wrap()
        await pilot.pause()
        assert screen(app)[1] == "↳ 234567890123"


async def test_a_reload_keeps_the_line_at_the_top() -> None:
    exact = Exact(LINES, numbers=True)
    app = Stage(exact)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("3", "0", "j")
        exact.set_text(LINES + "more\n")
        await pilot.pause()
        assert "31 line 30" in screen(app)[0]
        await pilot.resize_terminal(16, 5)
        await pilot.pause()
        assert "31 line 30" in screen(app)[0]


async def test_a_count_before_the_last_line_key_goes_to_that_line() -> None:
    exact = Exact(LINES, numbers=True)
    app = Stage(exact)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("5", "0", "G")
        assert "50 line 49" in screen(app)[0]
        await pilot.press("G")
        assert "line 99" in screen(app)[7]
        await pilot.press("home")
        assert "line 0" in screen(app)[0]


async def test_a_line_gone_to_is_marked_and_in_sight() -> None:
    exact = Exact(LINES, numbers=True)
    app = Stage(exact)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        exact.goto(70)
        await pilot.pause()
        row = next(n for n, text in enumerate(screen(app)) if "line 70" in text)
        assert screen(app)[row].startswith("›")
        assert styles(app, row)("line 70").bgcolor.name == "#232932"
        exact.goto(40, top=True)
        await pilot.pause()
        assert screen(app)[0] == "› 41 line 40"


async def test_exact_text_finds_hits_in_wrapped_rows() -> None:
    exact = Exact("x" * 50 + "needle" + "x" * 500 + "\nneedle")
    app = Stage(exact)
    async with app.run_test(size=(22, 4), notifications=True) as pilot:
        assert exact.find("needle").total == 2
        await pilot.pause()
        assert any("needle" in text for text in screen(app))
        assert exact.find_next(1).at == 2
        await pilot.pause()
        assert screen(app)[3] == "  needle"


async def test_lines_have_roles_of_their_own() -> None:
    exact = Exact()
    app = Stage(exact)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        exact.set_text("+ a\n- b\n", roles={0: "pass add", 1: "fail del"})
        await pilot.pause()
        assert styles(app, 0)("+ a").bgcolor.name == "#17301f"
        assert styles(app, 1)("- b").color.name == "#f58b82"


@pytest.mark.parametrize("unit", ["x", "漢", "\x1b["])
async def test_a_line_of_two_megabytes_is_shown_from_end_to_end(unit: str) -> None:
    exact = Exact(unit * (2_000_000 // len(unit)) + "END")
    app = Stage(exact)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert cells(app) == [40] * 8
        await pilot.press("end")
        assert screen(app)[7].endswith("END")
        assert exact.find("end").total == 1


async def test_exact_text_in_ascii_shows_carets() -> None:
    app = Stage(Exact("a\x1b[2J" + "b" * 14), symbols=ASCII)
    async with app.run_test(size=(12, 3), notifications=True):
        assert screen(app)[:2] == ["  a^[[2Jbbbb", "> bbbbbbbbbb"]


async def test_lines_wrap_at_words_and_are_as_high_as_they_need() -> None:
    lines = Lines([line("2 dev sessions are not reviewed yet", right="rule 4"), line("next")])
    app = Stage(lines, Lines([line("below")]))
    async with app.run_test(size=(30, 6), notifications=True) as pilot:
        assert screen(app)[:4] == [
            " 2 dev sessions are    rule 4",
            " not reviewed yet",
            " next",
            " below",
        ]
        lines.set_lines([line("one")])
        await pilot.pause()
        assert screen(app)[:2] == [" one", " below"]


async def test_a_line_over_its_limit_ends_in_an_ellipsis() -> None:
    app = Stage(Lines([line("one two three four five six")], limit=2))
    async with app.run_test(size=(12, 4), notifications=True):
        assert screen(app)[:3] == [" one two", " three fou…", ""]


async def test_a_later_row_is_set_in() -> None:
    app = Stage(Lines([Line((("key  what it does for you", "text"),), (), 5)]))
    async with app.run_test(size=(18, 4), notifications=True):
        assert screen(app)[:3] == [" key  what it", "      does for", "      you"]
