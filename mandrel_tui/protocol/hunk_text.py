"""Hunk text: the new side of a hunk as a text a person can write anew, and what the written text
decides; line ends stay those of the document."""

from __future__ import annotations

from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Review
from mandrel_tui.protocol.stamps import eol_of


def text_of(review: Review, hunk: int) -> str:
    """What stands on the new side of a hunk, with LF alone between lines and none at the end."""
    data = b"".join(review.hunks[hunk].new)
    decision = review.decisions[hunk]
    if decision is not None and decision.text is not None:
        data = decision.text
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").removesuffix("\n")


def refusal(review: Review, hunk: int) -> str:
    """Why a hunk cannot be written anew in a text field; empty where it can."""
    if review.hunks[hunk].whole:
        return "it has no lines"
    rows = text_of(review, hunk).split("\n")
    # A field ends lines at these too.
    odd = any(row.splitlines() not in ([row], []) for row in rows)
    return "it holds separators that are no line ends" if odd else ""


def decided(review: Review, hunk: int, text: str) -> Decision:
    """What a text written in place of a hunk decides: one of its sides, or itself. Its lines end as
    those of the document, its last one as that of the new side."""
    old, new = review.hunks[hunk].old, review.hunks[hunk].new
    eol = eol_of(review.document.base or review.document.proposed or b"")
    rows = (row.encode("utf-8", "surrogateescape") + eol for row in text.split("\n"))
    data = joined(rows, eol)
    if new and not new[-1].endswith(b"\n"):
        data = data.removesuffix(eol)
    sides = {new: ACCEPT, old: REJECT}
    return sides.get(tuple(lines_of(data)), Decision(True, data))
