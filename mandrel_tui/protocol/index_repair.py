"""Index repair: what would make the index agree with the task files, each correction a plan of its
own; the files are always right, and nothing is corrected unasked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from mandrel_tui.protocol.index import PATH, IndexRow
from mandrel_tui.protocol.index_edit import (
    AddRow,
    DropRows,
    SetCells,
    Step,
    index_edit,
    new_index,
    rows_of,
    sound,
)
from mandrel_tui.protocol.index_rows import Told
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.triage import Planned, TriagePlan


def repairs(
    index: bytes | None, tasks: Sequence[Task], archived: Set[str]
) -> tuple[TriagePlan, ...]:
    """The corrections in the order of the index, missing rows last; `archived` holds names and ids.
    Without an index it is one: making it. Raises Refusal for an index that is damaged."""
    if index is None:
        edit = new_index(Told.of(task) for task in tasks)
        return (TriagePlan(f"make {PATH} with {counted(len(tasks), 'row')}", (Planned(edit),)),)
    found = tuple(_found(index, tasks, archived))
    return tuple(plan for what, step in found if (plan := _plan(what, step, index)) is not None)


def _found(index: bytes, tasks: Sequence[Task], archived: Set[str]) -> Iterator[tuple[str, Step]]:
    read = sound(index)
    lines = [line.rstrip(b"\r\n") for line in lines_of(index)]
    owners = {row.line: task for task in tasks for row in rows_of(read, Told.of(task).names)}
    first: dict[str, int] = {}
    for row in read.rows:
        task = owners.get(row.line)
        if task is not None:
            first.setdefault(task.name, _best(task, read.rows, owners))
    for row in read.rows:
        task, line = owners.get(row.line), lines[row.line - 1]
        if task is None:
            yield from _nobodys(row, line, archived)
        elif row.line != first[task.name]:
            yield f"remove the second row of {task.name}", DropRows((row.id,), line)
        elif row.status is not None and task.status is not None and row.status != task.status:
            what = f"correct {task.name}: {row.status} → {task.status}"
            yield what, SetCells((row.id,), (("status", task.status.value),), line)
    for task in tasks:
        if task.name not in first:
            yield f"add a row for {task.name}", AddRow(Told.of(task))


def _best(task: Task, rows: Iterable[IndexRow], owners: dict[int, Task]) -> int:
    """The line of the row that stays: the first that tells the task's status, else the first."""
    own = [row for row in rows if owners.get(row.line) is task]
    return next((row for row in own if row.status == task.status), own[0]).line


def _nobodys(row: IndexRow, line: bytes, archived: Set[str]) -> Iterator[tuple[str, Step]]:
    if row.id in archived:
        yield f"remove the row of {row.id}, which is archived", DropRows((row.id,), line)
    elif row.certain:
        yield f"remove the row of {row.id}, which has no file", DropRows((row.id,), line)


def _plan(what: str, step: Step, index: bytes) -> TriagePlan | None:
    """The plan of one correction; None where the row cannot be written."""
    try:
        return TriagePlan(what, (Planned(index_edit(step, index), step),))
    except Refusal:
        return None
