"""Picker: a dialog that offers a list to choose from, some of it dimmed with the reason; palette,
actions and menus are pickers. It acts on nothing but its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from mandrel_tui.ui.fuzzy import score
from mandrel_tui.ui.key_names import shown
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line, Pieces, line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import Called
from mandrel_tui.ui.widgets.field import Field
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.rows import Row, RowList

NOTE = 2  # rows of the note under the list
OWN = frozenset(map(shown, ("enter", "escape", "tab", "up", "down", "pageup", "pagedown")))


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing to choose: `right` stands at the end of its row, `note` below the list while it is
    under the cursor; an offer with a `reason` is dimmed and cannot be chosen. `group` heads it;
    `on` shows whether it is switched on, None when it is no switch; `keys` choose it at once, where
    typing does not filter; one that `stays` is offered whatever was typed."""

    name: str
    label: str
    right: str = ""
    note: str = ""
    reason: str = ""
    group: str = ""
    on: bool | None = None
    keys: str = ""
    stays: bool = False


def keyed(keys: Iterable[Key]) -> list[Offer]:
    """Actions as offers, each with its keys beside it and chosen by them too."""
    return [Offer(k.id, k.label, k.keys, k.help, k.reason, keys=k.keys) for k in keys]


class Picker(Dialog[str | None]):
    """The name of the offer chosen, or None. Typing filters where `find` is set."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "choose", show=False, tooltip="Choose what the cursor is on."),
        Binding("down", "move(1)", "down", show=False, tooltip="One row down."),
        Binding("up", "move(-1)", "up", show=False, tooltip="One row up."),
        Binding("pagedown", "move(8)", show=False),
        Binding("pageup", "move(-8)", show=False),
    ]
    DEFAULT_CSS = """
    Picker RowList { height: auto; min-height: 1; }
    Picker Field, Picker Field:focus { padding: 0 1; }
    """

    SCROLLS = "RowList"
    BESIDE = NOTE + 1
    HIGHEST = 26

    def __init__(
        self,
        title: str,
        offers: Iterable[Offer],
        *,
        find: bool = False,
        at: str = "",
        empty: str = "Nothing by that name.",
    ) -> None:
        super().__init__(title)
        self.pick_offers: Sequence[Offer] = tuple(offers)
        self.pick_find = find
        self.pick_at = at
        self.pick_empty = empty
        self.pick_query = ""

    def body(self) -> ComposeResult:
        if self.pick_find:
            yield Field(placeholder="type to find")
        yield RowList(empty=self.pick_empty)
        yield Lines(limit=NOTE)

    def on_mount(self) -> None:
        super().on_mount()
        rows = self.query_one(RowList)
        if self.pick_find:
            rows.can_focus = False
            self.query_one(Field).focus()
        else:
            rows.focus()
        self._fill()
        if self.pick_at:
            rows.go(self.pick_at)
        self._note(rows.key)

    @property
    def below(self) -> int:
        listed = self.query_one(RowList)
        rest = listed.rows[listed.top + listed.size.height :]
        return sum(not getattr(row, "still", False) for row in rest)

    def called(self) -> Called:
        return {"list.open": ("choose", "Choose it, as Space does.")}

    def set_offers(self, offers: Iterable[Offer]) -> None:
        """Offer these instead; the cursor stays on its offer."""
        self.pick_offers = tuple(offers)
        self._fill()
        self._note(self.query_one(RowList).key)

    def chosen(self, offer: Offer) -> None:
        """What happens with an offer that can be chosen: it is the answer."""
        self.dismiss(offer.name)

    def action_move(self, rows: int) -> None:
        self.query_one(RowList).step(rows)

    def action_choose(self) -> None:
        """Answer with the offer under the cursor; a dimmed one says why it cannot be chosen."""
        offer = self._offer(self.query_one(RowList).key)
        if offer is not None and not offer.reason:
            self.chosen(offer)

    @on(Field.Changed)
    def _changed(self, event: Field.Changed) -> None:
        event.stop()
        self.pick_query = event.value
        self._fill(first=True)
        self._note(self.query_one(RowList).key)

    @on(Field.Submitted)
    def _submitted(self, event: Field.Submitted) -> None:
        event.stop()
        self.action_choose()

    @on(RowList.Highlighted)
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._note(event.key)
        self.tell_rest()

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.action_choose()

    def letters(self) -> Iterable[Key]:
        if not self.pick_find and any(offer.keys for offer in self.pick_offers):
            yield Key("", "", "choose", "The key beside an entry chooses it.", keys="its key")

    def on_key(self, event: events.Key) -> None:
        """Outside of a field Space chooses, and so does the key beside an offer."""
        if self.pick_find:
            return
        if event.key == "space":
            event.stop()
            self.action_choose()
        elif named := self._keyed(event):
            event.stop()
            self.query_one(RowList).go(named.name)
            self.action_choose()

    def _keyed(self, event: events.Key) -> Offer | None:
        pressed = (event.is_printable and event.character) or shown(event.key)
        keyed = (offer for offer in self.pick_offers if pressed in offer.keys.split())
        return next(keyed, None) if pressed not in OWN else None

    def _offer(self, name: str) -> Offer | None:
        return next((offer for offer in self.pick_offers if offer.name == name), None)

    def _fill(self, first: bool = False) -> None:
        rows = list(self._rows())
        picked = next((row.key for row in rows if not row.still), None) if first else None
        listed = self.query_one(RowList)
        listed.set_rows(rows, key=picked)
        if listed.rows and getattr(listed.rows[listed.cursor], "still", False):
            listed.step(1)

    def _rows(self) -> Iterable[Row]:
        offers = self._ranked() if self.pick_query else self.pick_offers
        group = ""
        for offer in offers:
            if offer.group != group and not self.pick_query:
                group = offer.group
                head = f"{self.symbols.thin} {group}"
                yield Row(f"group {group}", ((head, "quiet bold"),), still=True)
            yield Row(offer.name, _left(offer), self._right(offer))

    def _ranked(self) -> list[Offer]:
        found = [(score(self.pick_query, f"{o.label} {o.note}"), o) for o in self.pick_offers]
        named = [(score(self.pick_query, o.label) * 4 + total, o) for total, o in found if total]
        ranked = [offer for _, offer in sorted(named, key=lambda one: -one[0])]
        return [*ranked, *(o for o in self.pick_offers if o.stays and o not in ranked)]

    def _right(self, offer: Offer) -> Pieces:
        return ((f"{self.symbols.keys(offer.right)} ", "quiet"),) if offer.right else ()

    def _note(self, name: str) -> None:
        offer = self._offer(name)
        if offer is None:
            words = line("")
        elif offer.reason:
            words = Line((("cannot: ", "you"), (offer.reason, "text")))
        else:
            words = line(offer.note, "quiet")
        self.query_one(Lines).set_lines([words])


def _left(offer: Offer) -> Pieces:
    box = "" if offer.on is None else "[x] " if offer.on else "[ ] "
    return ((box + offer.label, "off" if offer.reason else "text"),)
