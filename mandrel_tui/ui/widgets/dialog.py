"""Dialog: a question in a box over the screen, at most 60×18, that scrolls inside; it acts on
nothing but its answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message

from mandrel_tui.ui.clean import label, width
from mandrel_tui.ui.keys import DEFAULTS, Key, KeyMap
from mandrel_tui.ui.line import Line, Pieces
from mandrel_tui.ui.symbols import Symbols, symbols_of
from mandrel_tui.ui.widgets.bars import OneRow
from mandrel_tui.ui.widgets.dialog_keys import Called, acting
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.overlay import Answer, Overlay

HIGHEST = 18  # rows of a dialog, its box included


class Dialog(Overlay[Answer]):
    """A heavy box with a title. Subclasses compose `body`; Esc answers None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False, id="app.back"),
        Binding("question_mark,f1", "help", show=False, id="app.help"),
        Binding("tab", "app.focus_next", show=False, id="app.pane-next"),
        Binding("shift+tab", "app.focus_previous", show=False, id="app.pane-prev"),
    ]
    DEFAULT_CSS = """
    Dialog { align: center middle; background: transparent; }
    Dialog > Vertical {
        width: 60; max-width: 100%; height: auto;
        border: heavy $accent; background: $background; padding: 0;
        border-title-color: $accent; border-title-style: bold; border-title-align: left;
    }
    Dialog.-ascii > Vertical { border: ascii $accent; }
    """

    SCROLLS: ClassVar[str]  # the selector of what scrolls in the box
    BESIDE: ClassVar[int] = 0  # the rows of everything else in it
    HIGHEST: ClassVar[int] = HIGHEST  # its rows at most
    WIDEST: ClassVar[int] = 60  # its cells at most

    def __init__(self, title: str) -> None:
        super().__init__()
        self.dialog_title = label(title)

    @property
    def symbols(self) -> Symbols:
        """The table the app chose; Unicode where it chose none."""
        return symbols_of(self.app)

    def body(self) -> ComposeResult:
        """The widgets in the box."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self.dialog_title)
        with box:
            yield from self.body()

    def on_mount(self) -> None:
        self.set_class(self.symbols.ascii, "-ascii")
        scrolling = self.query_one(self.SCROLLS)
        for changed in ("scroll_y", "virtual_size"):
            self.watch(scrolling, changed, self._tell_rest_soon, init=False)

    @property
    def beside(self) -> int:
        """The rows of all that does not scroll."""
        return self.BESIDE

    def rows_of(self, selector: str) -> int:
        """The rows that a part of words takes at the width there is."""
        part = self.query_one(selector, Lines)
        cells = min(self.WIDEST, self.size.width) - 2
        return part.get_content_height(self.size, self.size, cells)

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Give what scrolls the rows that are left in the box."""
        room = min(self.HIGHEST, self.size.height) - 2 - self.beside
        self.query_one(self.SCROLLS).styles.max_height = max(room, 1)
        self._tell_rest_soon()

    def _tell_rest_soon(self) -> None:
        self.call_after_refresh(self.tell_rest)

    def tell_rest(self) -> None:
        """Say in the box's edge how much lies below it."""
        box = self.query_one("Dialog > Vertical")
        box.border_subtitle = f"{self.below:,} more below" if self.below else ""

    @property
    def below(self) -> int:
        """The rows that lie below what is shown of what scrolls."""
        part = self.query_one(self.SCROLLS)
        return max(part.virtual_size.height - part.scroll_offset.y - part.size.height, 0)

    def called(self) -> Called:
        """What its actions are called, by id, where that is not what they are called elsewhere."""
        return {}

    def letters(self) -> Iterable[Key]:
        """The keys that it takes one by one."""
        return ()

    def action_help(self) -> None:
        """Show the keys that act now."""
        from mandrel_tui.ui.widgets.help import Help  # which is a dialog itself

        keys: KeyMap = getattr(self.app, "keys", DEFAULTS)
        common = {
            "app.back": ("leave", "Leave this dialog."),
            "app.help": ("help", "The keys that act here."),
        }
        told = [*self.letters(), *acting(self, keys, {**common, **self.called()})]
        self.app.push_screen(Help(f"keys: {self.dialog_title}", [("here", told)]))

    def action_leave(self) -> None:
        """Answer nothing."""
        self.dismiss(None)


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer of a question; `key` is a letter that gives it at once."""

    name: str
    label: str
    key: str = ""


class Button(OneRow, can_focus=True):
    """`Finish f`, and `[ Finish f ]` when it has focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "press", show=False, tooltip="Give the marked answer."),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]
    DEFAULT_CSS = "Button { width: auto; margin: 0 1 0 0; }"

    class Pressed(Message):
        """Enter, Space or a click."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, choice: Choice) -> None:
        super().__init__()
        self.button_choice = choice

    def get_content_width(self, *_: object) -> int:
        return width(self._words) + 4

    def row(self, width: int) -> Pieces:
        if self.has_focus:
            return ((f"[ {self._words} ]", "accent bold"),)
        return ((f"  {self._words}  ", "text"),)

    @property
    def _words(self) -> str:
        choice = self.button_choice
        return f"{choice.label} {choice.key}".rstrip()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.action_press()

    def action_press(self) -> None:
        """Give this answer."""
        self.post_message(self.Pressed(self.button_choice.name))


class Question(Dialog[str | None]):
    """Lines and buttons; the focus is on the button `safe`, the answer is a choice's name."""

    DEFAULT_CSS = """
    Question Horizontal { height: 1; }
    """

    SCROLLS = "Lines"
    BESIDE = 1

    def __init__(
        self, title: str, lines: Iterable[Line], choices: Iterable[Choice], safe: str
    ) -> None:
        super().__init__(title)
        self.question_lines = tuple(lines)
        self.question_choices = tuple(choices)
        self.question_safe = safe

    def body(self) -> ComposeResult:
        yield Lines(self.question_lines)
        with Horizontal():
            yield from map(Button, self.question_choices)

    def on_mount(self) -> None:
        super().on_mount()
        for button in self.query(Button):
            if button.button_choice.name == self.question_safe:
                button.focus()

    def letters(self) -> Iterable[Key]:
        return (Key("", c.key, c.label, keys=c.key) for c in self.question_choices if c.key)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.name)

    def on_key(self, event: events.Key) -> None:
        for choice in self.question_choices:
            if choice.key and event.character == choice.key:
                event.stop()
                self.dismiss(choice.name)
        rows = {"down": 1, "up": -1, "pagedown": 10, "pageup": -10}.get(event.key)
        if rows is not None:
            event.stop()
            self.query_one(Lines).step(rows)
