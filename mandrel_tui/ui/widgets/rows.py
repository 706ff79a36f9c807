"""RowList: a list of plain values drawn line by line, with one cursor that stays with its key; it
knows nothing of what a row means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from mandrel_tui.ui.clean import clean, wrap
from mandrel_tui.ui.line import Line, Pieces
from mandrel_tui.ui.row import Listed, Row, answering, first, nearest, unfolded
from mandrel_tui.ui.widgets.view import Found, View

__all__ = ["Draw", "Row", "RowList", "drawn"]

GUTTER = 2  # the cursor or fold mark, and a blank


Draw = Callable[[Any, int], Line]


def drawn(row: Row, width: int) -> Line:
    """A row of ready pieces at any width."""
    return Line(row.left, row.right)


class RowList(View):
    """Rows with a cursor; a key press repaints two of them."""

    cursor: reactive[int] = reactive(0, repaint=False, init=False)

    class Highlighted(Message):
        """The cursor came to a row; an empty key when there is none."""

        def __init__(self, rows: RowList, key: str) -> None:
            super().__init__()
            # Textual takes whoever is working for the sender, and no message bubbles past it: the
            # pane that narrows its list would keep the news from the screen.
            self.set_sender(rows)
            self.rows = rows
            self.key = key

        @property
        def control(self) -> RowList:
            return self.rows

    class Opened(Highlighted):
        """Enter or a double click on a row that is no head."""

    class Folded(Message):
        """A head was folded or unfolded by the person."""

        def __init__(self, rows: RowList, key: str, folded: bool) -> None:
            super().__init__()
            self.rows = rows
            self.key = key
            self.folded = folded

        @property
        def control(self) -> RowList:
            return self.rows

    def __init__(
        self,
        rows: Sequence[Listed] = (),
        *,
        draw: Draw = drawn,
        empty: str = "",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`draw(row, cells)` makes the line behind the gutter; `empty` is the sentence shown for no
        rows."""
        super().__init__(id=id, classes=classes)
        self.row_draw = draw
        self.row_empty = empty
        self.row_folded: frozenset[str] = frozenset()
        self.row_query = ""
        self._row_all: Sequence[Listed] = ()
        self._row_shown: list[Listed] = []
        self._row_index: dict[str, int] = {}
        if rows:
            self.set_rows(rows)

    @property
    def rows(self) -> Sequence[Listed]:
        """The rows shown, heads too, without those folded or filtered away."""
        return self._row_shown

    @property
    def key(self) -> str:
        """The key under the cursor; empty when there are no rows."""
        return self._row_shown[self.cursor].key if self._row_shown else ""

    def set_rows(
        self,
        rows: Sequence[Listed],
        *,
        key: str | None = None,
        folded: frozenset[str] | None = None,
    ) -> None:
        """Show these rows. The cursor stays on its key and its screen row, or goes to the nearest
        neighbour that is left; `key` names another place for it."""
        self._row_all = rows
        if folded is not None:
            self.row_folded = folded
        self._show(key)
        if self.row_query:
            self.post_message(self.Refound(self, self._found))

    def set_empty(self, text: str) -> None:
        """The sentence shown for no rows."""
        self.row_empty = text
        if not self._row_shown:
            self.refresh()

    def go(self, key: str) -> bool:
        """Put the cursor on a key; False when no such row is shown."""
        at = self._row_index.get(key)
        if at is None:
            return False
        self.cursor = at
        return True

    def fold(self, key: str, folded: bool) -> None:
        """Fold or unfold the group of a head."""
        change = {key}
        self.row_folded = self.row_folded | change if folded else self.row_folded - change
        head = self._head_of(self.cursor)
        self._show(key if folded and head is not None and head.key == key else None)

    def find(self, text: str) -> Found:
        """Show only rows that answer a query, the cursor on the best; an empty one shows all."""
        self.row_query = text
        shown, best = self._answers()
        self._show(best, shown)
        return self._found

    def find_next(self, step: int) -> Found:
        self.step(step)
        return self._found

    @property
    def _found(self) -> Found:
        total = sum(not row.head for row in self._row_all)
        shown = sum(not row.head for row in self._row_shown)
        return Found(shown if self.row_query else total, total)

    def step(self, rows: int) -> None:
        self._move_to(self.cursor + rows, 1 if rows > 0 else -1)

    def jump(self, row: int) -> None:
        last = len(self._row_shown) - 1
        self._move_to(last if row < 0 else row, -1 if row < 0 else 1)

    def sideways(self, step: int) -> bool:
        """Fold (left) or unfold (right) the group the cursor is in."""
        head = self._head_of(self.cursor)
        if head is None or (head.key in self.row_folded) == (step < 0):
            return False
        self._fold_by_hand(head.key, step < 0)
        return True

    def watch_cursor(self, old: int, new: int) -> None:
        self.refresh_lines(old)
        self.refresh_lines(new)
        self.scroll_to_region(Region(0, new, 1, 1), animate=False, force=True, immediate=True)
        self.post_message(self.Highlighted(self, self.key))

    def on_resize(self) -> None:
        self._fit()
        self.scroll_to_region(
            Region(0, self.cursor, 1, 1), animate=False, force=True, immediate=True
        )

    def on_focus(self) -> None:
        self.refresh_lines(self.cursor)

    def on_blur(self) -> None:
        super().on_blur()
        self.refresh_lines(self.cursor)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.top
        if not 0 <= at < len(self._row_shown) or event.x >= self.scrollable_content_region.width:
            return
        self._move_to(at, 1)
        row = self._row_shown[at]
        if row.head and event.x < GUTTER:
            self._fold_by_hand(row.key, row.key not in self.row_folded)
        elif event.chain == 2 and self.cursor == at:
            self.action_list_open()

    def action_list_open(self) -> None:
        self.clear_count()
        if not self._row_shown:
            return
        row = self._row_shown[self.cursor]
        if row.head:
            self._fold_by_hand(row.key, row.key not in self.row_folded)
        else:
            self.post_message(self.Opened(self, row.key))

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        if at < len(self._row_shown):
            return self._render_row(at)
        if not self._row_shown and (self.row_query or self.row_empty):
            found = f"Nothing here says {clean(self.row_query)}." if self.row_query else ""
            width = max(self.scrollable_content_region.width - 2, 1)
            said = wrap(found or self.row_empty, width)
            if y < len(said):
                return self.strip(Line(((" " + said[y], "quiet"),)), self.rich_style)
        return self.blank()

    def _render_row(self, at: int) -> Strip:
        row = self._row_shown[at]
        here = at == self.cursor
        width = self.scrollable_content_region.width
        shown = self.row_draw(row, max(width - GUTTER, 0))
        line = Line((*self._gutter(row, here), *shown.left), shown.right)
        styles = self.role_styles
        if not here:
            return self.strip(line, self.rich_style)
        if not self.has_focus:
            return self.strip(line, self.rich_style + styles.cursor_blurred)
        return self.strip(line, self.rich_style + styles.cursor, not styles.cursor_roles)

    def _gutter(self, row: Listed, here: bool) -> Pieces:
        symbols = self.symbols
        fold = symbols.folded if row.key in self.row_folded else symbols.opened
        second = fold if here and row.head else " "
        if here:
            return ((symbols.cursor, "accent bold"), (second, "quiet"))
        mark = fold if row.head else getattr(row, "mark", "")
        return ((mark or " ", "quiet"), (" ", "text"))

    def _show(self, key: str | None, rows: list[Listed] | None = None) -> None:
        """Lay the rows out again, the cursor and its screen row kept; `key` moves it, `rows` are
        those to show where they are known."""
        kept, offset = key or self.key, self.cursor - self.top
        before, here = self._row_shown, self.cursor
        self._row_shown = self._answers()[0] if rows is None else rows
        self._row_index = {row.key: at for at, row in enumerate(self._row_shown)}
        new = self._row_index.get(kept)
        if new is None:
            new = nearest(before, here, self._row_index)
            new = first(self._row_shown) if new is None else new
        self.set_reactive(RowList.cursor, new)
        self._fit()
        if self.is_mounted:
            self.scroll_row(new - offset)
        self.refresh()
        if self.key != (before[here].key if before else None):
            self.post_message(self.Highlighted(self, self.key))

    def _answers(self) -> tuple[list[Listed], str | None]:
        """The rows to show, and the key of the one that answers the find best."""
        if self.row_query:
            return answering(self._row_all, self.row_query)
        return unfolded(self._row_all, self.row_folded), None

    def _move_to(self, row: int, towards: int) -> None:
        """Put the cursor on a row, passing over still ones."""
        rows = self._row_shown
        at = max(0, min(len(rows) - 1, row))
        while 0 <= at < len(rows) and getattr(rows[at], "still", False):
            at += towards
        if 0 <= at < len(rows):
            self.cursor = at

    def _head_of(self, at: int) -> Listed | None:
        return next((row for row in reversed(self._row_shown[: at + 1]) if row.head), None)

    def _fold_by_hand(self, key: str, folded: bool) -> None:
        self.fold(key, folded)
        self.post_message(self.Folded(self, key, folded))

    def _fit(self) -> None:
        self.virtual_size = Size(0, len(self._row_shown))
