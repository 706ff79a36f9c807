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
from mandrel_tui.protocol.proposal import Document, Review
from mandrel_tui.ui.desk_messages import AskApply, AskPlan
from mandrel_tui.ui.keys import CLOSING, DEFAULTS
from mandrel_tui.ui.line import Line, line, plain
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_desk import desk_title, undecided_words
from mandrel_tui.ui.present_plan import (
    APPLYING,
    PLANNED,
    STOPPED,
    FileChange,
    PlanSheet,
    change_row,
    commit_title,
    commit_words,
    ground_lines,
    memory_words,
    plan_title,
)
from mandrel_tui.ui.present_review import open_words
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.triage_messages import AskEdit
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.diff_header import DiffHeader
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
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


class ClosingPlanScreen(StepScreen):
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
        self.diff = Diff(plain=True, id="change-diff")
        self.output = Exact(id="output-text")
        yield Pane(PaneHeader("plan"), self.changes, id="changes", classes="pane")
        yield Pane(DiffHeader(self.diff), self.diff, id="change", classes="pane")
        yield PaneHeader("before the first byte", id="ground-head")
        yield Lines(id="ground")
        yield PaneHeader("commit", id="commit-head")
        yield Pane(PaneHeader("git said"), self.output, id="output", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.changes.focus()

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
        self.query_one("#ground", Lines).set_lines(ground_lines(sheet, symbols))
        head = self.query_one("#commit-head", PaneHeader)
        head.set_title(commit_title(sheet, symbols))
        head.set_end(commit_words(sheet, symbols))
        self.set_class(bool(sheet.said), "-said")
        self.output.set_text(sheet.said)
        self._show_change()

    def _draw(self, row: Planned, cells: int) -> Line:
        return change_row(row.change, self.sheet, self.desk.accepted, self.symbols, cells)

    def _show_change(self) -> None:
        change = self.change
        if not self.has_class("-diff") or change is None:
            return
        document = Document(change.path, change.edit.before, change.edit.after)
        header = self.query_one("#change", Pane).pane_header
        assert isinstance(header, DiffHeader)
        path = words(change.path, self.symbols)
        header.set_title(path)
        header.set_sides(f"{path}, now", "as it will be")
        self.diff.set_empty("Only its stamps change." if change.edit.before else "It is empty.")
        self.diff.show_review(Review.of(document), hunk=0)

    def sentence(self) -> Line:
        title, sheet = plain(desk_title(self.desk, self.symbols)), self.sheet
        if sheet.fault:
            return line(f"nothing can be planned: {words(sheet.fault, self.symbols)}", "fail")
        if sheet.stage == APPLYING:
            return line(f"{title}: being applied", "you")
        if sheet.stage == STOPPED:
            again = "ctrl+o tries again, Esc leaves it for recovery"
            return line(f"{words(sheet.problem, self.symbols)}; {again}", "fail")
        left = self._left()
        return line(f"next  {title}: {'; '.join(left) or 'nothing is written yet'}", "quiet")

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
        return (w for w in (self.changes, self.diff, self.output) if w in self.focus_chain)

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
        self.diff.focus()

    def action_app_back(self) -> None:
        if self.has_class("-diff"):
            self.remove_class("-diff")
            self.changes.focus()
        elif not self._waits():
            super().action_app_back()

    def action_app_quit(self) -> None:
        if not self._waits():
            super().action_app_quit()

    def action_app_board(self) -> None:
        if not self._waits():
            super().action_app_board()

    def action_app_inbox(self) -> None:
        if not self._waits():
            super().action_app_inbox()

    def action_app_go(self) -> None:
        if not self._waits():
            super().action_app_go()

    async def top_pressed(self, name: str) -> None:
        if not self._waits():
            await super().top_pressed(name)

    def _waits(self) -> bool:
        """Say that keys wait, while the plan is carried out."""
        applying = self.sheet.stage == APPLYING
        if applying:
            self.say("it is being applied; keys wait", "you")
        return applying

    # Deciding.

    def why(self, action: str) -> str:
        sheet, change = self.sheet, self.change
        if action.startswith(("apply.", "tab.", "text.", "app.undo")) and sheet.stage == APPLYING:
            return "it is being applied"
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
        open_ = [r.name for r in sheet.reconciliations if r.name not in self.desk.accepted]
        if open_:
            return f"the reconciliation of {open_[0]} is undecided: a accepts it, r rejects it"
        return ""

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
            return
        left = self._left()
        if not left or self.sheet.stage == STOPPED:
            self.post_message(AskApply())
            return
        said = [*(line(f"{words[:1].upper()}{words[1:]}.") for words in left)]
        said.append(line("What is undecided counts as rejected: it does not enter memory."))
        choices = (
            Choice("leave", "Look again", "n"),
            Choice("apply", "Apply without it", "y"),
        )
        self.ask(Question("not everything is decided", said, choices, "leave"), self._sure)

    def _sure(self, answer: str) -> None:
        if answer == "apply":
            self.post_message(AskApply())

    def action_list_copy_id(self) -> None:
        change = self.change
        if change is not None:
            self.post_message(AskCopyText(change.path, "the path"))
