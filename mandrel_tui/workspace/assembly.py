"""Assembly: prompts and checks from a repository as it is now; keeps nothing."""

from __future__ import annotations

import uuid
from dataclasses import replace

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.plan_gate import with_plan
from mandrel_tui.protocol.postchecks import CheckResult, Evidence, run_checks
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, assemble, wants_sid
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.requests import owed
from mandrel_tui.protocol.ruling import with_ruling
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.tree import TreeKind
from mandrel_tui.protocol.turn import TurnKind
from mandrel_tui.workspace.workspace import Workspace


def prompt(workspace: Workspace, request: PromptRequest) -> Prompt:
    """The prompt of a request; `now`, a sid that no hook would tell, the ruling and the approved
    plan in force are filled in."""
    task = workspace.active_task(request.task)
    turn, contracts = workspace.turn(task), workspace.contracts()
    if turn.kind is TurnKind.CLOSEOUT:
        _refuse_with_twin(workspace, task)
    stored = workspace.rulings.latest(task.name)
    asked, request = request, with_ruling(request, stored, task, turn)
    gate = workspace.plans.in_force(task)
    request = with_plan(request, gate, task, turn)
    if not request.now:
        request = replace(request, now=workspace.now())
    if wants_sid(request, turn, contracts):
        request = replace(request, sid=str(uuid.uuid4()))
    others = sum(file.name != task.name for file in workspace.store.listing().files)
    made = assemble(request, task, turn, contracts, others)
    carried = []
    standing = stored is not None and stored.in_force(task)
    if asked.ruling is not None and not standing and owed(made.kind, turn) is None:
        why = turn.reason.removesuffix(".")
        carried.append(f"no ruling is owed, and it carries yours: {why}; rule --withdraw ends that")
    if stored is not None and request.ruling != asked.ruling:
        carried.append(f"it carries the ruling given {stored.at}")
    if gate is not None and gate.approval is not None and request.plan != asked.plan:
        carried.append(f"it carries the plan approved {gate.approval.at}")
    return replace(made, warnings=(*made.warnings, *carried)) if carried else made


def _refuse_with_twin(workspace: Workspace, task: Task) -> None:
    """Raises Refusal where another active file has the task's id: an agent told to close out that
    id could archive either."""
    active = workspace.store.active(workspace.store.listing())
    twins = [other.name for other in active if other.id == task.id and other.name != task.name]
    if task.id and twins:
        raise Refusal(
            f"no closeout of {task.name}: {', '.join(twins)} carries the id {task.id} too; "
            "give one of them another id"
        )


def checks(workspace: Workspace, task: Task, facts: Facts) -> tuple[CheckResult, ...]:
    """What must hold when a session returns, looked at now; raises ContractError."""
    contracts = workspace.contracts()
    if contracts.problems:
        raise ContractError(contracts.problems)
    return run_checks(task, facts, evidence(workspace), contracts.requirements())


def evidence(workspace: Workspace) -> Evidence:
    """What git says of the working tree now."""
    tree = workspace.tree()
    status = tree.porcelain if tree.kind is TreeKind.GIT else None
    return Evidence(status, tree.words, tree.kind is not TreeKind.NONE)
