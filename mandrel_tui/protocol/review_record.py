"""Review record: the decisions about hunks as JSON values, and a review taken up again with those
whose text still stands where it stood; decides nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import Decision, Document, Hunk, Review

Json = object
Key = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Reviews taken up again; `reopened` names the documents with decisions that are gone, since
    their hunks are others now, and how many."""

    reviews: tuple[Review, ...]
    reopened: tuple[tuple[str, int], ...] = ()


def record(reviews: Iterable[Review]) -> list[dict[str, Json]]:
    """Every document with its hunks and what was decided of each."""
    return [
        {
            "path": review.document.path,
            "hunks": [
                {"key": [*_key(review.document, hunk)], "decision": _told(decision)}
                for hunk, decision in zip(review.hunks, review.decisions, strict=True)
            ],
        }
        for review in reviews
    ]


def decided(recorded: Json) -> int:
    """How many hunks `record` kept a decision of; anything that is no such record has none."""
    hunks = (pair for _, found in _documents(recorded) for pair in found)
    return sum(decision is not None for _, decision in hunks)


def resume(documents: Sequence[Document], recorded: Json) -> Reviewed:
    """The documents under review with what `record` kept of them. A hunk is the same when its old
    and its new lines are, and the line above it; anything that is no such record counts as none."""
    known = dict(_documents(recorded))
    reviews, reopened = [], []
    for document in documents:
        # A document that became a folder keeps what was decided where it was.
        old = known.pop(document.origin, []) if document.origin is not None else []
        review, lost = _resumed(document, [*old, *known.pop(document.path, [])])
        reviews.append(review)
        reopened += [(document.path, lost)] if lost else []
    for path, hunks in known.items():
        lost = sum(decision is not None for _, decision in hunks)
        reopened += [(path, lost)] if lost else []
    return Reviewed(tuple(reviews), tuple(reopened))


def _resumed(
    document: Document, recorded: Sequence[tuple[Key, Decision | None]]
) -> tuple[Review, int]:
    """The review, and how many decisions found no hunk."""
    stock: defaultdict[Key, list[Decision | None]] = defaultdict(list)
    for key, decision in reversed(recorded):
        stock[key].append(decision)
    review = Review.of(document)
    for number in reversed(range(len(review.hunks))):
        hunk = review.hunks[number]
        parts = pieces(hunk)
        if _key(document, hunk) not in stock and any(_key(document, p) in stock for p in parts):
            review = review.split(number, parts)
    for number, hunk in enumerate(review.hunks):
        found = stock.get(_key(document, hunk))
        if found:
            review = review.decide(number, found.pop())
    return review, sum(decision is not None for left in stock.values() for decision in left)


def _key(document: Document, hunk: Hunk) -> Key:
    lines = lines_of(document.base or b"")
    above = lines[hunk.old_start - 1] if hunk.old_start else b""
    return (_digest([above]), _digest(hunk.old), _digest(hunk.new), hunk.whole)


def _digest(lines: Sequence[bytes]) -> str:
    return sha256(b"".join(lines)).hexdigest()[:16]


def _told(decision: Decision | None) -> Json:
    if decision is None:
        return None
    text = None if decision.text is None else decision.text.decode("utf-8", "surrogateescape")
    return {"accept": decision.accept, "text": text}


def _documents(recorded: Json) -> Iterator[tuple[str, list[tuple[Key, Decision | None]]]]:
    for row in recorded if isinstance(recorded, list) else ():
        path = row.get("path") if isinstance(row, dict) else None
        hunks = row.get("hunks") if isinstance(row, dict) else None
        if isinstance(path, str) and isinstance(hunks, list):
            yield path, [pair for hunk in hunks for pair in _hunk(hunk)]


def _hunk(row: Json) -> Iterator[tuple[Key, Decision | None]]:
    if not isinstance(row, dict):
        return
    key, told = row.get("key"), row.get("decision")
    if isinstance(key, list) and len(key) == 4 and all(isinstance(part, str) for part in key[:3]):
        yield (key[0], key[1], key[2], key[3] is True), _decision(told)


def _decision(told: Json) -> Decision | None:
    if not isinstance(told, dict):
        return None
    text = told.get("text")
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else None
    return Decision(told.get("accept") is True, data)
