"""Assembly: prompts, messages and checks from a repository as it is now; keeps nothing."""

from __future__ import annotations

import uuid
from dataclasses import replace

from mandrel_tui.protocol.facts import Facts, inferred, resumed
from mandrel_tui.protocol.followup import Message, followup, needs
from mandrel_tui.protocol.postchecks import CheckResult, Evidence, run_checks
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, assemble, wants_sid
from mandrel_tui.protocol.refusal import ContractError
from mandrel_tui.protocol.ruling import with_ruling
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.tree import TreeKind
from mandrel_tui.workspace.workspace import Workspace


def prompt(workspace: Workspace, request: PromptRequest) -> Prompt:
    """The prompt of a request; `now`, a sid that no hook would tell and the ruling in force are
    filled in."""
    task = workspace.active_task(request.task)
    turn, contracts = workspace.turn(task), workspace.contracts()
    stored = workspace.rulings.latest(task.name)
    asked, request = request, with_ruling(request, stored, task, turn)
    if not request.now:
        request = replace(request, now=workspace.now())
    if wants_sid(request, turn, contracts):
        request = replace(request, sid=str(uuid.uuid4()))
    others = sum(file.name != task.name for file in workspace.store.listing().files)
    made = assemble(request, task, turn, contracts, others)
    if stored is None or request.ruling == asked.ruling:
        return made
    carried = f"it carries the ruling given {stored.at}"
    return replace(made, warnings=(*made.warnings, carried))


def message(
    workspace: Workspace, name: str, kind: str, *, answer: str | None, sid: str | None
) -> bytes:
    """The bytes of a midflight message to the session `sid`, by default the one that claims."""
    task = workspace.active_task(name)
    sid = sid or task.claimed_sid or None
    wanted = needs(kind)
    made = Message(kind, answer=answer, sid=sid, task=name)
    if {"problems", "role", "mode"} & wanted:
        facts = _facts(workspace, task, kind, sid)
        made = replace(made, role=facts.role, mode=_mode(facts))
        if "problems" in wanted:
            failed = (r for r in checks(workspace, task, facts) if not r.passed)
            made = replace(made, problems=tuple(r.problem for r in failed))
    return followup(made, workspace.contracts())


def _mode(facts: Facts) -> str:
    if facts.role == "review":
        return "review"
    return "remediation" if facts.remediation else "advancement"


def _facts(workspace: Workspace, task: Task, kind: str, sid: str | None) -> Facts:
    if kind == "blocked-violation" and sid:
        return resumed(task, sid)
    facts = inferred(task, sid) if sid else None
    if facts is not None:
        return facts
    turn = workspace.turn(task)
    return Facts(turn.role or "dev", sid, task.status_text, None, task.remediation)


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
