"""Turn: what a task file says must happen next, and which roles a human may choose by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from mandrel_tui.protocol.convergence import BUDGET, convergence_group, rounds
from mandrel_tui.protocol.legible import ended, followed
from mandrel_tui.protocol.task import EXTERNAL, Status, Task, short_sids


class TurnKind(StrEnum):
    """What happens next."""

    CLOSEOUT = "closeout"
    BLOCKED = "blocked"
    REVIEW = "review"
    DEV = "dev"
    RULING = "ruling"
    INVALID = "invalid"


class Mode(StrEnum):
    """How a role acts: dev advances or remediates, a review is interim or the final gate."""

    ADVANCEMENT = "advancement"
    REMEDIATION = "remediation"
    INTERIM = "interim"
    FINAL_GATE = "final-gate"


class Escalation(StrEnum):
    """Why the human must rule before the loop goes on."""

    CONVERGENCE_BUDGET = "convergence-budget"
    DISPUTE_UNRESOLVED = "dispute-unresolved"
    FINAL_REVIEW_STALL = "final-review-stall"


@dataclass(frozen=True, slots=True)
class Turn:
    """The next step of one task.

    `rule` is the number of the rule that matched (1 to 7), None at `invalid`; `reason` is one
    sentence for a newcomer; `owes` says what the human owes, empty when nothing; `escalation` is
    what `next` reports, `escalation_after_review` what the log alone computes; `legal` lists the
    roles that may be chosen by hand: dev-advancement dev-remediation review plan closeout answer.
    `waits` is true for a task blocked only by active tasks.
    """

    kind: TurnKind
    rule: int | None
    role: str | None
    mode: Mode | None
    reason: str
    owes: str
    pending_review: tuple[str, ...]
    group: str | None
    escalation: Escalation | None
    escalation_after_review: Escalation | None
    ignored_fix_set: bool
    legal: tuple[str, ...]
    waits: bool = False

    @property
    def word(self) -> str:
        """The one word a board row shows: dev fix review gate answer waits rule close invalid."""
        if self.kind is TurnKind.DEV and self.escalation:
            return "rule"
        if self.kind is TurnKind.BLOCKED and self.waits:
            return "waits"
        return _WORDS[self.kind, self.mode]

    @property
    def word_ruled(self) -> str:
        """The word once the ruling it waits for was given: that of the session which carries it."""
        if self.kind is TurnKind.RULING:
            return _WORDS[TurnKind.REVIEW, Mode.FINAL_GATE]
        return _WORDS.get((self.kind, self.mode), self.word)

    @property
    def yours(self) -> bool:
        """Whether the human owes something: the `!` before the word."""
        return bool(self.owes)


_WORDS = {
    (TurnKind.CLOSEOUT, None): "close",
    (TurnKind.BLOCKED, None): "answer",
    (TurnKind.RULING, None): "rule",
    (TurnKind.INVALID, None): "invalid",
    (TurnKind.REVIEW, Mode.INTERIM): "review",
    (TurnKind.REVIEW, Mode.FINAL_GATE): "gate",
    (TurnKind.DEV, Mode.ADVANCEMENT): "dev",
    (TurnKind.DEV, Mode.REMEDIATION): "fix",
}


@dataclass(frozen=True, slots=True)
class _Step:
    """What a matching rule decides: the turn's kind, role, mode, reason and the human's part."""

    kind: TurnKind
    role: str | None
    mode: Mode | None
    reason: str
    owes: str = ""
    waits: bool = False


Rule = Callable[[Task, frozenset[str]], _Step | None]


def turn_of(task: Task, active: frozenset[str] = frozenset()) -> Turn:
    """The turn of a task; `active` holds the names of the active tasks, for its blockers."""
    fault = task.invalid
    if fault is not None:
        reason = f"{fault.message}: nothing is assembled or launched for this task."
        reason = reason[:1].upper() + reason[1:]
        return _turn(task, None, _Step(TurnKind.INVALID, None, None, reason, fault.hint))
    for number, rule in enumerate(RULES, start=1):
        step = rule(task, active)
        if step is not None:
            return _turn(task, number, step)
    raise AssertionError("the last rule matches every task")


def _turn(task: Task, number: int | None, step: _Step) -> Turn:
    computed = _escalation(task)
    escalation = None
    if step.kind is TurnKind.RULING:
        escalation = Escalation.FINAL_REVIEW_STALL
    elif step.kind is TurnKind.DEV and computed is not None:
        escalation = computed
        step = replace(step, owes=_ruling_owed(task, computed))
    latest = task.latest_review
    return Turn(
        kind=step.kind,
        rule=number,
        role=step.role,
        mode=step.mode,
        reason=step.reason,
        owes=step.owes,
        pending_review=task.pending_review,
        group=convergence_group(latest) if latest is not None else None,
        escalation=escalation,
        escalation_after_review=computed,
        ignored_fix_set=(number or 0) > 2 and task.fix_set_open and not task.remediation,
        legal=_legal(task, step.kind),
        waits=step.waits,
    )


def _escalation(task: Task) -> Escalation | None:
    latest = task.latest_review
    if latest is None:
        return None
    if latest.dispute is not None:
        return Escalation.DISPUTE_UNRESOLVED
    if task.remediation and rounds(task, latest.group) > BUDGET:
        return Escalation.CONVERGENCE_BUDGET
    return None


def _ruling_owed(task: Task, escalation: Escalation) -> str:
    latest = task.latest_review
    assert latest is not None
    group = _short(task, convergence_group(latest))
    if escalation is Escalation.DISPUTE_UNRESOLVED:
        return f"a ruling: the dispute in group {group} is unresolved"
    return f"a ruling: group {group} used {rounds(task, latest.group)} rounds, {BUDGET} are allowed"


def _legal(task: Task, kind: TurnKind) -> tuple[str, ...]:
    """The roles a human may choose by hand, in a fixed order."""
    if kind is TurnKind.INVALID:
        return ()
    if kind is TurnKind.CLOSEOUT:
        return ("closeout",)
    if kind is TurnKind.BLOCKED:
        return ("answer",)
    if task.remediation and task.fix_set_open:
        return ("dev-remediation",)
    reviewable = bool(task.pending_review) or kind is TurnKind.RULING
    choices = (
        ("dev-advancement", not task.remediation),
        ("dev-remediation", task.remediation),
        ("review", reviewable),
        ("plan", not task.remediation),
    )
    return tuple(role for role, legal in choices if legal)


def _short(task: Task, sid: str) -> str:
    known = [sid, *(e.sid for e in task.entries), *(e.review_of or "" for e in task.entries)]
    return short_sids(known)[sid]


def _completed(task: Task, active: frozenset[str]) -> _Step | None:
    if task.status is not Status.COMPLETED:
        return None
    reason = "The task is completed: what it found waits to be absorbed into memory and archived."
    return _Step(TurnKind.CLOSEOUT, None, None, reason, "the closeout")


def _blocked(task: Task, active: frozenset[str]) -> _Step | None:
    if task.status is not Status.BLOCKED:
        return None
    if not task.blockers:
        reason = "The task is blocked, but its blockers list is empty."
        return _Step(TurnKind.BLOCKED, None, None, reason, "a blocker or another status")
    asked = task.asked
    gone = [b for b in task.blockers if not _external(b) and b not in active]
    if asked:
        sid, reason = task.asking_sid, f"Blocked by a question: {'; '.join(asked)}"
        if sid:
            reason = followed(reason, f"session {_short(task, sid)} resumes with your answer.")
        return _Step(TurnKind.BLOCKED, None, None, ended(reason), "an answer")
    if gone:
        reason = f"It waits for {', '.join(gone)}, but no active task has that name."
        return _Step(TurnKind.BLOCKED, None, None, reason, "other blockers, or none")
    reason = f"It waits for {', '.join(task.blockers)}; nobody owes an answer."
    return _Step(TurnKind.BLOCKED, None, None, reason, waits=True)


def _external(blocker: str) -> bool:
    return blocker.startswith(EXTERNAL)


def _fix_set(task: Task, active: frozenset[str]) -> _Step | None:
    if not (task.fix_set_open and task.remediation):
        return None
    reason = f"The fix set of group {_latest_group(task)} is unfinished; review waits for it."
    return _Step(TurnKind.DEV, "dev", Mode.REMEDIATION, reason)


def _latest_group(task: Task) -> str:
    latest = task.latest_review
    return _short(task, convergence_group(latest)) if latest is not None else "none"


def _pending(task: Task, active: frozenset[str]) -> _Step | None:
    pending = task.pending_review
    if not pending:
        return None
    names = ", ".join(_short(task, sid) for sid in pending)
    one = len(pending) == 1
    reason = (
        f"{len(pending)} dev session{'' if one else 's'} {'is' if one else 'are'} "
        f"not reviewed yet: {names}."
    )
    final = task.status is Status.FINAL_REVIEW
    return _Step(TurnKind.REVIEW, "review", Mode.FINAL_GATE if final else Mode.INTERIM, reason)


def _gate_rejected(task: Task, active: frozenset[str]) -> _Step | None:
    if not (task.status is Status.FINAL_REVIEW and task.remediation):
        return None
    reason = f"The final gate requested changes in group {_latest_group(task)}; status stays."
    return _Step(TurnKind.DEV, "dev", Mode.REMEDIATION, reason)


def _stalled(task: Task, active: frozenset[str]) -> _Step | None:
    if task.status is not Status.FINAL_REVIEW:
        return None
    reason = (
        "It stands at final_review, but no session waits for review and no changes are requested: "
        "the gate did not conclude."
    )
    return _Step(TurnKind.RULING, None, None, reason, "a ruling that a fresh review carries")


def _development(task: Task, active: frozenset[str]) -> _Step | None:
    if task.remediation:
        latest = task.latest_review
        assert latest is not None
        used = rounds(task, latest.group)
        reason = (
            f"Review {_short(task, latest.sid)} requests changes in group {_latest_group(task)}, "
            f"round {used} of {BUDGET}."
        )
        return _Step(TurnKind.DEV, "dev", Mode.REMEDIATION, reason)
    if not task.entries:
        reason = "No session has written here yet: the first slice can begin."
    else:
        reason = "Everything written so far is reviewed and no changes are requested."
    return _Step(TurnKind.DEV, "dev", Mode.ADVANCEMENT, reason)


RULES: tuple[Rule, ...] = (
    _completed,
    _blocked,
    _fix_set,
    _pending,
    _gate_rejected,
    _stalled,
    _development,
)
