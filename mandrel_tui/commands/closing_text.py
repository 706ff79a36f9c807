"""Closing text: plans, checks and journals of closeouts as lines for people and as JSON; every word
of a file is made visible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mandrel_tui.commands.output import painted
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.protocol.closeout import Plan
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.housekeeping import tokens
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.preconditions import Precondition
from mandrel_tui.protocol.proposal import Review
from mandrel_tui.protocol.snapshot import limit_of
from mandrel_tui.protocol.verify_closeout import named
from mandrel_tui.workspace.closeout import Prepared
from mandrel_tui.workspace.journal import FileStep, Journal
from mandrel_tui.workspace.proposals import NOTHING
from mandrel_tui.workspace.steps import Outlook
from mandrel_tui.workspace.visible import shown, visible

_SIGNS = {"added": "+", "changed": "~", "removed": "-", "moved": ">"}


def plan_lines(prepared: Prepared) -> Iterator[str]:
    """The plan for people: every file with what happens to it, the preconditions, the diffs."""
    plan = prepared.plan
    count = len(plan.changes)
    yield painted(f"close out {visible(plan.task)}: {counted(count, 'file change')}", "bold")
    if prepared.proposal is not NOTHING:
        yield f"  from    {prepared.proposal.source}"
    yield from (f"  {line}" for line in _file_lines(plan))
    if not count:
        yield "  nothing is left to do"
    elif prepared.carried:
        yield f"  commit  {visible(plan.message)}"
        yield f"          on {visible(prepared.place)}: {counted(len(prepared.carried), 'path')}"
    else:
        yield "  commit  none: git carries no path of it"
    yield f"  audit   {visible(plan.audit)}"
    yield painted("before the first byte", "bold")
    yield from _precondition_lines(prepared.preconditions)
    for file in plan.changes:
        if file.edit not in plan.archive:
            yield from map(visible, file.edit.diff)


def _file_lines(plan: Plan) -> Iterator[str]:
    words = {r.edit.path: r.words for r in plan.reconciled if r.edit is not None}
    for file in plan.changes:
        about = visible(words.get(file.path, ""))
        if file.action == "moved":
            about = "moved to .ai-tasks/archive/"
        elif file.path.startswith(".ai/") and file.path.endswith(".md"):
            before, after = tokens(file.edit.before), tokens(file.edit.after)
            about = f"{before:,} -> {after:,} of {limit_of(file.path):,} tokens"
        yield f"{_SIGNS[file.action]} {shown(file.path)}  {about}".rstrip()


def _precondition_lines(rows: Sequence[Precondition]) -> Iterator[str]:
    longest = max(len(row.id) for row in rows)
    for row in rows:
        sign = painted("v", "pass") if row.passed else painted("x", "fail")
        yield f"  {sign} {row.id:{longest}}  {visible(row.detail)}"


def result_lines(results: Sequence[CheckResult]) -> Iterator[str]:
    longest = max(len(result.id) for result in results)
    for result in results:
        sign = painted("v", "pass") if result.passed else painted("x", "fail")
        name, said = named(result)
        yield f"{sign} {visible(name):{longest}}  {visible(said)}".rstrip()


def journal_lines(begun: Journal, steps: Sequence[Outlook]) -> Iterator[str]:
    yield painted(f"{visible(begun.act)}, begun {begun.started}", "bold")
    for number, row in enumerate(steps, start=1):
        words = f"; {visible(row.words)}" if row.words else ""
        yield f"  {number}  {row.stage:13}  {shown(row.step.path)}{words}"


def undo_lines(inverse: Journal, edits: Sequence[Edit]) -> Iterator[str]:
    """What takes a closeout back: every file, the commit, the differences."""
    yield painted(f"take back {visible(inverse.closeout)}", "bold")
    moved = {step.path for step in inverse.steps if isinstance(step, FileStep) and step.twin}
    for edit in edits:
        if edit.path not in moved:
            yield f"  ~ {shown(edit.path)}"
        elif edit.before is None:
            yield f"  < {shown(edit.path)}  moved back from .ai-tasks/archive/"
    if inverse.undoes:
        yield f"  commit  {visible(inverse.message.partition(chr(10))[0])}"
        yield f"          reverts {inverse.undoes[:7]}"
    for edit in edits:
        if edit.path not in moved:
            yield from map(visible, edit.diff)


def problems(results: Sequence[CheckResult]) -> list[Record]:
    return [{"code": result.id, "detail": result.detail} for result in results]


def plan_record(prepared: Prepared, reviews: Sequence[Review]) -> Record:
    """The plan for machines."""
    plan = prepared.plan
    rows = [{"id": r.id, "passed": r.passed, "detail": r.detail} for r in prepared.preconditions]
    documents = [
        {"path": r.document.path, "change": r.document.change, "hunks": _hunks(r)} for r in reviews
    ]
    files = [{"path": file.path, "action": file.action} for file in plan.files]
    return {
        "schema": SCHEMA,
        "task": plan.task,
        "preconditions": rows,
        "documents": documents,
        "files": files,
    }


def _hunks(review: Review) -> list[Record]:
    """The hunks of a document: where its lines begin on either side, and how many they are."""
    return [
        {
            "old_line": hunk.old_start + 1,
            "old_lines": len(hunk.old),
            "new_line": hunk.new_start + 1,
            "new_lines": len(hunk.new),
        }
        for hunk in review.hunks
    ]
