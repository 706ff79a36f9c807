"""Stand: what a closeout is planned on, read now: the task, the other active tasks, archive, index
and notes; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.closeout import ARCHIVE, TASKS, Stand
from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.housekeeping import PENDING
from mandrel_tui.protocol.index import PATH, read_index
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import TurnKind, turn_of
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.listing import StoreFile
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.yaml_reader import read_yaml

if TYPE_CHECKING:
    from mandrel_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Found:
    """What was read for a closeout: the stand, and in words what stands in its way: tasks that
    could not be read, other files with the same id, an index nobody may write."""

    stand: Stand
    unread: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    index_fault: str = ""


def find(workspace: Workspace, name: str) -> Found:
    """Everything about closing out the task of that name, active or archived already (then by its
    id too); raises UnknownTask, files.NotRead, and Refusal for an active one that is not
    completed."""
    active = {file.name: file for file in workspace.store.listing().files}
    archive = workspace.archived_rows()
    file, archived = active.get(name), False
    if file is None:
        row = _archived(archive, name)
        file = _archive_file(workspace, row) if row is not None else None
        archived = file is not None
    if file is None:
        workspace.task(name)  # raises UnknownTask with names that are near
        raise Refusal(f"{name} cannot be closed out")
    task_file = _task_file(file, ARCHIVE if archived else TASKS)
    if not archived:
        _refuse_unfinished(task_file.task)
    others, unread = _others(active.values(), file)
    data, fault = _index(workspace)
    stand = Stand(
        task_file.task,
        task_file.data,
        others,
        frozenset(n for row in archive for n in (row.name, row.id) if n),
        data,
        _optional(workspace, PENDING),
        archived,
    )
    twins = tuple(_twins(stand, archive))
    return Found(stand, unread, twins, fault)


def archived_row(workspace: Workspace, name: str) -> Row | None:
    """The archived task of that file name, else of that id."""
    return _archived(workspace.archived_rows(), name)


def known(workspace: Workspace, name: str) -> None:
    """Raises UnknownTask, with names that are near, where no task has that name or is archived with
    that id."""
    if archived_row(workspace, name) is None:
        workspace.task(name)


def _archived(archive: tuple[Row, ...], name: str) -> Row | None:
    named = (row for row in archive if row.name == name)
    return next(named, next((row for row in archive if row.id == name), None))


def _archive_file(workspace: Workspace, row: Row) -> StoreFile | None:
    files = workspace.store.archive_listing().files
    return next((file for file in files if file.name == row.name), None)


def _task_file(file: StoreFile, folder: str) -> TaskFile:
    data = read(file.path).data
    return TaskFile.read(data, file.name, f"{folder}/{file.name}.md", read_yaml)


def _refuse_unfinished(task: Task) -> None:
    turn = turn_of(task)
    if turn.kind is TurnKind.INVALID:
        raise Refusal(f"{task.name} cannot be closed out: {turn.reason}")
    if turn.kind is not TurnKind.CLOSEOUT:
        state = task.status_text or "without status"
        raise Refusal(f"{task.name} is {state}: only a completed task is closed out")


def _others(
    files: Iterable[StoreFile], own: StoreFile
) -> tuple[tuple[TaskFile, ...], tuple[str, ...]]:
    others, unread = [], []
    for file in files:
        if file is own:
            continue
        try:
            others.append(_task_file(file, TASKS))
        except NotRead as error:
            unread.append(f"{shown(file.name)}: {error.reason}")
    return tuple(others), tuple(unread)


def _index(workspace: Workspace) -> tuple[bytes | None, str]:
    """The bytes of the index, None where there is none or nobody may write it, and why not."""
    try:
        data = _optional(workspace, PATH)
    except NotRead as error:
        return None, str(error)
    damage = read_index(data).damage if data is not None else ""
    return (None, f"{PATH}: {damage}") if damage else (data, "")


def _optional(workspace: Workspace, path: str) -> bytes | None:
    place = workspace.root / path
    return read(place).data if os.path.lexists(place) else None


def _twins(stand: Stand, archive: tuple[Row, ...]) -> list[str]:
    """The other files that carry the id or the name of the task."""
    names = {name for name in stand.names if name}
    active = [f.task.path for f in stand.others if names & {f.task.id, f.task.name}]
    if stand.archived:
        return active
    kept = [row.path for row in archive if row.id in names and row.name != stand.task.name]
    return [*active, *kept]
