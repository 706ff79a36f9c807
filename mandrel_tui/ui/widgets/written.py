"""Written: dialogs whose answer is a text: one line for a path, several for the wording of a fact
or the lines of a hunk; they act on nothing but their answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, TextArea

from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import Called
from mandrel_tui.ui.widgets.field import Field
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.text import EMPTY, EditorAsked, Text

AREA = 8  # rows to write in


class Asking(Dialog[str | None]):
    """One line of text under some words; Enter answers, Esc answers nothing. What stands there at
    first is selected: typing replaces it, an arrow keeps it. `fault` says why the last answer came
    to nothing."""

    SCROLLS = "#said"
    BESIDE = 2
    DEFAULT_CSS = """
    Asking Field, Asking Field:focus { padding: 0 1; background: $panel; }
    """

    def __init__(
        self, title: str, words: Iterable[Line], text: str = "", *, fault: str = ""
    ) -> None:
        super().__init__(title)
        self.asking_words = (*words, *([line(fault, "fail")] if fault else ()))
        self.asking_text = text

    def body(self) -> ComposeResult:
        yield Lines(self.asking_words, id="said")
        field = Field(self.asking_text)
        field.select_on_focus = True
        yield field
        yield Lines([line("Enter answers   Esc leaves", "quiet")])

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Field).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.dismiss(event.value)


class Writing(Dialog[str | None]):
    """Several lines of text under some words; ctrl+o answers, ctrl+t asks for the person's editor,
    Esc answers nothing and says with `draft` what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "give", show=False, id="text.ok"),
        Binding("ctrl+t", "editor", show=False, id="text.editor"),
    ]
    SCROLLS = "#said"

    def __init__(
        self, title: str, words: Iterable[Line], text: str = "", verb: str = "give"
    ) -> None:
        super().__init__(title)
        self.writing_words = tuple(words)
        self.writing_text = text
        self.writing_verb = verb
        self.draft = text

    def body(self) -> ComposeResult:
        yield Lines(self.writing_words, id="said")
        own = PaneHeader(id="own")
        own.heavy = True
        yield own
        yield Text(self.writing_text)
        yield Lines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Text).focus()
        self._tell()

    @property
    def _rows(self) -> int:
        """The rows to write in."""
        return max(min(AREA, self.size.height - 9), 1)

    @property
    def beside(self) -> int:
        return self._rows + 2

    def on_resize(self) -> None:
        self.query_one(Text).styles.height = self._rows

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.draft = self.query_one(Text).text
        self._tell()

    def _tell(self) -> None:
        size = len(self.draft.encode("utf-8", "surrogatepass"))
        empty = not self.draft.strip()
        own = self.query_one("#own", PaneHeader)
        own.set_title(f"your text, {size:,} bytes")
        own.set_end(EMPTY if empty else "")
        words = (
            ("ctrl+o", "off" if empty else "accent bold"),
            (f" {self.writing_verb}   ", "quiet"),
            ("ctrl+t", "accent bold"),
            (" editor   ", "quiet"),
            ("Esc", "accent bold"),
            (" keeps the draft", "quiet"),
        )
        self.query_one("#keys", Lines).set_lines([Line(words)])

    def action_editor(self) -> None:
        """Write the same text in the person's editor."""
        self.post_message(EditorAsked(self.draft, self.take_text))

    def take_text(self, text: str) -> None:
        """The text as it came back."""
        self.query_one(Text).load_text(text.removesuffix("\n"))

    def called(self) -> Called:
        return {"text.ok": (self.writing_verb, "")}

    def action_give(self) -> None:
        """Answer with the text, if there is any."""
        if self.draft.strip():
            self.dismiss(self.draft)
