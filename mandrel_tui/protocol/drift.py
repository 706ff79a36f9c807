"""Drift: what the files of one repository say against each other; repairs nothing."""

from __future__ import annotations

import posixpath
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from mandrel_tui.protocol.board import Board, Row, row_of
from mandrel_tui.protocol.circles import in_circles
from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.index import PATH, Index, IndexRow
from mandrel_tui.protocol.legible import counted, visible
from mandrel_tui.protocol.task import EXTERNAL, Status, Task
from mandrel_tui.protocol.turn import turn_of


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a task is compared with besides the other tasks.

    `index` is None where there is no index file; `documents` holds the paths (`.ai/x.md`) of the
    snapshot, None where there is no `.ai/`; `now` is UTC `YYYY-MM-DDTHH:MM:SSZ`, empty to judge
    no time; `notes` are the store's own diagnostics; `rewritten` says by task name what its log no
    longer says.
    """

    index: Index | None = None
    documents: frozenset[str] | None = None
    now: str = ""
    notes: tuple[Diagnostic, ...] = ()
    rewritten: Mapping[str, str] = field(default_factory=dict)


def build_board(active: Sequence[Task], archived: Sequence[Row], around: Surroundings) -> Board:
    """The board of the active tasks and archived rows, with drift added to their diagnostics."""
    store = _Store(active, archived)
    index = _IndexDrift(store, around.index)
    circles = in_circles(active)
    rows = []
    for task in sorted(active, key=lambda t: t.name):
        found = [*_identity(task, store), *_blockers(task, store, circles)]
        found += [*_times(task, around.now), *_prefetch(task, around.documents)]
        found += index.of(task)
        if task.name in around.rewritten:
            what = around.rewritten[task.name]
            found.append(diagnostic("log-rewritten", task.path, task.log_line, what))
        row = row_of(task, turn=turn_of(task, store.names))
        rows.append(replace(row, diagnostics=(*task.diagnostics, *found)))
    rows.extend(sorted(archived, key=lambda r: r.name))
    return Board(tuple(rows), (*around.notes, *index.notes()))


class _Store:
    """Names and ids of a repository's tasks."""

    def __init__(self, active: Sequence[Task], archived: Sequence[Row]) -> None:
        self.names = frozenset(n for task in active for n in (task.name, task.id) if n)
        self.archived = frozenset(n for row in archived for n in (row.name, row.id) if n)
        self.by_id: dict[str, list[str]] = defaultdict(list)
        self.by_letters: dict[str, list[str]] = defaultdict(list)
        for task in active:
            if task.id:
                self.by_id[task.id].append(task.name)
            self.by_letters[_letters(task.name)].append(task.name)


def _letters(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _identity(task: Task, store: _Store) -> Iterator[Diagnostic]:
    others = [n for n in store.by_id.get(task.id, ()) if n != task.name]
    if others:
        what = f"{visible(', '.join(others))} carries the id `{visible(task.id)}` too"
        yield diagnostic("id-in-two-files", task.path, None, what)
    twins = [n for n in store.by_letters[_letters(task.name)] if n != task.name]
    if twins:
        what = f"`{visible(twins[0])}` has the same letters in another encoding"
        yield diagnostic("same-letters", task.path, None, what)
    if task.name in store.archived or task.id in store.archived:
        what = "the archive holds a task of this name or id"
        yield diagnostic("active-and-archived", task.path, None, what)
    if task.status is Status.COMPLETED:
        yield diagnostic("completed-not-archived", task.path, None, "completed, not archived yet")


def _blockers(task: Task, store: _Store, circles: frozenset[str]) -> Iterator[Diagnostic]:
    line = next((f.line for f in task.fields if f.key == "blockers"), None)
    for blocker in task.blockers:
        shown = visible(blocker)
        if blocker.startswith(EXTERNAL):
            continue
        if blocker in (task.name, task.id):
            yield diagnostic("blocker-itself", task.path, line, f"`{shown}` is this task")
        elif blocker in store.names:
            continue
        elif blocker in store.archived:
            yield diagnostic("blocker-archived", task.path, line, f"`{shown}` is archived")
        else:
            yield diagnostic("blocker-unknown", task.path, line, f"`{shown}` is no task")
    if task.name in circles:
        what = "it waits for tasks that wait for it"
        yield diagnostic("blocker-circle", task.path, line, what)
    if task.status is Status.BLOCKED and not task.blockers:
        yield diagnostic("blocked-without-blockers", task.path, line, "it names no blocker")
    if task.status not in (None, Status.BLOCKED) and task.blockers:
        verb = "is" if len(task.blockers) == 1 else "are"
        what = f"{task.status_text}, yet {counted(len(task.blockers), 'blocker')} {verb} listed"
        yield diagnostic("blockers-not-blocked", task.path, line, what)


def _times(task: Task, now: str) -> Iterator[Diagnostic]:
    """Stamps from the future; an entry's date may be a day ahead in another time zone."""
    if not now:
        return
    if task.claimed_at > now and task.claimed_at[:4].isdigit():
        line = next((f.line for f in task.fields if f.key == "claimed-by"), None)
        what = f"claimed at {visible(task.claimed_at)}"
        yield diagnostic("claim-future", task.path, line, what)
    tomorrow = _tomorrow(now)
    for entry in task.entries:
        if entry.date[:4].isdigit() and entry.date > tomorrow:
            what = f"`{visible(entry.date)}` is in the future"
            yield diagnostic("entry-date-future", task.path, entry.line, what)


def _tomorrow(now: str) -> str:
    try:
        return (date.fromisoformat(now[:10]) + timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return "9999-12-31"


def prefetch_path(entry: str) -> str | None:
    """The path below the repository (`.ai/x.md`) of a prefetch entry, None outside `.ai/`."""
    path = posixpath.normpath(entry if entry.startswith((".ai/", "./.ai/")) else f".ai/{entry}")
    inside = path.startswith(".ai/") and not entry.startswith("/") and "\\" not in entry
    return path if inside else None


def _prefetch(task: Task, documents: frozenset[str] | None) -> Iterator[Diagnostic]:
    line = next((f.line for f in task.fields if f.key == "prefetch"), None)
    for entry in task.prefetch:
        path = prefetch_path(entry)
        if path is None:
            what = f"`{visible(entry)}` does not lie in .ai/"
            yield diagnostic("prefetch-outside", task.path, line, what)
        elif documents is not None and path not in documents:
            what = f"`{visible(entry)}` is not there"
            yield diagnostic("prefetch-missing", task.path, line, what)


class _IndexDrift:
    """The index against the files."""

    def __init__(self, store: _Store, index: Index | None) -> None:
        self.store, self.index = store, index
        self.letters = {_letters(name) for name in store.names}
        self.rows: dict[str, list[IndexRow]] = defaultdict(list)
        for row in index.rows if index else ():
            self.rows[_letters(row.id)].append(row)

    def of(self, task: Task) -> Iterator[Diagnostic]:
        """What the index says otherwise about one task."""
        if self.index is None:
            return
        rows = self._rows(task)
        if not rows:
            # Of an index that could not be read nobody knows what stands there.
            if self.index.rows or not self.index.damage:
                yield diagnostic("index-missing-row", task.path, None, f"{PATH} has no row for it")
            return
        first = rows[0]
        if first.id not in (task.name, task.id):
            what = f"`{visible(first.id)}` in the index has the same letters in another encoding"
            yield diagnostic("same-letters", PATH, first.line, what)
        for row in rows[1:]:
            what = f"`{visible(row.id)}` has a second row"
            yield diagnostic("index-row-repeated", PATH, row.line, what)
        for row in rows:
            if row.status is not None and task.status is not None and row.status != task.status:
                what = f"the index says {row.status}, the file {task.status}"
                yield diagnostic("index-row-status", PATH, row.line, what)

    def _rows(self, task: Task) -> list[IndexRow]:
        names = dict.fromkeys(_letters(name) for name in (task.name, task.id) if name)
        return sorted((r for name in names for r in self.rows.get(name, ())), key=lambda r: r.line)

    def notes(self) -> Iterator[Diagnostic]:
        """Rows of no active task, and damage."""
        if self.index is None:
            return
        if self.index.damage:
            yield diagnostic("index-damaged", PATH, None, self.index.damage)
        for row in self.index.rows:
            if _letters(row.id) in self.letters:
                continue
            if row.id in self.store.archived:
                what = f"`{visible(row.id)}` is archived"
                yield diagnostic("index-row-archived", PATH, row.line, what)
            elif row.certain:
                what = f"`{visible(row.id)}` has no file"
                yield diagnostic("index-row-without-file", PATH, row.line, what)
