"""DocumentBar: the documents under review in one row; it opens none."""

from __future__ import annotations

from textual import events
from textual.message import Message

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui.line import Pieces, fit
from mandrel_tui.ui.present_review import bar_pieces
from mandrel_tui.ui.widgets.bars import OneRow


class DocumentBar(OneRow):
    """`› design.md ✓1 ✗1 ?2   2,412 → 2,538 of 3,000      modules.md ✓2      + fifo.md ?1`."""

    class Pressed(Message):
        """The row was clicked: the person wants another document."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.bar_desk: Desk | None = None
        self.bar_at = 0

    def show_documents(self, desk: Desk, at: int) -> None:
        """The documents of a desk, and which is in hand."""
        if desk is not self.bar_desk or at != self.bar_at:
            self.bar_desk, self.bar_at = desk, at
            self.refresh()

    def row(self, width: int) -> Pieces:
        if self.bar_desk is None:
            return ((" " * width, "text"),)
        shown = bar_pieces(self.bar_desk, self.bar_at, self.symbols, width)
        return fit(shown, width, self.symbols.ellipsis)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Pressed())
