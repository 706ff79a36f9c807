"""Looking jobs: what the app's workers read of what waits on what, what was sent and what a file
once said, off the event loop; they touch no widget and no screen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mandrel_tui.protocol.diff import unified
from mandrel_tui.protocol.difference import first_difference
from mandrel_tui.protocol.graph import Graph
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.kinds import FORMS
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.ui.present_receipts import Compared, Receipt, Receipts, newest_first
from mandrel_tui.workspace import files, triage
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

LOST = "the kept bytes are lost or are others: {}"
_STAMP = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def graph(workspace: Workspace) -> Graph | str:
    """What waits on what now, or why it cannot be read."""
    try:
        return triage.graph(workspace)
    except (files.FileError, OSError) as error:
        return str(error)


def receipts(workspace: Workspace, task: str) -> Receipts:
    """What was handed over, of one task or of every task."""
    handovers = workspace.handovers
    names = (task,) if task else handovers.records.tasks()
    return Receipts(task, newest_first(_receipts(workspace, names)))


def _receipts(workspace: Workspace, names: tuple[str, ...]) -> Iterator[Receipt]:
    for name in names:
        trail = workspace.handovers.trail(name)
        for one in trail.handovers:
            yield Receipt(one, trail.endings.get(one.id), one.id in trail.unused)


def sent(workspace: Workspace, handover: Handover) -> bytes | None:
    """The exact bytes that went out, their digest computed again; None where they are lost."""
    return workspace.handovers.bytes_of(handover)


def compared(
    workspace: Workspace, one: Handover, other: Handover | None, names: tuple[str, str]
) -> Compared:
    """Two texts that were handed over, the earlier one first; with `other` None, the one and what
    would be assembled now. `names` are theirs in that order."""
    old = sent(workspace, one)
    if old is None:
        return Compared(fault=LOST.format(names[0]))
    if other is None:
        new = _assembled(workspace, one, old)
    else:
        found = sent(workspace, other)
        new = found if found is not None else LOST.format(names[1])
    if isinstance(new, str):
        return Compared(fault=new)
    diff = unified("text", old, new)[2:]
    return Compared(*names, first_difference(old, new), diff, (len(old), len(new)))


def _assembled(workspace: Workspace, one: Handover, old: bytes) -> bytes | str:
    """The same request assembled from the task as it is now, where the form was not recorded in the
    one that agrees the longest, or why it is not. The text holds the moment it was made, so it is
    made as of then."""
    best: bytes | str = ""
    longest = -1
    for form in (one.form,) if one.form else FORMS:
        request = PromptRequest(one.task, one.kind, form, one.sid, one.delivery.at)
        made = _made(workspace, request, old)
        if isinstance(made, str):
            best = best or made
            continue
        apart = first_difference(old, made)
        agreed = len(old) + 1 if apart is None else apart.at
        if agreed > longest:
            best, longest = made, agreed
    return best


def _made(workspace: Workspace, request: PromptRequest, old: bytes) -> bytes | str:
    try:
        made = workspace.prompt(request).data
        at = made.find(request.now.encode())
        stamp = _STAMP.match(old, at) if at >= 0 else None
        if stamp is None or stamp[0] == request.now.encode():
            return made
        return workspace.prompt(_at(request, stamp[0].decode())).data
    except ContractError as error:
        return "; ".join(error.problems)
    except (UnknownTask, Refusal, files.FileError) as error:
        return str(error)


def _at(request: PromptRequest, now: str) -> PromptRequest:
    return PromptRequest(request.task, request.kind, request.form, request.sid, now)
