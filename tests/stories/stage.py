"""A bare app to put widgets on, and what stands on its screen as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from textual.app import App, ComposeResult
from textual.widget import Widget

from mandrel_tui.ui.actions import EVERYWHERE
from mandrel_tui.ui.keys import DEFAULTS, KeyMap
from mandrel_tui.ui.symbols import UNICODE, Symbols
from mandrel_tui.ui.theme import register, variable_defaults


class Stage(App[None], inherit_bindings=False):
    """The widgets given, under a theme and a symbol table; `heard` keeps the messages that reach
    the app, by their class."""

    BINDINGS = DEFAULTS.bindings(EVERYWHERE)

    def __init__(
        self,
        *widgets: Widget,
        theme: str = "dark",
        symbols: Symbols = UNICODE,
        keys: KeyMap = DEFAULTS,
        hear: Iterable[type] = (),
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.symbols = symbols
        self.staged = widgets
        self.heard: list[Any] = []
        self._hear = tuple(hear)
        register(self)
        self.theme = theme
        self.set_keymap(keys.overrides)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults()

    def compose(self) -> ComposeResult:
        yield from self.staged

    def post_message(self, message: Any) -> bool:
        if isinstance(message, self._hear):
            self.heard.append(message)
        return super().post_message(message)


def screen(app: App[Any]) -> list[str]:
    """The rows of the screen as text, without the blanks at their ends."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]


def in_dialog(app: App[Any]) -> str:
    """The characters of the open dialog without blanks, wherever its lines were wrapped."""
    rows = (row.split("┃")[1] for row in screen(app) if row.count("┃") == 2)
    return "".join("".join(rows).split())


def cells(app: App[Any]) -> list[int]:
    """How wide each row of the screen came out."""
    return [strip.cell_length for strip in app.screen._compositor.render_strips()]


def styles(app: App[Any], row: int) -> Callable[[str], Any]:
    """The style of the segment of a screen row that holds a text."""
    strip = app.screen._compositor.render_strips()[row]

    def of(text: str) -> Any:
        return next(segment.style for segment in strip if text in segment.text)

    return of
