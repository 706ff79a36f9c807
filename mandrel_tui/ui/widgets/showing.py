"""Showing: the dialog that shows exact bytes before they leave; it acts on nothing but its
answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from mandrel_tui.ui.line import Line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import Called
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.lines import Lines

COPY, LAUNCH = "copy", "launch"


class Showing(Dialog[str | None]):
    """The text, its size and digest; the answer is a way for it to go, None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "give(0)", show=False, id="text.ok"),
        Binding("l", "give(1)", show=False, id="follow.send"),
    ]
    SCROLLS = "Exact"
    WIDEST = 88
    DEFAULT_CSS = """
    Showing > Vertical { width: 88; }
    Showing Exact { height: 12; }
    """

    def __init__(
        self,
        title: str,
        data: bytes,
        said: Iterable[Line] = (),
        ways: Sequence[str] = (COPY, LAUNCH),
    ) -> None:
        """`said` are words under the text; ctrl+o answers the first of the `ways`, l the second."""
        super().__init__(title)
        self.showing_ways = tuple(ways)
        self.showing_data = data
        self.showing_said = tuple(said)

    @property
    def beside(self) -> int:
        return self.rows_of("#keys")

    def body(self) -> ComposeResult:
        yield Exact(self.showing_data.decode("utf-8", "surrogateescape"))
        size = f"{len(self.showing_data):,} bytes, sha {sha256(self.showing_data).hexdigest()[:8]}"
        more = self.showing_ways[1:]
        second = (("l", "accent bold"), (f" {more[0]}   ", "quiet")) if more else ()
        keys = (
            ("ctrl+o", "accent bold"),
            (f" {self.showing_ways[0]}   ", "quiet"),
            *second,
            ("Esc", "accent bold"),
            (" back", "quiet"),
        )
        yield Lines([*self.showing_said, Line(keys, ((size, "quiet"),))], id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Exact).focus()

    def called(self) -> Called:
        first, second = (*self.showing_ways, "")[:2]
        return {"text.ok": (first, ""), "follow.send": (second, "")}

    def action_give(self, way: int) -> None:
        """Answer with a way, counted from 0, if there is one."""
        if way < len(self.showing_ways):
            self.dismiss(self.showing_ways[way])
