"""Sections: the dialog in which a person chooses which sections leave a document that becomes a
folder; it makes none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.upgrade import Section
from mandrel_tui.ui.present import words
from mandrel_tui.ui.symbols import Symbols
from mandrel_tui.ui.widgets.picker import Offer, Picker

MAKE = "make"


class Sections(Picker):
    """Switches, one a section; the last offer makes the folder and answers with its name."""

    def __init__(
        self, title: str, sections: Sequence[Section], chosen: Iterable[str], symbols: Symbols
    ) -> None:
        """`chosen` are the titles that leave at first."""
        self.section_list = tuple(sections)
        self.section_titles = frozenset(chosen)
        self.section_symbols = symbols
        super().__init__(title, self._offers(), at=MAKE)

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles that leave, in the order of the document."""
        found = (section.heading.title for section in self.section_list)
        return tuple(dict.fromkeys(title for title in found if title in self.section_titles))

    def chosen(self, offer: Offer) -> None:
        if offer.name == MAKE:
            self.dismiss(MAKE)
            return
        title = self.section_list[int(offer.name)].heading.title
        self.section_titles = self.section_titles ^ {title}
        self.set_offers(self._offers())

    def _offers(self) -> Iterator[Offer]:
        top = min((section.heading.depth for section in self.section_list), default=1)
        for at, section in enumerate(self.section_list):
            heading = section.heading
            indent = "  " * (heading.depth - top)
            yield Offer(
                str(at),
                f"{indent}{words(heading.title, self.section_symbols)}",
                counted(section.tokens, "token"),
                note="What lies below it goes with it.",
                group="become documents of their own",
                on=heading.title in self.section_titles,
            )
        yield Offer(MAKE, "make it a folder", note="Shown as hunks, to be decided.", group="then")
