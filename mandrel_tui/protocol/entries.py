"""Entries: reads one entry of a session log with its fields; finds none and orders none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mandrel_tui.protocol.headings import Heading
from mandrel_tui.protocol.legible import plain, short
from mandrel_tui.protocol.page import Page
from mandrel_tui.protocol.task import EntryField, LogEntry, Status, Verdict

_WORK = frozenset({"Done", "Plan-slice", "Next", "Open"})
_REVIEW = frozenset({"Verdict", "Group", "Findings", "Dispute-unresolved", "Next", "Open"})
_FIELD = re.compile(rf"\n[ \t]*- ({'|'.join(sorted(_WORK | _REVIEW))}):([^\n]*)")
_ANY_HEADING = re.compile(r"\n#{1,6} ")
_WORD = re.compile(r"[ \t]*([a-z]+(?:-[a-z]+)*)[ \t]*\r?")
_TOKEN = re.compile(r"[ \t]*(\S+)[ \t]*\r?")
_STATUSES = frozenset(Status)

Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Span:
    """The stretch of one entry: the match of its heading, what that says, and where it ends."""

    match: Match
    heading: Heading
    end: int


def has_fields(page: Page, start: int, end: int) -> bool:
    """Whether a field line stands in a stretch of the log."""
    fields = _FIELD.finditer(page.text, start, end)
    return any(match.start() + 1 not in page.quoting for match in fields)


def read_entry(page: Page, span: Span) -> LogEntry:
    """The entry of a stretch; what is odd about it is noted on the page."""
    line = page.line(span.match.start() + 1)
    heading, declared = span.heading, _declared(page, span)
    _note_heading(page, span, line)
    steering = _Steering(page, declared, line) if heading.review_of is not None else None
    ended = page.line(span.end) if span.end == len(page.text) else page.line(span.end + 1) - 1
    return LogEntry(
        line=line,
        end_line=max(line, ended),
        heading=plain(span.match[1].rstrip("\r")),
        date=plain(heading.date),
        sid=plain(heading.sid),
        review_of=_plain(heading.review_of),
        before=_plain(heading.before),
        after=_plain(heading.after),
        fields=_fields(page, span, declared),
        verdict=steering.verdict() if steering else None,
        group=steering.group() if steering else None,
        dispute=steering.dispute() if steering else None,
    )


def _plain(text: str | None) -> str | None:
    return None if text is None else plain(text)


def _declared(page: Page, span: Span) -> list[Match]:
    """The field lines of an entry; a field of the other kind of entry is prose here."""
    allowed = _WORK if span.heading.review_of is None else _REVIEW
    return [
        match
        for match in _FIELD.finditer(page.text, span.match.end(), span.end)
        if match[1] in allowed and match.start() + 1 not in page.quoting
    ]


def _fields(page: Page, span: Span, declared: list[Match]) -> tuple[EntryField, ...]:
    ends = [*(match.start() for match in declared), span.end][1:]
    return tuple(
        EntryField(match[1], _value(page, match, end), page.line(match.start() + 1))
        for match, end in zip(declared, ends, strict=True)
    )


def _value(page: Page, match: Match, end: int) -> str:
    """The field's text: the rest of its line and the lines up to the next field or heading."""
    stop = end
    if page.text.find("\n#", match.end(), end) >= 0:
        headings = (m.start() for m in _ANY_HEADING.finditer(page.text, match.end(), end))
        stop = next((at for at in headings if at + 1 not in page.quoting), end)
    value = page.text[match.start(2) : stop]
    return plain(value).replace("\r\n", "\n").strip(" \t\r\n")


def _note_heading(page: Page, span: Span, line: int) -> None:
    heading = span.heading
    if heading.odd:
        typed = short(span.match[1])
        what = f"a part of `### {typed}` is neither `review of <sid>` nor a transition"
        page.note("entry-heading", line, what)
    if heading.before is None:
        what = f"`### {short(span.match[1])}` tells no (before → after)"
        page.note("entry-transition", line, what)
        return
    odd = [side for side in (heading.before, heading.after or "") if side not in _STATUSES]
    if odd:
        page.note("entry-heading", line, f"`{short(odd[0])}` in the transition is no status")


class _Steering:
    """The three fields of a review that steer the loop, and what is wrong with them."""

    def __init__(self, page: Page, declared: list[Match], line: int) -> None:
        self.page, self.declared, self.line = page, declared, line

    def _named(self, name: str) -> list[Match]:
        return [match for match in self.declared if match[1] == name]

    def verdict(self) -> Verdict | None:
        word = self._first("Verdict", _WORD, "no verdict")
        if word is None:
            return None
        if word[1] in Verdict._value2member_map_:
            return Verdict(word[1])
        what = f"`{short(word[1])}` is no verdict"
        self.page.note("verdict-unreadable", self.page.line(word.start()), what)
        return None

    def group(self) -> str | None:
        token = self._first("Group", _TOKEN, "not one word")
        return plain(token[1]) if token else None

    def dispute(self) -> str | None:
        """The first such line counts, even when it is empty."""
        named = self._named("Dispute-unresolved")
        for match in named[1:]:
            self._repeated(match)
        return plain(named[0][2].strip(" \t\r")) if named else None

    def _repeated(self, match: Match) -> None:
        where = self.page.line(match.start() + 1)
        self.page.note("field-repeated", where, f"a second {match[1]}")

    def _first(self, name: str, shape: re.Pattern[str], instead: str) -> Match | None:
        """The first line of that field whose value has the shape; notes the others, and what they
        are instead."""
        chosen = None
        named, rule = self._named(name), name.lower()
        for match in named:
            shaped = shape.fullmatch(match.string, match.start(2), match.end(2))
            if chosen is not None:
                self._repeated(match)
            elif shaped is None:
                where = self.page.line(match.start() + 1)
                what = f"`{short(match[2])}` is {instead}"
                self.page.note(f"{rule}-unreadable", where, what)
            else:
                chosen = shaped
        if not named:
            self.page.note(f"{rule}-missing", self.line, f"the review entry has no {name}")
        return chosen
