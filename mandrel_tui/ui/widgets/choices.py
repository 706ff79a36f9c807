"""Choices: fields in which a person takes one of some words, or some of a list; they act on
nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from mandrel_tui.ui.clean import label
from mandrel_tui.ui.line import Pieces, size, trim
from mandrel_tui.ui.widgets.bars import OneRow
from mandrel_tui.ui.widgets.rows import Row, RowList

TICKS = 5  # rows of a list at most


class OneOf(OneRow, can_focus=True):
    """`(∙) dev   ( ) review`; the arrows choose. Where it is too narrow for all, the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "before", show=False, tooltip="The option before."),
        Binding("right,space,enter", "step(1)", "next", show=False, tooltip="The next option."),
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

    def __init__(
        self,
        options: Sequence[str],
        names: Mapping[str, str],
        notes: Sequence[str],
        ticked: Iterable[str],
    ) -> None:
        super().__init__(empty="Nothing to choose from.")
        self.tick_options = tuple(options)
        self.tick_names = names
        self.tick_notes = dict(zip(options, notes, strict=False))
        self.ticked = set(ticked) & set(options)

    def on_mount(self) -> None:
        super().on_mount()
        self.styles.height = min(max(len(self.tick_options), 1), TICKS)
        self._fill()

    def _fill(self) -> None:
        self.set_rows([self._tick(option) for option in self.tick_options])

    def _tick(self, option: str) -> Row:
        note = label(self.tick_notes.get(option, ""))
        return Row(option, ((self._box(option), "text"), (f"  {note}" if note else "", "quiet")))

    def _box(self, option: str) -> str:
        name = label(self.tick_names.get(option, option))
        return f"[{'x' if option in self.ticked else ' '}] {name}"

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
