"""Upgrade: a document that outgrew its limit as a folder: renamed to `x/index.md`, chosen sections
in documents of their own; a proposal like any other, never both forms."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from mandrel_tui.protocol.housekeeping import tokens
from mandrel_tui.protocol.legible import visible
from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.propagation import followed, other_form
from mandrel_tui.protocol.proposal import Document
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.routing import INDEX, with_row
from mandrel_tui.protocol.snapshot import FIXED, FOLDER, limit_of
from mandrel_tui.protocol.stamps import eol_of
from mandrel_tui.protocol.targets import Heading, headings

_UNSAFE = re.compile(r"[^a-z0-9]+")
_LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BRACKET = re.compile(r"[\[\]]")
_LINK = re.compile(rb"(\]\(<?)([^)>#\s]+)")
_ONE_FORM = frozenset(f"{FOLDER}/{name}.md" for name in FIXED)


@dataclass(frozen=True, slots=True)
class Section:
    """A section that may become a document of its own: its heading, and its size in tokens, what
    lies below it included."""

    heading: Heading
    tokens: int


@dataclass(frozen=True, slots=True)
class Part:
    """A section that leaves: its lines (from 0, the end left out), its heading, its new path."""

    start: int
    end: int
    heading: Heading
    path: str

    @property
    def label(self) -> str:
        return _label(self.heading.title)


def fault(path: str) -> str:
    """Why a document has no folder form to be upgraded to; empty where it has one."""
    if path.endswith("/index.md"):
        return f"{visible(path)} is the index of a folder already"
    if not path.startswith(f"{FOLDER}/") or not path.endswith(".md") or path in _ONE_FORM:
        return f"{visible(path)} has no folder form"
    return ""


def sections(data: bytes) -> tuple[Section, ...]:
    """The sections of a document that may leave it, in order: all but the title."""
    found = headings(data)
    lines = lines_of(data)
    return tuple(
        Section(heading, tokens(b"".join(lines[heading.line : _end(found, place, len(lines))])))
        for place, heading in enumerate(found)
        if place or heading.depth > 1
    )


def fitting(path: str, data: bytes) -> tuple[str, ...]:
    """The titles of the sections whose leaving brings the index of the folder within its limit, the
    largest of the topmost first; all of those where even that is not enough, none where it fits."""
    known = sections(data)
    depth = min((section.heading.depth for section in known), default=0)
    top = sorted((s for s in known if s.heading.depth == depth), key=lambda s: -s.tokens)
    titles = tuple(dict.fromkeys(section.heading.title for section in top))
    # The more leave, the smaller it is: each try cuts the whole document.
    tries = range(len(titles))
    return titles[: bisect_left(tries, True, key=lambda n: _fits(path, data, titles[:n]))]


def _fits(path: str, data: bytes, titles: Sequence[str]) -> bool:
    new = other_form(path) or path
    parts = _parts(new.removesuffix("/index.md"), data, _lines(path, data, titles), frozenset())
    return tokens(_without(data, parts)) <= limit_of(new)


def _lines(path: str, data: bytes, titles: Iterable[str]) -> list[int]:
    """The lines of the sections with these titles; raises Refusal for a title that none has."""
    lines: dict[str, list[int]] = {}
    for section in sections(data):
        lines.setdefault(section.heading.title, []).append(section.heading.line)
    found: list[int] = []
    for title in titles:
        if title not in lines:
            known = ", ".join(map(visible, lines)) or "none"
            raise Refusal(f"{visible(path)} has no section {visible(title)}; it has {known}")
        found += lines[title]
    return found


def upgraded(
    documents: Sequence[Document],
    texts: Mapping[str, bytes],
    path: str,
    titles: Sequence[str] | None = None,
) -> tuple[Document, ...]:
    """A proposal in which a document of it, or of the memory, becomes a folder, with all that names
    it; `texts` are memory and loaders by path. The sections with these `titles` become documents of
    their own, by default as many as it needs. Raises Refusal."""
    known = {document.path: document for document in documents}
    text = texts.get(path)
    own = known.pop(path, None) or Document(path, text, text)
    _refuse(own, {*texts, *known} - {d.origin for d in documents})
    data = own.proposed or b""
    lines = _lines(path, data, fitting(path, data) if titles is None else titles)
    index = known.get(INDEX) or Document(INDEX, texts.get(INDEX), texts.get(INDEX))
    made = upgrade(path, data, lines, index.proposed, {*texts, *known})
    for part in made:
        base = index.base if part.path == INDEX else part.base
        known[part.path] = replace(part, base=base)
    new = made[0].path
    origin = own.origin or (path if own.base is not None else None)
    known[new] = replace(known[new], base=own.base, origin=origin)
    return followed(known.values(), texts, [(path, new)])


def _refuse(own: Document, others: Set[str | None]) -> None:
    """Refuses a document that is not there or stays not there, and one that is a folder already."""
    if own.proposed is None:
        why = "the proposal removes it" if own.base is not None else "it is not there"
        raise Refusal(f"{visible(own.path)} cannot become a folder: {why}")
    new = other_form(own.path)
    if new is not None and new in others:
        raise Refusal(f"{visible(own.path)} cannot become a folder: {visible(new)} is there too")


def upgrade(
    path: str,
    data: bytes,
    sections: Sequence[int],
    index: bytes | None,
    known: Set[str] = frozenset(),
) -> tuple[Document, ...]:
    """The document as a folder, the sections whose heading stands at one of these lines (from 0) in
    documents of their own, and `index` with a row for each of them. No part takes the place of one
    of the `known` documents, and links to those are written anew. Raises Refusal where it has that
    form already or has none, or a section is none."""
    if why := fault(path):
        raise Refusal(why)
    folder = path.removesuffix(".md")
    base, data = data, _rebased(data, path, known)
    parts = _parts(folder, data, sections, known)
    moved = Document(f"{folder}/index.md", base, _without(data, parts), origin=path)
    lines, inner = lines_of(data), {heading.line for heading in headings(data)}
    spawned = [Document(part.path, None, _spawned(lines, inner, part)) for part in parts]
    routed = [] if index is None else [Document(INDEX, index, _routed(index, path, parts))]
    return (moved, *spawned, *(document for document in routed if document.differs))


def _parts(folder: str, data: bytes, sections: Sequence[int], known: Set[str]) -> list[Part]:
    found, count = headings(data), len(lines_of(data))
    parts: list[Part] = []
    for line in sorted(set(sections)):
        place = next((n for n, heading in enumerate(found) if heading.line == line), None)
        if place is None:
            raise Refusal(f"line {line + 1} of {folder}.md is no heading")
        if parts and line < parts[-1].end:
            continue
        heading = found[place]
        taken = {*known, *(part.path for part in parts), f"{folder}/index.md"}
        name = _free(f"{folder}/{_slug(_label(heading.title))}", taken)
        parts.append(Part(line, _end(found, place, count), heading, name))
    return parts


def _end(found: Sequence[Heading], place: int, count: int) -> int:
    """The line behind a section: the next heading that is not below it, or the end."""
    depth = found[place].depth
    return next((h.line for h in found[place + 1 :] if h.depth <= depth), count)


def _rebased(data: bytes, path: str, known: Set[str]) -> bytes:
    """The document one folder deeper: its links to other known documents lead there still."""
    old, new = posixpath.dirname(path), path.removesuffix(".md")

    def moved(link: re.Match[bytes]) -> bytes:
        name = link[2].decode("utf-8", "surrogateescape")
        target = posixpath.normpath(posixpath.join(old, name))
        if target != path and target not in known:
            return link[0]
        there = f"{new}/index.md" if target == path else target
        return link[1] + posixpath.relpath(there, new).encode("utf-8", "surrogateescape")

    return _LINK.sub(moved, data)


def _label(title: str) -> str:
    """A title as the text of a link: the words of links in it, and no bracket of its own."""
    return _BRACKET.sub("", _LINKED.sub(r"\1", title)).strip()


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return _UNSAFE.sub("-", plain).strip("-") or "topic"


def _free(stem: str, taken: set[str]) -> str:
    names = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def _without(data: bytes, parts: Sequence[Part]) -> bytes:
    """The document with one line for each section that left, in its place."""
    lines, eol = lines_of(data), eol_of(data)
    out: list[bytes] = []
    at = 0
    for part in parts:
        out += lines[at : part.start]
        name = part.path.rpartition("/")[2]
        if not (out and out[-1].startswith(b"- [")) and out and out[-1].strip():
            out.append(eol)
        out.append(f"- [{part.label}]({name})".encode() + eol)
        at = part.end
        if at < len(lines) and at not in {other.start for other in parts}:
            out.append(eol)
    return joined((*out, *lines[at:]), eol)


def _spawned(lines: Sequence[bytes], inner: Set[int], part: Part) -> bytes:
    """A section as a document: the headings, which stand at the `inner` lines, raised so that its
    own is the title."""
    raised = part.heading.depth - 1
    out = [
        line.lstrip(b" ")[raised:] if number in inner else line
        for number, line in enumerate(lines[part.start : part.end], part.start)
    ]
    while len(out) > 1 and not out[-1].strip():
        out.pop()
    return joined(out, eol_of(b"".join(lines[:1])))


def _routed(index: bytes, path: str, parts: Sequence[Part]) -> bytes:
    """The routing with a row for each part behind that of the document."""
    for part in reversed(parts):
        index = with_row(index, part.path, part.label, behind=path)
    return index
