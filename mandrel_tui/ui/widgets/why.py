"""Why: what stands behind the hunk in hand, and what it means for routing, map and size; it decides
nothing."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.protocol.proposal import Review
from mandrel_tui.ui.present_review import items_behind, why_end, why_lines, why_title
from mandrel_tui.ui.symbols import Symbols
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines


class Why(Vertical):
    """A header with the fact and its tests, and below it its words and the impact."""

    DEFAULT_CSS = """
    Why { height: auto; }
    Why Lines { max-height: 4; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.why_head = PaneHeader("why")
        self.why_text = Lines()

    def compose(self) -> ComposeResult:
        yield self.why_head
        yield self.why_text

    def show_hunk(
        self, desk: Desk, review: Review | None, hunk: int, symbols: Symbols, *, wide: bool
    ) -> None:
        """Say why this hunk of a document is proposed; in few rows where it is not `wide`."""
        self.why_text.line_limit = 2 if wide else 1
        if review is None or hunk < 0:
            self.why_head.set_title("why")
            self.why_head.set_end("")
            self.why_text.set_lines([])
            return
        items = items_behind(desk, review, hunk)
        self.why_head.set_title(why_title(desk, hunk, items))
        self.why_head.set_end(why_end(desk, items, symbols, wide=wide))
        self.why_text.set_lines(why_lines(desk, review, hunk, items, symbols, wide=wide))
