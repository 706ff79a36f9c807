"""Line: one row of styled text as a value, and how it is cut, filled and wrapped to a width; it
knows the names of roles, not their colours.

A piece is `(text, role)`. A role is one of ROLES, or `off` for what cannot act; behind it stand,
where wanted, `bold`, `underline`, `strike`, `reverse`, `dim` or the ground of a changed line
(`add`, `add-word`, `del`, `del-word`): `"review bold"`. Piece text is clean (see `clean.py`) and
one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from mandrel_tui.ui.clean import fits, head, width, wrap

ROLES = ("text", "quiet", "accent", "dev", "review", "you", "pass", "fail", "line")

Piece = tuple[str, str]
Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces from the left, which give way first, and pieces at the right end, which stay; where it
    wraps, later rows are set in by `indent`."""

    left: Pieces = ()
    right: Pieces = ()
    indent: int = 0

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


def wrapped(shown: Line, cells: int) -> list[Line]:
    """The line as rows of at most `cells`, its left part broken at words; the right part stands on
    the first row. A blank that does not break has done its work and is drawn as a blank."""
    indent = max(min(shown.indent, cells // 2, cells - 2), 0)  # room for a wide character
    first = max(cells - size(shown.right) - (1 if shown.right else 0), 1)
    text = plain(shown.left)
    spans = _spans(text, first, max(cells - indent, 1))
    parts = [
        tuple((piece.replace("\u00a0", " "), role) for piece, role in part)
        for part in _parts(shown.left, spans)
    ]
    gap: Pieces = ((" " * indent, "text"),) if indent else ()
    return [Line(parts[0], shown.right), *(Line((*gap, *part)) for part in parts[1:])]


def marked(pieces: Pieces, spans: Sequence[tuple[int, int, str]]) -> Pieces:
    """The pieces with an attribute added from character `start` to `stop`; spans are in order and
    do not overlap."""
    if not spans:
        return pieces
    end = len(plain(pieces))
    edges = [0, *(edge for start, stop, _ in spans for edge in (start, stop)), end]
    parts = _parts(pieces, list(pairwise(edges)))
    out: list[Piece] = []
    for number, part in enumerate(parts):
        added = f" {spans[number // 2][2]}" if number % 2 else ""
        out += [(text, role + added) for text, role in part]
    return tuple(out)


def _spans(text: str, first: int, others: int) -> list[tuple[int, int]]:
    """Where each row of a wrapped text starts and stops."""
    rows = wrap(text, first)
    if len(rows) > 1 and others != first:
        rest = text[len(rows[0]) :].lstrip(" ")
        rows = [rows[0], *wrap(rest, others)]
    spans: list[tuple[int, int]] = []
    at = 0
    for row in rows:
        at = text.index(row, at)
        spans.append((at, at + len(row)))
        at += len(row)
    return spans


def _parts(pieces: Pieces, spans: Sequence[tuple[int, int]]) -> Iterator[Pieces]:
    """The pieces of each span of the joined text; spans are in order. Linear in both."""
    ends = list(accumulate(len(text) for text, _ in pieces))
    item = 0
    for start, stop in spans:
        while item < len(ends) and ends[item] <= start:
            item += 1
        part: list[Piece] = []
        for at in range(item, len(pieces)):
            text, role = pieces[at]
            begin = ends[at] - len(text)
            if begin >= stop:
                break
            if cutout := text[max(start - begin, 0) : stop - begin]:
                part.append((cutout, role))
        yield tuple(part)
