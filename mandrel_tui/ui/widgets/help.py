"""Help and palette, made from the live key map: the keys of a screen with the reason one cannot
act, and every action by name; they act on nothing but their answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.app import ComposeResult

from mandrel_tui.ui.clean import pad, width
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.picker import Offer, Picker, keyed

KEYS = 13  # cells of the column of keys
LABEL = 14


class Help(Dialog[None]):
    """Sections of keys, each a heading and its keys; it scrolls with the keys of lists."""

    DEFAULT_CSS = "Help Lines { height: auto; }"
    SCROLLS = "Lines"

    def __init__(self, title: str, sections: Iterable[tuple[str, Iterable[Key]]]) -> None:
        super().__init__(title)
        self.help_sections = [(name, tuple(keys)) for name, keys in sections]

    def body(self) -> ComposeResult:
        lines = Lines(self._lines())
        lines.can_focus = True
        yield lines

    def action_help(self) -> None:
        """It is shown already."""

    def _lines(self) -> Iterator[Line]:
        for name, keys in self.help_sections:
            yield line(name, "accent bold")
            for key in keys:
                yield self._entry(key)

    def _entry(self, key: Key) -> Line:
        """A key with what it does and, dimmed, why it cannot act now."""
        names = pad(self.symbols.keys(key.keys), KEYS)
        start = names + pad(key.label, LABEL)
        if key.reason:
            words = ((start, "off"), ("cannot: ", "you"), (key.reason, "text"))
        else:
            words = ((names, "accent"), (start[len(names) :], "text"), (key.help, "quiet"))
        return Line(words, (), width(start))


def palette(keys: Iterable[Key]) -> Picker:
    """Every action by name; those that cannot act are dimmed and say why."""
    return Picker("palette", keyed(keys), find=True)


def actions(title: str, keys: Iterable[Key], by_hand: Iterable[Offer] = ()) -> Picker:
    """What can be done with the focused thing: legal ones first, others under `by hand`."""
    offers = sorted(keyed(keys), key=lambda offer: bool(offer.reason))
    return Picker(title, [*offers, *by_hand])
