"""TaskScreen: one task in full, in tabs; it reads nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import Row, row_of
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.actions import BOARD
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.looking_messages import AskAccept, AskHistory, AskRestore, AskVersion
from mandrel_tui.ui.messages import AskCopyText, AskRead, Facts
from mandrel_tui.ui.present import clock, words
from mandrel_tui.ui.present_board import card_sentence
from mandrel_tui.ui.present_history import (
    History,
    Seen,
    alarm_line,
    history_rows,
    version_name,
)
from mandrel_tui.ui.present_task import claim_words
from mandrel_tui.ui.task_acts import TASK_ACTS
from mandrel_tui.ui.task_tabs import TaskTabs
from mandrel_tui.ui.widgets.log_view import ALARM, LogView
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import RowList
from mandrel_tui.ui.widgets.task_view import TaskView

RESTORE = "restore"  # the name of the offer to put a version back
ACCEPT = "take it as it is"  # the name of the offer to end the alarm of a rewritten log


class TaskScreen(TaskTabs):
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
    ACTS = (*TASK_ACTS, "list.copy-id", "app.undo")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(BOARD)
    CSS_PATH = "task.tcss"

    def __init__(self, facts: Facts, name: str, tab: str, line: int | None = None) -> None:
        super().__init__(facts)
        self.task_line = line
        self.task_name = name
        self.task_tab = tab
        self.history: History | None = None
        self.row: Row | None = None
        self.fault = ""

    def body(self) -> ComposeResult:
        self.task_view = TaskView(history=True, id="task")
        yield self.task_view

    def on_mount(self) -> None:
        super().on_mount()
        self.task_view.show_tab(self.task_tab)
        self.task_view.focus_view.focus()

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
            if active is not None and not archived:
                self._show(active, task)  # with the marks that the file alone does not tell
            else:
                self._show(row_of(task, archived=archived), task)
        self.retell()

    def _show(self, row: Row, task: Task) -> None:
        self.row, self.fault = row, ""
        known = self.task_view.task_shown
        self.task_view.show_row(row, task, self.moment)
        if known is None or known.sha256 != task.sha256:
            self.post_message(AskHistory(self.task_name))
        if self.task_line is not None:
            self.task_view.go_to_line(self.task_line)
            self.task_line = None
        self._title(row, task)
        self.retell()

    def _title(self, row: Row, task: Task) -> None:
        changed = self.facts.changed.get(row.name)
        claimed = claim_words(task, self.symbols, self.moment).partition(" since")[0]
        claimed = claimed.replace("claimed by ", "claimed ", 1)
        end = f"changed {clock(changed)}" if changed is not None else claimed
        end = "archived" if row.archived else end
        self.task_view.set_title(words(row.slug, self.symbols), "" if self._narrow else end)

    @property
    def _narrow(self) -> bool:
        return "-stacked" in self.layout_names

    def laid_out(self) -> None:
        if self.row is not None and self.task_view.task_shown is not None:
            self._title(self.row, self.task_view.task_shown)

    # What the file once said.

    def learn(self, value: object) -> None:
        if isinstance(value, History) and value.task == self.task_name:
            self.history = value
            self._show_history(value)

    def _show_history(self, history: History) -> None:
        alarm = alarm_line(history, self.symbols, self.moment) if history.alarm else None
        self.task_view.task_log.set_alarm(alarm)
        self.task_view.show_versions(list(history_rows(history, self.symbols, self.moment)))

    @property
    def version(self) -> Seen | None:
        """The version under the cursor of the history."""
        if self.history is None or self.task_view.tab != "history":
            return None
        return self.history.find(self.task_view.task_history.key)

    @on(RowList.Opened, "#task-history")
    def _version_opened(self, event: RowList.Opened) -> None:
        event.stop()
        self._show_version()

    def _show_version(self) -> None:
        version, history = self.version, self.history
        if version is not None and history is not None:
            self.post_message(AskVersion(history, history.before(version), version))

    @on(LogView.AlarmAsked)
    def _alarm_asked(self, event: LogView.AlarmAsked) -> None:
        event.stop()
        self._show_alarm()

    def _show_alarm(self) -> None:
        history = self.history
        if history is not None and history.alarm:
            kept = [seen for seen in history.versions if seen.sha256 == history.against]
            last = replace(history.versions[-1], words=history.alarm)
            self.post_message(AskVersion(history, kept[-1] if kept else None, last))

    @property
    def alarmed(self) -> Seen | None:
        """The version whose log was rewritten, where the cursor is on what is said of that."""
        history = self.history
        if history is None or not history.alarm or self.task_view.tab != "log":
            return None
        return history.versions[-1] if self.task_view.task_log.entries.key == ALARM else None

    def _offer_alarm(self, version: Seen) -> None:
        def chosen(name: str) -> None:
            if name == ACCEPT:
                self.post_message(AskAccept(self.task_name, version))
            else:
                self._show_alarm()

        offers = (
            Offer("open", "difference", right=self.keys["list.open"].key),
            Offer(ACCEPT, ACCEPT, note="What it no longer says is no alarm any more."),
        )
        self.ask(Picker("a rewritten log", offers), chosen)

    def action_app_actions(self) -> None:
        """In the history the focused thing is a version, above a rewritten log what is said of
        it."""
        version = self.version
        if self.alarmed is not None:
            self._offer_alarm(self.alarmed)
            return
        if version is None:
            super().action_app_actions()
            return

        def chosen(name: str) -> None:
            if name == RESTORE:
                self.post_message(AskRestore(self.task_name, version))
            else:
                self._show_version()

        title = version_name(version, self.moment)
        self.ask(Picker(title, self.version_offers()), chosen)

    def version_offers(self) -> Iterable[Offer]:
        """What can be done with the version under the cursor."""
        note = "How it differs from the one before."
        yield Offer("open", "difference", right=self.keys["list.open"].key, note=note)
        archived = self.row is not None and self.row.archived
        reason = "it is archived, and the archive is not written to" if archived else ""
        yield Offer(RESTORE, RESTORE, note="The exact difference is shown first.", reason=reason)

    def tick(self) -> None:
        self.task_view.task_log.entries.refresh()

    def sentence(self) -> Line:
        if self.fault:
            return line(words(self.fault, self.symbols), "fail")
        if self.row is None:
            return line("")
        return line(card_sentence(self.row, self.symbols, self.row.slug, self.moment), "quiet")

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
        return (self.task_view.focus_view,)

    def pane_name(self, widget: Widget) -> str:
        return self.task_view.tab

    def action_board_filter(self) -> None:
        self.refused("board.filter")

    def action_list_copy_id(self) -> None:
        """The sid of the entry under the cursor in the log, else the task's name."""
        log = self.task_view.task_log
        if self.task_view.tab == "log" and log.current is not None and log.log_task is not None:
            self.post_message(AskCopyText(log.log_task.entries[log.current].sid, "the sid"))
        else:
            self.post_message(AskCopyText(self.task_name, "the id"))
