"""Task values: what one task file says; reads nothing and judges nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from mandrel_tui.protocol.diagnostics import Diagnostic

EXTERNAL = "external:"  # begins a blocker that is no task


class Status(StrEnum):
    """The five states of a task, as the front matter spells them."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    FINAL_REVIEW = "final_review"
    COMPLETED = "completed"
    BLOCKED = "blocked"


class Verdict(StrEnum):
    """What a review entry concludes."""

    PASS = "pass"
    CHANGES_REQUESTED = "changes-requested"


@dataclass(frozen=True, slots=True)
class Estimate:
    """`done/total` in dev sessions; `rest` is what was typed behind it."""

    done: int
    total: int
    rest: str = ""

    @property
    def over(self) -> bool:
        return self.done > self.total


@dataclass(frozen=True, slots=True)
class FrontField:
    """One front-matter value: decoded text without quotes and comment, line from 1, byte span."""

    key: str
    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EntryField:
    """One `- Name: value` line of a log entry with the lines that continue it."""

    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of the session log, `line` to `end_line` (from 1, inclusive).

    `before` and `after` are the sides of the heading's transition as typed; None where the
    heading has none.
    """

    line: int
    end_line: int
    heading: str
    date: str
    sid: str
    review_of: str | None
    before: str | None
    after: str | None
    fields: tuple[EntryField, ...]
    verdict: Verdict | None = None
    group: str | None = None
    dispute: str | None = None

    @property
    def is_review(self) -> bool:
        return self.review_of is not None

    @property
    def is_final_gate(self) -> bool:
        return self.is_review and self.before == Status.FINAL_REVIEW

    def get(self, name: str) -> str | None:
        """The text of the first field of that name."""
        return next((f.value for f in self.fields if f.name == name), None)


@dataclass(frozen=True, slots=True)
class Section:
    """A `## ` section before the session log; `line` is its heading's, from 1."""

    title: str
    line: int
    body: str


@dataclass(frozen=True, slots=True)
class Task:
    """Everything one task file says. `name` (the file name without `.md`) is the identity.

    `path` is relative to the repository with `/`; `text` is the decoded file (invalid bytes
    replaced, line ends as they are), for display only; `sha256` names the bytes read.
    """

    name: str
    path: str
    id: str
    status: Status | None
    status_text: str
    estimate: Estimate | None
    estimate_text: str
    title: str
    blockers: tuple[str, ...]
    prefetch: tuple[str, ...]
    fix_set: str | None
    claimed_by: str
    fields: tuple[FrontField, ...]
    sections: tuple[Section, ...]
    entries: tuple[LogEntry, ...]
    log_line: int | None
    diagnostics: tuple[Diagnostic, ...]
    text: str = field(default="", repr=False)
    sha256: str = ""
    size: int = 0

    @property
    def claimed_sid(self) -> str:
        """The sid in `claimed-by`."""
        return claim_sid(self.claimed_by)

    @property
    def asked(self) -> tuple[str, ...]:
        """The questions and outside events that block it, in their own words."""
        outside = (b for b in self.blockers if b.startswith(EXTERNAL))
        return tuple(b.removeprefix(EXTERNAL).strip() for b in outside)

    @property
    def asking_sid(self) -> str:
        """The session that resumes when a blocked task's question is answered: the one that claims
        it; empty where its last entry shows that it ended otherwise, so that it never asked."""
        own = [entry for entry in self.entries if entry.sid == self.claimed_sid]
        return "" if own and own[-1].after != Status.BLOCKED else self.claimed_sid

    @property
    def claimed_at(self) -> str:
        """The claim's stamp as typed; empty without one."""
        return self.claimed_by.rpartition("@")[2].strip() if "@" in self.claimed_by else ""

    @property
    def invalid(self) -> Diagnostic | None:
        """The first diagnostic that stops the turn."""
        return next((d for d in self.diagnostics if d.stops), None)

    @property
    def work(self) -> tuple[LogEntry, ...]:
        return tuple(e for e in self.entries if not e.is_review)

    @property
    def reviews(self) -> tuple[LogEntry, ...]:
        return tuple(e for e in self.entries if e.is_review)

    @property
    def latest_review(self) -> LogEntry | None:
        return next((e for e in reversed(self.entries) if e.is_review), None)

    @property
    def pending_review(self) -> tuple[str, ...]:
        """Sids of work entries that no review entry names exactly, in order, once each."""
        reviewed = {e.review_of for e in self.entries if e.is_review}
        return tuple(dict.fromkeys(e.sid for e in self.work if e.sid not in reviewed))

    @property
    def remediation(self) -> bool:
        latest = self.latest_review
        return latest is not None and latest.verdict is Verdict.CHANGES_REQUESTED

    @property
    def fix_set_open(self) -> bool:
        return self.fix_set == "open"


def claim_sid(claim: str) -> str:
    """What precedes the last `@` of a claim; all of it without one."""
    sid, at, _ = claim.rpartition("@")
    return (sid if at else claim).strip()


def short_sids(sids: Iterable[str]) -> dict[str, str]:
    """Each sid cut to 8 characters, to 16 where two would look alike."""
    full = list(dict.fromkeys(sids))
    cut = Counter(sid[:8] for sid in full)
    return {sid: sid[:8] if cut[sid[:8]] == 1 else sid[:16] for sid in full}
