"""Proposal: the old and the new text of memory documents as hunks, and what deciding them gives;
reads and writes no file. Stamps are no part of what is compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.patience import changes, joined, lines_of
from mandrel_tui.protocol.stamps import eol_of, stamp_lines


class Change(StrEnum):
    """What a proposal does to a document."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a proposal: `path` relative to the repository, its bytes now and then, None
    where it is not there. A renamed one stands at `origin` now."""

    path: str
    base: bytes | None
    proposed: bytes | None
    origin: str | None = None

    @property
    def change(self) -> Change:
        if self.origin is not None:
            return Change.RENAMED
        if self.base is None:
            return Change.ADDED
        return Change.REMOVED if self.proposed is None else Change.CHANGED

    @property
    def differs(self) -> bool:
        """Whether it changes anything but stamps."""
        return self.change is not Change.CHANGED or bool(text_hunks(self.base, self.proposed))


@dataclass(frozen=True, slots=True)
class Hunk:
    """One stretch to decide: the `old` lines from `old_start` (counted from 0), which the `new`
    ones from `new_start` would replace. A `whole` hunk has no lines: it decides whether a document
    without text is added or removed, or whether it is renamed."""

    old_start: int
    new_start: int
    old: tuple[bytes, ...] = ()
    new: tuple[bytes, ...] = ()
    whole: bool = False

    @property
    def old_end(self) -> int:
        return self.old_start + len(self.old)

    @property
    def new_end(self) -> int:
        return self.new_start + len(self.new)


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a hunk: its new side, its old side, or a `text` written in its place."""

    accept: bool
    text: bytes | None = None


ACCEPT, REJECT = Decision(True), Decision(False)


def text_hunks(base: bytes | None, proposed: bytes | None) -> tuple[Hunk, ...]:
    """The stretches in which two texts differ by more than their stamps, in order."""
    old, new = lines_of(base or b""), lines_of(proposed or b"")
    stamps = stamp_lines(base or b""), stamp_lines(proposed or b"")
    found = (
        Hunk(
            c.old_start,
            c.new_start,
            tuple(old[c.old_start : c.old_end]),
            tuple(new[c.new_start : c.new_end]),
        )
        for c in changes(
            *(_keyed(side, known) for side, known in zip((old, new), stamps, strict=True))
        )
    )
    return tuple(hunk for hunk in found if not _only_stamps(hunk, *stamps))


def _keyed(lines: Sequence[bytes], stamps: dict[int, str]) -> list[bytes | str]:
    """The lines to compare, where a stamp is its key, whatever it says."""
    return [stamps.get(number, line) for number, line in enumerate(lines)] if stamps else [*lines]


def _only_stamps(hunk: Hunk, old: dict[int, str], new: dict[int, str]) -> bool:
    ours = (number in old for number in range(hunk.old_start, hunk.old_end))
    theirs = (number in new for number in range(hunk.new_start, hunk.new_end))
    return all(chain(ours, theirs))


def hunks(document: Document) -> tuple[Hunk, ...]:
    """What there is to decide about a document; first whether it is renamed, where it is."""
    found = text_hunks(document.base, document.proposed)
    if document.change is Change.RENAMED or not (found or document.change is Change.CHANGED):
        return (Hunk(0, 0, whole=True), *found)
    return found


@dataclass(frozen=True, slots=True)
class Review:
    """One document under review: a decision a hunk, None where it is open."""

    document: Document
    hunks: tuple[Hunk, ...]
    decisions: tuple[Decision | None, ...]

    @classmethod
    def of(cls, document: Document, decision: Decision | None = None) -> Review:
        """A review in which every hunk is decided alike, or open."""
        found = hunks(document)
        return cls(document, found, (decision,) * len(found))

    @property
    def open(self) -> tuple[int, ...]:
        """The hunks that are not decided."""
        return tuple(n for n, decision in enumerate(self.decisions) if decision is None)

    def count(self, accept: bool) -> int:
        """How many hunks are accepted, or rejected."""
        return sum(d is not None and d.accept is accept for d in self.decisions)

    def decide(self, number: int, decision: Decision | None) -> Review:
        """The review with one hunk decided, or open again."""
        decided = (*self.decisions[:number], decision, *self.decisions[number + 1 :])
        return replace(self, decisions=decided)

    def decide_open(self, decision: Decision) -> Review:
        """The review with every open hunk decided alike."""
        return replace(self, decisions=tuple(d or decision for d in self.decisions))

    def split(self, number: int, pieces: Sequence[Hunk]) -> Review:
        """The review with one hunk replaced by pieces of it, which are open."""
        opened: tuple[None, ...] = (None,) * len(pieces)
        return replace(
            self,
            hunks=(*self.hunks[:number], *pieces, *self.hunks[number + 1 :]),
            decisions=(*self.decisions[:number], *opened, *self.decisions[number + 1 :]),
        )

    @property
    def text(self) -> bytes | None:
        """The text that the decisions give, open hunks being rejected; None for no document."""
        decided = [decision or REJECT for decision in self.decisions]
        if self.document.base is None and not any(d.accept for d in decided):
            return None
        written = any(d.text for d in decided)
        if self.document.proposed is None and all(d.accept for d in decided) and not written:
            return None
        return _text(self.document.base or b"", self.document.proposed, self.hunks, decided)

    @property
    def final(self) -> dict[str, bytes | None]:
        """What the decisions leave at each path, without stamps; None where nothing is left."""
        document, text = self.document, self.text
        if document.origin is None:
            return {document.path: text}
        if self._renamed:
            return {document.path: text, document.origin: None}
        return {document.path: None, document.origin: text}

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The file changes that the decisions give, without stamps; none where nothing changes."""
        found = (Edit(path, self.base(path), text) for path, text in self.final.items())
        return tuple(edit for edit in found if edit.before != edit.after)

    def base(self, path: str) -> bytes | None:
        """What stands at one of its paths before anything is decided."""
        document = self.document
        return document.base if path == (document.origin or document.path) else None

    @property
    def _renamed(self) -> bool:
        pairs = zip(self.hunks, self.decisions, strict=True)
        return any(
            hunk.whole and decision is not None and decision.accept for hunk, decision in pairs
        )


def _text(
    base: bytes, proposed: bytes | None, hunks: Sequence[Hunk], decisions: Sequence[Decision]
) -> bytes:
    lines = lines_of(base)
    eol = eol_of(base or proposed or b"")
    pieces: list[bytes] = []
    at = 0
    for hunk, decision in zip(hunks, decisions, strict=True):
        pieces += lines[at : hunk.old_start]
        pieces += _chosen(hunk, decision)
        at = hunk.old_end
    return joined((*pieces, *lines[at:]), eol)


def _chosen(hunk: Hunk, decision: Decision) -> Iterable[bytes]:
    if not decision.accept:
        return hunk.old
    return hunk.new if decision.text is None else lines_of(decision.text)
