"""Plans: what was said at the plan gates of a repository, kept outside it; sends nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.plan_gate import FEEDBACK, REPLY, Approval, Gate, Step, begun
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.handovers import then_fact, then_of
from mandrel_tui.workspace.records import PLANS, Fact, Records
from mandrel_tui.workspace.state import State


@dataclass(frozen=True, slots=True)
class Plans:
    """The plan gates of one repository, by task name."""

    state: State

    @property
    def records(self) -> Records:
        return Records(self.state, PLANS)

    def latest(self, task: str) -> Gate | None:
        """The last gate of a task."""
        gate: Gate | None = None
        for fact in self.records.load(task).facts:
            gate = _with(gate, task, fact)
        return gate

    def in_force(self, task: Task) -> Gate | None:
        """The gate whose plan no session has worked by yet."""
        gate = self.latest(task.name)
        return gate if gate is not None and gate.in_force(task) else None

    def at(self, task: Task, asked: Handover | None, now: str) -> Gate:
        """The gate that a reply belongs to: the one in force, or a new one where a plan prompt went
        out since."""
        gate = self.in_force(task)
        fresh = asked is not None and gate is not None and asked.delivery.at > gate.at
        return gate if gate is not None and not fresh else begun(task, asked, now)

    def keep(self, gate: Gate) -> str:
        """Keeps a gate as it is now; why it could not, empty when it did."""
        fact: Fact = {
            "at": gate.at,
            "then": then_fact(gate.then),
            "steps": [[step.kind, step.at, step.text] for step in gate.steps],
            "approval": gate.approval and [gate.approval.at, gate.approval.answer],
        }
        return self.records.append(gate.task, fact)


def _with(gate: Gate | None, task: str, fact: Mapping[str, Any]) -> Gate | None:
    """The gate a fact holds; the one before where it is of another shape."""
    try:
        approval = fact["approval"]
        return Gate(
            task=task,
            at=str(fact["at"]),
            then=then_of(fact["then"]),
            steps=tuple(_step(*step) for step in fact["steps"]),
            approval=None if approval is None else Approval(*map(str, approval)),
        )
    except (KeyError, TypeError, ValueError):
        return gate


def _step(kind: str, at: str, text: str) -> Step:
    if kind not in (REPLY, FEEDBACK):
        raise ValueError("no step")
    return Step(kind, str(at), str(text))
