"""Filter: the dialogs in which a person chooses what a list of tasks, or the inbox, holds; the list
follows every change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from mandrel_tui.protocol.inbox import KINDS
from mandrel_tui.protocol.kinds import GROUPS
from mandrel_tui.ui.listing import SORTS, Choice
from mandrel_tui.ui.present import number
from mandrel_tui.ui.present_inbox import KIND_WORDS
from mandrel_tui.ui.widgets.picker import Offer, Picker

NOTES: Mapping[str, str] = {
    "ready": "A session can go out now, and it waits for nobody.",
    "owed": "An answer, a ruling, a closeout or a repair is yours.",
    "archived": "Finished tasks, in a group of their own.",
    "name": "By file name, so by date.",
    "age": "The latest claim or entry first.",
    "estimate": "The fewest sessions left first.",
}


class Filter(Picker):
    """Switches; Enter or Space turns one, Esc closes and keeps them."""

    def __init__(
        self, choice: Choice, counts: Mapping[str, int], changed: Callable[[Choice], None]
    ) -> None:
        """`counts` are the tasks of each group; `changed` is told every new choice."""
        super().__init__("filter and sort", offers(choice, counts))
        self.filter_choice = choice
        self.filter_counts = counts
        self.filter_changed = changed

    def chosen(self, offer: Offer) -> None:
        self.filter_choice = switched(self.filter_choice, offer.name)
        self.set_offers(offers(self.filter_choice, self.filter_counts))
        self.filter_changed(self.filter_choice)


def offers(choice: Choice, counts: Mapping[str, int]) -> Iterator[Offer]:
    """The switches as a choice has them."""
    for name in GROUPS:
        on = name in choice.statuses
        yield Offer(name, name, number(counts.get(name, 0)), group="only these", on=on)
    yield Offer("ready", "ready now", note=NOTES["ready"], group="only those", on=choice.ready)
    yield Offer("owed", "owed by you", note=NOTES["owed"], group="only those", on=choice.owed)
    yield Offer("archived", "archived", note=NOTES["archived"], group="also", on=choice.archived)
    for name in SORTS:
        on = choice.sort == name
        yield Offer(f"sort {name}", name, note=NOTES[name], group="sorted by", on=on)
    yield Offer("none", "show all active tasks", group="or")


def switched(choice: Choice, name: str) -> Choice:
    """The choice after one switch was turned."""
    if name in GROUPS:
        return replace(choice, statuses=choice.statuses ^ {name})
    if name.startswith("sort "):
        return replace(choice, sort=name.removeprefix("sort "))
    if name == "none":
        return Choice(sort=choice.sort)
    if name == "ready":
        return replace(choice, ready=not choice.ready)
    if name == "owed":
        return replace(choice, owed=not choice.owed)
    return replace(choice, archived=not choice.archived)


class KindFilter(Picker):
    """Switches for the kinds of items an inbox shows; none means all of them."""

    def __init__(
        self,
        kinds: frozenset[str],
        counts: Mapping[str, int],
        changed: Callable[[frozenset[str]], None],
    ) -> None:
        """`counts` are the items of each kind; `changed` is told every new choice."""
        super().__init__("show only", kind_offers(kinds, counts))
        self.filter_kinds = kinds
        self.filter_counts = counts
        self.filter_changed = changed

    def chosen(self, offer: Offer) -> None:
        none = offer.name == "none"
        self.filter_kinds = frozenset() if none else self.filter_kinds ^ {offer.name}
        self.set_offers(kind_offers(self.filter_kinds, self.filter_counts))
        self.filter_changed(self.filter_kinds)


def kind_offers(kinds: frozenset[str], counts: Mapping[str, int]) -> Iterator[Offer]:
    """The switches as a choice has them."""
    for kind in KINDS:
        many = number(counts.get(kind, 0))
        yield Offer(kind, kind, many, note=KIND_WORDS[kind] + ".", on=kind in kinds)
    yield Offer("none", "show everything", group="or")
