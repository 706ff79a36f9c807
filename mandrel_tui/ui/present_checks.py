"""Present the checks of a session that came back: its rows, the basis they stand on and what comes
next, as lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from mandrel_tui.protocol.cautions import Caution
from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.postchecks import TREE, CheckResult
from mandrel_tui.protocol.refusal import NoSession
from mandrel_tui.protocol.returned import Basis, Given, Report
from mandrel_tui.protocol.task import Task, short_sids
from mandrel_tui.protocol.trail import FOLLOWUPS
from mandrel_tui.protocol.turn import Turn, TurnKind
from mandrel_tui.protocol.verify_closeout import named
from mandrel_tui.ui.clean import pad, width
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import number, sid_words, turn_title, words
from mandrel_tui.ui.present_session import local, where_words
from mandrel_tui.ui.symbols import Symbols

NAME = 24  # cells of a check's id at least, and the blank behind it


@dataclass(frozen=True, slots=True)
class Asked:
    """Which session is to be checked, and what the human says of the time before it; an empty sid
    is the latest."""

    task: str
    sid: str = ""
    given: Given = field(default_factory=Given)


@dataclass(frozen=True, slots=True)
class Findings:
    """What checking came to. `report` is None where it could not be done, for the `problem`; it is
    not `whole` while git is still asked.

    `task` and `turn` are as the file was read for it, `sent` is the prompt that opened the session,
    `message` the follow-up that asks to mend what failed, empty where nothing did; `absent` says
    since when there is no session to check.
    """

    asked: Asked
    report: Report | None = None
    whole: bool = False
    problem: str = ""
    task: Task | None = None
    turn: Turn | None = None
    sent: Handover | None = None
    message: bytes = b""
    absent: NoSession | None = None

    @property
    def passed(self) -> bool:
        """Whether all checks were made, and none found anything."""
        return self.report is not None and self.whole and self.report.passed

    @property
    def exhausted(self) -> bool:
        """Whether the follow-ups are used up and something still fails."""
        failing = self.report is not None and self.whole and not self.report.passed
        return failing and self.report is not None and self.report.followups >= FOLLOWUPS


def with_words(found: Findings, now: datetime) -> Findings:
    """The findings with why there is no session to check, in the words of the app."""
    if found.absent is None:
        return found
    since = found.absent.since
    unseen = f"not back: no claim and no entry since {local(since, now)}" if since else ""
    before = found.absent.before
    named = f"o checks the one before, {short_sids([before])[before]}" if before else "o names one"
    return replace(found, problem=f"{unseen or 'no session is known'}; {named}")


def no_checks(found: Findings) -> str:
    """What stands where no check was made."""
    if not found.problem:
        return "reading"
    if found.absent is None or not found.absent.since:
        return "No session of this task is known. o names one."
    before = " o checks the one before it." if found.absent.before else ""
    return f"The session that is out is not back.{before}"


def findings_title(found: Findings, name: str, symbols: Symbols) -> str:
    """`checks: cli-exit-codes, dev advancement, session 4be0c7d2`."""
    title = f"checks: {words(name, symbols)}"
    report = found.report
    if report is None:
        return title
    role = "closeout" if report.judged is None else role_words(report.judged.facts)
    return f"{title}, {role}, session {sid_words([report.sid], symbols)[report.sid]}"


def role_words(facts: Facts) -> str:
    """`dev advancement`, `dev remediation`, `review`."""
    if facts.role == "review":
        return "review"
    return f"dev {'remediation' if facts.remediation else 'advancement'}"


def findings_count(found: Findings) -> tuple[str, str]:
    """`2 of 6 fail` or `6 of 6 pass`, and its role."""
    report = found.report
    if report is None or not found.whole:
        return ("checking" if not found.problem else "", "quiet")
    total, failed = len(report.results), len(report.failed)
    if failed:
        fail = "fails" if failed == 1 else "fail"
        return f"{number(failed)} of {number(total)} {fail}", "fail"
    return f"{number(total)} of {number(total)} pass", "pass"


def name_cells(report: Report) -> int:
    """The cells of the column that holds what every row of a report is called; a name with nothing
    beside it takes what it needs."""
    beside = (name for name, said in map(named, report.results) if said)
    names = (*beside, *(warning.id for warning in report.warnings))
    return max((NAME, *(width(name) + 1 for name in names)))


def check_row(result: CheckResult, cells: int, symbols: Symbols) -> Line:
    """`✗ tree-clean   M internal/cli/exit.go`."""
    mark, role = (symbols.ok, "pass") if result.passed else (symbols.fail, "fail")
    return _row(mark, role, *named(result), cells, symbols)


def pending_row(cells: int, symbols: Symbols) -> Line:
    """The check that git has not answered yet."""
    return _row(symbols.none, "quiet", TREE, "asking git", cells, symbols)


def caution_row(caution: Caution, cells: int, symbols: Symbols) -> Line:
    """`~ open-missing  line 66: no `- Open:``."""
    return _row(symbols.mild, "you", caution.id, caution.detail, cells, symbols)


def _row(mark: str, role: str, id: str, detail: str, cells: int, symbols: Symbols) -> Line:
    name = pad(words(id, symbols), cells)
    return Line(((f"{mark} ", role), (name, "text"), (words(detail, symbols), "text")))


def exhausted_row(symbols: Symbols) -> Line:
    """What stands first when the follow-ups are used up."""
    return line(f"{symbols.owe} {FOLLOWUPS} follow-ups used, your call", "you bold")


CAUTION = "A warning, never a failure."


def basis_title(found: Findings, symbols: Symbols, now: datetime) -> str:
    """`before: recorded when the prompt was copied with xclip at 14:02, sha 91be22d0`."""
    report = found.report
    if report is None or report.judged is None:
        return "before: nothing of it is needed"
    basis = report.judged.basis
    if basis is Basis.GIVEN:
        return "before: given by you"
    if basis is Basis.INFERRED or found.sent is None:
        return "before: inferred from the entry's own heading"
    sent = found.sent
    left = where_words(sent.delivery, symbols)
    return f"before: recorded at {local(sent.delivery.at, now)}, {left}, sha {sent.sha256[:8]}"


def basis_line(found: Findings, symbols: Symbols) -> Line:
    """`status pending, estimate 0/2, no remediation; follow-up 1 of 3`."""
    report = found.report
    if report is None:
        return line(words(found.problem, symbols), "fail")
    if report.judged is None:
        return line("The task is archived: its closeout is verified, no session is checked.")
    facts = report.judged.facts
    est = facts.est_before
    estimate = f"{est[0]}/{est[1]}" if est is not None else "unknown"
    told = [f"status {words(facts.status_before, symbols) or 'unknown'}"]
    if facts.role == "dev":
        told += [f"estimate {estimate}", f"{'' if facts.remediation else 'no '}remediation"]
    used = report.followups
    nth = f"follow-up {used + 1} of {FOLLOWUPS}" if used < FOLLOWUPS else f"{used} follow-ups used"
    more = f"; {nth}" if not report.passed and found.whole else ""
    note = f"; not kept: {words(report.note, symbols)}" if report.note else ""
    return line(", ".join(told) + more + note)


def message_title(found: Findings, symbols: Symbols) -> str:
    """What stands over the follow-up, or over what comes next."""
    report = found.report
    if report is None or not found.whole:
        return "follow-up"
    if found.passed:
        return "next"
    size = counted(len(found.message), "byte")
    sid = sid_words([report.sid], symbols)[report.sid]
    return f"follow-up, {size}, for the same conversation {sid}"


def next_text(found: Findings) -> str:
    """What stands where there is no follow-up."""
    report = found.report
    if report is None or not found.whole:
        return ""
    if report.judged is None:
        return "the closeout is complete"
    title = turn_title(found.turn) if found.turn is not None else ""
    return f"{number(len(report.results))} of {number(len(report.results))} pass; next {title}"


def no_next(found: Findings, ruled: bool) -> str:
    """Why no prompt can go out next, where all checks pass; empty where one can. `ruled` is whether
    the ruling that the turn waits for was given."""
    turn = found.turn
    if turn is None:
        return "nothing is next: the task is archived"
    if turn.waits or turn.kind is TurnKind.INVALID:
        return turn.reason.removesuffix(".")
    if turn.escalation is not None:
        return "" if ruled else "you owe a ruling (a)"
    if turn.kind is TurnKind.BLOCKED:
        asked = found.task is not None and bool(found.task.asking_sid)
        return f"you owe {turn.owes}" + (" (a)" if asked else "")
    return ""


def findings_sentence(found: Findings, name: str, symbols: Symbols, ruled: bool = False) -> Line:
    """`next  cli-exit-codes: 2 checks fail; c copies the follow-up`."""
    shown = words(name, symbols)
    if found.problem:
        return line(words(found.problem, symbols), "you")
    if found.report is None or not found.whole:
        return line(f"checking {shown}", "quiet")
    if found.passed:
        why = no_next(found, ruled) if found.turn is not None else ""
        copies = "; c copies its prompt, l launches it" if found.turn is not None else ""
        then = f"; {words(why, symbols)}" if why else copies
        return line(f"next  {shown}: {next_text(found)}{then}", "you" if why else "quiet")
    failed = len(found.report.failed)
    fail = "fails" if failed == 1 else "fail"
    used = "three follow-ups used, your call"
    what = used if found.exhausted else "c copies the follow-up, l sends it"
    return line(f"next  {shown}: {counted(failed, 'check')} {fail}; {what}", "quiet")


BEFORE_STATUS = ("pending", "in_progress", "final_review")


def given_of(values: Mapping[str, str], asked: Asked) -> Asked | str:
    """What was typed about the time before a session; a sentence where it says nothing legal."""
    sid = values["sid"].strip()
    est: tuple[int, int] | None = None
    if values["estimate"].strip():
        done, slash, total = values["estimate"].strip().partition("/")
        if not (slash and _digits(done) and _digits(total)):
            return "the estimate before is written done/total, as in 0/2"
        est = int(done), int(total)
    given = Given(
        role=values["role"] or None,
        status_before=values["status"] or None,
        est_before=est,
        remediation={"yes": True, "no": False}.get(values["remediation"]),
    )
    return replace(asked, sid=sid, given=given)


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
