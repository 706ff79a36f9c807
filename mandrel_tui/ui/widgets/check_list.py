"""CheckList: the checks of one session as rows, what each requires under the one in hand; it checks
nothing."""

from __future__ import annotations

from collections.abc import Iterator

from textual import on
from textual.message import Message

from mandrel_tui.protocol.cautions import Caution
from mandrel_tui.protocol.postchecks import TREE
from mandrel_tui.protocol.returned import Report
from mandrel_tui.protocol.verify_closeout import named
from mandrel_tui.ui.clean import label, wrap
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present_checks import (
    CAUTION,
    Findings,
    caution_row,
    check_row,
    exhausted_row,
    name_cells,
    no_checks,
    pending_row,
)
from mandrel_tui.ui.widgets.rows import Row, RowList

CALL = "\0call"  # a key no check has
SET_IN = 4  # cells the requirement stands in


class CheckList(RowList):
    """A row a check; warnings last."""

    class Evidence(Message):
        """The evidence of a row is wanted: the line of the task file it stands on, or what was
        said."""

        def __init__(self, line: int | None, said: str) -> None:
            super().__init__()
            self.line = line
            self.said = said

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(empty="reading", id=id)
        self.check_found: Findings | None = None

    def show_findings(self, found: Findings) -> None:
        """Show what checking came to; the cursor stays on its check."""
        self.check_found = found
        self.set_empty(no_checks(found))
        self.set_rows(list(self._rows(found)))

    def go_to_failure(self) -> None:
        """Put the cursor on the first check that fails."""
        report = self.check_found.report if self.check_found is not None else None
        if report is not None and report.failed:
            self.go(report.failed[0].id)

    @on(RowList.Highlighted)
    def _moved_on(self, event: RowList.Highlighted) -> None:
        """What is required stands under another row now."""
        if self.check_found is not None and event.key:
            self.set_rows(list(self._rows(self.check_found)))

    def _rows(self, found: Findings) -> Iterator[Row]:
        report = found.report
        if report is None:
            return
        cells = name_cells(report)
        if found.exhausted:
            yield _row(CALL, exhausted_row(self.symbols), still=True)
        if not found.whole:
            yield _row(TREE, pending_row(cells, self.symbols))
        for result in report.results:
            yield _row(result.id, check_row(result, cells, self.symbols))
            if named(result)[0] != result.requirement:
                yield from self._under(result.id, result.requirement)
        for key, caution in _cautions(report):
            yield _row(key, caution_row(caution, cells, self.symbols))
            yield from self._under(key, CAUTION)

    def _under(self, key: str, text: str) -> Iterator[Row]:
        if key != self.key:
            return
        cells = max(self.size.width - SET_IN - 3, 20)
        for at, row in enumerate(wrap(label(text, ascii=self.symbols.ascii), cells)):
            yield _row(f"{key}\0why{at}", line(" " * (SET_IN - 2) + row, "quiet"), still=True)

    @on(RowList.Opened)
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        report = self.check_found.report if self.check_found is not None else None
        if report is None:
            return
        for result in report.results:
            if result.id == event.key:
                said = f"{result.requirement}\n{result.detail}"
                self.post_message(self.Evidence(result.line, said))
        for key, caution in _cautions(report):
            if key == event.key:
                said = "\n".join((caution.detail, *caution.diff))
                self.post_message(self.Evidence(caution.line, said))


def _cautions(report: Report) -> Iterator[tuple[str, Caution]]:
    """The warnings with a key for each; one of an id may come more than once."""
    for number, caution in enumerate(report.warnings):
        yield f"{caution.id}\0{number}", caution


def _row(key: str, shown: Line, *, still: bool = False) -> Row:
    return Row(key, shown.left, shown.right, find=shown.text, still=still)
