"""Line: one row of styled text as a value, and how it is cut, filled and wrapped to a width; it
knows the names of roles, not their colours.

A piece is `(text, role)`. A role is one of ROLES, with `bold`, `underline`, `strike`, `reverse` or
`dim` behind it where wanted: `"review bold"`. Piece text is clean (see `clean.py`) and one line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mandrel_tui.ui.clean import fits, head, width, wrap

ROLES = ("text", "quiet", "accent", "dev", "review", "you", "pass", "fail", "line")
GROUNDS = ("add", "add-word", "del", "del-word")

Piece = tuple[str, str]
Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces from the left, which give way first, and pieces at the right end, which stay."""

    left: Pieces = ()
    right: Pieces = ()

    @property
    def text(self) -> str:
        """Its words, left then right, without any filling."""
        return plain((*self.left, *self.right))


def line(text: str, role: str = "text", right: str = "", right_role: str = "quiet") -> Line:
    """A line of one piece, or of one and one at the right end."""
    return Line(((text, role),), ((right, right_role),) if right else ())


def plain(pieces: Iterable[Piece]) -> str:
    """The text of pieces."""
    return "".join(text for text, _ in pieces)


def size(pieces: Iterable[Piece]) -> int:
    """The cells of pieces."""
    return sum(width(text) for text, _ in pieces)


def trim(pieces: Iterable[Piece], cells: int, ellipsis: str = "…") -> Pieces:
    """Pieces within `cells`, cut at a cell edge with one ellipsis, in the role it interrupts."""
    items = tuple(pieces)
    if _within(items, cells):
        return items
    kept: list[Piece] = []
    room = cells - len(ellipsis)
    for text, role in items:
        part = head(text, room)
        if part != text:
            return (*kept, (part + ellipsis[: max(cells, 0)], role))
        kept.append((text, role))
        room -= width(text)
    return tuple(kept)


def _within(pieces: Pieces, cells: int) -> bool:
    for text, _ in pieces:
        if not fits(text, cells):
            return False
        cells -= width(text)
    return True


def fit(shown: Line, cells: int, ellipsis: str = "…") -> Pieces:
    """Pieces of exactly `cells`: the left part cut or filled, the right part whole while it fits;
    one blank cell always parts them."""
    tail = shown.right if size(shown.right) <= cells else trim(shown.right, cells, ellipsis)
    room = cells - size(tail)
    body = trim(shown.left, max(room - (1 if tail and shown.left else 0), 0), ellipsis)
    return (*body, (" " * (room - size(body)), "text"), *tail)


def wrapped(shown: Line, cells: int, indent: int = 0) -> list[Line]:
    """The line as rows of at most `cells`, its left part broken at words, later rows set in by
    `indent`; the right part stands on the first row."""
    first = max(cells - size(shown.right) - (1 if shown.right else 0), 1)
    text = plain(shown.left)
    rows = wrap(text, first) if fits(text, first) else _rows(text, first, cells - indent)
    out: list[Line] = []
    at = 0
    for number, row in enumerate(rows):
        at = text.index(row, at) if row else at
        pieces = _slice(shown.left, at, at + len(row))
        at += len(row)
        if number:
            out.append(Line(((" " * indent, "text"), *pieces) if indent else pieces))
        else:
            out.append(Line(pieces, shown.right))
    return out


def _rows(text: str, first: int, others: int) -> list[str]:
    top = wrap(text, first)[0]
    rest = text[len(top) :].lstrip(" ")
    return [top, *wrap(rest, others)] if rest else [top]


def _slice(pieces: Pieces, start: int, stop: int) -> Pieces:
    """The characters `start` to `stop` of the joined text, in their roles."""
    out: list[Piece] = []
    at = 0
    for text, role in pieces:
        part = text[max(start - at, 0) : max(stop - at, 0)]
        if part:
            out.append((part, role))
        at += len(text)
    return tuple(out)
