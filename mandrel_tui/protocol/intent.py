"""Intent: what of a task's Goal, Scope and Acceptance another version says, and whether its log
tells of it; judges no session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.diff import unified
from mandrel_tui.protocol.reading import SECTIONS
from mandrel_tui.protocol.rewriting import entry_text
from mandrel_tui.protocol.task import Section, Task


@dataclass(frozen=True, slots=True)
class Replanned:
    """One section that changed without a word in the log: its `title`, and the `diff` as lines."""

    title: str
    diff: tuple[str, ...]

    @property
    def words(self) -> str:
        """What happened, on one line."""
        return f"{self.title} changed, and no entry since says so"


def replanned(earlier: Task, later: Task) -> tuple[Replanned, ...]:
    """The sections that changed while no entry that came since names them, or the scope."""
    return tuple(_replanned(earlier, later))


def _replanned(earlier: Task, later: Task) -> Iterator[Replanned]:
    since = "\n".join(entry_text(later, entry) for entry in later.entries[len(earlier.entries) :])
    for title in SECTIONS:
        old, new = _body(earlier, title), _body(later, title)
        told = re.search(rf"\b(?:{title}|scope)\b", since, re.IGNORECASE)
        if old != new and not told:
            yield Replanned(title, unified(title, old, new)[2:])


def _body(task: Task, title: str) -> bytes:
    """The text of a section, its lines ended alike and blank ones around it left out."""
    found = next((one for one in task.sections if one.title == title), Section(title, 0, ""))
    text = found.body.replace("\r\n", "\n").strip("\n")
    return f"{text}\n".encode("utf-8", "surrogateescape") if text else b""
