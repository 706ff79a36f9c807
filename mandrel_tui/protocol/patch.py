"""Patch: one unified diff read exactly as it says, or refused in one sentence; applies nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.document_path import fault
from mandrel_tui.protocol.legible import visible
from mandrel_tui.protocol.patience import lines_of

_RANGE = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: [^\n]*)?\n?")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_LETTERS = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_PREFIXES = ("a/", "b/", "i/", "w/", "c/", "o/", "1/", "2/")
_REGULAR = b"100644"
_LONGEST = 200  # characters of a path that a sentence names

# The lines that may stand between `diff --git` and the first hunk, by how they begin.
EXTENDED = (
    b"index ",
    b"old mode ",
    b"new mode ",
    b"new file mode ",
    b"deleted file mode ",
    b"similarity index ",
    b"dissimilarity index ",
    b"rename from ",
    b"rename to ",
    b"copy from ",
    b"copy to ",
    b"Binary files ",
    b"GIT binary patch",
)


class PatchRefused(Exception):
    """A diff that is not taken; the message is one sentence that says which part and why."""


def named(path: str) -> str:
    """A path as one visible word of a sentence, cut where it is very long."""
    return visible(path if len(path) <= _LONGEST else f"{path[:_LONGEST]}…")


@dataclass(frozen=True, slots=True)
class PatchHunk:
    """One hunk: the `old` lines it expects from line `start` (from 1) on, the `new` ones in their
    place, and the `line` of the diff it begins at. One that is `open` ends in no unchanged line."""

    line: int
    start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a diff does to one document: `old` and `new` are its paths before and after, None where
    it is not there. A `copy` leaves the old one where it is."""

    line: int
    old: str | None
    new: str | None
    hunks: tuple[PatchHunk, ...]
    copy: bool = False

    @property
    def path(self) -> str:
        return self.new or self.old or ""


def read_patch(diff: bytes) -> tuple[FilePatch, ...]:
    """The documents a diff touches; raises PatchRefused for whatever is not exactly a diff of
    regular Markdown documents below `.ai/`. Line ends that the whole diff was sent with are no part
    of it."""
    lines = lines_of(diff)
    if lines and all(line.endswith(b"\r\n") for line in lines):
        lines = [line[:-2] + b"\n" for line in lines]
    patches = tuple(_Reader(lines).files())
    if not patches:
        raise PatchRefused("there is no diff in it")
    paths = Counter(path for patch in patches for path in {patch.old, patch.new} if path)
    twice = next((path for path, count in paths.items() if count > 1), None)
    if twice is not None:
        raise PatchRefused(f"the diff names {named(twice)} twice")
    return patches


@dataclass(slots=True)
class _Header:
    """What the lines before the first hunk say."""

    line: int
    old: str | None = None
    new: str | None = None
    told: bool = False  # whether `---` and `+++` were there
    added: bool = False
    removed: bool = False
    moved: str = ""  # "rename" or "copy"
    git: bool = False


class _Reader:
    """One pass over the lines of a diff."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines, self.at = lines, 0

    @property
    def line(self) -> bytes:
        return self.lines[self.at] if self.at < len(self.lines) else b""

    def refuse(self, why: str) -> PatchRefused:
        return PatchRefused(f"line {self.at + 1} of the diff: {why}")

    def files(self) -> Iterator[FilePatch]:
        while self.at < len(self.lines):
            if self.line.startswith((b"diff --git ", b"--- ")):
                yield self.file()
            elif self.line.startswith((b"diff --cc ", b"diff --combined ", b"@@@ ")):
                raise self.refuse("a combined diff of a merge cannot be applied")
            elif self.line.startswith((b"@@ ", b"+", b"-", b" ")) and self.line.strip(b"- \r\n"):
                raise self.refuse("a hunk does not have as many lines as it says")
            else:
                self.at += 1

    def file(self) -> FilePatch:
        header = self.header()
        hunks = []
        while self.line.startswith(b"@@ "):
            hunks.append(self.hunk())
        return _checked(header, tuple(hunks))

    def header(self) -> _Header:
        found = _Header(self.at + 1)
        if self.line.startswith(b"diff --git "):
            found.git = True
            found.old, found.new = _git_names(self.line[11:])
            self.at += 1
            while self.line.startswith(EXTENDED):
                self.extended(found)
                self.at += 1
        if self.line.startswith(b"--- "):
            self.sides(found)
        return found

    def extended(self, found: _Header) -> None:
        key, _, value = self.line.rstrip(b"\r\n").partition(b" ")
        words = self.line.rstrip(b"\r\n")
        if words.startswith((b"old mode", b"new mode")):
            raise self.refuse("the mode of a document cannot be changed")
        if words.startswith((b"Binary files", b"GIT binary patch")):
            raise self.refuse("a binary part cannot be reviewed")
        if words.startswith((b"new file mode", b"deleted file mode")):
            mode = words.rpartition(b" ")[2]
            if mode != _REGULAR:
                raise self.refuse(
                    f"a regular file has mode 100644, not {mode.decode('ascii', 'replace')}"
                )
            found.added, found.removed = key == b"new", key == b"deleted"
        if key in (b"rename", b"copy"):
            side, _, name = value.partition(b" ")
            found.moved = key.decode()
            path = _unquoted(name)
            found.old, found.new = (path, found.new) if side == b"from" else (found.old, path)

    def sides(self, found: _Header) -> None:
        old = _name(self.line[4:])
        self.at += 1
        if not self.line.startswith(b"+++ "):
            raise self.refuse("a line `+++ ` must follow `--- `")
        new = _name(self.line[4:])
        self.at += 1
        found.told = True
        if old is None and new is None:
            raise self.refuse("both sides are /dev/null")
        if found.moved and (old, new) != (found.old, found.new):
            raise self.refuse(f"the {found.moved} lines name other documents than --- and +++")
        found.old, found.new = old, new

    def hunk(self) -> PatchHunk:
        begins = self.at
        match = _RANGE.fullmatch(self.line.removesuffix(b"\n") + b"\n")
        if match is None:
            raise self.refuse("this is no heading of a hunk")
        start, count = int(match[1]), 1 if match[2] is None else int(match[2])
        new_count = 1 if match[4] is None else int(match[4])
        self.at += 1
        old: list[bytes] = []
        new: list[bytes] = []
        while len(old) < count or len(new) < new_count:
            self.body(old, new)
        more = self.line.startswith((b"+", b" ")) and self.line.strip()
        if len(old) != count or len(new) != new_count or more:
            self.at = begins
            raise self.refuse("the hunk does not have as many lines as its heading says")
        ends = self.lines[self.at - 1][:1] in (b"+", b"-")
        self.no_newline(old, new)
        if old == new:
            self.at = begins
            raise self.refuse("the hunk changes nothing")
        return PatchHunk(begins + 1, start, tuple(old), tuple(new), ends)

    def body(self, old: list[bytes], new: list[bytes]) -> None:
        line = self.line
        if self.no_newline(old, new):
            return
        if self.at >= len(self.lines):
            raise self.refuse("the diff ends before the hunk has as many lines as its heading says")
        sign, rest = (b" ", line) if line in (b"\n", b"\r\n") else (line[:1], line[1:])
        if sign not in (b" ", b"+", b"-"):
            raise self.refuse("the hunk has fewer lines than its heading says")
        if not rest.endswith(b"\n"):
            rest += b"\n"
        if sign != b"+":
            old.append(rest)
        if sign != b"-":
            new.append(rest)
        self.at += 1

    def no_newline(self, old: list[bytes], new: list[bytes]) -> bool:
        """Takes `\\ No newline at end of file` for the line before it, if it stands here."""
        if not self.line.startswith(b"\\ "):
            return False
        sign = self.lines[self.at - 1][:1]
        for side, mark in ((old, b"+"), (new, b"-")):
            if sign != mark and side:
                side[-1] = side[-1].removesuffix(b"\n")
        self.at += 1
        return True


def _checked(header: _Header, hunks: tuple[PatchHunk, ...]) -> FilePatch:
    """The header and hunks as one value; raises PatchRefused where they contradict each other."""
    where = f"line {header.line} of the diff"
    old = None if header.added else header.old
    new = None if header.removed else header.new
    for path in (old, new):
        if path is not None and (why := fault(path)):
            raise PatchRefused(f"{named(path)} cannot be part of a proposal: {why}")
    if old is None and new is None:
        raise PatchRefused(f"{where}: it names no document")
    if old is not None and new is not None and old != new and not header.moved:
        raise PatchRefused(f"{where}: it names two documents, {named(old)} and {named(new)}")
    if not hunks and not (header.git and (header.added or header.removed or header.moved)):
        raise PatchRefused(f"{where}: nothing of {named(new or old or '')} is changed")
    return FilePatch(header.line, old, new, hunks, header.moved == "copy")


def _git_names(rest: bytes) -> tuple[str | None, str | None]:
    """The two names behind `diff --git`, None where they cannot be told apart."""
    rest = rest.rstrip(b"\r\n")
    if rest.startswith(b'"'):
        end = re.compile(rb'"(?:[^"\\]|\\.)*"').match(rest)
        pair = (rest[: end.end()], rest[end.end() + 1 :]) if end else (b"", b"")
    else:
        middle = len(rest) // 2
        halves = rest[:middle], rest[middle + 1 :]
        pair = halves if halves[0][2:] == halves[1][2:] else _spaced(rest)
    names = (_name(part) for part in pair)
    return next(names), next(names)


def _spaced(rest: bytes) -> tuple[bytes, bytes]:
    first, _, second = rest.partition(b" b/")
    return first, b"b/" + second


def _name(field: bytes) -> str | None:
    """The path a `---` or `+++` line names, without its prefix and time stamp; None for
    /dev/null."""
    text = _unquoted(field.rstrip(b"\r\n"))
    if text == "/dev/null":
        return None
    prefix = text[:2]
    return text[2:] if prefix in _PREFIXES else text


def _unquoted(field: bytes) -> str:
    """A name as git prints it: in quotes with escapes, or bare up to a tab."""
    field = field.rstrip(b"\r\n")
    if not field.startswith(b'"'):
        return field.partition(b"\t")[0].decode("utf-8", "surrogateescape")
    inner = field[1 : field.rfind(b'"')] if field.rfind(b'"') > 0 else field[1:]
    return _ESCAPE.sub(_escaped, inner).decode("utf-8", "surrogateescape")


def _escaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([_LETTERS[code] if code in _LETTERS else int(code, 8) & 0xFF])
