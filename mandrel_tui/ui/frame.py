"""Frame: what every screen stands in: top bar, result row, key row, and the actions that hold
everywhere; it knows no screen's content and no workspace."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from mandrel_tui.ui.keys import DEFAULTS, EVERYWHERE, KeyMap
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskBoard, AskLeave, AskReload, Facts, Result, Say
from mandrel_tui.ui.symbols import UNICODE, Symbols
from mandrel_tui.ui.widgets.bars import Bar, KeyRow, ResultRow, Spot, TopBar
from mandrel_tui.ui.widgets.lines import Lines

TINY = (40, 8)  # smaller than this shows a sentence
POCKET = (60, 16)  # smaller than this shows the next card alone
COLUMNS, WIDE, BESIDE = 80, 120, 170
SHORT, TALL = 24, 34


def layout_classes(size: Size) -> frozenset[str]:
    """The names of the layouts that hold at a size."""
    width, height = size
    if width < TINY[0] or height < TINY[1]:
        return frozenset({"-tiny"})
    if width < POCKET[0] or height < POCKET[1]:
        return frozenset({"-pocket", "-stacked", "-short"})
    held = {
        "-stacked": width < COLUMNS,
        "-columns": width >= COLUMNS,
        "-wide": width >= WIDE,
        "-beside": width >= BESIDE and height >= SHORT,
        "-short": height < SHORT,
        "-tall": height >= TALL,
    }
    return frozenset(name for name, holds in held.items() if holds)


LAYOUTS = ("-tiny", "-pocket", "-stacked", "-columns", "-wide", "-beside", "-short", "-tall")


class Frame(Screen[None]):
    """One screen; `PLACE` names its keys, `ROW` the actions of its key row, the most useful first
    and help last."""

    PLACE: ClassVar[str] = EVERYWHERE
    ROW: ClassVar[tuple[str, ...]] = ("app.help",)
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(EVERYWHERE)
    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.layout_names: frozenset[str] = frozenset()
        self._frame_result: Result | None = None
        self._frame_zoomed: Widget | None = None

    # What the app decides once: symbols, clock, keys.

    @property
    def symbols(self) -> Symbols:
        """The table the app chose."""
        chosen: Symbols = getattr(self.app, "symbols", UNICODE)
        return chosen

    @property
    def moment(self) -> datetime:
        """Now, in the zone of the person."""
        moment: datetime = getattr(self.app, "clock", datetime.now)()
        return moment

    @property
    def keys(self) -> KeyMap:
        """The keys in force."""
        keys: KeyMap = getattr(self.app, "keys", DEFAULTS)
        return keys

    # What a screen adds.

    def body(self) -> ComposeResult:
        """The panes between the bars."""
        yield from ()

    def show(self, facts: Facts) -> None:
        """Show new facts; place and focus stay."""

    def sentence(self) -> Line:
        """The next step in one line, for the result row."""
        return line("")

    def panes(self) -> Iterable[Widget]:
        """What `g` and a digit put the focus on, in reading order."""
        return (widget for widget in self.focus_chain if isinstance(widget, Widget))

    def why(self, action: str) -> str:
        """Why an action cannot act now; empty when it can."""
        return ""

    def compose(self) -> ComposeResult:
        yield TopBar()
        yield from self.body()
        yield ResultRow()
        yield KeyRow()
        yield Lines(id="tiny")

    def on_mount(self) -> None:
        self.set_class(self.symbols.ascii, "-ascii")
        self._lay_out(self.app.size)
        self.take(self.facts)

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size)
        self.retell()

    def _lay_out(self, size: Size) -> None:
        self.layout_names = layout_classes(size)
        for name in LAYOUTS:
            self.set_class(name in self.layout_names, name)
        words = f"{size.width}×{size.height} is too small. 40×8 shows the next card."
        self.query_one("#tiny", Lines).set_lines([line(f"{words} Or: mandrel-tui next")])
        self.laid_out()

    def laid_out(self) -> None:
        """The layout is another; `layout_names` says which hold."""

    # Facts and results.

    def take(self, facts: Facts) -> None:
        """New facts from the app."""
        self.facts = facts
        self._top_bar()
        self.show(facts)
        self.retell()

    def take_result(self, result: Result) -> None:
        """Show a result until a key is pressed."""
        self._frame_result = result
        self.retell()

    def key_pressed(self) -> None:
        """A key arrived: the last result has been seen."""
        if self._frame_result is not None:
            self._frame_result = None
            self.retell()

    def retell(self) -> None:
        """Write the result row and the key row anew."""
        if not self.is_mounted:
            return
        result = self._frame_result
        told = line(result.text, result.role) if result is not None else self.sentence()
        self.query_one(ResultRow).show(told.left, told.right)
        self.query_one(KeyRow).set_keys(self.keys.shown(self.ROW, self.why))

    def say(self, text: str, role: str = "text") -> None:
        """A line for the result row."""
        self.post_message(Say(text, role))

    def refused(self, action: str) -> bool:
        """Say why an action cannot act, if it cannot."""
        why = self.why(action)
        if why:
            self.say(f"{self.keys[action].label}: {why}", "you")
        return bool(why)

    def _top_bar(self) -> None:
        facts = self.facts
        board = facts.board
        left = [Spot(((facts.name, "text bold"),), "board", 0, facts.path)]
        left += [Spot(facts.place, "", 2)] if facts.place else []
        right: list[Spot] = []
        if board is not None:
            owed = len(board.owed)
            said = ("inbox ", "quiet"), (str(owed), "you bold" if owed else "quiet")
            right.append(Spot(said, "owed", 1, "The tasks in which you owe something."))
        right += [Spot(facts.gauge, "", 3)] if facts.gauge else []
        right += [Spot(facts.watch, "reload", 4)] if facts.watch else []
        self.query_one(TopBar).set_spots(left, right)

    # Keys that hold everywhere.

    @on(Bar.Pressed)
    async def _pressed(self, event: Bar.Pressed) -> None:
        event.stop()
        if isinstance(event.bar, KeyRow):
            await self.run_key(event.name)
        else:
            await self.top_pressed(event.name)

    async def top_pressed(self, name: str) -> None:
        """A word of the top bar was clicked."""
        asked = {"board": AskBoard(), "owed": AskBoard(owed=True), "reload": AskReload()}
        self.post_message(asked[name])

    async def run_key(self, action: str) -> None:
        """Do an action by its id, as its key would, for the focused thing."""
        focused = self.focused
        node: Any = focused if focused is not None else self
        while node is not None:
            if hasattr(node, f"action_{self.keys[action].name}"):
                await node.run_action(self.keys[action].name)
                return
            node = node.parent

    def action_app_pane_next(self) -> None:
        self.focus_next()

    def action_app_pane_prev(self) -> None:
        self.focus_previous()

    def action_app_board(self) -> None:
        self.post_message(AskBoard())

    def action_app_reload(self) -> None:
        self.post_message(AskReload())

    def action_app_quit(self) -> None:
        self.post_message(AskLeave(quit=True))

    def action_app_back(self) -> None:
        if self._frame_zoomed is not None:
            self.action_pane_zoom()
        else:
            self.back()

    def back(self) -> None:
        """Leave this screen, where one lies under it."""
        self.post_message(AskLeave())

    def action_pane_zoom(self) -> None:
        """Show the focused pane alone, or all again."""
        pane = self._frame_zoomed or self._pane_of(self.focused)
        if pane is None:
            return
        zoomed = self._frame_zoomed is None
        self._frame_zoomed = pane if zoomed else None
        self.set_class(zoomed, "-zoomed")
        node: Any = pane
        while node is not None and node is not self:
            node.set_class(zoomed, "-zoom")
            node = node.parent

    def _pane_of(self, widget: Widget | None) -> Widget | None:
        node: Any = widget
        while node is not None and not node.has_class("pane"):
            node = node.parent
        return node if isinstance(node, Widget) else None
