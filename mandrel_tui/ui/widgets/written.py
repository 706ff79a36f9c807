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
from mandrel_tui.ui.widgets.dialog import HIGHEST, Dialog
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.text import EditorAsked, Text

AREA = 8  # rows to write in


class Asking(Dialog[str | None]):
    """One line of text under some words; Enter answers, Esc answers nothing."""

    SCROLLS = "#said"
    BESIDE = 2
    DEFAULT_CSS = """
    Asking Input { height: 1; border: none; padding: 0 1; background: $panel; }
    Asking Input:focus { border: none; background: $panel; }
    """

    def __init__(self, title: str, words: Iterable[Line], text: str = "") -> None:
        super().__init__(title)
        self.asking_words = tuple(words)
        self.asking_text = text

    def body(self) -> ComposeResult:
        yield Lines(self.asking_words, id="said")
        yield Input(self.asking_text, select_on_focus=False)
        yield Lines([line("Enter answers   Esc leaves", "quiet")])

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Input).focus()

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
        yield Text(self.writing_text)
        yield Lines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Text).focus()
        self._tell()

    def on_resize(self) -> None:
        rows = max(min(AREA, self.size.height - 8), 1)
        self.query_one(Text).styles.height = rows
        said = min(HIGHEST, self.size.height) - 2 - rows - 1
        self.query_one(self.SCROLLS).styles.max_height = max(said, 1)

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.draft = self.query_one(Text).text
        self._tell()

    def _tell(self) -> None:
        size = len(self.draft.encode("utf-8", "surrogatepass"))
        empty = "an empty text gives nothing" if not self.draft.strip() else f"{size:,} bytes"
        words = (
            ("ctrl+o", "line" if not self.draft.strip() else "accent bold"),
            (f" {self.writing_verb}   ", "quiet"),
            ("ctrl+t", "accent bold"),
            (" editor   ", "quiet"),
            ("Esc", "accent bold"),
            (" keeps the draft", "quiet"),
        )
        self.query_one("#keys", Lines).set_lines([Line(words, ((empty, "quiet"),))])

    def action_editor(self) -> None:
        """Write the same text in the person's editor."""
        self.post_message(EditorAsked(self.draft, self.take_text))

    def take_text(self, text: str) -> None:
        """The text as it came back."""
        self.query_one(Text).load_text(text.removesuffix("\n"))

    def action_give(self) -> None:
        """Answer with the text, if there is any."""
        if self.draft.strip():
            self.dismiss(self.draft)
