"""Launch files: what the attendant of a launched agent reads and writes outside the repository."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mandrel_tui.protocol.trail import Ending
from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.state import State, words_of

LOST = "lost sight of: what watched it is gone"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a launched agent got: `started` by the attendant, `ended` with a `status`, or not
    started for a `cause`."""

    started: bool = False
    ended: bool = False
    status: int | None = None
    cause: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class LaunchFiles:
    """The launch files of one repository, by the id of the handover."""

    state: State

    @property
    def folder(self) -> Path:
        return self.state.folder / "launches"

    def order(self, id: str) -> Path:
        """What the attendant is to start; it removes the file when it has read it."""
        return self.folder / f"{id}.order"

    def result(self, id: str) -> Path:
        """What the attendant tells; it holds the file's lock as long as it lives."""
        return self.folder / f"{id}.result"

    def output(self, id: str) -> Path:
        """What a headless agent printed."""
        return self.folder / f"{id}.output"

    def prompt(self, id: str) -> Path:
        """The bytes for the standard input of a headless agent."""
        return self.folder / f"{id}.prompt"

    def write(self, path: Path, data: bytes) -> str:
        """Writes one of these files; why it could not, empty when it did."""
        note = self.state.ready()
        if note:
            return note
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            atomic.put(path, data)
        except OSError as error:
            return f"{path.name} cannot be written: {words_of(error)}"
        return ""

    def remove(self, id: str) -> None:
        """Removes the files of a launch that came to nothing."""
        for path in (self.order(id), self.result(id), self.output(id), self.prompt(id)):
            atomic.discard(path)

    def progress(self, id: str) -> Progress:
        """What the attendant has told so far."""
        try:
            lines = read(self.result(id)).data.split(b"\n")
        except NotRead:
            return Progress()
        told: dict[str, Any] = {}
        for line in lines:
            with suppress(ValueError, TypeError):
                told.update(json.loads(line))
        return _progress(told)

    def ending(self, id: str) -> Ending | None:
        """How the agent of a handover ended; None while it runs, or where no attendant was."""
        path = self.result(id)
        if not path.exists():
            return None
        lost = unlocked(path)
        progress = self.progress(id)
        if progress.ended:
            return Ending(id, progress.at, progress.status, progress.cause)
        return Ending(id, progress.at, None, LOST) if lost else None


def _progress(told: Mapping[str, Any]) -> Progress:
    status = told.get("status")
    return Progress(
        started="started" in told,
        ended="status" in told,
        status=status if isinstance(status, int) else None,
        cause=str(told.get("cause", "")),
        at=str(told.get("at", "")),
    )


def unlocked(path: Path) -> bool:
    """Whether no attendant holds the file; false where the system cannot tell."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True
