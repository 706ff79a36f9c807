"""Listing: which tasks of a board a list holds, narrowed, grouped, sorted; it formats nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.graph import is_ready
from mandrel_tui.protocol.kinds import GROUPS

SORTS = ("name", "age", "estimate")
ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person chose to see; no statuses means all of them."""

    statuses: frozenset[str] = frozenset()
    ready: bool = False
    owed: bool = False
    archived: bool = False
    sort: str = "name"

    @property
    def narrowed(self) -> tuple[str, ...]:
        """In words, what leaves tasks out."""
        chosen = tuple(name for name in GROUPS if name in self.statuses)
        ready = ("ready now",) if self.ready else ()
        return (*chosen, *ready, *(("owed by you",) if self.owed else ()))


@dataclass(frozen=True, slots=True)
class Group:
    """One group of the list, its rows in their order."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """The groups that are not empty; `total` counts the rows before any narrowing."""

    groups: tuple[Group, ...]
    total: int

    @property
    def rows(self) -> tuple[Row, ...]:
        """All listed rows in their order."""
        return tuple(row for group in self.groups for row in group.rows)


def listing(board: Board, choice: Choice) -> Listing:
    """The rows a choice leaves, archived tasks in a group of their own at the end."""
    pool = board.rows if choice.archived else board.active
    groups: dict[str, list[Row]] = {name: [] for name in (*GROUPS, ARCHIVED)}
    for row in pool:
        if _left(row, choice):
            groups[ARCHIVED if row.archived else row.group].append(row)
    kept = tuple(Group(name, ordered(rows, choice.sort)) for name, rows in groups.items() if rows)
    return Listing(kept, len(pool))


def _left(row: Row, choice: Choice) -> bool:
    if choice.statuses and row.group not in choice.statuses:
        return False
    owed = row.yours and not row.archived
    return (not choice.owed or owed) and (not choice.ready or is_ready(row))


def ordered(rows: Iterable[Row], sort: str) -> tuple[Row, ...]:
    """By name; by age, the latest activity first; by estimate, the fewest sessions left first."""
    named = sorted(rows, key=lambda row: row.name)
    if sort == "age":
        return tuple(sorted(named, key=lambda row: _moment(row.activity), reverse=True))
    return tuple(sorted(named, key=_sessions_left) if sort == "estimate" else named)


def _moment(stamp: str) -> datetime:
    """A stamp as typed as a time to sort by; what is no time comes before all others."""
    try:
        found = datetime.fromisoformat(stamp.strip())
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _sessions_left(row: Row) -> int:
    estimate = row.estimate
    return estimate.total - estimate.done if estimate is not None else 1 << 30
