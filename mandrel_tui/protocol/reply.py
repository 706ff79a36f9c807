"""Reply: where the diffs stand in a text that wraps them in prose or fences; judges none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mandrel_tui.protocol.patch import EXTENDED, PatchRefused
from mandrel_tui.protocol.patience import lines_of

_FENCE = re.compile(rb"([ \t]*)(`{3,}|~{3,})([^\n]*?)\r?\n?")
_RANGE = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_HEADERS = (b"diff --git ", b"diff --cc ", b"diff --combined ")


@dataclass(frozen=True, slots=True)
class Found:
    """One diff of a reply: its bytes, and the line of the reply it begins at, from 1."""

    line: int
    data: bytes


def diffs(reply: bytes) -> tuple[Found, ...]:
    """The diffs of a reply; parts that only blank lines divide are one diff."""
    lines = lines_of(reply.removeprefix(b"\xef\xbb\xbf"))
    found = _Scan(lines).run()
    return tuple(Found(a + 1, b"".join(lines[a:b])) for a, b in found)


def the_diff(reply: bytes) -> bytes:
    """The one diff of a reply; raises PatchRefused when there is none, or more than one."""
    found = diffs(reply)
    if not found:
        raise PatchRefused("there is no diff in it")
    if len(found) > 1:
        places = " and ".join(str(one.line) for one in found[:5])
        raise PatchRefused(f"it holds {len(found)} diffs (at lines {places}): keep one of them")
    return found[0].data


class _Scan:
    """One pass over the lines of a reply."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        self.lines = lines
        self.found: list[tuple[int, int]] = []

    def run(self) -> list[tuple[int, int]]:
        at = 0
        while at < len(self.lines):
            if self.begins(at):
                end = self.end(at, len(self.lines))
                self.found.append((at, end))
                at = end
            elif fence := _FENCE.fullmatch(self.lines[at]):
                at = self.fenced(at + 1, fence)
            else:
                at += 1
        return self.found

    def begins(self, at: int) -> bool:
        """Whether a diff's header begins here."""
        if self.lines[at].startswith(_HEADERS):
            return True
        follows = self.lines[at + 1] if at + 1 < len(self.lines) else b""
        return self.lines[at].startswith(b"--- ") and follows.startswith(b"+++ ")

    def fenced(self, start: int, opening: re.Match[bytes]) -> int:
        """Takes what a fence holds from the first header in it on; the line behind the fence."""
        close = next((n for n in range(start, len(self.lines)) if self.closes(n, opening)), None)
        end = len(self.lines) if close is None else close
        first = next((n for n in range(start, end) if self.begins(n)), None)
        if first is not None:
            self.found.append((first, end))
        return end + 1

    def closes(self, at: int, opening: re.Match[bytes]) -> bool:
        fence = _FENCE.fullmatch(self.lines[at])
        if fence is None or fence[1] != opening[1] or fence[3].strip():
            return False
        return fence[2].startswith(opening[2])

    def end(self, at: int, limit: int) -> int:
        """Where a diff that begins at `at` ends: behind its last hunk, or where its lines cease to
        look like one."""
        while at < limit:
            line = self.lines[at]
            if line.startswith(b"@@ "):
                at = self.hunk_end(at, limit)
            elif line.startswith((*EXTENDED, b"+++ ")) or self.begins(at):
                at += 1
            elif (further := self.goes_on(at, limit)) is not None:
                at = further
            else:
                break
        return at

    def hunk_end(self, at: int, limit: int) -> int:
        """Behind the lines a hunk's heading counts, or before the first that cannot be one."""
        match = _RANGE.match(self.lines[at])
        old, new = (int(n or 1) for n in match.groups(b"1")) if match else (0, 0)
        at += 1
        while at < limit and (old > 0 or new > 0):
            sign = self.lines[at][:1]
            if sign not in b" +-\\\r\n" or sign == b"":
                break
            old -= sign in b" -\r\n"
            new -= sign in b" +\r\n"
            at += 1
        return at

    def goes_on(self, at: int, limit: int) -> int | None:
        """Where the diff goes on that did not end with a hunk: behind a line that looks like one of
        a hunk, or behind blank lines at another part; None where it does not."""
        line = self.lines[at]
        if line.rstrip(b"\r\n") in (b"-- ", b"--"):
            return None
        if line.strip():
            return at + 1 if line.startswith((b"+", b"-", b" ", b"\\ ")) else None
        rest = next((n for n in range(at + 1, limit) if self.lines[n].strip()), limit)
        if rest == limit:
            return None
        part = self.begins(rest) or self.lines[rest].startswith(b"@@ ")
        return rest if part or re.match(rb"[+-][^ \t\r\n]", self.lines[rest]) else None
