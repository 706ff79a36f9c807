"""Fact wording: how the fact in hand is reworded, split, merged and aimed at a place of the memory;
it answers no test and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable

from mandrel_tui.protocol.admission import Item, Target
from mandrel_tui.protocol.admission_hints import parts
from mandrel_tui.protocol.document_path import fault
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import words
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.target_offers import target_offers
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.picker import Picker
from mandrel_tui.ui.widgets.written import Asking


class FactWording(StepScreen):
    """A step with facts, one of which is in hand."""

    @property
    def at(self) -> int:
        """The fact in hand, -1 for none."""
        raise NotImplementedError

    @property
    def item(self) -> Item | None:
        """The candidate in hand."""
        return self.desk.sheet.items[self.at] if self.at >= 0 else None

    def turn_to(self, places: Iterable[int]) -> None:
        """Take the last of these facts in hand."""
        raise NotImplementedError

    def go_on(self, at: int) -> None:
        """Go to the next undecided fact behind one."""
        raise NotImplementedError

    def action_fact_reword(self) -> None:
        if not self.refused("fact.reword"):
            self.ask_wording(self.at, "wording")

    def ask_wording(self, at: int, what: str) -> None:
        """Have a fact worded anew; `what` says why."""
        item = self.desk.sheet.items[at]
        said = [line(words(fact.text, self.symbols), "quiet") for fact in item.facts]
        title = f"{what}: fact {at + 1}"
        self.write(title, said, item.text, lambda text: self._worded(item, text))

    def place_of(self, item: Item, title: str, text: str) -> int:
        """Where a candidate stands now; a text about one that is gone is kept as a draft, -1."""
        if item in self.desk.sheet.items:
            return self.desk.sheet.items.index(item)
        self.drafts[self.draft_key(title, item.text)] = text
        self.say("the fact changed meanwhile; the text waits as a draft", "you")
        return -1

    def _worded(self, item: Item, typed: str) -> None:
        at, text = self.place_of(item, "wording", typed), " ".join(typed.split())
        if at < 0:
            return
        sheet = self.desk.sheet.reword(at, text)
        self.decide(self.desk.with_sheet(sheet, f"fact {at + 1} reworded"))
        if self.desk.sheet.items[at].outcome is not None:
            self.go_on(at)

    def action_fact_split(self) -> None:
        item, at = self.item, self.at
        if self.refused("fact.split") or item is None:
            return
        said = [line("One fact a line; each is tested on its own.", "quiet")]
        text = "\n".join(parts(item.text))
        title = f"split: fact {at + 1}"
        self.write(title, said, text, lambda text: self._split(item, text), "split")

    def _split(self, item: Item, typed: str) -> None:
        at = self.place_of(item, "split", typed)
        if at < 0:
            return
        sheet = self.desk.sheet.split(at, typed.split("\n"))
        if sheet is self.desk.sheet:
            self.say("split: one line is one fact", "you")
            return
        self.decide(self.desk.with_sheet(sheet, f"fact {at + 1} split"))
        self.turn_to((at,))

    def action_fact_merge(self) -> None:
        item, at = self.item, self.at
        if self.refused("fact.merge") or item is None:
            return
        after = self.desk.sheet.items[at + 1]
        if after.facts[0].above == item.facts[-1].above:
            self._merge(item, after)
            return
        places = [f"  {' › '.join(one.facts[0].above) or 'no heading'}" for one in (item, after)]
        said = [line("The next fact stands under other words:")]
        said += [line(words(place, self.symbols), "quiet") for place in places]
        choices = (Choice("leave", "Leave both", "n"), Choice("merge", "Merge them", "y"))
        asked = Question(f"merge: facts {at + 1} and {at + 2}", said, choices, "leave")
        self.ask(asked, lambda name: self._merge(item, after) if name == "merge" else None)

    def _merge(self, item: Item, after: Item) -> None:
        at = self.place_of(item, "merge", "")
        if at < 0 or self.desk.sheet.items[at + 1 : at + 2] != (after,):
            return
        sheet = self.desk.sheet.merge(at)
        said = f"facts {at + 1} and {at + 2} merged"
        self.decide(self.desk.with_sheet(sheet, said))
        self.turn_to((at,))
        self.say(said)

    def action_fact_target(self) -> None:
        item, at = self.item, self.at
        if self.refused("fact.target") or item is None:
            return
        offers, targets = target_offers(self.desk, item, self.symbols)
        picker = Picker(f"target: fact {at + 1}", offers, find=True)
        self.ask(picker, lambda name: self._aimed(item, targets.get(name)))

    def _aimed(self, item: Item, target: Target | None) -> None:
        at = self.place_of(item, "target", "")
        if at < 0:
            return
        if target is None:
            said = [line("A document below .ai/ that is not there yet:")]
            asking = Asking(f"target: fact {at + 1}", said, ".ai/new.md")
            self.ask(asking, lambda path: self._aimed_at_new(item, path.strip()))
            return
        sheet = self.desk.sheet.aim(at, target)
        self.decide(self.desk.with_sheet(sheet, f"fact {at + 1} goes to {target.path}"))

    def _aimed_at_new(self, item: Item, path: str) -> None:
        wrong = fault(path)
        if wrong:
            self.say(f"target: {wrong}", "you")
        else:
            self._aimed(item, Target(path))
