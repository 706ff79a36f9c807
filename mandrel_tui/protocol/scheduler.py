"""Scheduler: what the published scheduler, which reads plain lines, would make of the same file."""

from __future__ import annotations

import re
from collections.abc import Collection

from mandrel_tui.protocol.diagnostics import Severity
from mandrel_tui.protocol.frontmatter import FrontMatter, unquoted
from mandrel_tui.protocol.headings import HEADING, read_heading
from mandrel_tui.protocol.legible import short
from mandrel_tui.protocol.log import Log
from mandrel_tui.protocol.page import Page

KEYS = ("id", "status", "session-est", "blockers", "prefetch", "fix-set", "claimed-by")
_HARMLESS = frozenset({"id", "prefetch"})


def plain_line_value(text: str, after: int) -> str:
    """The value a plain line reader takes behind a key that ends at offset `after`: blanks and
    line ends are skipped, the first `#` ends it."""
    start = after
    while start < len(text) and text[start].isspace():
        start += 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return line.split("#", 1)[0].rstrip()


def note_differences(
    page: Page, front: FrontMatter, log: Log, by_yaml: Collection[str] = ()
) -> None:
    """Notes every place where the scheduler's reading of the file would not be this program's;
    `by_yaml` are the keys whose values are more than their lines say."""
    # Without front matter the status it would take says enough.
    for key in KEYS if front.closed else ("status",):
        _key(page, front, key, key in by_yaml)
    _headings(page, log)


def _note(page: Page, line: int | None, message: str, level: Severity | None = None) -> None:
    page.note("scheduler-reads-differently", line, message, level=level)


def _key(page: Page, front: FrontMatter, key: str, by_yaml: bool) -> None:
    item = front.first(key) if front.closed else None
    at = _key_offset(page.text, key)
    if at is None:
        if item is not None and item.raw:
            what = f"it would find no {key}, since a blank stands before the colon"
            _note(page, item.field.line, what, _weight(key, item.raw))
        return
    theirs, line = plain_line_value(page.text, at + len(key) + 1), page.line(at)
    if item is None:
        if theirs:
            _note(page, line, f"it would take `{key}: {short(theirs)}` from here")
    elif by_yaml or theirs != unquoted(item.raw):
        what = f"it would read {key} as `{short(theirs)}`"
        _note(page, line, what, _weight(key, item.raw))
    elif key == "claimed-by" and item.raw.count("@") > 1:
        first = item.raw.split("@", 1)[0]
        _note(page, line, f"it would take `{short(first)}` for the claiming session")


def _weight(key: str, raw: str) -> Severity | None:
    """A difference that changes no decision is only noted."""
    harmless = key in _HARMLESS or (key == "claimed-by" and not raw)
    return Severity.NOTE if harmless else None


def _key_offset(text: str, key: str) -> int | None:
    """The offset of the first line that begins with `key:`."""
    if text.startswith(f"{key}:"):
        return 0
    at = text.find(f"\n{key}:")
    return at + 1 if at >= 0 else None


def _headings(page: Page, log: Log) -> None:
    start = _log_offset(page.text)
    if log.start is not None and start is None:
        _note(page, page.line(log.start), "it would find no session log, so no entry")
    if start is None:
        return
    if log.start is not None and start != log.start:
        _note(page, page.line(start), "it would let the session log begin here")
    others = {offset for offset, _ in log.others}
    for match in HEADING.finditer(page.text, start):
        offset = match.start() + 1
        if offset in page.quoting:
            if read_heading(match[1]).sid:
                what = f"it would take the quoted heading `{short(match[1])}` as an entry"
                _note(page, page.line(offset), what)
        elif offset in others:
            what = f"it would take `### {short(match[1])}` for a heading of the log"
            _note(page, page.line(offset), what)


def _log_offset(text: str) -> int | None:
    """The offset of the first line that is `## Session log`, quoted or not."""
    match = re.search(r"^## Session log[ \t]*\r?$", text, re.MULTILINE)
    return match.start() if match else None
