"""FindField: the one-row field a find is typed into, with how much was found; it finds nothing
itself."""

from __future__ import annotations

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message

from mandrel_tui.ui.line import Pieces
from mandrel_tui.ui.widgets.bars import OneRow
from mandrel_tui.ui.widgets.field import Field


class _Prompt(OneRow):
    """The words before the field, as wide as they are."""

    DEFAULT_CSS = "_Prompt { width: auto; }"

    def __init__(self) -> None:
        super().__init__()
        self.prompt_text = ""

    def get_content_width(self, *_: object) -> int:
        return len(self.prompt_text)

    def set_text(self, text: str) -> None:
        if text != self.prompt_text:
            self.prompt_text = text
            self.refresh(layout=True)

    def row(self, width: int) -> Pieces:
        return ((self.prompt_text, "accent bold"),)


class FindField(Horizontal):
    """`━ tasks 2 of 9 /retry`: typing changes the find, Enter keeps it, Esc ends it, the arrows go
    from hit to hit."""

    DEFAULT_CSS = """
    FindField { height: 1; display: none; }
    FindField.-open { display: block; }
    """

    class Changed(Message):
        """The text of the find is another."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Kept(Changed):
        """Enter: the find stays, the field closes."""

    class Closed(Message):
        """Esc: the find ends."""

    class Moved(Message):
        """An arrow: the next (1) or previous (-1) hit."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def compose(self) -> ComposeResult:
        yield _Prompt()
        field = Field()
        field.can_focus = False
        yield field

    @property
    def text(self) -> str:
        """What is typed."""
        return self.query_one(Field).value

    def open(self, text: str = "") -> None:
        """Show the field with a text in it and put the focus there."""
        self.add_class("-open")
        field = self.query_one(Field)
        with field.prevent(Field.Changed):
            field.value = text
        field.can_focus = True
        field.cursor_position = len(text)
        field.focus()

    def close(self) -> None:
        """Hide the field; its text stays."""
        self.query_one(Field).can_focus = False
        self.remove_class("-open")

    def set_words(self, words: str) -> None:
        """The words before the slash: `tasks 2 of 9`."""
        self.query_one(_Prompt).set_text(words)

    @on(Field.Changed)
    def _changed(self, event: Field.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))

    @on(Field.Submitted)
    def _submitted(self, event: Field.Submitted) -> None:
        event.stop()
        self.post_message(self.Kept(event.value))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.post_message(self.Closed())
        elif event.key in ("down", "up"):
            event.stop()
            self.post_message(self.Moved(1 if event.key == "down" else -1))
