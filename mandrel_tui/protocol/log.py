"""Session log: finds the log and the entries in it; decides no turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.entries import Span, has_fields, read_entry
from mandrel_tui.protocol.headings import DATE_LIKE, HEADING, Heading, read_heading
from mandrel_tui.protocol.legible import short
from mandrel_tui.protocol.page import Page
from mandrel_tui.protocol.task import LogEntry

EXACT = "## Session log"
_NEAR = re.compile(
    r"^ {0,3}#{1,6}[ \t]*session[^\n]*|^ {0,3}session[^\n]*\n {0,3}(?:=+|-+)[ \t]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_NEAR_WORDS = frozenset({"session log", "session logs", "sessionlog", "session-log", "session_log"})
_NEARLY_ENTRY = re.compile(r"\n[ \t]*#{1,6}[ \t]*\d{4}-\d\d-\d\d[^\n]* / [^\n]*")


@dataclass(frozen=True, slots=True)
class Log:
    """The log as read: offset of its heading (None without one), its entries, and the headings at
    `### ` level that open none (offset, text)."""

    start: int | None = None
    entries: tuple[LogEntry, ...] = ()
    others: tuple[tuple[int, str], ...] = ()


def read_log(page: Page) -> Log:
    """The log of a task file; what is odd about it is noted on the page."""
    heading = _heading(page)
    if heading is None:
        _note_absence(page)
        return Log()
    if heading[0].rstrip("\r") != EXACT:
        typed = short(heading[0].split("\n", 1)[0])
        page.note("log-heading", page.line(heading.start()), f"`{typed}` is read as log")
    opened: list[tuple[re.Match[str], Heading | None]] = []
    others: list[tuple[int, str]] = []
    for match, end in _stretches(page, heading.end()):
        said, fields = read_heading(match[1]), has_fields(page, match.end(), end)
        if _opens(said, fields):
            opened.append((match, said))
        elif fields or DATE_LIKE.match(match[1].lstrip(" \t")):
            opened.append((match, None))
            what = f"`### {short(match[1])}` names no session"
            page.note("entry-without-sid", page.line(match.start() + 1), what)
        if not _opens(said, fields):
            others.append((match.start() + 1, match[1]))
    _note_near_misses(page, heading.end())
    return Log(heading.start(), tuple(_entries(page, opened)), tuple(others))


def _headings(page: Page, start: int) -> Iterator[re.Match[str]]:
    for match in HEADING.finditer(page.text, start):
        if match.start() + 1 not in page.quoting:
            yield match


def _stretches(page: Page, start: int) -> Iterator[tuple[re.Match[str], int]]:
    """Each `### ` heading with the offset of the next one, or of the end."""
    headings = list(_headings(page, start))
    ends = [*(match.start() for match in headings), len(page.text)][1:]
    return zip(headings, ends, strict=False)


def _entries(page: Page, opened: list[tuple[re.Match[str], Heading | None]]) -> Iterator[LogEntry]:
    """The entries of the headings that open one; any of these headings ends the one before."""
    ends = [*(match.start() for match, _ in opened), len(page.text)][1:]
    for (match, said), end in zip(opened, ends, strict=False):
        if said is not None:
            yield read_entry(page, Span(match, said, end))


def _opens(heading: Heading, fields: bool) -> bool:
    """Whether a heading opens an entry: it yields a sid. One of several words, as in `Client /
    server split`, counts only where the heading looks like an entry in another way."""
    placed = heading.dated or heading.before is not None or heading.review_of is not None
    return bool(heading.sid) and (placed or fields or len(heading.sid.split()) == 1)


def _heading(page: Page) -> re.Match[str] | None:
    """The heading of the log: the first exact one, or one that is nearly right and has entries
    before that."""
    near = None
    for match in _NEAR.finditer(page.text, page.body):
        if match.start() in page.quoting or not _says_log(match[0]):
            continue
        if match[0].rstrip("\r") == EXACT:
            return near if near and _entry_between(page, near.end(), match.start()) else match
        near = near or match
    return near


def _says_log(heading: str) -> bool:
    """Whether a heading, its underline included, says *session log* and nothing else."""
    words = heading.split("\n", 1)[0].strip(" \t\r").strip("#").strip(" \t").rstrip(" \t:")
    return " ".join(words.lower().split()) in _NEAR_WORDS


def _entry_between(page: Page, start: int, end: int) -> bool:
    return any(
        read_heading(match[1]).well_formed
        for match in _headings(page, start)
        if match.start() < end
    )


def _note_absence(page: Page) -> None:
    for match in _headings(page, max(0, page.body - 1)):
        said = read_heading(match[1])
        if said.sid and (said.dated or said.before):
            what = f"the entry `{short(match[1])}` stands in no session log"
            page.note("log-unlocated", page.line(match.start() + 1), what)
            return
    page.note("log-missing", None, "there is no session log")


def _note_near_misses(page: Page, start: int) -> None:
    for match in _NEARLY_ENTRY.finditer(page.text, start):
        here = match[0][1:]
        if not here.startswith("### ") and match.start() + 1 not in page.quoting:
            what = f"`{short(here)}` looks like an entry but is not read as one"
            page.note("entry-heading", page.line(match.start() + 1), what)
