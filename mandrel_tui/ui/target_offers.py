"""Target offers: the places of the memory a fact may go to, to choose from; it chooses none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mandrel_tui.protocol.admission import OPEN, Item, Target
from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui.present_desk import target_words
from mandrel_tui.ui.symbols import Symbols
from mandrel_tui.ui.widgets.picker import Offer

NEW = "\0new"  # the name of the offer of a document that is not there yet


def target_offers(
    desk: Desk, item: Item, symbols: Symbols
) -> tuple[tuple[Offer, ...], Mapping[str, Target]]:
    """Every section of the memory, the likeliest first, and a document that is not there; and the
    target of each name but that one."""
    likely = desk.offers(item)
    others = tuple(target for target in desk.given.library.sections if target not in likely)
    targets = {f"{target.path}\0{target.section}": target for target in (*likely, *others)}
    offers = (
        Offer(
            name,
            target_words(desk, replace(item, answers=OPEN, target=target), symbols),
            note=target.path,
            group="likely" if target in likely else "others",
        )
        for name, target in targets.items()
    )
    new = Offer(NEW, "a new document", note="You name it.", group="others", stays=True)
    return (*offers, new), targets
