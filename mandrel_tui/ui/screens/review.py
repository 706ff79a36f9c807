"""ReviewScreen: what is proposed, old left and new right, hunk by hunk; it writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui.actions import REVIEW
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_desk import next_line
from mandrel_tui.ui.present_review import nothing_words, old_words, open_words, short_path
from mandrel_tui.ui.review_hunks import ReviewHunks
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.diff_header import DiffHeader
from mandrel_tui.ui.widgets.diff_rows import SIDES
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import RowList
from mandrel_tui.ui.widgets.why import Why


class ReviewScreen(ReviewHunks):
    """The second step: every hunk is accepted, rejected or edited."""

    PLACE = REVIEW
    STEP = "review"
    ROW = (
        "hunk.accept",
        "hunk.reject",
        "hunk.edit",
        "hunk.split",
        "hunk.next",
        "document.next",
        "tab.next",
        "app.undo",
        "document.accept",
        "document.reject",
        "review.layout",
        "review.context",
        "app.help",
    )
    ACTS = (
        "hunk.accept",
        "hunk.reject",
        "hunk.edit",
        "hunk.split",
        "document.accept",
        "document.reject",
        "document.folder",
        "review.documents",
        "review.layout",
        "review.context",
        "view.wrap",
        "app.undo",
        "list.copy-id",
    )
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(REVIEW)
    CSS_PATH = "review.tcss"

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self._review_begun = False

    def step_body(self) -> ComposeResult:
        self.reasons = Why(id="why")
        yield self.bar
        with Horizontal(id="review"):
            yield self.documents_pane()
            yield Pane(DiffHeader(self.diff), self.diff, id="sides", classes="pane")
        yield self.reasons

    def on_mount(self) -> None:
        super().on_mount()
        self.diff.focus()

    # What is on it.

    def show_desk(self) -> None:
        path = self.review.document.path if self.review is not None else ""
        paths = [review.document.path for review in self.desk.reviews]
        shown = self.diff.diff_review
        held = shown.document.path if shown is not None else path
        self.at = paths.index(held) if held in paths else min(self.at, max(len(paths) - 1, 0))
        self._show()
        if not self._review_begun and self.desk.reviews:
            self._review_begun = True
            self._first_open()

    def _first_open(self) -> None:
        for at, review in enumerate(self.desk.reviews):
            if review.open:
                self.show_document(at, review.open[0])
                return
        self.show_document(0, 0)

    def show_document(self, at: int, hunk: int) -> None:
        self.at = at
        self._show(hunk)

    def _show(self, hunk: int | None = None) -> None:
        """Show the document in hand; without a `hunk` the one in hand stays."""
        self.diff.set_empty(nothing_words(self.desk))
        self.diff.show_review(self.review, hunk=hunk)
        self.show_documents()
        self._headers()
        self._why()

    def _headers(self) -> None:
        header = self.query_one("#sides", Pane).pane_header
        assert isinstance(header, DiffHeader)
        review = self.review
        if review is None:
            header.set_title("review")
            header.set_sides("", "")
            header.set_end("")
            return
        header.set_title(short_path(review.document.path, self.symbols))
        header.set_sides(old_words(self.desk, review, self.symbols), self._new_words())
        header.set_end(counted(len(review.hunks), "hunk"))

    def _new_words(self) -> str:
        if self.desk.file or self.desk.source.kind == FACTS:
            admitted = len(self.desk.sheet.admitted)
            return "as decided" if self.desk.file else f"from {counted(admitted, 'admitted fact')}"
        return words(self.desk.given.words, self.symbols)

    def _why(self) -> None:
        wide = "-wide" in self.layout_names
        self.reasons.show_hunk(self.desk, self.review, self.diff.diff_hunk, self.symbols, wide=wide)
        self.diff.set_hints(self.shown_keys(self.HINTS))

    def laid_out(self) -> None:
        if self.is_mounted:
            self._why()

    @on(Diff.Moved, "#diff")
    def _moved(self, event: Diff.Moved) -> None:
        event.stop()
        self._why()
        self.retell()

    def sentence(self) -> Line:
        if self.desk.undecided:
            return next_line(self.desk, open_words(self.desk, self.symbols), self.symbols)
        said = "every hunk is decided" if self.desk.hunks else "nothing is to be reviewed"
        after = self.labels().get("tab.next", "")
        return next_line(self.desk, f"{said}; t goes to {after}", self.symbols)

    def labels(self) -> Mapping[str, str]:
        named = {"hunk.next": "hunk", "document.next": "document"}
        return {**super().labels(), **named}

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.diff, self.documents) if w in self.focus_chain)

    def why(self, action: str) -> str:
        if action.startswith(("review.", "view.")) and self.review is None:
            return "there is nothing to review"
        if action == "review.layout" and self.size.width < SIDES:
            return f"side by side needs {SIDES} columns"
        return super().why(action)

    @on(RowList.Opened, "#documents-list")
    def _document_opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.go_to_document(event.key)
        self.diff.focus()

    # How it is shown.

    def action_review_layout(self) -> None:
        if not self.refused("review.layout"):
            self.diff.toggle_stacked()

    def action_review_context(self) -> None:
        if not self.refused("review.context"):
            self.diff.toggle_whole()

    def action_view_wrap(self) -> None:
        if not self.refused("view.wrap"):
            self.diff.toggle_wrap()
