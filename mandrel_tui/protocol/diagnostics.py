"""Diagnostics: the table of rules a file or a board can break, and the value that reports one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """What a diagnostic does to a task: STOP makes its turn `invalid`, NOTE leaves no mark."""

    STOP = "stop"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of fault: its stable id, what it does, its meaning and the usual remedy."""

    id: str
    severity: Severity
    meaning: str
    hint: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault found: `file` relative to the repository, `line` from 1 or None for all of it.

    `level` overrides the rule's severity where this instance weighs less.
    """

    rule: str
    file: str
    line: int | None
    message: str
    hint: str
    level: Severity | None = None

    @property
    def severity(self) -> Severity:
        return self.level or RULES[self.rule].severity

    @property
    def stops(self) -> bool:
        return self.severity is Severity.STOP

    @property
    def marks(self) -> bool:
        """Whether the board counts it in the task's flag."""
        return self.severity is not Severity.NOTE


def diagnostic(
    rule: str,
    file: str,
    line: int | None,
    message: str,
    hint: str | None = None,
    level: Severity | None = None,
) -> Diagnostic:
    """A diagnostic of a rule in RULES; the hint is the rule's own unless a better one is given."""
    return Diagnostic(rule, file, line, message, RULES[rule].hint if hint is None else hint, level)


def _table(*rows: tuple[str, Severity, str, str]) -> dict[str, Rule]:
    return {row[0]: Rule(*row) for row in rows}


_S, _W, _N = Severity.STOP, Severity.WARN, Severity.NOTE

RULES: dict[str, Rule] = _table(
    # the file
    ("unreadable", _S, "the file cannot be read", "restore access to the file"),
    ("not-utf8", _W, "bytes that are not UTF-8", "save the file as UTF-8"),
    ("not-read", _N, "a name that is nearly a task's", "rename it to <id>.md or move it away"),
    # front matter
    ("front-matter-missing", _S, "no front matter", "begin the file with --- and the task's keys"),
    ("front-matter-unclosed", _S, "front matter never closed", "add --- after the last key"),
    (
        "front-matter-late",
        _W,
        "blank lines or a comment before the front matter",
        "make --- the first line",
    ),
    (
        "front-matter-line",
        _W,
        "a line of the front matter that belongs to no key",
        "write key: value, make it a comment with #, or remove it",
    ),
    ("key-case", _W, "a key in another letter case", "write the key in lower case"),
    ("key-repeated", _W, "a key given twice; the first counts", "keep one of the lines"),
    ("status-missing", _S, "no status", "add a status line"),
    (
        "status-unknown",
        _S,
        "a status that is none of the five",
        "use pending, in_progress, final_review, completed or blocked",
    ),
    ("status-repeated", _S, "status given twice", "keep the status line that is true"),
    ("id-missing", _W, "no id", "add an id equal to the file name"),
    ("id-differs", _W, "the id is not the file name", "make id and file name equal"),
    (
        "id-invisible",
        _W,
        "invisible characters in an id or file name",
        "retype the id without them",
    ),
    ("estimate-missing", _W, "no estimate", "add session-est: done/total"),
    ("estimate-unreadable", _W, "an estimate that is not done/total", "write it as 1/3"),
    ("estimate-rest", _W, "text behind the estimate", "move the remark behind a #"),
    ("estimate-over", _W, "more sessions done than estimated", "raise the total"),
    ("estimate-zero", _W, "an estimate of no sessions", "estimate at least one session"),
    ("claim-without-at", _W, "a claim without its time", "write claimed-by: <sid>@<utc time>"),
    ("claim-without-sid", _W, "a claim of no session", "write claimed-by: <sid>@<utc time>"),
    ("claim-stamp", _W, "a claim time that is no UTC stamp", "write it as YYYY-MM-DDTHH:MM:SSZ"),
    ("claim-future", _W, "a claim from the future", "check the clock of the claiming machine"),
    ("fix-set-value", _W, "a fix-set other than `open`", "write `fix-set: open` or remove it"),
    (
        "fix-set-ignored",
        _W,
        "fix-set: open although no changes are requested",
        "remove the fix-set line",
    ),
    ("list-unbalanced", _W, "brackets of a list do not match", "close the list with one ]"),
    ("list-trailing", _W, "text behind a list", "move the remark behind a #"),
    ("list-expected", _W, "a plain value where a list belongs", "write [item, item] or []"),
    ("yaml-unreadable", _W, "a value that cannot be read", "write it on one line"),
    ("prefetch-outside", _W, "a prefetch entry outside .ai/", "name a document below .ai/"),
    ("prefetch-missing", _W, "a prefetch document that is not there", "correct or remove it"),
    # the body
    ("title-missing", _W, "no `# ` title", "add a title line"),
    ("section-missing", _W, "Goal, Scope or Acceptance is missing", "add the section"),
    ("fence-unclosed", _W, "a code fence that is never closed", "close the fence"),
    ("comment-unclosed", _W, "a comment that is never closed", "close it with -->"),
    # the log
    ("log-missing", _W, "no session log", "add the line `## Session log` at the end"),
    ("log-unlocated", _S, "entries, but no session log", "add `## Session log` above them"),
    ("log-heading", _W, "a log heading that is nearly right", "write `## Session log` exactly"),
    (
        "entry-without-sid",
        _S,
        "an entry without a session id",
        "write ### date / sid / (before → after)",
    ),
    (
        "entry-heading",
        _W,
        "an entry heading that is nearly right",
        "write ### date / sid / (before → after)",
    ),
    ("entry-transition", _W, "an entry without a transition", "end it with (before → after)"),
    ("entry-date", _W, "a date that is no date", "write the date as YYYY-MM-DD"),
    ("entry-date-order", _W, "dates that run backwards", "check the dates; file order counts"),
    ("entry-date-future", _W, "an entry from the future", "check the date"),
    ("field-repeated", _W, "a field given twice; the first counts", "keep one of the lines"),
    ("verdict-missing", _W, "a review without a verdict", "add - Verdict: pass"),
    (
        "verdict-unreadable",
        _W,
        "a verdict that is neither of the two words",
        "write pass or changes-requested alone on the line",
    ),
    ("group-missing", _W, "a review without a group", "add - Group: <sid of the anchor>"),
    ("group-unreadable", _W, "a group that is not one word", "write one session id"),
    ("review-of-unknown", _W, "a review of a session without entry", "name the entry's exact sid"),
    (
        "work-after-review",
        _W,
        "a work entry after the review that already names its sid",
        "record new work under a session id of its own",
    ),
    (
        "scheduler-reads-differently",
        _W,
        "the published scheduler would read this otherwise",
        "write it the plain way",
    ),
    (
        "log-rewritten",
        _W,
        "a log that no longer says all it once said",
        "the first row of its log shows the difference: restore what is missing, or take it so",
    ),
    # drift between files
    ("completed-not-archived", _N, "completed, not archived", "close the task out"),
    ("id-in-two-files", _W, "one id in two files", "give one of them another id"),
    ("active-and-archived", _W, "active and archived at once", "remove or rename one of them"),
    (
        "same-letters",
        _W,
        "names of the same letters in another encoding",
        "retype one of the names",
    ),
    ("blocker-archived", _W, "a blocker that is archived", "remove it from blockers"),
    ("blocker-unknown", _W, "a blocker that is no task", "name a task or write external:<text>"),
    ("blocker-itself", _W, "a task that blocks itself", "remove it from blockers"),
    ("blocker-circle", _W, "tasks that wait for each other", "remove one of the blockers"),
    ("blocked-without-blockers", _W, "blocked by nothing", "name what blocks it"),
    ("blockers-not-blocked", _W, "blockers on a task that is not blocked", "empty the list"),
    ("index-missing-row", _W, "no row in the index", "add a row to .ai-tasks/index.md"),
    ("index-row-repeated", _W, "two rows in the index", "remove one of the rows"),
    ("index-row-status", _W, "the index tells another status", "correct the row"),
    ("index-row-without-file", _W, "an index row without file", "remove the row"),
    ("index-row-archived", _W, "an index row of an archived task", "remove the row"),
    ("index-damaged", _W, "an index nobody may write", "repair .ai-tasks/index.md by hand"),
)
