"""Diff: a review side by side or stacked, drawn line by line from one row model; it keeps the hunk
in hand and its place, and decides nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from mandrel_tui.protocol.proposal import Hunk, Review
from mandrel_tui.ui.diff import Entry, Layout, entries
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.present_diff import DIGITS, Drawing, digits_of
from mandrel_tui.ui.search import Hits, hits_in_rows
from mandrel_tui.ui.widgets.view import Found, View

SIDES = 100  # columns from which both sides stand beside each other
CONTEXT = 3  # unchanged lines around a hunk
PAN = 8  # cells an arrow pans by
MARGIN = 3  # rows above the head of a hunk that was gone to
NARROWEST = 16  # columns in which anything is drawn


@dataclass(frozen=True, slots=True)
class _Anchor:
    """What stood on which row of the screen: a row of a hunk, or an old line."""

    screen: int
    hunk: int | None
    at: int


class Diff(View):
    """One document under review. Only rows in sight are cut and compared word by word."""

    class Moved(Message):
        """Another hunk is in hand."""

        def __init__(self, diff: Diff, hunk: int) -> None:
            super().__init__()
            self.diff = diff
            self.hunk = hunk

        @property
        def control(self) -> Diff:
            return self.diff

    class Opened(Moved):
        """Enter or a double click on the hunk in hand."""

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

    def show_review(self, review: Review | None, *, hunk: int | None = None) -> None:
        """Show a review; the hunk in hand and its row stay where its text is still there, unless
        `hunk` names another one."""
        anchor, before = self._anchor(), self.diff_review
        other = before is None or review is None or before.document.path != review.document.path
        self.diff_review = review
        self._diff_digits = digits_of(review) if review is not None else DIGITS
        self.diff_hunk = self._taken_up(before, hunk if hunk is not None else -1, other)
        if review is None or other or self._entries(review) is not self._diff_layout.entries:
            self._lay_out(None if other else anchor)
        if hunk is not None or other:
            self._bring()
        self.refresh()

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
    def hunk_count(self) -> int:
        return len(self.diff_review.hunks) if self.diff_review is not None else 0

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

    # Where it is.

    def go_hunk(self, hunk: int) -> None:
        """Take a hunk in hand and bring it into sight."""
        if 0 <= hunk < self.hunk_count:
            self._take(hunk)
            self._bring()

    def show_hunk(self) -> None:
        """Bring the hunk in hand into sight."""
        self._bring()

    def scroll_row(self, row: int) -> None:
        super().scroll_row(row)
        if self.diff_hunk >= 0 and not self.in_sight:
            seen = next((n for n in self._diff_layout.hunks if self._sees(n)), None)
            if seen is not None:
                self._take(seen)

    def sideways(self, step: int) -> bool:
        if self.diff_wrap:
            return False
        cells = (c.text for e in self._diff_layout.entries for c in e.shown if c is not None)
        longest = max(map(len, cells), default=0)
        self.diff_pan = min(max(self.diff_pan + step * PAN, 0), max(longest - PAN, 0))
        self.refresh()
        return True

    def action_list_open(self) -> None:
        super().action_list_open()
        if self.diff_hunk >= 0:
            self.post_message(self.Opened(self, self.diff_hunk))

    def on_click(self, event: events.Click) -> None:
        row = event.y + self.top
        if row >= len(self._diff_layout):
            return
        hunk = self._diff_layout.entries[self._diff_layout.at(row).entry].hunk
        if hunk is not None:
            self._take(hunk)
            if event.chain == 2:
                self.action_list_open()

    def on_resize(self) -> None:
        self._lay_out(self._anchor())

    def find(self, text: str) -> Found:
        self._diff_query = text
        self._search()
        return self._show_hit()

    def find_next(self, step: int) -> Found:
        self._diff_hits = self._diff_hits.moved(step)
        return self._show_hit()

    def _take(self, hunk: int) -> None:
        if hunk != self.diff_hunk:
            self.diff_hunk = hunk
            self.refresh()
            self.post_message(self.Moved(self, hunk))

    def _sees(self, hunk: int, page: int = 0) -> bool:
        first, end = self._diff_layout.rows_of(hunk)
        return first < self.top + (page or self.page) and end > self.top

    def _bring(self) -> None:
        """Scroll so that all of the hunk in hand, or its beginning, can be read."""
        if self.diff_hunk not in self._diff_layout.hunks:
            return
        first, end = self._diff_layout.rows_of(self.diff_hunk)
        if first < self.top or end > self.top + self.page:
            super().scroll_row(first - (MARGIN if self.page > 2 * MARGIN else 0))

    def _taken_up(self, before: Review | None, hunk: int, other: bool) -> int:
        """The number of the hunk in hand in the review shown now."""
        review = self.diff_review
        if review is None or not review.hunks:
            return -1
        if hunk >= 0 or other or before is None:
            return min(max(hunk, 0), len(review.hunks) - 1)
        here = min(self.diff_hunk, len(before.hunks) - 1)
        wanted = before.hunks[here] if here >= 0 else None
        same = [n for n, other in enumerate(review.hunks) if wanted and _same(wanted, other)]
        return min(same, key=lambda n: abs(n - here), default=min(here, len(review.hunks) - 1))

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


def _same(one: Hunk, other: Hunk) -> bool:
    """Whether two hunks change the same words into the same."""
    return (one.old, one.new, one.whole) == (other.old, other.new, other.whole)
