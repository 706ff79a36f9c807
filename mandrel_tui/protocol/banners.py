"""Banners: what the contract set says to the human at an escalation, a question or an end without
result; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.convergence import convergence_group, rounds
from mandrel_tui.protocol.fragments import FRAGMENTS
from mandrel_tui.protocol.placeholders import encoded, fill
from mandrel_tui.protocol.plan import KEPT, NO_HEADING
from mandrel_tui.protocol.plan_gate import Gate, Revision
from mandrel_tui.protocol.rewriting import entry_text
from mandrel_tui.protocol.task import LogEntry, Status, Task
from mandrel_tui.protocol.turn import Escalation, Turn

NOTHING = "nothing"


def escalation_banner(task: Task, turn: Turn, contracts: Contracts) -> str:
    """What is said where a ruling is owed; the turn's own reason where the set cannot say it."""
    if turn.escalation is None or contracts.problems:
        return turn.reason
    name, values = _escalated(task, turn.escalation)
    return banner(name, values, contracts)


def _escalated(task: Task, escalation: Escalation) -> tuple[str, dict[str, str]]:
    latest = task.latest_review
    if latest is None or escalation is Escalation.FINAL_REVIEW_STALL:
        return "banner-final-review-stall", {}
    if escalation is Escalation.DISPUTE_UNRESOLVED:
        held = (latest.dispute or "").strip()
        line = f"{latest.sid}: {held}" if held else latest.sid
        return "banner-dispute", {"reviewer_line": line, "review_entry": entry_text(task, latest)}
    return "banner-convergence", {
        "group": convergence_group(latest),
        "rounds": str(rounds(task, latest.group)),
        "findings": _field(latest, "Findings"),
    }


def blocked_banner(task: Task, contracts: Contracts) -> str:
    """What is said where a session waits for an answer."""
    blocked = [e for e in task.entries if e.after == Status.BLOCKED]
    role = "review" if blocked and blocked[-1].is_review else "dev"
    values = {
        "role": role,
        "sid": task.claimed_sid or NOTHING,
        "blockers": "; ".join(task.blockers) or NOTHING,
        "open_context": _field(blocked[-1], "Open", "Findings") if blocked else NOTHING,
    }
    if contracts.problems:
        return f"Blocked: {values['blockers']}"
    return banner("banner-blocked", values, contracts)


def banner(name: str, values: Mapping[str, str], contracts: Contracts) -> str:
    """One banner of the set with its gaps filled."""
    text = contracts.fragment(f"midflight/{name}")
    filled = fill(text, {gap: encoded(value) for gap, value in values.items()})
    return filled.decode("utf-8", "surrogateescape")


def _field(entry: LogEntry, *names: str) -> str:
    """The first of these fields that says something."""
    return next((said for name in names if (said := (entry.get(name) or "").strip())), NOTHING)


def plan_banner(gate: Gate, sid: str, contracts: Contracts) -> str:
    """What is said where a plan waits: whose it is, which report, and what to look at; how to
    answer is not, since approval and feedback are acts of their own."""
    latest = gate.latest
    if latest is None or contracts.problems:
        return ""
    warned = (_PLAN_WARNINGS[text] for text in latest.adopted.warnings if text in _PLAN_WARNINGS)
    return banner(
        "banner-plan-gate",
        {
            "headline": _headline(gate, latest, sid, contracts),
            "shown": "",
            "warning": "\n".join(_filled(name, gate, latest, sid, contracts) for name in warned),
        },
        contracts,
    )


def _headline(gate: Gate, latest: Revision, sid: str, contracts: Contracts) -> str:
    if latest.first:
        name = "plan-headline-replied" if NO_HEADING in latest.adopted.warnings else _PROPOSES
    else:
        name = _REVISED if latest.adopted.replaced else "plan-headline-unchanged"
    return _filled(name, gate, latest, sid, contracts)


def _filled(name: str, gate: Gate, latest: Revision, sid: str, contracts: Contracts) -> str:
    """A fragment of the plan gate with those of its gaps that it has."""
    rounds = [one for one in gate.revisions if one.number == latest.number]
    known = {
        "sid": sid or "(id not known)",
        "report_rev": str(latest.number),
        "report_round": str(gate.revisions.index(rounds[0]) + 1),
        "log_file": "the reply",
    }
    declared = FRAGMENTS[f"midflight/{name}"]
    return banner(name, {gap: known[gap] for gap in declared}, contracts)


_PROPOSES, _REVISED = "plan-headline-proposes", "plan-headline-revised"
_PLAN_WARNINGS = {NO_HEADING: "plan-warning-no-heading", KEPT: "plan-warning-keep"}
