"""Returned: the facts by which a session that came back is judged, and what came of it; runs no
check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from mandrel_tui.protocol.cautions import Caution
from mandrel_tui.protocol.facts import Facts, inferred, resumed
from mandrel_tui.protocol.handover import RESUMPTION, Handover
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.trail import Trail, baseline
from mandrel_tui.protocol.turn import Turn


class Basis(StrEnum):
    """Where the facts from before a session come from: handover, human, or its own entry."""

    RECORDED = "recorded"
    GIVEN = "given"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Given:
    """What the human says of the time before a session; None where nothing is said."""

    role: str | None = None
    status_before: str | None = None
    est_before: tuple[int, int] | None = None
    remediation: bool | None = None

    def over(self, facts: Facts) -> Facts:
        """The facts with what is said laid over."""
        named = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return replace(facts, **{name: value for name, value in named.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Judged:
    """The facts a session is checked by, their basis, and the follow-up that asks it to mend."""

    facts: Facts
    basis: Basis
    followup: str = "violation-fix"


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a session: its checks, or where its task was archived meanwhile (`judged` is
    None) the verification of that closeout.

    `handover` is the last text it was given, None where none is recorded; `followups` counts those
    about failed checks so far; `note` says what of this could not be kept.
    """

    task: str
    sid: str
    judged: Judged | None
    results: tuple[CheckResult, ...]
    warnings: tuple[Caution, ...] = ()
    handover: Handover | None = None
    followups: int = 0
    note: str = ""

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.results)

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def followup(self) -> str:
        """The kind of message that asks to put right what failed."""
        return "closeout-incomplete" if self.judged is None else self.judged.followup


def judge(task: Task, trail: Trail, sid: str, given: Given, turn: Turn) -> Judged:
    """By what the session with that sid is checked: what was recorded, else its own entry, else the
    task as it is now, with what the human says laid over."""
    facts, basis = baseline(trail, task, sid), Basis.RECORDED
    again = facts is not None and _answered(trail, sid)
    if facts is None:
        facts, basis, again = _inferred(task, sid, turn), Basis.INFERRED, _resumes(task, sid)
    if given != Given():
        basis = Basis.GIVEN
    followup = "blocked-violation" if again else "violation-fix"
    return Judged(given.over(facts), basis, followup)


def _answered(trail: Trail, sid: str) -> bool:
    """Whether the recorded session with that sid was blocked and got its answer."""
    return any(one.kind == RESUMPTION and one.sid == sid for one in trail.handovers)


def _resumes(task: Task, sid: str) -> bool:
    """Whether the log shows that the session was blocked once and is no more."""
    blocked = any(e.sid == sid and e.after == Status.BLOCKED for e in task.entries)
    return blocked and task.status is not Status.BLOCKED


def _inferred(task: Task, sid: str, turn: Turn) -> Facts:
    if _resumes(task, sid):
        return resumed(task, sid)
    own = inferred(task, sid)
    if own is not None:
        return own
    return Facts(turn.role or "dev", sid, task.status_text, None, task.remediation)
