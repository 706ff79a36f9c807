"""Closed: what is left of a closeout that ended, whoever did it: whether everything holds, and what
an agent changed in the memory; changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.verify_closeout import Remains, verify
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.git_objects import commit_of
from mandrel_tui.workspace.proposals import NOTHING, Proposal, from_commit
from mandrel_tui.workspace.stand import archived_row
from mandrel_tui.workspace.traces import closing_commit

if TYPE_CHECKING:
    from mandrel_tui.workspace.workspace import Workspace


def verified(workspace: Workspace, name: str, report: str | None = None) -> tuple[CheckResult, ...]:
    """What must hold after the closeout of a task, with what was found; without a `report` that
    holds the audit line, the one that was kept counts. Raises UnknownTask."""
    kept = ClosedRecords(workspace.state).last(name)
    if report is None and kept is not None:
        report = kept.audit
    return verify(_remains(workspace, name, report))


def _remains(workspace: Workspace, name: str, report: str | None) -> Remains:
    from mandrel_tui.workspace.assembly import evidence

    active = workspace.store.active(workspace.store.listing())
    row = archived_row(workspace, name)
    own = next((task for task in active if task.name == name), None)
    if own is None and row is None:
        workspace.task(name)  # raises UnknownTask with names that are near
    ids = (own.id if own else "", row.id if row else "", row.name if row else "", name)
    archived = workspace.archived_names()
    return Remains(
        task=name,
        names=frozenset(filter(None, ids)),
        active=active,
        copies=archived,
        archived=archived,
        index=workspace.store.index(),
        report=report,
        evidence=evidence(workspace),
    )


def native(workspace: Workspace, name: str) -> Proposal:
    """What the one who closed a task out changed in the memory, to be reviewed: an agent, as its
    commit tells, or this program, as it remembers; nothing where no commit is found. Raises
    UnknownTask, ProposalRefused."""
    row = archived_row(workspace, name)
    if row is None:
        workspace.task(name)  # raises UnknownTask with names that are near
        return NOTHING
    kept = ClosedRecords(workspace.state).last(row.name)
    own = commit_of(workspace.git, kept.commit or "") if kept and kept.archived else None
    commit = own or closing_commit(workspace, row)
    return NOTHING if commit is None else from_commit(workspace.root, commit)
