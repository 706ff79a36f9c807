"""Plan gate: what of a plan session's reply becomes the plan; decides nothing about approval."""

from __future__ import annotations

import re
from dataclasses import dataclass

_HEADING = re.compile(
    r"^##[ \t]+Goal[ \t]*/[ \t]*Acceptance[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_UNCHANGED = re.compile(r"^[ \t]*PLAN-REPORT:[ \t]*unchanged[ \t]*\r?$", re.MULTILINE)
_BLANKS = " \t\r\n"

NO_HEADING = "the reply has no `## Goal / Acceptance` line: all of it is taken as the plan"
KEPT = "the reply has no `## Goal / Acceptance` line and does not say unchanged: the plan is kept"
NOTHING_TO_KEEP = "the reply says unchanged, but there is no earlier plan"
DROPPED = "the reply began before its `## Goal / Acceptance` line: the text above it is dropped"


@dataclass(frozen=True, slots=True)
class Adopted:
    """The plan after a reply: `replaced` when the reply's text is the plan now; one sentence in
    `warnings` for each thing the human should look at."""

    text: str
    replaced: bool
    warnings: tuple[str, ...] = ()


def adopt(reply: str, plan: str | None = None) -> Adopted:
    """What a reply makes of the plan there was before it; None before the first reply."""
    heading = _HEADING.search(reply)
    unchanged = _UNCHANGED.search(reply) is not None
    if plan is not None and unchanged:
        return Adopted(plan, replaced=False)
    if plan is not None and heading is None:
        return Adopted(plan, replaced=False, warnings=(KEPT,))
    start = 0 if heading is None else heading.start()
    warnings = (
        *((NOTHING_TO_KEEP,) if unchanged else ()),
        *((NO_HEADING,) if heading is None else ()),
        *((DROPPED,) if reply[:start].strip(_BLANKS) else ()),
    )
    return Adopted(reply[start:].strip(_BLANKS), replaced=True, warnings=warnings)
