"""LogView: a task's log as rows, the groups as timelines, the fields of the entry under the cursor;
it reads nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.clean import label
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.present_groups import timelines
from mandrel_tui.ui.present_task import (
    entry_row,
    entry_title,
    field_lines,
    task_sids,
)
from mandrel_tui.ui.symbols import Symbols
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.rows import Row, RowList
from mandrel_tui.ui.widgets.view import heed_size

EMPTY = "No session has written here yet."
DATED, AGED = 72, 64  # cells from which a row has room for its date, its age
ALARM = "alarm"  # the key of the row that tells of a log that was rewritten
ROUNDS = "groups: changes-requested rounds used of 2"


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: the entry's place in the log, and the session that wrote it."""

    position: int
    sid: str
    find: str
    head: bool = False

    @property
    def key(self) -> str:
        return f"{self.position} {self.sid}"


class LogView(Vertical):
    """The log of one task."""

    DEFAULT_CSS = """
    LogView { height: 1fr; }
    LogView #entries { height: 1fr; min-height: 2; }
    LogView #groups { max-height: 4; }
    LogView #fields { max-height: 9; }
    """

    class RawAsked(Message):
        """Show a line of the file, counted from 1."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    class AlarmAsked(Message):
        """Show what a rewritten log no longer says."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.log_brief = False
        self.log_alarm: Line | None = None
        self.log_task: Task | None = None
        self.log_now: datetime | None = None

    def compose(self) -> ComposeResult:
        yield RowList(draw=self._draw, empty=EMPTY, id="entries")
        yield PaneHeader(ROUNDS, id="groups-head")
        yield Lines(id="groups")
        yield PaneHeader(id="fields-head")
        yield Lines(id="fields")

    def on_mount(self) -> None:
        heed_size(self)

    @property
    def entries(self) -> RowList:
        """The list of entries."""
        return self.query_one("#entries", RowList)

    @property
    def current(self) -> int | None:
        """The place of the entry under the cursor."""
        key = self.entries.key
        return int(key.partition(" ")[0]) if key not in ("", ALARM) else None

    @property
    def rows_wanted(self) -> int:
        """The rows that all its entries and groups would take."""
        return max(len(self.entries.rows), 1) + len(self.query_one("#groups", Lines).lines)

    def set_brief(self, brief: bool) -> None:
        """Show rows and timelines alone, in one block, or the fields of an entry too."""
        self.log_brief = brief
        self.set_class(brief, "-brief")
        self._show_groups()
        self._show_entry()

    def show_task(self, task: Task | None, now: datetime) -> None:
        """Show a log, None for no task; the cursor follows new entries only from the last one."""
        last = self.log_task.entries if self.log_task is not None else ()
        same = self.log_task is not None and task is not None and self.log_task.name == task.name
        at_end = self.current == len(last) - 1 or not self.entries.key
        self.log_task, self.log_now = task, now
        self.entries.set_empty(EMPTY if task is not None else "")
        self._show_rows()
        if at_end or not same:
            self.entries.jump(-1)
        self._show_groups()
        self._show_entry()

    def set_alarm(self, alarm: Line | None) -> None:
        """The first row where the log was rewritten, None where it was not."""
        if alarm != self.log_alarm:
            self.log_alarm = alarm
            self._show_rows()

    def _show_rows(self) -> None:
        entries = self.log_task.entries if self.log_task is not None else ()
        rows = [Entry(at, entry.sid, label(entry.heading)) for at, entry in enumerate(entries)]
        alarm = [Row(ALARM, self.log_alarm.left)] if self.log_alarm is not None else []
        self.entries.set_rows([*alarm, *rows])

    def on_resize(self) -> None:
        if self.log_task is not None:
            self._show_groups()
            self._show_entry()

    @on(RowList.Highlighted)
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_entry()

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.key == ALARM:
            self.post_message(self.AlarmAsked())
        elif self.log_task is not None and self.current is not None:
            self.post_message(self.RawAsked(self.log_task.entries[self.current].line))

    def _draw(self, row: Entry | Row, cells: int) -> Line:
        if isinstance(row, Row):
            return Line(row.left)
        assert self.log_task is not None and self.log_now is not None
        sids = task_sids(self.log_task, self._symbols)
        dated, aged = cells >= DATED, cells >= AGED
        return entry_row(
            self.log_task, row.position, sids, self._symbols, self.log_now, dated=dated, aged=aged
        )

    def _show_groups(self) -> None:
        task = self.log_task
        cells = self.size.width - 2
        if cells < 1:
            return
        made: list[Line] = []
        if task is not None:
            prefix = "group " if self.log_brief else ""
            sids = task_sids(task, self._symbols)
            made = timelines(task, sids, cells, self._symbols, prefix=prefix)
        self.query_one("#groups", Lines).set_lines(made)
        self.query_one("#groups").display = bool(made)
        self.query_one("#groups-head").display = bool(made) and not self.log_brief

    def _show_entry(self) -> None:
        task, at = self.log_task, self.current
        entry = task.entries[at] if task is not None and at is not None else None
        shown = entry is not None and not self.log_brief
        self.query_one("#fields-head").display = shown
        self.query_one("#fields").display = shown
        if task is None or at is None or entry is None or not shown:
            return
        self.query_one("#fields-head", PaneHeader).set_title(entry_title(task, at))
        made = field_lines(entry, max(self.size.width - 2, 10), self._symbols)
        self.query_one("#fields", Lines).set_lines(made)

    @property
    def _symbols(self) -> Symbols:
        return self.entries.symbols
