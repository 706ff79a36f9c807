"""Curation: what a memory file becomes when its facts are kept, compressed or removed; every line
of no decided fact stays byte for byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from mandrel_tui.protocol.admission import Item, Outcome, Sheet
from mandrel_tui.protocol.candidates import Fact, facts_of_document
from mandrel_tui.protocol.paragraphs import Kind
from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.stamps import eol_of

_ENDS = (".", "!", "?", ":", ";")


def curated(data: bytes, sheet: Sheet) -> bytes:
    """The file as the sheet's decisions make it; what is open stays as it is.

    A dropped fact loses its lines and one of two blank lines that would meet; a kept one changes
    only if it was reworded or merged, lost a part, or fills several lines and should be one.
    """
    lines, eol = lines_of(data), eol_of(data)
    texts = dict(_texts(sheet))
    out: list[bytes] = []
    at = 1
    for fact, replaced in sorted(texts.items(), key=lambda pair: pair[0].line):
        out += lines[at - 1 : fact.line - 1]
        out += _written(fact, replaced, eol)
        at = fact.end_line + 1
        lone = not replaced and (not out or not out[-1].strip())
        if lone and at <= len(lines) and not lines[at - 1].strip():
            at += 1
    return joined((*out, *lines[at - 1 :]), eol)


def carried_on(after: bytes, sheet: Sheet) -> Sheet:
    """The sheet of the file as its decisions made it: what stayed keeps its answers."""
    stock: defaultdict[str, list[Item]] = defaultdict(list)
    for item in reversed(sheet.items):
        if item.outcome is not Outcome.DROP:
            stock[" ".join(item.text.split())].append(item)
    return Sheet(tuple(_carried(fact, stock) for fact in facts_of_document(after)))


def _carried(fact: Fact, stock: dict[str, list[Item]]) -> Item:
    known = stock.get(fact.key)
    item = Item((fact,), fact.text)
    return replace(item, answers=known.pop().answers) if known else item


def _texts(sheet: Sheet) -> Iterator[tuple[Fact, list[str]]]:
    """The facts that change, each with the wordings that take its place."""
    shares: defaultdict[Fact, list[Item]] = defaultdict(list)
    for item in sheet.items:
        for fact in item.facts:
            shares[fact].append(item)
    for fact, items in shares.items():
        if not _stays(fact, items):
            mine = [item for item in items if item.facts[0] == fact]
            yield fact, [item.text for item in mine if item.outcome is not Outcome.DROP]


def _stays(fact: Fact, items: Sequence[Item]) -> bool:
    """Whether the items that a fact became leave its lines as they are."""
    kept = all(item.outcome is not Outcome.DROP and len(item.facts) == 1 for item in items)
    same = _bare(" ".join(item.text for item in items)) == _bare(fact.text)
    long = fact.line != fact.end_line and any(item.outcome is Outcome.ONE_LINE for item in items)
    return kept and same and not long


def _bare(text: str) -> list[str]:
    """The words of a text, whatever stands between its parts."""
    return text.replace(";", " ").split()


def _written(fact: Fact, texts: Sequence[str], eol: bytes) -> Iterator[bytes]:
    """The lines of a fact with other wordings: an item each, or one paragraph of all."""
    if fact.kind is Kind.PARAGRAPH and texts:
        texts = [reduce(_and, texts)]
    for text in texts:
        first, *more = text.split("\n")
        indent = " " * len(fact.prefix)
        for line in (f"{fact.prefix}{first}", *(f"{indent}{line}" for line in more)):
            yield line.encode("utf-8", "surrogateescape") + eol


def _and(text: str, more: str) -> str:
    return f"{text}{' ' if text.endswith(_ENDS) else '; '}{more}"
