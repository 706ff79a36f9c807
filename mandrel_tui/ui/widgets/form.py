"""Form: a dialog of named fields: lines, texts, one of some words, some of a list; it acts on
nothing but its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea

from mandrel_tui.ui.line import Line, Pieces, line, size, trim
from mandrel_tui.ui.widgets.bars import OneRow
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.field import Field
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.rows import Row, RowList
from mandrel_tui.ui.widgets.text import Text

LABEL = 13  # cells of a field's label
ROWS = 4  # rows of a text
SAID = 4  # rows of the words above at most
TICKS = 5  # rows of a list at most

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Blank:
    """One field: a line; with `options` one of these words; with `many` some of them, the value
    being lines; with `text` several lines. `notes` are words beside the options."""

    name: str
    label: str
    value: str = ""
    options: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    many: bool = False
    text: bool = False


class OneOf(OneRow, can_focus=True):
    """`(∙) dev   ( ) review`; the arrows choose. Where it is too narrow for all, the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right,space,enter", "step(1)", show=False),
    ]

    class Changed(Message):
        """Another option is chosen."""

    def __init__(self, options: Sequence[str], value: str, names: Mapping[str, str]) -> None:
        """`names` are the words for options, where these do not say it themselves."""
        super().__init__()
        self.one_options = tuple(options)
        self.one_value = value if value in options else self.one_options[0]
        self.one_names = names

    def row(self, width: int) -> Pieces:
        symbols = self.symbols
        strong = "accent bold" if self.has_focus else "text"
        pieces: list[tuple[str, str]] = []
        for option in self.one_options:
            here = option == self.one_value
            mark = f"({symbols.chosen if here else ' '}) "
            name = self.one_names.get(option, option)
            pieces.append((mark + name + "   ", strong if here else "quiet"))
        if size(pieces) - 3 > width:
            at = self.one_options.index(self.one_value) + 1
            name = self.one_names.get(self.one_value, self.one_value)
            where = f"   {symbols.keys('←/→')} {at} of {len(self.one_options)}"
            pieces = [(f"({symbols.chosen}) {name}", strong), (where, "quiet")]
        kept = trim(pieces, width, symbols.ellipsis)
        return (*kept, (" " * max(width - size(kept), 0), "text"))

    def action_step(self, step: int) -> None:
        """Choose the next option, or the one before."""
        at = self.one_options.index(self.one_value)
        self.one_value = self.one_options[(at + step) % len(self.one_options)]
        self.refresh()
        self.post_message(self.Changed())

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.focus()
        self.action_step(1)


class Ticks(RowList):
    """Rows with a box each; Enter or Space ticks the one under the cursor."""

    class Changed(Message):
        """Something was ticked, or no longer is."""

    def __init__(self, options: Sequence[str], notes: Sequence[str], ticked: Iterable[str]) -> None:
        super().__init__(empty="Nothing to choose from.")
        self.tick_options = tuple(options)
        self.tick_notes = dict(zip(options, notes, strict=False))
        self.ticked = set(ticked) & set(options)

    def on_mount(self) -> None:
        super().on_mount()
        self.styles.height = min(max(len(self.tick_options), 1), TICKS)
        self._fill()

    def _fill(self) -> None:
        self.set_rows(
            [
                Row(
                    option,
                    ((f"[{'x' if option in self.ticked else ' '}] {option}", "text"),),
                    ((f"{self.tick_notes.get(option, '')} ", "quiet"),),
                )
                for option in self.tick_options
            ]
        )

    def action_list_open(self) -> None:
        self.clear_count()
        if self.key:
            self.ticked ^= {self.key}
            self._fill()
            self.post_message(self.Changed())

    def on_key(self, event: events.Key) -> None:
        if event.key == "space":
            event.stop()
            self.action_list_open()
        else:
            super().on_key(event)

    @property
    def value(self) -> str:
        """What is ticked, in the order of the options, a line each."""
        return "\n".join(option for option in self.tick_options if option in self.ticked)


class Form(Dialog[Values | None]):
    """Fields under some words; ctrl+o answers with their values unless `fault` finds something
    wrong with them, Esc answers nothing and says with `values` what was typed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+o", "give", show=False, id="text.ok")]
    SCROLLS = "#blanks"
    DEFAULT_CSS = """
    Form #said { max-height: 4; }
    Form #blanks { height: auto; scrollbar-size-vertical: 1; }
    Form #blanks > Horizontal { height: auto; }
    Form .label { width: 13; height: 1; }
    Form Field, Form Field:focus { background: $panel; }
    Form Text { height: 4; width: 1fr; }
    Form Ticks { width: 1fr; }
    """

    def __init__(
        self,
        title: str,
        words: Iterable[Line],
        blanks: Iterable[Blank],
        *,
        verb: str = "give",
        leave: str = "keeps the draft",
        fault: Callable[[Values], str] = lambda values: "",
        changed: Callable[[Values], None] = lambda values: None,
    ) -> None:
        """`fault` says why values are no answer, empty when they are one; `changed` is told every
        change."""
        super().__init__(title)
        self.form_words = tuple(words)
        self.form_blanks = tuple(blanks)
        self.form_verb = verb
        self.form_leave = leave
        self.form_fault = fault
        self.form_changed = changed
        self.form_said = ""
        self.form_fields: dict[str, Widget] = {}

    def body(self) -> ComposeResult:
        yield Lines(self.form_words, id="said")
        with VerticalScroll(id="blanks", can_focus=False):
            for blank in self.form_blanks:
                with Horizontal():
                    yield Lines([line(blank.label, "quiet")], classes="label")
                    self.form_fields[blank.name] = field = _field(blank)
                    yield field
        yield Lines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        next(iter(self.form_fields.values())).focus()
        self._tell()

    @property
    def beside(self) -> int:
        said = self.query_one("#said", Lines)
        return (
            min(said.get_content_height(self.size, self.size, 56), SAID) + 1 + bool(self.form_said)
        )

    @property
    def values(self) -> Values:
        """What the fields hold now, by name."""
        return {name: _value(field) for name, field in self.form_fields.items()}

    @on(Input.Changed)
    @on(TextArea.Changed)
    @on(OneOf.Changed)
    @on(Ticks.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self.form_said = ""
        self._tell()
        self.form_changed(self.values)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.focus_next()

    def _tell(self) -> None:
        keys = (
            ("ctrl+o", "accent bold"),
            (f" {self.form_verb}   ", "quiet"),
            ("Tab", "accent bold"),
            (" field   ", "quiet"),
            ("Esc", "accent bold"),
            (f" {self.form_leave}", "quiet"),
        )
        said = [line(self.form_said, "fail")] if self.form_said else []
        self.query_one("#keys", Lines).set_lines([*said, Line(keys)])
        self.fit()

    def action_give(self) -> None:
        """Answer with the values, or say what is wrong with them."""
        self.form_said = self.form_fault(self.values)
        if self.form_said:
            self._tell()
        else:
            self.dismiss(self.values)


def _field(blank: Blank) -> Widget:
    if blank.many:
        return Ticks(blank.options, blank.notes, blank.value.split("\n"))
    if blank.options:
        names = dict(zip(blank.options, blank.notes, strict=False))
        return OneOf(blank.options, blank.value, names)
    return Text(blank.value) if blank.text else Field(blank.value)


def _value(field: Widget) -> str:
    if isinstance(field, Ticks):
        return field.value
    if isinstance(field, OneOf):
        return field.one_value
    assert isinstance(field, Field | Text)
    return field.text if isinstance(field, Text) else field.value
