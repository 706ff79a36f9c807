"""PromptScreen: what exactly goes out: the outline of fragments, the text, its digest; it assembles
nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import Row, slug
from mandrel_tui.protocol.kinds import FORMS
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.actions import PROMPT
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.gate_messages import AskGate
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopy, AskCopyText, AskSave, AskSheet, Facts
from mandrel_tui.ui.present import clock, task_words, words
from mandrel_tui.ui.present_board import ruling_words
from mandrel_tui.ui.present_gate import plan_waits
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.present_matter import nothing_owed
from mandrel_tui.ui.present_prompt import (
    FORM_WORDS,
    ROLE_KINDS,
    ROLE_WORDS,
    Sheet,
    out_lines,
    prompt_title,
)
from mandrel_tui.ui.present_session import settling_words
from mandrel_tui.ui.session_messages import AskDecide, AskLaunch
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.prompt_view import PromptView
from mandrel_tui.ui.widgets.rows import RowList


class PromptScreen(Frame):
    """The prompt of one request, assembled again whenever the task changes."""

    PLACE = PROMPT
    ROW = (
        "prompt.copy",
        "task.launch",
        "prompt.save",
        "prompt.form",
        "prompt.role",
        "task.answer",
        "view.wrap",
        "app.actions",
        "app.back",
        "app.help",
    )
    ACTS = (
        "prompt.copy",
        "task.launch",
        "prompt.save",
        "task.answer",
        "prompt.form",
        "prompt.role",
        "list.copy-id",
    )
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(PROMPT)
    CSS_PATH = "prompt.tcss"

    def __init__(self, facts: Facts, request: PromptRequest) -> None:
        super().__init__(facts)
        self.request = request
        self.sheet: Sheet | None = None
        self.again = ""
        row = self.row
        self.ruling = row.ruling if row is not None else None

    def body(self) -> ComposeResult:
        self.view = PromptView(id="prompt")
        yield PaneHeader("prompt", id="prompt-head")
        yield self.view
        yield PaneHeader("what goes out", id="out-head")
        yield Lines(id="out")

    @property
    def outline(self) -> RowList:
        """The fragments."""
        return self.view.outline

    @property
    def preview(self) -> Exact:
        """The exact text."""
        return self.view.preview

    def on_mount(self) -> None:
        super().on_mount()
        self.outline.focus()
        self._assemble()

    @property
    def row(self) -> Row | None:
        """The board's row of the task."""
        board = self.facts.board
        return board.find(self.request.task) if board is not None else None

    def show(self, facts: Facts) -> None:
        row = self.row
        if self.sheet is None or facts.board is None:
            return
        ruling = row.ruling if row is not None else None
        if ruling != self.ruling:
            self.ruling = ruling
            # A ruling that was given is meant to go out, whatever was chosen before.
            without = self.request.without_ruling and ruling is None
            self._ask_for(replace(self.request, without_ruling=without))
            return
        digest = row.task.sha256 if row is not None and row.task is not None else ""
        seen = self.sheet.task.sha256 if self.sheet.task is not None else ""
        if digest != seen:
            self.again = f"assembled again {clock(self.moment)}, the task changed"
            self._assemble()

    def take_sheet(self, sheet: Sheet) -> None:
        if replace(sheet.request, now="") != replace(self.request, now=""):
            return
        self.sheet = sheet
        self._show_sheet()

    def _assemble(self) -> None:
        self.post_message(AskSheet(self.request))

    def _show_sheet(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        name = slug(self.request.task)
        head = self.query_one("#prompt-head", PaneHeader)
        head.set_title(prompt_title(sheet, name, self.symbols))
        head.set_end(self.again)
        self.view.show_sheet(sheet)
        self.query_one("#out", Lines).set_lines(out_lines(sheet, self.symbols))
        self.retell()

    @on(PromptView.RulingAsked)
    def _ruling_asked(self, event: PromptView.RulingAsked) -> None:
        event.stop()
        self.action_task_answer()

    # Actions.

    def why(self, action: str) -> str:
        if action == "task.answer":
            row = self.row
            return nothing_owed(row) if row is not None else "the task is not active"
        if action in ("prompt.copy", "prompt.save", "task.launch"):
            sheet = self.sheet
            if sheet is None:
                return "it is not assembled yet"
            if sheet.ruling_owed and sheet.turn is not None:
                return f"it waits for {sheet.turn.owes}; a rules"
            return sheet.why
        return ""

    def sentence(self) -> Line:
        why = self.why("prompt.copy")
        if why:
            return line(f"not yet: {words(why, self.symbols)}", "you")
        name = slug(self.request.task)
        title = self.sheet.title if self.sheet is not None else ""
        return line(f"next  {words(name, self.symbols)}: {title}; {self._owed()}", "quiet")

    def _owed(self) -> str:
        """What you owe before it, or the ruling that was given."""
        turn, row = self.sheet.turn if self.sheet is not None else None, self.row
        if self.request.without_ruling:
            return "without a ruling"
        if row is not None and row.handover is not None and not row.handover.out:
            owed = settling_words(row.handover)
            if owed:
                return owed
        if row is not None and plan_waits(row):
            return "goes out without the plan that waits"
        if row is not None and row.ruled:
            return ruling_words(row, self.moment)
        return f"you owe {words(turn.owes, self.symbols) if turn and turn.owes else 'nothing'}"

    def panes(self) -> Iterable[Widget]:
        return (self.outline, self.preview)

    def acts_title(self) -> str:
        return task_words(self.request.task, self.symbols)

    def by_hand(self) -> Iterable[Offer]:
        if self.sheet is not None and self.sheet.ruling_owed:
            note = "The next session gets the open findings and nothing that binds it."
            yield Offer("hand without", "without a ruling", note=note, group="by hand")

    def chosen_by_hand(self, name: str) -> None:
        if name == "without":
            self._ask_for(replace(self.request, without_ruling=True, ruling=None))

    def _ask_for(self, request: PromptRequest) -> None:
        self.request, self.again = request, ""
        self._assemble()

    def action_prompt_copy(self) -> None:
        if not self.refused("prompt.copy"):
            self.post_message(AskCopy(self.request))

    def action_prompt_save(self) -> None:
        if not self.refused("prompt.save"):
            self.post_message(AskSave(self.request))

    def action_prompt_form(self) -> None:
        offers = [Offer(form, form, note=FORM_WORDS[form]) for form in FORMS]
        self.ask(Picker("form", offers, at=self.request.form), self._with_form)

    def _with_form(self, form: str) -> None:
        self._ask_for(replace(self.request, form=form))

    def action_prompt_role(self) -> None:
        turn = self.sheet.turn if self.sheet is not None else None
        if turn is None:
            self.refused("prompt.copy")
            return
        state = words(turn.reason, self.symbols)
        offers = [
            Offer(role, said, reason="" if role in turn.legal else state)
            for role, said in ROLE_WORDS.items()
        ]
        prompt = self.sheet.prompt if self.sheet is not None else None
        kind = prompt.kind if prompt is not None else self.request.kind
        at = next((role for role in turn.legal if ROLE_KINDS.get(role) == kind), "")
        self.ask(Picker("role", offers, at=at), self._with_role)

    def _with_role(self, role: str) -> None:
        if role == "plan":
            self.post_message(AskGate(self.request.task))
            return
        self._ask_for(PromptRequest(self.request.task, ROLE_KINDS[role], self.request.form))

    def action_task_launch(self) -> None:
        if not self.refused("task.launch"):
            self.post_message(AskLaunch(Freight(self.request.task, self.request)))

    def action_task_answer(self) -> None:
        if not self.refused("task.answer"):
            self.post_message(AskDecide(self.request.task))

    def action_view_wrap(self) -> None:
        self.preview.toggle_wrap()

    def action_list_copy_id(self) -> None:
        prompt = self.sheet.prompt if self.sheet is not None else None
        if prompt is not None and prompt.sid:
            self.post_message(AskCopyText(prompt.sid, "the sid"))
        else:
            self.post_message(AskCopyText(self.request.task, "the id"))
