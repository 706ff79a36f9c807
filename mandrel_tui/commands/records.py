"""Records: the JSON shapes of the commands; field names are interface and never change meaning."""

from __future__ import annotations

from typing import Any

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.convergence import Group, groups
from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.task import LogEntry, Task
from mandrel_tui.protocol.turn import Turn

SCHEMA = 1

Record = dict[str, Any]

ARCHIVED = "The task is archived: nothing is next for it."
# The fields of a turn by the names of its values, in the order they are printed.
_OF_TURN = {
    "turn": "kind",
    "rule": "rule",
    "role": "role",
    "mode": "mode",
    "reason": "reason",
    "pending_review": "pending_review",
    "group": "group",
    "escalation": "escalation",
    "ignored_fix_set": "ignored_fix_set",
    "legal_roles": "legal",
}


def turn_record(row: Row, turn: Turn | None) -> Record:
    """A task's turn; an archived one has none, and nothing is legal for it."""
    facts: Record = dict.fromkeys(_OF_TURN)
    if turn is None:
        facts |= {"reason": ARCHIVED, "pending_review": [], "legal_roles": []}
        facts |= {"ignored_fix_set": False}
    else:
        facts |= {field: getattr(turn, name) for field, name in _OF_TURN.items()}
    record = {"schema": SCHEMA, "task": row.name, "status": row.status, **facts}
    return {**record, "diagnostics": _diagnostics(row.diagnostics)}


def row_record(row: Row) -> Record:
    """A task on the board; an archived one has no turn."""
    turn = row.turn
    return {
        "schema": SCHEMA,
        "task": row.name,
        "id": row.id,
        "status": row.status,
        "session_est": row.estimate_text,
        "title": row.title,
        "blockers": row.blockers,
        "archived": row.archived,
        "turn": turn.kind if turn else None,
        "mode": turn.mode if turn else None,
        "escalation": turn.escalation if turn else None,
        "handover": _handover(row),
        "diagnostics": _diagnostics(row.diagnostics),
    }


def _handover(row: Row) -> Record | None:
    """Where the latest session of a task stands; None where nothing was handed over."""
    if row.handover is None:
        return None
    out = row.handover
    return {"state": out.state, "since": out.since, "launcher": out.launcher}


def task_record(row: Row, task: Task) -> Record:
    """A task with everything its file says; of what is there twice the first counts."""
    return {
        **row_record(row),
        "fields": _firsts((field.key, field.value) for field in task.fields),
        "sections": _firsts((section.title, section.body) for section in task.sections),
        "entries": [_entry(entry) for entry in task.entries],
        "groups": [_group(group) for group in groups(task)],
        "claimed_sid": task.claimed_sid,
    }


def _entry(entry: LogEntry) -> Record:
    return {
        "line": entry.line,
        "date": entry.date,
        "sid": entry.sid,
        "review_of": entry.review_of,
        "before": entry.before,
        "after": entry.after,
        "fields": _firsts((field.name, field.value) for field in entry.fields),
    }


def _group(group: Group) -> Record:
    return {
        "group": group.name,
        "rounds": group.rounds,
        "budget": group.budget,
        "entries": group.entries,
    }


def _firsts(pairs: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def _diagnostics(diagnostics: tuple[Diagnostic, ...]) -> list[Record]:
    return [
        {"rule": d.rule, "file": d.file, "line": d.line, "message": d.message, "hint": d.hint}
        for d in diagnostics
    ]
