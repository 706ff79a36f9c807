"""Difference: the first byte at which two texts are no longer the same; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass

STEP = 1 << 16  # bytes compared at once
SHOWN = 24  # bytes of each text shown from there


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two texts part: the byte from 0, its line from 1, its byte in that line from 1, and
    what each text says from there, empty at its end."""

    at: int
    line: int
    column: int
    old: bytes
    new: bytes


def first_difference(old: bytes, new: bytes) -> Difference | None:
    """Where two texts part; None where they are the same."""
    if old == new:
        return None
    at = _parting(old, new)
    start = old.rfind(b"\n", 0, at) + 1
    line = old.count(b"\n", 0, at) + 1
    shown = (text[at : at + SHOWN].partition(b"\n") for text in (old, new))
    said = [before or end for before, end, _ in shown]
    return Difference(at, line, at - start + 1, *said)


def _parting(old: bytes, new: bytes) -> int:
    shared = min(len(old), len(new))
    start = 0
    while start < shared and old[start : start + STEP] == new[start : start + STEP]:
        start += STEP
    return next((at for at in range(min(start, shared), shared) if old[at] != new[at]), shared)
