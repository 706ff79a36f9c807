"""Asking: the request for a proposal about a finished task, the folder the proposal is to lie in,
and how the request gets to an agent; writes and starts nothing."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from pathlib import Path

from mandrel_tui.protocol.admission import Item
from mandrel_tui.protocol.kinds import PROPOSAL
from mandrel_tui.protocol.proposal_request import proposal_request
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace.prepared import Prepared, Table
from mandrel_tui.workspace.roots import STORE
from mandrel_tui.workspace.stand import find
from mandrel_tui.workspace.workspace import Workspace


def folder_of(workspace: Workspace, name: str) -> Path:
    """Where an agent lays a proposal: below the store where git ignores it, else outside the
    repository."""
    inside = f"{STORE}/proposals/{name}"
    if workspace.git.ignored([os.fsencode(f"{inside}/x.md")]):
        return workspace.root / inside
    return workspace.state.folder / "proposals" / name


def request(workspace: Workspace, name: str, items: Sequence[Item] = ()) -> bytes:
    """The request about a task; `items` are the facts that were admitted already, none to let the
    agent choose. Raises UnknownTask, ContractError, and Refusal where the task is not completed or
    no procedure is deployed."""
    find(workspace, name)
    procedure = workspace.contracts().skill_path
    if procedure is None:
        raise Refusal("no closeout procedure is deployed here")
    folder = folder_of(workspace, name)
    place = folder.relative_to(workspace.root) if folder.is_relative_to(workspace.root) else folder
    return proposal_request(name, procedure, place.as_posix(), items)


def prepare(
    workspace: Workspace, table: Table, name: str, data: bytes, agent: str, place: str
) -> Prepared:
    """A request and how it gets to an agent, as `launching` carries it out. Raises UnknownTask and
    NotStarted."""
    launcher, task = table.find(agent), workspace.task(name)
    sid = str(uuid.uuid4()) if launcher.session else None
    made = table.plan(agent, place, data, workspace.root, sid, resume=False)
    return Prepared(PROPOSAL, task, data, sid, made)
