"""Checking: `check`; what a session that came back kept of its word, and what it was judged by."""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from collections.abc import Iterator

from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import painted, say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.returned import Basis, Given, Judged, Report
from mandrel_tui.protocol.trail import FOLLOWUPS
from mandrel_tui.protocol.verify_closeout import named
from mandrel_tui.workspace.visible import visible

_ESTIMATE = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)
_BASIS = {
    Basis.RECORDED: "recorded when it was handed over",
    Basis.GIVEN: "as you say",
    Basis.INFERRED: "inferred, since nothing is recorded",
}


def run_check(arguments: Namespace) -> int:
    """Checks one session of a task, or verifies the closeout of one that was archived."""
    found = workspace(arguments)
    given = Given(
        role=arguments.role,
        status_before=arguments.status_before,
        est_before=_estimate(arguments.est_before),
        remediation=arguments.remediation,
    )
    with failures():
        report = found.check(arguments.task, arguments.sid, given)
    if arguments.json:
        write_json(report_record(report))
    else:
        write_lines(_lines(report))
    _say(report, arguments.sid)
    return DONE if report.passed else REFUSED


def _estimate(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    numbers = _ESTIMATE.fullmatch(text)
    if numbers is None:
        raise Failure(f"--est-before {text}: write done and total, such as 1/3")
    return int(numbers[1]), int(numbers[2])


def report_record(report: Report) -> Record:
    """A report for machines."""
    checks = [
        {"id": r.id, "requirement": r.requirement, "passed": r.passed, "detail": r.detail}
        for r in report.results
    ]
    warnings = [
        {"id": warning.id, "detail": warning.detail, "diff": list(warning.diff)}
        for warning in report.warnings
    ]
    return {"schema": SCHEMA, "checks": checks, "warnings": warnings, "passed": report.passed}


def _lines(report: Report) -> Iterator[str]:
    longest = max((len(result.id) for result in report.results), default=0)
    for result in report.results:
        yield from _result_lines(result, longest)
    for warning in report.warnings:
        yield f"{painted('~', 'you')} {warning.id:{longest}}  {visible(warning.detail)}"
        yield from (f"  {'':{longest}}  {visible(text)}" for text in warning.diff)


def _result_lines(result: CheckResult, longest: int) -> Iterator[str]:
    sign = painted("+", "pass") if result.passed else painted("x", "fail")
    name, said = named(result)
    yield f"{sign} {visible(name):{longest}}  {visible(said)}".rstrip()
    if not result.passed:
        yield f"  {'':{longest}}  required: {visible(result.requirement)}"


def _say(report: Report, sid: str | None) -> None:
    """What was judged by what, and what comes next; `sid` is the one that was asked for."""
    if report.judged is None:
        say(f"{report.task} is archived: its closeout is verified instead")
    else:
        say(_basis_words(report.sid, report.judged))
    if report.note:
        say(f"not recorded: {report.note}")
    if report.passed:
        return
    failing = counted(len(report.failed), "check fails", "checks fail")
    if report.followups >= FOLLOWUPS:
        say(f"{failing} after {report.followups} follow-ups: it is your call")
    elif report.judged is not None and report.judged.basis is Basis.GIVEN:
        say(f"{failing} by the facts you gave by hand; a follow-up judges without them")
    else:
        named = f" --sid {shlex.quote(sid)}" if sid else ""
        say(f"{failing}; `followup {report.task} {report.followup}{named}` makes the message")


def _basis_words(sid: str, judged: Judged) -> str:
    facts = judged.facts
    entered = f"entered at {facts.status_before}" if facts.status_before else "status unknown"
    est = "" if facts.est_before is None else ", estimate {}/{}".format(*facts.est_before)
    fix = ", remediation" if facts.remediation else ""
    return f"session {sid}: {facts.role}{fix}, {entered}{est}; {_BASIS[judged.basis]}"
