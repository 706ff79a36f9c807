"""Frame: what every screen stands in: top bar, result row, key row, and the actions that hold
everywhere; it knows no screen's content and no workspace."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.widget import Widget

from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.actions import EVERYWHERE
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.menus import Menus
from mandrel_tui.ui.messages import AskLeave, AskMode, AskReload, Facts, Result
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_board import Ready
from mandrel_tui.ui.present_prompt import Sheet
from mandrel_tui.ui.sizes import LAYOUTS, layout_classes
from mandrel_tui.ui.widgets.bars import Bar, KeyRow, ResultRow, Spot, TopBar
from mandrel_tui.ui.widgets.lines import Lines


class Frame(Menus):
    """One screen; `ROW` are the actions of its key row, the most useful first and help last."""

    ROW: ClassVar[tuple[str, ...]] = ("app.help",)
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(EVERYWHERE)
    AUTO_FOCUS: ClassVar[str | None] = ""

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.layout_names: frozenset[str] = frozenset()
        self._frame_result: Result | None = None
        self._frame_zoomed: Widget | None = None
        self._frame_covered = False
        self._frame_lost: Widget | None = None  # had the focus when it was hidden
        self._frame_stead: Widget | None = None  # has the focus in its stead

    # What a screen adds.

    def body(self) -> ComposeResult:
        """The panes between the bars."""
        yield from ()

    def show(self, facts: Facts) -> None:
        """Show new facts; place and focus stay."""

    def sentence(self) -> Line:
        """The next step in one line, for the result row."""
        return line("")

    def compose(self) -> ComposeResult:
        yield TopBar()
        yield from self.body()
        yield ResultRow()
        yield KeyRow()
        yield Lines(id="tiny")

    def on_mount(self) -> None:
        self.set_class(self.symbols.ascii, "-ascii")
        self._lay_out(self.app.size)
        self._frame_result = getattr(self.app, "unread", None)
        self.take(self.facts)

    def on_screen_suspend(self) -> None:
        self._frame_cover(True)

    def on_screen_resume(self) -> None:
        self._frame_cover(False)

    def _frame_cover(self, covered: bool) -> None:
        """Under a dialog no key of this screen acts."""
        self._frame_covered = covered
        self.retell()

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size)
        self._top_bar()
        self.retell()
        self.call_after_refresh(self._refocus)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        if self.focused is not None or not self.app.app_focus:
            return
        if event.widget is not self._frame_stead:
            self._frame_lost = event.widget
        self.call_after_refresh(self._refocus)

    def _refocus(self) -> None:
        """Give the focus back to what was hidden with it, the first pane has it meanwhile."""
        lost, chain = self._frame_lost, self.focus_chain
        if lost is None or self.focused not in (None, self._frame_stead):
            self._frame_lost = self._frame_stead = None
        elif lost in chain:
            self._frame_lost = self._frame_stead = None
            lost.focus(scroll_visible=False)
        elif self.focused is None and self.in_place:
            self._frame_stead = next((pane for pane in self.panes() if pane in chain), None)
            if self._frame_stead is not None:
                self._frame_stead.focus(scroll_visible=False)

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
        if not self.in_place:
            return
        self._top_bar()
        self.show(facts)
        self.retell()

    def take_task(self, name: str, task: Task | None, fault: str) -> None:
        """A task as read for itself, or why it cannot be."""

    def take_ready(self, ready: Ready) -> None:
        """What `c` would do for a task."""

    def take_sheet(self, sheet: Sheet) -> None:
        """A request as assembled."""

    def learn(self, value: object) -> None:
        """A value this screen, or another one, asked for; each knows its own by its type."""

    def tick(self) -> None:
        """Time has passed: ages are others now."""

    def take_result(self, result: Result) -> None:
        """Show a result until a key is pressed."""
        self._frame_result = result
        self.retell()

    def key_pressed(self) -> None:
        """A key arrived: the last result has been seen."""
        if self._frame_result is not None:
            self._frame_result = None
            self.retell()

    @property
    def in_place(self) -> bool:
        """Whether its bars are there: not before it is composed, nor while it is taken down."""
        return self.is_attached and bool(self.query(ResultRow))

    def retell(self) -> None:
        """Write the result row and the key row anew."""
        if not self.in_place:
            return
        result = self._frame_result
        if result is not None and self.lifted(result.text):
            self._frame_result = result = None
        told = line(result.text, result.role) if result is not None else self.sentence()
        self.query_one(ResultRow).show(told.left, told.right)
        self.query_one(KeyRow).set_keys(self.shown_keys(self.row_keys()), self._frame_covered)

    def row_keys(self) -> tuple[str, ...]:
        """The actions the key row shows now."""
        return self.ROW

    def _top_bar(self) -> None:
        facts = self.facts
        wide = "-columns" in self.layout_names
        tree = facts.tree if wide else facts.tree[1:]
        gauge = facts.gauge if wide else (*facts.gauge[:1], *facts.gauge[-1:])
        left = [Spot(((words(facts.name, self.symbols), "text bold"),), "board", 0, facts.path)]
        left += [Spot(tree, "", 2, facts.tree_tip)] if tree else []
        right: list[Spot] = []
        if facts.board is not None:
            owed = len(facts.items)
            said = ("inbox ", "quiet"), (f"{owed:,}", "you bold" if owed else "quiet")
            right.append(Spot(said, "inbox", 1, "What waits for you."))
        right += [Spot(gauge, "", 4, facts.gauge_tip)] if gauge else []
        right += [Spot(facts.watch, "reload", 3, "Read everything again.")] if facts.watch else []
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
        self.post_message(AskReload() if name == "reload" else AskMode(name))

    def action_app_pane_next(self) -> None:
        self.focus_next()

    def action_app_pane_prev(self) -> None:
        self.focus_previous()

    def action_app_board(self) -> None:
        self.post_message(AskMode("board"))

    def action_app_inbox(self) -> None:
        self.post_message(AskMode("inbox"))

    def action_app_reload(self) -> None:
        self.post_message(AskReload())

    def action_app_quit(self) -> None:
        self.post_message(AskLeave(quit=True))

    def action_app_back(self) -> None:
        if self._frame_zoomed is not None:
            self.action_pane_zoom()
        else:
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
