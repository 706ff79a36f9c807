"""Form: a dialog of named fields: lines, texts, one of some words, some of a list; it acts on
nothing but its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, TextArea

from mandrel_tui.ui.blank import Blank, Values
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.widgets.choices import OneOf, Ticks
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import HIDDEN, Called
from mandrel_tui.ui.widgets.field import Field
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.text import EditorAsked, Text

PAUSE = 0.4  # seconds without a key after which what was typed is told
SAID = 4  # rows of the words above at most
GIVE, EDITOR = "give", "editor"


@dataclass(frozen=True, slots=True)
class Filled:
    """What came of a form: GIVE, or EDITOR where all of it shall go to the person's editor, and the
    values."""

    act: str
    values: Values


class Form(Dialog[Filled | None]):
    """Fields under some words; ctrl+o answers with their values unless `fault` finds something
    wrong with them, Esc answers nothing and leaves in `values` what was typed.

    ctrl+t gives the text in hand to the person's editor, or with `whole` all that the form is
    about.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "give", show=False, id="text.ok"),
        Binding("ctrl+t", "editor", show=False, id="text.editor"),
    ]
    SCROLLS = "#blanks"
    DEFAULT_CSS = """
    Form #said { max-height: 4; }
    Form #blanks { height: auto; scrollbar-size-vertical: 1; }
    Form #blanks > Horizontal, Form #blanks > Vertical { height: auto; }
    Form .label { width: 13; height: 1; }
    Form Field, Form Field:focus { background: $panel; padding: 0 1; }
    Form Text { height: 3; width: 1fr; }
    Form Ticks { width: 1fr; }
    """

    def __init__(
        self,
        title: str,
        words: Iterable[Line],
        blanks: Iterable[Blank],
        *,
        verb: str = "give",
        leave: str = "draft",
        fault: Callable[[Values], str] = lambda values: "",
        changed: Callable[[Values], None] = lambda values: None,
        said: str = "",
        whole: bool = False,
    ) -> None:
        """`fault` says why values are no answer, empty when they are one; `changed` is told the
        values whenever nothing was typed for a moment; `said` is why the last try came to
        nothing."""
        super().__init__(title)
        self.form_words = tuple(words)
        self.form_blanks = tuple(blanks)
        self.form_verb = verb
        self.form_leave = leave
        self.form_fault = fault
        self.form_changed = changed
        self.form_said = said
        self.form_whole = whole
        self.values: Values = {blank.name: blank.value for blank in self.form_blanks}
        self._form_timer: Timer | None = None
        self.form_fields: dict[str, Widget] = {}

    def body(self) -> ComposeResult:
        yield Lines(self.form_words, id="said")
        with VerticalScroll(id="blanks", can_focus=False):
            for blank in self.form_blanks:
                self.form_fields[blank.name] = field = _field(blank)
                title = Lines([line(blank.label, "quiet")], classes="label")
                # Lists are long: they take the whole width under their label.
                yield Vertical(title, field) if blank.many else Horizontal(title, field)
        yield Lines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        next(iter(self.form_fields.values())).focus()
        self._tell()

    @property
    def beside(self) -> int:
        return min(self.rows_of("#said"), SAID) + self.rows_of("#keys")

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(OneOf.Changed)
    @on(Ticks.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        now = {name: _value(field) for name, field in self.form_fields.items()}
        if now == self.values:
            return
        self.values, self.form_said = now, ""
        self._tell()
        if self._form_timer is not None:
            self._form_timer.stop()
        self._form_timer = self.set_timer(PAUSE, lambda: self.form_changed(self.values))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def _tell(self) -> None:
        texts = self.form_whole or any(blank.text for blank in self.form_blanks)
        editor = (("ctrl+t", "accent bold"), (" editor   ", "quiet")) if texts else ()
        keys = (
            ("ctrl+o", "accent bold"),
            (f" {self.form_verb}   ", "quiet"),
            ("Tab", "accent bold"),
            (" field   ", "quiet"),
            *editor,
            ("Esc", "accent bold"),
            (f" {self.form_leave}", "quiet"),
        )
        said = [line(self.form_said, "fail")] if self.form_said else []
        self.query_one("#keys", Lines).set_lines([*said, Line(keys)])
        self.fit()

    def called(self) -> Called:
        texts = self.form_whole or any(blank.text for blank in self.form_blanks)
        return {
            "list.open": ("tick", "Tick it, or no longer."),
            "text.ok": (self.form_verb, ""),
            **({} if texts else {"text.editor": HIDDEN}),
        }

    def action_give(self) -> None:
        """Answer with the values, or say what is wrong with them."""
        self.form_said = self.form_fault(self.values)
        if self.form_said:
            self._tell()
        else:
            self.dismiss(Filled(GIVE, self.values))

    def action_editor(self) -> None:
        """Give the text in hand, or all of it, to the person's editor."""
        if self.form_whole:
            self.dismiss(Filled(EDITOR, self.values))
            return
        texts = [field for field in self.form_fields.values() if isinstance(field, Text)]
        text = next((field for field in texts if field.has_focus), next(iter(texts), None))
        if text is not None:
            self.post_message(EditorAsked(text.text, partial(_take, text)))


def _take(area: Text, text: str) -> None:
    if area.is_mounted:
        area.text = text
        area.move_cursor(area.document.end)


def _field(blank: Blank) -> Widget:
    names = dict(zip(blank.options, blank.names, strict=False))
    if blank.many:
        return Ticks(blank.options, names, blank.notes, blank.value.split("\n"))
    if blank.options:
        return OneOf(blank.options, blank.value, names)
    return Text(blank.value) if blank.text else Field(blank.value)


def _value(field: Widget) -> str:
    if isinstance(field, Ticks):
        return field.value
    if isinstance(field, OneOf):
        return field.one_value
    assert isinstance(field, Field | Text)
    return field.text if isinstance(field, Text) else field.value
