"""Facts: what held before a session, as recorded, given or read from its own log entry."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.protocol.task import LogEntry, Status, Task, Verdict


@dataclass(frozen=True, slots=True)
class Facts:
    """What held before a session: `role` is `dev` or `review`, `sid` None where only the session
    will know it, `est_before` done and total sessions, None where unreadable or of no account."""

    role: str
    sid: str | None
    status_before: str
    est_before: tuple[int, int] | None = None
    remediation: bool = False

    @property
    def entered(self) -> str:
        """The status the session works at: claiming a pending task moves it to in_progress."""
        pending = self.status_before == Status.PENDING
        return Status.IN_PROGRESS.value if pending else self.status_before

    @property
    def est_after(self) -> tuple[int, int] | None:
        """The estimate one more dev session makes of `est_before`."""
        if self.est_before is None:
            return None
        done, total = self.est_before
        return done + 1, max(total, done + 1)

    @property
    def undershoot(self) -> bool:
        """Whether the session takes more than the estimate had left."""
        before, after = self.est_before, self.est_after
        return before is not None and after is not None and after[1] > before[1]

    def estimates(self) -> dict[str, bytes]:
        """The values of the gaps `cur tot nxt ntot`; empty where the estimate is unknown."""
        numbers = (*(self.est_before or ()), *(self.est_after or ()))
        names = ("cur", "tot", "nxt", "ntot")
        return {name: b"%d" % number for name, number in zip(names, numbers, strict=False)}


def before(task: Task, role: str, sid: str | None) -> Facts:
    """The facts of a session that is about to start on a task with a readable status."""
    status = task.status_text if task.status is None else task.status.value
    if role == "review":
        return Facts(role, sid, status)
    est = None if task.estimate is None else (task.estimate.done, task.estimate.total)
    return Facts(role, sid, status, est, task.remediation)


def inferred(task: Task, sid: str) -> Facts | None:
    """The facts as the session's own last entry tells them; None where it wrote no entry."""
    own = own_entry(task, sid)
    if own is None:
        return None
    role = "review" if own.is_review else "dev"
    remediation = not own.is_review and follows_findings(task, own)
    return Facts(role, sid, own.before or "", None, remediation)


def resumed(task: Task, sid: str) -> Facts:
    """The facts of a blocked session that was answered: what stood left of `→ blocked`, in its own
    heading, or where another one was given the answer in the latest."""
    own = [entry for entry in task.entries if entry.sid == sid]
    role = "review" if any(entry.is_review for entry in own) else "dev"
    every = [entry for entry in task.entries if entry.after == Status.BLOCKED]
    blocked = [entry for entry in every if entry.sid == sid] or every
    return Facts(role, sid, (blocked[-1].before or "") if blocked else "")


def follows_findings(task: Task, entry: LogEntry) -> bool:
    """Whether the last review before an entry of the log requests changes."""
    earlier = [e for e in task.entries if e.is_review and e.line < entry.line]
    return bool(earlier) and earlier[-1].verdict is Verdict.CHANGES_REQUESTED


def own_entry(task: Task, sid: str | None) -> LogEntry | None:
    """A session's last entry; its last review entry where it wrote one."""
    own = [entry for entry in task.entries if entry.sid == sid]
    return next(iter([e for e in reversed(own) if e.is_review] or own[-1:]), None)
