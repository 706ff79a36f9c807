"""Scheduler: what the published scheduler, which reads plain lines, would make of the same file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from mandrel_tui.protocol.diagnostics import Diagnostic, Severity, diagnostic
from mandrel_tui.protocol.frontmatter import FrontMatter, plain, unquoted
from mandrel_tui.protocol.log import Lines, Log, read_heading
from mandrel_tui.protocol.quoting import Quoting

KEYS = ("id", "status", "session-est", "blockers", "prefetch", "fix-set", "claimed-by")
_HARMLESS = frozenset({"id", "prefetch"})
_HEADING = re.compile(r"\n### ([^\n]*)")


def plain_line_value(text: str, after: int) -> str:
    """The value a plain line reader takes behind a key that ends at offset `after`: blanks and
    line ends are skipped, the first `#` ends it."""
    start = after
    while start < len(text) and text[start].isspace():
        start += 1
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)]
    return line.split("#", 1)[0].rstrip()


def differences(
    text: str,
    front: FrontMatter,
    log: Log,
    quoting: Quoting,
    lines: Lines,
    path: str,
    by_yaml: Collection[str] = (),
) -> Iterator[Diagnostic]:
    """Every place where the scheduler's reading of the file would not be this program's; `by_yaml`
    are the keys whose values are more than their lines say."""
    yield from _keys(text, front, lines, path, by_yaml)
    yield from _headings(text, log, quoting, lines, path)


def _differs(
    path: str, line: int | None, message: str, level: Severity | None = None
) -> Diagnostic:
    return diagnostic("scheduler-reads-differently", path, line, message, None, level)


def _short(text: str) -> str:
    clean = plain(text)
    return clean if len(clean) <= 60 else clean[:59] + "…"


def _keys(
    text: str, front: FrontMatter, lines: Lines, path: str, by_yaml: Collection[str]
) -> Iterator[Diagnostic]:
    # Without front matter the status it would take says enough.
    for key in KEYS if front.closed else ("status",):
        item = front.first(key) if front.closed else None
        at = _key_offset(text, key)
        if at is None:
            if item is not None and item.raw:
                what = f"it would find no {key}, since a blank stands before the colon"
                yield _differs(path, item.field.line, what, _weight(key, item.raw))
            continue
        theirs = plain_line_value(text, at + len(key) + 1)
        line = lines.at(at)
        if item is None:
            if theirs:
                yield _differs(path, line, f"it would take `{key}: {_short(theirs)}` from here")
            continue
        if key in by_yaml or theirs != unquoted(item.raw):
            level = _weight(key, item.raw)
            yield _differs(path, line, f"it would read {key} as `{_short(theirs)}`", level)
        elif key == "claimed-by" and item.raw.count("@") > 1:
            first = item.raw.split("@", 1)[0]
            yield _differs(path, line, f"it would take `{_short(first)}` for the claiming session")


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


def _headings(
    text: str, log: Log, quoting: Quoting, lines: Lines, path: str
) -> Iterator[Diagnostic]:
    start = _log_offset(text)
    if log.start is not None and start is None:
        where = lines.at(log.start)
        yield _differs(path, where, "it would find no session log, so no entry")
        return
    if start is None:
        return
    if log.start is not None and start != log.start:
        yield _differs(path, lines.at(start), "it would let the session log begin here")
    others = {offset for offset, _ in log.others}
    for match in _HEADING.finditer(text, start):
        offset = match.start() + 1
        if offset in quoting:
            if read_heading(match[1]).sid:
                what = f"it would take the quoted heading `{_short(match[1].rstrip())}` as an entry"
                yield _differs(path, lines.at(offset), what)
        elif offset in others:
            what = f"it would end the entry above at `### {_short(match[1].rstrip())}`"
            yield _differs(path, lines.at(offset), what)


def _log_offset(text: str) -> int | None:
    """The offset of the first line that is `## Session log`, quoted or not."""
    match = re.search(r"^## Session log[ \t]*\r?$", text, re.MULTILINE)
    return match.start() if match else None
