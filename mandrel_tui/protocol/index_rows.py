"""Index rows: how a task is written as a row of the index's table or an item of its list, so that
it reads back; knows no file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.index import (
    PATH,
    SEPARATOR,
    IndexRow,
    cell_spans,
    split_cells,
    status_cell,
)
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.spelling import listed
from mandrel_tui.protocol.task import Task

COLUMNS = ("id", "title", "status", "session-est", "blockers")
HEADER = "| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n"
_SYNONYMS = {"task": "id", "est": "session-est", "estimate": "session-est"}
_UNSEEN = frozenset({"Cc", "Zl", "Zp", "Cs"})
_BULLET_STATUS = re.compile(r"\(([a-z_]+)\)(?=[ \t\r]*$)")
_WORD = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class Told:
    """What a row tells of a task; its rows are known under any of `names`, the first is written."""

    names: tuple[str, ...]
    title: str
    status: str
    estimate: str
    blockers: tuple[str, ...] = ()

    @classmethod
    def of(cls, task: Task) -> Told:
        names = tuple(dict.fromkeys(filter(None, (task.name, task.id))))
        return cls(names, task.title, task.status_text, task.estimate_text, task.blockers)

    def cell(self, column: str) -> str:
        """The text of a column by its heading; empty for one that is not known."""
        texts = (self.names[0], self.title, self.status, self.estimate, listed(self.blockers))
        return dict(zip(COLUMNS, texts, strict=True)).get(canonical(column), "")


@dataclass(frozen=True, slots=True)
class Table:
    """A table by its lower-case headings and the numbers of its separating and its last line."""

    columns: tuple[str, ...]
    separator: int
    last: int

    @property
    def lists_tasks(self) -> bool:
        return canonical(self.columns[0]) == COLUMNS[0]


def tables(lines: Sequence[str]) -> list[Table]:
    """The tables of a text given as lines, which count from 1."""
    found: list[Table] = []
    header = ""
    for number, line in enumerate(lines, start=1):
        bare = line.strip(" \t\r\n\ufeff")
        separator = bare.startswith("|") and SEPARATOR.fullmatch(bare) is not None
        if separator and header:
            columns = tuple(cell.lower() for cell in split_cells(header))
            found.append(Table(columns, number, number))
        elif bare.startswith("|") and found and found[-1].last == number - 1:
            found[-1] = Table(found[-1].columns, found[-1].separator, number)
        header = bare if bare.startswith("|") and not separator else ""
    return found


def table_row(told: Told, columns: Sequence[str]) -> str:
    """The row in a table of those headings, the task first; raises Refusal."""
    return _written([told.names[0], *(told.cell(column) for column in columns[1:])])


def bullet(told: Told, mark: str) -> str:
    """The item of a list whose items begin with `mark`."""
    return f"{mark}{told.names[0]}: {_seen(told.title)} ({told.status})"


def corrected(text: str, row: IndexRow, column: str, value: str) -> str:
    """The line of a row with one column's text replaced; unchanged where it has no such text."""
    if row.bullet:
        found = _BULLET_STATUS.search(text) if column == "status" else None
        return text if found is None else text[: found.start(1)] + value + text[found.end(1) :]
    line = text.rstrip("\r\n")
    spans = cell_spans(line)
    cells = [line[start:end] for start, end in spans]
    place = _place(cells, row.columns, column)
    if place is None:
        return text
    start, end = spans[place]
    if column == "status" and (word := _WORD.search(line, start, end)):
        start, end = word.span()
    for escaped in (_light(value), _heavy(value)):
        pad = " " if line[start - 1] == "|" and escaped else ""
        new = f"{line[:start]}{pad}{escaped}{pad}{line[end:]}"
        others = [cell for n, cell in enumerate(split_cells(new)) if n != place]
        if others == [cell for n, cell in enumerate(cells) if n != place]:
            return new + text[len(line) :]
    raise _unwritable(value)


def canonical(column: str) -> str:
    """The heading under which this program knows a column."""
    return _SYNONYMS.get(column, column)


def _place(cells: list[str], columns: Sequence[str], column: str) -> int | None:
    if column == "status":
        return status_cell(cells, tuple(columns))
    known = [canonical(heading) for heading in columns]
    place = known.index(column) if column in known else len(cells)
    return place if place < len(cells) else None


def _written(texts: Sequence[str]) -> str:
    """A row whose cells read back; escaped no more than that takes."""
    for escape in _ESCAPES:
        cells = [escape(text) for text in texts]
        row = "".join(f"| {cell} " for cell in cells) + "|"
        if split_cells(row) == cells:
            return row
    raise _unwritable(texts[0])


def _light(text: str) -> str:
    return _seen(text).replace("|", "\\|").strip(" \t")


def _heavy(text: str) -> str:
    return re.sub(r"([\\`|])", r"\\\1", _seen(text)).strip(" \t")


_ESCAPES: tuple[Callable[[str], str], ...] = (_light, _heavy)


def _seen(text: str) -> str:
    """The text on one line: what would end it or steer a terminal becomes a blank."""
    return "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in text)


def _unwritable(text: str) -> Refusal:
    return Refusal(f"`{text}` cannot be written into a row of {PATH}")
