"""Turn: what a task file says must happen next, and which roles a human may choose by hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TurnKind(StrEnum):
    CLOSEOUT = "closeout"
    BLOCKED = "blocked"
    REVIEW = "review"
    DEV = "dev"
    RULING = "ruling"
    INVALID = "invalid"


class Mode(StrEnum):
    ADVANCEMENT = "advancement"
    REMEDIATION = "remediation"
    INTERIM = "interim"
    FINAL_GATE = "final-gate"


class Escalation(StrEnum):
    CONVERGENCE_BUDGET = "convergence-budget"
    DISPUTE_UNRESOLVED = "dispute-unresolved"
    FINAL_REVIEW_STALL = "final-review-stall"


@dataclass(frozen=True, slots=True)
class Turn:
    """The next step of one task.

    `rule` is the number of the rule that matched (1 to 7), None at `invalid`; `reason` is one
    sentence for a newcomer; `owes` says what the human owes, empty when nothing; `escalation` is
    what `next` reports, `escalation_after_review` what the log alone computes; `legal` lists the
    roles that may be chosen by hand: dev-advancement dev-remediation review plan closeout answer.
    `waits` is true for a task blocked only by active tasks.
    """

    kind: TurnKind
    rule: int | None
    role: str | None
    mode: Mode | None
    reason: str
    owes: str
    pending_review: tuple[str, ...]
    group: str | None
    escalation: Escalation | None
    escalation_after_review: Escalation | None
    ignored_fix_set: bool
    legal: tuple[str, ...]
    waits: bool = False

    @property
    def word(self) -> str:
        """The one word a board row shows: dev fix review gate answer waits rule close invalid."""
        return _word(self)

    @property
    def yours(self) -> bool:
        """Whether the human owes something: the `!` before the word."""
        return bool(self.owes)
