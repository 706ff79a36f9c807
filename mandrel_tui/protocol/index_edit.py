"""Index edit: one row of `.ai-tasks/index.md` added, corrected or removed; every other line stays
byte for byte, and a damaged index is never touched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.index import (
    PATH,
    PLACEHOLDERS,
    SEPARATOR,
    Index,
    IndexRow,
    read_index,
    split_cells,
)
from mandrel_tui.protocol.index_rows import (
    COLUMNS,
    HEADER,
    Table,
    Told,
    bullet,
    corrected,
    table_row,
    tables,
)
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.refusal import Refusal

_TITLE = "# Active tasks\n\n"
_NONE = re.compile(r"[ \t]*[-*+]?[ \t]*\(none\)[ \t]*\r?\n?")
_MARK = re.compile(r"[ \t]*[-*+][ \t]+")


class Step(Protocol):
    """A change of the index that can be planned anew on whatever the index holds by then."""

    def on(self, data: bytes) -> bytes:
        """The index with the change, the same bytes where it is so already; raises Refusal."""


@dataclass(frozen=True, slots=True)
class AddRow:
    """A row for a task that has none."""

    told: Told

    def on(self, data: bytes) -> bytes:
        before = sound(data)
        if rows_of(before, self.told.names):
            return data
        after = _with_row(data, before, self.told)
        ids = [row.id for row in read_index(after).rows]
        name = self.told.names[0]
        if name not in ids or [i for i in ids if i != name] != [row.id for row in before.rows]:
            raise Refusal(f"`{name}` cannot be written as a row of {PATH}")
        return after


@dataclass(frozen=True, slots=True)
class DropRows:
    """The rows of a task gone; with `line`, a row's exact text, only the last that reads so."""

    names: tuple[str, ...]
    line: bytes | None = None

    def on(self, data: bytes) -> bytes:
        lines = lines_of(data)
        gone = {row.line for row in _meant(data, lines, self.names, self.line)}
        return b"".join(line for number, line in enumerate(lines, start=1) if number not in gone)


@dataclass(frozen=True, slots=True)
class SetCells:
    """What the rows of a task tell, corrected: pairs of column and text, limited by `line` as
    above. A column that the table lacks, or a status that the row does not tell, is left."""

    names: tuple[str, ...]
    cells: tuple[tuple[str, str], ...]
    line: bytes | None = None

    def on(self, data: bytes) -> bytes:
        lines = lines_of(data)
        for row in _meant(data, lines, self.names, self.line):
            text = lines[row.line - 1].decode()
            for column, value in self.cells:
                text = corrected(text, row, column, value)
            lines[row.line - 1] = text.encode()
        return b"".join(lines)


def index_edit(step: Step, data: bytes) -> Edit:
    """The index as it would be; raises Refusal."""
    return Edit(PATH, data, step.on(data))


def new_index(told: Iterable[Told]) -> Edit:
    """An index where there is none, with a row for each task."""
    data = f"{_TITLE}{HEADER}".encode()
    for one in told:
        data = AddRow(one).on(data)
    return Edit(PATH, None, data)


def sound(data: bytes) -> Index:
    """The index; raises Refusal where it is damaged."""
    index = read_index(data)
    if index.damage:
        raise Refusal(f"{PATH} is damaged ({index.damage}): repair it by hand, nothing writes it")
    return index


def rows_of(index: Index, names: Sequence[str]) -> tuple[IndexRow, ...]:
    """The rows that name a task exactly; where none does, those of the same letters."""
    exact = tuple(row for row in index.rows if row.id in names)
    letters = {_letters(name) for name in names}
    return exact or tuple(row for row in index.rows if _letters(row.id) in letters)


def _letters(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _meant(
    data: bytes, lines: Sequence[bytes], names: Sequence[str], line: bytes | None
) -> tuple[IndexRow, ...]:
    rows = rows_of(sound(data), names)
    if line is None:
        return rows
    return tuple(row for row in rows if lines[row.line - 1].rstrip(b"\r\n") == line)[-1:]


def _with_row(data: bytes, index: Index, told: Told) -> bytes:
    """The index with a row behind those of its table or list; with a table where it has neither.

    A line that says *(none)* gives way.
    """
    lines = lines_of(data)
    texts = [line.decode() for line in lines]
    table = _task_table(tables(texts), index)
    if table is not None:
        row = table_row(told, table.columns)
        return _put(lines, table.last, row, replace=_is_empty(texts[table.last - 1]))
    last = _last_bullet(index)
    if last is not None:
        mark = _MARK.match(texts[last - 1].lstrip("\ufeff"))
        return _put(lines, last, bullet(told, mark[0] if mark else "- "))
    fresh = HEADER + table_row(told, COLUMNS)
    if not lines:
        return f"{_TITLE}{fresh}\n".encode()
    place = _none_line(texts)
    if place is not None:
        return _put(lines, place, fresh, replace=True)
    return _put(lines, len(lines), fresh if not texts[-1].strip() else f"\n{fresh}")


def _none_line(texts: Sequence[str]) -> int | None:
    """The line that says *(none)*, unless a piece of a table stands under it."""
    under = [*texts[1:], ""]
    pairs = enumerate(zip(texts, under, strict=True), start=1)
    return next((n for n, (t, u) in pairs if _NONE.fullmatch(t) and not u.startswith("|")), None)


def _task_table(found: Sequence[Table], index: Index) -> Table | None:
    """The table that lists tasks: the first whose first column says so, else that of most rows."""
    named = [table for table in found if table.lists_tasks]

    def rows(table: Table) -> int:
        return sum(table.separator < row.line <= table.last for row in index.rows)

    return next(iter(named), None) or max(found, key=rows, default=None)


def _is_empty(row: str) -> bool:
    bare = row.strip()
    return PLACEHOLDERS.issuperset(split_cells(bare)) and not SEPARATOR.fullmatch(bare)


def _last_bullet(index: Index) -> int | None:
    """The line of the last item of the list that holds tasks, remarks directly behind it too."""
    last = None
    for row in index.rows:
        if row.bullet and (row.certain or row.status is not None or last == row.line - 1):
            last = row.line
    return last


def _put(lines: Sequence[bytes], place: int, text: str, *, replace: bool = False) -> bytes:
    """The lines with a text behind line `place`, or in its stead; a last line without an end keeps
    having none."""
    neighbour = next((line for line in reversed(lines[:place]) if line.endswith(b"\n")), b"")
    eol = b"\r\n" if neighbour.endswith(b"\r\n") else b"\n"
    head, tail = list(lines[: place - replace]), lines[place:]
    new = [part.encode() + eol for part in text.split("\n")]
    if not lines[-1].endswith(b"\n") and not tail:
        new[-1] = new[-1].removesuffix(eol)
        if not replace:
            head[-1] += eol
    return b"".join([*head, *new, *tail])
