"""BoardScreen: what is next, for every task: the list by groups, the next card, the task in tabs;
it reads nothing and writes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widget import Widget

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.actions import BOARD
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.listing import Choice
from mandrel_tui.ui.messages import (
    AskArchived,
    AskCopyText,
    AskRead,
    AskReady,
    AskTask,
    Facts,
    Used,
)
from mandrel_tui.ui.present import clock
from mandrel_tui.ui.present_board import Ready, card, group_card
from mandrel_tui.ui.present_desk import no_closeout
from mandrel_tui.ui.present_session import out_sentence
from mandrel_tui.ui.task_acts import TASK_ACTS
from mandrel_tui.ui.task_tabs import TaskTabs
from mandrel_tui.ui.triage_messages import AskMend, Wrote
from mandrel_tui.ui.widgets.filter import Filter
from mandrel_tui.ui.widgets.flag_view import FlagView
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.log_view import LogView
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList
from mandrel_tui.ui.widgets.task_list import NOTES, TaskList
from mandrel_tui.ui.widgets.task_view import TaskView

SETTLE = 0.06  # seconds the cursor rests before the detail follows


class BoardScreen(TaskTabs):
    """The board of one repository."""

    PLACE = BOARD
    ROW = (
        "task.copy-prompt",
        "task.prompt",
        "task.launch",
        "task.check",
        "task.answer",
        "task.new",
        "app.actions",
        "list.find",
        "board.filter",
        "app.go",
        "list.open",
        "app.help",
    )
    ACTS = (
        "list.open",
        *TASK_ACTS,
        "task.new",
        "list.copy-id",
        "app.undo",
    )
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(BOARD)
    CSS_PATH = "board.tcss"

    def __init__(self, facts: Facts, choice: Choice | None = None) -> None:
        super().__init__(facts)
        self.choice = choice or Choice()
        self.ready: Ready | None = None
        self._board_begun = False
        self._board_wanted = ""  # a task that was just written: the cursor goes there
        self._board_timer: Timer | None = None

    # What is on it.

    def body(self) -> ComposeResult:
        self.task_list = TaskList(id="tasks")
        self.task_view = TaskView(id="detail")
        self.notes = FlagView("Nothing to note.", id="notes")
        self.log_view = LogView(id="log")
        with Horizontal(id="board"):
            yield self.task_list
            with Vertical(id="side"):
                yield PaneHeader("next", id="next-head")
                yield Lines(limit=3, id="card")
                with Vertical(id="work"):
                    yield self.task_view
                    yield Pane(PaneHeader("log"), self.log_view, id="log-pane", classes="pane")
                yield Pane(PaneHeader("notes"), self.notes, id="notes-pane", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.tasks.focus()

    @property
    def tasks(self) -> RowList:
        """The rows of the list."""
        return self.task_list.list_rows

    @property
    def row(self) -> Row | None:
        """The task under the cursor."""
        return self.task_list.row

    @property
    def board(self) -> Board:
        """The board as last read; an empty one before."""
        return self.facts.board or Board(())

    def laid_out(self) -> None:
        names = self.layout_names
        if self.is_mounted:
            self.task_view.hide_tabs(("log",) if "-tall" in names else ())
            self.log_view.set_brief("-beside" not in names)
            self._show_list()
            self._settle()

    def show(self, facts: Facts) -> None:
        if facts.board is None:
            self.task_list.show_end(facts.reading)
            return
        self.ready = None
        self._show_list()
        if not self._board_begun:
            self._board_begun = True
            self._first_place()
        if self._board_wanted and self.tasks.go(self._board_wanted):
            self._board_wanted = ""
        self._settle()

    def _first_place(self) -> None:
        """The cursor begins on the task used last, else on the first in which you owe something."""
        rows = self.task_list.listing.rows
        first = next((row for row in rows if row.yours), None)
        start = first or next(iter(rows), None)
        if start is not None and not self.tasks.go(self.facts.last):
            self.tasks.go(start.name)

    def _show_list(self) -> None:
        board, names = self.facts.board, self.layout_names
        self.task_list.show_board(board, self.choice, names, self.moment)
        self.task_list.show_end(self.facts.reading)

    # The task under the cursor.

    @on(RowList.Highlighted, "#task-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.ready = None
        if self._board_timer is not None:
            self._board_timer.stop()
        self._board_timer = self.set_timer(SETTLE, self._settle)
        self.retell()

    def _settle(self) -> None:
        """The cursor rests: the card, the detail and what could be copied follow."""
        self._show_card()
        notes = self.task_list.on_notes
        self.set_class(notes, "-notes")
        if notes:
            self.notes.show_flags(self.board.notes)
        row = self.row
        self._show_task(row.task if row is not None else None)
        if row is not None and row.archived:
            self.post_message(AskRead(row.name))
        elif row is not None and row.unread is None:
            self.post_message(AskReady(row.name))
        self.retell()

    def _show_task(self, task: Task | None) -> None:
        self.task_view.show_row(self.row, task, self.moment)
        if "-tall" in self.layout_names:
            self.log_view.show_task(task, self.moment)
            entries = len(task.entries) if task is not None else 0
            pane = self.query_one("#log-pane", Pane)
            pane.pane_header.set_title(f"log {entries}")
            if "-beside" not in self.layout_names:
                most = self.query_one("#work").size.height * 2 // 5
                pane.styles.height = min(self.log_view.rows_wanted + 1, max(most, 6))
            else:
                pane.styles.height = "100%"

    def take_task(self, name: str, task: Task | None, fault: str) -> None:
        if name == self.tasks.key and task is not None:
            self._show_task(task)

    def tick(self) -> None:
        self.task_list.tick(self.moment)
        self._show_card()
        self.log_view.entries.refresh()

    def take_ready(self, ready: Ready) -> None:
        """What `c` would do for a task."""
        if ready.task == self.tasks.key:
            self.ready = ready
            self._show_card()

    def _show_card(self) -> None:
        row, lines = self.row, self.query_one("#card", Lines)
        alone = row is not None and "-pocket" in self.layout_names
        title = f"next: {self.short_name(row)}" if alone and row is not None else "next"
        self.query_one("#next-head", PaneHeader).set_title(title)
        if row is None:
            group = self.task_list.group
            folded = self.tasks.key in self.tasks.row_folded
            said = group_card(group, folded) if group is not None else ()
            lines.set_lines(said or [line(self._no_row(), "quiet")])
            return
        when = self.facts.changed.get(row.name)
        changed = clock(when) if when is not None else ""
        wide = "-wide" in self.layout_names
        now = self.moment
        lines.set_lines(card(row, self.symbols, self.ready, now=now, wide=wide, changed=changed))

    def _no_row(self) -> str:
        if self.facts.board is None:
            return self.facts.reading or "reading"
        if self.task_list.on_notes:
            return "What is said of no one task. Enter goes to the notes."
        return "Nothing is next."

    def sentence(self) -> Line:
        out = out_sentence(self.board.active, self.symbols, self.moment)
        return line(f"out  {out}", "quiet") if out else line("")

    # Actions.

    def row_keys(self) -> tuple[str, ...]:
        """The closeout comes first where it is next."""
        row = self.row
        close = row is not None and not row.archived and not no_closeout(row)
        return ("task.closeout", *self.ROW) if close else self.ROW

    @property
    def acted(self) -> Row | None:
        return self.row

    def why(self, action: str) -> str:
        if action == "task.edit" and self.task_list.on_notes:
            return ""
        return super().why(action)

    def action_task_edit(self) -> None:
        if self.task_list.on_notes:
            self.post_message(AskMend())
        else:
            super().action_task_edit()

    @on(RowList.Opened, "#task-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.post_message(Used(event.key))
        self.post_message(AskTask(event.key))

    @on(RowList.Folded, "#task-list")
    def _folded(self, event: RowList.Folded) -> None:
        event.stop()
        if event.key == NOTES:
            self.notes.flags.focus()

    def action_list_copy_id(self) -> None:
        row = self.row
        if row is not None:
            self.post_message(AskCopyText(row.name, "the id"))

    def show_notes(self) -> None:
        """Go to what is said of no one task."""
        if self.tasks.go(NOTES):
            self._settle()
            self.notes.flags.focus()

    def learn(self, value: object) -> None:
        if isinstance(value, Wrote) and value.task:
            self._board_wanted = value.task

    def narrow(self, choice: Choice) -> None:
        """Show what another choice leaves."""
        archived = choice.archived != self.choice.archived
        self.choice = choice
        if archived:
            self.post_message(AskArchived(choice.archived))
        self._show_list()
        self._settle()

    def action_board_filter(self) -> None:
        counts = Counter(row.group for row in self.board.active)
        self.app.push_screen(Filter(self.choice, counts, self.narrow))

    def acts_title(self) -> str:
        return self.short_name(self.row) if self.row is not None else "tasks"

    def panes(self) -> Iterable[Widget]:
        shown = (self.tasks, self.task_view.focus_view, self.log_view.entries, self.notes.flags)
        return (widget for widget in shown if widget in self.focus_chain)
