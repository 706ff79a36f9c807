"""Upgrade: a document that outgrew its limit as a folder: renamed to `x/index.md`, chosen sections
in documents of their own; a proposal like any other, never both forms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.proposal import Document
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.routing import INDEX, with_row
from mandrel_tui.protocol.stamps import eol_of
from mandrel_tui.protocol.targets import Heading, headings

_UNSAFE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Part:
    """A section that leaves: its lines (from 0, the end left out), its heading, its new path."""

    start: int
    end: int
    heading: Heading
    path: str


def upgrade(
    path: str, data: bytes, sections: Sequence[int], index: bytes | None
) -> tuple[Document, ...]:
    """The document as a folder, the sections whose heading stands at one of these lines (from 0) in
    documents of their own, and `index` with a row for each of them. Raises Refusal where it has
    that form already, or a section is none."""
    if path == INDEX or path.endswith("/index.md"):
        raise Refusal(f"{path} is the index of a folder already")
    folder = path.removesuffix(".md")
    parts = _parts(folder, data, sections)
    moved = Document(f"{folder}/index.md", data, _without(data, parts), origin=path)
    spawned = [Document(part.path, None, _spawned(data, part)) for part in parts]
    routed = [] if index is None else [Document(INDEX, index, _routed(index, path, parts))]
    return (moved, *spawned, *(document for document in routed if document.differs))


def _parts(folder: str, data: bytes, sections: Sequence[int]) -> list[Part]:
    found = headings(data)
    parts: list[Part] = []
    for line in sorted(set(sections)):
        place = next((n for n, heading in enumerate(found) if heading.line == line), None)
        if place is None:
            raise Refusal(f"line {line + 1} of {folder}.md is no heading")
        if parts and line < parts[-1].end:
            continue
        heading = found[place]
        behind = (h.line for h in found[place + 1 :] if h.depth <= heading.depth)
        taken = {part.path for part in parts}
        name = _free(f"{folder}/{_slug(heading.title)}", {*taken, f"{folder}/index.md"})
        parts.append(Part(line, next(behind, len(lines_of(data))), heading, name))
    return parts


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
        out.append(f"- [{part.heading.title}]({name})".encode() + eol)
        at = part.end
        if at < len(lines) and at not in {other.start for other in parts}:
            out.append(eol)
    return joined((*out, *lines[at:]), eol)


def _spawned(data: bytes, part: Part) -> bytes:
    """A section as a document: its headings raised so that its own is the title."""
    lines = lines_of(data)
    raised = part.heading.depth - 1
    inner = {heading.line for heading in headings(data)}
    out = [
        line.lstrip(b" ")[raised:] if number in inner else line
        for number, line in enumerate(lines[part.start : part.end], part.start)
    ]
    while len(out) > 1 and not out[-1].strip():
        out.pop()
    return joined(out, eol_of(data))


def _routed(index: bytes, path: str, parts: Sequence[Part]) -> bytes:
    """The routing with a row for each part behind that of the document."""
    for part in reversed(parts):
        index = with_row(index, part.path, part.heading.title, behind=path)
    return index
