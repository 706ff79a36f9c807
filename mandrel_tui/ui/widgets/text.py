"""Text: several lines to write in, in the colours of the theme; what a terminal would obey is shown
as pictures and kept as typed."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text as Styled
from textual.message import Message
from textual.widgets import TextArea

from mandrel_tui.ui.clean import typed
from mandrel_tui.ui.symbols import symbols_of

EMPTY = "an empty text gives nothing"


class EditorAsked(Message):
    """A text is to be written in the person's editor; `take` gets it back."""

    def __init__(self, text: str, take: Callable[[str], None]) -> None:
        super().__init__()
        self.text = text
        self.take = take


class Text(TextArea):
    """A text to write; Tab leaves it."""

    DEFAULT_CSS = """
    Text, Text:focus {
        border: none; padding: 0 1; background: $panel; color: $foreground;
        scrollbar-size-vertical: 1;
    }
    Text .text-area--cursor-line { background: $panel; }
    Text:ansi .text-area--cursor {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    """

    def __init__(
        self, text: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(
            text, soft_wrap=True, show_line_numbers=False, id=id, classes=classes, compact=True
        )
        self.cursor_blink = False

    def on_mount(self) -> None:
        self.move_cursor(self.document.end)

    def get_line(self, line_index: int) -> Styled:
        """A line to draw; each character that is not shown as itself is one other character."""
        line = super().get_line(line_index)
        held = self.document.get_line(line_index)
        line.plain = typed(held, ascii=symbols_of(self.app).ascii)
        return line
