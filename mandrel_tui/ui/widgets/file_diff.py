"""FileDiff: the pane that shows what becomes of one file, both sides named; there is nothing to
decide in it."""

from __future__ import annotations

from mandrel_tui.protocol.proposal import Document, Review
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.diff_header import DiffHeader
from mandrel_tui.ui.widgets.pane import Pane


class FileDiff(Pane):
    """A plain diff under a header that names its sides."""

    def __init__(self, *, id: str | None = None) -> None:
        self.diff = Diff(plain=True, id=f"{id}-diff" if id else None)
        self.file_header = DiffHeader(self.diff)
        super().__init__(self.file_header, self.diff, id=id, classes="pane")

    def show_file(
        self,
        name: str,
        before: bytes | None,
        after: bytes | None,
        sides: tuple[str, str],
        *,
        empty: str,
        end: str = "",
    ) -> None:
        """Show a file `before` and `after`; `empty` is said where they do not differ."""
        self.file_header.set_title(name)
        self.file_header.set_sides(*sides)
        self.file_header.set_end(end)
        self.diff.set_empty(empty)
        self.diff.show_review(Review.of(Document(name, before, after)), hunk=0)

    def show_nothing(self, title: str, words: str) -> None:
        """Say why there is no file to show."""
        self.file_header.set_title(title)
        self.file_header.set_sides("", "")
        self.file_header.set_end("")
        self.diff.set_empty(words)
        self.diff.show_review(None)
