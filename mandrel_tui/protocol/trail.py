"""Trail: what is recorded of one task's sessions, and which of them a text belongs to; records
nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from mandrel_tui.protocol.facts import Facts, resumed
from mandrel_tui.protocol.handover import PLAN, PLAN_FEEDBACK, RESUMPTION, Delivery, Handover, Then
from mandrel_tui.protocol.kinds import PROPOSAL
from mandrel_tui.protocol.task import Task, claim_sid

FOLLOWUPS = 3  # follow-ups that failed checks may cost before the human decides
CLOSING = "closeout-incomplete"
VIOLATIONS = frozenset({"violation-fix", "blocked-violation", CLOSING})


@dataclass(frozen=True, slots=True)
class Ending:
    """How the program that was given a handover ended: its exit status (negative: the signal that
    ended it), None where that is not known; `cause` says on one line why it was no good end."""

    handover: str
    at: str
    status: int | None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks found of a handover's session when the task file had this digest."""

    handover: str
    at: str
    task_sha256: str
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trail:
    """What is recorded of one task's sessions: the texts oldest first, by the id of a text how its
    program ended, what its checks found last and what the human made of the task file while it was
    out, and the ids of texts that a person copied or saved and did not use."""

    handovers: tuple[Handover, ...] = ()
    endings: Mapping[str, Ending] = field(default_factory=dict)
    checks: Mapping[str, Checked] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    own: Mapping[str, Then] = field(default_factory=dict)

    def base(self, handover: Handover) -> Then:
        """The task file as it was before the session wrote anything to it."""
        return self.own.get(handover.id, handover.then)

    @property
    def live(self) -> tuple[Handover, ...]:
        """The texts that were given to sessions of the task, as far as is known."""
        used = (one for one in self.handovers if one.id not in self.unused)
        return tuple(one for one in used if one.kind != PROPOSAL)

    @property
    def sessions(self) -> tuple[tuple[Handover, ...], ...]:
        """The texts by session, the one that was given the latest text last: each begins with a
        prompt, but where that was not recorded."""
        found: list[tuple[Handover, ...]] = []
        for one in self.live:
            place = None if one.opens else _belongs(one, found)
            found.append((one,) if place is None else (*found.pop(place), one))
        return tuple(found)

    @property
    def followups(self) -> int:
        """How many follow-ups about failed checks the latest session was sent in a row; one that a
        person took twice is one."""
        count, last = 0, None
        for one in self.sessions[-1] if self.live else ():
            if not (last is not None and one.repeats(last)):
                count = count + 1 if one.kind in VIOLATIONS else 0
            last = one
        return count


def _belongs(followup: Handover, sessions: list[tuple[Handover, ...]]) -> int | None:
    """The place of the session a follow-up went into; None where that was not recorded."""
    if not sessions:
        return None
    last, sids = len(sessions) - 1, [_given_sid(session) for session in sessions]
    known = [at for at, sid in enumerate(sids) if sid == followup.sid]
    if followup.sid is not None and known:
        return known[-1]
    return last if followup.sid is None or sids[last] is None else None


def followup_handover(
    kind: str,
    data: bytes,
    task: Task,
    trail: Trail,
    delivery: Delivery,
    id: str,
    sid: str | None = None,
    facts: Facts | None = None,
) -> Handover:
    """The record of a follow-up that was delivered into the session `sid`, by default the latest of
    the task; `facts` are what the human said of the time before."""
    sid = sid or addressee(kind, trail, task)
    learnt = session_sid(trail, task)
    own = [s for s in trail.sessions if sid is not None and (_given_sid(s) or learnt) == sid]
    start = own[-1][0] if own else None
    return Handover(
        id=id,
        task=task.name,
        kind=kind,
        role=start.role if start else None,
        mode=start.mode if start else None,
        sid=sid,
        sha256=sha256(data).hexdigest(),
        size=len(data),
        delivery=delivery,
        then=Then.of(task),
        facts=facts,
    )


def session_sid(trail: Trail, task: Task) -> str | None:
    """The sid of the latest session."""
    return _sid_of(trail, task, trail.sessions[-1]) if trail.live else None


def sessions_of(trail: Trail, task: Task, sid: str) -> tuple[tuple[Handover, ...], ...]:
    """The recorded sessions with that sid. One nobody heard of before is the latest, as long as
    nothing tells whose that is."""
    found = tuple(one for one in trail.sessions if _sid_of(trail, task, one) == sid)
    if found or not trail.live or session_sid(trail, task) is not None:
        return found
    latest = trail.sessions[-1]
    then = trail.base(latest[0])
    before = {entry.sid for entry in task.entries[: then.entries]} | {claim_sid(then.claim)}
    return () if latest[0].kind == PLAN or sid in before else (latest,)


def _sid_of(trail: Trail, task: Task, session: tuple[Handover, ...]) -> str | None:
    """The sid of a session: the one it was given, else what it wrote until the next prompt went
    out."""
    known = _given_sid(session)
    if known is not None or session[0].kind == PLAN:
        return known  # a plan session writes nothing that would tell it
    then, after = trail.base(session[0]), _after(trail, session[0], task)
    new = task.entries[then.entries : after.entries]
    if new:
        return new[-1].sid
    return (claim_sid(after.claim) or None) if after.claim != then.claim else None


def _after(trail: Trail, opening: Handover, task: Task) -> Then:
    """The task file as it was when the next prompt that works on it went out; as it is now without
    one."""
    later = trail.live[trail.live.index(opening) + 1 :]
    return next((one.then for one in later if one.opens and one.kind != PLAN), Then.of(task))


def latest_sid(trail: Trail, task: Task) -> str | None:
    """The sid of the session that was at work last: the latest recorded, unless that passed its
    checks and another one claimed the task since. None where that one showed no sid yet: the claim
    is still that of the session before."""
    known, claimed = session_sid(trail, task), task.claimed_sid or None
    if not trail.live:
        return claimed
    checked = trail.checks.get(trail.live[-1].id)
    over = checked is not None and not checked.failed and checked.task_sha256 != task.sha256
    return claimed or known if over else known


def plan_sid(trail: Trail) -> str | None:
    """The sid that the latest plan session was given; None where it was given none, or none went
    out."""
    plans = (one for one in reversed(trail.sessions) if one[0].kind == PLAN)
    return next(map(_given_sid, plans), None)


def addressee(kind: str, trail: Trail, task: Task) -> str | None:
    """The sid of the session that a follow-up of that kind is for, None where that is not known."""
    if kind == PROPOSAL:
        return None
    return plan_sid(trail) if kind == PLAN_FEEDBACK else latest_sid(trail, task)


def _given_sid(session: tuple[Handover, ...]) -> str | None:
    return next((one.sid for one in reversed(session) if one.sid), None)


def checkable(session: tuple[Handover, ...]) -> bool:
    """Whether there is anything to check a session by."""
    return any(one.facts is not None or one.kind == RESUMPTION for one in session)


def baseline(trail: Trail, task: Task, sid: str) -> Facts | None:
    """What is recorded of the time before the session with that sid; None where nothing is."""
    for session in reversed(sessions_of(trail, task, sid)):
        if checkable(session):
            return _facts(session, task, sid)
    return None


def _facts(session: tuple[Handover, ...], task: Task, sid: str) -> Facts | None:
    for one in reversed(session):
        if one.facts is not None:
            return replace(one.facts, sid=sid)
        if one.kind == RESUMPTION:
            return resumed(task, sid)
    return None
