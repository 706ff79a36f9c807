"""Verification of a closeout: what a finished one leaves behind, and what is missing of it; changes
nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.index import PATH, Index
from mandrel_tui.protocol.postchecks import CheckResult, Evidence, tree_outcome
from mandrel_tui.protocol.task import Status, Task

_AUDIT = re.compile(r"remaining[- ]task audit[ \t]*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Remains:
    """What lies in a repository when a task was closed out.

    `names` are the task's file name and its id, `copies` the names or ids under which the archive
    may hold it, `archived` every name and id in the archive; `report` is what the session said
    last, None where nobody has it.
    """

    task: str
    names: frozenset[str]
    active: tuple[Task, ...]
    copies: frozenset[str]
    archived: frozenset[str]
    index: Index | None
    report: str | None
    evidence: Evidence


def verify(remains: Remains) -> tuple[CheckResult, ...]:
    """Every requirement of a finished closeout with what came of it, in the order of CODES."""
    return tuple(_result(code, words, fault, remains) for code, words, fault in CODES)


def named(result: CheckResult) -> tuple[str, str]:
    """What a result is called in a list, and what is said beside it: a code names what is missing,
    so what holds is called by its requirement."""
    if result.passed and result.id in FAULTS:
        return result.requirement, ""
    return result.id, result.detail


def audit_line(text: str) -> str | None:
    """The first line of a report that audits the remaining tasks; None without one."""
    lines = (line.strip() for line in text.split("\n"))
    return next((line for line in lines if _AUDIT.search(line)), None)


Fault = Callable[[Remains], Iterator[str]]


def _result(code: str, words: str, fault: Fault, remains: Remains) -> CheckResult:
    found = "; ".join(fault(remains))
    return CheckResult(code, words, not found, found or "so it is")


def _task_file(remains: Remains) -> Iterator[str]:
    yield from (task.path for task in remains.active if task.name == remains.task)


def _archive_copy(remains: Remains) -> Iterator[str]:
    if not remains.names & remains.copies:
        yield f"no {remains.task}.md in the archive"


def _index_row(remains: Remains) -> Iterator[str]:
    for row in remains.index.rows if remains.index else ():
        if row.id in remains.names:
            yield f"{PATH} line {row.line}"


def _stale_blockers(remains: Remains) -> Iterator[str]:
    for task in remains.active:
        stale = [blocker for blocker in task.blockers if blocker in remains.archived]
        if stale:
            yield f"{task.name} waits for {', '.join(stale)}"


def _no_blockers(remains: Remains) -> Iterator[str]:
    for task in remains.active:
        if task.status is Status.BLOCKED and not task.blockers:
            yield task.name


def _audit(remains: Remains) -> Iterator[str]:
    if remains.report is None:
        yield "nobody kept the report"
    elif audit_line(remains.report) is None:
        yield "the report has no such line"


def _tree(remains: Remains) -> Iterator[str]:
    outcome = tree_outcome(remains.evidence)
    if not outcome.passed:
        yield outcome.detail


CODES: tuple[tuple[str, str, Fault], ...] = (
    ("task-not-archived", "the task file is gone from .ai-tasks/", _task_file),
    ("archive-copy-missing", "the archive holds the task", _archive_copy),
    ("index-row-present", "the index has no row for it", _index_row),
    ("stale-blocker", "no active task waits for an archived one", _stale_blockers),
    ("blocked-without-blockers", "no blocked task is without blockers", _no_blockers),
    ("audit-line-missing", "the report has a line `Remaining-task audit: …`", _audit),
    ("tree-not-clean", "the working tree is clean", _tree),
)
FAULTS = frozenset(code for code, _, _ in CODES)
