"""The line list: one cursor that stays with its row, two rows repainted a key, nothing moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from textual.geometry import Region
from textual.widget import Widget

from mandrel_tui.ui.keys import keymap
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.symbols import ASCII
from mandrel_tui.ui.widgets.rows import Row, RowList
from tests.stories.stage import Stage, cells, screen, styles

SIZE = (40, 10)


def row(name: str, turn: str = "dev") -> Row:
    return Row(name, ((name, "text"),), ((turn, "dev"),), find=name)


def many(count: int) -> list[Row]:
    return [row(f"task-{n}") for n in range(count)]


GROUPED = [
    Row("g1", (("completed 2", "text bold"),), head=True),
    row("alpha"),
    row("beta"),
    Row("g2", (("pending 1", "text bold"),), head=True),
    row("gamma"),
]


def stage(rows: Iterable[Row], **options: Any) -> tuple[Stage, RowList]:
    listed = RowList(list(rows), empty="No active task.")
    hear = (RowList.Highlighted, RowList.Opened, RowList.Folded)
    return Stage(listed, hear=hear, **options), listed


async def test_the_right_column_stays_and_the_name_gives_way() -> None:
    app, _ = stage([row("a-rather-long-name-of-a-task-that-is-cut", "!answer")])
    async with app.run_test(size=(24, 4), notifications=True):
        assert screen(app)[0] == "› a-rather-long… !answer"
    async with stage([row("漢字漢字漢字漢字漢字漢字", "dev")])[0].run_test(size=(17, 4)) as pilot:
        assert screen(pilot.app)[0] == "› 漢字漢字漢… dev"
        assert cells(pilot.app) == [17] * 4


async def test_counts_go_before_keys_and_escape_forgets_them() -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("5", "j")
        assert listed.key == "task-5"
        await pilot.press("1", "0", "down", "2", "k")
        assert listed.key == "task-13"
        await pilot.press("9", "escape", "j")
        assert listed.key == "task-14"
        await pilot.press("3", "G")
        assert listed.key == "task-2"


async def test_pages_ends_and_arrows_move_the_cursor_into_sight() -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("pagedown")
        assert listed.key == "task-10"
        await pilot.press("end")
        assert (listed.key, listed.top) == ("task-99", 90)
        assert screen(app)[9].startswith("› task-99")
        await pilot.press("ctrl+u", "home", "up")
        assert (listed.key, listed.top) == ("task-0", 0)


async def test_a_key_press_repaints_two_rows_wherever_the_list_is_scrolled_to() -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("end", "k", "k")
        painted: list[Region] = []
        refresh = listed.refresh

        def noted(*regions: Region, **options: Any) -> Widget:
            painted.extend(regions)
            return refresh(*regions, **options)

        listed.refresh = noted  # type: ignore[method-assign]
        await pilot.press("k")
        assert [region.y for region in painted] == [7, 6]
        assert [region.height for region in painted] == [1, 1]
        assert screen(app)[6].startswith("› task-96")
        assert screen(app)[7].startswith("  task-97")


async def test_only_rows_in_sight_are_drawn() -> None:
    drawn: list[str] = []

    def draw(row: Row, cells: int) -> Line:
        drawn.append(row.key)
        return Line(row.left)

    app = Stage(RowList(many(10_000), draw=draw))
    async with app.run_test(size=SIZE, notifications=True):
        assert set(drawn) == {f"task-{n}" for n in range(10)}


async def test_a_reload_keeps_the_cursor_on_its_row_and_the_row_where_it_stands() -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("5", "0", "j", "k", "k")
        place = listed.cursor - listed.top
        listed.set_rows([row("new"), *many(100)[20:]])
        await pilot.pause()
        assert (listed.key, listed.cursor - listed.top) == ("task-48", place)
        assert screen(app)[place].startswith("› task-48")


@pytest.mark.parametrize(
    ("left", "key"),
    [
        (many(100)[:48] + many(100)[49:], "task-49"),
        (many(100)[:48], "task-47"),
        ([row("other")], "other"),
        ([], ""),
    ],
)
async def test_a_cursor_whose_row_is_gone_goes_to_the_nearest_that_is_left(left, key) -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("4", "8", "j")
        app.heard.clear()
        listed.set_rows(left)
        await pilot.pause()
        assert listed.key == key
        assert [message.key for message in app.heard] == [key]


async def test_a_reload_that_changes_nothing_says_nothing() -> None:
    app, listed = stage(many(5))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("j")
        app.heard.clear()
        listed.set_rows(many(5))
        await pilot.pause()
        assert app.heard == []


async def test_resizing_keeps_the_cursor_in_sight() -> None:
    app, _listed = stage(many(100))
    async with app.run_test(size=(40, 20), notifications=True) as pilot:
        await pilot.press("1", "9", "j")
        await pilot.resize_terminal(30, 6)
        await pilot.pause()
        assert any(text.startswith("› task-19") for text in screen(app))


async def test_groups_fold_by_arrow_enter_and_click_and_say_so() -> None:
    app, listed = stage(GROUPED)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert screen(app)[:5] == [
            "▾ completed 2",
            "› alpha                              dev",
            "  beta                               dev",
            "▾ pending 1",
            "  gamma                              dev",
        ]
        await pilot.press("left")
        assert [text.split()[0] for text in screen(app)[:3]] == ["›▸completed", "▾", "gamma"]
        assert listed.key == "g1"
        await pilot.press("right")
        assert len(listed.rows) == 5
        await pilot.press("enter")
        assert len(listed.rows) == 3
        await pilot.click(RowList, offset=(0, 1))
        folded = [(m.key, m.folded) for m in app.heard if isinstance(m, RowList.Folded)]
        assert folded == [("g1", True), ("g1", False), ("g1", True), ("g2", True)]


async def test_an_arrow_the_list_has_no_use_for_is_left_to_the_pane() -> None:
    listed = RowList(many(3))
    app = Stage(listed, hear=[RowList.Sideways])
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("right", "left")
        assert [message.step for message in app.heard] == [1, -1]


async def test_enter_opens_a_row_and_so_does_a_double_click() -> None:
    app, listed = stage(many(5))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("enter")
        await pilot.click(RowList, offset=(5, 3))
        assert listed.key == "task-3"
        await pilot.click(RowList, offset=(5, 4), times=2)
        opened = [m.key for m in app.heard if isinstance(m, RowList.Opened)]
        assert opened == ["task-0", "task-4"]


async def test_a_click_below_the_rows_does_nothing() -> None:
    app, listed = stage(many(2))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("j")
        await pilot.click(RowList, offset=(5, 7), times=2)
        assert listed.key == "task-1"


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app, listed = stage(many(100))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot._post_mouse_events([_wheel()], RowList, (5, 5))
        await pilot.pause()
        assert (listed.top, listed.cursor) == (3, 0)


def _wheel() -> Any:
    from textual.events import MouseScrollDown

    return MouseScrollDown


async def test_find_shows_the_rows_that_answer_under_their_heads() -> None:
    app, listed = stage(GROUPED)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        listed.fold("g2", True)
        found = listed.find("gm")
        await pilot.pause()
        assert (found.shown, found.total) == (1, 3)
        assert [row.key for row in listed.rows] == ["g2", "gamma"]
        assert listed.key == "gamma"
        assert listed.find("zz").shown == 0
        await pilot.pause()
        assert listed.key == ""
        assert listed.find("").shown == 3


async def test_a_find_without_an_answer_is_not_taken_for_an_empty_list() -> None:
    app, listed = stage([row("alpha")])
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        listed.find("beta")
        await pilot.pause()
        assert screen(app)[0] == " Nothing here says beta."
        listed.find("")
        assert screen(app)[0].endswith("dev")


async def test_no_rows_are_one_sentence() -> None:
    app, _ = stage([])
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert screen(app)[0] == " No active task."
        await pilot.press("j", "enter", "left", "G", "pagedown")
        assert app.heard == []


async def test_a_scroll_bar_takes_the_last_column_only_when_it_is_needed() -> None:
    app, listed = stage(many(10))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert listed.scrollable_content_region.width == 40
        listed.set_rows(many(11))
        await pilot.pause()
        assert listed.scrollable_content_region.width == 39
        assert screen(app)[0].startswith("› task-0")
        assert "dev" in screen(app)[0][:39]


async def test_the_cursor_row_is_tinted_with_focus_and_quieter_without() -> None:
    app, _listed = stage(many(3))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        assert styles(app, 0)("task-0").bgcolor.name == "#283b4f"
        assert styles(app, 0)("dev").color.name == "#86b4f7"
        app.set_focus(None)
        await pilot.pause()
        assert styles(app, 0)("task-0").bgcolor.name == "#232932"
        assert screen(app)[0].startswith("› task-0")


async def test_high_contrast_draws_the_cursor_row_in_one_colour() -> None:
    app, _ = stage(many(3), theme="contrast")
    async with app.run_test(size=SIZE, notifications=True):
        for text in ("task-0", "dev", "›"):
            assert styles(app, 0)(text).color.name == "#000000"
            assert styles(app, 0)(text).bgcolor.name == "#ffffff"


async def test_ansi_reverses_the_cursor_row() -> None:
    app, _ = stage(many(3), theme="ansi")
    async with app.run_test(size=SIZE, notifications=True):
        assert styles(app, 0)("task-0").reverse
        assert not styles(app, 1)("task-1").reverse


async def test_ascii_draws_ascii() -> None:
    app, listed = stage(GROUPED, symbols=ASCII)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("j", "left")
        assert all(text.isascii() for text in screen(app))
        assert screen(app)[0] == ">+completed 2"
        listed.set_rows(many(100))
        await pilot.press("3", "j")
        assert all(text.isascii() for text in screen(app))


async def test_remapped_keys_move_the_cursor_and_the_old_ones_do_not() -> None:
    keys = keymap({"list.down": ["n"]}, "ru")
    app, listed = stage(many(5), keys=keys)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.press("n", "т", "j", "down")
        assert listed.key == "task-2"


@pytest.mark.parametrize("text", ["[/x]", "[red]a[/red] [b", "\x1b[31m", "[@click=app.quit]x[/]"])
async def test_a_row_shows_its_text_as_typed(text: str) -> None:
    from mandrel_tui.ui.clean import label

    app, _ = stage([Row("k", ((label(text), "text"),))])
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await pilot.click(RowList, offset=(3, 0))
        assert screen(app)[0] == f"› {label(text)}"
