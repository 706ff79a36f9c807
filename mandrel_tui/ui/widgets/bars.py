"""Bars: rows of one line whose words can be clicked: top bar, result row, key row; they act on
nothing themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line, Pieces, fit, size
from mandrel_tui.ui.role_styles import RoleStyles, role_styles
from mandrel_tui.ui.symbols import Symbols, symbols_of


@dataclass(frozen=True, slots=True)
class Spot:
    """Pieces that belong together on a bar. Where they do not all fit, the highest `rank` goes
    first and rank 0 stays. A spot with a name can be clicked; `tip` is shown under the pointer."""

    pieces: Pieces
    name: str = ""
    rank: int = 0
    tip: str = ""


class OneRow(Widget):
    """A widget of one row, drawn from pieces in the roles of the theme."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "OneRow { height: 1; width: 1fr; }"

    @property
    def symbols(self) -> Symbols:
        """The table the app chose; Unicode where it chose none."""
        return symbols_of(self.app)

    @property
    def role_styles(self) -> RoleStyles:
        """The styles of roles under the theme of this moment."""
        return role_styles(self.app)

    def row(self, width: int) -> Pieces:
        """The pieces of exactly `width` cells."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y or not width:
            return Strip.blank(width, self.rich_style)
        return Strip(self.role_styles.paint(self.row(width), self.rich_style), width)


class Bar(OneRow):
    """Spots from the left and at the right end, one blank cell at both edges."""

    GAP = 2
    DEFAULT_CSS = "Bar { background: $panel; color: $foreground; }"

    class Pressed(Message):
        """A named spot was clicked."""

        def __init__(self, bar: Bar, name: str) -> None:
            super().__init__()
            self.bar = bar
            self.name = name

        @property
        def control(self) -> Bar:
            return self.bar

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.bar_left: tuple[Spot, ...] = ()
        self.bar_right: tuple[Spot, ...] = ()

    def set_spots(self, left: Iterable[Spot] = (), right: Iterable[Spot] = ()) -> None:
        """Show these spots."""
        new = (tuple(left), tuple(right))
        if new != (self.bar_left, self.bar_right):
            self.bar_left, self.bar_right = new
            self.refresh()

    def row(self, width: int) -> Pieces:
        left, right = self._kept(width)
        gap = (" " * self.GAP, "text")
        start = (" ", "text")
        ends = (*_joined(right, gap), (" ", "text")) if right else ()
        return fit(Line((start, *_joined(left, gap)), ends), width, self.symbols.ellipsis)

    def spot_at(self, x: int) -> Spot | None:
        """The spot under a column."""
        left, right = self._kept(self.size.width)
        start = self.size.width - 1 - self._cells(right)
        return self._in(left, 1, x) or self._in(right, start, x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self.spot_at(event.x)
        self.tooltip = Content(spot.tip) if spot is not None and spot.tip else None

    def on_click(self, event: events.Click) -> None:
        spot = self.spot_at(event.x)
        if spot is not None and spot.name:
            event.stop()
            self.post_message(self.Pressed(self, spot.name))

    def _in(self, spots: Sequence[Spot], at: int, x: int) -> Spot | None:
        for spot in spots:
            if at <= x < at + size(spot.pieces):
                return spot
            at += size(spot.pieces) + self.GAP
        return None

    def _cells(self, spots: Sequence[Spot]) -> int:
        return sum(size(spot.pieces) for spot in spots) + self.GAP * max(len(spots) - 1, 0)

    def _between(self, left: Sequence[Spot], right: Sequence[Spot]) -> int:
        return self.GAP if left and right else 0

    def _kept(self, width: int) -> tuple[list[Spot], list[Spot]]:
        """The spots there is room for."""
        left, right = list(self.bar_left), list(self.bar_right)
        while 2 + self._cells(left) + self._cells(right) + self._between(left, right) > width:
            ranked = [spot for spot in (*left, *right) if spot.rank]
            if not ranked:
                break
            worst = max(ranked, key=lambda spot: spot.rank)
            (left if worst in left else right).remove(worst)
        return left, right


def _joined(spots: Iterable[Spot], gap: tuple[str, str]) -> Pieces:
    out: list[tuple[str, str]] = []
    for spot in spots:
        out += [gap, *spot.pieces] if out else spot.pieces
    return tuple(out)


class TopBar(Bar):
    """Repository, branch and tree at the left; what you owe, memory and watching at the right."""


class ResultRow(Bar):
    """The last result, or the next card in one line while there is none."""

    DEFAULT_CSS = "ResultRow { background: $background; }"

    def show(self, pieces: Pieces, right: Pieces = ()) -> None:
        """Show one line."""
        self.set_spots([Spot(pieces)], [Spot(right)] if right else [])


class KeyRow(Bar):
    """The keys of this moment as buttons; those that cannot act are dimmed. The last stays when
    room is short, the ones before it leave from the end."""

    def set_keys(self, keys: Iterable[Key], off: bool = False) -> None:
        """Show these keys; with `off` all of them dimmed."""
        shown = tuple(keys)
        last = len(shown) - 1
        self.set_spots(
            Spot(self._cap(key, off), key.id, 0 if at == last else at + 1, key.reason or key.help)
            for at, key in enumerate(shown)
        )

    def _cap(self, key: Key, off: bool) -> Pieces:
        name = self.symbols.keys(key.key)
        if key.reason or off:
            return ((f"{name} {key.label}", "off"),)
        return ((name, "accent bold"), (f" {key.label}", "quiet"))
