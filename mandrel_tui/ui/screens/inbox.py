"""InboxScreen: what waits for the human, oldest first, with all it takes to decide; it settles
nothing itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.inbox import Item
from mandrel_tui.ui.actions import INBOX
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopyText, AskSettle, Facts, Used
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_inbox import (
    Columns,
    columns,
    detail,
    empty_inbox,
    inbox_row,
    inbox_title,
    key_of,
    opens,
    whose,
)
from mandrel_tui.ui.present_session import out_sentence
from mandrel_tui.ui.task_acts import TaskActs
from mandrel_tui.ui.widgets.filter import KindFilter
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList

INBOX_ACTS = ("task.copy-prompt", "task.launch", "task.check", "task.answer", "task.closeout")


@dataclass(frozen=True, slots=True)
class Owed:
    """One row of the list."""

    key: str
    item: Item
    find: str
    head: bool = False


class InboxScreen(TaskActs):
    """The inbox of one repository."""

    PLACE = INBOX
    ROW = (
        "list.open",
        "task.copy-prompt",
        "task.launch",
        "task.check",
        "task.answer",
        "board.filter",
        "list.find",
        "list.copy-id",
        "app.board",
        "app.go",
        "app.help",
    )
    ACTS = ("list.open", *INBOX_ACTS, "list.copy-id")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(INBOX)
    CSS_PATH = "inbox.tcss"

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.kinds: frozenset[str] = frozenset()
        self.columns = Columns({}, 0)

    def body(self) -> ComposeResult:
        self.items = RowList(draw=self._draw, id="inbox-list")
        self.text = Lines(id="inbox-text")
        self.text.can_focus = True
        with Horizontal(id="inbox"):
            yield Pane(PaneHeader("inbox"), self.items, id="owed", classes="pane")
            yield Pane(PaneHeader("item"), self.text, id="item", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.items.focus()

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        return next((i for i in self._shown() if key_of(i) == self.items.key), None)

    @property
    def row(self) -> Row | None:
        """The board's row of its task."""
        item, board = self.item, self.facts.board
        return board.find(item.task) if item is not None and board is not None else None

    def _shown(self) -> list[Item]:
        return [item for item in self.facts.items if not self.kinds or item.kind in self.kinds]

    def show(self, facts: Facts) -> None:
        header = self.query_one("#owed", Pane).pane_header
        header.set_end(facts.reading or "this repository")
        if facts.board is None:
            return
        shown = self._shown()
        header.set_title(inbox_title(shown, facts.items, self.kinds))
        self.items.set_empty(empty_inbox(facts.board.active, bool(self.kinds)))
        self._columns()
        self.items.set_rows([Owed(key_of(i), i, f"{i.kind} {i.task} {i.words}") for i in shown])
        self._show_item()

    def laid_out(self) -> None:
        if self.is_mounted:
            self._columns()
            self._heights()

    def _columns(self) -> None:
        self.columns = columns(self.facts.items, self.size.width)

    def _heights(self) -> None:
        """Beside each other both are as high as there is room; under each other the list takes
        what its rows need, at most half."""
        wide = "-wide" in self.layout_names
        most = max(self.query_one("#inbox").size.height // 2, 3)
        rows = max(len(self.items.rows), 1) + 1
        self.query_one("#owed", Pane).styles.height = "1fr" if wide else min(rows, most)

    def _draw(self, row: Owed, cells: int) -> Line:
        return inbox_row(row.item, self.columns, self.symbols, self.moment)

    @on(RowList.Highlighted, "#inbox-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_item()
        self.text.jump(0)
        self.retell()

    def _show_item(self) -> None:
        item = self.item
        self._heights()
        self.query_one("#item", Pane).display = item is not None
        if item is not None:
            self.query_one("#item", Pane).pane_header.set_title(item.cause)
            self.text.set_lines(detail(item, self.row, self.symbols))

    def tick(self) -> None:
        self.items.refresh()

    def sentence(self) -> Line:
        rows = self.facts.board.active if self.facts.board is not None else ()
        out = out_sentence(rows, self.symbols, self.moment)
        return line(f"out  {out}", "quiet") if out else line("")

    # Actions.

    @property
    def acted(self) -> Row | None:
        return self.row

    def why(self, action: str) -> str:
        if action in ("list.open", "list.copy-id") and self.item is None:
            return "nothing waits for you"
        return super().why(action)

    @on(RowList.Opened, "#inbox-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        item = self.item
        if item is not None:
            if item.task:
                self.post_message(Used(item.task))
            self.post_message(AskSettle(item))

    def action_list_copy_id(self) -> None:
        item = self.item
        if item is not None and item.task:
            self.post_message(AskCopyText(item.task, "the id"))

    def action_board_filter(self) -> None:
        counts = Counter(item.kind for item in self.facts.items)
        self.app.push_screen(KindFilter(self.kinds, counts, self._narrow))

    def _narrow(self, kinds: frozenset[str]) -> None:
        self.kinds = kinds
        self.show(self.facts)

    def labels(self) -> Mapping[str, str]:
        item = self.item
        return {"list.open": opens(item, self.row)} if item is not None else super().labels()

    def acts_title(self) -> str:
        item = self.item
        if item is None:
            return "inbox"
        return words(whose(item), self.symbols)

    def panes(self) -> Iterable[Widget]:
        return (self.items, self.text)
