"""Post-checks: the table of what must hold when a session returns; reads no files and asks no git.

What a session is told beforehand and what is checked afterwards come from this one table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.facts import Facts, own_entry
from mandrel_tui.protocol.placeholders import encoded, fill
from mandrel_tui.protocol.task import Status, Task

TREE = "tree-clean"  # the one check that asks git
UNKNOWN_SID = "<this session's id>"
_SHOWN_CHANGES = 5


@dataclass(frozen=True, slots=True)
class Evidence:
    """What git says now: the text of `git status --porcelain`, or None with git's own `words`
    where it cannot answer; `applicable` is false where there is no git at all."""

    status: str | None
    words: str = ""
    applicable: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found: a one-line `detail`, and the `line` of the task file it stands on."""

    passed: bool
    detail: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table; `gaps` are the placeholders its requirement text holds."""

    id: str
    gaps: frozenset[str]
    applies: Callable[[Facts], bool]
    verify: Callable[[Task, Facts, Evidence], Outcome]


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirement texts by check id, one line each, and the note for a raised estimate."""

    texts: Mapping[str, bytes]
    undershoot: bytes

    def text(self, check: Check, facts: Facts) -> bytes:
        """What a session with these facts is told of a check that applies to it."""
        values = {
            "sid_disp": encoded(UNKNOWN_SID if facts.sid is None else facts.sid),
            "status_before": encoded(facts.status_before or "unknown"),
            "undershoot": self.undershoot if facts.undershoot else b"",
            **facts.estimates(),
        }
        return fill(self.texts[check.id], {gap: values[gap] for gap in check.gaps})


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check as run."""

    id: str
    requirement: str
    passed: bool
    detail: str
    line: int | None = None

    @property
    def problem(self) -> str:
        """The item of a follow-up that asks the session to put it right."""
        return f"{self.requirement} ({self.detail})"


def applicable(facts: Facts) -> tuple[Check, ...]:
    """The checks of a session, in the order in which they are told and run."""
    return tuple(check for check in CHECKS if check.applies(facts))


def preview(facts: Facts, requirements: Requirements) -> tuple[bytes, ...]:
    """The requirement of each check of a session, before it starts."""
    return tuple(requirements.text(check, facts) for check in applicable(facts))


def run_checks(
    task: Task, facts: Facts, evidence: Evidence, requirements: Requirements
) -> tuple[CheckResult, ...]:
    """What came of each check; without a known sid the claim has nothing to be compared with."""
    return tuple(
        _result(check, check.verify(task, facts, evidence), requirements.text(check, facts))
        for check in applicable(facts)
        if facts.sid is not None or check.id != "claim-sid"
    )


def _result(check: Check, outcome: Outcome, requirement: bytes) -> CheckResult:
    text = requirement.decode("utf-8", "surrogateescape")
    return CheckResult(check.id, text, outcome.passed, outcome.detail, outcome.line)


def _line(task: Task, key: str) -> int | None:
    return next((f.line for f in task.fields if f.key == key), None)


def _at(line: int | None, words: str) -> str:
    return words if line is None else f"line {line}: {words}"


def _tree_clean(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
    return tree_outcome(evidence)


def tree_outcome(evidence: Evidence) -> Outcome:
    """Whether the working tree is clean; what git cannot say is not."""
    if not evidence.applicable:
        return Outcome(True, "not applicable: no git here")
    if evidence.status is None:
        return Outcome(False, f"git cannot say: {evidence.words}")
    changes = [line.strip() for line in evidence.status.split("\n") if line.strip()]
    more = len(changes) - _SHOWN_CHANGES
    listed = changes[:_SHOWN_CHANGES] + ([f"and {more} more"] if more > 0 else [])
    return Outcome(not changes, "   ".join(listed) or "clean")


def _log_entry(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
    own = own_entry(task, facts.sid)
    if own is not None:
        return Outcome(True, f"line {own.line}", own.line)
    sid = "a session that is not known" if facts.sid is None else facts.sid
    return Outcome(False, f"no entry of {sid} in the log", task.log_line)


def _claim(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
    line = _line(task, "claimed-by")
    if task.claimed_sid == facts.sid:
        return Outcome(True, _at(line, task.claimed_by), line)
    return Outcome(False, _at(line, f"{task.claimed_by or 'nobody'}, expected {facts.sid}"), line)


def _status(expected: Callable[[Facts], tuple[str, ...]]) -> Callable[..., Outcome]:
    """A check that the status is now one of the expected ones."""

    def verify(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
        line, legal = _line(task, "status"), expected(facts)
        moved = f"{facts.status_before or 'unknown'} → {task.status_text or 'none'}"
        if task.status is not None and task.status.value in legal:
            return Outcome(True, moved, line)
        return Outcome(False, _at(line, f"{moved}; expected {' or '.join(legal)}"), line)

    return verify


def _unchanged(facts: Facts) -> tuple[str, ...]:
    legal = (facts.status_before, facts.entered, Status.BLOCKED.value)
    return tuple(dict.fromkeys(status for status in legal if status))


def _one_of(*legal: Status) -> Callable[[Facts], tuple[str, ...]]:
    return lambda facts: tuple(status.value for status in legal)


def _fix_set(*legal: str | None) -> Callable[..., Outcome]:
    """A check that the value of `fix-set` is one of the legal ones; None is no such line."""

    def verify(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
        line = _line(task, "fix-set")
        found = "absent" if task.fix_set is None else task.fix_set or "empty"
        if task.fix_set in legal:
            return Outcome(True, _at(line, found), line)
        wanted = " or ".join("no such line" if value is None else value for value in legal)
        return Outcome(False, _at(line, f"{found}; expected {wanted}"), line)

    return verify


def _estimate(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
    line, was, expected = _line(task, "session-est"), facts.est_before, facts.est_after
    assert was is not None and expected is not None
    found = f"{task.estimate_text or 'none'}, was {was[0]}/{was[1]}"
    if task.estimate is not None and task.estimate.done > was[0]:
        return Outcome(True, _at(line, found), line)
    return Outcome(False, _at(line, f"{found}; expected {expected[0]}/{expected[1]}"), line)


def _review_fields(task: Task, facts: Facts, evidence: Evidence) -> Outcome:
    latest = task.latest_review
    if latest is None or latest.sid != facts.sid:
        whose = f"is of {latest.sid}" if latest is not None else "is not there"
        return Outcome(True, f"not applicable: the latest review entry {whose}")
    if latest.verdict is not None and latest.group is not None:
        return Outcome(True, f"line {latest.line}: {latest.verdict}, {latest.group}", latest.line)
    fields = {"Verdict": latest.verdict, "Group": latest.group}
    missing = " and no ".join(name for name, value in fields.items() if value is None)
    return Outcome(False, f"line {latest.line}: no readable {missing}", latest.line)


def _dev(facts: Facts) -> bool:
    return facts.role == "dev"


def _remediation(facts: Facts) -> bool:
    return _dev(facts) and facts.remediation


def _advancement(facts: Facts) -> bool:
    return _dev(facts) and not facts.remediation


def _review(facts: Facts) -> bool:
    return facts.role == "review"


def _final_gate(facts: Facts) -> bool:
    return _review(facts) and facts.status_before == Status.FINAL_REVIEW


def _check(
    id: str,
    gaps: str,
    applies: Callable[[Facts], bool],
    verify: Callable[[Task, Facts, Evidence], Outcome],
) -> Check:
    return Check(id, frozenset(gaps.split()), applies, verify)


_WORKING = (Status.IN_PROGRESS, Status.FINAL_REVIEW, Status.BLOCKED)
_advanced = _status(_one_of(*_WORKING))
_gated = _status(_one_of(Status.COMPLETED, *_WORKING))
_interim = _status(_one_of(Status.IN_PROGRESS, Status.BLOCKED))
_EST = "cur tot nxt ntot undershoot"

CHECKS: tuple[Check, ...] = (
    _check(TREE, "", lambda facts: True, _tree_clean),
    _check("session-log-entry", "sid_disp", lambda facts: True, _log_entry),
    _check("claim-sid", "sid_disp", lambda facts: True, _claim),
    _check("dev-remediation-status", "status_before", _remediation, _status(_unchanged)),
    _check("dev-advancement-status", "", _advancement, _advanced),
    _check("review-status-final-gate", "", _final_gate, _gated),
    _check(
        "review-status-interim",
        "status_before",
        lambda f: _review(f) and not _final_gate(f),
        _interim,
    ),
    _check("review-entry-fields", "", _review, _review_fields),
    _check("fix-set-value", "", _remediation, _fix_set(None, "open")),
    _check("fix-set-closed", "", lambda f: not _remediation(f), _fix_set(None)),
    _check("dev-est-increment", _EST, lambda f: _dev(f) and f.est_before is not None, _estimate),
)
