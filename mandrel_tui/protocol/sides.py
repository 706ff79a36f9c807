"""Sides: a review as rows of an old and a new line beside each other, one model for both sides, so
that they cannot drift; shows nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import Decision, Hunk, Review


@dataclass(frozen=True, slots=True)
class Side:
    """One line of one side: its number from 1, and its bytes with their end."""

    number: int
    line: bytes


@dataclass(frozen=True, slots=True)
class Row:
    """Two lines beside each other, None where a side has none. `hunk` is the number of the hunk it
    belongs to, None for lines that do not change; `folded` counts lines left out here."""

    old: Side | None = None
    new: Side | None = None
    hunk: int | None = None
    folded: int = 0


def rows(review: Review, context: int | None = 3) -> tuple[Row, ...]:
    """The rows of a review, with that many unchanged lines around each hunk, or all of them."""
    base = lines_of(review.document.base or b"")
    found: list[Row] = []
    at, shift = 0, 0
    for number, hunk in enumerate(review.hunks):
        found += _same(base, at, hunk.old_start, shift, context, first=not found)
        found += _decided(_written(hunk, review.decisions[number]), number)
        at, shift = hunk.old_end, hunk.new_end - hunk.old_end
    found += _same(base, at, len(base), shift, context, first=not found, last=True)
    return tuple(found)


def _same(
    base: Sequence[bytes],
    start: int,
    end: int,
    shift: int,
    context: int | None,
    *,
    first: bool,
    last: bool = False,
) -> Iterator[Row]:
    """Unchanged lines between two hunks; those far from both are one row."""
    head = 0 if first else (context or 0)
    tail = 0 if last else (context or 0)
    hidden = end - start - head - tail
    if context is None or hidden <= 1:
        head, tail, hidden = end - start, 0, 0
    for n in range(start, start + head):
        yield _unchanged(base, n, shift)
    if hidden:
        yield Row(folded=hidden)
    for n in range(end - tail, end):
        yield _unchanged(base, n, shift)


def _unchanged(base: Sequence[bytes], number: int, shift: int) -> Row:
    return Row(Side(number + 1, base[number]), Side(number + shift + 1, base[number]))


def _written(hunk: Hunk, decision: Decision | None) -> Hunk:
    """The hunk with what a person wrote in place of its new lines."""
    if decision is None or decision.text is None:
        return hunk
    return replace(hunk, new=tuple(lines_of(decision.text)))


def _decided(hunk: Hunk, number: int) -> Iterator[Row]:
    """The lines of a hunk, facts that are alike beside each other, all others as they come."""
    old: list[Side] = []
    new: list[Side] = []
    for part in pieces(hunk):
        if part.old and part.new:
            yield from _beside(old, new, number)
            old, new = [], []
        old += (Side(part.old_start + n + 1, line) for n, line in enumerate(part.old))
        new += (Side(part.new_start + n + 1, line) for n, line in enumerate(part.new))
        if part.old and part.new:
            yield from _beside(old, new, number)
            old, new = [], []
    yield from _beside(old, new, number)


def _beside(old: Sequence[Side], new: Sequence[Side], number: int) -> Iterator[Row]:
    yield from (Row(ours, theirs, number) for ours, theirs in zip_longest(old, new))
