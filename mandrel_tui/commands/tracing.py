"""Tracing: `why`; from which task a line of memory came, and why it was let in."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator

from mandrel_tui.commands.failure import DONE, Failure
from mandrel_tui.commands.hunks import document_path
from mandrel_tui.commands.output import say, write_lines
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.protocol.admission import TESTS, Item
from mandrel_tui.workspace.origins import Origin, origin
from mandrel_tui.workspace.visible import shown, visible

_LINE = re.compile(r"[1-9]\d{0,8}", re.ASCII)


def run_why(arguments: Namespace) -> int:
    """Says where one line of memory came from, as far as anything tells."""
    found = workspace(arguments)
    path, _, number = arguments.place.rpartition(":")
    if not path or _LINE.fullmatch(number) is None:
        raise Failure("name a line of a document: design.md:12")
    path = document_path(path)
    with failures():
        try:
            known = origin(found, path, int(number))
        except IndexError:
            raise Failure(f"{shown(path)} has no line {number}") from None
    write_lines(_lines(known))
    if not known.task:
        say("nothing that is remembered tells which task it came from")
    return DONE


def _lines(known: Origin) -> Iterator[str]:
    yield f"line     {visible(known.text)}"
    rows = {"task": known.task, "commit": known.commit[:7], "since": known.at}
    yield from (f"{name:7}  {visible(value)}" for name, value in rows.items() if value)
    if known.subject:
        yield f"says     {visible(known.subject)}"
    for item in known.items:
        yield from _item_lines(item)


def _item_lines(item: Item) -> Iterator[str]:
    source = item.facts[0].source
    where = f", entry {source.entry}, {source.sid}, {source.field}" if source else ""
    yield f"fact     {visible(item.text)}"
    yield f"from     line {item.line} of its log{visible(where)}"
    answers = zip(TESTS, item.answers, strict=True)
    yield f"tests    {', '.join(f'{test.name} {answer}' for test, answer in answers)}"
    if item.reason:
        yield f"because  {visible(item.reason)}"
