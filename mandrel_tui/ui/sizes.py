"""Sizes: which layouts hold at which size of the terminal."""

from __future__ import annotations

from textual.geometry import Size

TINY = (40, 8)  # smaller than this shows a sentence
POCKET = (60, 16)  # smaller than this shows the next card alone
COLUMNS, WIDE, BESIDE = 80, 120, 170
SHORT, TALL = 24, 34


def layout_classes(size: Size) -> frozenset[str]:
    """The names of the layouts that hold at a size."""
    width, height = size
    if width < TINY[0] or height < TINY[1]:
        return frozenset({"-tiny"})
    if width < POCKET[0] or height < POCKET[1]:
        return frozenset({"-pocket", "-stacked", "-short"})
    held = {
        "-stacked": width < COLUMNS,
        "-columns": width >= COLUMNS,
        "-wide": width >= WIDE,
        "-beside": width >= BESIDE and height >= SHORT,
        "-short": height < SHORT,
        "-tall": height >= TALL,
    }
    return frozenset(name for name, holds in held.items() if holds)


LAYOUTS = ("-tiny", "-pocket", "-stacked", "-columns", "-wide", "-beside", "-short", "-tall")
