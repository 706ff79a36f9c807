"""Row: a row of a list as a value, and which rows a list shows under folds and a find; pure."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from mandrel_tui.ui.fuzzy import score
from mandrel_tui.ui.line import Pieces


class Listed(Protocol):
    """What a list needs of a row: an id of its own, whether it heads a group, the text a find
    looks through."""

    @property
    def key(self) -> str: ...
    @property
    def head(self) -> bool: ...
    @property
    def find(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Row:
    """A row of ready pieces. `head` rows fold the rows below them up to the next head; `mark` takes
    the gutter's first cell where the cursor is elsewhere; `still` rows the cursor passes over."""

    key: str
    left: Pieces = ()
    right: Pieces = ()
    find: str = ""
    head: bool = False
    still: bool = False
    mark: str = ""


def unfolded(rows: Sequence[Listed], folded: Container[str]) -> list[Listed]:
    """The rows but those under a folded head."""
    shown: list[Listed] = []
    hidden = False
    for row in rows:
        if row.head:
            hidden = row.key in folded
        if row.head or not hidden:
            shown.append(row)
    return shown


def answering(rows: Sequence[Listed], query: str) -> tuple[list[Listed], str | None]:
    """The rows that answer a find, each group under its head, and the key of the one that answers
    best, the first of equals."""
    shown: list[Listed] = []
    head: Listed | None = None
    best, highest = None, 0
    for row in rows:
        if row.head:
            head = row
        elif found := score(query, row.find):
            if head is not None:
                shown.append(head)
                head = None
            shown.append(row)
            if found > highest:
                best, highest = row.key, found
    return shown, best


def nearest(before: Sequence[Listed], here: int, left: Mapping[str, int]) -> int | None:
    """Where a cursor goes whose row is gone: to the next row that is left, else to the last one
    before it; None where none is left."""
    for row in (*before[here:], *reversed(before[:here])):
        if row.key in left:
            return left[row.key]
    return None


def first(rows: Sequence[Listed]) -> int:
    """Where a cursor begins: on the first row that is no head and can be stood on, else on top."""
    places = enumerate(rows)
    return next((at for at, r in places if not r.head and not getattr(r, "still", False)), 0)
