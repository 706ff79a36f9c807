"""Board: everything read from one repository at one moment; `drift.py` compares its parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.task import Estimate, Status, Task
from mandrel_tui.protocol.turn import Turn, TurnKind

if TYPE_CHECKING:
    from mandrel_tui.protocol.plan_gate import Gate
    from mandrel_tui.protocol.ruling import Ruling
    from mandrel_tui.protocol.standing import Standing

_DATED = re.compile(r"\d{4}-\d\d-\d\d-(?=.)")
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the board. Active rows carry their `task` and `turn`; archived rows, which may
    come from a cache, carry neither.

    `activity` is the stamp of the last claim or log entry as typed, for the age column; `handover`
    is where its latest session stands, `ruling` and `gate` what prompts of it carry now.
    """

    name: str
    path: str
    id: str
    status: Status | None
    status_text: str
    estimate: Estimate | None
    estimate_text: str
    title: str
    blockers: tuple[str, ...]
    archived: bool
    activity: str
    diagnostics: tuple[Diagnostic, ...]
    turn: Turn | None = None
    task: Task | None = None
    handover: Standing | None = None
    ruling: Ruling | None = None
    gate: Gate | None = None

    @property
    def group(self) -> str:
        """Its board group, one of GROUPS."""
        return self.status.value if self.status is not None else "off-schema"

    @property
    def slug(self) -> str:
        """The name without its date prefix."""
        return slug(self.name)

    @property
    def flags(self) -> int:
        """How many diagnostics the row's mark counts."""
        return sum(d.marks for d in self.diagnostics)

    @property
    def ruled(self) -> bool:
        """Whether the ruling its turn waits for was given."""
        return self.ruling is not None and self.turn is not None and bool(self.turn.escalation)

    @property
    def yours(self) -> bool:
        """Whether its next step waits for the human: while a session is out only where the file
        cannot be understood."""
        turn, session = self.turn, self.handover
        if turn is None or turn.kind is TurnKind.INVALID:
            return turn is not None
        if self.gate is not None and self.gate.waits:
            return True
        if session is not None and (session.out or session.yours):
            return session.yours
        return turn.yours and not self.ruled

    @property
    def word(self) -> str:
        """The one word of its next step: that of the turn, or what a hand-over puts in its place:
        plan out check failed; empty for an archived task."""
        if self.unread is not None:
            return "unread"
        if self.turn is None:
            return ""
        if self.gate is not None and self.gate.waits:
            return "plan"
        session = self.handover.word if self.handover is not None else ""
        if session and self.turn.kind is not TurnKind.INVALID:
            return session
        return self.turn.word_ruled if self.ruled else self.turn.word

    @property
    def unread(self) -> Diagnostic | None:
        """Why the file could not be read at all."""
        return next((d for d in self.diagnostics if d.rule == "unreadable"), None)


@dataclass(frozen=True, slots=True)
class Board:
    """All rows, active first then archived, each sorted by name; `notes` are diagnostics of no one
    task (index rows without a file, near misses that were not read, an index that is damaged)."""

    rows: tuple[Row, ...]
    notes: tuple[Diagnostic, ...] = ()

    @property
    def active(self) -> tuple[Row, ...]:
        return tuple(r for r in self.rows if not r.archived)

    @property
    def archived(self) -> tuple[Row, ...]:
        return tuple(r for r in self.rows if r.archived)

    @property
    def owed(self) -> tuple[Row, ...]:
        """Active rows whose next step waits for the human."""
        return tuple(r for r in self.active if r.yours)

    def find(self, name: str) -> Row | None:
        """The row of exactly that file name, active first."""
        return next((r for r in self.rows if r.name == name), None)


def slug(name: str) -> str:
    """A name without a leading `YYYY-MM-DD-`."""
    return _DATED.sub("", name, count=1) if _DATED.match(name) else name


def row_of(task: Task, *, archived: bool = False, turn: Turn | None = None) -> Row:
    """The board's line for a task; an archived one keeps nothing of the task but its facts."""
    return Row(
        name=task.name,
        path=task.path,
        id=task.id,
        status=task.status,
        status_text=task.status_text,
        estimate=task.estimate,
        estimate_text=task.estimate_text,
        title=task.title,
        blockers=task.blockers,
        archived=archived,
        activity=activity(task),
        diagnostics=task.diagnostics,
        turn=turn,
        task=None if archived else task,
    )


def activity(task: Task) -> str:
    """The latest of the claim's stamp and the last entry's date, as typed; without both the date
    the name begins with, empty where it begins with none."""
    claimed = task.claimed_at if _STAMP.match(task.claimed_at) else ""
    entry = task.entries[-1].date if task.entries else ""
    named = task.name[:10] if _DATED.match(task.name) else ""
    return (claimed if claimed[:10] >= entry[:10] else entry) or named
