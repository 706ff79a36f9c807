"""Search: where a typed text stands in rows of text; pure, linear in the rows."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

MOST = 10_000  # hits kept; more are not counted

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Hits:
    """Hits as `(row, start, stop)` in characters, in order, parts of one hit sharing its number in
    `numbers`; `current` is the hit in sight, from 0."""

    places: tuple[tuple[int, int, int], ...] = ()
    numbers: tuple[int, ...] = ()
    current: int = 0
    by_row: Mapping[int, Sequence[int]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many there are."""
        return self.numbers[-1] + 1 if self.numbers else 0

    @property
    def place(self) -> tuple[int, int, int]:
        """Where the current hit begins."""
        return self.places[bisect_left(self.numbers, self.current)]

    @property
    def more(self) -> bool:
        """Whether there may be hits beyond those kept."""
        return self.count == MOST

    def moved(self, step: int) -> Hits:
        """The same hits with another current, round the end."""
        return replace(self, current=(self.current + step) % self.count) if self.count else self

    def on(self, row: int, start: int = 0, stop: int = sys.maxsize) -> tuple[Span, ...]:
        """What to mark in the characters `start` to `stop` of a row, counted from `start`:
        `(start, stop, attribute)`."""
        here = self.by_row.get(row, range(0))
        first = bisect_right(here, start, key=lambda at: self.places[at][2])
        last = bisect_left(here, stop, key=lambda at: self.places[at][1])
        return tuple(
            (
                max(self.places[at][1] - start, 0),
                min(self.places[at][2], stop) - start,
                "reverse" if self.numbers[at] == self.current else "underline",
            )
            for at in here[first:last]
        )


def pattern(query: str) -> re.Pattern[str] | None:
    """The typed text as a pattern: case is ignored unless it has a capital, a blank answers any
    run of blanks and the marks of a wrapped row; None for no text."""
    words = query.split()
    if not words:
        return None
    flags = 0 if query != query.lower() else re.IGNORECASE
    return re.compile(r"[\s│|↳>]+".join(map(re.escape, words)), flags)


def hits_in_rows(rows: Sequence[str], query: str, near: int = 0) -> Hits:
    """The hits of a query; the current one is the first at or below the row `near`."""
    sought = pattern(query)
    if sought is None:
        return Hits()
    starts = list(accumulate((len(row) + 1 for row in rows), initial=0))
    places: list[tuple[int, int, int]] = []
    numbers: list[int] = []
    for number, found in enumerate(sought.finditer("\n".join(rows))):
        if number >= MOST:
            break
        parts = _parts(found.start(), found.end(), rows, starts)
        places += parts
        numbers += [number] * len(parts)
    by_row: dict[int, list[int]] = {}
    for at, (row, _, _) in enumerate(places):
        by_row.setdefault(row, []).append(at)
    here = next((n for n, p in zip(numbers, places, strict=True) if p[0] >= near), 0)
    return Hits(tuple(places), tuple(numbers), here, by_row)


def _parts(
    start: int, stop: int, rows: Sequence[str], starts: Sequence[int]
) -> list[tuple[int, int, int]]:
    """A hit in the joined rows as its part on each row."""
    parts = []
    row = bisect_right(starts, start) - 1
    while start < stop:
        end = min(stop, starts[row] + len(rows[row]))
        if end > start:
            parts.append((row, start - starts[row], end - starts[row]))
        row += 1
        start = starts[row]
    return parts
