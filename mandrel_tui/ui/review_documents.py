"""Review documents: the documents under review and the one in hand: going from one to another,
deciding all that is open in one, making one a folder; it knows no hunk and writes nothing."""

from __future__ import annotations

from collections.abc import MutableMapping

from textual import on

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Review
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.upgrade import fault, fitting, sections
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_diff import decided_words
from mandrel_tui.ui.present_review import (
    document_row,
    document_words,
    documents_title,
    short_path,
)
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.document_bar import DocumentBar
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import RowList
from mandrel_tui.ui.widgets.sections import Sections


class ReviewDocuments(StepScreen):
    """A step with documents, one of which is in hand."""

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.at = 0
        self.bar = DocumentBar(id="documents-bar")
        self.documents = RowList(id="documents-list")

    def documents_pane(self) -> Pane:
        """The list of them, for a wide terminal; elsewhere the bar stands for it."""
        return Pane(PaneHeader("documents"), self.documents, id="documents", classes="pane")

    @property
    def review(self) -> Review | None:
        """The document in hand."""
        return self.desk.reviews[self.at] if self.at < len(self.desk.reviews) else None

    def show_document(self, at: int, hunk: int) -> None:
        """Take a document in hand, and a hunk of it."""
        raise NotImplementedError

    def go_on(self, hunk: int) -> None:
        """Go to the next open hunk behind one of the document in hand."""
        raise NotImplementedError

    def show_documents(self) -> None:
        """Show which there are, and what is decided of each."""
        self.bar.show_documents(self.desk, self.at)
        self.query_one("#documents", Pane).pane_header.set_title(documents_title(self.desk))
        self.documents.set_rows([document_row(r, self.symbols) for r in self.desk.reviews])
        if self.review is not None:
            self.documents.go(self.review.document.path)

    def why(self, action: str) -> str:
        review = self.review
        if action.startswith("document.") and review is None:
            return "there is nothing to review"
        if action in ("document.accept", "document.reject") and review is not None:
            return "" if review.open else "every hunk of it is decided; u takes one back"
        if action in ("document.next", "document.prev") and len(self.desk.reviews) < 2:
            return "there is one document"
        if action == "document.folder" and review is not None:
            return self._no_folder(review)
        return super().why(action)

    def _no_folder(self, review: Review) -> str:
        if self.desk.native:
            return "what is reviewed is a commit that is made"
        if review.document.proposed is None:
            return "the proposal removes it"
        return fault(review.document.path)

    # Going.

    def action_document_next(self) -> None:
        self._step_document("document.next", 1)

    def action_document_prev(self) -> None:
        self._step_document("document.prev", -1)

    def _step_document(self, action: str, step: int) -> None:
        if not self.refused(action):
            self._go_document((self.at + step) % len(self.desk.reviews))

    def _go_document(self, at: int) -> None:
        self.show_document(at, (self.desk.reviews[at].open or (0,))[0])
        self.retell()

    def action_review_documents(self) -> None:
        if self.refused("review.documents"):
            return
        offers = [
            Offer(
                review.document.path,
                short_path(review.document.path, self.symbols),
                *document_words(review, self.symbols),
            )
            for review in self.desk.reviews
        ]
        here = self.review.document.path if self.review is not None else ""
        self.ask(Picker("documents", offers, at=here), self.go_to_document)

    def go_to_document(self, path: str) -> None:
        """Take the document at a path in hand, where there is one."""
        paths = [review.document.path for review in self.desk.reviews]
        if path in paths:
            self._go_document(paths.index(path))

    @on(DocumentBar.Pressed)
    def _bar_pressed(self, event: DocumentBar.Pressed) -> None:
        event.stop()
        self.action_review_documents()

    def action_list_copy_id(self) -> None:
        review = self.review
        if review is not None:
            self.post_message(AskCopyText(review.document.path, "the path"))

    # Deciding.

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
        self.go_on(len(review.hunks))

    def action_document_folder(self) -> None:
        """Make the document in hand a folder, after its sections were chosen."""
        review = self.review
        if self.refused("document.folder") or review is None:
            return
        path, data = review.document.path, review.document.proposed or b""
        known, leaving = sections(data), fitting(path, data)
        title = f"{short_path(path, self.symbols)} as a folder"
        dialog = Sections(title, known, leaving, self.symbols)
        self.ask(dialog, lambda _: self._made_folder(path, dialog.titles))

    def _made_folder(self, path: str, titles: tuple[str, ...]) -> None:
        try:
            desk = self.desk.with_folder(path, titles)
        except Refusal as refusal:
            self.say(f"folder: {words(str(refusal), self.symbols)}", "you")
            return
        self.decide(desk)
        moved = (at for at, r in enumerate(desk.reviews) if r.document.origin == path)
        self._go_document(next(moved, self.at))
        parts = counted(len(titles), "section")
        self.say(f"{short_path(path, self.symbols)} becomes a folder, {parts} of it documents")
