"""Decision: the dialog in which a ruling, an answer or another message is written, with what it is
decided on above; it acts on nothing but its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import HIDDEN, Called
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.text import EMPTY, EditorAsked, Text

PAUSE = 0.4  # seconds without a key after which a draft is stored
ROWS = 5  # rows to write in
SAID = 3  # rows above at least, where there is room to write more than one
GIVE = "give"


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a decision: GIVE or the name of another act, and the text."""

    act: str
    text: str


class Decision(Dialog[Answered | None]):
    """Words above, a text below. ctrl+o gives it, F8 offers what else can be done, Esc keeps it as
    a draft."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "give", show=False, id="text.ok"),
        Binding("ctrl+t", "editor", show=False, id="text.editor"),
        Binding("f8", "acts", show=False, id="app.actions"),
    ]
    SCROLLS = "#said"
    DEFAULT_CSS = """
    Decision #state { background: $background; }
    """

    class Paused(Message):
        """Nothing was typed for a moment: the draft is worth keeping."""

        def __init__(self, decision: Decision, text: str) -> None:
            super().__init__()
            self.decision = decision
            self.text = text

    def __init__(
        self,
        title: str,
        said: Callable[[int], Iterable[Line]],
        own: Callable[[str], str],
        *,
        state: Sequence[Line] = (),
        text: str = "",
        wordless: bool = False,
        optional: bool = False,
        verb: str = "give",
        acts: Sequence[Offer] = (),
        fault: str = "",
    ) -> None:
        """`said(cells)` are the lines above, `own(text)` the words over the text, `state` those
        under it; an `optional` text may be empty; `fault` says why the last try came to
        nothing."""
        super().__init__(title)
        self.decision_said = said
        self.decision_own = own
        self.decision_state = tuple(state)
        self.decision_text = text
        self.decision_wordless = wordless
        self.decision_optional = optional
        self.decision_verb = verb
        self.decision_acts = tuple(acts)
        self.decision_fault = fault
        self.decision_note: Sequence[Line] = ()
        self._decision_timer: Timer | None = None

    @property
    def draft(self) -> str:
        """The text as it is now."""
        return self.decision_text

    def body(self) -> ComposeResult:
        yield Lines(id="said")
        if not self.decision_wordless:
            own = PaneHeader(self.decision_own(self.decision_text), id="own")
            own.heavy = True
            yield own
            yield Text(self.decision_text, id="text")
        yield Lines(id="state")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        said = self.query_one("#said", Lines)
        said.can_focus = True
        (said if self.decision_wordless else self.query_one(Text)).focus()
        self._tell()

    @property
    def _rows(self) -> int:
        """The rows to write in."""
        room = min(self.HIGHEST, self.size.height) - 2 - self._told - 1
        return 0 if self.decision_wordless else max(min(ROWS, room - SAID), 1)

    @property
    def _told(self) -> int:
        """The rows below the text."""
        return self.rows_of("#state") + self.rows_of("#keys")

    @property
    def beside(self) -> int:
        return self._rows + bool(self._rows) + self._told

    def fit(self) -> None:
        if self._rows:
            self.query_one(Text).styles.height = self._rows
        super().fit()

    def on_resize(self) -> None:
        self.query_one("#said", Lines).set_lines(self.decision_said(self._cells))

    @property
    def _cells(self) -> int:
        """The cells of a line above: box, blanks and scroll bar taken off."""
        return min(60, self.size.width) - 2 - 2 - 1

    def _state(self) -> list[Line]:
        fault = [line(self.decision_fault, "fail")] if self.decision_fault else []
        return [*self.decision_state, *self.decision_note, *fault]

    def note(self, lines: Sequence[Line]) -> None:
        """Say something more under the text."""
        if tuple(lines) != tuple(self.decision_note):
            self.decision_note = tuple(lines)
            self._tell()
            self.fit()

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if event.text_area.text == self.decision_text:
            return
        self.decision_text, self.decision_fault = event.text_area.text, ""
        self._tell()
        if self._decision_timer is not None:
            self._decision_timer.stop()
        self._decision_timer = self.set_timer(PAUSE, self._pause)

    def _pause(self) -> None:
        self.post_message(self.Paused(self, self.decision_text))

    @property
    def _empty(self) -> bool:
        needed = not self.decision_wordless and not self.decision_optional
        return needed and not self.decision_text.strip()

    def _tell(self) -> None:
        if not self.decision_wordless:
            own = self.query_one("#own", PaneHeader)
            own.set_title(self.decision_own(self.decision_text))
            own.set_end(EMPTY if self._empty else "")
        self.query_one("#state", Lines).set_lines(self._state())
        give = "off" if self._empty else "accent bold"
        keys = [("ctrl+o", give), (f" {self.decision_verb}   ", "quiet")]
        if not self.decision_wordless:
            keys += [("ctrl+t", "accent bold"), (" editor   ", "quiet")]
        if self.decision_acts:
            keys += [("F8", "accent bold"), (" acts   ", "quiet")]
        keys += [("Esc", "accent bold"), (" back" if self.decision_wordless else " draft", "quiet")]
        self.query_one("#keys", Lines).set_lines([Line(tuple(keys))])

    def called(self) -> Called:
        return {
            "text.ok": (self.decision_verb, ""),
            **({"text.editor": HIDDEN} if self.decision_wordless else {}),
            **({} if self.decision_acts else {"app.actions": HIDDEN}),
        }

    def action_give(self) -> None:
        """Answer with the text, if there is any."""
        if not self._empty:
            self.dismiss(Answered(GIVE, self.decision_text))

    def action_editor(self) -> None:
        """Write the text in the person's editor."""
        if not self.decision_wordless:
            self.post_message(EditorAsked(self.decision_text, self._take))

    def _take(self, text: str) -> None:
        if self.is_mounted:
            area = self.query_one(Text)
            area.text = text
            area.move_cursor(area.document.end)

    def action_acts(self) -> None:
        """Offer what else can be done."""
        if not self.decision_acts:
            return

        async def chosen() -> None:
            name = await self.app.push_screen_wait(Picker("acts", self.decision_acts))
            if name is not None:
                self.dismiss(Answered(name, self.decision_text))

        self.run_worker(chosen(), group="dialog", exit_on_error=False)
