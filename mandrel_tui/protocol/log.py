"""Session log: finds the log and reads its entries and their fields; decides no turn."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.frontmatter import plain
from mandrel_tui.protocol.quoting import Quoting
from mandrel_tui.protocol.task import EntryField, LogEntry, Status, Verdict

EXACT = "## Session log"
_NEAR = re.compile(
    r"^ {0,3}#{1,6}[ \t]*session[^\n]*|^ {0,3}session[^\n]*\n {0,3}(?:=+|-+)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_NEAR_WORDS = frozenset({"session log", "session logs", "sessionlog", "session-log", "session_log"})
_HEADING = re.compile(r"\n### ([^\n]*)")
_NEARLY_ENTRY = re.compile(r"\n[ \t]*#{1,6}[ \t]*\d{4}-\d\d-\d\d[^\n]* / [^\n]*")
_DATE_LIKE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
_ARROW = re.compile("→|->")
_STATUSES = frozenset(Status)
_WORK_FIELDS = frozenset({"Done", "Plan-slice", "Next", "Open"})
_REVIEW_FIELDS = frozenset({"Verdict", "Group", "Findings", "Dispute-unresolved", "Next", "Open"})
_FIELD = re.compile(
    rf"\n[ \t]*- ({'|'.join(sorted(_WORK_FIELDS | _REVIEW_FIELDS))}):([^\n]*)",
)
_ANY_HEADING = re.compile(r"\n#{1,6} ")
_WORD = re.compile(r"[ \t]*([a-z]+(?:-[a-z]+)*)[ \t]*\r?")
_TOKEN = re.compile(r"[ \t]*(\S+)[ \t]*\r?")


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
        return _DATE_LIKE.match(self.date) is not None

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


class Lines:
    """Line numbers (from 1) of character offsets of one text."""

    def __init__(self, text: str) -> None:
        self.breaks = [match.start() for match in re.finditer("\n", text)]

    def at(self, offset: int) -> int:
        return bisect_right(self.breaks, offset - 1) + 1


@dataclass(frozen=True, slots=True)
class Log:
    """The log as read: offset of its heading (None without one), whether that heading is exact,
    its entries, and headings at `### ` level that open none (offset, text)."""

    start: int | None
    exact: bool
    entries: tuple[LogEntry, ...]
    others: tuple[tuple[int, str], ...]
    diagnostics: tuple[Diagnostic, ...]


def next_entry_finder(text: str) -> _NextEntry:
    """A function from an offset to the next well-formed entry heading, for ascending offsets."""
    return _NextEntry(text)


class _NextEntry:
    def __init__(self, text: str) -> None:
        self.text, self.found = text, -1

    def __call__(self, offset: int) -> int:
        if self.found > offset:
            return self.found
        for match in _HEADING.finditer(self.text, offset):
            if read_heading(match[1]).well_formed:
                self.found = match.start() + 1
                return self.found
        self.found = len(self.text)
        return self.found


def read_log(text: str, body: int, quoting: Quoting, lines: Lines, path: str) -> Log:
    """The log of a decoded task file whose body begins at offset `body`."""
    start, exact, end = _locate(text, body, quoting)
    if start is None:
        return _without_log(text, body, quoting, lines, path)
    found: list[Diagnostic] = []
    if not exact:
        typed = text[start : start + 80].split("\n", 1)[0].strip(" \t\r")
        found.append(
            diagnostic("log-heading", path, lines.at(start), f"`{plain(typed)}` is read as log")
        )
    headings = [m for m in _HEADING.finditer(text, end) if m.start() + 1 not in quoting]
    opened: list[tuple[re.Match[str], Heading | None]] = []
    others: list[tuple[int, str]] = []
    for index, match in enumerate(headings):
        until = headings[index + 1].start() if index + 1 < len(headings) else len(text)
        heading = read_heading(match[1])
        has_fields = any(
            m.start() + 1 not in quoting for m in _FIELD.finditer(text, match.end(), until)
        )
        if _opens(heading, has_fields):
            opened.append((match, heading))
        elif _DATE_LIKE.match(match[1].lstrip(" \t")) or has_fields:
            opened.append((match, None))
            found.append(
                diagnostic(
                    "entry-without-sid",
                    path,
                    lines.at(match.start() + 1),
                    f"`### {_short(match[1])}` names no session",
                )
            )
        else:
            others.append((match.start() + 1, match[1]))
    found.extend(_nearly(text, end, quoting, lines, path))
    entries = []
    for index, (match, placed) in enumerate(opened):
        until = opened[index + 1][0].start() if index + 1 < len(opened) else len(text)
        if placed is not None:
            entries.append(_entry(text, match, placed, until, quoting, lines, path, found))
    return Log(start, exact, tuple(entries), tuple(others), tuple(found))


def _short(text: str) -> str:
    clean = plain(text.strip(" \t\r"))
    return clean if len(clean) <= 60 else clean[:59] + "…"


def _has_fields(text: str, start: int, end: int, quoting: Quoting) -> bool:
    return any(m.start() + 1 not in quoting for m in _FIELD.finditer(text, start, end))


def _opens(heading: Heading, has_fields: bool) -> bool:
    """Whether a heading opens an entry; one with a sid must look like one in another way too."""
    placed = heading.dated or heading.before is not None or heading.review_of is not None
    return bool(heading.sid) and (placed or has_fields)


def _locate(text: str, body: int, quoting: Quoting) -> tuple[int | None, bool, int]:
    """Offset of the log's heading, whether it is exact, and the offset where its line ends."""
    near = exact = None
    for match in _NEAR.finditer(text, body):
        if match.start() in quoting or not _near_words(match[0]):
            continue
        if match[0].rstrip("\r") == EXACT:
            exact = match
            break
        near = near or match
    if near and exact and not _entry_between(text, near.end(), exact.start(), quoting):
        near = None
    chosen = near or exact
    if chosen is None:
        return None, False, len(text)
    return chosen.start(), chosen is exact, chosen.end()


def _near_words(heading: str) -> bool:
    """Whether a heading, its underline included, says *session log* and nothing else."""
    words = heading.split("\n", 1)[0].strip(" \t\r").strip("#").strip(" \t").rstrip(" \t:")
    return " ".join(words.lower().split()) in _NEAR_WORDS


def _entry_between(text: str, start: int, end: int, quoting: Quoting) -> bool:
    return any(
        read_heading(match[1]).well_formed
        for match in _HEADING.finditer(text, start, end)
        if match.start() + 1 not in quoting
    )


def _without_log(text: str, body: int, quoting: Quoting, lines: Lines, path: str) -> Log:
    for match in _HEADING.finditer(text, max(0, body - 1)):
        heading = read_heading(match[1])
        if match.start() + 1 not in quoting and heading.sid and (heading.dated or heading.before):
            line = lines.at(match.start() + 1)
            what = f"the entry `{_short(match[1])}` stands in no session log"
            return Log(None, False, (), (), (diagnostic("log-unlocated", path, line, what),))
    missing = diagnostic("log-missing", path, None, "there is no session log")
    return Log(None, False, (), (), (missing,))


def _nearly(
    text: str, start: int, quoting: Quoting, lines: Lines, path: str
) -> Iterator[Diagnostic]:
    for match in _NEARLY_ENTRY.finditer(text, start):
        here = match[0][1:]
        if here.startswith("### ") or match.start() + 1 in quoting:
            continue
        yield diagnostic(
            "entry-heading",
            path,
            lines.at(match.start() + 1),
            f"`{_short(here)}` looks like an entry but is not read as one",
        )


def _entry(
    text: str,
    match: re.Match[str],
    heading: Heading,
    until: int,
    quoting: Quoting,
    lines: Lines,
    path: str,
    found: list[Diagnostic],
) -> LogEntry:
    line = lines.at(match.start() + 1)
    allowed = _WORK_FIELDS if heading.review_of is None else _REVIEW_FIELDS
    declared = [
        m
        for m in _FIELD.finditer(text, match.end(), until)
        if m[1] in allowed and m.start() + 1 not in quoting
    ]
    ends = [*(m.start() for m in declared), until][1:]
    fields = tuple(
        EntryField(m[1], _value(text, m, end, quoting), lines.at(m.start() + 1))
        for m, end in zip(declared, ends, strict=True)
    )
    if heading.odd:
        what = f"a part of `### {_short(match[1])}` is neither `review of <sid>` nor a transition"
        found.append(diagnostic("entry-heading", path, line, what))
    if heading.before is None:
        what = f"`### {_short(match[1])}` tells no (before → after)"
        found.append(diagnostic("entry-transition", path, line, what))
    elif odd := [side for side in (heading.before, heading.after) if side not in _STATUSES]:
        what = f"`{_short(odd[0] or '')}` in the transition is no status"
        found.append(diagnostic("entry-heading", path, line, what))
    judged = _Judgement(path, found)
    review = heading.review_of is not None
    return LogEntry(
        line=line,
        end_line=max(line, lines.at(until) if until == len(text) else lines.at(until + 1) - 1),
        heading=plain(match[1].rstrip("\r")),
        date=plain(heading.date),
        sid=plain(heading.sid),
        review_of=plain(heading.review_of) if heading.review_of is not None else None,
        before=plain(heading.before) if heading.before is not None else None,
        after=plain(heading.after) if heading.after is not None else None,
        fields=fields,
        verdict=judged.verdict(declared, lines, line) if review else None,
        group=judged.group(declared, lines, line) if review else None,
        dispute=judged.dispute(declared, lines) if review else None,
    )


def _value(text: str, match: re.Match[str], end: int, quoting: Quoting) -> str:
    """The field's text: the rest of its line and the lines up to the next field or heading."""
    headings = (m.start() for m in _ANY_HEADING.finditer(text, match.end(), end))
    stop = next((at for at in headings if at + 1 not in quoting), end)
    value = text[match.start(2) : stop]
    return plain(value).replace("\r\n", "\n").strip(" \t\r\n")


class _Judgement:
    """Reads the three fields that steer the loop and notes what is wrong with them."""

    def __init__(self, path: str, found: list[Diagnostic]) -> None:
        self.path, self.found = path, found

    def note(self, rule: str, line: int, message: str) -> None:
        self.found.append(diagnostic(rule, self.path, line, message))

    def verdict(self, declared: list[re.Match[str]], lines: Lines, line: int) -> Verdict | None:
        word = self._first("Verdict", "verdict", _WORD, declared, lines, line)
        if word is None:
            return None
        if word[1] in Verdict._value2member_map_:
            return Verdict(word[1])
        where = lines.at(word.start())
        self.note("verdict-unreadable", where, f"`{_short(word[1])}` is no verdict")
        return None

    def group(self, declared: list[re.Match[str]], lines: Lines, line: int) -> str | None:
        token = self._first("Group", "group", _TOKEN, declared, lines, line)
        return plain(token[1]) if token else None

    def dispute(self, declared: list[re.Match[str]], lines: Lines) -> str | None:
        named = [m for m in declared if m[1] == "Dispute-unresolved"]
        for match in named[1:]:
            where = lines.at(match.start() + 1)
            self.note("field-repeated", where, "a second Dispute-unresolved")
        return plain(named[0][2].strip(" \t\r")) if named else None

    def _first(
        self,
        name: str,
        rule: str,
        shape: re.Pattern[str],
        declared: list[re.Match[str]],
        lines: Lines,
        line: int,
    ) -> re.Match[str] | None:
        """The first line of that field whose value has the shape; notes the others."""
        chosen = None
        named = [m for m in declared if m[1] == name]
        for match in named:
            where = lines.at(match.start() + 1)
            shaped = shape.fullmatch(match.string, match.start(2), match.end(2))
            if chosen is not None:
                self.note("field-repeated", where, f"a second {name}")
            elif shaped is None:
                self.note(f"{rule}-unreadable", where, f"`{_short(match[2])}` is not one word")
            else:
                chosen = shaped
        if not named:
            self.note(f"{rule}-missing", line, f"the review entry has no {name}")
        return chosen
