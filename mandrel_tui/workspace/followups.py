"""Followups: the messages into a session that is open, with what they need of the repository now;
sends none."""

from __future__ import annotations

from dataclasses import replace

from mandrel_tui.protocol.facts import Facts, resumed
from mandrel_tui.protocol.followup import Message, followup, needs
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.returned import Given, judge
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import CLOSING, Trail, addressee
from mandrel_tui.workspace.assembly import checks
from mandrel_tui.workspace.returns import closed
from mandrel_tui.workspace.workspace import Workspace

_NOTHING = Given()


def message(
    workspace: Workspace,
    name: str,
    kind: str,
    *,
    answer: str | None,
    sid: str | None,
    given: Given = _NOTHING,
) -> bytes:
    """The bytes of a midflight message to the session `sid`, by default the latest; one that names
    problems looks for them now, by what is recorded with what is `given` laid over."""
    task = workspace.task(name) if kind == CLOSING else workspace.active_task(name)
    trail = workspace.handovers.trail(name)
    sid = sid or addressee(kind, trail, task)
    made = Message(kind, answer=answer, sid=sid, task=name)
    if kind == CLOSING:
        made = replace(made, problems=_problems(closed(workspace, task, sid or "", trail).results))
    elif {"problems", "role", "mode"} & needs(kind):
        facts = _facts(workspace, task, kind, sid, trail, given)
        made = replace(made, role=facts.role, mode=_mode(facts))
        if "problems" in needs(kind):
            made = replace(made, problems=_problems(checks(workspace, task, facts)))
    return followup(made, workspace.contracts())


def said(workspace: Workspace, task: Task, sid: str | None, given: Given) -> Facts | None:
    """The facts of a session as the human gave them; None where nothing was said."""
    if given == _NOTHING or not sid:
        return None
    trail = workspace.handovers.trail(task.name)
    return judge(task, trail, sid, given, workspace.turn(task)).facts


def _problems(results: tuple[CheckResult, ...]) -> tuple[str, ...]:
    return tuple(result.problem for result in results if not result.passed)


def _mode(facts: Facts) -> str:
    if facts.role == "review":
        return "review"
    return "remediation" if facts.remediation else "advancement"


def _facts(
    workspace: Workspace, task: Task, kind: str, sid: str | None, trail: Trail, given: Given
) -> Facts:
    """What held before the session: as it is checked, or as one that was blocked and resumes."""
    if kind == "blocked-violation" and sid:
        return given.over(resumed(task, sid))
    facts = judge(task, trail, sid or "", given, workspace.turn(task)).facts
    return facts if sid else replace(facts, sid=None)
