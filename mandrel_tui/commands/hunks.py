"""Hunks: lists those of documents under review by number, and rejects the ones that were named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import normpath

from mandrel_tui.commands.failure import Failure
from mandrel_tui.protocol.proposal import REJECT, Hunk, Review
from mandrel_tui.workspace.documents import FOLDER
from mandrel_tui.workspace.visible import shown


def document_path(named: str) -> str:
    """The path of a document a person named, with or without its folder."""
    path = normpath(named)
    return path if path.startswith(f"{FOLDER}/") else f"{FOLDER}/{path}"


def rejected(reviews: Sequence[Review], named: Sequence[str]) -> tuple[Review, ...]:
    """The reviews with what was named rejected: `DOC`, or its hunk `DOC:N`; raises Failure."""
    known = list(reviews)
    for name in named:
        place, numbers = _named(known, name)
        for number in numbers:
            known[place] = known[place].decide(number, REJECT)
    return tuple(known)


def _named(reviews: Sequence[Review], name: str) -> tuple[int, Sequence[int]]:
    """The place of the document that was named, and its hunks, counted from 0."""
    stem, _, number = name.rpartition(":")
    for place, review in enumerate(reviews):
        path, count = review.document.path, len(review.hunks)
        if path in (name, document_path(name)):
            return place, range(count)
        if number.isdecimal() and path in (stem, document_path(stem)):
            if len(number) > 9 or not 1 <= int(number) <= count:
                raise Failure(f"{shown(path)} has no hunk {number}; it has {count}")
            return place, (int(number) - 1,)
    raise Failure(f"no document {shown(name)} is under review")


def hunk_lines(reviews: Sequence[Review]) -> Iterator[str]:
    """Every hunk with the name by which it can be rejected."""
    for review in reviews:
        for number, hunk in enumerate(review.hunks, start=1):
            yield f"{shown(review.document.path)}:{number}  {_about(review, hunk)}"


def _about(review: Review, hunk: Hunk) -> str:
    if hunk.whole:
        return f"{review.document.change}"
    return f"line {hunk.old_start + 1}: -{len(hunk.old)} +{len(hunk.new)}"
