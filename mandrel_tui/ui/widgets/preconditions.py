"""Preconditions: what must hold before the first byte of a closeout, and the commit it ends in; it
checks nothing."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from mandrel_tui.ui.present_plan import (
    PlanSheet,
    commit_title,
    commit_words,
    ground_end,
    ground_lines,
)
from mandrel_tui.ui.symbols import Symbols
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines


class Preconditions(Vertical):
    """The preconditions, those that fail first, and below them the header of the commit."""

    DEFAULT_CSS = """
    Preconditions { height: auto; }
    Preconditions Lines { max-height: 6; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.pre_head = PaneHeader("before the first byte")
        self.pre_rows = Lines()
        self.pre_commit = PaneHeader("commit")

    def compose(self) -> ComposeResult:
        yield self.pre_head
        yield self.pre_rows
        yield self.pre_commit

    def show_sheet(self, sheet: PlanSheet, symbols: Symbols) -> None:
        """Show what holds of a plan."""
        self.pre_head.set_end((ground_end(sheet),))
        self.pre_rows.set_lines(ground_lines(sheet, symbols))
        self.pre_commit.set_title(commit_title(sheet, symbols))
        self.pre_commit.set_end(commit_words(sheet, symbols))
