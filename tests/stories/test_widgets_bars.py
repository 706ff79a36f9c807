"""Header lines and bars: one row each, what can be clicked, what gives way."""

from __future__ import annotations

import pytest
from textual.widget import Widget

from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.symbols import ASCII
from mandrel_tui.ui.widgets.bars import KeyRow, ResultRow, Spot, TopBar
from mandrel_tui.ui.widgets.header import PaneHeader, Tab
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList
from tests.stories.stage import Stage, cells, screen, styles

TABS = (Tab("task", "task"), Tab("log", "log 6"), Tab("raw", "raw"))


def spot(text: str, name: str = "", rank: int = 0) -> Spot:
    return Spot(((text, "text"),), name, rank)


def pane(title: str) -> Pane:
    return Pane(PaneHeader(title, end="by status"), RowList([Row("a"), Row("b")]))


async def test_exactly_the_header_of_the_pane_with_focus_is_heavy() -> None:
    app = Stage(pane("tasks 9"), pane("next"))
    async with app.run_test(size=(30, 6), notifications=True) as pilot:
        assert screen(app)[0] == "━ tasks 9 ━━━━━━━━ by status ━"
        assert screen(app)[3] == "─ next ─────────── by status ─"
        await pilot.press("tab")
        await pilot.pause()
        assert screen(app)[0][0] == "─"
        assert screen(app)[3][0] == "━"
        app.set_focus(None)
        await pilot.pause()
        assert "━" not in "".join(screen(app))


async def test_the_current_tab_stands_in_brackets_and_a_click_names_a_tab() -> None:
    header = PaneHeader("submit-retry-loop", tabs=TABS)
    app = Stage(header, hear=[PaneHeader.TabPressed])
    async with app.run_test(size=(60, 3), notifications=True) as pilot:
        assert screen(app)[0] == "─ submit-retry-loop   [task]  log 6  raw " + "─" * 19
        for at in ("[task]", "log 6", "raw", "submit", "──"):
            await pilot.click(PaneHeader, offset=(screen(app)[0].index(at) + 1, 0))
        assert [message.name for message in app.heard] == ["task", "log", "raw"]
        header.set_tabs(TABS, "log")
        await pilot.pause()
        assert "task  [log 6]  raw" in screen(app)[0]


async def test_new_tabs_keep_the_current_one_or_take_the_first() -> None:
    header = PaneHeader(tabs=TABS)
    async with Stage(header).run_test(size=(60, 3), notifications=True) as pilot:
        header.set_tabs(TABS, "raw")
        header.set_tabs([Tab("log", "log 7"), Tab("raw", "raw")])
        assert header.head_tab == "raw"
        header.set_tabs([Tab("log", "log 7")])
        await pilot.pause()
        assert screen(pilot.app)[0].startswith("─ [log 7] ──")


@pytest.mark.parametrize("width", [3, 8, 20, 31, 80])
async def test_a_header_is_as_wide_as_its_pane(width: int) -> None:
    app = Stage(PaneHeader("漢字 a very long title of a pane", end="as of 14:02"))
    async with app.run_test(size=(width, 2), notifications=True):
        assert cells(app) == [width, width]


async def test_a_header_without_words_at_its_end_has_no_gap_there() -> None:
    header = PaneHeader("checks")
    async with Stage(header).run_test(size=(20, 2), notifications=True) as pilot:
        header.set_end((("", "quiet"),))
        await pilot.pause()
        assert screen(pilot.app)[0] == "─ checks ───────────"


async def test_a_header_is_drawn_in_ascii_where_asked() -> None:
    app = Stage(pane("tasks 9"), symbols=ASCII)
    async with app.run_test(size=(30, 3), notifications=True):
        assert screen(app)[0] == "= tasks 9 ======== by status ="


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (62, " ledger-sync  main 4f21c9a  ✓ clean  memory  ▰▰▰▱▱  61%  live"),
        (61, " ledger-sync  main 4f21c9a  ✓ clean        memory  61%  live"),
        (45, " ledger-sync  ✓ clean      memory  61%  live"),
        (36, " ledger-sync  ✓ clean     61%  live"),
        (20, " ledger-… 61%  live"),
    ],
)
async def test_a_bar_gives_up_the_highest_rank_first_and_rank_zero_never(
    width: int, shown: str
) -> None:
    bar = TopBar()
    app = Stage(bar)
    async with app.run_test(size=(width, 3), notifications=True) as pilot:
        bar.set_spots(
            [spot("ledger-sync"), spot("main 4f21c9a", rank=2), spot("✓ clean")],
            [spot("memory", rank=1), spot("▰▰▰▱▱", rank=3), spot("61%"), spot("live")],
        )
        await pilot.pause()
        assert screen(app)[0] == shown
        assert cells(app)[0] == width


async def test_a_click_names_the_spot_under_it() -> None:
    bar = TopBar()
    app = Stage(bar, hear=[TopBar.Pressed])
    async with app.run_test(size=(60, 3), notifications=True) as pilot:
        bar.set_spots([spot("ledger-sync"), spot("main", "branch")], [spot("live", "watch")])
        await pilot.pause()
        for at in ("main", "live", "ledger"):
            await pilot.click(TopBar, offset=(screen(app)[0].index(at), 0))
        await pilot.click(TopBar, offset=(30, 0))
        assert [message.name for message in app.heard] == ["branch", "watch"]


IDS = ["task.copy-prompt", "task.prompt", "app.actions", "list.find", "app.go", "app.help"]


async def test_the_key_row_is_made_of_buttons_and_help_stays_when_room_is_short() -> None:
    keys = KeyRow()
    app = Stage(keys, hear=[KeyRow.Pressed])
    async with app.run_test(size=(60, 3), notifications=True) as pilot:
        keys.set_keys(DEFAULTS.shown(IDS))
        await pilot.pause()
        assert screen(app)[0] == " c copy  p prompt  Space acts  / find  g go  ? help"
        await pilot.click(KeyRow, offset=(screen(app)[0].index("prompt"), 0))
        assert [message.name for message in app.heard] == ["task.prompt"]
        await pilot.resize_terminal(40, 3)
        await pilot.pause()
        assert screen(app)[0] == " c copy  p prompt  Space acts  ? help"


async def test_a_key_that_cannot_act_is_dimmed_and_its_reason_is_under_the_pointer() -> None:
    keys = KeyRow()
    app = Stage(keys)
    async with app.run_test(size=(60, 4), notifications=True, tooltips=True) as pilot:
        app.TOOLTIP_DELAY = 0.01
        reason = {"task.prompt": "[/b] the task is invalid"}
        keys.set_keys(DEFAULTS.shown(IDS, lambda id: reason.get(id, "")))
        await pilot.pause()
        assert styles(app, 0)("p prompt").color.name == "#6b7684"
        assert styles(app, 0)("Space").bold
        await pilot.hover(KeyRow, offset=(screen(app)[0].index("prompt"), 0))
        await pilot.pause(0.2)
        assert any("[/b] the task is invalid" in text for text in screen(app))


async def test_the_result_row_shows_one_line_cut_at_its_end() -> None:
    result = ResultRow()
    app = Stage(result)
    async with app.run_test(size=(30, 2), notifications=True) as pilot:
        result.show((("copied 14,212 bytes to the tmux buffer", "quiet"),))
        await pilot.pause()
        assert screen(app)[0] == " copied 14,212 bytes to the t…"


def test_no_own_name_of_a_widget_hides_one_of_the_framework() -> None:
    from tests.stories.names import hidden

    assert hidden() == {}


@pytest.mark.parametrize("kind", [TopBar, KeyRow, ResultRow])
async def test_an_empty_bar_is_a_blank_row(kind: type[Widget]) -> None:
    app = Stage(kind())
    async with app.run_test(size=(20, 2), notifications=True):
        assert screen(app) == ["", ""]
