"""Archive: the rows of finished tasks, kept in a cache that serves nothing but them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from mandrel_tui.protocol.board import Row, row_of
from mandrel_tui.protocol.diagnostics import RULES, Diagnostic, Severity, diagnostic
from mandrel_tui.protocol.reading import read_task, unreadable_task
from mandrel_tui.protocol.task import Estimate, Status
from mandrel_tui.workspace import files
from mandrel_tui.workspace.cache import CacheRow, Json
from mandrel_tui.workspace.files import Stamp
from mandrel_tui.workspace.listing import StoreFile
from mandrel_tui.workspace.yaml_reader import read_yaml

FOLDER = ".ai-tasks/archive"
VERSION = 2  # of the cached rows; another one is dropped
Progress = Callable[[int, int], None]


def archived_rows(
    listed: Sequence[StoreFile],
    cached: Mapping[str, CacheRow],
    progress: Progress | None = None,
) -> tuple[tuple[Row, ...], dict[str, CacheRow]]:
    """The rows of the listed files, and what the cache should hold afterwards.

    A cached row serves only while size, times and inode of its file are what they were.
    """
    rows: list[Row] = []
    kept: dict[str, CacheRow] = {}
    for number, file in enumerate(listed, start=1):
        packed = cached.get(file.name)
        row = _unpacked(packed, file) if packed else None
        if row is None:
            row, packed = _read(file)
        rows.append(row)
        if packed is not None:
            kept[file.name] = packed
        if progress is not None and number % 50 == 0:
            progress(number, len(listed))
    return tuple(rows), kept


def _path(file: StoreFile) -> str:
    return f"{FOLDER}/{file.name}.md"


def _read(file: StoreFile) -> tuple[Row, CacheRow | None]:
    path = _path(file)
    try:
        reading = files.read(file.path)
    except files.NotRead as error:
        return row_of(unreadable_task(file.name, path, error.reason), archived=True), None
    row = row_of(read_task(reading.data, file.name, path, read_yaml), archived=True)
    return row, CacheRow.of(reading.stamp, _packed(row)) if reading.settled else None


def _packed(row: Row) -> Json:
    estimate = row.estimate
    return [
        row.id,
        row.status_text if row.status is None else row.status.value,
        row.status is not None,
        [estimate.done, estimate.total, estimate.rest] if estimate else None,
        row.estimate_text,
        row.title,
        list(row.blockers),
        row.activity,
        [[d.rule, d.line, d.message, d.hint, d.level] for d in row.diagnostics],
    ]


def _unpacked(packed: CacheRow, file: StoreFile) -> Row | None:
    """The cached row, None when the file changed since or the cache holds something odd."""
    try:
        found = os.stat(file.at)  # noqa: PTH116 - a Path each would cost more than the rest
        if not packed.fits(Stamp.of(found)):
            return None
        return _row(packed.row, file)
    except (OSError, TypeError, ValueError, KeyError):
        return None


def _row(packed: Json, file: StoreFile) -> Row:
    id_, status, known, estimate, estimate_text, title, blockers, activity, found = _list(packed)
    path = _path(file)
    return Row(
        name=file.name,
        path=path,
        id=_text(id_),
        status=Status(_text(status)) if known else None,
        status_text=_text(status),
        estimate=_estimate(_list(estimate)) if estimate else None,
        estimate_text=_text(estimate_text),
        title=_text(title),
        blockers=tuple(_text(b) for b in _list(blockers)),
        archived=True,
        activity=_text(activity),
        diagnostics=tuple(_diagnostic(_list(d), path) for d in _list(found)),
    )


def _estimate(packed: list[Json]) -> Estimate:
    done, total, rest = packed
    if not isinstance(done, int) or not isinstance(total, int):
        raise TypeError
    return Estimate(done, total, _text(rest))


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _diagnostic(packed: list[Json], path: str) -> Diagnostic:
    rule, line, message, hint, level = packed
    where = line if isinstance(line, int) else None
    weight = Severity(_text(level)) if level else None
    return diagnostic(RULES[_text(rule)].id, path, where, _text(message), _text(hint), weight)
