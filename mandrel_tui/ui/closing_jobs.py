"""Closing jobs: planning, carrying out and verifying closeouts, each a function from a workspace to
a fact for a screen; they touch no widget and no screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from mandrel_tui.protocol.closeout import Plan
from mandrel_tui.protocol.copied import Copied
from mandrel_tui.protocol.desk import Desk
from mandrel_tui.protocol.propagation import advice_on
from mandrel_tui.protocol.reconcile import Reconciliation, reconcile
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.snapshot import gauge
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.present_plan import STOPPED, PlanSheet
from mandrel_tui.workspace import closed, closeout, files
from mandrel_tui.workspace.apply import Stopped, left_words
from mandrel_tui.workspace.closeout import Finished, Prepared
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.documents import ProposalRefused
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.git import GitError
from mandrel_tui.workspace.journal import Journal
from mandrel_tui.workspace.proposals import Proposal
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

Tell = Callable[[int, str], None]
CLOSEOUT = "closeout-incomplete"
FAULTS = (UnknownTask, Refusal, files.FileError, ProposalRefused, GitError)


@dataclass(frozen=True, slots=True)
class Planning:
    """A plan as its screen shows it, and what can be carried out, None where nothing can."""

    sheet: PlanSheet
    prepared: Prepared | None = None


def plan(workspace: Workspace, desk: Desk, proposal: Proposal) -> Planning:
    """The closeout with what is decided; the reconciliations that were rejected are no part of
    it."""
    if desk.native:
        return _followed_up(workspace, desk)
    try:
        found = closeout.prepare(workspace, desk.name, proposal, desk.reviews)
        every = _reconciliations(found)
        accepted = frozenset(r.name for r in every if desk.accepted.get(r.name, True))
        prepared = closeout.prepare(
            workspace, desk.name, proposal, desk.reviews, today=found.today, accepted=accepted
        )
    except FAULTS as error:
        return Planning(PlanSheet(desk.name, fault=str(error)))
    return _planning(desk, prepared, every)


def _followed_up(workspace: Workspace, desk: Desk) -> Planning:
    """The change that takes back what was rejected of a closeout that is done."""
    try:
        prepared = closeout.follow_up(workspace, desk.name, desk.reviews)
    except FAULTS as error:
        return Planning(PlanSheet(desk.name, fault=str(error)))
    return _planning(desk, prepared, _reconciliations(prepared))


def _planning(desk: Desk, prepared: Prepared, every: tuple[Reconciliation, ...]) -> Planning:
    sheet = PlanSheet(
        desk.name,
        prepared.plan,
        every,
        prepared.preconditions,
        frozenset(prepared.carried),
        prepared.place,
        _memory(desk.given.texts, prepared.plan),
        advice=advice_on(prepared.plan, desk.given.texts),
    )
    return Planning(sheet, prepared)


def _reconciliations(found: Prepared) -> tuple[Reconciliation, ...]:
    stand = found.found.stand
    return tuple(r for r in reconcile(stand.others, stand.gone) if r.edit is not None)


def _memory(texts: Mapping[str, bytes], planned: Plan) -> tuple[int, int]:
    """The share of the eager memory before and after, in per cent."""
    now = {path: data for path, data in texts.items() if path.startswith(".ai/")}
    after = {**now, **{d.path: d.after for d in planned.documents if d.after is not None}}
    gone = {d.path for d in planned.documents if d.after is None}
    sides = (now, {path: data for path, data in after.items() if path not in gone})
    before, then = (
        gauge({path.removeprefix(".ai/"): data for path, data in side.items()}).percent
        for side in sides
    )
    return before, then


@dataclass(frozen=True, slots=True)
class Done:
    """How carrying out ended: what holds now, or the sheet of a plan that stopped; `refused` says
    why nothing was begun."""

    verified: Verified | None = None
    stopped: PlanSheet | None = None
    refused: str = ""


def carry_out(
    workspace: Workspace, prepared: Prepared, desk: Desk, sheet: PlanSheet, tell: Tell
) -> Done:
    """Carry the plan out; what was decided of every fact is kept with the record of it."""
    remembered = cast(Any, {**desk.record, "source": prepared.proposal.source})
    try:
        finished = closeout.carry_out(workspace, prepared, remembered=remembered, tell=tell)
    except Stopped as error:
        return Done(stopped=_stopped(sheet, error))
    except FAULTS as error:
        return Done(refused=str(error))
    Drafts(workspace.state).end(desk.name)
    return Done(verified(workspace, finished))


def go_on(workspace: Workspace, sheet: PlanSheet, tell: Tell) -> Done:
    """Do what is left of a plan that stopped."""
    begun = journal_of(workspace, sheet.task)
    if begun is None:
        return Done(refused="its journal is gone: nothing is left to do")
    try:
        finished = closeout.finish(workspace, begun, tell)
    except Stopped as error:
        return Done(stopped=_stopped(sheet, error))
    except FAULTS as error:
        return Done(refused=str(error))
    Drafts(workspace.state).end(sheet.task)
    return Done(verified(workspace, finished))


def _stopped(sheet: PlanSheet, error: Stopped) -> PlanSheet:
    return replace(sheet, stage=STOPPED, problem=str(error), said=error.output)


def verified(workspace: Workspace, finished: Finished) -> Verified:
    """What holds now of a closeout that was just carried out."""
    found = verify(workspace, finished.task)
    notes = [left_words(finished.ended.left), finished.note]
    return replace(
        found,
        commit=(finished.ended.commit or "")[:7],
        said=finished.ended.output,
        note="; ".join(note for note in notes if note),
        audit=finished.audit or found.audit,
        done=True,
    )


def verify(workspace: Workspace, name: str) -> Verified:
    """What holds now of the closeout of a task."""
    kept = ClosedRecords(workspace.state).last(name)
    audit = kept.audit if kept is not None else ""
    undoable = kept is not None and kept.journal is not None
    try:
        results = closed.verified(workspace, name)
    except UnknownTask as error:
        return Verified(name, fault=str(error))
    return Verified(name, results, audit, undoable=undoable)


@dataclass(frozen=True, slots=True)
class Followed:
    """The message that asks the session of a task to complete its closeout, and its copy; or why
    there is none."""

    task: Task | None = None
    data: bytes = b""
    copied: Copied | None = None
    fault: str = ""


def follow(workspace: Workspace, name: str) -> Followed:
    """The message that asks the session to complete its closeout, copied."""
    try:
        task = workspace.task(name)
        data = workspace.followup(name, CLOSEOUT, answer=None, sid=None)
    except (*FAULTS, ContractError) as error:
        return Followed(fault=str(error))
    return Followed(task, data, workspace.copy(data, f"{name}-{CLOSEOUT}"))


def record(workspace: Workspace, out: Followed, way: str) -> str:
    """Record the message as copied that way; what could not be kept, empty when all was."""
    assert out.task is not None
    return workspace.hand_followup(out.task, CLOSEOUT, out.data, "clipboard", "copy", way).note


def journal_of(workspace: Workspace, task: str) -> Journal | None:
    """The journal of a closeout of a task that did not end; None without one."""
    journals = closeout.open_closeouts(workspace).journals
    return next((journal for journal in journals if journal.task == task), None)
