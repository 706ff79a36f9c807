"""Candidates: the discrete facts of a task's log or of a memory document, in order and by line;
judges none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.frontmatter import read_front_matter
from mandrel_tui.protocol.paragraphs import Block, Kind, blocks, leads_only
from mandrel_tui.protocol.task import EntryField, Task

FIELDS = ("Done", "Open", "Findings")
_NOTHING = re.compile(
    r"(?:none|nothing|n/?a|no|-+|—|\(none\)|no (?:open )?(?:findings|issues|questions|items))"
    r"(?: (?:left|open|remaining))?[.!]?",
    re.IGNORECASE,
)
_MARK = re.compile(r"[ \t]*<!-- mandrel: (begin|end) -->[ \t]*")
_FIELD = re.compile(r"[ \t]*- [A-Za-z-]+:")


@dataclass(frozen=True, slots=True)
class Source:
    """Where in a log a fact stands: the number of its entry (from 1), whose date and sid, and the
    field."""

    entry: int
    date: str
    sid: str
    field: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its words on one line, its lines in the file (from 1, the last included), and what
    stands above it: the items it is nested in, or the heading."""

    text: str
    line: int
    end_line: int
    above: tuple[str, ...] = ()
    source: Source | None = None
    kind: Kind = Kind.PARAGRAPH
    prefix: str = ""

    @property
    def key(self) -> str:
        """What it is matched by when the file has changed: its words, however they are wrapped."""
        return " ".join(self.text.split())


def facts_of_log(task: Task) -> tuple[Fact, ...]:
    """The facts of every entry's Done, Open and Findings, in the order of the file."""
    lines = _lines(task.text)
    return tuple(
        fact
        for number, entry in enumerate(task.entries, start=1)
        for field in entry.fields
        if field.name in FIELDS and field.value
        for fact in _of_field(lines, field, Source(number, entry.date, entry.sid, field.name))
    )


def _of_field(lines: Sequence[str], field: EntryField, source: Source) -> Iterator[Fact]:
    """The facts of one field; code belongs to the fact it follows."""
    start = field.line
    head = _FIELD.sub("", lines[start - 1], count=1).strip()
    first = start if head else _filled(lines, start + 1)
    count = field.value.count("\n") + 1
    shown = list(lines[first - 1 : first - 1 + count])
    if head and shown:
        shown[0] = head
    yield from _facts(_with_code(blocks(shown, first)), source)


def _filled(lines: Sequence[str], number: int) -> int:
    while number < len(lines) and not lines[number - 1].strip():
        number += 1
    return number


def _with_code(found: Iterable[Block]) -> list[Block]:
    """The blocks, each code block made part of the one before it."""
    merged: list[Block] = []
    for block in found:
        if block.kind is Kind.CODE and merged:
            last = merged[-1]
            merged[-1] = Block(
                last.kind,
                last.line,
                block.end_line,
                f"{last.text} {block.text}",
                last.prefix,
                last.above,
                last.heading,
                last.leads,
            )
        else:
            merged.append(block)
    return merged


def facts_of_document(data: bytes) -> tuple[Fact, ...]:
    """The facts of any Markdown file: its list items, paragraphs, table rows and code blocks, front
    matter and the marked lines that load the protocol left out."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    front = read_front_matter(text)
    skipped = text.count("\n", 0, front.body) if front.closed else 0
    lines = _lines(text)
    marked = _marked(lines)
    found = blocks(lines[skipped:], skipped + 1)
    return tuple(_facts([block for block in found if block.line not in marked], None))


def _marked(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines from a mark that begins to one that ends; none without an end."""
    found: set[int] = set()
    begun = 0
    for number, line in enumerate(lines, start=1):
        mark = _MARK.fullmatch(line)
        if mark and mark[1] == "begin":
            begun = number
        elif mark and begun:
            found.update(range(begun, number))
            begun = 0
    return frozenset(found)


def _facts(found: Sequence[Block], source: Source | None) -> Iterator[Fact]:
    lead = ""  # a paragraph that only introduces the list under it
    for number, block in enumerate(found):
        if block.kind is not Kind.ITEM and not block.above:
            lead = ""
        if leads_only(block, found[number + 1 : number + 2]):
            lead = block.text if block.kind is Kind.PARAGRAPH else lead
            continue
        if not block.text.strip() or _NOTHING.fullmatch(block.text):
            continue
        heading = () if source or not block.heading else (block.heading,)
        above = block.above or ((lead,) if lead else heading)
        yield Fact(block.text, block.line, block.end_line, above, source, block.kind, block.prefix)


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")]
