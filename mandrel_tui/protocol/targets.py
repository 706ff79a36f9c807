"""Targets: which document and section a fact belongs to, by the words they share, and putting
admitted facts there; decides nothing about the fact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from mandrel_tui.protocol.admission import Item, Target
from mandrel_tui.protocol.frontmatter import read_front_matter
from mandrel_tui.protocol.paragraphs import heading_of
from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.proposal import Document
from mandrel_tui.protocol.quoting import read_quoting
from mandrel_tui.protocol.reading import BOM
from mandrel_tui.protocol.routing import INDEX, Route, routes, title_of, with_row
from mandrel_tui.protocol.snapshot import FOLDER, NAMES
from mandrel_tui.protocol.stamps import eol_of

FALLBACK = ".ai/design.md"
FALLBACKS = (FALLBACK, ".ai/design/index.md")
_ENTRIES = frozenset(f"{FOLDER}/{name}" for name in NAMES) - {f"{FOLDER}/map.md", INDEX}
_WORD = re.compile(r"[^\W_]{4,}")
_BULLET = re.compile(rb"([-*+])[ \t]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: its line counted from 0, its depth, and its title."""

    line: int
    depth: int
    title: str


def headings(data: bytes) -> tuple[Heading, ...]:
    """The headings of a document, those in code and comments left out."""
    text = data.removeprefix(BOM).decode("utf-8", "surrogateescape")
    front = read_front_matter(text)
    quoting = read_quoting(text, front.body, lambda _: len(text))
    found, offset = [], 0
    for number, line in enumerate(text.split("\n")):
        heading = heading_of(line.removesuffix("\r")) if offset >= front.body else None
        if heading and offset not in quoting:
            found.append(Heading(number, *heading))
        offset += len(line) + 1
    return tuple(found)


class Library:
    """The documents of the memory by their words; offers targets for facts: in what the routing
    names and in the entry points that every session reads, anywhere while there is none of those.
    """

    def __init__(self, documents: Mapping[str, bytes]) -> None:
        self.documents = documents
        told = {route.path: route for route in routes(documents.get(INDEX, b""))}
        self.sections = {
            Target(path, title): words
            for path, data in documents.items()
            if path != INDEX
            for title, words in _sections(path, data, told.get(path))
        }
        known = told.keys() | _ENTRIES
        self._open = known if known & documents.keys() else documents.keys()
        spread = Counter(word for words in self.sections.values() for word in set(words))
        self.weight = {w: log(1 + len(self.sections) / n) for w, n in spread.items()}

    def offers(self, text: str, most: int = 5) -> tuple[Target, ...]:
        """Where a fact may go, the likeliest first; at least one while there is a document."""
        asked = set(_words(text))
        open = ((t, words) for t, words in self.sections.items() if t.path in self._open)
        scored = [(self._score(asked, words), target) for target, words in open]
        scored.sort(key=lambda row: -row[0])
        likely = tuple(target for score, target in scored if score > 0)[:most]
        return likely or self._fallback()

    def _score(self, asked: set[str], words: Counter[str]) -> float:
        """The weight of the words a section shares with a fact, repeated ones a little more."""
        return sum(self.weight[word] * sqrt(min(words[word], 4)) for word in asked & words.keys())

    def _fallback(self) -> tuple[Target, ...]:
        known = [target.path for target in self.sections if target.path in self._open]
        path = next((p for p in FALLBACKS if p in known), next(iter(known), ""))
        return tuple(target for target in self.sections if target.path == path)[:1]


def _sections(path: str, data: bytes, route: Route | None) -> list[tuple[str, Counter[str]]]:
    """The sections of a document with their words; titles and routing weigh more."""
    lines, found = lines_of(data), headings(data)
    about = _words(f"{path.removesuffix('.md')} {route.words if route else ''}") * 2
    starts = [heading.line for heading in found]
    ends = [*starts[1:], len(lines)]
    parts = [(h.title, lines[h.line : end]) for h, end in zip(found, ends, strict=False)]
    return [
        (title, Counter((*about, *_words(title) * 3, *_words(_text(part)))))
        for title, part in parts or [("", lines)]
    ]


def _text(lines: Iterable[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace")


def _words(text: str) -> list[str]:
    """The words of four letters or more, plural endings left out."""
    words = (word.lower() for word in _WORD.findall(text))
    return [word[:-1] if word.endswith("s") and len(word) > 4 else word for word in words]


def admitted(items: Sequence[Item], documents: Mapping[str, bytes]) -> tuple[Document, ...]:
    """What the documents become when every admitted item stands as one line at its target; items
    without a target are left out. A document that is not there is begun with a title, and the
    routing given a row for it."""
    changed: dict[str, bytes] = {}
    for item in items:
        if item.admitted and item.target is not None:
            path = item.target.path
            base = changed.get(path, documents.get(path))
            text = " ".join(item.text.split())
            begun = f"# {title_of(path)}\n".encode() if base is None else base
            changed[path] = insert(begun, item.target.section, text)
    index = changed.get(INDEX, documents.get(INDEX))
    for path in changed:
        if index is not None and path not in documents:
            index = with_row(index, path, title_of(path))
    if index is not None and index != documents.get(INDEX):
        changed[INDEX] = index
    return tuple(Document(path, documents.get(path), data) for path, data in changed.items())


def insert(data: bytes, section: str, text: str) -> bytes:
    """A document with one more list item at the end of a section, or of the document where no
    section has that title."""
    lines, eol = lines_of(data), eol_of(data)
    start, end = _span(data, section, len(lines))
    last = end
    while last > start and not lines[last - 1].strip():
        last -= 1
    mark = _mark(lines[start:last])
    item = (mark or b"-") + b" " + text.encode("utf-8", "surrogateescape") + eol
    before = [] if mark or last == 0 else [eol]
    behind = [eol] if last == end and end < len(lines) else []
    return joined((*lines[:last], *before, item, *behind, *lines[last:]), eol)


def _mark(lines: Sequence[bytes]) -> bytes:
    """The mark of the list a section ends in; empty where it ends in no list."""
    for line in reversed(lines):
        bullet = _BULLET.match(line)
        if bullet:
            return bullet[1]
        if not line.startswith((b" ", b"\t")):
            return b""
    return b""


def _span(data: bytes, section: str, count: int) -> tuple[int, int]:
    """The lines of a section, its heading included, up to the next heading."""
    found = headings(data)
    for number, heading in enumerate(found):
        if section and heading.title == section:
            rest = found[number + 1 :]
            return heading.line, rest[0].line if rest else count
    return (found[-1].line if found else 0), count
