"""Diff: a document under review with one hunk in hand, which keys and mouse choose and which
keeps its place; it decides nothing."""

from __future__ import annotations

from textual import events
from textual.message import Message

from mandrel_tui.protocol.proposal import Hunk, Review
from mandrel_tui.ui.present_diff import DIGITS, digits_of
from mandrel_tui.ui.widgets.diff_rows import DiffRows

MARGIN = 3  # rows above the head of a hunk that was gone to


class Diff(DiffRows):
    """One document under review."""

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

    @property
    def hunk_count(self) -> int:
        return len(self.diff_review.hunks) if self.diff_review is not None else 0

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

    def _take(self, hunk: int) -> None:
        if hunk != self.diff_hunk:
            self.diff_hunk = hunk
            self.refresh()
            self.post_message(self.Moved(self, hunk))

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


def _same(one: Hunk, other: Hunk) -> bool:
    """Whether two hunks change the same words into the same."""
    return (one.old, one.new, one.whole) == (other.old, other.new, other.whole)
