"""RecoveryScreen: a closeout that was interrupted, before anything else: what is done of it, and
what finishing or rolling back would do; it does neither itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import slug
from mandrel_tui.ui.actions import RECOVERY
from mandrel_tui.ui.desk_messages import AskRecover
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_closed import (
    Interrupted,
    bytes_words,
    interrupted_title,
    left_words,
    recovery_lines,
    recovery_row,
)
from mandrel_tui.ui.widgets.file_diff import FileDiff
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList


@dataclass(frozen=True, slots=True)
class StepRow:
    """One row of the list; the last one is the commit."""

    key: str
    at: int
    find: str = ""
    head: bool = False


class RecoveryScreen(Frame):
    """One interrupted closeout; the focus is on the list, which only looks."""

    PLACE = RECOVERY
    ROW = ("recovery.differences", "recovery.finish", "recovery.roll-back", "app.back", "app.help")
    ACTS = ("recovery.differences", "recovery.finish", "recovery.roll-back", "list.copy-id")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(RECOVERY)
    CSS_PATH = "recovery.tcss"

    def __init__(self, facts: Facts, found: Interrupted) -> None:
        super().__init__(facts)
        self.found = found
        self.busy = ""

    def body(self) -> ComposeResult:
        self.steps = RowList(draw=self._draw, id="steps-list")
        self.file = FileDiff(id="differences")
        yield Pane(PaneHeader("recovery"), self.steps, id="recovery", classes="pane")
        yield Lines(id="choices")
        yield self.file

    def on_mount(self) -> None:
        super().on_mount()
        self._show()
        self.steps.focus()

    def learn(self, value: object) -> None:
        mine = isinstance(value, Interrupted) and value.task == self.found.task
        if isinstance(value, Interrupted) and mine and self.in_place:
            self.found, self.busy = value, ""
            self._show()
            self.retell()

    def _show(self) -> None:
        found = self.found
        header = self.query_one("#recovery", Pane).pane_header
        header.set_title(interrupted_title(found, self.moment))
        header.set_end(words(slug(found.task), self.symbols))
        rows = [StepRow(step.path, at, step.path) for at, step in enumerate(found.steps)]
        last = [StepRow("\0commit", len(found.steps))] if found.message else []
        self.steps.set_rows([*rows, *last])
        self.query_one("#choices", Lines).set_lines(recovery_lines(found, self.symbols))
        self._show_step()

    def _draw(self, row: StepRow, cells: int) -> Line:
        return recovery_row(row.at, self.found, self.symbols, cells)

    def _show_step(self) -> None:
        step = next((s for s in self.found.steps if s.path == self.steps.key), None)
        if step is None:
            self.file.show_nothing("differences", "A commit has no text of its own.")
            return
        now = "as planned" if step.now == step.edit.after else "as before"
        if step.now not in (step.edit.before, step.edit.after):
            now = f"neither, {bytes_words(step.now)}"
        edit, path = step.edit, words(step.path, self.symbols)
        sides, empty = (f"{path}, before", "planned"), "Only its stamps change."
        end = f"now {now}"
        self.file.show_file(path, edit.before, edit.after, sides, empty=empty, end=end)

    def sentence(self) -> Line:
        if self.busy:
            return line(self.busy, "you")
        name = words(slug(self.found.task), self.symbols)
        return line(f"next  {name}: {left_words(self.found)}", "quiet")

    def labels(self) -> Mapping[str, str]:
        return {"app.back": "later"}

    def acts_title(self) -> str:
        return words(slug(self.found.task), self.symbols)

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.steps, self.file.diff) if w in self.focus_chain)

    @on(RowList.Highlighted, "#steps-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_step()

    @on(RowList.Opened, "#steps-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.action_recovery_differences()

    def why(self, action: str) -> str:
        if action in ("recovery.finish", "recovery.roll-back") and self.busy:
            return self.busy
        if action == "recovery.finish" and self.found.conflicts:
            return self.found.conflicts[0].words
        return ""

    def action_recovery_differences(self) -> None:
        """Each file before, now and as planned."""
        self.set_class(not self.has_class("-diff"), "-diff")
        (self.file.diff if self.has_class("-diff") else self.steps).focus()

    def action_app_back(self) -> None:
        if self.has_class("-diff"):
            self.action_recovery_differences()
        else:
            super().action_app_back()

    def action_recovery_finish(self) -> None:
        self._recover("recovery.finish", True)

    def action_recovery_roll_back(self) -> None:
        self._recover("recovery.roll-back", False)

    def _recover(self, action: str, finish: bool) -> None:
        if not self.refused(action):
            self.busy = "finishing" if finish else "rolling back"
            self.retell()
            self.post_message(AskRecover(self.found.task, finish))

    def action_list_copy_id(self) -> None:
        self.post_message(AskCopyText(self.found.task, "the id"))
