"""ExactScreen: one exact text to read: bytes that went out, or how two texts differ; it acts on
nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.ui.actions import EXACT
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane


class ExactScreen(Frame):
    """A text under a few words about it."""

    PLACE = EXACT
    ROW = ("list.find", "view.wrap", "app.back", "app.help")
    ACTS = ("list.find", "view.wrap")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(EXACT)
    CSS_PATH = "exact.tcss"

    def __init__(
        self,
        facts: Facts,
        title: str,
        text: str,
        *,
        end: str = "",
        said: Iterable[Line] = (),
        roles: Mapping[int, str] | None = None,
    ) -> None:
        """`end` stands at the right end of the header, `said` above the text; `roles` gives its
        lines, counted from 0, their role."""
        super().__init__(facts)
        self.exact_title, self.exact_end = title, end
        self.exact_text, self.exact_roles = text, roles or {}
        self.exact_said = tuple(said)

    def body(self) -> ComposeResult:
        self.said = Lines(self.exact_said, id="exact-said")
        self.text = Exact(id="exact-text")
        header = PaneHeader(self.exact_title, end=self.exact_end)
        yield Pane(header, self.said, self.text, id="exact", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.said.display = bool(self.exact_said)
        self.text.set_text(self.exact_text, top=True, roles=self.exact_roles)
        self.text.focus()

    def action_view_wrap(self) -> None:
        self.text.toggle_wrap()

    def panes(self) -> Iterable[Widget]:
        return (self.text,)
