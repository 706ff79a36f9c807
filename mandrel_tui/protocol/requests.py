"""Requests: settles what was asked for against the task's state, or refuses in a sentence."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.convergence import BUDGET, rounds
from mandrel_tui.protocol.kinds import FORMS, KINDS
from mandrel_tui.protocol.legible import followed
from mandrel_tui.protocol.plan import adopt
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.turn import Escalation, Mode, Turn, TurnKind

_OWN_KIND = {
    TurnKind.CLOSEOUT: "closeout",
    TurnKind.REVIEW: "review",
    TurnKind.RULING: "review",
    TurnKind.DEV: "dev",
}
_OPTIONS = {"sid": "--sid", "ruling": "--ruling", "plan": "--plan-file"}
_PLACES = {
    "dev": ("sid", "ruling", "plan"),
    "review": ("sid", "ruling"),
    "plan": ("sid", "ruling"),
    "closeout": (),
}
_INVISIBLE = frozenset({"Cc", "Zl", "Zp", "Cs"})


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What is asked for; `kind` None is the turn's own; `now` is UTC `YYYY-MM-DDTHH:MM:SSZ`.

    `plan` may be a plan session's whole reply; `plan_answer` is the answer that approved it; `mode`
    is the one a dev prompt must have, None for the task's own.
    """

    task: str
    kind: str | None = None
    form: str = "interactive"
    sid: str | None = None
    now: str = ""
    ruling: str | None = None
    without_ruling: bool = False
    plan: str | None = None
    plan_answer: str = "confirm"
    mode: str | None = None

    @property
    def whole(self) -> bool:
        """Whether the form is assembled from fragments, not one line or one contract."""
        return self.form in ("headless", "interactive")


@dataclass(frozen=True, slots=True)
class Settled:
    """A request that may be assembled: its kind and mode are known, its plan is adopted."""

    request: PromptRequest
    task: Task
    turn: Turn
    kind: str
    mode: Mode | None
    plan: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def role(self) -> str | None:
        return None if self.kind == "closeout" else self.kind


def settle(request: PromptRequest, task: Task, turn: Turn) -> Settled:
    """The request with everything it left open decided; raises Refusal where it is illegal."""
    _refuse_odd_text(request, task)
    kind = _kind(request, task, turn)
    mode = _mode(kind, task)
    _refuse_illegal(kind, request.mode or mode, task, turn)
    _refuse_misplaced(request, kind, task)
    _refuse_without_ruling(request, kind, task, turn)
    if request.plan is None:
        return Settled(request, task, turn, kind, mode)
    adopted = adopt(request.plan)
    if not adopted.text:
        raise Refusal("The plan is empty: nothing was approved")
    return Settled(request, task, turn, kind, mode, adopted.text, adopted.warnings)


def wants_sid(request: PromptRequest, turn: Turn, contracts: Contracts) -> bool:
    """Whether the caller must choose a sid, since no hook tells the session its own."""
    return contracts.self_contained and request.sid is None and takes_sid(request, turn)


def takes_sid(request: PromptRequest, turn: Turn) -> bool:
    """Whether the prompt has a place for the session's id."""
    kind = request.kind or _OWN_KIND.get(turn.kind, "closeout")
    return request.whole and "sid" in _PLACES.get(kind, ())


def _kind(request: PromptRequest, task: Task, turn: Turn) -> str:
    if request.form not in FORMS:
        raise Refusal(f"There is no form {request.form}: it is one of {', '.join(FORMS)}")
    if request.kind is not None and request.kind not in KINDS:
        raise Refusal(f"There is no kind {request.kind}: it is one of {', '.join(KINDS)}")
    if turn.kind is TurnKind.INVALID:
        raise Refusal(f"{task.name}: {followed(turn.reason, turn.owes)}")
    if turn.kind is TurnKind.BLOCKED:
        raise Refusal(f"{task.name}: {followed(turn.reason, _unblocking(task, turn))}")
    return request.kind or _OWN_KIND[turn.kind]


def _unblocking(task: Task, turn: Turn) -> str:
    if turn.waits:
        return "no session runs before that"
    if not task.asking_sid:
        return f"`unblock {task.name}` frees it; no session is known that takes an answer"
    answer = f"`followup {task.name} blocked-resume --answer TEXT` makes the message"
    return f"only an answer to its session is legal: {answer}"


def _mode(kind: str, task: Task) -> Mode | None:
    if kind == "dev":
        return Mode.REMEDIATION if task.remediation else Mode.ADVANCEMENT
    if kind == "review":
        return Mode.FINAL_GATE if task.status is Status.FINAL_REVIEW else Mode.INTERIM
    return None


def _refuse_illegal(kind: str, mode: str | None, task: Task, turn: Turn) -> None:
    role = f"dev-{mode}" if kind == "dev" else kind
    if role not in turn.legal:
        state = followed(turn.reason, f"legal is {', '.join(turn.legal)}")
        raise Refusal(f"{task.name}: {role} is not legal now: {state}")


def _refuse_misplaced(request: PromptRequest, kind: str, task: Task) -> None:
    given = {"sid": request.sid, "ruling": request.ruling, "plan": request.plan}
    for name, value in given.items():
        if value is None or (request.whole and name in _PLACES[kind]):
            continue
        if request.whole or kind == "closeout":
            raise Refusal(f"A {kind} prompt has no place for a {name} ({_OPTIONS[name]})")
        other = "headless and interactive have"
        raise Refusal(
            f"The {request.form} form has no place for a {name} ({_OPTIONS[name]}); {other}"
        )
    if request.plan is not None and task.remediation:
        raise Refusal(f"{task.name}: a plan is for planned scope, and findings are open now")


def _refuse_without_ruling(request: PromptRequest, kind: str, task: Task, turn: Turn) -> None:
    if request.ruling is not None and not request.ruling.strip():
        raise Refusal("The ruling is empty: say what binds, or use --without-ruling")
    escalation = owed(kind, turn)
    if escalation is None or request.ruling is not None or request.without_ruling:
        return
    stored = f"give it with `rule {task.name} TEXT` or --ruling TEXT"
    how = stored if request.whole else "this form has no place for one"
    raise Refusal(
        f"{task.name}: {_escalated(escalation, task, turn)}, so the next {kind} prompt needs "
        f"your ruling: {how}, or use --without-ruling"
    )


def owed(kind: str, turn: Turn) -> Escalation | None:
    """The escalation that a prompt of this kind must answer."""
    if kind == "review":
        stalled = turn.kind is TurnKind.RULING
        return Escalation.FINAL_REVIEW_STALL if stalled else None
    return turn.escalation_after_review if kind in ("dev", "plan") else None


def _escalated(escalation: Escalation, task: Task, turn: Turn) -> str:
    latest = task.latest_review
    if latest is None:
        return f"{escalation}: no review has concluded"
    used = rounds(task, latest.group)
    return f"{escalation}: group {turn.group} used {used} of {BUDGET} rounds"


def _refuse_odd_text(request: PromptRequest, task: Task) -> None:
    _refuse_lines("The task's name", task.name)
    _refuse_lines("The time", request.now)
    if request.sid is not None:
        refuse_odd_sid(request.sid)
    for text in (request.ruling, request.plan, request.plan_answer):
        refuse_unencodable(text or "")


def refuse_odd_sid(sid: str) -> None:
    """Raises Refusal for a sid that could not stand between the ` / ` of a log heading."""
    _refuse_lines("The sid", sid)
    if not sid or sid != sid.strip() or " / " in sid:
        raise Refusal(f"A sid is one token of a log heading, without blanks around it: {sid!r}")


def _refuse_lines(what: str, text: str) -> None:
    if any(unicodedata.category(character) in _INVISIBLE for character in text):
        raise Refusal(f"{what} must be one line without control characters: {text!r}")


def refuse_unencodable(text: str) -> None:
    """Raises Refusal for a text that has no bytes to be written as."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise Refusal(f"A text that cannot be written as UTF-8: {error.reason}") from None
