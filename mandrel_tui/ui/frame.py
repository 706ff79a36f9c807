"""Frame: what every screen stands in: top bar, result row, key row, and the actions that hold
everywhere; it knows no screen's content and no workspace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget

from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.keys import DEFAULTS, EVERYWHERE, LISTS, MODES, SCREENS, Key, KeyMap
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskLeave, AskMode, AskReload, Facts, Result, Results, Say
from mandrel_tui.ui.present import clock, words
from mandrel_tui.ui.present_board import Ready
from mandrel_tui.ui.present_prompt import Sheet
from mandrel_tui.ui.symbols import UNICODE, Symbols
from mandrel_tui.ui.widgets.bars import Bar, KeyRow, ResultRow, Spot, TopBar
from mandrel_tui.ui.widgets.dialog import Choice as GoChoice
from mandrel_tui.ui.widgets.dialog import Question
from mandrel_tui.ui.widgets.go import Go
from mandrel_tui.ui.widgets.help import Help, actions, palette
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.picker import Offer

HAND = "hand "  # begins the name of what is chosen by hand
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
    and help last, `ACTS` those on the focused thing."""

    PLACE: ClassVar[str] = EVERYWHERE
    ROW: ClassVar[tuple[str, ...]] = ("app.help",)
    ACTS: ClassVar[tuple[str, ...]] = ()
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
        self._frame_result = getattr(self.app, "unread", None)
        self.take(self.facts)

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size)
        self._top_bar()
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
        told = line(result.text, result.role) if result is not None else self.sentence()
        self.query_one(ResultRow).show(told.left, told.right)
        self.query_one(KeyRow).set_keys(self.shown_keys(self.row_keys()))

    def shown_keys(self, ids: Iterable[str]) -> list[Key]:
        """These actions with the words they have here, and why one cannot act."""
        named = self.labels()
        keys = self.keys.shown(ids, self.why)
        return [replace(key, label=named.get(key.id, key.label)) for key in keys]

    def labels(self) -> Mapping[str, str]:
        """What actions that live in several places are called here."""
        return {}

    def row_keys(self) -> tuple[str, ...]:
        """The actions the key row shows now."""
        return self.ROW

    def say(self, text: str, role: str = "text") -> None:
        """A line for the result row."""
        self.post_message(Say(text, role))

    def refused(self, action: str) -> bool:
        """Say why an action cannot act, if it cannot."""
        why = self.why(action)
        if why:
            self.say(f"{self.labels().get(action, self.keys[action].label)}: {why}", "you")
        return bool(why)

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

    def _pane_of(self, widget: Widget | None) -> Widget | None:
        node: Any = widget
        while node is not None and not node.has_class("pane"):
            node = node.parent
        return node if isinstance(node, Widget) else None

    # Dialogs made from the live map.

    def action_app_help(self) -> None:
        places = {SCREENS.get(self.PLACE, "here"): self.PLACE, "lists and texts": LISTS}
        sections = [
            (name, self.shown_keys(a.id for a in self.keys.at(place)))
            for name, place in {**places, "everywhere": EVERYWHERE}.items()
        ]
        self.app.push_screen(Help(f"keys: {SCREENS.get(self.PLACE, 'here')}", sections))

    def action_app_palette(self) -> None:
        known = self.shown_keys(action.id for action in self.keys.on(self.PLACE))
        self.ask(palette(known), self.run_key)

    def action_app_actions(self) -> None:
        keys = self.shown_keys(self.ACTS)
        self.ask(actions(self.acts_title(), keys, self.by_hand()), self._act)

    async def _act(self, name: str) -> None:
        if name.startswith(HAND):
            self.chosen_by_hand(name.removeprefix(HAND))
        else:
            await self.run_key(name)

    def acts_title(self) -> str:
        """What the actions menu is about."""
        return "acts"

    def by_hand(self) -> Iterable[Offer]:
        """What else can be chosen, its names beginning with HAND; refused things say why."""
        return ()

    def chosen_by_hand(self, name: str) -> None:
        """One of these was chosen."""

    def action_app_go(self) -> None:
        panes = [
            GoChoice(f"pane {at}", self.pane_name(widget), str(at))
            for at, widget in enumerate(self.panes(), start=1)
        ]
        places = [GoChoice(mode, mode, letter) for mode, letter in MODES.items()]
        places.append(GoChoice("results", "results", "l"))
        self.ask(Go([*places, *panes, GoChoice("top", "top", "g")], self.keys.latin), self._go)

    def pane_name(self, widget: Widget) -> str:
        """What a pane is called in the row of places."""
        pane = self._pane_of(widget)
        return str(pane.id or "pane") if pane is not None else "pane"

    async def _go(self, name: str) -> None:
        if name in MODES:
            self.post_message(AskMode(name))
        elif name == "results":
            self._show_results()
        elif name == "top":
            await self.run_key("list.top")
        else:
            list(self.panes())[int(name.split()[1]) - 1].focus()

    def _show_results(self) -> None:
        told = [
            line(f"{clock(r.at)}  {words(r.text, self.symbols)}", r.role)
            for r in reversed(self.results())
        ]
        none = [line("Nothing has been done yet.", "quiet")]
        self.app.push_screen(
            Question("results", told or none, [GoChoice("close", "Close")], "close")
        )

    def results(self) -> tuple[Result, ...]:
        """All results so far."""
        kept: Results = getattr(self.app, "results", Results())
        return kept.rows

    def ask(self, dialog: Screen[Any], then: Callable[[Any], Awaitable[None] | None]) -> None:
        """Show a dialog and go on with its answer, if it has one."""

        async def answered() -> None:
            answer = await self.app.push_screen_wait(dialog)
            if answer is not None:
                again = then(answer)
                if again is not None:
                    await again

        self.run_worker(answered(), group="dialog", exit_on_error=False)
