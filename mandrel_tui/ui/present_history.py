"""Present the history of a task file: the versions of it that were seen, and the alarm of a log
that was rewritten, as lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.ui.clean import pad, width
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.present_session import local
from mandrel_tui.ui.row import Row
from mandrel_tui.ui.symbols import Symbols


@dataclass(frozen=True, slots=True)
class Seen:
    """One version: which of all it is, from 1, its digest, when it was first seen (UTC), its bytes
    and in one phrase what changed; `rewrote` says that earlier entries did."""

    place: int
    sha256: str
    at: str
    size: int
    words: str
    rewrote: bool = False

    @property
    def key(self) -> str:
        return f"{self.place} {self.sha256}"


@dataclass(frozen=True, slots=True)
class History:
    """The versions of a task file, oldest first; `alarm` says what the log of the last one no
    longer says of the version `against`, empty where it says all."""

    task: str
    versions: tuple[Seen, ...] = ()
    alarm: str = ""
    against: str = ""

    def find(self, key: str) -> Seen | None:
        """The version of a row."""
        return next((seen for seen in self.versions if seen.key == key), None)

    def before(self, seen: Seen) -> Seen | None:
        """The version before one; None for the first."""
        return self.versions[seen.place - 2] if seen.place > 1 else None


def history_rows(history: History, symbols: Symbols, now: datetime) -> Iterator[Row]:
    """`12  14:02   4,212  entry of 7c1e09aa`, the latest first."""
    times = [local(seen.at, now) for seen in history.versions]
    sizes = [number(seen.size) for seen in history.versions]
    columns = [max(map(width, texts), default=0) for texts in (times, sizes)]
    digits = len(str(len(times)))
    for seen, at, size in reversed(list(zip(history.versions, times, sizes, strict=True))):
        left = (
            (f"{pad(str(seen.place), digits, right=True)}  {pad(at, columns[0])}", "quiet"),
            (f"  {pad(size, columns[1], right=True)}  ", "quiet"),
            (f"{symbols.owe} " if seen.rewrote else "", "fail"),
            (phrase(seen, symbols), "text"),
        )
        yield Row(seen.key, left, find=f"{at} {seen.words}")


def phrase(seen: Seen, symbols: Symbols) -> str:
    """What a version changed, in one phrase."""
    return words(seen.words.replace("→", symbols.arrow), symbols)


def alarm_line(history: History, symbols: Symbols, now: datetime) -> Line:
    """`! earlier entries: 2 changed at 14:20, Enter diff, Space more`."""
    at = local(history.versions[-1].at, now)
    said = f"{words(history.alarm, symbols)} at {at}"
    mark = (f"{symbols.owe} ", "fail")
    return Line((mark, (said, "text"), (", Enter diff, Space more", "quiet")))


def version_name(seen: Seen, now: datetime) -> str:
    """`version 12 of 14:02`."""
    return f"version {number(seen.place)} of {local(seen.at, now)}"


def version_lines(old: Seen | None, new: Seen, symbols: Symbols, now: datetime) -> list[Line]:
    """What stands above the difference of two versions."""
    kept = [("- ", old, "fail")] if old is not None else []
    said = [
        Line(
            ((sign, role), (version_name(seen, now), "text")),
            ((f"{number(seen.size)} bytes", "quiet"),),
        )
        for sign, seen, role in (*kept, ("+ ", new, "pass"))
    ]
    return [*said, line(phrase(new, symbols), "text bold")]
