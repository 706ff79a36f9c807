"""Pieces: a hunk cut where its facts begin, old and new ones that are alike kept together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mandrel_tui.protocol.proposal import Hunk
from mandrel_tui.protocol.words import alike

_ALIKE = 0.4
_MOST = 60  # blocks on a side that are compared with each other
_BEGINS = re.compile(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|#{1,6}[ \t]|\|")

Block = tuple[bytes, ...]


def pieces(hunk: Hunk) -> tuple[Hunk, ...]:
    """The hunk in parts that can be decided on their own; itself where there is only one."""
    if hunk.whole:
        return (hunk,)
    old, new = list(_blocks(hunk.old)), list(_blocks(hunk.new))
    return tuple(_cut(hunk, _parts(old, new))) or (hunk,)


def _blocks(lines: Sequence[bytes]) -> Iterator[Block]:
    """Lines by fact: a list item, heading or table row begins one, a blank line ends one."""
    block: list[bytes] = []
    for line in lines:
        ended = bool(block) and not block[-1].strip() and line.strip()
        if block and (ended or _BEGINS.match(line)):
            yield tuple(block)
            block = []
        block.append(line)
    if block:
        yield tuple(block)


def _parts(old: list[Block], new: list[Block]) -> Iterator[tuple[Block, Block]]:
    """Old and new blocks in order: alike ones paired, all others alone."""
    i = j = 0
    for x, y in (*_pairs(old, new), (len(old), len(new))):
        yield from ((block, ()) for block in old[i:x])
        yield from (((), block) for block in new[j:y])
        if x < len(old) and y < len(new):
            yield old[x], new[y]
        i, j = x + 1, y + 1


def _pairs(old: list[Block], new: list[Block]) -> list[tuple[int, int]]:
    """The chain of pairs that are alike, ascending on both sides, whose likeness is greatest."""
    if not old or not new:
        return []
    if max(len(old), len(new)) > _MOST:
        return [(n, n) for n in range(min(len(old), len(new)))]
    ours, theirs = ([_text(block) for block in side] for side in (old, new))
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    like = [[alike(a, b) for b in theirs] for a in ours]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            paired = like[i][j] + best[i + 1][j + 1] if like[i][j] >= _ALIKE else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    return list(_chain(best, like))


def _chain(best: list[list[float]], like: list[list[float]]) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(like) and j < len(like[0]) and best[i][j]:
        if like[i][j] >= _ALIKE and best[i][j] == like[i][j] + best[i + 1][j + 1]:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _text(block: Block) -> str:
    return b"".join(block).decode("utf-8", "replace")


def _cut(hunk: Hunk, parts: Iterator[tuple[Block, Block]]) -> Iterator[Hunk]:
    old, new = hunk.old_start, hunk.new_start
    for ours, theirs in parts:
        yield Hunk(old, new, ours, theirs)
        old, new = old + len(ours), new + len(theirs)
