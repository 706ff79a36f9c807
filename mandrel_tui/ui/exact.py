"""Exact text laid out in rows: which characters stand on which row, found on demand whatever the
length of a line; pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from mandrel_tui.ui.clean import chop, clean

LONG = 16_384  # characters; a longer line that is not ASCII is cut at a fixed number of them
MUCH = 200_000  # characters that are not in ASCII lines, from where all such lines are cut so


@dataclass(frozen=True, slots=True)
class Place:
    """A row: its line from 0, which row of that line it is, and its characters."""

    line: int
    part: int
    start: int
    stop: int


def lines_of(text: str, *, ascii: bool = False) -> tuple[str, ...]:
    """The lines of a text as shown, apart at LF or CRLF; a CR is shown where only some lines end
    with one. A tab is its picture: exact text is not aligned for the reader."""
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
        if all(line.endswith("\r") for line in lines):
            lines = [line[:-1] for line in lines]
    return tuple(clean(line, ascii=ascii, tabs=False) for line in lines)


class Layout:
    """Lines in rows of at most `cells`, or one row a line where `wrap` is false."""

    def __init__(self, lines: Sequence[str], cells: int, *, wrap: bool = True) -> None:
        self.lines = lines
        self.cells = max(cells, 2)
        self.wrap = wrap
        much = sum(len(line) for line in lines if not line.isascii()) > MUCH
        self._longest = 0 if much else LONG
        self._edges: dict[int, list[int]] = {}
        counts = map(self._rows, range(len(lines))) if wrap else (1 for _ in lines)
        self._firsts = list(accumulate(counts, initial=0))

    def __len__(self) -> int:
        """All rows."""
        return self._firsts[-1]

    def at(self, row: int) -> Place:
        """The place of a row of the layout."""
        line = bisect_right(self._firsts, row) - 1
        part = row - self._firsts[line]
        if not self.wrap:
            return Place(line, 0, 0, len(self.lines[line]))
        start, stop = self._span(line, part)
        return Place(line, part, start, stop)

    def row_of(self, line: int, character: int = 0) -> int:
        """The row of a character of a line; of the last line for one beyond it."""
        line = min(max(line, 0), len(self.lines) - 1)
        if not self.wrap or not character:
            return self._firsts[line]
        step = self._step(line)
        part = character // step if step else bisect_right(self._cut(line), character) - 1
        return min(self._firsts[line] + part, self._firsts[line + 1] - 1)

    def _step(self, line: int) -> int:
        """The characters of each row of a line where that is one number, else 0. No character is
        wider than two cells, so half the cells always hold."""
        text = self.lines[line]
        if text.isascii():
            return self.cells
        return self.cells // 2 if len(text) > self._longest else 0

    def _rows(self, line: int) -> int:
        step = self._step(line)
        return max(-(-len(self.lines[line]) // step), 1) if step else len(self._cut(line))

    def _span(self, line: int, part: int) -> tuple[int, int]:
        size = len(self.lines[line])
        if step := self._step(line):
            return part * step, min((part + 1) * step, size)
        edges = self._cut(line)
        return edges[part], edges[part + 1] if part + 1 < len(edges) else size

    def _cut(self, line: int) -> list[int]:
        """Where each row of a line starts."""
        if line not in self._edges:
            rows = chop(self.lines[line], self.cells)
            self._edges[line] = list(accumulate(map(len, rows[:-1]), initial=0))
        return self._edges[line]
