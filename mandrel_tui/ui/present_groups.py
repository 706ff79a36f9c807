"""Present the convergence groups of a task as timelines: lines of text and role; it touches no
widget."""

from __future__ import annotations

from collections.abc import Mapping

from mandrel_tui.protocol.convergence import Group, groups, unreviewed
from mandrel_tui.protocol.task import LogEntry, Task, Verdict
from mandrel_tui.ui.clean import pad, width
from mandrel_tui.ui.line import Line, Piece, Pieces, size
from mandrel_tui.ui.symbols import Symbols

STATES: Mapping[str, str] = {
    "settled": "pass",
    "changes requested": "dev",
    "spent": "you",
    "disputed": "you",
}


def timelines(
    task: Task, sids: Mapping[str, str], cells: int, symbols: Symbols, *, prefix: str = ""
) -> list[Line]:
    """One line a convergence group, `w1 ── ✗2 ── w3 ── ✓4   1 of 2   settled`, and one for the
    work no review has named yet. A line too long loses its earliest entries."""
    found = groups(task)
    labels = [sids.get(g.name, g.name) if g.name is not None else "no group" for g in found]
    loose = unreviewed(task)
    column = max((width(text) for text in (*labels, *(("no group",) if loose else ()))), default=0)
    out = [
        _timeline(
            prefix + pad(text, column),
            _group_steps(task, group, symbols),
            _used(group),
            cells,
            symbols,
        )
        for text, group in zip(labels, found, strict=True)
    ]
    if loose:
        steps: list[Pieces] = [((f"w{p + 1}", "dev"),) for p in loose]
        steps.append(((symbols.unknown, "you"),))
        waits = (("waits for a review", "review"),)
        out.append(_timeline(prefix + pad("no group", column), steps, waits, cells, symbols))
    return out


def _group_steps(task: Task, group: Group, symbols: Symbols) -> list[Pieces]:
    steps: list[Pieces] = []
    rounds = 0
    for position in group.entries:
        entry = task.entries[position]
        rounds += entry.verdict is Verdict.CHANGES_REQUESTED
        spends = entry.verdict is Verdict.CHANGES_REQUESTED and rounds > group.budget
        steps.append(_step(entry, position + 1, symbols, spends=spends))
    last = task.entries[group.entries[-1]]
    if not last.is_review and last.sid in task.pending_review:
        steps.append(((symbols.unknown, "you"),))
    return steps


def _step(entry: LogEntry, number: int, symbols: Symbols, *, spends: bool) -> Pieces:
    if not entry.is_review:
        return ((f"w{number}", "dev"),)
    marks = {Verdict.PASS: (symbols.ok, "pass"), Verdict.CHANGES_REQUESTED: (symbols.fail, "fail")}
    mark, role = marks[entry.verdict] if entry.verdict else (symbols.unknown, "you")
    dispute = ((symbols.flag, "you"),) if entry.dispute is not None else ()
    return ((f"{mark}{number}", role), *(((" " + symbols.owe, "you"),) if spends else ()), *dispute)


def _used(group: Group) -> Pieces:
    counted = f"{group.rounds} of {group.budget}   "
    return ((counted, "quiet"), (group.state, STATES.get(group.state, "text")))


def _timeline(label: str, steps: list[Pieces], right: Pieces, cells: int, symbols: Symbols) -> Line:
    """Steps joined by `──`, the first ones left out where `cells` are too few."""
    joint = (f" {symbols.thin * 2} ", "line")
    room = cells - width(label) - 3 - size(right) - 1
    kept: list[Pieces] = []
    for step in reversed(steps):
        used = sum(size(one) + width(joint[0]) for one in kept)
        if kept and used + size(step) > room - (0 if step is steps[0] else 5):
            kept.append(((symbols.ellipsis, "quiet"),))
            break
        kept.append(step)
    joined: list[Piece] = []
    for step in reversed(kept):
        joined += [*([joint] if joined else []), *step]
    return Line(((f"{label}   ", "quiet"), *joined), right)
