"""Fact answers: the test of the fact in hand that is asked now, its answers, and the way on to the
next undecided fact; it words none and writes nothing."""

from __future__ import annotations

from collections.abc import MutableMapping
from itertools import takewhile

from textual import on

from mandrel_tui.protocol.admission import LINE, TESTS, Answer, Item
from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui.fact_wording import FactWording
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.view import View


class FactAnswers(FactWording):
    """A step with facts, whose tests are answered one by one."""

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.test = 0

    def show_fact(self) -> None:
        """Show the fact in hand, and the test asked now."""
        raise NotImplementedError

    def first_test(self) -> None:
        """Ask the first open test of the fact in hand."""
        item = self.item
        self.test = (item.next_test or 0) if item is not None else 0

    def why(self, action: str) -> str:
        if not action.startswith("fact.") or action in ("fact.ask", "fact.sources"):
            return super().why(action)
        if self.item is None:
            return "there is no fact"
        if action == "fact.merge" and self.at + 1 == len(self.desk.sheet.items):
            return "no fact follows this one"
        if action in ("fact.next", "fact.prev") and not self.desk.sheet.undecided:
            return "every fact is decided"
        return ""

    def action_fact_pass(self) -> None:
        self._answer("fact.pass", Answer.PASS)

    def action_fact_borderline(self) -> None:
        self._answer("fact.borderline", Answer.BORDERLINE)

    def action_fact_fail(self) -> None:
        self._answer("fact.fail", Answer.FAIL)

    def _answer(self, action: str, answer: Answer) -> None:
        if self.refused(action):
            return
        at = self.at
        self.decide(self.desk.answer(at, self.test, answer))
        item = self.desk.sheet.items[at]
        if item.outcome is None:
            self.first_test()
            self.show_fact()
        elif item.too_long:
            self._ask_one_line(item, at)
        else:
            self.go_on(at)

    def _ask_one_line(self, item: Item, at: int) -> None:
        """Ask for a wording before there is one to type into: keys of the next answers, typed on,
        are no text."""
        long = f"It is kept as one line: at most {LINE} characters, and it has {len(item.text)}."
        said = [line(words(item.text, self.symbols), "quiet"), line(long)]
        choices = (Choice("later", "Later", "n"), Choice("reword", "Reword it", "e"))
        asked = Question(f"one line: fact {at + 1}", said, choices, "later")
        self.ask(asked, lambda name: self._one_line(item, reword=name == "reword"))

    def _one_line(self, item: Item, *, reword: bool) -> None:
        at = self.place_of(item, "one line", item.text)
        if at >= 0 and reword:
            self.ask_wording(at, "one line")
        elif at >= 0:
            self.go_on(at)

    def go_on(self, at: int) -> None:
        """Go to the next undecided fact, round the end; stay where none is left."""
        open_ = self.desk.sheet.undecided
        self.turn_to([n for n in open_ if n > at][:1] or open_[:1] or (at,))

    def action_fact_next(self) -> None:
        if not self.refused("fact.next"):
            self.go_on(self.at)

    def action_fact_prev(self) -> None:
        if not self.refused("fact.prev"):
            open_ = self.desk.sheet.undecided
            self.turn_to([n for n in open_ if n < self.at][-1:] or open_[-1:])

    def go_back_to(self, before: Desk) -> None:
        now, then = self.desk.sheet.items, before.sheet.items
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(now, then, strict=False))
        )
        joined = len(now) < len(then) and now[same:] == then[same + len(then) - len(now) :]
        # What was split off lay behind the fact that it is part of again.
        self.turn_to((same - 1 if joined and same else same,))

    @on(View.Sideways)
    def _sideways(self, event: View.Sideways) -> None:
        """The arrows choose the test that is answered next."""
        event.stop()
        if self.item is not None:
            self.test = (self.test + event.step) % len(TESTS)
            self.show_fact()
