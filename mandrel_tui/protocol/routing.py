"""Routing: which documents `.ai/index.md` names and for what, and pointing it elsewhere; only the
bytes of a name differ then."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from mandrel_tui.protocol.index import split_cells
from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.quoting import read_quoting
from mandrel_tui.protocol.stamps import eol_of

INDEX = ".ai/index.md"
_LINK = re.compile(r"\[([^\]]*)\]\(<?([^)>]*?)>?\)")
_SEPARATOR = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?")
_PIPE = re.compile(r"(?<!\\)\|")
_NAME = r"[\w./-]"


@dataclass(frozen=True, slots=True)
class Route:
    """One row: its line (from 1), the document it names as `.ai/x.md`, and the words about it."""

    line: int
    path: str
    words: str


def routes(index: bytes) -> tuple[Route, ...]:
    """The rows of the routing tables, in order; a row names the first document in it."""
    text = index.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    quoting = read_quoting(text, 0, lambda _: len(text))
    offset, found = 0, []
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip(" \t\r")
        if offset not in quoting and bare.startswith("|") and not _SEPARATOR.fullmatch(bare):
            found += list(_route(number, split_cells(bare)))[:1]
        offset += len(line) + 1
    return tuple(found)


def routed(index: bytes | None) -> frozenset[str]:
    """The documents that the routing tables name; none without an index."""
    return frozenset(route.path for route in routes(index or b""))


def _route(number: int, cells: list[str]) -> Iterator[Route]:
    for place, cell in enumerate(cells):
        path = _document(cell)
        if path is not None:
            rest = [*cells[:place], *cells[place + 1 :]]
            label = _LINK.fullmatch(cell)
            words = " ".join((label[1] if label else "", *rest)).strip()
            yield Route(number, path, words)


def _document(cell: str) -> str | None:
    """The document a cell names, None where it names none."""
    text = cell.strip(" \t`*")
    link = _LINK.fullmatch(text)
    name = (link[2] if link else text).strip(" `").partition("#")[0]
    if not name.endswith(".md") or " " in name.strip():
        return None
    path = posixpath.normpath(name if name.startswith(".ai/") else posixpath.join(".ai", name))
    return path if path.startswith(".ai/") else None


def title_of(path: str) -> str:
    """What a document is called that has no words of its own: `Retry rules` of
    `.ai/retry-rules.md`."""
    parts = path.removesuffix(".md").removesuffix("/index").split("/")
    title = parts[-1].replace("-", " ").replace("_", " ")
    return f"{title[:1].upper()}{title[1:]}"


def with_row(index: bytes, path: str, title: str, behind: str | None = None) -> bytes:
    """The routing with a row for a document, behind that of another or the last one of its first
    table, its cells laid out as there; the same bytes where there is no row to follow, or it has
    one already."""
    found = routes(index)
    if not found or any(route.path == path for route in found):
        return index
    known = next((route for route in found if route.path == behind), _table(index)[-1])
    lines, eol = lines_of(index), eol_of(index)
    old = split_cells(lines[known.line - 1].decode("utf-8", "replace").strip())
    place = next(n for n, cell in enumerate(old) if _document(cell) is not None)
    cells = ["" for _ in old]
    cells[0 if place else min(1, len(cells) - 1)] = _PIPE.sub(r"\|", title)
    cells[place] = path.removeprefix(".ai/")
    row = "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)
    return joined((*lines[: known.line], row.encode() + eol, *lines[known.line :]), eol)


def _table(index: bytes) -> tuple[Route, ...]:
    """The rows of the first table; later ones may name documents for other reasons."""
    lines, found = index.split(b"\n"), routes(index)
    for place, (one, after) in enumerate(pairwise(found), start=1):
        between = lines[one.line : after.line - 1]
        if not all(line.lstrip().startswith(b"|") for line in between):
            return found[:place]
    return found


def without_row(index: bytes, path: str) -> bytes:
    """The routing without the rows of a document in its first table."""
    gone = {route.line for route in _table(index) if route.path == path}
    lines = lines_of(index)
    return joined(
        [line for number, line in enumerate(lines, start=1) if number not in gone], eol_of(index)
    )


def repointed(text: bytes, old: str, new: str, path: str) -> bytes:
    """The text of the file `path` in which every mention of the document `old` names `new`: by its
    whole path, by one that leads up to it, and in the memory by its path there, as in the
    routing."""
    folders = path.count("/")
    starts = {"", "../" * folders}
    bare = {"", "../" * (folders - 1)} if path.startswith(".ai/") else set()
    for start in starts:
        text = _renamed(text, f"{start}{old}", f"{start}{new}")
    for start in bare:
        before, after = (f"{start}{name.removeprefix('.ai/')}" for name in (old, new))
        text = _renamed(text, before, after)
    return text


def _renamed(text: bytes, before: str, after: str) -> bytes:
    pattern = rf"(?<![\w./-])((?:\./)?){re.escape(before)}(?!{_NAME}*\w)"
    return re.sub(pattern.encode(), rb"\g<1>" + after.encode(), text)
