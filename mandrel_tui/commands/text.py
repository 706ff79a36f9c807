"""Text: boards, turns and tasks as lines for people; every word of a file is made visible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from mandrel_tui.commands.cells import cut, pad, width
from mandrel_tui.commands.output import painted
from mandrel_tui.commands.records import ARCHIVED
from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.convergence import Group, groups
from mandrel_tui.protocol.diagnostics import Diagnostic, Severity
from mandrel_tui.protocol.kinds import GROUPS
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.task import EXTERNAL, LogEntry, Task, short_sids
from mandrel_tui.protocol.turn import Turn
from mandrel_tui.workspace.visible import shown, visible

if TYPE_CHECKING:
    from mandrel_tui.protocol.ruling import Ruling

_LONGEST_NAME = 44
_TURN_WIDTH = 9
_SIGNS = {Severity.STOP: "x", Severity.WARN: "~", Severity.NOTE: "-"}
_STYLES = {Severity.STOP: "fail", Severity.WARN: "you", Severity.NOTE: "quiet"}
_ENTRY_INDENT = " " * 6


def board_lines(
    root: Path, rows: Sequence[Row], notes: Sequence[Diagnostic], cells: int | None
) -> Iterator[str]:
    """The tasks by group, nearest to done first, archived ones last; what is odd under each."""
    active = [row for row in rows if not row.archived]
    yield f"{shown(root)}: {counted(len(active), 'task')}"
    if not rows:
        yield "No task is here; `mandrel-tui new` drafts one."
    names = _name_width(rows)
    for group, members in _grouped(rows):
        yield ""
        yield painted(f"{group} {len(members)}", "bold")
        for row in members:
            yield _row_line(row, names, cells)
            yield from (f"{'':8}{said}" for said in _session_words(row))
            yield from _blocker_lines(row)
            yield from _diagnostic_lines((d for d in row.diagnostics if d.marks), row.path)
    if notes:
        yield ""
        yield from _diagnostic_lines(notes)


def _grouped(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    def place(row: Row) -> int:
        return len(GROUPS) if row.archived else GROUPS.index(row.group)

    for number, members in groupby(sorted(rows, key=place), key=place):
        yield (*GROUPS, "archived")[number], list(members)


def _row_line(row: Row, names: int, cells: int | None) -> str:
    estimate = visible(row.estimate_text) or "-/-"
    flags = f"f{row.flags}" if row.flags else ""
    line = f"  {pad(estimate, 5)} {pad(visible(row.name), names)} {pad(flags, 3)} "
    room = None if cells is None else cells - width(line) - _TURN_WIDTH - 1
    return f"{line}{_turn_word(row)} {cut(visible(row.title), room)}".rstrip()


def _turn_word(row: Row) -> str:
    """The next step in one word, `!` before it where the human owes something."""
    if row.turn is None:
        return " " * _TURN_WIDTH
    mark = "!" if row.yours else " "
    return painted(pad(f"{mark}{row.word}", _TURN_WIDTH), "you" if row.yours else "")


def _session_words(row: Row) -> Iterator[str]:
    """Since when a session is out, or what is to be done about one that is back."""
    if row.handover is not None and row.handover.sentence:
        yield visible(row.handover.sentence)


def _why(row: Row) -> str:
    """Why the next step is what its word says: what its file says only where no session says it."""
    gate = row.gate
    if gate is not None and gate.waits and gate.latest is not None and row.word == "plan":
        return f"Report {gate.latest.number} waits for your approval or feedback."
    if row.handover is not None and row.word == row.handover.word:
        return next(_session_words(row), "")
    return visible(row.turn.reason) if row.turn is not None else ""


def _blocker_lines(row: Row) -> Iterator[str]:
    for blocker in row.blockers:
        question = blocker.removeprefix(EXTERNAL)
        kind = "waits for" if question == blocker else "asks"
        yield f"{'':8}{kind}: {visible(question.strip())}"


def _diagnostic_lines(diagnostics: Iterable[Diagnostic], path: str | None = None) -> Iterator[str]:
    """One line each; the file is left out where it is the one that is spoken of."""
    for d in diagnostics:
        place = "" if d.file == path else f"{visible(d.file)} "
        place += "" if d.line is None else f"line {d.line} "
        hint = f"; {visible(d.hint)}" if d.hint else ""
        sign = painted(_SIGNS[d.severity], _STYLES[d.severity])
        yield f"{'':8}{sign} {place}{d.rule}: {visible(d.message)}{hint}"


def turns_lines(root: Path, rows: Sequence[Row], cells: int | None) -> Iterator[str]:
    """One line a task: whose turn it is and why."""
    yield f"{shown(root)}: {counted(len(rows), 'active task')}"
    names = _name_width(rows)
    for row in rows:
        if row.turn is not None:
            name = pad(visible(row.name), names)
            room = None if cells is None else cells - width(name) - _TURN_WIDTH - 4
            yield f"  {_turn_word(row)} {name} {cut(_why(row), room)}".rstrip()


def turn_lines(row: Row) -> Iterator[str]:
    """One task's turn: role, mode and rule, the reason, what the human owes, what else is legal."""
    status = row.status.value if row.status else "off-schema"
    yield f"{painted(visible(row.name), 'bold')}  {status} {visible(row.estimate_text)}".rstrip()
    if row.turn is not None:
        yield from (f"  session  {said}" for said in _session_words(row))
        yield from _turn_body(row.turn, row.ruling if row.ruled else None)
    elif row.archived:
        yield f"  {ARCHIVED}"
    yield from _diagnostic_lines(row.diagnostics, row.path)


def _turn_body(turn: Turn, ruling: Ruling | None) -> Iterator[str]:
    rule = "" if turn.rule is None else f" (rule {turn.rule})"
    yield f"  next     {painted(_turn_title(turn), 'bold')}{rule}"
    yield f"  why      {visible(turn.reason)}"
    yield f"  you owe  {'nothing' if ruling else visible(turn.owes) or 'nothing'}"
    if ruling is not None:
        yield f"  ruling   given {ruling.at}, goes out with the next prompt"
    if turn.pending_review:
        yield f"  pending  {visible(', '.join(turn.pending_review))}"
    if turn.group is not None:
        yield f"  group    {visible(turn.group)}"
    if turn.escalation is not None:
        yield f"  escalated: {turn.escalation}"
    if turn.ignored_fix_set:
        yield "  ~ fix-set: open is ignored, since no review requests changes"
    yield f"  legal    {', '.join(turn.legal) or 'nothing'}"


def _turn_title(turn: Turn) -> str:
    if turn.role is None or turn.mode is None:
        return str(turn.kind)
    return f"{turn.role}, {turn.mode.replace('-', ' ')}"


def task_lines(row: Row, task: Task) -> Iterator[str]:
    """One task in full: turn, fields, sections, log, convergence groups."""
    yield from turn_lines(row)
    yield ""
    yield painted(visible(task.title) or "(no title)", "bold")
    for field in task.fields:
        yield f"  {visible(field.key)}: {visible(field.value)}"
    for section in task.sections:
        yield ""
        yield painted(visible(section.title), "bold")
        yield from (f"  {visible(line)}".rstrip() for line in _lines(section.body))
    yield ""
    yield painted(f"Log, {counted(len(task.entries), 'entry', 'entries')}", "bold")
    for number, entry in enumerate(task.entries, start=1):
        yield from _entry_lines(number, entry)
    yield from _groups_lines(task)


def _entry_lines(number: int, entry: LogEntry) -> Iterator[str]:
    kind = "work" if entry.review_of is None else f"review of {visible(entry.review_of)}"
    before, after = visible(entry.before or "?"), visible(entry.after or "?")
    heading = f"{visible(entry.date)}  {visible(entry.sid)}  {kind}  {before} -> {after}"
    yield f"{number:4}  {heading}"
    for field in entry.fields:
        first, *rest = _lines(field.value) or [""]
        yield f"{_ENTRY_INDENT}{visible(field.name)}: {visible(first)}".rstrip()
        yield from (f"{_ENTRY_INDENT}{visible(line)}".rstrip() for line in rest)


def _groups_lines(task: Task) -> Iterator[str]:
    found = groups(task)
    if not found:
        return
    names = short_sids(group.name for group in found if group.name is not None)
    yield ""
    yield painted("Groups, changes-requested rounds used", "bold")
    for group in found:
        name = "no group" if group.name is None else visible(names[group.name])
        yield f"  {pad(name, 16)}  {_group_state(group)}"


def _group_state(group: Group) -> str:
    entries = ", ".join(str(place + 1) for place in group.entries)
    return f"{group.rounds} of {group.budget}  {group.state}  (entries {entries})"


def _lines(text: str) -> list[str]:
    """The lines of a text without blank ones at its ends; they end at LF or CRLF alone."""
    return [line.removesuffix("\r") for line in text.strip("\r\n").split("\n")]


def _name_width(rows: Sequence[Row]) -> int:
    return min(max((width(visible(row.name)) for row in rows), default=0), _LONGEST_NAME)
