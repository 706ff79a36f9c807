"""Listing: which names of a folder are task files, and which nearly are; opens none of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace.atomic import LEFTOVER
from mandrel_tui.workspace.files import kind, reason
from mandrel_tui.workspace.visible import name_of

_NEVER = frozenset({"index.md", "readme.md"})
_INTERRUPTED = (".md.tmp", ".md.part", ".md#")


@dataclass(frozen=True, slots=True)
class StoreFile:
    """One task file: `name` is its identity, the file name without `.md`; `at` is its path as the
    system spells it."""

    name: str
    at: str

    @property
    def path(self) -> Path:
        return Path(self.at)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A name that looks like a task and is not read, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A folder of tasks, sorted by name. `problem` says why it could not be listed; an absent
    folder is an empty one."""

    files: tuple[StoreFile, ...] = ()
    not_read: tuple[NearMiss, ...] = ()
    problem: str = ""


def list_store(folder: Path) -> Listing:
    """The task files directly in a folder, and the near misses."""
    files: list[StoreFile] = []
    misses: list[NearMiss] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                fault = _fault(entry)
                if fault is None:
                    files.append(StoreFile(name_of(entry.name[:-3]), entry.path))
                elif fault:
                    misses.append(NearMiss(name_of(entry.name), fault))
    except FileNotFoundError:
        return Listing()
    except NotADirectoryError:
        return Listing(problem="not a folder")
    except OSError as error:
        return Listing(problem=reason(folder, error))
    files.sort(key=lambda file: file.name)
    misses.sort(key=lambda miss: miss.name)
    return Listing(tuple(files), tuple(misses))


def is_task_name(name: str) -> bool:
    """Whether a file of that name can be a task."""
    return name.endswith(".md") and name[0] not in ".#" and name.lower() not in _NEVER


def _fault(entry: os.DirEntry[str]) -> str | None:
    """None for a task file; why it is none, empty for a name that nobody would take for one."""
    if is_task_name(entry.name):
        return _not_regular(entry)
    lower = entry.name.lower()
    if lower in _NEVER:
        return ""
    if lower.startswith(LEFTOVER) or any(part in lower for part in _INTERRUPTED):
        return "a leftover of an interrupted write"
    if lower.endswith(".md") and lower[0] not in ".#":
        return "its suffix is not `.md` in lower case"
    return ""


def _not_regular(entry: os.DirEntry[str]) -> str | None:
    try:
        if entry.is_file(follow_symlinks=False):
            return None
        mode = entry.stat().st_mode
    except OSError as error:
        return reason(Path(entry.path), error)
    if entry.is_file():
        return None
    return f"a link to {kind(mode)}" if entry.is_symlink() else kind(mode)
