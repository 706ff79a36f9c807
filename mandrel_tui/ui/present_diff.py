"""Present a diff: rows of a review as pieces of text and role, side by side or stacked; it lays
nothing out and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.proposal import Decision, Review
from mandrel_tui.protocol.words import marks
from mandrel_tui.ui.clean import pad
from mandrel_tui.ui.diff import Cell, Entry, Layout, Place, Shape
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Piece, Pieces, marked, size, trim
from mandrel_tui.ui.search import Hits
from mandrel_tui.ui.symbols import Symbols

RAIL = 5  # cells between the sides
DIGITS = 4  # of a line number, at least
SIGNS = ("-", "+")
GROUNDS = ("del", "add")
SIGN_ROLES = ("fail", "pass")


@dataclass(frozen=True, slots=True)
class Drawing:
    """How one review is drawn: in `width` cells, its sides beside each other or stacked, line
    numbers in `digits` cells, with the hunk in hand and the keys its head shows; `pan` counts cells
    left out at the left. One that is `plain` is not decided: it has no marks."""

    review: Review
    symbols: Symbols
    width: int
    sides: bool
    digits: int = DIGITS
    hunk: int = -1
    hints: tuple[Key, ...] = ()
    pan: int = 0
    plain: bool = False

    @property
    def halves(self) -> tuple[int, int]:
        """The cells of both sides, rail and all; of all there is where they are stacked."""
        if not self.sides:
            return self.width, self.width
        old = (self.width - RAIL + 1) // 2
        return old, self.width - RAIL - old

    @property
    def gutter(self) -> int:
        """The cells before a line: sign, number, blank; stacked ones have bar and mark too."""
        return self.digits + (2 if self.sides else 4)

    @property
    def cells(self) -> tuple[int, int]:
        """The cells there are for the text of each side."""
        old, new = self.halves
        return old - self.gutter, new - self.gutter

    # Rows.

    def row(self, layout: Layout, place: Place, hits: Hits) -> Pieces:
        """One row, exactly as wide as there is room."""
        entry = layout.entries[place.entry]
        if entry.shape is Shape.HEAD:
            return self._head(entry)
        halves = [self._half(layout, place, side, hits) for side in (0, 1)]
        if self.sides:
            old, new = self.halves
            left, right = self._fill(halves[0], old), self._fill(halves[1], new)
            return (*left, *self._rail(entry), *right)
        side = 0 if entry.side == "old" else 1
        return self._fill((*self._bar(entry), *halves[side]), self.width)

    def _fill(self, pieces: Pieces, cells: int) -> Pieces:
        return _filled(pieces, cells, self.symbols.ellipsis)

    def _half(self, layout: Layout, place: Place, side: int, hits: Hits) -> Pieces:
        entry = layout.entries[place.entry]
        blank = " " * (self.digits + 2)
        if entry.shape is Shape.FOLD:
            count = f" {_lines(entry.words)}" if side == 0 or not self.sides else ""
            return ((f"{blank}{self.symbols.gap}{count}", "quiet"),)
        if entry.shape is Shape.CAPTION:
            return ((f" {entry.words}", "quiet"),) if side == 0 or not self.sides else ()
        cell = entry.shown[side]
        if cell is None or place.part >= layout.parts(place.entry, side):
            return ()
        start, stop = layout.span(place, side)
        text = self._text(entry, cell, side, (start, stop))
        found = hits.on(2 * place.entry + side, start + self.pan, stop)
        return (*self._gutter(entry, cell, side, place.part), *marked(text, found))

    def _text(self, entry: Entry, cell: Cell, side: int, span: tuple[int, int]) -> Pieces:
        """The characters of a span with the words that changed, and what is said behind them."""
        start, stop = span[0] + self.pan, span[1]
        role = self._role(entry.hunk, side)
        pieces: Pieces = ((cell.text[start : max(stop, start)], role),)
        if GROUNDS[side] in role and entry.old is not None and entry.new is not None:
            changed = marks(entry.old.text, entry.new.text)[side]
            added = f"{GROUNDS[side]}-word bold"
            pieces = marked(pieces, list(_within(changed, start, stop, added)))
        tail = stop == len(cell.text) and entry.hunk is not None and cell.tail
        return (*pieces, (cell.tail, f"quiet {_ground(role)}")) if tail else pieces

    def _gutter(self, entry: Entry, cell: Cell, side: int, part: int) -> Pieces:
        role = self._role(entry.hunk, side)
        ground = _ground(role)
        sign = SIGNS[side] if entry.hunk is not None and not part else " "
        number = self.symbols.wrapped if part else str(cell.number)
        signed = SIGN_ROLES[side] if ground else "quiet"
        return (
            (sign, f"{signed} {ground}"),
            (f"{pad(number, self.digits, right=True)} ", f"quiet {ground}"),
        )

    def _role(self, hunk: int | None, side: int) -> str:
        """The role of a line: tinted while it may win, quiet once it lost."""
        if hunk is None:
            return "text"
        decision = self._decision(hunk)
        if decision is None or (decision.accept and side == 1):
            return f"text {GROUNDS[side]}"
        return "quiet" if decision.accept is (side == 0) else "text"

    # Rail, bar, heads.

    def _rail(self, entry: Entry) -> Pieces:
        symbols, hunk = self.symbols, entry.hunk
        here = hunk is not None and hunk == self.hunk
        bar = (symbols.heavy_bar, "accent") if here else (symbols.bar, "line")
        mark = (" ", "text") if hunk is None else self._mark(hunk)
        return (bar, (" ", "text"), mark, (" ", "text"), bar)

    def _bar(self, entry: Entry) -> Pieces:
        symbols, hunk = self.symbols, entry.hunk
        if hunk is None:
            return (("  ", "text"),)
        bar = symbols.heavy_bar if hunk == self.hunk else " "
        return ((bar, "accent"), self._mark(hunk))

    def _mark(self, hunk: int) -> Piece:
        decision = self._decision(hunk)
        if self.plain:
            return (" ", "text")
        if decision is None:
            return (self.symbols.unknown, "you")
        return (self.symbols.ok, "pass") if decision.accept else (self.symbols.fail, "fail")

    def _head(self, entry: Entry) -> Pieces:
        assert entry.hunk is not None
        here = entry.hunk == self.hunk
        rule = (self.symbols.heavy, "accent") if here else (self.symbols.thin, "line")
        strong = "accent bold" if here else "quiet"
        name = f"hunk {entry.hunk + 1} of {len(self.review.hunks)}"
        said = "" if self.plain else decided_words(self._decision(entry.hunk))
        if not self.sides:
            head = _said(rule, f"{name}, {said}" if said else name, strong)
            return self._rule(head, self._hints(here, self.width - size(head) - 3), self.width)
        old, new = self.halves
        right = _said(rule, said, strong)
        hints = self._hints(here, new - size(right) - 3)
        between = (("  ", "text"), *hints, (" ", "text")) if hints else ()
        left = self._rule((rule, *_said(rule, name, strong)), (), old)
        return (*left, *self._rail(entry), *self._rule((*right, *between), (), new))

    def _rule(self, start: Pieces, end: Pieces, cells: int) -> Pieces:
        return _ruled(start, end, cells, start[0], self.symbols.ellipsis)

    def _hints(self, here: bool, room: int) -> Pieces:
        """The keys of the hunk in hand, as many as there is room for."""
        pieces: tuple[Piece, ...] = ()
        for key in self.hints if here else ():
            gap = (("   " if self.sides else "  ", "text"),) if pieces else ()
            more = (*pieces, *gap, *_cap(key, self.symbols))
            if size(more) > room:
                break
            pieces = more
        return pieces

    def _decision(self, hunk: int) -> Decision | None:
        return self.review.decisions[hunk]


def digits_of(review: Review) -> int:
    """The cells the line numbers of both sides need."""
    texts = (review.document.base, review.document.proposed)
    return max(DIGITS, *(len(str((text or b"").count(b"\n") + 1)) for text in texts))


def decided_words(decision: Decision | None) -> str:
    """`undecided`, `accepted`, `rejected`, or `edited`."""
    if decision is None:
        return "undecided"
    if decision.text is not None:
        return "edited"
    return "accepted" if decision.accept else "rejected"


def _said(rule: Piece, words: str, role: str) -> Pieces:
    if not words:
        return (rule,)
    return (rule, (" ", "text"), (words, role), (" ", "text"))


def _cap(key: Key, symbols: Symbols) -> Pieces:
    if key.reason:
        return ((f"{symbols.keys(key.key)} {key.label}", "off"),)
    return ((symbols.keys(key.key), "accent bold"), (f" {key.label}", "quiet"))


def _lines(count: str) -> str:
    return f"{int(count):,} unchanged line" + ("" if count == "1" else "s")


def _ground(role: str) -> str:
    """The ground of a role, empty for none."""
    return "".join(word for word in role.split() if word in GROUNDS)


def _within(
    spans: Sequence[tuple[int, int]], start: int, stop: int, added: str
) -> Iterator[tuple[int, int, str]]:
    """The parts of spans within some characters, counted from their start."""
    for begin, end in spans:
        if begin < stop and end > start:
            yield max(begin - start, 0), min(end, stop) - start, added


def _filled(pieces: Pieces, cells: int, ellipsis: str) -> Pieces:
    """Pieces of exactly `cells`, the rest in the ground of the last one."""
    kept = trim(pieces, cells, ellipsis)
    ground = _ground(kept[-1][1]) if kept else ""
    return (*kept, (" " * (cells - size(kept)), f"text {ground}"))


def _ruled(start: Pieces, end: Pieces, cells: int, rule: Piece, ellipsis: str) -> Pieces:
    """Words on a rule of exactly `cells`, `end` before its last cell."""
    tail = ((" ", "text"), *end, (" ", "text"), rule) if end else ()
    kept = trim(start, cells - size(tail), ellipsis)
    return (*kept, (rule[0] * (cells - size(tail) - size(kept)), rule[1]), *tail)
