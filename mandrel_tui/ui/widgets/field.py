"""Field: a text field of one row in the colours of the theme, whose cursor does not blink; what a
terminal would obey is shown as pictures and kept as typed."""

from __future__ import annotations

from rich.highlighter import Highlighter
from rich.text import Text
from textual.widgets import Input

from mandrel_tui.ui.clean import typed
from mandrel_tui.ui.symbols import symbols_of


class _Pictures(Highlighter):
    """Draws the value of a field, one character for each: a Text leaves some out."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def highlight(self, text: Text) -> None:
        text.plain = typed(self.field.value, ascii=symbols_of(self.field.app).ascii)


class Field(Input):
    """One row to type into; what is typed is never markup."""

    DEFAULT_CSS = """
    Field, Field:focus {
        height: 1; border: none; padding: 0; width: 1fr;
        background: $background; background-tint: $background 0%;
    }
    Field > .input--placeholder, Field > .input--suggestion { color: $quiet; }
    Field:ansi > .input--cursor, Field:ansi > .input--selection {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    """

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = "",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(
            value, placeholder=placeholder, select_on_focus=False, id=id, classes=classes
        )
        self.cursor_blink = False

    def on_mount(self) -> None:
        self.highlighter = _Pictures(self)
