"""Headings: what the `### ` heading of a log entry says, and where the next one stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

HEADING = re.compile(r"\n### ([^\n]*)")
DATE_LIKE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_ARROW = re.compile("→|->")


@dataclass(frozen=True, slots=True)
class Heading:
    """What the text of a `### ` heading says; `sid` is empty where it yields none."""

    date: str
    sid: str
    review_of: str | None
    before: str | None
    after: str | None
    odd: bool

    @property
    def dated(self) -> bool:
        return DATE_LIKE.match(self.date) is not None

    @property
    def well_formed(self) -> bool:
        return self.dated and bool(self.sid) and self.before is not None


def read_heading(text: str) -> Heading:
    """The parts of a heading's text (what stands behind `### `)."""
    date, *parts = (part.strip(" \t") for part in text.rstrip(" \t\r").split(" / "))
    review_of = before = after = None
    odd, sid = False, ""
    for position, part in enumerate(parts):
        transition = _transition(part)
        if part.startswith("review of ") and position:
            review_of = part.removeprefix("review of ").strip(" \t")
        elif transition:
            before, after = transition
        elif position == 0 and not part.lower().startswith("review of "):
            sid = part
        else:
            odd = True
    return Heading(date, sid, review_of, before, after, odd)


def _transition(part: str) -> tuple[str, str] | None:
    """The two sides of `(before → after)`."""
    if not (part.startswith("(") and part.endswith(")")):
        return None
    arrow = _ARROW.search(part)
    if arrow is None:
        return None
    return part[1 : arrow.start()].strip(" \t"), part[arrow.end() : -1].strip(" \t")


class NextEntry:
    """From an offset to the next well-formed entry heading, for ascending offsets."""

    def __init__(self, text: str) -> None:
        self.text, self.found = text, -1

    def __call__(self, offset: int) -> int:
        if self.found > offset:
            return self.found
        for match in HEADING.finditer(self.text, offset):
            if read_heading(match[1]).well_formed:
                self.found = match.start() + 1
                return self.found
        self.found = len(self.text)
        return self.found
