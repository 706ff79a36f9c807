"""Diff rows: a review laid out side by side or stacked, drawn and searched line by line from one
row model; what is in sight keeps its place when the rows change, and nothing is decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual.geometry import Size
from textual.strip import Strip

from mandrel_tui.protocol.proposal import Review
from mandrel_tui.ui.diff import Entry, Layout, entries
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.present_diff import DIGITS, Drawing
from mandrel_tui.ui.search import Hits, hits_in_rows
from mandrel_tui.ui.widgets.view import Found, View

SIDES = 100  # columns from which both sides stand beside each other
CONTEXT = 3  # unchanged lines around a hunk
PAN = 8  # cells an arrow pans by
NARROWEST = 16  # columns in which anything is drawn


@dataclass(frozen=True, slots=True)
class _Anchor:
    """What stood on which row of the screen: a row of a hunk, or an old line."""

    screen: int
    hunk: int | None
    at: int


class DiffRows(View):
    """The rows of one document. Only those in sight are cut and compared word by word."""

    def __init__(
        self, *, plain: bool = False, id: str | None = None, classes: str | None = None
    ) -> None:
        """One that is `plain` only shows what differs: there is nothing to decide."""
        super().__init__(id=id, classes=classes)
        self.diff_plain = plain
        self.diff_review: Review | None = None
        self.diff_hunk = -1
        self.diff_wrap = True
        self.diff_whole = False
        self.diff_stacked = False
        self.diff_pan = 0
        self.diff_hints: tuple[Key, ...] = ()
        self.diff_empty = ""
        self._diff_layout = Layout((), 2, 2)
        self._diff_key: object = None
        self._diff_entries: tuple[Entry, ...] = ()
        self._diff_digits = DIGITS
        self._diff_page = 0
        self._diff_hits = Hits()
        self._diff_query = ""

    # What it shows.

    def set_hints(self, keys: Iterable[Key]) -> None:
        """The keys the head of the hunk in hand shows."""
        new = tuple(keys)
        if new != self.diff_hints:
            self.diff_hints = new
            self.refresh()

    def set_empty(self, text: str) -> None:
        """The sentence shown where there is nothing to decide."""
        self.diff_empty = text
        self.refresh()

    @property
    def sides(self) -> bool:
        """Whether both sides stand beside each other."""
        return self.content_region.width >= SIDES and not self.diff_stacked

    @property
    def halves(self) -> tuple[int, int] | None:
        """The cells of both sides where they stand beside each other."""
        if self.diff_review is None or not self.sides:
            return None
        width = self.scrollable_content_region.width
        return self._drawing(self.diff_review, width).halves

    @property
    def in_sight(self) -> bool:
        """Whether any row of the hunk in hand is on the screen."""
        return self.diff_hunk in self._diff_layout.hunks and self._sees(self.diff_hunk)

    def toggle_wrap(self) -> None:
        """Wrap long lines, or pan with the arrows."""
        anchor = self._anchor()
        self.diff_wrap, self.diff_pan = not self.diff_wrap, 0
        self._lay_out(anchor)

    def toggle_whole(self) -> None:
        """The whole document, or only what is around its hunks."""
        anchor = self._anchor()
        self.diff_whole = not self.diff_whole
        self._lay_out(anchor)

    def toggle_stacked(self) -> None:
        """Stack the sides, or put them beside each other."""
        anchor = self._anchor()
        self.diff_stacked = not self.diff_stacked
        self._lay_out(anchor)

    def sideways(self, step: int) -> bool:
        if self.diff_wrap:
            return False
        cells = (c.text for e in self._diff_layout.entries for c in e.shown if c is not None)
        longest = max(map(len, cells), default=0)
        self.diff_pan = min(max(self.diff_pan + step * PAN, 0), max(longest - PAN, 0))
        self.refresh()
        return True

    def on_resize(self) -> None:
        self._lay_out(self._anchor())

    # Laying out.

    def _sees(self, hunk: int, page: int = 0) -> bool:
        first, end = self._diff_layout.rows_of(hunk)
        return first < self.top + (page or self.page) and end > self.top

    def _anchor(self) -> _Anchor | None:
        """What is to stay on its row of the screen."""
        layout = self._diff_layout
        if not len(layout):
            return None
        # By the rows there were: the terminal may have another size by now.
        if self.diff_hunk in layout.hunks and self._sees(self.diff_hunk, self._diff_page):
            first, _ = layout.rows_of(self.diff_hunk)
            return _Anchor(max(first - self.top, 0), self.diff_hunk, max(self.top - first, 0))
        entry = layout.entries[layout.at(min(self.top, len(layout) - 1)).entry]
        return _Anchor(0, None, entry.line)

    def _lay_out(self, anchor: _Anchor | None) -> None:
        """Lay the rows out for this width, what is anchored kept on its row."""
        if self.content_region.width < NARROWEST:
            return
        room, review = self.content_region, self.diff_review
        # Fitting lays out twice; where the rows alone are too many, the scroll bar is certain.
        long = review is not None and len(self._entries(review)) > room.height
        self._diff_layout = self._laid(room.width - 1) if long else self.fitted(self._laid)
        self._search()
        self.virtual_size = Size(0, len(self._diff_layout))
        self._diff_page = room.height
        super().scroll_row(self._row_of(anchor))
        self.refresh()

    def _row_of(self, anchor: _Anchor | None) -> int:
        """The row that must be the top one for what is anchored to stay where it is."""
        layout = self._diff_layout
        if anchor is None:
            return 0
        if anchor.hunk is None:
            return layout.row_of(layout.entry_at(anchor.at))
        if self.diff_hunk not in layout.hunks:
            return 0
        first, end = layout.rows_of(self.diff_hunk)
        room = max(self.content_region.height - (end - first), 0)
        return first + min(anchor.at, end - first - 1) - min(anchor.screen, room)

    def _laid(self, width: int) -> Layout:
        review = self.diff_review
        if review is None:
            return Layout((), 2, 2)
        old, new = self._drawing(review, width).cells
        return Layout(self._entries(review), old, new, wrap=self.diff_wrap)

    def _entries(self, review: Review) -> tuple[Entry, ...]:
        """The rows of the model, made again only where they are others."""
        if not review.hunks:
            return ()
        written = tuple(d.text if d is not None else None for d in review.decisions)
        context = None if self.diff_whole else CONTEXT
        key = (review.document, review.hunks, written, context, self.sides)
        if key != self._diff_key:
            self._diff_key = key
            ascii = self.symbols.ascii
            self._diff_entries = entries(
                review, context=context, stacked=not self.sides, ascii=ascii
            )
        return self._diff_entries

    # Drawing.

    def _drawing(self, review: Review, width: int) -> Drawing:
        return Drawing(
            review,
            self.symbols,
            width,
            self.sides,
            self._diff_digits,
            self.diff_hunk,
            self.diff_hints,
            self.diff_pan,
            self.diff_plain,
        )

    def render_line(self, y: int) -> Strip:
        review, row = self.diff_review, y + self.top
        if row >= len(self._diff_layout) or review is None:
            return self._empty(y) if not len(self._diff_layout) else self.blank()
        width = self.scrollable_content_region.width
        drawing = self._drawing(review, width)
        pieces = drawing.row(self._diff_layout, self._diff_layout.at(row), self._diff_hits)
        return Strip(self.role_styles.paint(pieces, self.rich_style), width)

    def _empty(self, y: int) -> Strip:
        words = Line(((f" {self.diff_empty}", "quiet"),))
        return self.strip(words, self.rich_style) if y == 0 and self.diff_empty else self.blank()

    # Finding.

    def find(self, text: str) -> Found:
        self._diff_query = text
        self._search()
        return self._show_hit()

    def find_next(self, step: int) -> Found:
        self._diff_hits = self._diff_hits.moved(step)
        return self._show_hit()

    def _search(self) -> None:
        near = self._diff_layout.at(self.top).entry if self.top < len(self._diff_layout) else 0
        texts = (cell for entry in self._diff_layout.entries for cell in entry.shown)
        rows = [cell.text if cell is not None else "" for cell in texts] if self._diff_query else []
        self._diff_hits = hits_in_rows(rows, self._diff_query, 2 * near)

    def _show_hit(self) -> Found:
        hits = self._diff_hits
        self.refresh()
        if not hits.count:
            return Found(0, 0)
        entry = hits.place[0] // 2
        row = self._diff_layout.row_of(entry)
        if not self.top <= row < self.top + self.page:
            self.scroll_row(row - self.page // 3)
        return Found(hits.count, hits.count, hits.current + 1, hits.more)
