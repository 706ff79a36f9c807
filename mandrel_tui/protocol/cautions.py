"""Cautions: what a returned session did that no check forbids but a human should look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mandrel_tui.protocol.facts import Facts, follows_findings
from mandrel_tui.protocol.intent import Replanned
from mandrel_tui.protocol.rewriting import Rewritten
from mandrel_tui.protocol.ruling import Ruling
from mandrel_tui.protocol.task import LogEntry, Status, Task

_BLANKS = " \t\r\n"
_SHOWN_COMMITS = 5


@dataclass(frozen=True, slots=True)
class Caution:
    """One warning: its id, a one-line `detail`, the `line` of the task file it stands on, and where
    two versions part the `diff` as lines."""

    id: str
    detail: str
    line: int | None
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aside:
    """What git and earlier versions of the task file tell of a session's time: the commits in it
    that touch .ai/, what the log no longer says of before it, what of the plan changed in it
    unsaid, the last ruling on the task, and in words that nothing shows yet that the session is
    back, empty where something does."""

    commits: tuple[str, ...] = ()
    rewritten: Rewritten = field(default_factory=Rewritten)
    replanned: tuple[Replanned, ...] = ()
    ruling: Ruling | None = None
    absent: str = ""


Rule = Callable[[Task, LogEntry], Iterator[str]]


def warnings(task: Task, facts: Facts, aside: Aside | None = None) -> tuple[Caution, ...]:
    """What the session's own entries and what lies beside them give reason to look at."""
    own = [entry for entry in task.entries if entry.sid == facts.sid]
    told = tuple(
        Caution(id, f"line {entry.line}: {words}", entry.line)
        for id, reviews, rule in RULES
        for entry in own
        if entry.is_review is reviews
        for words in rule(task, entry)
    )
    return told if aside is None else (*told, *_unrecorded(task, own, aside), *_beside(task, aside))


def _unrecorded(task: Task, own: list[LogEntry], aside: Aside) -> Iterator[Caution]:
    """The work of the session under a ruling of which its Done does not tell."""
    for entry in own:
        ruling = aside.ruling
        if ruling is None or entry.is_review or not ruling.binds(task, entry):
            continue
        if _plain(ruling.text) not in _plain(entry.get("Done") or ""):
            words = "Done does not hold your ruling word for word"
            yield Caution("ruling-unrecorded", f"line {entry.line}: {words}", entry.line)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _beside(task: Task, aside: Aside) -> Iterator[Caution]:
    if aside.absent:
        yield Caution("not-back", aside.absent, None)
    if aside.commits:
        shown = ", ".join(commit[:12] for commit in aside.commits[:_SHOWN_COMMITS])
        more = len(aside.commits) - _SHOWN_COMMITS
        rest = f" and {more} more" if more > 0 else ""
        yield Caution("memory-committed", f"commits that touch .ai/: {shown}{rest}", None)
    gone, words = aside.rewritten.gone, aside.rewritten.words
    if gone:
        yield Caution("log-shrank", words, task.log_line)
    elif aside.rewritten:
        yield Caution("entries-changed", words, task.log_line)
    for section in aside.replanned:
        yield Caution("plan-changed", section.words, None, section.diff)


def _missing(field: str) -> Rule:
    def rule(task: Task, entry: LogEntry) -> Iterator[str]:
        if not (entry.get(field) or "").strip(_BLANKS):
            yield f"no `- {field}:`"

    return rule


def _open_at_the_gate(task: Task, entry: LogEntry) -> Iterator[str]:
    left = (entry.get("Open") or "").strip(_BLANKS)
    if entry.after == Status.FINAL_REVIEW and left.rstrip(".").lower() not in ("", "none"):
        yield "Open is not `none` although the whole scope is done"


def _reviewed_in_prose(task: Task, entry: LogEntry) -> Iterator[str]:
    lines = task.text.split("\n")[entry.line - 1 : entry.end_line]
    text = "\n".join(lines)
    for sid in task.pending_review:
        if re.search(rf"(?<![\w-]){re.escape(sid)}(?![\w-])", text):
            yield f"{sid} is named, but no entry is a `review of {sid}`"


def _group_of_a_fix(task: Task, entry: LogEntry) -> Iterator[str]:
    anchors = [e for e in task.work if e.sid == entry.group and e.line < entry.line]
    if anchors and follows_findings(task, anchors[0]):
        yield f"group {entry.group} is anchored at a session that fixed findings"


# id, whether it looks at review entries (else at work entries), the rule
RULES: tuple[tuple[str, bool, Rule], ...] = (
    ("done-missing", False, _missing("Done")),
    ("next-missing", False, _missing("Next")),
    ("open-missing", False, _missing("Open")),
    ("open-at-the-gate", False, _open_at_the_gate),
    ("reviewed-in-prose", True, _reviewed_in_prose),
    ("group-of-a-fix", True, _group_of_a_fix),
)
