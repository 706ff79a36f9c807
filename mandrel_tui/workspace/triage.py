"""Triage desk: reads what an act of triage needs, as it is now, and returns its plan; writes
nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from mandrel_tui.protocol import intake, triage
from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.graph import Graph, graph_of
from mandrel_tui.protocol.index import PATH, read_index
from mandrel_tui.protocol.index_repair import repairs
from mandrel_tui.protocol.intake import Draft
from mandrel_tui.protocol.routing import INDEX as ROUTING
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.workspace import files
from mandrel_tui.workspace.archive import archived_rows
from mandrel_tui.workspace.workspace import Workspace
from mandrel_tui.workspace.yaml_reader import read_yaml


def plan_new(workspace: Workspace, draft: Draft) -> TriagePlan:
    """The new task of a draft; raises Refusal."""
    return intake.plan_new(draft, workspace.now()[:10], store(workspace))


def store(workspace: Workspace) -> intake.Store:
    """What a new task is fitted into; active tasks that cannot be read count by their names."""
    listing = workspace.store.listing()
    active = workspace.store.active(listing)
    names = {name for task in active for name in (task.name, task.id) if name}
    return intake.Store(
        active=active,
        taken=frozenset(names | _archived(workspace)),
        documents=workspace.store.documents(),
        index=_content(workspace.root / PATH),
        routing=_content(workspace.root / ROUTING) or b"",
    )


def plan_block(workspace: Workspace, name: str, reason: str) -> TriagePlan:
    """The active task blocked; raises UnknownTask, Refusal and files.NotRead, as all below."""
    listing = workspace.store.listing()
    active = {file.name for file in listing.files}
    active |= {task.id for task in workspace.store.active(listing) if task.id}
    file, index = task_file(workspace, name), _index(workspace)
    plan = triage.block(file, reason, index, frozenset(active), _archived(workspace))
    return _among_others(workspace, file, plan)


def plan_unblock(
    workspace: Workspace, name: str, answered: tuple[str, ...] | None = None
) -> TriagePlan:
    """The active task without some of its blockers, by default without any."""
    return triage.unblock(task_file(workspace, name), _index(workspace), answered)


def plan_edit(workspace: Workspace, name: str, typed: Mapping[str, str]) -> TriagePlan:
    """The active task with front-matter values as they were typed."""
    file, documents = task_file(workspace, name), workspace.store.documents()
    return _among_others(workspace, file, triage.edit(file, typed, _index(workspace), documents))


def plan_text(workspace: Workspace, file: TaskFile, after: bytes) -> TriagePlan:
    """A task file as it came back from an editor that was given `file`; raises Refusal."""
    return _among_others(workspace, file, triage.edited_text(file, after))


def _among_others(workspace: Workspace, file: TaskFile, plan: TriagePlan) -> TriagePlan:
    """The plan, with cautions of what the other tasks, the index and the memory say against the
    file as it would be, and do not now."""
    active = workspace.store.active(workspace.store.listing())
    others = [task for task in active if task.name != file.task.name]
    archived, index = workspace.archived_rows(), _index(workspace)
    documents, now = workspace.store.documents(), workspace.now()

    def odd(task: Task, index: bytes | None) -> tuple[Diagnostic, ...]:
        told = None if index is None else read_index(index)
        board = build_board([*others, task], archived, Surroundings(told, documents, now))
        row = board.find(task.name)
        assert row is not None
        return row.diagnostics

    planned = {one.edit.path: one.edit.after for one in plan.files}
    after = file.reread(planned[file.task.path] or b"")
    found = triage.news(odd(file.task, index), odd(after, planned.get(PATH, index)))
    return replace(plan, cautions=tuple(dict.fromkeys((*plan.cautions, *found))))


def task_file(workspace: Workspace, name: str) -> TaskFile:
    """The file of an active task as it is now."""
    path = workspace.active_task(name).path
    return TaskFile.read(files.read(workspace.root / path).data, name, path, read_yaml)


def index_repairs(workspace: Workspace) -> tuple[TriagePlan, ...]:
    """What would make the index agree with the files, each correction a plan of its own."""
    active = workspace.store.active(workspace.store.listing())
    return repairs(_index(workspace), active, _archived(workspace))


def graph(workspace: Workspace) -> Graph:
    """What waits on what now."""
    return graph_of(workspace.board(archived=True))


def _archived(workspace: Workspace) -> frozenset[str]:
    """Every name and id in the archive, read now: what is decided on them is no cache's to say."""
    rows, _ = archived_rows(workspace.store.archive_listing().files, {})
    return frozenset(name for row in rows for name in (row.name, row.id) if name)


def _index(workspace: Workspace) -> bytes | None:
    return _content(workspace.root / PATH)


def _content(path: Path) -> bytes | None:
    """What a file holds, None where there is none; raises files.NotRead."""
    try:
        return files.read(path).data
    except files.NotRead as error:
        if error.reason == "not there":
            return None
        raise
