"""View: what every scrolling list and text shares: the keys of lists, counts before them, and
drawing line by line in the roles of the theme; it holds no content."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from mandrel_tui.ui.actions import LISTS
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, fit
from mandrel_tui.ui.role_styles import RoleStyles, role_styles
from mandrel_tui.ui.symbols import Symbols, symbols_of

WHEEL = 3  # rows a notch of the mouse wheel moves
LONGEST_COUNT = 5

Laid = TypeVar("Laid", bound=Sized)


@dataclass(frozen=True, slots=True)
class Found:
    """What a find came to: `shown` rows or hits of `total`, of even more where `more`; `at` is the
    hit in sight, from 1."""

    shown: int
    total: int
    at: int = 0
    more: bool = False

    @property
    def words(self) -> str:
        """`2 of 9`."""
        return f"{self.at or self.shown:,} of {self.total:,}{'+' if self.more else ''}"


class _WholeCells(ScrollBarRender):
    """A scroll bar of whole cells: eighths are no ASCII, and wide in some CJK set-ups."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def heed_size(widget: Widget) -> None:
    """Resize a mounted widget whenever a layout gave it another size and no event told it. Textual
    tells sizes by comparing maps of the screen, and a place that is asked for between a change of
    display and the layout is in the older map already: what is shown then never learns its
    size."""
    told = widget.size

    def laid_out(_: Screen[Any]) -> None:
        nonlocal told
        if widget.size != told:
            told = widget.size
            widget.post_message(
                events.Resize(widget.outer_size, widget.virtual_size, widget.container_size)
            )

    widget.screen.screen_layout_refresh_signal.subscribe(widget, laid_out, immediate=True)


class View(ScrollView, can_focus=True, inherit_bindings=False):
    """A scrolling view that renders only the rows in sight and never animates."""

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(LISTS)
    DEFAULT_CSS = """
    View {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
    }
    """

    class FindAsked(Message):
        """The find key was pressed in this view."""

        def __init__(self, view: View) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> View:
            return self.view

    class Refound(Message):
        """What a find in this view comes to now, after its content changed."""

        def __init__(self, view: View, found: Found) -> None:
            super().__init__()
            self.view = view
            self.found = found

        @property
        def control(self) -> View:
            return self.view

    class Sideways(Message):
        """An arrow to the left (-1) or right (+1) that the view has no use for itself."""

        def __init__(self, view: View, step: int) -> None:
            super().__init__()
            self.view = view
            self.step = step

        @property
        def control(self) -> View:
            return self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.view_count = ""

    def on_mount(self) -> None:
        self.vertical_scrollbar.renderer = _WholeCells  # type: ignore[misc]
        heed_size(self)

    def on_resize(self) -> None:
        self.refresh()  # what was painted before it was laid out anew

    @property
    def symbols(self) -> Symbols:
        """The table the app chose; Unicode where it chose none."""
        return symbols_of(self.app)

    @property
    def role_styles(self) -> RoleStyles:
        """The styles of roles under the theme of this moment."""
        return role_styles(self.app)

    @property
    def top(self) -> int:
        """The first row in sight."""
        return self.scroll_offset.y

    @property
    def page(self) -> int:
        """The rows in sight."""
        return max(self.scrollable_content_region.height, 1)

    def fitted(self, lay: Callable[[int], Laid]) -> Laid:
        """What `lay` makes of the width there is; of one cell less where its rows need a scroll
        bar."""
        room = self.content_region
        laid = lay(room.width)
        return lay(room.width - 1) if len(laid) > room.height else laid

    def scroll_row(self, row: int) -> None:
        """Bring a row to the top, at once."""
        self.scroll_to(y=max(row, 0), animate=False, force=True, immediate=True)

    def find(self, text: str) -> Found:
        """Look for a text; an empty one ends the find."""
        raise NotImplementedError

    def find_next(self, step: int) -> Found:
        """Go to the next hit, or the one before where `step` is -1."""
        raise NotImplementedError

    def step(self, rows: int) -> None:
        """Move by rows: a text scrolls, a list moves its cursor."""
        self.scroll_row(self.top + rows)

    def jump(self, row: int) -> None:
        """Move to a row, counted from 0; -1 is the last."""
        self.scroll_row(self.virtual_size.height if row < 0 else row)

    def sideways(self, step: int) -> bool:
        """Answer an arrow to the left (-1) or right (+1); False leaves it to the pane."""
        return False

    def strip(self, line: Line, base: Style, one: bool = False) -> Strip:
        """A line as one row of this view's width."""
        width = self.scrollable_content_region.width
        pieces = fit(line, width, self.symbols.ellipsis)
        return Strip(self.role_styles.paint(pieces, base, one), width)

    def blank(self) -> Strip:
        """An empty row."""
        return Strip.blank(self.scrollable_content_region.width, self.rich_style)

    def clear_count(self) -> bool:
        """Forget the count typed so far; whether there was one."""
        counted, self.view_count = bool(self.view_count), ""
        return counted

    def take_count(self) -> int | None:
        """The count typed before a key, which uses it up."""
        count, self.view_count = self.view_count, ""
        return int(count) if count else None

    def on_key(self, event: events.Key) -> None:
        digit = event.character or ""
        if digit.isascii() and digit.isdigit() and (digit != "0" or self.view_count):
            self.view_count = (self.view_count + digit)[-LONGEST_COUNT:]
            event.stop()
        elif event.key == "escape" and self.clear_count():
            event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_row(self.top + WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_row(self.top - WHEEL)

    def on_blur(self) -> None:
        self.clear_count()

    def action_list_down(self) -> None:
        self.step(self.take_count() or 1)

    def action_list_up(self) -> None:
        self.step(-(self.take_count() or 1))

    def action_list_page_down(self) -> None:
        self.step(self.page * (self.take_count() or 1))

    def action_list_page_up(self) -> None:
        self.step(-self.page * (self.take_count() or 1))

    def action_list_top(self) -> None:
        self.clear_count()
        self.jump(0)

    def action_list_bottom(self) -> None:
        self.jump((self.take_count() or 0) - 1)

    def action_list_find(self) -> None:
        self.clear_count()
        self.post_message(self.FindAsked(self))

    def action_list_open(self) -> None:
        self.clear_count()

    def action_list_left(self) -> None:
        if not self.sideways(-(self.take_count() or 1)):
            self.post_message(self.Sideways(self, -1))

    def action_list_right(self) -> None:
        if not self.sideways(self.take_count() or 1):
            self.post_message(self.Sideways(self, 1))
