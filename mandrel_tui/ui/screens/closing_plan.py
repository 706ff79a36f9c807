"""ClosingPlanScreen: what closing a task out changes, file by file, before it is done; it changes
nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.ui.actions import CLOSING
from mandrel_tui.ui.applying import Applying
from mandrel_tui.ui.desk_messages import AskApply, AskPlan
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line, plain
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present import capital, words
from mandrel_tui.ui.present_desk import desk_title, left_out_words, next_line, undecided_words
from mandrel_tui.ui.present_plan import (
    APPLYING,
    PLANNED,
    STOPPED,
    FileChange,
    PlanSheet,
    change_row,
    memory_words,
    plan_title,
)
from mandrel_tui.ui.present_review import open_words
from mandrel_tui.ui.triage_messages import AskEdit
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.file_diff import FileDiff
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.preconditions import Preconditions
from mandrel_tui.ui.widgets.rows import RowList


@dataclass(frozen=True, slots=True)
class Planned:
    """One row of the list."""

    key: str
    change: FileChange
    head: bool = False

    @property
    def find(self) -> str:
        return self.change.path


class ClosingPlanScreen(Applying):
    """The third step of a closeout: look, then do all of it."""

    PLACE = CLOSING
    STEP = "plan"
    ROW = (
        "text.ok",
        "list.open",
        "apply.accept",
        "apply.reject",
        "apply.edit",
        "tab.prev",
        "app.undo",
        "app.back",
        "app.help",
    )
    ACTS = (
        "text.ok",
        "list.open",
        "apply.accept",
        "apply.reject",
        "apply.edit",
        "app.undo",
        "list.copy-id",
    )
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(CLOSING)
    CSS_PATH = "closing_plan.tcss"

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.sheet = PlanSheet(desk.name)

    def step_body(self) -> ComposeResult:
        self.changes = RowList(draw=self._draw, empty="planning", id="changes-list")
        self.file = FileDiff(id="change")
        self.output = Exact(id="output-text")
        yield Pane(PaneHeader("plan"), self.changes, id="changes", classes="pane")
        yield self.file
        self.preconditions = Preconditions(id="preconditions")
        yield self.preconditions
        yield Pane(PaneHeader("git said"), self.output, id="output", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.changes.focus()

    @property
    def applying(self) -> bool:
        return self.sheet.stage == APPLYING

    @property
    def change(self) -> FileChange | None:
        """The change under the cursor."""
        return next((c for c in self.sheet.changes if c.path == self.changes.key), None)

    # What is on it.

    def show_desk(self) -> None:
        if self.sheet.stage == PLANNED:
            self.post_message(AskPlan())

    def learn(self, value: object) -> None:
        super().learn(value)
        if isinstance(value, PlanSheet) and value.task == self.desk.name and self.in_place:
            self.sheet = value
            self._show()
            self.retell()

    def _show(self) -> None:
        sheet, symbols = self.sheet, self.symbols
        header = self.query_one("#changes", Pane).pane_header
        header.set_title(plan_title(sheet))
        header.set_end(memory_words(sheet, symbols))
        self.changes.set_empty("no plan" if sheet.fault else "nothing changes")
        self.changes.set_rows([Planned(change.path, change) for change in sheet.changes])
        self.preconditions.show_sheet(sheet, symbols)
        self.set_class(bool(sheet.said), "-said")
        self.output.set_text(sheet.said)
        self._show_change()

    def _draw(self, row: Planned, cells: int) -> Line:
        return change_row(row.change, self.sheet, self.desk.accepted, self.symbols, cells)

    def _show_change(self) -> None:
        change = self.change
        if not self.has_class("-diff") or change is None:
            return
        edit, path = change.edit, words(change.path, self.symbols)
        sides = (f"{path}, now", "as it will be")
        empty = "Only its stamps change." if edit.before else "It is empty."
        self.file.show_file(path, edit.before, edit.after, sides, empty=empty)

    def sentence(self) -> Line:
        title, sheet = plain(desk_title(self.desk, self.symbols)), self.sheet
        if sheet.fault:
            return line(f"nothing can be planned: {words(sheet.fault, self.symbols)}", "fail")
        if sheet.stage == APPLYING:
            return line(f"{title}: being applied", "you")
        if sheet.stage == STOPPED:
            again = "ctrl+o tries again, Esc leaves it for recovery"
            return line(f"{words(sheet.problem, self.symbols)}; {again}", "fail")
        if sheet.plan is None:
            return line(f"{title}: planning", "quiet")
        left = [said for said in (left_out_words(self.desk), *self._left()) if said]
        return next_line(self.desk, "; ".join(left) or "nothing is written yet", self.symbols)

    def _left(self) -> list[str]:
        """What is undecided, in words."""
        left = [open_words(self.desk, self.symbols)] if self.desk.undecided else []
        if self.desk.sheet.undecided and self.desk.source.kind == FACTS:
            left.append(undecided_words(self.desk))
        return left

    def labels(self) -> Mapping[str, str]:
        again = self.sheet.stage == STOPPED
        named = {"text.ok": "try again" if again else "apply", "list.open": "diff"}
        return {**super().labels(), **named}

    def acts_title(self) -> str:
        return "plan"

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.changes, self.file.diff, self.output) if w in self.focus_chain)

    # Looking.

    @on(RowList.Highlighted, "#changes-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_change()
        self.retell()

    @on(RowList.Opened, "#changes-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.add_class("-diff")
        self._show_change()
        self.file.diff.focus()

    def action_app_back(self) -> None:
        if self.has_class("-diff"):
            self.remove_class("-diff")
            self.changes.focus()
        else:
            super().action_app_back()

    # Deciding.

    def why(self, action: str) -> str:
        sheet, change = self.sheet, self.change
        if self.applying:
            return super().why(action)
        if action in ("apply.accept", "apply.reject", "apply.edit"):
            if sheet.stage != PLANNED:
                return "it is carried out already"
            return "" if change is not None and change.task else "this is no other task"
        if action == "text.ok":
            return self._no_apply()
        if action == "tab.next":
            return "nothing is applied yet"
        if action in ("tab.prev", "app.undo") and sheet.stage == STOPPED:
            return "it is half applied: try again, or leave it for recovery"
        return super().why(action)

    def _no_apply(self) -> str:
        sheet = self.sheet
        if sheet.stage == STOPPED:
            return ""
        if sheet.plan is None:
            return sheet.fault or "it is not planned yet"
        if sheet.failed:
            return f"{sheet.failed[0].id}: {sheet.failed[0].detail}"
        if not sheet.changes:
            return "nothing changes"
        for change in self._open:
            return f"the reconciliation of {change.task} is undecided: a accepts it, r rejects it"
        return ""

    @property
    def _open(self) -> list[FileChange]:
        """The reconciliations nobody decided."""
        accepted = self.desk.accepted
        return [c for c in self.sheet.changes if c.task and c.task not in accepted]

    def action_apply_accept(self) -> None:
        self._answer("apply.accept", True)

    def action_apply_reject(self) -> None:
        self._answer("apply.reject", False)

    def _answer(self, action: str, accepted: bool) -> None:
        change = self.change
        if not self.refused(action) and change is not None:
            self.decide(self.desk.accept(change.task, accepted))
            self.changes.refresh()
            self.changes.step(1)

    def action_apply_edit(self) -> None:
        """Another change of that task, in its form or in the person's editor."""
        change = self.change
        if not self.refused("apply.edit") and change is not None:
            self.post_message(AskEdit(change.task))

    # Doing.

    def action_text_ok(self) -> None:
        if self.refused("text.ok"):
            self._go_to_open()
            return
        left = self._left()
        if not left or self.sheet.stage == STOPPED:
            self.post_message(AskApply())
            return
        said = [*(line(f"{capital(words)}.") for words in left)]
        said.append(line("What is undecided counts as rejected: it does not enter memory."))
        choices = (
            Choice("leave", "Look again", "n"),
            Choice("apply", "Apply without it", "y"),
        )
        self.ask(Question("not everything is decided", said, choices, "leave"), self._sure)

    def _go_to_open(self) -> None:
        """Put the cursor on what must be decided first, where that is all that is missing."""
        if self._open and not self.sheet.failed and not self.applying:
            self.changes.go(self._open[0].path)

    def _sure(self, answer: str) -> None:
        if answer == "apply":
            self.post_message(AskApply())

    def action_list_copy_id(self) -> None:
        change = self.change
        if change is not None:
            self.post_message(AskCopyText(change.path, "the path"))
