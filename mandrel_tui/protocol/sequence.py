"""Sequence: what is odd about the entries of a log as they follow each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.legible import short, visible
from mandrel_tui.protocol.task import LogEntry, Task

_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


def entry_diagnostics(task: Task) -> Iterator[Diagnostic]:
    """What is odd about the entries as a sequence: dates, sids, reviews of nobody, work after
    review."""
    previous, reviewed = "", set[str]()
    worked = {entry.sid for entry in task.entries if not entry.is_review}
    for entry in task.entries:
        if not _DATE.fullmatch(entry.date):
            yield _about(task, "entry-date", entry, f"`{short(entry.date)}` is no date")
        elif entry.date < previous:
            what = f"{entry.date} follows {previous}"
            yield _about(task, "entry-date-order", entry, what)
        else:
            previous = entry.date
        odd = next((s for s in (entry.sid, entry.review_of or "") if visible(s) != s), None)
        if odd is not None:
            yield _about(task, "id-invisible", entry, f"it reads `{short(odd)}`")
        if entry.review_of is None:
            if entry.sid in reviewed:
                what = f"`{short(entry.sid)}` is already reviewed above"
                yield _about(task, "work-after-review", entry, what)
        else:
            reviewed.add(entry.review_of)
            if entry.review_of not in worked:
                what = f"no work entry of `{short(entry.review_of)}`"
                yield _about(task, "review-of-unknown", entry, what)


def _about(task: Task, rule: str, entry: LogEntry, message: str) -> Diagnostic:
    return diagnostic(rule, task.path, entry.line, message)
