"""FlagView: diagnostics as rows, and all that is said of the one under the cursor; it reads
nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_task import diagnostic_rows
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.rows import Row, RowList


class FlagView(Vertical):
    """The diagnostics of one task, or of the board."""

    DEFAULT_CSS = """
    FlagView { height: 1fr; }
    FlagView #flags { height: 1fr; min-height: 2; }
    FlagView #flag { max-height: 8; }
    """

    class PlaceAsked(Message):
        """Show the line a diagnostic points at, from 1; None points at the whole file."""

        def __init__(self, found: Diagnostic) -> None:
            super().__init__()
            self.found = found

    def __init__(self, empty: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.flag_empty = empty
        self.flag_found: dict[str, Diagnostic] = {}

    def compose(self) -> ComposeResult:
        yield RowList(empty=self.flag_empty, id="flags")
        yield Lines(id="flag")

    @property
    def flags(self) -> RowList:
        """The list of diagnostics."""
        return self.query_one("#flags", RowList)

    def show_flags(self, found: Iterable[Diagnostic]) -> None:
        """Show these diagnostics."""
        kept = tuple(found)
        lines = diagnostic_rows(kept, self.flags.symbols)
        self.flag_found = dict(zip(_keys(kept), kept, strict=True))
        rows = [
            Row(key, one.left, find=one.text)
            for key, one in zip(self.flag_found, lines, strict=True)
        ]
        self.flags.set_rows(rows)
        self._show()

    @property
    def current(self) -> Diagnostic | None:
        """The diagnostic under the cursor."""
        return self.flag_found.get(self.flags.key)

    @on(RowList.Highlighted)
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show()

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if self.current is not None:
            self.post_message(self.PlaceAsked(self.current))

    def _show(self) -> None:
        found = self.current
        shown = self.query_one("#flag", Lines)
        shown.display = found is not None
        if found is not None:
            shown.set_lines(self._said(found))

    def _said(self, found: Diagnostic) -> list[Line]:
        symbols = self.flags.symbols
        place = f"{found.file}, line {found.line}" if found.line is not None else found.file
        stops = "It stops the turn." if found.stops else "It does not stop the turn."
        said = (f"{found.rule}: ", "text bold"), (words(found.message, symbols), "text")
        return [
            line(words(place, symbols), "quiet"),
            Line((*said, (f". {stops}", "text"))),
            Line((("to do  ", "quiet"), (words(found.hint, symbols), "text"))),
        ]


def _keys(found: Iterable[Diagnostic]) -> Iterator[str]:
    """A key for each that outlives a reload, also where several say the same."""
    said: Counter[tuple[str, str, int | None, str]] = Counter()
    for each in found:
        what = (each.rule, each.file, each.line, each.message)
        said[what] += 1
        yield "\0".join(map(str, (*what, said[what])))
