"""A review laid out for a terminal: which lines stand on which row, beside each other or stacked,
from one model for both sides; pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, groupby

from mandrel_tui.protocol import sides
from mandrel_tui.protocol.proposal import Change, Review
from mandrel_tui.ui.clean import clean, head

LONG = 16_384  # characters; a longer line is cut at cells alone, without looking for words
UNENDED = " (no line end)"


class Shape(StrEnum):
    """What a row of the model is."""

    HEAD = "head"
    CAPTION = "caption"
    LINE = "line"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of one side: its number from 1, its clean text, and what is said behind it."""

    number: int
    text: str
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the model, before it is wrapped. `hunk` is the hunk it belongs to; `line` the old
    line it, or its hunk, stands at; `side` says which of the two cells is shown, empty for both;
    `words` are those of a caption, or how many lines a fold leaves out."""

    shape: Shape
    line: int
    hunk: int | None = None
    old: Cell | None = None
    new: Cell | None = None
    side: str = ""
    words: str = ""

    @property
    def shown(self) -> tuple[Cell | None, Cell | None]:
        """The cells of this row, old and new."""
        return (
            self.old if self.side != "new" else None,
            self.new if self.side != "old" else None,
        )


def entries(
    review: Review, *, context: int | None = 3, stacked: bool = False, ascii: bool = False
) -> tuple[Entry, ...]:
    """The rows of a review with `context` unchanged lines around each hunk, or all of them;
    `stacked` puts the old lines of a hunk above the new ones."""
    return tuple(_Model(review, stacked, ascii).run(context))


class _Model:
    """One pass over the rows of a review."""

    def __init__(self, review: Review, stacked: bool, ascii: bool) -> None:
        self.review, self.stacked, self.ascii = review, stacked, ascii
        self.bare = _ends_alike(review)
        self.line = 1

    def run(self, context: int | None) -> Iterator[Entry]:
        for number, hunk in enumerate(self.review.hunks):
            if hunk.whole:
                yield Entry(Shape.HEAD, 1, number)
                yield Entry(Shape.CAPTION, 1, number, words=self.whole())
        for number, group in groupby(sides.rows(self.review, context), lambda row: row.hunk):
            rows = list(group)
            yield from self.same(rows) if number is None else self.hunk(number, rows)

    def whole(self) -> str:
        document = self.review.document
        if document.change is Change.RENAMED:
            return f"it becomes {document.path}; now it is {document.origin}"
        added = document.change is Change.ADDED
        return f"an empty document is {'added' if added else 'removed'}"

    def same(self, rows: Sequence[sides.Row]) -> Iterator[Entry]:
        for row in rows:
            if row.folded:
                yield Entry(Shape.FOLD, self.line, words=str(row.folded))
                self.line += row.folded
                continue
            old, new = self.cells(row)
            yield Entry(Shape.LINE, self.line, None, old, new, "new" if self.stacked else "")
            self.line += 1

    def hunk(self, number: int, rows: Sequence[sides.Row]) -> Iterator[Entry]:
        yield Entry(Shape.HEAD, self.line, number)
        pairs = [self.cells(row) for row in rows]
        if not self.stacked:
            yield from (self.pair(number, old, new, "") for old, new in pairs)
        else:
            yield from self.half(number, pairs, "old")
            yield from self.half(number, pairs, "new")
        self.line += sum(old is not None for old, _ in pairs)

    def half(
        self, number: int, pairs: Sequence[tuple[Cell | None, Cell | None]], side: str
    ) -> Iterator[Entry]:
        """The lines of one side of a hunk under their caption."""
        at = 1 if side == "new" else 0
        numbers = [cell.number for cell in (pair[at] for pair in pairs) if cell is not None]
        if numbers:
            first, last = numbers[0], numbers[-1]
            words = f"line {first}" if first == last else f"lines {first} to {last}"
            yield Entry(Shape.CAPTION, self.line, number, words=f"{side}, {words}")
        yield from (self.pair(number, *pair, side) for pair in pairs if pair[at] is not None)

    def pair(self, number: int, old: Cell | None, new: Cell | None, side: str) -> Entry:
        return Entry(Shape.LINE, self.line, number, old, new, side)

    def cells(self, row: sides.Row) -> tuple[Cell | None, Cell | None]:
        old = self.cell(row.old) if row.old is not None else None
        if row.hunk is None and old is not None and row.new is not None:
            return old, Cell(row.new.number, old.text, old.tail)
        return old, self.cell(row.new) if row.new is not None else None

    def cell(self, side: sides.Side) -> Cell:
        line = side.line.removesuffix(b"\n")
        if self.bare:
            line = line.removesuffix(b"\r")
        text = clean(line.decode("utf-8", "replace"), ascii=self.ascii, tabs=False)
        return Cell(side.number, text, "" if side.line.endswith(b"\n") else UNENDED)


def _ends_alike(review: Review) -> bool:
    """Whether all lines of both sides end alike, so that a CR before the end tells nothing."""
    texts = [text for text in (review.document.base, review.document.proposed) if text]
    found = [(text.count(b"\r\n"), text.count(b"\n")) for text in texts]
    return all(crlf == 0 for crlf, _ in found) or all(crlf == lf for crlf, lf in found)


def breaks(text: str, cells: int) -> tuple[int, ...]:
    """Where each row of a line starts: behind a blank where there is one, else at a cell edge;
    every character is kept."""
    cells = max(cells, 2)
    if text.isascii() and len(text) <= cells:
        return (0,)
    if len(text) > LONG:
        return tuple(range(0, len(text), cells if text.isascii() else cells // 2))
    starts, at = [0], 0
    while part := head(text[at : at + 4 * cells + 16], cells):
        end = at + len(part)
        if end >= len(text):
            break
        blank = text.rfind(" ", at, end)
        at = blank + 1 if blank > at + len(part) // 3 else end
        starts.append(at)
    return tuple(starts)


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the layout: its entry and which row of that entry it is."""

    entry: int
    part: int


class Layout:
    """Entries in rows: a line takes as many as its longer side needs in `old` and `new` cells, or
    one where `wrap` is false."""

    def __init__(self, entries: Sequence[Entry], old: int, new: int, *, wrap: bool = True) -> None:
        self.entries = entries
        self.cells = (max(old, 2), max(new, 2))
        self.wrap = wrap
        self._breaks: dict[tuple[int, int], tuple[int, ...]] = {}
        self._firsts = list(accumulate(map(self._height, range(len(entries))), initial=0))
        self._lines = [entry.line for entry in entries]
        self.hunks: dict[int, tuple[int, int]] = {}
        for at, entry in enumerate(entries):
            if entry.hunk is not None:
                first, _ = self.hunks.get(entry.hunk, (at, at))
                self.hunks[entry.hunk] = (first, at + 1)

    def __len__(self) -> int:
        """All rows."""
        return self._firsts[-1]

    def at(self, row: int) -> Place:
        """The place of a row."""
        entry = bisect_right(self._firsts, row) - 1
        return Place(entry, row - self._firsts[entry])

    def row_of(self, entry: int) -> int:
        """The first row of an entry; all rows for one beyond the last."""
        return self._firsts[min(max(entry, 0), len(self.entries))]

    def entry_at(self, line: int) -> int:
        """The entry an old line stands in, unchanged ones that were left out in their fold."""
        at = bisect_left(self._lines, line)
        if at < len(self._lines) and self._lines[at] == line:
            return at
        return max(at - 1, 0)

    def rows_of(self, hunk: int) -> tuple[int, int]:
        """The rows of a hunk, the end left out; its head is the first."""
        first, end = self.hunks[hunk]
        return self._firsts[first], self._firsts[end]

    def span(self, place: Place, side: int) -> tuple[int, int]:
        """The characters of the old (0) or new (1) cell that stand on a row; an empty span behind
        its end where the other side is longer."""
        cell = self.entries[place.entry].shown[side]
        text = cell.text if cell is not None else ""
        if not self.wrap:
            return 0, len(text)
        starts = self._starts(place.entry, side)
        if place.part >= len(starts):
            return len(text), len(text)
        last = place.part + 1 == len(starts)
        return starts[place.part], len(text) if last else starts[place.part + 1]

    def parts(self, entry: int, side: int) -> int:
        """How many rows a cell needs."""
        return len(self._starts(entry, side)) if self.wrap else 1

    def _height(self, at: int) -> int:
        entry = self.entries[at]
        if entry.shape is not Shape.LINE or not self.wrap:
            return 1
        return max(len(self._starts(at, side)) for side in (0, 1) if entry.shown[side] is not None)

    def _starts(self, at: int, side: int) -> tuple[int, ...]:
        cell, cells = self.entries[at].shown[side], self.cells[side]
        if cell is None or (cell.text.isascii() and len(cell.text) <= cells):
            return (0,)
        if (at, side) not in self._breaks:
            self._breaks[at, side] = breaks(cell.text, cells)
        return self._breaks[at, side]
