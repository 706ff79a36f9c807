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
    """One fault found: `file` relative to the repository, `line` from 1 or None for all of it."""

    rule: str
    file: str
    line: int | None
    message: str
    hint: str

    @property
    def severity(self) -> Severity:
        return RULES[self.rule].severity

    @property
    def stops(self) -> bool:
        return self.severity is Severity.STOP

    @property
    def marks(self) -> bool:
        """Whether the board counts it in the task's flag."""
        return self.severity is not Severity.NOTE


def diagnostic(
    rule: str, file: str, line: int | None, message: str, hint: str | None = None
) -> Diagnostic:
    """A diagnostic of a rule in RULES; the hint is the rule's own unless a better one is given."""
    return Diagnostic(rule, file, line, message, RULES[rule].hint if hint is None else hint)


def _table(*rows: tuple[str, Severity, str, str]) -> dict[str, Rule]:
    return {row[0]: Rule(*row) for row in rows}


_S, _W, _N = Severity.STOP, Severity.WARN, Severity.NOTE

RULES: dict[str, Rule] = _table(
    # the file
    ("unreadable", _S, "the file cannot be read", "restore access to the file"),
    ("not-utf8", _W, "bytes that are not UTF-8", "save the file as UTF-8"),
)
