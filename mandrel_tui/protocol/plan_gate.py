"""Plan gate: the rounds between a plan session and the human, and what of them was approved, which
the next prompt carries; it stores nothing and assembles nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mandrel_tui.protocol.handover import Handover, Then
from mandrel_tui.protocol.plan import Adopted, adopt
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Mode, Turn, TurnKind

if TYPE_CHECKING:
    from mandrel_tui.protocol.requests import PromptRequest

REPLY, FEEDBACK = "reply", "feedback"
CONFIRM = "confirm"  # the answer that approves without words of its own


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the conversation at `at` (UTC): a REPLY of the session, or FEEDBACK to it."""

    kind: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Revision:
    """What one reply came to: the plan after it and the number of that report; `replaces` is the
    number of the one before, None where the plan was kept, or there was none."""

    at: str
    number: int
    adopted: Adopted
    replaces: int | None = None

    @property
    def first(self) -> bool:
        """Whether it is the first report."""
        return self.adopted.replaced and self.replaces is None


@dataclass(frozen=True, slots=True)
class Approval:
    """The act that confirmed a plan, with the answer that goes with it."""

    at: str
    answer: str


@dataclass(frozen=True, slots=True)
class Gate:
    """One plan in the making: `then` is the task as it was when the plan prompt went out, at `at`
    (UTC)."""

    task: str
    at: str
    then: Then
    steps: tuple[Step, ...] = ()
    approval: Approval | None = None

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """What each reply came to, oldest first."""
        return tuple(self._revised())

    def _revised(self) -> Iterator[Revision]:
        plan, number = None, 0
        for step in self.steps:
            if step.kind != REPLY:
                continue
            adopted = adopt(step.text, plan)
            replaces = number if adopted.replaced and number else None
            number += adopted.replaced
            plan = adopted.text
            yield Revision(step.at, number, adopted, replaces)

    @property
    def latest(self) -> Revision | None:
        """What the last reply came to."""
        return next(reversed(self.revisions), None)

    @property
    def plan(self) -> str:
        """The plan as it stands; empty before the first reply."""
        return self.latest.adopted.text if self.latest is not None else ""

    @property
    def waits(self) -> bool:
        """Whether the human's approval or feedback is next."""
        return self.approval is None and bool(self.steps) and self.steps[-1].kind == REPLY

    def in_force(self, task: Task) -> bool:
        """Whether no session has worked on the task since."""
        return len(task.entries) <= self.then.entries and task.name == self.task

    def same(self, task: Task) -> bool:
        """Whether the task is as it was when the plan was asked for."""
        return task.sha256 == self.then.sha256

    def with_reply(self, text: str, at: str) -> Gate:
        """With one more reply; raises Refusal for none, and once the plan is approved."""
        if not text.strip():
            raise Refusal("the reply is empty")
        self._refuse_approved()
        return replace(self, steps=(*self.steps, Step(REPLY, at, text)))

    def with_feedback(self, text: str, at: str) -> Gate:
        """With feedback to the last reply; raises Refusal where there is none to answer, and for
        the word that approves."""
        self._refuse_approved()
        if text.strip() == CONFIRM:
            raise Refusal(f"`{CONFIRM}` is no feedback: approving is an act of its own")
        if not self.waits:
            raise Refusal("no reply waits for feedback")
        return replace(self, steps=(*self.steps, Step(FEEDBACK, at, text)))

    def approved(self, answer: str, at: str) -> Gate:
        """With the plan approved; raises Refusal where there is none."""
        self._refuse_approved()
        if not self.plan:
            raise Refusal("there is no plan to approve yet")
        return replace(self, approval=Approval(at, answer.strip() or CONFIRM))

    def withdrawn(self) -> Gate:
        """Without the approval; else without feedback that no reply came to."""
        if self.approval is None and self.steps and self.steps[-1].kind == FEEDBACK:
            return replace(self, steps=self.steps[:-1])
        return replace(self, approval=None)

    def _refuse_approved(self) -> None:
        if self.approval is not None:
            raise Refusal("the plan is approved already; withdraw that first")


def begun(task: Task, asked: Handover | None, at: str) -> Gate:
    """The gate of a plan whose prompt went out as `asked`; without one, of the task as it is."""
    if asked is None:
        return Gate(task.name, at, Then.of(task))
    return Gate(task.name, asked.delivery.at, asked.then)


def with_plan(request: PromptRequest, gate: Gate | None, task: Task, turn: Turn) -> PromptRequest:
    """The request with the approved plan, where it says nothing of one and its prompt carries it:
    that of the advancing session."""
    if gate is None or gate.approval is None or request.plan is not None:
        return request
    dev = request.kind == "dev" or (request.kind is None and turn.kind is TurnKind.DEV)
    advancing = dev and not task.remediation and turn.mode is not Mode.REMEDIATION
    if not (advancing and request.whole and gate.in_force(task)):
        return request
    return replace(request, plan=gate.plan, plan_answer=gate.approval.answer)
