"""ReviewScreen: what is proposed, old left and new right, hunk by hunk; it writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from itertools import zip_longest
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.protocol.hunk_text import decided, refusal, text_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Review
from mandrel_tui.ui.keys import DEFAULTS, REVIEW
from mandrel_tui.ui.line import Line, line, plain
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present import counted, words
from mandrel_tui.ui.present_desk import desk_title
from mandrel_tui.ui.present_diff import decided_words
from mandrel_tui.ui.present_review import (
    decided_pieces,
    document_pieces,
    items_behind,
    nothing_words,
    old_words,
    open_words,
    short_path,
    size_pieces,
    why_end,
    why_lines,
    why_title,
)
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.diff import SIDES, Diff
from mandrel_tui.ui.widgets.diff_header import DiffHeader
from mandrel_tui.ui.widgets.document_bar import DocumentBar
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import Row, RowList


class ReviewScreen(StepScreen):
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
        "review.documents",
        "review.layout",
        "review.context",
        "view.wrap",
        "app.undo",
        "list.copy-id",
    )
    HINTS = ("hunk.accept", "hunk.reject", "hunk.edit", "hunk.split")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(REVIEW)
    CSS_PATH = "review.tcss"

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.at = 0
        self._review_begun = False

    def step_body(self) -> ComposeResult:
        self.diff = Diff(id="diff")
        self.documents = RowList(id="documents-list")
        yield DocumentBar(id="documents-bar")
        with Horizontal(id="review"):
            yield Pane(PaneHeader("documents"), self.documents, id="documents", classes="pane")
            yield Pane(DiffHeader(self.diff), self.diff, id="sides", classes="pane")
        yield PaneHeader("why", id="why-head")
        yield Lines(limit=2, id="why")

    def on_mount(self) -> None:
        super().on_mount()
        self.diff.focus()

    @property
    def review(self) -> Review | None:
        """The document in hand."""
        return self.desk.reviews[self.at] if self.at < len(self.desk.reviews) else None

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
                self._show(at, review.open[0])
                return
        self._show(0, 0)

    def _show(self, at: int | None = None, hunk: int | None = None) -> None:
        """Show a document, by default the one in hand, with a hunk of it in hand."""
        self.at = self.at if at is None else at
        review = self.review
        self.diff.set_empty(nothing_words(self.desk))
        self.diff.show_review(review, hunk=hunk)
        self.query_one("#documents-bar", DocumentBar).show_documents(self.desk, self.at)
        self.documents.set_rows([self._document_row(r) for r in self.desk.reviews])
        if review is not None:
            self.documents.go(review.document.path)
        self._headers()
        self._why()

    def _document_row(self, review: Review) -> Row:
        left = document_pieces(review, self.symbols)
        right = (*size_pieces(review, self.symbols), (" ", "text"))
        return Row(review.document.path, left, right, review.document.path)

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
        review, hunk = self.review, self.diff.diff_hunk
        head = self.query_one("#why-head", PaneHeader)
        if review is None or hunk < 0:
            head.set_title("why")
            head.set_end("")
            self.query_one("#why", Lines).set_lines([])
            return
        items = items_behind(self.desk, review, hunk)
        head.set_title(why_title(self.desk, hunk, items))
        wide = "-wide" in self.layout_names
        head.set_end(why_end(self.desk, items, self.symbols, wide=wide))
        lines = why_lines(self.desk, review, hunk, items, self.symbols)
        self.query_one("#why", Lines).set_lines(lines)
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
        title = plain(desk_title(self.desk, self.symbols))
        if self.desk.undecided:
            return line(f"next  {title}: {open_words(self.desk, self.symbols)}", "quiet")
        said = "every hunk is decided" if self.desk.hunks else "nothing is to be reviewed"
        after = self.labels().get("tab.next", "")
        return line(f"next  {title}: {said}; t goes to {after}", "quiet")

    def labels(self) -> Mapping[str, str]:
        named = {"hunk.next": "hunk", "document.next": "document"}
        return {**super().labels(), **named}

    def acts_title(self) -> str:
        return f"hunk {self.diff.diff_hunk + 1}" if self.diff.diff_hunk >= 0 else "review"

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.diff, self.documents) if w in self.focus_chain)

    # Deciding.

    def why(self, action: str) -> str:
        review = self.review
        if action.startswith(("hunk.", "document.", "review.", "view.")) and review is None:
            return "there is nothing to review"
        if action == "hunk.split" and review is not None:
            hunk = review.hunks[self.diff.diff_hunk]
            return "" if len(pieces(hunk)) > 1 else "this hunk is one fact"
        if action == "hunk.edit" and review is not None:
            return refusal(review, self.diff.diff_hunk)
        if action in ("document.accept", "document.reject") and review is not None:
            return "" if review.open else "every hunk of it is decided; u takes one back"
        if action in ("document.next", "document.prev") and len(self.desk.reviews) < 2:
            return "there is one document"
        if action == "review.layout" and self.size.width < SIDES:
            return f"side by side needs {SIDES} columns"
        return super().why(action)

    def action_hunk_accept(self) -> None:
        self._decide("hunk.accept", ACCEPT)

    def action_hunk_reject(self) -> None:
        self._decide("hunk.reject", REJECT)

    def _decide(self, action: str, decision: Decision) -> None:
        review, hunk = self.review, self.diff.diff_hunk
        if self.refused(action) or review is None or self._was_hidden():
            return
        self._decided(review.decide(hunk, decision), hunk, decision)
        self._on(hunk)

    def _was_hidden(self) -> bool:
        """Show a hunk that is out of sight instead of deciding it unseen."""
        hidden = not self.diff.in_sight
        if hidden:
            self.diff.show_hunk()
            self.say(f"hunk {self.diff.diff_hunk + 1} was out of sight; press again", "you")
        return hidden

    def _decided(self, review: Review, hunk: int, decision: Decision | None) -> None:
        name = short_path(review.document.path, self.symbols)
        said = f"hunk {hunk + 1} of {name} {decided_words(decision)}"
        self.decide(self.desk.with_review(self.at, review, said))

    def _on(self, hunk: int) -> None:
        """Go to the next open hunk, in this document or another one; stay where none is left."""
        reviews = self.desk.reviews
        here = [n for n in reviews[self.at].open if n > hunk]
        if here:
            self.diff.go_hunk(here[0])
            return
        order = (*range(self.at + 1, len(reviews)), *range(self.at + 1))
        at = next((place for place in order if reviews[place].open), None)
        if at is not None:
            self._show(at, reviews[at].open[0])
            self.retell()

    def go_back_to(self, before: Desk) -> None:
        then = {review.document.path: review for review in before.reviews}
        for at, review in enumerate(self.desk.reviews):
            old = then.get(review.document.path)
            pairs = zip_longest(review.decisions, old.decisions if old is not None else ())
            changed = [n for n, pair in enumerate(pairs) if pair[0] != pair[1]]
            if changed:
                self._show(at, changed[0])
                return

    def action_hunk_next(self) -> None:
        self._step_hunk("hunk.next", 1)

    def action_hunk_prev(self) -> None:
        self._step_hunk("hunk.prev", -1)

    def _step_hunk(self, action: str, step: int) -> None:
        if not self.refused(action):
            self.diff.go_hunk((self.diff.diff_hunk + step) % self.diff.hunk_count)

    def action_hunk_split(self) -> None:
        review, hunk = self.review, self.diff.diff_hunk
        if self.refused("hunk.split") or review is None:
            return
        parts = pieces(review.hunks[hunk])
        name = short_path(review.document.path, self.symbols)
        split = review.split(hunk, parts)
        said = f"hunk {hunk + 1} of {name} split into {len(parts)}"
        self.decide(self.desk.with_review(self.at, split, said))
        self.diff.go_hunk(hunk)

    def action_hunk_edit(self) -> None:
        review, hunk = self.review, self.diff.diff_hunk
        if self.refused("hunk.edit") or review is None or self._was_hidden():
            return
        said = [line("These lines take the place of the old ones.", "quiet")]
        text = text_of(review, hunk)
        title = f"edit: hunk {hunk + 1}"
        self.write(title, said, text, lambda typed: self._edited(review, hunk, typed))

    def _edited(self, review: Review, hunk: int, typed: str) -> None:
        now = self.review
        if now is None or hunk >= len(now.hunks) or now.hunks[hunk] != review.hunks[hunk]:
            self.say(f"edit: hunk {hunk + 1} changed meanwhile; the text waits as a draft", "you")
            self.drafts[self.draft_key(f"edit: hunk {hunk + 1}", text_of(review, hunk))] = typed
            return
        review, decision = now, decided(now, hunk, typed)
        self._decided(review.decide(hunk, decision), hunk, decision)
        self._on(hunk)

    @on(Diff.Opened, "#diff")
    def _opened(self, event: Diff.Opened) -> None:
        event.stop()
        offers = [
            Offer(key.id, key.label, key.keys, key.help, key.reason)
            for key in self.shown_keys(self.HINTS)
        ]
        self.ask(Picker(self.acts_title(), offers), self.run_key)

    # Documents.

    def action_document_next(self) -> None:
        self._step_document("document.next", 1)

    def action_document_prev(self) -> None:
        self._step_document("document.prev", -1)

    def _step_document(self, action: str, step: int) -> None:
        if not self.refused(action):
            self._go_document((self.at + step) % len(self.desk.reviews))

    def _go_document(self, at: int) -> None:
        review = self.desk.reviews[at]
        self._show(at, (review.open or (0,))[0])
        self.retell()

    def action_document_accept(self) -> None:
        self._decide_document("document.accept", ACCEPT)

    def action_document_reject(self) -> None:
        self._decide_document("document.reject", REJECT)

    def _decide_document(self, action: str, decision: Decision) -> None:
        review = self.review
        if self.refused(action) or review is None:
            return
        count = len(review.open)
        name = short_path(review.document.path, self.symbols)
        said = f"{counted(count, 'hunk')} of {name} {decided_words(decision)}"
        self.decide(self.desk.with_review(self.at, review.decide_open(decision), said))
        self.say(said)
        self._on(len(review.hunks))

    def action_review_documents(self) -> None:
        if self.refused("review.documents"):
            return
        offers = [
            Offer(
                review.document.path,
                short_path(review.document.path, self.symbols),
                plain(decided_pieces(review, self.symbols)),
                plain(size_pieces(review, self.symbols)),
            )
            for review in self.desk.reviews
        ]
        here = self.review.document.path if self.review is not None else ""
        self.ask(Picker("documents", offers, at=here), self._to_document)

    def _to_document(self, path: str) -> None:
        paths = [review.document.path for review in self.desk.reviews]
        if path in paths:
            self._go_document(paths.index(path))

    @on(DocumentBar.Pressed)
    def _bar_pressed(self, event: DocumentBar.Pressed) -> None:
        event.stop()
        self.action_review_documents()

    @on(RowList.Opened, "#documents-list")
    def _document_opened(self, event: RowList.Opened) -> None:
        event.stop()
        self._to_document(event.key)
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

    def action_list_copy_id(self) -> None:
        review = self.review
        if review is not None:
            self.post_message(AskCopyText(review.document.path, "the path"))
