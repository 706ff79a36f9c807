"""WaitsScreen: what waits on what: every active task, the ready ones first, with what each waits
for; it reads nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.graph import Graph
from mandrel_tui.ui.actions import WAITS
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.looking_messages import AskGraph, AskReadyOnly
from mandrel_tui.ui.messages import AskCopyText, AskTask, Facts, Used
from mandrel_tui.ui.present import task_words
from mandrel_tui.ui.present_graph import (
    Place,
    graph_end,
    graph_rows,
    graph_title,
    place_lines,
    places,
)
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList


class WaitsScreen(Frame):
    """The graph of one repository, read again whenever the board is."""

    PLACE = WAITS
    ROW = ("list.open", "graph.ready", "list.find", "list.copy-id", "app.back", "app.help")
    ACTS = ("list.open", "graph.ready", "list.copy-id")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(WAITS)
    CSS_PATH = "waits.tcss"

    def __init__(self, facts: Facts, task: str = "") -> None:
        super().__init__(facts)
        self.graph: Graph | None = None
        self.waits_wanted = task
        self._waits_board: Board | None = None
        self._waits_places: dict[str, Place] = {}

    def body(self) -> ComposeResult:
        self.rows = RowList(id="waits-list")
        self.said = Lines(id="waits-said")
        yield Pane(PaneHeader("waits on"), self.rows, id="waits", classes="pane")
        yield PaneHeader("why", id="waits-head")
        yield self.said

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.focus()

    def show(self, facts: Facts) -> None:
        if facts.board is not self._waits_board or self.graph is None:
            self._waits_board = facts.board
            self.post_message(AskGraph())

    def learn(self, value: object) -> None:
        if not isinstance(value, Graph):
            return
        self.graph, self._waits_places = value, places(value)
        header = self.query_one("#waits", Pane).pane_header
        header.set_title(graph_title(value))
        header.set_end(graph_end(value, self.symbols))
        self.rows.set_empty("No active task waits for anything. Esc goes back.")
        self.rows.set_rows(list(graph_rows(value, self.symbols)))
        if self.waits_wanted and self.rows.go(self.waits_wanted):
            self.waits_wanted = ""
        self._show_place()

    @property
    def place(self) -> Place | None:
        """What is under the cursor; None for a head."""
        return self._waits_places.get(self.rows.key)

    @on(RowList.Highlighted, "#waits-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_place()
        self.retell()

    def _show_place(self) -> None:
        place, graph = self.place, self.graph
        shown = place is not None and graph is not None
        self.query_one("#waits-head").display = self.said.display = shown
        if place is not None and graph is not None:
            self.said.set_lines(place_lines(place, graph, self.symbols))

    @on(RowList.Opened, "#waits-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        place = self.place
        if place is not None:
            self.post_message(Used(place.opens))
            self.post_message(AskTask(place.opens))

    # Actions.

    def why(self, action: str) -> str:
        if action in ("list.open", "list.copy-id") and self.place is None:
            return "no task is chosen"
        if action == "graph.ready" and self.graph is not None and not self.graph.ready:
            return "nothing is ready now"
        return ""

    def action_graph_ready(self) -> None:
        if not self.refused("graph.ready"):
            self.post_message(AskReadyOnly())

    def action_list_copy_id(self) -> None:
        place = self.place
        if place is not None:
            self.post_message(AskCopyText(place.opens, "the id"))

    def acts_title(self) -> str:
        place = self.place
        if place is None:
            return "waits on"
        return task_words(place.opens, self.symbols)

    def panes(self) -> Iterable[Widget]:
        return (self.rows,)
