"""Follow-ups: the messages that go into a session that is already open; decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.placeholders import encoded, fill
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.requests import refuse_odd_sid, refuse_unencodable

CONTEXT_BUDGET = 200_000  # tokens; one dev session is sized by it
UNMEASURED = "an unmeasured number"


@dataclass(frozen=True, slots=True)
class Message:
    """What a follow-up is made of; what its kind has no place for stays None.

    `mode` is advancement, remediation or review; `context_tokens` None where nobody measured.
    """

    kind: str
    problems: tuple[str, ...] | None = None
    answer: str | None = None
    sid: str | None = None
    role: str | None = None
    task: str | None = None
    mode: str | None = None
    context_tokens: int | None = None
    context_budget: int = CONTEXT_BUDGET


Value = Callable[[Message, Contracts], bytes]


def followup(message: Message, contracts: Contracts) -> bytes:
    """The exact bytes of a midflight message; raises Refusal or ContractError."""
    if message.kind not in KINDS:
        raise Refusal(f"There is no follow-up {message.kind}: it is one of {', '.join(KINDS)}")
    if contracts.problems:
        raise ContractError(contracts.problems)
    _refuse_incomplete(message)
    values = {gap: value(message, contracts) for gap, value in KINDS[message.kind].items()}
    return fill(contracts.fragment(f"midflight/{message.kind}"), values)


def needs(kind: str) -> frozenset[str]:
    """Which of `problems answer sid role task mode` a kind must be given; none if there is no
    such kind."""
    values = KINDS.get(kind, {}).values()
    return frozenset(need for value in values for need in _NEEDS.get(value, ()))


def _refuse_incomplete(message: Message) -> None:
    for name, words in _WORDS.items():
        value, needed = getattr(message, name), name in needs(message.kind)
        if needed and not (value.strip() if isinstance(value, str) else value):
            raise Refusal(f"The follow-up {message.kind} needs {words}")
    refuse_unencodable(message.answer or "")
    if message.sid is not None and "sid" in needs(message.kind):
        refuse_odd_sid(message.sid)
    if message.answer is not None and "answer" not in needs(message.kind):
        raise Refusal(f"The follow-up {message.kind} has no place for an answer")


def _text(name: str) -> Value:
    return lambda message, contracts: encoded(getattr(message, name))


def _problems(separator: str) -> Value:
    return lambda message, contracts: encoded(separator.join(message.problems or ()))


def _clean_howto(message: Message, contracts: Contracts) -> bytes:
    return contracts.fragment("midflight/clean-howto")


def _handoff_note(message: Message, contracts: Contracts) -> bytes:
    return contracts.fragment(f"midflight/wrapup-note-{message.mode}")


def _plan_note(message: Message, contracts: Contracts) -> bytes:
    """Only an advancing session has planned scope left to split."""
    if message.mode != "advancement":
        return b""
    return contracts.fragment("midflight/wrapup-plan-advancement")


def _context_tokens(message: Message, contracts: Contracts) -> bytes:
    tokens = message.context_tokens
    return encoded(UNMEASURED if tokens is None else str(tokens))


def _context_budget(message: Message, contracts: Contracts) -> bytes:
    return b"%d" % message.context_budget


_answer, _sid, _role, _task = _text("answer"), _text("sid"), _text("role"), _text("task")
_listed, _in_line = _problems("\n- "), _problems("; ")

KINDS: Mapping[str, Mapping[str, Value]] = {
    "violation-fix": {"problems": _listed, "clean_howto": _clean_howto, "sid": _sid},
    "blocked-resume": {"answer": _answer},
    "blocked-violation": {"problems": _in_line},
    "plan-feedback": {"answer": _answer},
    "human-instruction": {"answer": _answer},
    "closeout-incomplete": {"problems": _listed},
    "answered-continue": {"answer": _answer},
    "run-error-retry": {"answer": _answer, "role": _role, "task_id": _task},
    "wrapup": {
        "context_tokens": _context_tokens,
        "context_budget": _context_budget,
        "clean_howto": _clean_howto,
        "sid": _sid,
        "handoff_note": _handoff_note,
        "plan_note": _plan_note,
    },
}
_NEEDS: Mapping[Value, tuple[str, ...]] = {
    _answer: ("answer",),
    _sid: ("sid",),
    _role: ("role",),
    _task: ("task",),
    _listed: ("problems",),
    _in_line: ("problems",),
    _handoff_note: ("mode",),
}
_WORDS = {
    "answer": "an answer (--answer)",
    "sid": "a sid (--sid)",
    "problems": "a problem to name, and none was found",
    "role": "the role of its session",
    "task": "the name of its task",
    "mode": "the mode of its session",
}
