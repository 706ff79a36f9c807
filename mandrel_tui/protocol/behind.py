"""Behind a hunk: the facts it comes from, and what it means for routing, map and size; remarks for
a person, never decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from mandrel_tui.protocol.admission import Item
from mandrel_tui.protocol.housekeeping import tokens
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.proposal import ACCEPT, Change, Hunk, Review
from mandrel_tui.protocol.routing import INDEX, routed
from mandrel_tui.protocol.snapshot import limit_of
from mandrel_tui.protocol.targets import headings

MAP = ".ai/map.md"
_WORD = re.compile(r"[^\W_]{4,}")
_ENOUGH = 0.34  # of the words of the shorter one
_MANY = 3  # words that are enough by themselves


def behind(hunk: Hunk, items: Sequence[Item], most: int = 3) -> tuple[Item, ...]:
    """The items whose words a hunk shares, the likeliest first; admitted ones before others."""
    old, new = _words(b"".join(hunk.old)), _words(b"".join(hunk.new))
    scored = ((_likeness(old, new, item), item) for item in items)
    found = [(score, item) for score, item in scored if score]
    found.sort(key=lambda pair: (not pair[1].admitted, -pair[0]))
    return tuple(item for _, item in found[:most])


def untold(items: Sequence[Item], hunks: Iterable[Hunk]) -> tuple[Item, ...]:
    """The items whose words no hunk brings in."""
    brought = (replace(hunk, old=()) for hunk in hunks)
    told = {item for hunk in brought for item in behind(hunk, items, len(items))}
    return tuple(item for item in items if item not in told)


def _likeness(old: Set[str], new: Set[str], item: Item) -> float:
    """How much of an item stands in a hunk, most of all in what it adds; 0 for too little."""
    words = _words(item.text.encode("utf-8", "replace"))
    whole = new or old
    added = _share((new - old) or whole, words)
    if added < _ENOUGH and len(whole & words) < _MANY:
        return 0.0
    return added + _share(whole, words)


def within(hunk: Hunk, items: Sequence[Item]) -> tuple[Item, ...]:
    """The items of a document's own facts that stand in the old lines of a hunk."""
    lines = range(hunk.old_start + 1, hunk.old_end + 1)
    return tuple(
        item
        for item in items
        if any(fact.line <= line <= fact.end_line for fact in item.facts for line in lines)
    )


def _share(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _words(text: bytes) -> set[str]:
    """The words of four letters or more, plural endings left out."""
    words = (word.lower() for word in _WORD.findall(text.decode("utf-8", "replace")))
    return {word[:-1] if word.endswith("s") and len(word) > 4 else word for word in words}


@dataclass(frozen=True, slots=True)
class Size:
    """The tokens of a document before and after what is decided so far, and its limit."""

    before: int
    after: int
    limit: int

    @property
    def over(self) -> bool:
        return self.after > self.limit

    @property
    def grown(self) -> int:
        return self.after - self.before


def size_of(review: Review) -> Size:
    """The size of a document under review; open hunks count as proposed."""
    after = review.decide_open(ACCEPT).text
    return Size(tokens(review.document.base), tokens(after), limit_of(review.document.path))


def added(hunk: Hunk) -> int:
    """The tokens that a hunk adds when it is accepted, below zero those it takes."""
    return tokens(b"".join(hunk.new)) - tokens(b"".join(hunk.old))


def section_of(review: Review, hunk: Hunk) -> str:
    """The heading a hunk stands under, of the new text where it brings one; empty for none."""
    proposed = review.document.proposed
    data = proposed if proposed is not None else review.document.base or b""
    line = hunk.new_start if proposed is not None else hunk.old_start
    above = [heading for heading in headings(data) if heading.line <= line]
    return above[-1].title if above else ""


def routing_words(review: Review, texts: Mapping[str, bytes], index: Review | None = None) -> str:
    """What the routing says of a document under review; `index` is the review of the routing, where
    that is under review too."""
    document = review.document
    if document.path == INDEX:
        return "this is the routing"
    if index is None and INDEX not in texts:
        return f"there is no {INDEX}"
    now = routed(texts.get(INDEX))
    decided, offered = (
        (routed(index.text), routed(index.document.proposed)) if index is not None else (now, now)
    )
    path, open_ = document.path, index is not None and bool(index.open)
    if document.change is Change.ADDED or document.origin in now:
        if path in decided:
            return "has a row"
        missing = f"no row in {INDEX}"
        return f"{missing} yet, one is offered" if path in offered and open_ else missing
    if document.change is Change.REMOVED and path in now:
        if path not in decided:
            return "its row goes, too"
        return "its row stays behind" if path in offered or not open_ else "its row may go, too"
    return "no change"


def map_words(review: Review, hunk: Hunk, texts: Mapping[str, bytes]) -> str:
    """Which row of the map names the section of a hunk, or else its document."""
    if review.document.path == MAP:
        return "this is the map"
    name = review.document.path.rpartition("/")[2]
    title = section_of(review, hunk)
    for wanted, what in ((title, "section"), (name, "document")):
        label = next(_rows_naming(texts.get(MAP, b""), wanted), None) if wanted else None
        if label is not None:
            return f"row `{label}` names this {what}"
    return "no row names it"


def _rows_naming(data: bytes, wanted: str) -> Iterator[str]:
    """The first cells of the rows of a table that hold a text."""
    sought = wanted.lower()
    for line in lines_of(data):
        text = line.decode("utf-8", "replace").strip()
        cells = [cell.strip(" `*") for cell in text.strip("|").split("|")]
        if text.startswith("|") and any(sought in cell.lower() for cell in cells):
            yield cells[0]
