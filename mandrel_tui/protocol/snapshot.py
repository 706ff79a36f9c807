"""Snapshot: the eager memory documents, their entry points and budgets; reads no file itself.

Names are relative to `.ai/`, with `/`. Tokens are bytes // 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

FOLDER = ".ai"
ROUTING = "index.md"
CEILING = 16_500
DOCUMENT_LIMIT = 3_000
INDEX_LIMIT = 1_500
AMBER, RED = 80, 95

# Files a session reads by itself, where they may import or name the memory.
LOADERS = ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".cursorrules")

# Those of one form only, then those that may be a file or a folder with an index.
FIXED = ("index", "map")
FORMED = ("overview", "architecture", "design", "conventions")
NAMES = (*(f"{n}.md" for n in FIXED), *(f for n in FORMED for f in (f"{n}.md", f"{n}/index.md")))

_EXEMPT = re.compile(rb"housekeeping-exempt:[ \t]*true[ \t]*(?:#.*)?")
_LINK = re.compile(r"\[[^\]]*\]\(<?([^)>\s]*)>?\)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


class Level(StrEnum):
    """How full: below 80 %, from 80 %, from 95 % or over a limit."""

    OK = "ok"
    AMBER = "amber"
    RED = "red"


class Presence(StrEnum):
    """Whether a document could be read."""

    PRESENT = "present"
    MISSING = "missing"
    NOT_CHECKED_OUT = "not checked out"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Document:
    """One eager document by its entry point `name`; `size` in bytes, 0 unless present. `exempt`
    silences its own limit; `other` is the second form that must not be there; `reason` is why an
    unreadable one could not be read."""

    title: str
    name: str
    presence: Presence
    size: int = 0
    exempt: bool = False
    other: str | None = None
    reason: str = ""

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.name}"

    @property
    def tokens(self) -> int:
        return self.size // 4

    @property
    def limit(self) -> int:
        return limit_of(self.name)

    @property
    def over(self) -> bool:
        """Whether it exceeds a limit that binds it."""
        return self.tokens > self.limit and not self.exempt

    @property
    def level(self) -> Level:
        if self.other is not None:
            return Level.RED
        return Level.OK if self.exempt else _level(self.tokens, self.limit)

    @property
    def trouble(self) -> str:
        """What is wrong with it, in a few words; empty when nothing."""
        if self.other is not None:
            return f"{self.name} and {self.other} both exist"
        if self.presence is not Presence.PRESENT:
            return f"{self.name} is {self.presence}{f': {self.reason}' if self.reason else ''}"
        if self.over:
            return f"{self.name} is over its limit: {self.tokens:,} of {self.limit:,} tokens"
        return ""


@dataclass(frozen=True, slots=True)
class Gauge:
    """The eager set against its ceiling: six documents, in the order in which they load."""

    documents: tuple[Document, ...]

    @property
    def here(self) -> bool:
        """Whether there is any memory at all."""
        return any(d.presence is not Presence.MISSING for d in self.documents)

    @property
    def tokens(self) -> int:
        return sum(d.tokens for d in self.documents)

    @property
    def percent(self) -> int:
        """Whole percent of the ceiling, rounded down."""
        return self.tokens * 100 // CEILING

    @property
    def ambiguous(self) -> tuple[Document, ...]:
        return tuple(d for d in self.documents if d.other is not None)

    @property
    def partial(self) -> bool:
        """Whether a document counts as nothing because it could not be read."""
        unknown = (Presence.NOT_CHECKED_OUT, Presence.UNREADABLE)
        return any(d.presence in unknown for d in self.documents)

    @property
    def level(self) -> Level:
        if self.ambiguous or any(d.over for d in self.documents):
            return Level.RED
        return _level(self.tokens, CEILING)

    @property
    def words(self) -> str:
        """The top bar's word: `61%`, `84% !`, `97% !!`, `!! ambiguous`, `none`; `61% ?` in part."""
        if self.ambiguous:
            return "!! ambiguous"
        if not self.here:
            return "none"
        mark = {Level.OK: "", Level.AMBER: "!", Level.RED: "!!"}[self.level]
        return " ".join(filter(None, (f"{self.percent}%", mark, "?" if self.partial else "")))

    @property
    def troubles(self) -> tuple[str, ...]:
        return tuple(d.trouble for d in self.documents if d.trouble)


def limit_of(name: str) -> int:
    """The limit of a document, in tokens."""
    return INDEX_LIMIT if name.rpartition("/")[2] == ROUTING else DOCUMENT_LIMIT


def gauge(
    texts: Mapping[str, bytes],
    unreadable: Mapping[str, str] | None = None,
    not_checked_out: Set[str] = frozenset(),
) -> Gauge:
    """The gauge over those of NAMES that exist: their bytes, or the reason they could not be read,
    or that git holds them without having them checked out."""
    faults = unreadable or {}
    existing = {*texts, *faults, *not_checked_out}
    routed = tuple(_routed(texts.get(ROUTING, b"")))

    def document(title: str) -> Document:
        name, other = _entry(title, existing, routed)
        if name in texts:
            data = texts[name]
            return Document(title, name, Presence.PRESENT, len(data), exempt(data), other)
        presence = Presence.UNREADABLE if name in faults else Presence.MISSING
        if name in not_checked_out:
            presence = Presence.NOT_CHECKED_OUT
        return Document(title, name, presence, other=other, reason=faults.get(name, ""))

    return Gauge(tuple(document(title) for title in (*FIXED, *FORMED)))


def _entry(title: str, existing: Set[str], routed: tuple[str, ...]) -> tuple[str, str | None]:
    """The current entry point, and the other form where both exist."""
    if title in FIXED:
        return f"{title}.md", None
    plain, folder = f"{title}.md", f"{title}/index.md"
    both = plain in existing and folder in existing
    named = next((name for name in routed if name in (plain, folder) and name in existing), None)
    name = named or (folder if folder in existing and not both else plain)
    return name, (plain if name == folder else folder) if both else None


def _routed(index: bytes) -> Iterator[str]:
    """The file names that stand alone in a cell of a table of the routing document, in order."""
    fenced = False
    for line in index.decode("utf-8", "replace").split("\n"):
        fenced ^= _FENCE.match(line) is not None
        if fenced or not line.lstrip().startswith("|"):
            continue
        for cell in line.split("|"):
            text = cell.strip().strip("`").strip()
            link = _LINK.fullmatch(text)
            name = (link[1] if link else text).removeprefix("./")
            yield name.removeprefix(f"{FOLDER}/")


def exempt(data: bytes) -> bool:
    """Whether the front matter says `housekeeping-exempt: true`."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 40)[:40]
    if lines[0].rstrip() != b"---":
        return False
    for line in lines[1:]:
        line = line.rstrip(b"\r")
        if line.rstrip() == b"---":
            return False
        if _EXEMPT.fullmatch(line):
            return True
    return False


def _level(tokens: int, limit: int) -> Level:
    if tokens * 100 >= RED * limit:
        return Level.RED
    return Level.AMBER if tokens * 100 >= AMBER * limit else Level.OK
