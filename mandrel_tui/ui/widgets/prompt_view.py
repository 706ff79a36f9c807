"""PromptView: the fragments of a prompt and its exact text, each following the other; it assembles
nothing."""

from __future__ import annotations

from itertools import accumulate

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.present_prompt import Sheet, outline_row
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList

RULING = "\0ruling"  # a key no fragment has


class PromptView(Horizontal):
    """Outline and preview of one sheet."""

    class RulingAsked(Message):
        """The row of the ruling was opened."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.outline = RowList(id="outline-list")
        self.preview = Exact(id="preview")
        self.prompt_sheet: Sheet | None = None

    def compose(self) -> ComposeResult:
        titles = Lines([line("  bytes tokens  fragment", "quiet")], pad=2, id="columns")
        yield Pane(PaneHeader("outline"), titles, self.outline, id="outline", classes="pane")
        yield Pane(PaneHeader("preview"), self.preview, id="text", classes="pane")

    def on_mount(self) -> None:
        self.watch(self.preview, "scroll_y", self._scrolled, init=False)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet; cursor and place in the text stay."""
        self.prompt_sheet = sheet
        self.query_one("#outline", Pane).pane_header.set_end(f"{sheet.request.form} f")
        self.outline.set_rows(self._rows(sheet))
        if sheet.prompt is not None:
            self.preview.set_text(sheet.prompt.data.decode("utf-8", "replace"))
        else:
            faults = sheet.problems if len(sheet.problems) > 1 else ()
            roles = dict.fromkeys(range(len(faults)), "fail")
            self.preview.set_text("\n".join(faults), top=True, roles=roles)
        self._scrolled()

    def _rows(self, sheet: Sheet) -> list[Row]:
        rows = [ruling] if (ruling := self._ruling_row(sheet)) is not None else []
        for part in sheet.prompt.parts if sheet.prompt is not None else ():
            made = outline_row(part, self.outline.symbols)
            rows.append(Row(_key(part.name, rows), made.left, made.right, find=part.name))
        return rows

    def _ruling_row(self, sheet: Sheet) -> Row | None:
        """What is first to be known of a ruling: owed, given or gone without."""
        symbols, request = self.outline.symbols, sheet.request
        if sheet.ruling_owed and sheet.turn is not None:
            owed = f"{symbols.owe} {words(sheet.turn.owes, symbols)}: a rules"
            return Row(RULING, ((owed, "you"),))
        if sheet.prompt is not None and sheet.prompt.ruling is not None:
            return Row(RULING, ((f"{symbols.ok} your ruling goes with it", "pass"),))
        names = {part.name for part in sheet.prompt.parts} if sheet.prompt is not None else set()
        if any(name.endswith("approved-plan-gate") for name in names):
            return Row(RULING, ((f"{symbols.ok} the approved plan goes with it", "pass"),))
        if request.without_ruling:
            return Row(RULING, ((f"{symbols.mild} without a ruling", "you"),))
        return None

    @on(RowList.Highlighted, "#outline-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._follow()

    @on(RowList.Opened, "#outline-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.key == RULING:
            self.post_message(self.RulingAsked())
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
        prompt = self.prompt_sheet.prompt if self.prompt_sheet is not None else None
        if prompt is None:
            return {}
        keys = [row.key for row in self.outline.rows if row.key != RULING]
        ends = accumulate((part.data.count(b"\n") for part in prompt.parts), initial=0)
        return dict(zip(keys, ends, strict=False))

    def _scrolled(self) -> None:
        here = f"line {number(self.preview.line + 1)} of {number(self.preview.line_count)}"
        shown = self.prompt_sheet is not None and self.prompt_sheet.prompt is not None
        self.query_one("#text", Pane).pane_header.set_end(here if shown else "")


def _key(name: str, rows: list[Row]) -> str:
    """A key for a part of that name; the second of a name has a number."""
    same = sum(row.key.split("\0")[0] == name for row in rows)
    return f"{name}\0{same}" if same else name
