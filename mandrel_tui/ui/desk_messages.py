"""Desk messages: what the screens of closing out and curating ask of the app; none acts by
itself."""

from __future__ import annotations

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui.messages import Asked


class AskCloseOut(Asked):
    """Open the closeout of a task."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskCurate(Asked):
    """Open the curation of a file, which the person names where `path` is empty."""

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path


class Decided(Asked):
    """Something was decided: keep it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk


class AskStep(Asked):
    """Go to another step of what is under way."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self.step = step


class AskRequest(Asked):
    """Copy the request for a proposal."""


class AskTake(Asked):
    """Take a proposal in; without a source, the person chooses one."""

    def __init__(self, source: Source | None = None) -> None:
        super().__init__()
        self.source = source
