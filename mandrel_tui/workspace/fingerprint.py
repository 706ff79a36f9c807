"""Fingerprint: which files of a store stand in which state, by their stamps alone; reads none.

It is what decides whether anything changed; events of the system only say when to look.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.snapshot import LOADERS
from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.contract_files import FRAGMENT_FOLDERS, LOCK, PROTOCOL, SKILLS
from mandrel_tui.workspace.native import HOOKS, RULE_FOLDERS
from mandrel_tui.workspace.roots import ARCHIVE, MEMORY, MEMORY_FILES, STORE

Mark = tuple[int, int, int]

_ABSENT = (FileNotFoundError, NotADirectoryError)
_DEEP = (MEMORY, PROTOCOL, *FRAGMENT_FOLDERS)
_FLAT = (*RULE_FOLDERS, str(Path(SKILLS[0]).parent))
_SINGLE = tuple(dict.fromkeys((LOCK, *MEMORY_FILES, *LOADERS, *(name for name, _ in HOOKS))))
_GIT = ("HEAD", "index", "logs/HEAD", "MERGE_HEAD", "rebase-merge", "rebase-apply")
WATCHED = (STORE, *_DEEP, *_FLAT)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Path below the root → modification time in ns, size, inode; git's own files as `.git/…`."""

    marks: Mapping[str, Mark] = field(default_factory=dict)

    def changed(self, later: Fingerprint) -> frozenset[str]:
        """The paths that came, went or changed until a later one."""
        return frozenset(path for path, _ in self.marks.items() ^ later.marks.items())


def fingerprint(root: Path) -> Fingerprint:
    """The state of store, archive, memory, contracts and git's head; raises OSError where the root
    or the store cannot be looked at (that it is absent is a state like any other)."""
    root.stat()
    marks: dict[str, Mark] = {}
    _scan(root, STORE, marks, deep=False)
    _scan(root, ARCHIVE, marks, deep=False)
    for folder in _DEEP:
        _scan(root, folder, marks, deep=True)
    for folder in _FLAT:
        _scan(root, folder, marks, deep=False)
    marks.update(skeleton(root))
    return Fingerprint(marks)


def skeleton(root: Path) -> dict[str, Mark]:
    """The few marks that tell at once that a watched folder or single file came, went or changed:
    folders by inode alone, since litter in them changes their times."""
    marks: dict[str, Mark] = {}
    for folder in (*WATCHED, ARCHIVE):
        found = _stat(root / folder)
        if found is not None:
            marks[folder] = (0, 0, found.st_ino)
    singles = [(name, root / name) for name in _SINGLE]
    own = gitdir.nearest(root)
    if own is not None:
        singles += [(f".git/{name}", own.path / name) for name in _GIT]
    for name, path in singles:
        found = _stat(path)
        if found is not None:
            marks[name] = _mark(found)
    return marks


def is_noise(name: str) -> bool:
    """Whether a file of that name is litter of editors and systems, which shows nowhere."""
    return name != ".housekeeping-pending" and (
        name[0] in ".#" or name[-1] == "~" or name.isdigit()
    )


def _scan(root: Path, folder: str, marks: dict[str, Mark], *, deep: bool) -> None:
    """Adds what lies in a folder; raises OSError for the store, which must not fail unnoticed."""
    below = []
    try:
        for entry in _entries(root / folder):
            path = f"{folder}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                below.append(path)
            else:
                marks[path] = _entry_mark(entry)
    except _ABSENT:
        return
    except OSError:
        if folder in (STORE, ARCHIVE):
            raise
        marks[folder] = (0, -1, 0)
    for path in below:
        if deep:
            _scan(root, path, marks, deep=True)
        elif path != ARCHIVE:
            marks[path] = (0, 0, 0)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not is_noise(entry.name):
                yield entry


def _entry_mark(entry: os.DirEntry[str]) -> Mark:
    """The mark of a file; of what a link points to, and of a link that points to nothing."""
    try:
        return _mark(entry.stat())
    except OSError:
        return 0, -1, entry.inode()


def _mark(found: os.stat_result) -> Mark:
    size = found.st_size if stat.S_ISREG(found.st_mode) else 0
    return found.st_mtime_ns, size, found.st_ino


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
