"""Front matter: the line reader that knows the byte span of every value; judges nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.legible import plain
from mandrel_tui.protocol.task import EXTERNAL, FrontField

YamlReader = Callable[[str], Mapping[str, object] | None]

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*:")
_FENCE = re.compile(r"---[ \t]*\r?")
_PROTOCOL_HEADING = re.compile(r"## (?:Goal|Scope|Acceptance|Session plan|Session log)[ \t]*\r?")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#")
_TASK_ID = re.compile(r"\d{4}-\d\d-\d\d-[^\s,\[\]]+[ \t]*(?=,|$)")
_QUOTED_ITEM = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?=,|\]|$)""")


@dataclass(frozen=True, slots=True)
class Item:
    """One `key: value` line with the lines that continue it.

    `field` spans the value only; `chunk` is the text of all its lines; `continued` says that
    indented or list lines follow; `quoted` and `comment` what stood around the value.
    """

    field: FrontField
    chunk: str
    continued: bool
    raw: str


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The first block: `items` in file order, repeated keys included.

    `body` is the character offset of the first line behind it; `close_line` the line of the
    closing fence (from 1), or of the last key where it is never closed.
    """

    present: bool
    closed: bool
    late: bool
    items: tuple[Item, ...]
    body: int
    open_line: int
    close_line: int
    block: str

    @property
    def strays(self) -> tuple[int, ...]:
        """The lines that belong to no key and are no comment."""
        return tuple(self._strays()) if self.closed else ()

    def _strays(self) -> Iterator[int]:
        keyed = False
        for line, text in enumerate(self.block.split("\n"), start=self.open_line + 1):
            keyed = _KEY.match(text) is not None or (keyed and _continues(text))
            bare = text.strip(" \t\r")
            if bare and not keyed and not bare.startswith("#"):
                yield line

    def first(self, key: str) -> Item | None:
        return next((i for i in self.items if i.field.key == key), None)

    def values(self) -> tuple[FrontField, ...]:
        return tuple(i.field for i in self.items)


ABSENT = FrontMatter(False, False, False, (), 0, 0, 0, "")


def read_front_matter(text: str, base: int = 0) -> FrontMatter:
    """The front matter of decoded text whose first character is byte `base` of the file."""
    start, line, doubtful = _preamble(text)
    if start is None:
        return ABSENT
    opened = _line_end(text, start)
    block_end, after, close_line, closed = _block_end(text, opened, line + 1)
    block = text[opened:block_end]
    byte = base + len(text[:opened].encode("utf-8", "surrogateescape"))
    items = tuple(_items(block, line + 1, byte))
    if doubtful and not any(i.field.key in ("id", "status") for i in items):
        return ABSENT
    if not closed:
        close_line = items[-1].field.line if items else line
        after = start
    return FrontMatter(True, closed, start > 0, items, after, line, close_line, block)


def _line_end(text: str, start: int) -> int:
    """The offset just behind the line that begins at `start`."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end + 1


def _preamble(text: str) -> tuple[int | None, int, bool]:
    """Offset and line of the opening fence, None without one; True when `#` lines precede it.

    Only blank lines, `#` lines and HTML comments may stand before it.
    """
    pos, line, doubtful = 0, 1, False
    while pos < len(text):
        end = _line_end(text, pos)
        here = text[pos:end].rstrip("\n")
        if _FENCE.fullmatch(here):
            return pos, line, doubtful
        bare = here.strip(" \t\r")
        if bare.startswith("<!--"):
            close = text.find("-->", pos)
            if close < 0:
                return None, 0, False
            end = _line_end(text, close)
        elif bare.startswith("#"):
            doubtful = True
        elif bare:
            return None, 0, False
        line += text.count("\n", pos, end)
        pos = end
    return None, 0, False


def _block_end(text: str, pos: int, line: int) -> tuple[int, int, int, bool]:
    """Where the block ends, where the body begins, the closing line, and whether it is closed.

    A heading of the task schema inside the block means that the closing fence was forgotten.
    """
    while pos < len(text):
        end = _line_end(text, pos)
        here = text[pos:end].rstrip("\n")
        if _FENCE.fullmatch(here):
            return pos, end, line, True
        if _PROTOCOL_HEADING.fullmatch(here):
            break
        pos, line = end, line + 1
    return pos, pos, line, False


def _items(block: str, line: int, byte: int) -> Iterator[Item]:
    """The key lines of a block that begins at `line` and file offset `byte`."""
    lines = block.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    index = 0
    while index < len(lines):
        here = lines[index].removesuffix("\r")
        size = _size(lines[index]) + 1
        match = _KEY.match(here)
        if match is None:
            index, byte = index + 1, byte + size
            continue
        follow = index + 1
        while follow < len(lines) and _continues(lines[follow]):
            follow += 1
        chunk = "\n".join(lines[index:follow]) + "\n"
        continued = any(part.strip(" \t\r") for part in lines[index + 1 : follow])
        yield _item(match, here, line + index, byte, chunk, continued)
        byte += size + sum(_size(part) + 1 for part in lines[index + 1 : follow])
        index = follow


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _continues(line: str) -> bool:
    """Whether a line belongs to the value above it: indented, blank, or a list item."""
    return not line.strip(" \t\r") or line[0] in " \t" or line.startswith("- ")


def _item(
    match: re.Match[str], here: str, line: int, byte: int, chunk: str, continued: bool
) -> Item:
    start = match.end()
    while start < len(here) and here[start] in " \t":
        start += 1
    end = start + value_length(here[start:])
    raw = here[start:end]
    if not raw:
        start = end = match.end()
    first = byte + _size(here[:start])
    field = FrontField(match[1], plain(unquoted(raw)), line, first, first + _size(raw))
    return Item(field, chunk, continued, raw)


def value_length(text: str) -> int:
    """How many characters of `text` (a value and what follows on its line) are the value."""
    if text.startswith("["):
        end, balanced = list_end(text)
        if balanced and _only_comment(text[end:]):
            return end
    elif text[:1] in ('"', "'"):
        end = _quote_end(text)
        if end and _only_comment(text[end:]):
            return end
    comment = _COMMENT.search(text)
    return len((text[: comment.start()] if comment else text).rstrip(" \t"))


def _only_comment(rest: str) -> bool:
    bare = rest.lstrip(" \t")
    return not bare or (bare[0] == "#" and rest[0] in " \t")


def _quote_end(text: str) -> int:
    """The offset behind the quote that closes the one `text` begins with, 0 without one."""
    quote, pos = text[0], 1
    while pos < len(text):
        if quote == '"' and text[pos] == "\\":
            pos += 2
        elif text[pos] == quote:
            if quote == '"' or text[pos + 1 : pos + 2] != quote:
                return pos + 1
            pos += 2
        else:
            pos += 1
    return 0


def unquoted(raw: str) -> str:
    """A value without the quotes around it."""
    if len(raw) < 2 or raw[0] not in "\"'" or _quote_end(raw) != len(raw):
        return raw
    if raw[0] == "'":
        return raw[1:-1].replace("''", "'")
    return re.sub(r'\\(["\\])', r"\1", raw[1:-1])


def list_end(text: str) -> tuple[int, bool]:
    """The offset behind the `]` that closes the list `text` begins with, and True;
    where brackets do not match, behind the last `]` before ` #` (or of the line), and False."""
    depth, pos, fresh = 0, 0, False
    while pos < len(text):
        if fresh and (quoted := _QUOTED_ITEM.match(text, pos)):
            pos, fresh = quoted.end(), False
            continue
        char = text[pos]
        fresh = char in "[," or (fresh and char in " \t")
        depth += (char == "[") - (char == "]")
        pos += 1
        if depth == 0:
            return pos, True
    comment = text.find(" #")
    last = text.rfind("]", 0, comment if comment >= 0 else len(text))
    return (last + 1 if last >= 0 else len(text.rstrip(" \t"))), False


def list_items(raw: str) -> tuple[str, ...]:
    """The items of `[a, external:b, c]`; commas of an external text stay in it."""
    cleaned = (plain(unquoted(raw[start:end])) for start, end in item_spans(raw))
    return tuple(item for item in cleaned if item)


def item_spans(raw: str) -> tuple[tuple[int, int], ...]:
    """Where the items of a list stand in its text, without the blanks around them."""
    inner = raw[1:-1] if raw.endswith("]") else raw[1:]
    spans, start, depth, pos, fresh, whole = [], 0, 0, 0, True, False
    while pos < len(inner):
        if fresh and (quoted := _QUOTED_ITEM.match(inner, pos)):
            pos, fresh, whole = quoted.end(), False, True
            continue
        char = inner[pos]
        if char == "," and depth <= 0 and (whole or not _stays(inner, start, pos)):
            spans.append(_trimmed(inner, start, pos))
            start, fresh, whole = pos + 1, True, False
        else:
            fresh = fresh and char in " \t"
            depth = max(0, depth + (char == "[") - (char == "]"))
        pos += 1
    spans.append(_trimmed(inner, start, len(inner)))
    return tuple((first + 1, last + 1) for first, last in spans)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t":
        end -= 1
    return start, end


def _stays(inner: str, start: int, comma: int) -> bool:
    """Whether the comma is part of the external text that begins at `start`."""
    if not inner[start : start + 64].lstrip(" \t\"'").startswith(EXTERNAL):
        return False
    if inner[comma + 1 : comma + 2] != " ":
        return False
    rest = comma + 1
    while rest < len(inner) and inner[rest] in " \t\"'":
        rest += 1
    return not (inner.startswith(EXTERNAL, rest) or _TASK_ID.match(inner, rest))
