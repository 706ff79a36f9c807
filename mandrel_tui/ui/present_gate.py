"""Present the plan gate: its rounds, what of a reply becomes the plan, and what approving does, as
lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.diff import unified
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.plan_gate import CONFIRM, FEEDBACK, Gate, Revision, Step
from mandrel_tui.protocol.turn import TurnKind
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import capital, words
from mandrel_tui.ui.present_session import local
from mandrel_tui.ui.symbols import Symbols

PROMPT = "prompt"  # the key of the row for the plan prompt


@dataclass(frozen=True, slots=True)
class Round:
    """One row of the gate: a step, and of a reply what it came to."""

    key: str
    step: Step
    revision: Revision | None = None


def rounds_of(gate: Gate | None) -> tuple[Round, ...]:
    """The steps of a gate, each reply with its revision."""
    return tuple(_rounds(gate)) if gate is not None else ()


def _rounds(gate: Gate) -> Iterator[Round]:
    revisions = iter(gate.revisions)
    for number, step in enumerate(gate.steps):
        yield Round(str(number), step, None if step.kind == FEEDBACK else next(revisions))


def round_row(one: Round, symbols: Symbols, now: datetime) -> Line:
    """`2  14:19  revised, replaces 1`."""
    at = local(one.step.at, now)
    if one.revision is None:
        size = counted(len(one.step.text.encode("utf-8", "surrogatepass")), "byte")
        return Line(((f"   {at}  ", "quiet"), (f"your feedback, {size}", "quiet")))
    number = f"{one.revision.number}"
    said = revision_words(one.revision)
    mark = ((f"  {symbols.mild}", "you"),) if one.revision.adopted.warnings else ()
    return Line(((f"{number}  ", "text bold"), (f"{at}  ", "quiet"), (said, "text"), *mark))


def revision_words(revision: Revision) -> str:
    """What a reply came to, in a few words."""
    if revision.first:
        return "first reply, adopted"
    if revision.replaces is not None:
        return f"revised, replaces {revision.replaces}"
    return "not clear, kept" if revision.adopted.warnings else "PLAN-REPORT: unchanged"


def warning_lines(one: Round | None, symbols: Symbols, now: datetime) -> list[Line]:
    """What the reply of a round gives reason to look at."""
    if one is None or one.revision is None:
        return []
    at = local(one.step.at, now)
    return [line(f"{symbols.mild} {at} {text}", "you") for text in one.revision.adopted.warnings]


def foot_lines(gate: Gate | None, row: Row | None, symbols: Symbols, now: datetime) -> list[Line]:
    """What approving does, or what stands in its way, or that it was done."""
    why = no_plan(row)
    if why:
        return [line(words(why, symbols), "you")]
    if gate is None or gate.latest is None:
        return [line("No reply yet. c copies the plan prompt, i takes the reply.")]
    if gate.approval is not None:
        answer = "" if gate.approval.answer == CONFIRM else f": {gate.approval.answer}"
        at = local(gate.approval.at, now)
        said = f"report {gate.latest.number} approved {at}{answer}"
        return [
            line(f"{symbols.ok} {words(said, symbols)}; the next dev prompt carries it", "pass")
        ]
    told = []
    if row is not None and row.task is not None and not gate.same(row.task):
        when = local(gate.at, now)
        told.append(line(f"the plan is for the state of {when}; approving asks", "you"))
    if not gate.waits:
        kept = "Your feedback is kept; c copies it, l launches it, i takes the reply to it."
        return [*told, line(kept)]
    number = gate.latest.number
    said = f"Approving hands report {number} and your answer to a fresh dev session, nothing else."
    return [*told, line(said)]


def plan_waits(row: Row) -> bool:
    """Whether a plan is what the human owes next on a task."""
    return row.word == "plan" and row.gate is not None


def plan_card(row: Row) -> list[Line]:
    """The next card where a plan waits."""
    latest = row.gate.latest if row.gate is not None else None
    report = f"report {latest.number}" if latest is not None else "the plan"
    return [
        line("plan gate", "you bold"),
        line(f"{capital(report)} waits for your approval or feedback."),
        line("You owe that: Space offers the plan gate by hand."),
    ]


def approved_words(row: Row, now: datetime) -> str:
    """`plan approved 14:40, goes with the next dev prompt`; empty without one in force."""
    if row.gate is None or row.gate.approval is None or no_plan(row):
        return ""
    return f"plan approved {local(row.gate.approval.at, now)}, goes with the next dev prompt"


def no_plan(row: Row | None) -> str:
    """Why there is no plan gate for a task; empty where there is."""
    if row is None or row.turn is None or row.archived:
        return "the task is not active"
    if row.turn.kind is TurnKind.INVALID or "plan" in row.turn.legal:
        return row.turn.reason if row.turn.kind is TurnKind.INVALID else ""
    if row.task is not None and row.task.remediation:
        return f"remediation skips the plan gate: {row.turn.reason}"
    return row.turn.reason


def against(gate: Gate, at: int) -> tuple[tuple[str, ...], str]:
    """The difference of the report of a revision to the one it replaced, and what they are called;
    nothing where it replaced none."""
    revisions = gate.revisions
    here = revisions[at]
    if here.replaces is None:
        return (), ""
    before = next(r for r in reversed(revisions[:at]) if r.number == here.replaces)
    texts = (f"{r.adopted.text}\n".encode("utf-8", "surrogatepass") for r in (before, here))
    lines = unified("report", *texts)
    return lines[2:], f"report {here.number} against {here.replaces}"


def adoption_lines(gate: Gate, symbols: Symbols) -> list[Line]:
    """What a reply that was just taken in would become."""
    latest = gate.latest
    assert latest is not None
    size = counted(len(latest.adopted.text.encode("utf-8", "surrogatepass")), "byte")
    if latest.adopted.replaced:
        instead = f", instead of report {latest.replaces}" if latest.replaces else ""
        told = [line(f"Becomes report {latest.number}, {size}{instead}.", "text bold")]
    else:
        told = [line(f"Keeps report {latest.number}.", "text bold")]
    return [*told, *(line(f"{symbols.mild} {t}", "you") for t in latest.adopted.warnings)]
