"""Standing: from what is recorded and the task file now, where the latest session of a task stands;
records nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.trail import FOLLOWUPS, VIOLATIONS, Checked, Trail, checkable, session_sid

# Statuses that no session sets before its work is over.
_LATE = frozenset({Status.BLOCKED, Status.COMPLETED, Status.FINAL_REVIEW})


class HandoverState(StrEnum):
    """OUT: nothing shows that the session came back; FAILED: its program ended without result."""

    OUT = "out"
    RETURNED = "returned"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the latest session of a task stands.

    `since` is when it went out, or when it was seen to be back; `handover` is the last text it was
    given, `sid` its own, given or learnt; `words` say on one line what shows the state; `checkable`
    is whether there is anything to check it by; `checked` is the last result, `stale` whether the
    file changed since.
    """

    state: HandoverState
    since: str
    handover: Handover
    sid: str | None
    words: str
    checkable: bool
    followups: int = 0
    checked: Checked | None = None
    stale: bool = False

    @property
    def launcher(self) -> str:
        return self.handover.delivery.launcher

    @property
    def out(self) -> bool:
        return self.state is HandoverState.OUT

    @property
    def unchecked(self) -> bool:
        """Whether it came back and the file was not checked as it is now."""
        back = self.state is HandoverState.RETURNED and self.checkable
        return back and (self.checked is None or self.stale)

    @property
    def failing(self) -> bool:
        """Whether the checks of the file as it is now found something."""
        return self.checked is not None and not self.stale and bool(self.checked.failed)

    @property
    def yours(self) -> bool:
        """Whether it waits for the human: to be looked at, mended or decided on."""
        return self.state is HandoverState.FAILED or self.unchecked or self.failing

    @property
    def unsettled(self) -> bool:
        """Whether another session would take its place before it is back, checked and mended."""
        return self.out or (self.yours and self.state is not HandoverState.FAILED)

    @property
    def word(self) -> str:
        """The one word a board row shows: plan out check failed; empty where nothing is open."""
        if self.out:
            return "plan" if self.handover.kind == "plan" else "out"
        if self.state is HandoverState.FAILED:
            return "failed"
        return "check" if self.yours else ""

    @property
    def ended(self) -> str:
        """Why the program of a session that failed ended."""
        return self.words or "it ended without a word"

    @property
    def sentence(self) -> str:
        """Where it stands, with stamps as recorded; empty where nothing is open."""
        if self.out:
            return f"out since {self.since}, {self.launcher}"
        if self.state is HandoverState.FAILED:
            return f"failed {self.since}: {self.ended}"
        if self.failing and self.checked is not None:
            return f"returned {self.since}, not met: {', '.join(self.checked.failed)}"
        return f"returned {self.since}, unchecked: {self.words}" if self.unchecked else ""

    @property
    def exhausted(self) -> bool:
        """Whether the checks fail and the follow-ups are used up: the human decides."""
        return self.failing and self.followups >= FOLLOWUPS


def standing(trail: Trail, task: Task, seen: str = "") -> Standing | None:
    """Where the latest session stands; None without one, and once it passed its checks.

    `seen` is when the task file was first seen as it is now.
    """
    if not trail.live:
        return None
    session, latest = trail.sessions[-1], trail.live[-1]
    checked = trail.checks.get(latest.id)
    if (checked and not checked.failed) or (session[0].kind == "plan" and _written(trail, task)):
        return None
    state, since, words = _state(trail, task, seen)
    return Standing(
        state=state,
        since=since,
        handover=latest,
        sid=session_sid(trail, task),
        words=words,
        checkable=checkable(session),
        followups=trail.followups,
        checked=checked,
        stale=checked is not None and checked.task_sha256 != task.sha256,
    )


def _state(trail: Trail, task: Task, seen: str) -> tuple[HandoverState, str, str]:
    """The state, since when, and what shows it."""
    latest, written = trail.live[-1], _written(trail, task)
    ending = trail.endings.get(latest.id)
    if written:
        since = seen or (ending.at if ending else latest.delivery.at)
        return HandoverState.RETURNED, since, written
    if ending is None:
        return HandoverState.OUT, latest.delivery.at, ""
    if ending.status == 0:
        words = f"{latest.delivery.launcher} ended, and the log has no new entry"
        return HandoverState.RETURNED, ending.at, words
    return HandoverState.FAILED, ending.at, ending.cause


def _written(trail: Trail, task: Task) -> str:
    """What in the task file shows that the latest session came back, empty while nothing does; a
    claim shows only that it began, and what the human changed shows nothing."""
    latest = trail.live[-1]
    then = trail.base(latest)
    if task.sha256 in (then.sha256, latest.then.sha256):
        return ""
    new = task.entries[then.entries :]
    if new:
        return f"line {new[-1].line}: an entry of {new[-1].sid}"
    if latest.kind in VIOLATIONS:
        return "the task file changed"
    if latest.opens and task.status_text != then.status and task.status in _LATE:
        return f"status {then.status or 'none'} → {task.status_text}"
    return ""
