"""TaskList: the tasks of a board by groups, one line each, and at the end a row for what is said of
no one task; it reads nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.listing import Choice, Group, Listing, listing
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_board import (
    Columns,
    board_row,
    columns,
    group_line,
    list_counts,
    list_title,
    notes_line,
)
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList

NOTES = "\0notes"  # a key no file name can have


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the list: a group's header, a task, or the row for the notes."""

    key: str
    head: bool = False
    find: str = ""
    group: Group | None = None
    row: Row | None = None


class TaskList(Pane):
    """The list pane of a board."""

    def __init__(self, *, id: str | None = None) -> None:
        self.list_rows = RowList(draw=self._draw, id="task-list")
        super().__init__(PaneHeader("tasks"), self.list_rows, id=id, classes="pane")
        self.list_board = Board(())
        self.list_read = False
        self.list_choice = Choice()
        self.list_layout: Collection[str] = ()
        self.list_now: datetime | None = None
        self.listing = Listing((), 0)
        self._list_columns = Columns(3, {})

    @property
    def on_notes(self) -> bool:
        """Whether the cursor is on the row for the notes."""
        return self.list_rows.key == NOTES

    @property
    def group(self) -> Group | None:
        """The group whose head is under the cursor."""
        key = self.list_rows.key
        return next((g for g in self.listing.groups if _head(g) == key), None)

    @property
    def row(self) -> Row | None:
        """The task under the cursor."""
        key = self.list_rows.key
        return self.list_board.find(key) if key else None

    def show_board(
        self, board: Board | None, choice: Choice, layout: Collection[str], now: datetime
    ) -> None:
        """Show what a choice leaves of a board, None before it is read; `layout` names the layouts
        that hold."""
        self.list_board, self.list_read = board or Board(()), board is not None
        self.list_choice, self.list_layout, self.list_now = choice, layout, now
        self.listing = listing(self.list_board, choice)
        self._list_columns = columns(self.listing.rows)
        self.list_rows.set_empty(self._empty())
        self.list_rows.set_rows(list(self._items()))
        self.pane_header.set_title(list_title(self.listing, self.list_board, choice))

    def show_end(self, reading: str) -> None:
        """The right end of the header: the progress of a reading, else how the list is made."""
        if reading:
            self.pane_header.set_end(reading)
        elif "-short" in self.list_layout:
            self.pane_header.set_end(list_counts(self.listing, self.list_rows.symbols))
        else:
            sort = self.list_choice.sort
            by = "by status" + ("" if sort == "name" else f", {sort}")
            self.pane_header.set_end(by if "-wide" in self.list_layout else "")

    def tick(self, now: datetime) -> None:
        """Time has passed: ages are others now."""
        self.list_now = now
        self.list_rows.refresh()

    def _items(self) -> Iterable[Item]:
        symbols = self.list_rows.symbols
        for group in self.listing.groups:
            if "-short" not in self.list_layout:
                yield Item(_head(group), head=True, group=group)
            for row in group.rows:
                yield Item(row.name, find=f"{row.name} {words(row.title, symbols)}", row=row)
        if self.list_board.notes:
            yield Item(NOTES, head=True)

    def _draw(self, item: Item, cells: int) -> Line:
        symbols = self.list_rows.symbols
        if item.group is not None:
            return group_line(item.group, symbols)
        if item.row is None or self.list_now is None:
            return notes_line(self.list_board, symbols)
        return board_row(
            item.row,
            self._list_columns,
            symbols,
            self.list_now,
            aged="-wide" in self.list_layout or "-stacked" in self.list_layout,
            mark="-short" in self.list_layout,
        )

    def _empty(self) -> str:
        if not self.list_read:
            return ""
        if self.list_choice.narrowed:
            return "No task is left. f changes the filter."
        return "No active task. n new task, f show archived."


def _head(group: Group) -> str:
    """The key of a group's head, which no file name can be."""
    return f"\0{group.name}"
