"""Paragraphs: the list items, paragraphs, table rows and code blocks of a Markdown text by line;
headings, comments, imports and rules are none. Changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

_ITEM = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)(?=\S)")
_BARE_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`]*|[^~]*)")
_SEPARATOR = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)*(?:[ \t]*:?-+:?)?")
_OTHER = re.compile(r"[ \t]*(?:@\S+|\[[^\]]+\]:[ \t]+\S+.*)[ \t]*")
_TAB = 4
_NESTED = 8  # items above a block that are told with it


class Kind(StrEnum):
    """What a block is."""

    ITEM = "item"
    PARAGRAPH = "paragraph"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its lines (from 1, the last included), its words on one line, what stands before
    them on its first line, the items it is nested in (their words), and the heading above it."""

    kind: Kind
    line: int
    end_line: int
    text: str
    prefix: str = ""
    above: tuple[str, ...] = ()
    heading: str = ""
    leads: bool = False  # whether other blocks are nested in it


@dataclass(slots=True)
class _Open:
    """A block whose lines are still coming."""

    kind: Kind
    line: int
    indent: int
    prefix: str
    lines: list[str] = field(default_factory=list)


def blocks(lines: Sequence[str], first: int = 1) -> tuple[Block, ...]:
    """The blocks of a text given as lines without their ends, the first of which has number
    `first`."""
    return tuple(_Scan(lines, first).run())


class _Scan:
    """One pass over the lines."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.lines, self.first = lines, first
        self.found: list[Block] = []
        self.open: _Open | None = None
        self.items: list[tuple[int, int]] = []  # indentation and number of the items around here
        self.heading = ""
        self.fence = ""
        self.comment = False

    def run(self) -> list[Block]:
        for number, line in enumerate(self.lines):
            self.take(number, line)
        self.close(len(self.lines))
        return self.found

    def take(self, number: int, line: str) -> None:
        if self.fence:
            self.in_fence(number, line)
        elif self.comment or line.lstrip().startswith("<!--"):
            self.close(number)
            self.comment = "-->" not in line
        elif not line.strip():
            self.close(number)
        elif fence := _FENCE.fullmatch(line):
            self.close(number)
            self.fence = fence[1]
            self.begin(Kind.CODE, number, _indent(line), "", line)
        elif not self.structure(number, line):
            self.words(number, line)

    def in_fence(self, number: int, line: str) -> None:
        assert self.open is not None
        self.open.lines.append(line.strip())
        bare = line.strip()
        if bare.startswith(self.fence) and not bare.strip(self.fence[0]):
            self.fence = ""
            self.close(number + 1)

    def structure(self, number: int, line: str) -> bool:
        """Takes a line that is no words: a heading, rule, import, or the head of a table."""
        follows = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        if heading := heading_of(line):
            self.headed(number, heading[1])
        elif self.open and self.open.kind is Kind.PARAGRAPH and _UNDERLINE.fullmatch(line):
            words = _joined(self.open.lines)
            self.open = None
            self.headed(number, words)
        elif _silent(line) or ("|" in line and _separates(follows)):
            self.close(number)
        else:
            return False
        return True

    def headed(self, number: int, words: str) -> None:
        self.close(number)
        self.items.clear()
        self.heading = words

    def words(self, number: int, line: str) -> None:
        item = _ITEM.match(line)
        if item:
            self.close(number)
            self.begin(Kind.ITEM, number, _indent(line), item[0], line[item.end() :])
        elif line.lstrip().startswith("|"):
            self.close(number)
            self.begin(Kind.ROW, number, _indent(line), "", line)
        elif self.open is None:
            prefix = line[: len(line) - len(line.lstrip(" \t>"))]
            self.begin(Kind.PARAGRAPH, number, _indent(line), prefix, line[len(prefix) :])
        else:
            self.open.lines.append(line.lstrip(" \t>"))

    def begin(self, kind: Kind, number: int, indent: int, prefix: str, words: str) -> None:
        self.open = _Open(kind, number, indent, prefix, [words])

    def close(self, number: int) -> None:
        """Ends the open block before line `number`."""
        if self.open is None:
            return
        opened, self.open = self.open, None
        while self.items and self.items[-1][0] >= opened.indent:
            self.items.pop()
        if self.items:
            last = self.items[-1][1]
            self.found[last] = replace(self.found[last], leads=True)
        above = tuple(self.found[place].text for _, place in self.items[-_NESTED:])
        block = Block(
            opened.kind,
            self.first + opened.line,
            self.first + number - 1,
            _joined(opened.lines),
            opened.prefix,
            above,
            self.heading,
        )
        if opened.kind is Kind.ITEM:
            self.items.append((opened.indent, len(self.found)))
        self.found.append(block)


def heading_of(line: str) -> tuple[int, str] | None:
    """The depth and the title of a heading given as a line without its end; None of another."""
    match = _HEADING.fullmatch(line)
    if match is None:
        return None
    title = (match[2] or "").strip(" \t")
    bare = title.rstrip("#")
    closed = not bare or bare[-1] in " \t"
    return len(match[1]), bare.rstrip(" \t") if closed else title


def _silent(line: str) -> bool:
    """Whether a line says nothing by itself: a rule, an import, a link target, an empty item, or
    what stands under the head of a table."""
    shapes = (_RULE, _OTHER, _BARE_ITEM)
    return any(shape.fullmatch(line) for shape in shapes) or _separates(line)


def _separates(line: str) -> bool:
    """Whether a line is the one under the head of a table."""
    return "|" in line and "-" in line and _SEPARATOR.fullmatch(line.strip(" \t")) is not None


def _indent(line: str) -> int:
    blanks = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blanks.expandtabs(_TAB))


def _joined(lines: Sequence[str]) -> str:
    return " ".join(" ".join(line.split()) for line in lines).strip()


def leads_only(block: Block, follows: Iterator[Block] | Sequence[Block]) -> bool:
    """Whether a block says nothing of its own but introduces what follows it."""
    nested = block.leads or any(other.kind is Kind.ITEM for other in list(follows)[:1])
    return block.text.endswith(":") and nested
