"""TaskScreen: one task in full, in tabs; it reads nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import Row, row_of
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.keys import BOARD, DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopyText, AskRead, Facts
from mandrel_tui.ui.present import clock, words
from mandrel_tui.ui.present_board import card_sentence
from mandrel_tui.ui.present_draft import mends_index
from mandrel_tui.ui.present_task import claim_words
from mandrel_tui.ui.task_acts import TASK_ACTS, TaskActs
from mandrel_tui.ui.triage_messages import AskMend
from mandrel_tui.ui.widgets.flag_view import FlagView
from mandrel_tui.ui.widgets.task_view import TaskView


class TaskScreen(TaskActs):
    """The task of one name, active or archived, as it is now."""

    PLACE = BOARD
    ROW = (
        "list.open",
        "tab.next",
        "task.copy-prompt",
        "task.prompt",
        "task.launch",
        "task.check",
        "task.answer",
        "pane.zoom",
        "list.find",
        "app.back",
        "app.help",
    )
    ACTS = (*TASK_ACTS, "task.graph", "task.receipts", "list.copy-id", "app.undo")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(BOARD)
    CSS_PATH = "task.tcss"

    def __init__(self, facts: Facts, name: str, tab: str, line: int | None = None) -> None:
        super().__init__(facts)
        self.task_line = line
        self.task_name = name
        self.task_tab = tab
        self.row: Row | None = None
        self.fault = ""

    def body(self) -> ComposeResult:
        self.view = TaskView(id="task")
        yield self.view

    def on_mount(self) -> None:
        super().on_mount()
        self.view.show_tab(self.task_tab)
        self.view.focus_view.focus()

    def show(self, facts: Facts) -> None:
        found = facts.board.find(self.task_name) if facts.board is not None else None
        if found is not None and found.task is not None:
            self._show(found, found.task)
        elif self.row is not None:
            self.post_message(AskRead(self.task_name))  # it left the board, or is archived

    def take_task(self, name: str, task: Task | None, fault: str) -> None:
        if name != self.task_name:
            return
        self.fault = fault
        active = self.facts.board.find(name) if self.facts.board is not None else None
        if task is not None:
            archived = "/archive/" in task.path
            turn = active.turn if active is not None and not archived else None
            self._show(row_of(task, archived=archived, turn=turn), task)
        self.retell()

    def _show(self, row: Row, task: Task) -> None:
        self.row, self.fault = row, ""
        self.view.show_row(row, task, self.moment)
        if self.task_line is not None:
            self.view.go_to_line(self.task_line)
            self.task_line = None
        self._title(row, task)
        self.retell()

    def _title(self, row: Row, task: Task) -> None:
        changed = self.facts.changed.get(row.name)
        claimed = claim_words(task, self.symbols, self.moment).partition(" since")[0]
        end = f"changed {clock(changed)}" if changed is not None else claimed
        end = "archived" if row.archived else end
        self.view.set_title(words(row.slug, self.symbols), "" if self._narrow else end)

    @property
    def _narrow(self) -> bool:
        return "-stacked" in self.layout_names

    def laid_out(self) -> None:
        if self.row is not None and self.view.task_shown is not None:
            self._title(self.row, self.view.task_shown)

    def tick(self) -> None:
        self.view.task_log.entries.refresh()

    def sentence(self) -> Line:
        if self.fault:
            return line(words(self.fault, self.symbols), "fail")
        if self.row is None:
            return line("")
        return line(card_sentence(self.row, self.symbols, self.row.slug), "quiet")

    @property
    def acted(self) -> Row | None:
        return self.row

    @property
    def no_task(self) -> str:
        return self.fault or "it is not read yet"

    def why(self, action: str) -> str:
        if action == "board.filter":
            return "there is no list of tasks here"
        return super().why(action)

    def acts_title(self) -> str:
        return words(self.row.slug if self.row is not None else self.task_name, self.symbols)

    def panes(self) -> Iterable[Widget]:
        return (self.view.focus_view,)

    def pane_name(self, widget: Widget) -> str:
        return self.view.tab

    def action_tab_next(self) -> None:
        self.view.step_tab(1)

    def action_tab_prev(self) -> None:
        self.view.step_tab(-1)

    @on(FlagView.PlaceAsked)
    def _place_asked(self, event: FlagView.PlaceAsked) -> None:
        """A flag of another file than the task's was opened."""
        event.stop()
        if mends_index(event.found):
            self.post_message(AskMend())
        else:
            self.say(f"{event.found.file}: {event.found.hint}")

    def action_board_filter(self) -> None:
        self.refused("board.filter")

    def action_list_copy_id(self) -> None:
        """The sid of the entry under the cursor in the log, else the task's name."""
        log = self.view.task_log
        if self.view.tab == "log" and log.current is not None and log.log_task is not None:
            self.post_message(AskCopyText(log.log_task.entries[log.current].sid, "the sid"))
        else:
            self.post_message(AskCopyText(self.task_name, "the id"))
