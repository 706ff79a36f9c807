"""PromptScreen: what exactly goes out: the outline of fragments, the text, its digest; it assembles
nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from mandrel_tui.protocol.kinds import FORMS
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS, PROMPT
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopy, AskCopyText, AskSave, AskSheet, Facts
from mandrel_tui.ui.present import clock, number, short_names, words
from mandrel_tui.ui.present_prompt import (
    FORM_WORDS,
    ROLE_KINDS,
    ROLE_WORDS,
    Sheet,
    out_lines,
    outline_row,
    prompt_title,
)
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import Row, RowList
from mandrel_tui.ui.widgets.written import Writing

RULING = "\0ruling"  # a key no fragment has


class PromptScreen(Frame):
    """The prompt of one request, assembled again whenever the task changes."""

    PLACE = PROMPT
    ROW = (
        "prompt.copy",
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
        self._prompt_draft = ""

    def body(self) -> ComposeResult:
        self.outline = RowList(id="outline-list")
        self.preview = Exact(id="preview")
        yield PaneHeader("prompt", id="prompt-head")
        with Horizontal(id="prompt"):
            yield Pane(
                PaneHeader("outline", end=f"{self.request.form} f"),
                Lines([line("  bytes tokens  fragment", "quiet")], pad=2, id="columns"),
                self.outline,
                id="outline",
                classes="pane",
            )
            yield Pane(PaneHeader("preview"), self.preview, id="text", classes="pane")
        yield PaneHeader("what goes out", id="out-head")
        yield Lines(id="out")

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.preview, "scroll_y", self._scrolled, init=False)
        self.outline.focus()
        self._assemble()

    def show(self, facts: Facts) -> None:
        if self.sheet is None or facts.board is None:
            return
        row = facts.board.find(self.request.task)
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
        name = short_names([self.request.task])[self.request.task]
        head = self.query_one("#prompt-head", PaneHeader)
        head.set_title(prompt_title(sheet, name, self.symbols))
        head.set_end(self.again)
        self.query_one("#outline", Pane).pane_header.set_end(f"{self.request.form} f")
        self.outline.set_empty("" if sheet.problems else "reading")
        self.outline.set_rows(self._rows(sheet))
        text = sheet.prompt.data.decode("utf-8", "replace") if sheet.prompt is not None else ""
        self.preview.set_text(text)
        self.query_one("#out", Lines).set_lines(out_lines(sheet, self.symbols))
        self._scrolled()
        self.retell()

    def _rows(self, sheet: Sheet) -> list[Row]:
        rows = []
        if sheet.ruling_owed and sheet.turn is not None:
            owed = f"{self.symbols.owe} {words(sheet.turn.owes, self.symbols)}: a rules"
            rows.append(Row(RULING, ((owed, "you"),)))
        elif self.request.ruling is not None:
            said = f"{self.symbols.ok} your ruling goes with it"
            rows.append(Row(RULING, ((said, "pass"),)))
        elif self.request.without_ruling:
            rows.append(Row(RULING, ((f"{self.symbols.mild} without a ruling", "you"),)))
        for part in sheet.prompt.parts if sheet.prompt is not None else ():
            made = outline_row(part, self.symbols)
            rows.append(Row(_key(part.name, rows), made.left, made.right, find=part.name))
        return rows

    # Outline and text go together.

    @on(RowList.Highlighted, "#outline-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._follow()

    @on(RowList.Opened, "#outline-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.key == RULING:
            self.action_task_answer()
        else:
            self._follow()
            self.preview.focus()

    def _follow(self) -> None:
        """Bring the fragment under the cursor into sight."""
        starts = self._starts()
        if self.outline.key in starts:
            self.preview.goto(starts[self.outline.key], top=True)

    def _starts(self) -> dict[str, int]:
        """The line, from 0, on which each fragment begins."""
        prompt = self.sheet.prompt if self.sheet is not None else None
        if prompt is None:
            return {}
        keys = [row.key for row in self.outline.rows if row.key != RULING]
        ends = accumulate((part.data.count(b"\n") for part in prompt.parts), initial=0)
        return dict(zip(keys, ends, strict=False))

    def _scrolled(self) -> None:
        lines = self.preview.line_count
        here = f"line {number(self.preview.line + 1)} of {number(lines)}"
        shown = self.sheet is not None and self.sheet.prompt is not None
        self.query_one("#text", Pane).pane_header.set_end(here if shown else "")

    # Actions.

    def why(self, action: str) -> str:
        if action == "task.answer" and not self._rules():
            return "no ruling is owed here"
        if action in ("prompt.copy", "prompt.save"):
            sheet = self.sheet
            if sheet is None:
                return "it is not assembled yet"
            if sheet.ruling_owed and sheet.turn is not None:
                return f"it waits for {sheet.turn.owes}; a rules"
            return "; ".join(sheet.problems)
        return ""

    def _rules(self) -> bool:
        sheet = self.sheet
        given = self.request.ruling is not None or self.request.without_ruling
        return sheet is not None and (sheet.ruling_owed or given)

    def sentence(self) -> Line:
        why = self.why("prompt.copy")
        if why:
            return line(f"nothing can go out: {words(why, self.symbols)}", "you")
        turn = self.sheet.turn if self.sheet is not None else None
        owes = (
            f"you owe {words(turn.owes, self.symbols)}" if turn and turn.owes else "you owe nothing"
        )
        name = short_names([self.request.task])[self.request.task]
        title = self.sheet.title if self.sheet is not None else ""
        return line(f"next  {words(name, self.symbols)}: {title}; {owes}", "quiet")

    def panes(self) -> Iterable[Widget]:
        return (self.outline, self.preview)

    def acts_title(self) -> str:
        return words(short_names([self.request.task])[self.request.task], self.symbols)

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
        self.ask(Picker("role", offers), self._with_role)

    def _with_role(self, role: str) -> None:
        self._ask_for(PromptRequest(self.request.task, ROLE_KINDS[role], self.request.form))

    def action_task_answer(self) -> None:
        sheet = self.sheet
        if self.refused("task.answer") or sheet is None or sheet.turn is None:
            return
        said = [
            line(words(sheet.turn.reason, self.symbols)),
            line(f"You owe {words(sheet.turn.owes, self.symbols)}.", "you"),
            line("It goes out with this prompt; it is not kept."),
        ]
        name = short_names([self.request.task])[self.request.task]
        writing = Writing(f"ruling: {name}", said, self.request.ruling or self._prompt_draft)

        async def wait() -> None:
            ruling = await self.app.push_screen_wait(writing)
            self._prompt_draft = writing.draft
            if ruling is not None:
                self._ask_for(replace(self.request, ruling=ruling, without_ruling=False))

        self.run_worker(wait(), group="dialog", exit_on_error=False)

    def action_view_wrap(self) -> None:
        self.preview.toggle_wrap()

    def action_list_copy_id(self) -> None:
        prompt = self.sheet.prompt if self.sheet is not None else None
        if prompt is not None and prompt.sid:
            self.post_message(AskCopyText(prompt.sid, "the sid"))
        else:
            self.post_message(AskCopyText(self.request.task, "the id"))


def _key(name: str, rows: list[Row]) -> str:
    """A key for a part of that name; the second of a name has a number."""
    same = sum(row.key.split("\0")[0] == name for row in rows)
    return f"{name}\0{same}" if same else name
