"""Review hunks: the hunk in hand, accepted, rejected, written anew or split, and the way on to the
next open one; it writes no file."""

from __future__ import annotations

from collections.abc import MutableMapping
from itertools import zip_longest

from textual import on

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.protocol.hunk_text import decided, refusal, text_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Review
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.present_diff import decided_words
from mandrel_tui.ui.present_review import short_path
from mandrel_tui.ui.review_documents import ReviewDocuments
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.picker import Picker, keyed


class ReviewHunks(ReviewDocuments):
    """A step with hunks, one of which is in hand."""

    HINTS = ("hunk.accept", "hunk.reject", "hunk.edit", "hunk.split")

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.diff = Diff(id="diff")

    def why(self, action: str) -> str:
        review = self.review
        if action.startswith("hunk.") and review is None:
            return "there is nothing to review"
        if action == "hunk.split" and review is not None:
            hunk = review.hunks[self.diff.diff_hunk]
            return "" if len(pieces(hunk)) > 1 else "this hunk is one fact"
        if action == "hunk.edit" and review is not None:
            return refusal(review, self.diff.diff_hunk)
        return super().why(action)

    def acts_title(self) -> str:
        return f"hunk {self.diff.diff_hunk + 1}" if self.diff.diff_hunk >= 0 else "review"

    # Deciding.

    def action_hunk_accept(self) -> None:
        self._decide("hunk.accept", ACCEPT)

    def action_hunk_reject(self) -> None:
        self._decide("hunk.reject", REJECT)

    def _decide(self, action: str, decision: Decision) -> None:
        review, hunk = self.review, self.diff.diff_hunk
        if self.refused(action) or review is None or self._was_hidden():
            return
        self._decided(review.decide(hunk, decision), hunk, decision)
        self.go_on(hunk)

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

    def go_on(self, hunk: int) -> None:
        reviews = self.desk.reviews
        here = [n for n in reviews[self.at].open if n > hunk]
        if here:
            self.diff.go_hunk(here[0])
            return
        order = (*range(self.at + 1, len(reviews)), *range(self.at + 1))
        at = next((place for place in order if reviews[place].open), None)
        if at is not None:
            self.show_document(at, reviews[at].open[0])
            self.retell()

    def go_back_to(self, before: Desk) -> None:
        then = {review.document.path: review for review in before.reviews}
        for at, review in enumerate(self.desk.reviews):
            old = then.get(review.document.path)
            pairs = zip_longest(review.decisions, old.decisions if old is not None else ())
            changed = [n for n, pair in enumerate(pairs) if pair[0] != pair[1]]
            if changed:
                self.show_document(at, changed[0])
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
        self.go_on(hunk)

    @on(Diff.Opened, "#diff")
    def _opened(self, event: Diff.Opened) -> None:
        event.stop()
        self.ask(Picker(self.acts_title(), keyed(self.shown_keys(self.HINTS))), self.run_key)
