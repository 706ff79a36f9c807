"""Cells: how wide a text stands in a terminal, and cutting it at a cell edge; light to import."""

from __future__ import annotations

from unicodedata import category, east_asian_width

_NO_CELL = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """The cells a visible text takes."""
    return len(text) if text.isascii() else sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if category(character) in _NO_CELL:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, cells: int) -> str:
    """The text with blanks up to that width; longer text is left as it is."""
    return text + " " * (cells - width(text))


def cut(text: str, cells: int | None) -> str:
    """The text within that many cells, ending in one ellipsis where it was longer."""
    if cells is None or width(text) <= cells:
        return text
    if cells <= 0:
        return ""
    used = 0
    for place, character in enumerate(text):
        used += _cells(character)
        if used > cells - 1:
            return text[:place] + "…"
    return text
