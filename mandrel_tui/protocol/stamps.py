"""Stamps: the two front-matter lines that say when a document was last compared with the code;
finds and sets them, and changes no other byte."""

from __future__ import annotations

from collections.abc import Mapping

from mandrel_tui.protocol.frontmatter import FrontMatter, Item, read_front_matter
from mandrel_tui.protocol.reading import BOM

UPDATED, VERIFIED = "last-updated", "verified-against"
KEYS = (UPDATED, VERIFIED)


def stamp_lines(data: bytes) -> dict[int, str]:
    """The lines that hold a stamp, counted from 0, with its key."""
    front = _front(data)
    items = (front.first(key) for key in KEYS) if front.closed else ()
    return {i.field.line - 1: i.field.key for i in items if i is not None and not i.continued}


def stamped(data: bytes, today: str, head: str | None) -> bytes:
    """A document that says it was updated `today` (a UTC date) and verified against the commit
    `head`; None leaves that stamp as it is. Front matter is added where there is none."""
    values = {UPDATED: today, VERIFIED: head}
    wanted = {key: value for key, value in values.items() if value is not None}
    if not _front(data).closed:
        return _with_front_matter(data, wanted)
    for key, value in wanted.items():
        data = _set(data, key, value)
    return data


def eol_of(data: bytes) -> bytes:
    """The line end a document uses, by its first line; LF where it has none."""
    end = data.find(b"\n")
    return b"\r\n" if end > 0 and data[end - 1 : end] == b"\r" else b"\n"


def _front(data: bytes) -> FrontMatter:
    base = _base(data)
    return read_front_matter(data[base:].decode("utf-8", "surrogateescape"), base)


def _base(data: bytes) -> int:
    return len(BOM) if data.startswith(BOM) else 0


def _with_front_matter(data: bytes, values: Mapping[str, str]) -> bytes:
    base, eol = _base(data), eol_of(data)
    lines = ["---", *(f"{key}: {value}" for key, value in values.items()), "---", ""]
    block = b"".join(line.encode() + eol for line in lines)
    return data[:base] + block + data[base:]


def _set(data: bytes, key: str, value: str) -> bytes:
    front = _front(data)
    item = front.first(key)
    if item is None:
        line = f"{key}: {value}".encode() + eol_of(data)
        fence = _fence(data, front)
        return data[:fence] + line + data[fence:]
    return _replaced(data, item, value.encode())


def _replaced(data: bytes, item: Item, value: bytes) -> bytes:
    start, end = item.field.start, item.field.end
    if item.field.value.encode() == value:
        return data
    before = b" " if data[start - 1 : start] == b":" else b""
    behind = b" " if data[end : end + 1] == b"#" else b""
    return data[:start] + before + value + behind + data[end:]


def _fence(data: bytes, front: FrontMatter) -> int:
    """The byte at which the closing line of the front matter begins."""
    place = 0
    for _ in range(front.close_line - 1):
        place = data.index(b"\n", place) + 1
    return max(place, _base(data))
