"""Triage jobs: what the app's workers do about the list of tasks, off the event loop, each a
function from a workspace to a fact; they touch no widget and no screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.intake import Store
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.workspace import files, triage
from mandrel_tui.workspace.changes import Applied, Changes
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.manual import announce
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

_NEW = "new\0"  # the name of a draft that no task and no file can have
_FAILURES = (UnknownTask, Refusal, files.FileError)


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, or why there is none."""

    plan: TriagePlan | None = None
    fault: str = ""


def planned(make: Callable[[], TriagePlan]) -> Planned:
    """What a planner comes to."""
    try:
        return Planned(make())
    except _FAILURES as error:
        return Planned(fault=str(error))


def store(workspace: Workspace) -> Store | str:
    """What a new task is fitted into, or why it cannot be read."""
    try:
        return triage.store(workspace)
    except _FAILURES as error:
        return str(error)


def task_file(workspace: Workspace, name: str) -> TaskFile | str:
    """The file of an active task as it is now, or why it cannot be read."""
    try:
        return triage.task_file(workspace, name)
    except _FAILURES as error:
        return str(error)


def others(workspace: Workspace, name: str) -> tuple[str, ...]:
    """The active tasks but this one."""
    return tuple(f.name for f in workspace.store.listing().files if f.name != name)


def repairs(workspace: Workspace) -> tuple[TriagePlan, ...] | str:
    """What would make the index agree with the files, or why nothing can."""
    try:
        return triage.index_repairs(workspace)
    except _FAILURES as error:
        return str(error)


def apply(workspace: Workspace, plan: TriagePlan) -> Applied:
    """Write what was shown."""
    announce(workspace, (one.edit for one in plan.files))
    return workspace.changes.apply(plan)


def undo(workspace: Workspace | None, changes: Changes, found: Applied) -> Applied:
    """Take a write back."""
    if workspace is not None:
        announce(workspace, (edit.inverse for edit in found.done))
    return changes.undo(found)


def draft(workspace: Workspace) -> dict[str, str]:
    """What was typed of a new task before."""
    value = Drafts(workspace.state).load(_NEW).value
    if not isinstance(value, dict):
        return {}
    return {str(key): text for key, text in value.items() if isinstance(text, str)}


def keep_draft(workspace: Workspace, values: dict[str, str]) -> str:
    """Keep what was typed of a new task; why it could not be, empty when it was."""
    drafts = Drafts(workspace.state)
    if not any(values.get(name, "").strip() for name in ("title", "goal", "scope", "acceptance")):
        drafts.end(_NEW)
        return ""
    return drafts.save(_NEW, dict(values))


def end_draft(workspace: Workspace) -> None:
    """Forget what was typed of a task that is written now."""
    Drafts(workspace.state).end(_NEW)


def kept(workspace: Workspace, data: bytes, name: str) -> str:
    """Keep an edited text that was not written; where it lies."""
    made = workspace.keep(data, name)
    return f"the edited text is kept as {shown(made.path)}" if made.path is not None else made.note
