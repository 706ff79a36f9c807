"""Merge: two changes of one text brought together where they touch different lines; it never
guesses where they touch the same."""

from __future__ import annotations

from collections.abc import Sequence

from mandrel_tui.protocol.patience import Changed, changes, joined, lines_of
from mandrel_tui.protocol.stamps import eol_of


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """The text `base` with both changes of it; None where they concern the same lines. What both
    add at one place stands there one behind the other, ours first."""
    old = lines_of(base)
    sides = lines_of(ours), lines_of(theirs)
    found = [(change, side) for side in (0, 1) for change in changes(old, sides[side])]
    found.sort(key=lambda pair: (pair[0].old_start, pair[0].old_end, pair[1]))
    out: list[bytes] = []
    at = 0
    for change, side in found:
        if side and _same(change, found, sides):
            continue
        if change.old_start < at:
            return None
        out += old[at : change.old_start]
        out += sides[side][change.new_start : change.new_end]
        at = change.old_end
    return joined((*out, *old[at:]), eol_of(base or ours or theirs))


def _same(
    change: Changed,
    found: Sequence[tuple[Changed, int]],
    sides: tuple[Sequence[bytes], Sequence[bytes]],
) -> bool:
    """Whether a change of theirs is one that we made too."""
    theirs = sides[1][change.new_start : change.new_end]
    return any(
        (ours.old_start, ours.old_end) == (change.old_start, change.old_end)
        and sides[0][ours.new_start : ours.new_end] == theirs
        for ours, side in found
        if side == 0
    )
