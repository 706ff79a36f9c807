"""Store: reads the task files, archive, index and document names of one repository."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.index import PATH, Index, read_index
from mandrel_tui.protocol.reading import read_task, unreadable_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace import files
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.archive import Progress
from mandrel_tui.workspace.files import Stamp
from mandrel_tui.workspace.listing import Listing, StoreFile, list_store
from mandrel_tui.workspace.yaml_reader import read_yaml

TASKS = ".ai-tasks"
# A file written this short a time before it was read may be written again within the same tick.
_RACY = 2_000_000_000


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: Stamp
    task: Task


@dataclass
class Store:
    """The task store below `root`.

    Tasks already read are kept while their files' stamps stand, for showing only: whoever decides
    something reads the file again with `task`.
    """

    root: Path
    _kept: dict[str, _Kept] = field(default_factory=dict, repr=False)

    def listing(self) -> Listing:
        return list_store(self.root / TASKS)

    def archive_listing(self) -> Listing:
        return list_store(self.root / ARCHIVE)

    def is_place(self, path: Path) -> bool:
        """Whether a path is one for a task file or the index, whatever leads there."""
        folders = {os.path.realpath(self.root / folder) for folder in (TASKS, ARCHIVE)}
        real = Path(os.path.realpath(path))
        return str(real.parent) in folders and real.suffix.lower() == ".md"

    def active(self, listing: Listing, progress: Progress | None = None) -> tuple[Task, ...]:
        """The listed tasks; a file that cannot be read is a task that says why."""
        tasks, kept = [], {}
        for number, file in enumerate(listing.files, start=1):
            found = self._unchanged(file) or self._fresh(file)
            if found.stamp.inode and time.time_ns() - found.stamp.mtime_ns > _RACY:
                kept[file.name] = found
            tasks.append(found.task)
            if progress is not None and number % 50 == 0:
                progress(number, len(listing.files))
        self._kept = kept
        return tuple(tasks)

    def _unchanged(self, file: StoreFile) -> _Kept | None:
        kept = self._kept.get(file.name)
        if kept is None:
            return None
        try:
            return kept if Stamp.of(file.path.stat()) == kept.stamp else None
        except OSError:
            return None

    def _fresh(self, file: StoreFile) -> _Kept:
        path = f"{TASKS}/{file.name}.md"
        try:
            reading = files.read(file.path)
        except files.NotRead as error:
            nothing = Stamp(0, 0, 0, 0, 0)
            return _Kept(nothing, unreadable_task(file.name, path, error.reason))
        return _Kept(reading.stamp, read_task(reading.data, file.name, path, read_yaml))

    def read(self, file: StoreFile, folder: str) -> Task:
        """The task as its file is now; raises files.NotRead."""
        data = files.read(file.path).data
        return read_task(data, file.name, f"{folder}/{file.name}.md", read_yaml)

    def index(self) -> Index | None:
        """The index, None where there is none; one that cannot be read is damaged."""
        try:
            return read_index(files.read(self.root / PATH).data)
        except files.NotRead as error:
            missing = not os.path.lexists(self.root / PATH)
            return None if missing else Index((), error.reason)

    def documents(self) -> frozenset[str] | None:
        """The snapshot's files as `.ai/x.md`, links out of it left out; None without `.ai/`, and
        where a part of it cannot be listed."""
        top = self.root / ".ai"
        if not _is(stat.S_ISDIR, top):
            return None
        real, unlisted = os.path.realpath(top), list[OSError]()
        found = set()
        for folder, _, names in os.walk(top, onerror=unlisted.append):
            for path in (Path(folder, name) for name in names):
                if _is(stat.S_ISREG, path) and Path(os.path.realpath(path)).is_relative_to(real):
                    found.add(path.relative_to(self.root).as_posix())
        return None if unlisted else frozenset(found)

    def notes(self, active: Listing, archive: Listing) -> tuple[Diagnostic, ...]:
        """What stands in the store's folders and was not read, each once."""
        found = []
        for folder, listing in ((TASKS, active), (ARCHIVE, archive)):
            if listing.problem:
                found.append(diagnostic("unreadable", folder, None, listing.problem))
            for miss in listing.not_read:
                path = f"{folder}/{miss.name}"
                found.append(diagnostic("not-read", path, None, miss.reason))
        return tuple(found)


def _is(kind: Callable[[int], bool], path: Path) -> bool:
    """Whether a path, or what it links to, is there and of that kind of `stat`."""
    try:
        return kind(path.stat().st_mode)
    except OSError:
        return False
