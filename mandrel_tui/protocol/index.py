"""Index: the rows of `.ai-tasks/index.md`, read as a person reads the table; changes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mandrel_tui.protocol.task import Status

PATH = ".ai-tasks/index.md"
SEPARATOR = re.compile(r"\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?")
# Seven `=` alone may underline a heading, and never stand in a conflict without the others.
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: |\r?$)", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\))?")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(.*)")
_DATED = re.compile(r"\d{4}-\d\d-\d\d-.")
PLACEHOLDERS = frozenset({"", "(none)", "none", "-", "—", "–", "…", "..."})
_TICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One row: its line (from 1), the task it names, the status it tells (None without one).

    `bullet` rows name a task only if such a task exists or the name cannot be anything else;
    `columns` are the lower-case headings of a table row's table.
    """

    line: int
    id: str
    status: Status | None
    bullet: bool = False
    columns: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        return not self.bullet or _DATED.match(self.id) is not None


@dataclass(frozen=True, slots=True)
class Index:
    """The rows of the index; `damage` says why nothing may write it, empty when it is sound."""

    rows: tuple[IndexRow, ...]
    damage: str = ""


def read_index(data: bytes) -> Index:
    """The index in `data`; damaged bytes still give the rows that can be read."""
    damage = ""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", "replace")
        damage = f"byte {data[error.start]:#04x} is not UTF-8"
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        damage = f"conflict markers from line {line}"
    return Index(tuple(_rows(text)), damage)


def _rows(text: str) -> list[IndexRow]:
    rows: list[IndexRow] = []
    columns: tuple[str, ...] = ()
    previous: list[str] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        bare = line.strip(" \t\r")
        if bare.startswith("|"):
            cells = split_cells(bare)
            if SEPARATOR.fullmatch(bare):
                columns = tuple(cell.lower() for cell in previous)
                if rows and rows[-1].line == number - 1:
                    rows.pop()
            elif (name := _named(cells[0])) not in PLACEHOLDERS:
                status = _status(cells, columns)
                rows.append(IndexRow(number, name, status, columns=columns))
            previous = cells
        elif bullet := _BULLET.fullmatch(bare):
            name = _bullet_name(bullet[1])
            if name not in PLACEHOLDERS:
                rows.append(IndexRow(number, name, _bullet_status(bullet[1]), bullet=True))
    return rows


def split_cells(row: str) -> list[str]:
    """The cells of a table row; a `|` behind a backslash or in a code span is no border."""
    return [row[start:end] for start, end in cell_spans(row)]


def cell_spans(row: str) -> list[tuple[int, int]]:
    """Where the cells of a table row stand in it, without the blanks around them."""
    stop = len(row.rstrip(" \t\r"))
    if row.endswith("|", 0, stop) and not row.endswith("\\|", 0, stop):
        stop -= 1
    start = pos = row.index("|") + 1
    spans = []
    while pos < stop:
        char = row[pos]
        if char == "\\":
            pos += 2
            continue
        if char == "`":
            pos = _span_end(row, pos, stop)
            continue
        if char == "|":
            spans.append(_trimmed(row, start, pos))
            start = pos + 1
        pos += 1
    return [*spans, _trimmed(row, min(start, stop), stop)]


def _trimmed(row: str, start: int, end: int) -> tuple[int, int]:
    while start < end and row[start] in " \t":
        start += 1
    while end > start and row[end - 1] in " \t":
        end -= 1
    return start, end


def _span_end(text: str, pos: int, stop: int) -> int:
    """The offset behind the code span that opens at `pos` and closes before `stop`, or behind its
    backticks if none does."""
    run = _TICKS.match(text, pos, stop)
    assert run is not None
    close = re.compile(rf"(?<!`){run[0]}(?!`)").search(text, run.end(), stop)
    return close.end() if close else run.end()


def _named(cell: str) -> str:
    """The task a cell names: the text of a link, without backticks, emphasis and `.md`."""
    link = _LINK.match(cell)
    name = link[1] if link else cell
    return name.strip(" \t`*_").removesuffix(".md")


def _bullet_name(text: str) -> str:
    link = _LINK.match(text)
    if link:
        return _named(link[0])
    return _named(re.split(r"[\s:,;]", text, maxsplit=1)[0])


def _bullet_status(text: str) -> Status | None:
    found = re.search(r"\(([a-z_]+)\)[ \t]*$", text)
    return _as_status(found[1]) if found else None


def status_cell(cells: list[str], columns: tuple[str, ...]) -> int | None:
    """Which cell tells the status: that of its column, else the only status word of the row."""
    if "status" in columns:
        place = columns.index("status")
        if place < len(cells) and _as_status(cells[place]) is not None:
            return place
    places = [n for n, cell in enumerate(cells) if n and _as_status(cell) is not None]
    return places[0] if len(places) == 1 else None


def _status(cells: list[str], columns: tuple[str, ...]) -> Status | None:
    place = status_cell(cells, columns)
    return None if place is None else _as_status(cells[place])


def _as_status(cell: str) -> Status | None:
    word = cell.strip(" \t`*")
    return Status(word) if word in Status._value2member_map_ else None
