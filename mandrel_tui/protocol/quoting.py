"""Quoting: which stretches of a Markdown text are fenced code or comments and declare nothing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

_PREFIX = r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t]))*[ \t]*"
_FENCE = re.compile(rf"^{_PREFIX}(?P<run>`{{3,}}|~{{3,}})(?P<info>[^\n]*)", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t\r]*(?=\n)")


@dataclass(frozen=True, slots=True)
class Quoting:
    """Quoted stretches as sorted character offsets, and the openings that never close.

    `unclosed` holds (offset, "fence" | "comment") pairs.
    """

    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    unclosed: tuple[tuple[int, str], ...] = ()

    def __contains__(self, offset: int) -> bool:
        index = bisect_right(self.starts, offset) - 1
        return index >= 0 and offset < self.ends[index]


NOTHING = Quoting()


@dataclass(frozen=True, slots=True)
class _Fence:
    start: int
    end: int
    char: str
    length: int
    info: str

    @property
    def opens(self) -> bool:
        """A backtick fence whose info holds a backtick is inline code."""
        return self.char == "~" or "`" not in self.info

    @property
    def closes(self) -> bool:
        return not self.info.strip(" \t\r")


def read_quoting(text: str, start: int, next_entry: Callable[[int], int]) -> Quoting:
    """The quoted stretches of `text` from offset `start`, in linear time.

    `next_entry(offset)` gives the offset of the next well-formed entry heading, where a fence or
    comment that is never closed ends.
    """
    if "```" not in text and "~~~" not in text and "<!--" not in text:
        return NOTHING
    return _Scan(text, start, next_entry).run()


class _Next:
    """The next place of something behind ascending offsets, -1 without one; each found once."""

    def __init__(self, find: Callable[[int], int]) -> None:
        self.find, self.found = find, 0
        self.sought = False

    def __call__(self, offset: int) -> int:
        if not self.sought or 0 <= self.found < offset:
            self.found, self.sought = self.find(offset), True
        return self.found


def _offset(match: re.Match[str] | None) -> int:
    return match.start() if match else -1


class _Ticks:
    """What stands before an offset on its line, for ascending offsets."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.count, self.blank = text, 0, 0, True

    def before(self, offset: int) -> tuple[bool, bool]:
        """Whether only blanks stand before it, and whether a code span is open there."""
        line = self.text.rfind("\n", self.at, offset) + 1
        if line > self.at:
            self.at, self.count, self.blank = line, 0, True
        piece = self.text[self.at : offset]
        self.at, self.count = offset, self.count + piece.count("`")
        self.blank = self.blank and not piece.strip(" \t")
        return self.blank, self.count % 2 == 1


class _Scan:
    """One pass over the fences and comments of a text."""

    def __init__(self, text: str, start: int, next_entry: Callable[[int], int]) -> None:
        self.text = text
        self.pos = start
        self.next_entry = next_entry
        self.fences = [
            _Fence(m.start(), m.end(), m["run"][0], len(m["run"]), m["info"])
            for m in _FENCE.finditer(text, start)
        ]
        self.longest = self._longest_closers()
        self.next_open = _Next(lambda offset: text.find("<!--", offset))
        self.next_close = _Next(lambda offset: text.find("-->", offset))
        self.next_blank = _Next(lambda offset: _offset(_BLANK.search(text, offset)))
        self.ticks = _Ticks(text)
        self.index = 0
        self.spans: list[tuple[int, int]] = []
        self.unclosed: list[tuple[int, str]] = []

    def _longest_closers(self) -> list[dict[str, int]]:
        """For each fence, the longest closing run of each character at or behind it."""
        longest = [{"`": 0, "~": 0}]
        for fence in reversed(self.fences):
            best = dict(longest[-1])
            if fence.closes:
                best[fence.char] = max(best[fence.char], fence.length)
            longest.append(best)
        longest.reverse()
        return longest

    def run(self) -> Quoting:
        while True:
            comment = self.next_open(self.pos)
            while self.index < len(self.fences) and self.fences[self.index].start < self.pos:
                self.index += 1
            fence = self.fences[self.index].start if self.index < len(self.fences) else -1
            if comment < 0 and fence < 0:
                break
            if fence >= 0 and (comment < 0 or fence < comment):
                self._fence()
            else:
                self._comment(comment)
        starts, ends = zip(*self.spans, strict=True) if self.spans else ((), ())
        return Quoting(starts, ends, tuple(self.unclosed))

    def _fence(self) -> None:
        opening = self.fences[self.index]
        self.index += 1
        self.pos = opening.end
        if not opening.opens:
            return
        if self.longest[self.index][opening.char] < opening.length:
            self._never_closed(opening.start, "fence")
            return
        while True:
            closing = self.fences[self.index]
            self.index += 1
            if closing.closes and closing.char == opening.char and closing.length >= opening.length:
                break
        self.spans.append((opening.start, closing.end))
        self.pos = closing.end

    def _comment(self, start: int) -> None:
        block, in_code = self.ticks.before(start)
        self.pos = start + 4
        if in_code:
            return
        close = self.next_close(start)
        if close < 0:
            if block:
                self._never_closed(start, "comment")
            return
        blank = -1 if block else self.next_blank(start)
        if blank < 0 or blank > close:
            self.spans.append((start, close + 3))
            self.pos = close + 3

    def _never_closed(self, start: int, kind: str) -> None:
        end = self.next_entry(start)
        self.unclosed.append((start, kind))
        self.spans.append((start, end))
        self.pos = end
