"""Manual changes: keeps what the human is about to make of a task file whose session is out, so
that nobody takes it for the session's work; writes no task file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.standing import standing
from mandrel_tui.workspace.store import TASKS
from mandrel_tui.workspace.workspace import Workspace
from mandrel_tui.workspace.yaml_reader import read_yaml


def announce(workspace: Workspace, edits: Iterable[Edit]) -> str:
    """Keeps the edits of task files whose session shows nothing of its own yet; what of it could
    not be kept, empty when all was."""
    note = ""
    for edit in edits:
        path = PurePosixPath(edit.path)
        if str(path.parent) == TASKS and edit.before is not None and edit.after is not None:
            note = _announce(workspace, path.stem, edit.path, edit.before, edit.after) or note
    return note


def _announce(workspace: Workspace, name: str, path: str, before: bytes, after: bytes) -> str:
    trail = workspace.handovers.trail(name)
    stands = standing(trail, read_task(before, name, path, read_yaml)) if trail.live else None
    if stands is None or not stands.out:
        return ""
    task = read_task(after, name, path, read_yaml)
    return workspace.handovers.own(trail.live[-1], task, workspace.now())
