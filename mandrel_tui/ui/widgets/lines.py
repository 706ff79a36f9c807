"""Lines: a few lines of pieces, wrapped at words, in a box that scrolls only when it must."""

from __future__ import annotations

from collections.abc import Iterable

from textual.geometry import Size
from textual.strip import Strip

from mandrel_tui.ui.line import Line, trim, wrapped
from mandrel_tui.ui.widgets.view import Found, View


class Lines(View, can_focus=False):
    """Lines of pieces; with `height: auto` it is as high as its text."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def __init__(
        self,
        lines: Iterable[Line] = (),
        *,
        pad: int = 1,
        limit: int = 0,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`pad` blank cells at both sides; `limit` rows a line may take before it is cut, 0 for
        all."""
        super().__init__(id=id, classes=classes)
        self.line_pad = pad
        self.line_limit = limit
        self.lines = tuple(lines)
        self._line_rows: list[Line] = []

    def set_lines(self, lines: Iterable[Line]) -> None:
        """Show these lines."""
        new = tuple(lines)
        if new != self.lines:
            self.lines = new
            rows = len(self._line_rows)
            self._laid()
            # A new layout of the screen costs frames: only a new height is worth them.
            self.refresh(layout=len(self._line_rows) != rows)

    def find(self, text: str) -> Found:
        return Found(0, 0)

    def find_next(self, step: int) -> Found:
        return Found(0, 0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._wrapped(width))

    def on_resize(self) -> None:
        self._laid()

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        if at >= len(self._line_rows):
            return self.blank()
        row = self._line_rows[at]
        gap = (" " * self.line_pad, "text")
        right = (*row.right, gap) if row.right else ()
        return self.strip(Line((gap, *row.left), right), self.rich_style)

    def _laid(self) -> None:
        if self.content_region.width:
            self._line_rows = self.fitted(self._wrapped)
            self.virtual_size = Size(0, len(self._line_rows))

    def _wrapped(self, width: int) -> list[Line]:
        rows: list[Line] = []
        for line in self.lines:
            cells = max(width - 2 * self.line_pad, 1)
            rows += self._limited(wrapped(line, cells), cells)
        return rows

    def _limited(self, rows: list[Line], cells: int) -> list[Line]:
        """The rows of one line, the last one cut where there are more than the limit."""
        if not self.line_limit or len(rows) <= self.line_limit:
            return rows
        last, rest = rows[self.line_limit - 1 : self.line_limit + 1]
        joined = trim((*last.left, (" ", "text"), *rest.left), cells, self.symbols.ellipsis)
        return [*rows[: self.line_limit - 1], Line(joined, last.right)]
