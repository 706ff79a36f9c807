"""FactsScreen: the facts of a log or of a memory file and the three tests each must pass; it writes
nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.admission import TESTS
from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.ui import actions
from mandrel_tui.ui.desk_messages import AskRequest, AskTake
from mandrel_tui.ui.fact_answers import FactAnswers
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present_desk import (
    ENDS,
    Waiting,
    fact_lines,
    fact_row,
    fact_title,
    facts_title,
    next_line,
    test_lines,
    undecided_words,
    waiting_words,
)
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Picker, keyed
from mandrel_tui.ui.widgets.rows import RowList

OF_A_TASK = ("fact.target", "fact.sources", "fact.ask", "task.launch")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of the list: the place of its fact on the sheet."""

    key: str
    at: int
    find: str
    head: bool = False


class FactsScreen(FactAnswers):
    """The first step: fact by fact, test by test."""

    PLACE = actions.FACTS
    STEP = "facts"
    ROW = (
        "fact.pass",
        "fact.borderline",
        "fact.fail",
        "fact.target",
        "fact.reword",
        "fact.split",
        "tab.next",
        "fact.merge",
        "app.undo",
        "fact.next",
        "fact.sources",
        "fact.ask",
        "task.launch",
        "app.help",
    )
    FILE_ROW = tuple(id for id in ROW if id not in OF_A_TASK)
    ACTS = (
        "fact.pass",
        "fact.borderline",
        "fact.fail",
        "fact.target",
        "fact.reword",
        "fact.split",
        "fact.merge",
        "fact.ask",
        "task.launch",
        "fact.sources",
        "app.undo",
        "list.copy-id",
    )
    ANSWERS = ("fact.pass", "fact.borderline", "fact.fail", "fact.reword", "fact.target")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(actions.FACTS)
    CSS_PATH = "facts.tcss"

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.waiting: Waiting | None = None
        self._facts_begun = False

    def step_body(self) -> ComposeResult:
        self.rows = RowList(draw=self._draw, id="facts-list")
        self.text = Lines(id="fact-text")
        self.text.can_focus = True
        self.tests = Lines(id="fact-tests")
        yield Pane(PaneHeader("facts", end=ENDS), self.rows, id="facts", classes="pane")
        yield Pane(PaneHeader("fact"), self.text, self.tests, id="fact", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.watch(self.rows, "scroll_y", self._title, init=False)
        self.rows.focus()

    @property
    def at(self) -> int:
        """The fact under the cursor, -1 without one."""
        row = self.rows.rows[self.rows.cursor] if self.rows.rows else None
        return row.at if isinstance(row, Candidate) else -1

    # What is on it.

    def learn(self, value: object) -> None:
        super().learn(value)
        if isinstance(value, Waiting) and value.task == self.desk.name and value != self.waiting:
            self.waiting = value
            self.retell()

    def show_desk(self) -> None:
        none = "No facts. t goes to archive only."
        self.rows.set_empty(f"No facts in {self.desk.name}." if self.desk.file else none)
        self.rows.set_rows(self._rows())
        if not self._facts_begun and self.desk.sheet.items:
            self._facts_begun = True
            self.turn_to(self.desk.sheet.undecided[:1] or (0,))
        self.show_fact()

    def _rows(self) -> list[Candidate]:
        seen: dict[int, int] = {}
        rows = []
        for at, item in enumerate(self.desk.sheet.items):
            part = seen[item.line] = seen.get(item.line, 0) + 1
            rows.append(Candidate(f"{item.line}.{part}", at, item.text))
        return rows

    def _draw(self, row: Candidate, cells: int) -> Line:
        return fact_row(self.desk, row.at, self.symbols)

    def _title(self) -> None:
        first = self.rows.top + 1
        last = min(self.rows.top + self.rows.page, len(self.rows.rows))
        title = facts_title(self.desk, first, last, self.symbols)
        self.query_one("#facts", Pane).pane_header.set_title(title)

    def laid_out(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._title)

    @on(RowList.Highlighted, "#facts-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.first_test()
        self.show_fact()
        self.retell()

    def show_fact(self) -> None:
        self._title()
        head, item = self.query_one("#fact", Pane).pane_header, self.item
        head.set_title(fact_title(self.desk, self.at) if item is not None else "fact")
        told = () if item is None else fact_lines(item, self.symbols)
        asked = () if item is None else test_lines(self.desk, item, self.test, self.symbols)
        self.text.set_lines(told)
        self.tests.set_lines(asked)

    def sentence(self) -> Line:
        said = "all facts are decided; t goes to review"
        if self.desk.sheet.undecided:
            said = undecided_words(self.desk)
        if not self.desk.sheet.items:
            said = "there is no fact to admit"
        told = [said, self._waiting_words()]
        return next_line(self.desk, "; ".join(part for part in told if part), self.symbols)

    def _waiting_words(self) -> str:
        if self.waiting is None or self.desk.source.kind != FACTS:
            return ""
        return waiting_words(self.waiting, self.symbols)

    def row_keys(self) -> tuple[str, ...]:
        return self.FILE_ROW if self.desk.file else self.ROW

    def acts_title(self) -> str:
        return fact_title(self.desk, self.at) if self.item is not None else "facts"

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.rows, self.text) if w in self.focus_chain)

    def why(self, action: str) -> str:
        if action in OF_A_TASK and self.desk.file:
            return "a file is curated by its own facts alone"
        return super().why(action)

    def turn_to(self, places: Iterable[int]) -> None:
        for at in places:
            row = next((row for row in self._rows() if row.at == at), None)
            if row is not None:
                self.rows.go(row.key)
        self.first_test()
        self.show_fact()
        self.retell()

    @on(RowList.Opened, "#facts-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        offers = keyed(self.shown_keys(self.ANSWERS))
        self.ask(Picker(f"fact {self.at + 1}: {TESTS[self.test].name}", offers), self.run_key)

    # Proposals.

    def action_fact_ask(self) -> None:
        if not self.refused("fact.ask"):
            self.post_message(AskRequest())

    def action_task_launch(self) -> None:
        if not self.refused("task.launch"):
            self.post_message(AskRequest(launch=True))

    def action_fact_sources(self) -> None:
        if not self.refused("fact.sources"):
            self.post_message(AskTake())

    def action_list_copy_id(self) -> None:
        item = self.item
        if item is not None:
            self.post_message(AskCopyText(item.text, "the fact"))
