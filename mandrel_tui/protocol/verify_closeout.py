"""Verification of a closeout: what must hold once a task is archived; changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.index import PATH, Index
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.tree import Tree, TreeKind

AUDIT = re.compile(r"remaining[- ]task[ \t]+audit[ \t]*:", re.IGNORECASE)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that does not hold, by its stable code, and where it shows."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Closed:
    """What is found after the closeout of the task named `task`.

    `active` and `archived` are all tasks as they are now, `index` None where there is no index,
    `report` the text that should hold the audit line, None where nobody wrote any.
    """

    task: str
    active: Sequence[Task]
    archived: Sequence[Row]
    index: Index | None
    tree: Tree
    report: str | None

    @property
    def names(self) -> frozenset[str]:
        """The file name and the id of the task, from its file or its archive copy."""
        ids = {t.id for t in self.active if t.name == self.task}
        ids |= {row.id for row in self.archived if self.task == row.name}
        return frozenset({self.task, *ids} - {""})

    @property
    def archived_names(self) -> frozenset[str]:
        return frozenset(n for row in self.archived for n in (row.name, row.id) if n)


def verify(closed: Closed) -> tuple[Problem, ...]:
    """What does not hold, at most one problem a code, in a fixed order."""
    found = ((code, check(closed)) for code, check in CHECKS)
    return tuple(Problem(code, detail) for code, detail in found if detail)


def _archived(closed: Closed) -> str:
    still = next((t.path for t in closed.active if t.name == closed.task), "")
    return f"{still} is still there" if still else ""


def _copied(closed: Closed) -> str:
    there = closed.task in closed.archived_names
    return "" if there else f"the archive holds no task named {closed.task}"


def _row(closed: Closed) -> str:
    rows = closed.index.rows if closed.index else ()
    lines = [str(row.line) for row in rows if row.id in closed.names]
    return f"{PATH} names it in line {', '.join(lines)}" if lines else ""


def _stale(closed: Closed) -> str:
    known = closed.archived_names
    stale = ((t.name, [b for b in t.blockers if b in known]) for t in closed.active)
    return _some(f"{name} lists {', '.join(ids)}" for name, ids in stale if ids)


def _unblocked(closed: Closed) -> str:
    tasks = (t for t in closed.active if t.status is Status.BLOCKED and not t.blockers)
    return _some(f"{task.name} is blocked by nothing" for task in tasks)


def _audited(closed: Closed) -> str:
    if closed.report is not None and AUDIT.search(closed.report):
        return ""
    return "the report has no line `Remaining-task audit: …`"


def _clean(closed: Closed) -> str:
    tree = closed.tree
    if tree.kind is TreeKind.UNKNOWN:
        return tree.words or "git does not say"
    return _some(entry.text for entry in tree.entries)


def _some(parts: Iterable[str]) -> str:
    """The first few parts, and how many more there are."""
    found = list(parts)
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


CHECKS: tuple[tuple[str, Callable[[Closed], str]], ...] = (
    ("task-not-archived", _archived),
    ("archive-copy-missing", _copied),
    ("index-row-present", _row),
    ("stale-blocker", _stale),
    ("blocked-without-blockers", _unblocked),
    ("audit-line-missing", _audited),
    ("tree-not-clean", _clean),
)


def audit_line(updated: Sequence[str], unchanged: Sequence[str]) -> str:
    """The line that says which active tasks were reconciled and which needed nothing."""
    lists = (", ".join(names) or "none" for names in (updated, unchanged))
    changed, same = lists
    count = len(updated) + len(unchanged)
    return (
        f"Remaining-task audit: checked {count} active task(s); updated {changed}; unchanged {same}"
    )


def audit_lines(report: str) -> Iterator[str]:
    """The audit lines of a report, as they stand there."""
    return (line.strip() for line in report.split("\n") if AUDIT.search(line))
