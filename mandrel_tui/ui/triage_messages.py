"""Triage messages: what screens ask of the app about the list of tasks; none acts by itself."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.ui.messages import Asked


class AskNew(Asked):
    """Draft a new task."""


class AskEdit(Asked):
    """Edit a task: its front matter, or its whole text in the person's editor."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskBlock(Asked):
    """Block a task, or free it of what it waits for."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskMend(Asked):
    """Correct the index."""


class AskUndo(Asked):
    """Take the last write back."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """A write that was made; `task` is the one the list shall go to, empty for none."""

    task: str = ""
