"""Traces: what tells that a task was archived without the rest of a closeout; read from the files,
repaired by the plan of any closeout; changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mandrel_tui.protocol.index import PATH
from mandrel_tui.workspace import git_objects
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.visible import shown

if TYPE_CHECKING:
    from mandrel_tui.protocol.board import Row
    from mandrel_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Trace:
    """One thing that is left undone of the closeout of `task`, in words."""

    task: str
    words: str


def traces(workspace: Workspace) -> tuple[Trace, ...]:
    """What closeouts left undone: the task in both places with equal content, its row, tasks that
    still wait for it."""
    archive = {
        name: row for row in workspace.archived_rows() for name in (row.id, row.name) if name
    }
    return tuple(_traces(workspace, archive))


def _traces(workspace: Workspace, archive: dict[str, Row]) -> Iterator[Trace]:
    listing = workspace.store.listing()
    index = workspace.store.index()
    active = workspace.store.active(listing)
    files = {file.name: file.path for file in listing.files}
    for task in active:
        row = archive.get(task.name)
        if row is not None and _same(workspace, row, files[task.name]):
            yield Trace(task.name, f"{task.path} and its archive copy are the same")
    names = {name for task in active for name in (task.name, task.id)}
    for line in index.rows if index is not None and not index.damage else ():
        if line.id in archive and line.id not in names:
            words = f"{PATH} line {line.line} still names {shown(line.id)}"
            yield Trace(archive[line.id].name, words)
    for task in active:
        for blocker in task.blockers:
            if blocker in archive:
                yield Trace(archive[blocker].name, f"{task.name} still waits for {shown(blocker)}")


def _same(workspace: Workspace, row: Row, path: Path) -> bool:
    try:
        return read(workspace.root / row.path).data == read(path).data
    except NotRead:
        return False


def closing_commit(workspace: Workspace, row: Row) -> str | None:
    """The commit in which an agent closed the task out: the latest whose subject says so, else the
    latest that names the task and touches the memory; None without one."""
    git = workspace.git
    slug = row.slug
    subjects = git_objects.subjects(git, ".ai")
    wanted = f"chore(.ai): absorb {slug} findings"
    exact = (commit for commit, subject in subjects if subject == wanted)
    named = (commit for commit, subject in subjects if names_alone(subject, slug))
    return next(exact, next(named, None))


def names_alone(subject: str, slug: str) -> bool:
    """Whether a subject names a task by its whole slug, and not one whose name begins so."""
    return re.search(rf"(?<![\w-]){re.escape(slug)}(?![\w-])", subject) is not None
