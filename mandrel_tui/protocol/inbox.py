"""Inbox: what waits for the human, with all it takes to decide it; decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.plan_gate import Gate
from mandrel_tui.protocol.standing import HandoverState, Standing
from mandrel_tui.protocol.task import LogEntry, Status, Task, short_sids
from mandrel_tui.protocol.trail import FOLLOWUPS
from mandrel_tui.protocol.turn import Escalation, Turn, TurnKind

KINDS = ("invalid", "answer", "rule", "plan", "check", "close", "drift")
_DRIFT = frozenset(
    (
        *("id-in-two-files", "active-and-archived", "same-letters"),
        *("blocker-archived", "blocker-unknown", "blocker-itself", "blocker-circle"),
        *("blockers-not-blocked", "work-after-review", "log-rewritten"),
    )
)
_INDEX = frozenset(
    (
        *("index-missing-row", "index-row-repeated", "index-row-status"),
        *("index-row-without-file", "index-row-archived", "index-damaged"),
    )
)


@dataclass(frozen=True, slots=True)
class Side:
    """A text a decision needs: whose it is, where it stands in the task file."""

    title: str
    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing the human owes. `kind` is one of KINDS, `cause` what exactly (an escalation, a rule
    of a diagnostic, `blocked`, `blockers`, `unchecked`, `failing`, `exhausted`, `failed`), `words`
    one line; `task` is empty where it is the store's; `since` a UTC stamp or date as typed, empty
    where unknown.
    """

    kind: str
    task: str
    cause: str
    words: str
    since: str
    sides: tuple[Side, ...] = ()


def inbox(board: Board) -> tuple[Item, ...]:
    """All that waits for the human, oldest first; what has no known age comes last."""
    items = [item for row in board.active for item in _of(row)]
    unread = [note for note in board.notes if note.rule == "unreadable"]
    items += [Item("invalid", "", note.rule, note.message, "") for note in unread]
    items += _drift("", "", [n for n in board.notes if n.rule not in _INDEX])
    items += _index(board)
    return tuple(sorted(items, key=lambda item: (not item.since, item.since, item.task)))


def count(items: Sequence[Item]) -> dict[str, int]:
    """How many items there are of each kind, kinds without any left out."""
    found = {kind: sum(item.kind == kind for item in items) for kind in KINDS}
    return {kind: number for kind, number in found.items() if number}


def _of(row: Row) -> Iterator[Item]:
    task, turn, standing = row.task, row.turn, row.handover
    if task is None or turn is None:
        return
    if standing is not None:
        yield from _session(row, standing)
    if row.gate is not None and row.gate.waits:
        yield _gate(row, row.gate)
    out = standing is not None and standing.out
    if turn.kind is TurnKind.INVALID:
        yield _invalid(row, turn)
    elif turn.yours and not out:
        yield from _owed(row, task, turn)
    yield from _drift(row.name, row.activity, row.diagnostics)


def _invalid(row: Row, turn: Turn) -> Item:
    fault = next(d for d in row.diagnostics if d.stops)
    side = Side(fault.rule, f"{turn.reason} To do: {turn.owes}.", fault.line)
    return Item("invalid", row.name, fault.rule, fault.message, row.activity, (side,))


def _owed(row: Row, task: Task, turn: Turn) -> Iterator[Item]:
    if turn.kind is TurnKind.BLOCKED:
        yield _answer(row, task, turn)
    elif turn.kind is TurnKind.CLOSEOUT:
        gate = task.latest_review
        passed = gate is not None and gate.is_final_gate
        words = "the final gate passed" if passed else "completed, to be absorbed and archived"
        yield Item("close", row.name, "completed", words, row.activity)
    elif row.ruling is None and turn.escalation is not None:
        words = turn.owes.removeprefix("a ruling: ")
        sides = tuple(both_sides(task, turn.escalation))
        yield Item("rule", row.name, turn.escalation, words, row.activity, sides)


def _gate(row: Row, gate: Gate) -> Item:
    """A plan that waits for approval or feedback."""
    latest = gate.latest
    assert latest is not None
    words = f"report {latest.number} waits for your approval or feedback"
    sides = [Side(f"report {latest.number}", gate.plan)]
    sides += [Side("warning", text) for text in latest.adopted.warnings]
    return Item("plan", row.name, "plan-gate", words, latest.at, tuple(sides))


def _answer(row: Row, task: Task, turn: Turn) -> Item:
    """The question in the blockers, and what the blocked session left open; where nothing is asked,
    or no session is known that an answer could go to, the cause is `blockers`."""
    cause = "blocked" if task.asked and task.asking_sid else "blockers"
    words = "; ".join(task.asked) or turn.reason.removesuffix(".")
    return Item("answer", row.name, cause, words, row.activity, asked_by(task))


def asked_by(task: Task) -> tuple[Side, ...]:
    """What a blocked task waits for, and what the session that blocked it left open."""
    sides = [Side("blockers", text, _line_of(task, "blockers")) for text in task.blockers]
    blocked = [e for e in task.entries if e.after == Status.BLOCKED] or list(task.entries)
    if blocked:
        sides += _fields(task, blocked[-1], "Open", "Findings")
    return tuple(sides)


def both_sides(task: Task, escalation: Escalation) -> Iterator[Side]:
    """What the latest review holds, and what the sessions it speaks of hold against it."""
    latest = task.latest_review
    if latest is not None:
        disputed = escalation is Escalation.DISPUTE_UNRESOLVED
        held = ("Dispute-unresolved", "Findings") if disputed else ("Findings", "Verdict")
        yield from _fields(task, latest, *held)
    for entry in _answering(task, latest):
        yield from _fields(task, entry, "Done", "Open")


def _answering(task: Task, latest: LogEntry | None) -> list[LogEntry]:
    """The work the latest review speaks of, and the last work entry where that is another."""
    reviewed = [e for e in task.work if latest is not None and e.sid == latest.review_of]
    entries = [*reviewed[-1:], *task.work[-1:]]
    return [entry for place, entry in enumerate(entries) if entry not in entries[:place]]


def _fields(task: Task, entry: LogEntry, *names: str) -> list[Side]:
    """The named fields of an entry that say something, as sides."""
    sids = short_sids(e.sid for e in task.entries)
    number = task.entries.index(entry) + 1
    whose = f"{'review' if entry.is_review else 'dev'} {sids[entry.sid]}, entry {number}"
    told = {field.name: field for field in reversed(entry.fields)}
    return [
        Side(f"{whose}, {name}", told[name].value, told[name].line)
        for name in names
        if name in told and told[name].value.strip()
    ]


def _line_of(task: Task, key: str) -> int | None:
    return next((field.line for field in task.fields if field.key == key), None)


def _session(row: Row, standing: Standing) -> Iterator[Item]:
    """What the latest session leaves to do: look at it, mend it, or decide."""
    number = len(standing.checked.failed) if standing.checked else 0
    failed = f"{number} {'check fails' if number == 1 else 'checks fail'}"
    told = (
        (standing.state is HandoverState.FAILED, "failed", f"failed: {standing.ended}"),
        (standing.exhausted, "exhausted", f"{FOLLOWUPS} follow-ups used, {failed}"),
        (standing.failing, "failing", failed),
        (standing.unchecked, "unchecked", f"returned, unchecked: {standing.words}"),
    )
    for holds, cause, words in told:
        if holds and not (standing.out and cause != "failed"):
            yield Item("check", row.name, cause, words, standing.since)
            return


def _drift(task: str, since: str, diagnostics: Sequence[Diagnostic]) -> Iterator[Item]:
    """One item for all that the files but the index say against each other about one task or the
    store."""
    yield from _apart(task, since, [d for d in diagnostics if d.rule in _DRIFT])


def _index(board: Board) -> Iterator[Item]:
    """One item for all that the index and the files say against each other."""
    told = [*board.notes, *(d for row in board.active for d in row.diagnostics)]
    yield from _apart("", "", [d for d in told if d.rule in _INDEX])


def _apart(task: str, since: str, found: Sequence[Diagnostic]) -> Iterator[Item]:
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        sides = tuple(Side(d.rule, f"{d.message}; {d.hint}", d.line) for d in found)
        yield Item("drift", task, found[0].rule, f"{found[0].message}{more}", since, sides)
