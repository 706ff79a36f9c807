"""Applying a patch: every line it expects must stand where it says, or in one other place alone;
all of a patch is applied or nothing. Reads texts through a function, writes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from mandrel_tui.protocol.legible import visible
from mandrel_tui.protocol.patch import FilePatch, PatchHunk, PatchRefused, named
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.proposal import Document

Reader = Callable[[str], bytes | None]
_PLACES = 5


class AlreadyApplied(PatchRefused):
    """A diff of which every part is already in the documents."""


@dataclass(frozen=True, slots=True)
class Patched:
    """The documents a patch gives, and what was noticed on the way, a sentence each."""

    documents: tuple[Document, ...]
    notes: tuple[str, ...]


def apply_patch(patches: Sequence[FilePatch], read: Reader) -> Patched:
    """What a patch makes of the documents that `read` gives by path, None for one that is not
    there. Raises PatchRefused where any part does not apply, AlreadyApplied where all of it is."""
    results = [_File(patch, read) for patch in patches]
    refusals: list[str] = []
    documents: list[Document] = []
    for result in results:
        try:
            documents += result.documents()
        except PatchRefused as refusal:
            refusals.append(str(refusal))
    if refusals:
        more = f" (and {len(refusals) - 1} more documents)" if len(refusals) > 1 else ""
        raise PatchRefused(f"{refusals[0]}{more}")
    if not documents:
        names = ", ".join(named(patch.path) for patch in patches)
        raise AlreadyApplied(f"all of it is already applied: {names}")
    return Patched(tuple(documents), tuple(note for result in results for note in result.notes))


class _File:
    """One document of a patch."""

    def __init__(self, patch: FilePatch, read: Reader) -> None:
        self.patch, self.read = patch, read
        self.notes: list[str] = []

    def refused(self, why: str) -> PatchRefused:
        return PatchRefused(f"{named(self.patch.path)}: {why}")

    def documents(self) -> Iterator[Document]:
        """The document as it becomes; nothing where that is what it is."""
        patch = self.patch
        if patch.old is None:
            yield from self._added()
        elif patch.new is None:
            yield from self._removed()
        elif patch.new == patch.old:
            base = self._there(patch.old)
            text = self._text(base)
            if text != base:
                yield Document(patch.old, base, text)
        else:
            yield from self._moved()

    def _there(self, path: str) -> bytes:
        base = self.read(path)
        if base is None:
            raise PatchRefused(f"{named(path)} is not there")
        return base

    def _added(self) -> Iterator[Document]:
        now, text = self.read(self.patch.path), self._text(b"")
        if now is None:
            yield Document(self.patch.path, None, text)
        elif now != text:
            raise self.refused("the diff adds it, but it exists with another text")
        else:
            self._applied()

    def _removed(self) -> Iterator[Document]:
        base = self.read(self.patch.path)
        if base is None:
            self._applied()
            return
        if self.patch.hunks and self._text(base):
            raise self.refused("the diff removes it, but not all of its lines")
        yield Document(self.patch.path, base, None)

    def _moved(self) -> Iterator[Document]:
        """A rename or a copy."""
        old, new = self.patch.old or "", self.patch.new or ""
        base, now = self.read(old), self.read(new)
        if now is not None:
            gone = self.patch.copy or base is None
            if gone and all(_holds(lines_of(now), h.new, _place(h)) for h in self.patch.hunks):
                self._applied()
                return
            raise self.refused(f"{named(old)} would become it, but it exists already")
        text = self._text(self._there(old))
        if self.patch.copy:
            yield Document(new, None, text)
        else:
            yield Document(new, base, text, origin=old)

    def _applied(self) -> None:
        self.notes.append(f"{named(self.patch.path)}: already applied")

    def _text(self, base: bytes) -> bytes:
        """The document's text after all hunks, with its own line ends."""
        lines = lines_of(base)
        hunks = self._with_line_ends_of(lines)
        out: list[bytes] = []
        at = shift = 0
        for hunk in hunks:
            place, applied = self._find(hunk, lines, at, shift)
            length = len(hunk.new if applied else hunk.old)
            out += [*lines[at:place], *hunk.new]
            shift, at = place - _place(hunk), place + length
        text = b"".join((*out, *lines[at:]))
        if text == base and hunks:
            self._applied()
        return text

    def _with_line_ends_of(self, lines: Sequence[bytes]) -> tuple[PatchHunk, ...]:
        """The hunks as they are, or with the document's line ends where each side keeps to one."""
        hunks = self.patch.hunks
        ours = _line_ends(lines)
        theirs = _line_ends([line for hunk in hunks for line in (*hunk.old, *hunk.new)])
        if not (ours and theirs) or ours == theirs:
            return hunks
        if len(ours) > 1 or len(theirs) > 1:
            return hunks
        self.notes.append(
            f"{named(self.patch.path)}: the diff's line ends are made {_NAMES[ours]} as the "
            "document's"
        )
        (end,) = ours
        return tuple(
            replace(hunk, old=_ended(hunk.old, end), new=_ended(hunk.new, end)) for hunk in hunks
        )

    def _find(
        self, hunk: PatchHunk, lines: Sequence[bytes], at: int, shift: int
    ) -> tuple[int, bool]:
        """Where a hunk applies, not before line `at`, and whether its new side stands there."""
        stated = max(_place(hunk) + shift, at)
        if not hunk.old:
            if lines and hunk.new and _holds(lines, hunk.new, _place(hunk)):
                return _place(hunk), True
            if lines:
                raise self.refused(f"{_where(hunk)} has no lines around it that tell its place")
            return 0, False
        todo, done = (_holds(lines, side, stated) for side in (hunk.old, hunk.new))
        # Lines added behind the last line there was stand there still when more follow them.
        appended = hunk.open and len(hunk.new) > len(hunk.old)
        if hunk.new and done and (appended or not todo):
            return stated, True
        if todo:
            return stated, False
        return self._elsewhere(hunk, lines, at, stated)

    def _elsewhere(
        self, hunk: PatchHunk, lines: Sequence[bytes], at: int, stated: int
    ) -> tuple[int, bool]:
        """The one other place of a hunk; refused where there is none or more."""
        done = _places(lines, hunk.new, at) if hunk.new else []
        todo = [place for place in _places(lines, hunk.old, at) if not _inside(place, hunk, done)]
        if len(done) == 1 and not todo:
            return done[0], True
        if len(todo) > 1 or len(done) > 1:
            numbers = ", ".join(str(place + 1) for place in sorted((*todo, *done))[:_PLACES])
            raise self.refused(
                f"{_where(hunk)} does not stand at line {stated + 1}, and could stand at any of "
                f"lines {numbers}"
            )
        if not todo:
            raise self.refused(f"{_where(hunk)} does not apply: {_difference(hunk, lines, stated)}")
        self.notes.append(
            f"{named(self.patch.path)}: {_where(hunk)} applies at line {todo[0] + 1}, "
            f"not {stated + 1}"
        )
        return todo[0], False


_NAMES = {frozenset({b"\n"}): "LF", frozenset({b"\r\n"}): "CRLF"}


def _place(hunk: PatchHunk) -> int:
    """Where a hunk says it stands, counted from 0; one without old lines stands behind a line."""
    return hunk.start - 1 if hunk.old else hunk.start


def _where(hunk: PatchHunk) -> str:
    return f"the hunk at line {hunk.line} of the diff"


def _holds(lines: Sequence[bytes], part: Sequence[bytes], place: int) -> bool:
    return place >= 0 and list(lines[place : place + len(part)]) == list(part)


def _places(lines: Sequence[bytes], part: Sequence[bytes], at: int) -> list[int]:
    """Every place from `at` on where the lines stand, a few at most."""
    starts = {start: place for place, start in enumerate(_starts(lines[at:]), at)}
    text, wanted = b"".join(lines[at:]), b"".join(part)
    places: list[int] = []
    found = text.find(wanted)
    while found >= 0 and len(places) <= _PLACES:
        if found in starts and found + len(wanted) in starts:
            places.append(starts[found])
        found = text.find(wanted, found + 1)
    return places


def _starts(lines: Sequence[bytes]) -> Iterator[int]:
    """The offset at which each line begins, and that of the end."""
    return accumulate((len(line) for line in lines), initial=0)


def _inside(place: int, hunk: PatchHunk, done: Sequence[int]) -> bool:
    """Whether old lines are merely part of the new ones that already stand there."""
    return any(start <= place <= start + len(hunk.new) - len(hunk.old) for start in done)


def _line_ends(lines: Sequence[bytes]) -> frozenset[bytes]:
    ends = (line for line in lines if line.endswith(b"\n"))
    return frozenset(b"\r\n" if line.endswith(b"\r\n") else b"\n" for line in ends)


def _ended(lines: Sequence[bytes], end: bytes) -> tuple[bytes, ...]:
    return tuple(_bare(line) + end if line.endswith(b"\n") else line for line in lines)


def _bare(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def _difference(hunk: PatchHunk, lines: Sequence[bytes], stated: int) -> str:
    """The first line in which a document differs from what a hunk expects at its place."""
    for number, expected in enumerate(hunk.old, stated):
        if number >= len(lines):
            return f"the document ends at line {len(lines)}"
        if lines[number] != expected:
            return _contrast(number, lines[number], expected)
    return "its lines overlap those of the hunk before it"


def _contrast(number: int, found: bytes, expected: bytes) -> str:
    if _bare(found) == _bare(expected):
        if found.endswith(b"\n") and expected.endswith(b"\n"):
            return f"the line ends differ at line {number + 1}"
        without = "the diff" if found.endswith(b"\n") else "the document"
        return f"line {number + 1} has no line end in {without}"
    return f"line {number + 1} is `{_short(found)}`, the diff expects `{_short(expected)}`"


def _short(line: bytes) -> str:
    text = visible(_bare(line).decode("utf-8", "replace"))
    return text if len(text) <= 60 else text[:59] + "…"
