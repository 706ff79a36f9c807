"""Exact: text as it is, cut at cells or panned, with line numbers and pictures for what a terminal
would obey; it changes nothing of it."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

from mandrel_tui.ui.exact import Layout, Place, lines_of
from mandrel_tui.ui.line import Line, Piece, Pieces, marked
from mandrel_tui.ui.search import Hits, hits_in_rows
from mandrel_tui.ui.widgets.view import Found, View

PAN = 8  # cells an arrow pans by


class Exact(View):
    """Read-only exact text; a reload keeps the line at the top. A line may be 2 MB long: only rows
    in sight are ever cut."""

    def __init__(
        self,
        text: str = "",
        *,
        numbers: bool = False,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.exact_text = ""
        self.exact_numbers = numbers
        self.exact_wrap = True
        self.exact_pan = 0
        self.exact_line = -1
        self._exact_lines: tuple[str, ...] = ("",)
        self._exact_roles: Mapping[int, str] = {}
        self._exact_layout = Layout(self._exact_lines, 2)
        self._exact_hits = Hits()
        self._exact_query = ""
        self._exact_first = text

    def on_mount(self) -> None:
        if self._exact_first:
            self.set_text(self._exact_first)

    def set_text(
        self, text: str, *, top: bool = False, roles: Mapping[int, str] | None = None
    ) -> None:
        """Show a text; with `top` from its first line, else from the line that stands there.
        `roles` gives lines, counted from 0, another role."""
        self._exact_roles = roles or {}
        if text != self.exact_text or top:
            self.exact_text = text
            self._exact_lines = lines_of(text, ascii=self.symbols.ascii)
            self._search()
            if self._exact_query:
                self.post_message(self.Refound(self, self._found))
            self._lay_out(Place(0, 0, 0, 0) if top else self._place)
        self.refresh()

    def goto(self, line: int, *, top: bool = False) -> None:
        """Mark a line, counted from 0, and bring it into sight; to the top with `top`, none for
        -1."""
        self.exact_line = line
        row = self._exact_layout.row_of(line)
        if line >= 0 and (top or not self.top <= row < self.top + self.page):
            self.scroll_row(row if top else row - self.page // 3)
        self.refresh()

    @property
    def line(self) -> int:
        """The line at the top, from 0."""
        return self._place.line

    @property
    def line_count(self) -> int:
        """All its lines."""
        return len(self._exact_lines)

    def toggle_wrap(self) -> None:
        """Wrap at cells, or pan with the arrows."""
        place = self._place
        self.exact_wrap, self.exact_pan = not self.exact_wrap, 0
        self._lay_out(place)
        self.refresh()

    def sideways(self, step: int) -> bool:
        if self.exact_wrap:
            return False
        longest = max(map(len, self._exact_lines))
        self.exact_pan = min(max(self.exact_pan + step * PAN, 0), max(longest - PAN, 0))
        self.refresh()
        return True

    def jump(self, row: int) -> None:
        """Move to a line, counted from 0; -1 is the last."""
        self.scroll_row(self.virtual_size.height if row < 0 else self._exact_layout.row_of(row))

    def find(self, text: str) -> Found:
        self._exact_query = text
        self._search()
        return self._bring()

    def find_next(self, step: int) -> Found:
        self._exact_hits = self._exact_hits.moved(step)
        return self._bring()

    def on_resize(self) -> None:
        unseen = self.virtual_size.height == 0
        self._lay_out(self._place)
        if unseen and self.exact_line >= 0:
            self.goto(self.exact_line)  # it was asked for before there was room to show it

    def render_line(self, y: int) -> Strip:
        row = y + self.top
        if row >= len(self._exact_layout):
            return self.blank()
        place = self._exact_layout.at(row)
        line = Line((self._gutter(place), *self._pieces(place)))
        return self.strip(line, self._base(place))

    def _base(self, place: Place) -> Style:
        if place.line != self.exact_line:
            return self.rich_style
        return self.rich_style + self.role_styles.cursor_blurred

    def _pieces(self, place: Place) -> Pieces:
        start = place.start + self.exact_pan
        text = self._exact_lines[place.line][start : max(place.stop, start)]
        if not self.exact_wrap:
            text = text[: 2 * self.size.width + 2]
        role = self._exact_roles.get(place.line, "text")
        spans = self._exact_hits.on(place.line, start, start + len(text))
        return marked(((text, role),), spans)

    def _gutter(self, place: Place) -> Piece:
        symbols = self.symbols
        here = symbols.cursor if place.line == self.exact_line and not place.part else " "
        if not self.exact_numbers:
            return (f"{symbols.wrapped if place.part else here} ", "quiet")
        number = symbols.wrapped if place.part else str(place.line + 1)
        return (f"{here}{number:>{self._digits}} ", "quiet")

    @property
    def _digits(self) -> int:
        return len(str(len(self._exact_lines)))

    @property
    def _gutter_cells(self) -> int:
        return self._digits + 2 if self.exact_numbers else 2

    @property
    def _place(self) -> Place:
        layout = self._exact_layout
        return layout.at(min(self.top, len(layout) - 1))

    def _lay_out(self, place: Place) -> None:
        """Cut the lines for this width, the place given at the top."""
        if self.content_region.width > self._gutter_cells:
            self._exact_layout = self.fitted(self._cut)
            self.virtual_size = Size(0, len(self._exact_layout))
            self.scroll_row(self._exact_layout.row_of(place.line, place.start))

    def _cut(self, width: int) -> Layout:
        return Layout(self._exact_lines, width - self._gutter_cells, wrap=self.exact_wrap)

    def _search(self) -> None:
        self._exact_hits = hits_in_rows(self._exact_lines, self._exact_query, self.line)

    def _bring(self) -> Found:
        hits = self._exact_hits
        self.refresh()
        if not hits.count:
            return self._found
        line, start, _ = hits.place
        row = self._exact_layout.row_of(line, start)
        if not self.top <= row < self.top + self.page:
            self.scroll_row(row - self.page // 3)
        if (
            not self.exact_wrap
            and not self.exact_pan <= start < self.exact_pan + self.size.width // 2
        ):
            self.exact_pan = max(start - PAN, 0)
        return self._found

    @property
    def _found(self) -> Found:
        hits = self._exact_hits
        count = hits.count
        return Found(count, count, hits.current + 1 if count else 0, hits.more)
