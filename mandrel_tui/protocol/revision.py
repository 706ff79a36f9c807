"""Revision: what a later version of a task file says otherwise than an earlier one, in one phrase;
decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from mandrel_tui.protocol.rewriting import rewritten
from mandrel_tui.protocol.task import Task, short_sids

_FIELDS = {
    "title": "title",
    "estimate": "estimate_text",
    "blockers": "blockers",
    "prefetch": "prefetch",
    "fix-set": "fix_set",
    "claim": "claimed_by",
    "id": "id",
}


def revision(earlier: Task | None, later: Task) -> str:
    """`entry of 7c1e09aa, in_progress → final_review`; `first seen` where nothing was before."""
    if earlier is None:
        return "first seen"
    return ", ".join(_phrases(earlier, later)) or "other words"


def _phrases(earlier: Task, later: Task) -> Iterator[str]:
    if told := rewritten(earlier, later).words:
        yield told
    elif new := later.entries[len(earlier.entries) :]:
        sid = short_sids(entry.sid for entry in new)[new[0].sid]
        yield f"entry of {sid}" if len(new) == 1 else f"{len(new)} entries"
    if earlier.status_text != later.status_text:
        yield f"{earlier.status_text or 'no status'} → {later.status_text or 'no status'}"
    fields = [
        name
        for name, attribute in _FIELDS.items()
        if getattr(earlier, attribute) != getattr(later, attribute)
    ]
    if fields:
        yield " and ".join((", ".join(fields[:-1]), fields[-1]) if fields[1:] else fields)
