"""Find in a pane: the header becomes a field, what is found is counted, Esc ends it."""

from __future__ import annotations

from textual.widgets import Input

from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader, Tab
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList
from tests.stories.stage import Stage, screen

NAMES = ("submit-retry-loop", "barrier-timeouts", "retry-later", "fifo-drain")
SIZE = (40, 8)


def tasks() -> tuple[Pane, RowList]:
    rows = RowList([Row(name, ((name, "text"),), find=name) for name in NAMES])
    return Pane(PaneHeader("tasks 4"), rows), rows


async def test_a_find_narrows_the_list_as_it_is_typed_and_says_how_far() -> None:
    pane, _ = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"retry")
        await pilot.pause()
        assert screen(app)[:3] == ["━ tasks 2 of 4 /retry", "  submit-retry-loop", "› retry-later"]


async def test_enter_keeps_the_find_and_gives_the_list_its_keys_back() -> None:
    pane, rows = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"retry", "enter", "k")
        await pilot.pause()
        assert app.focused is rows
        assert rows.key == "submit-retry-loop"
        assert len(rows.rows) == 2
        assert screen(app)[0].startswith("━ tasks 2 of 4 /retry ━")


async def test_escape_in_the_field_or_later_in_the_list_shows_all_again() -> None:
    pane, rows = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"fifo", "escape")
        await pilot.pause()
        assert (app.focused, len(rows.rows), rows.key) == (rows, 4, "fifo-drain")
        await pilot.press("/", *"fifo", "enter", "escape")
        await pilot.pause()
        assert len(rows.rows) == 4
        assert screen(app)[0].startswith("━ tasks 4 ━")


async def test_arrows_move_while_typing_and_letters_are_typed() -> None:
    pane, rows = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", "r", "down")
        assert rows.key == "fifo-drain"
        await pilot.press(*"qjk?:")
        assert app.query_one(Input).value == "rqjk?:"


async def test_the_find_is_offered_again_where_it_was_left() -> None:
    pane, _ = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"ret", "enter", "/", "r")
        await pilot.pause()
        assert app.query_one(Input).value == "retr"


async def test_rows_that_come_later_are_filtered_too() -> None:
    pane, rows = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"retry", "enter")
        names = (*NAMES, "retry-again", "other")
        rows.set_rows([Row(name, ((name, "text"),), find=name) for name in names])
        await pilot.pause()
        assert [row.key for row in rows.rows] == ["submit-retry-loop", "retry-later", "retry-again"]
        assert screen(app)[0].startswith("━ tasks 3 of 6 /retry ━")


async def test_a_find_in_a_text_counts_its_hits_and_brings_them_into_sight() -> None:
    text = Exact("".join(f"line {n}\n" for n in range(60)))
    app = Stage(Pane(PaneHeader(tabs=[Tab("log", "log 6"), Tab("raw", "raw")]), text))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        app.query_one(PaneHeader).set_tabs([Tab("log", "log 6"), Tab("raw", "raw")], "raw")
        await pilot.press("/", *"line 4")
        await pilot.pause()
        assert screen(app)[0] == "━ raw 1 of 11 /line 4"
        await pilot.press("down")
        await pilot.pause()
        assert screen(app)[0] == "━ raw 2 of 11 /line 4"
        assert any("line 40" in shown for shown in screen(app))


async def test_the_field_takes_no_focus_while_it_is_closed() -> None:
    pane, rows = tasks()
    app = Stage(pane)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("tab")
        assert app.focused is rows
        await pilot.press("/", "escape", "tab")
        assert app.focused is rows


async def test_brackets_in_a_find_are_typed_and_found() -> None:
    rows = RowList([Row("a", (("[b x] task", "text"),), find="[b x] task")])
    app = Stage(Pane(PaneHeader("tasks [/]"), rows))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("/", *"[b")
        await pilot.pause()
        assert screen(app)[:2] == ["━ tasks [/] 1 of 1 /[b", "› [b x] task"]
