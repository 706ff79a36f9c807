"""Board: everything read from one repository at one moment, with the drift between its parts."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.task import Estimate, Status, Task
from mandrel_tui.protocol.turn import Turn

GROUPS = ("completed", "final_review", "in_progress", "blocked", "pending", "off-schema")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the board. Active rows carry their `task` (None when unreadable) and `turn`;
    archived rows, which may come from the cache, carry neither.

    `activity` is the stamp of the last claim or log entry as typed, for the age column.
    """

    name: str
    path: str
    id: str
    status: Status | None
    estimate: Estimate | None
    estimate_text: str
    title: str
    blockers: tuple[str, ...]
    archived: bool
    activity: str
    diagnostics: tuple[Diagnostic, ...]
    turn: Turn | None = None
    task: Task | None = None
    handover: None = None

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
    def owed(self) -> tuple[Row, ...]:
        return tuple(r for r in self.active if r.turn is not None and r.turn.yours)

    def find(self, name: str) -> Row | None:
        """The row of exactly that file name, active first."""
        return next((r for r in self.rows if r.name == name), None)


def slug(name: str) -> str:
    """A name without a leading `YYYY-MM-DD-`."""
    head, rest = name[:10], name[10:]
    dated = len(rest) > 1 and rest[0] == "-" and head[4:8:3] == "--"
    return rest[1:] if dated and head.replace("-", "").isdigit() else name
