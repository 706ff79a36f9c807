"""Steps: does one step of a journal, unless it is done, and says how far it is; a file that is
neither as before nor as planned is left alone."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.index import read_index
from mandrel_tui.protocol.merge import merged
from mandrel_tui.protocol.patience import changes, joined, lines_of
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.stamps import eol_of
from mandrel_tui.workspace import atomic, files
from mandrel_tui.workspace.files import FileError, NotRead, StaleFile, read
from mandrel_tui.workspace.git_commit import path_in
from mandrel_tui.workspace.journal import FileStep, IndexStep, JournalStep
from mandrel_tui.workspace.visible import shown

# How often, and how long apart, the index is tried while others are writing it.
_TRIES = 200
_PAUSE = 0.01


class Stage(StrEnum):
    """How far a step is."""

    DONE = "done"
    TODO = "to do"
    CONFLICT = "changed since"


@dataclass(frozen=True, slots=True)
class Outlook:
    """One step of a journal as it stands now; `words` say what is wrong with one in conflict."""

    step: JournalStep
    stage: Stage
    words: str = ""


def outlook_of(root: Path, step: JournalStep) -> Outlook:
    """How far a step is; changes nothing."""
    try:
        now = _content(root, step.path)
        if isinstance(step, IndexStep):
            todo = now is not None and _indexed(step, now) != now
            return Outlook(step, Stage.TODO if todo else Stage.DONE)
    except (Refusal, FileError) as error:
        return Outlook(step, Stage.CONFLICT, str(error))
    if now == step.after:
        return Outlook(step, Stage.DONE)
    if now == step.before:
        return Outlook(step, Stage.TODO)
    what = "is gone" if now is None else "is there" if step.before is None else "changed"
    words = f"{shown(step.path)} {what} since the closeout was planned"
    return Outlook(step, Stage.CONFLICT, words)


def edit_of(root: Path, step: JournalStep) -> Edit:
    """The change that a step makes, that of the index on what it holds now. Raises FileError,
    Refusal."""
    if isinstance(step, FileStep):
        return Edit(step.path, step.before, step.after)
    now = _content(root, step.path)
    return Edit(step.path, now, None if now is None else _indexed(step, now))


def do(root: Path, step: JournalStep) -> None:
    """Does one step unless it is done; raises FileError, Refusal, OSError."""
    if isinstance(step, IndexStep):
        _do_index(path_in(root, step.path), step)
    elif _content(root, step.path) != step.after:
        _do_file(root, step)


def sweep(root: Path, steps: Iterable[JournalStep]) -> None:
    """Removes what writes of these steps left when their process died: files with a temporary name
    that hold the beginning of a planned text, beside the file it was for."""
    texts: dict[Path, list[bytes]] = {}
    for step in steps:
        place = path_in(root, step.path)
        planned = [step.before, step.after]
        with suppress(FileError, Refusal):
            now = _content(root, step.path)
            if isinstance(step, IndexStep) and now is not None:
                planned += [_indexed(step, now), _indexed(step.inverse, now)]
        for folder in (place.parent, Path(os.path.realpath(place)).parent):
            texts.setdefault(folder, []).extend(text for text in planned if text is not None)
    for folder, planned_texts in texts.items():
        for leftover in folder.glob(f"{atomic.LEFTOVER}*") if folder.is_dir() else ():
            with suppress(FileError):
                data = read(leftover).data
                if any(text.startswith(data) for text in planned_texts):
                    atomic.discard(leftover)


def _content(root: Path, path: str) -> bytes | None:
    place = path_in(root, path)
    try:
        return read(place).data
    except NotRead:
        if os.path.lexists(place):
            raise
        return None


def _do_index(place: Path, step: IndexStep) -> None:
    """Takes the steps on what the index holds now, again while others are writing it."""
    for tries in range(_TRIES):
        if not os.path.lexists(place):
            return
        now = read(place).data
        after = _indexed(step, now)
        if after == now:
            return
        try:
            files.write_atomic(place, after, now)
            return
        except StaleFile:
            if tries == _TRIES - 1:
                raise
            time.sleep(_PAUSE)


def _indexed(step: IndexStep, now: bytes) -> bytes:
    """The index after the step; raises Refusal where it is damaged."""
    if step.back:
        return _put_back(step, now)
    for one in step.steps:
        now = one.on(now)
    return now


def _put_back(step: IndexStep, now: bytes) -> bytes:
    """The index with the rows it lost, where they stood among what others wrote since."""
    for one in step.steps:
        one.on(now)  # refuses a damaged index
    lost = _lost(step.after, step.before)
    if lost and set(lost) <= set(lines_of(now)):
        return now
    whole = merged(step.after, step.before, now)
    return _with_rows(step.before, lost, now) if whole is None or _doubled(whole) else whole


def _doubled(index: bytes) -> bool:
    """Whether a task has two rows."""
    ids = [row.id for row in read_index(index).rows]
    return len(set(ids)) < len(ids)


def _with_rows(before: bytes, lost: Sequence[bytes], now: bytes) -> bytes:
    """The index with those of the lost rows whose task has none, behind its last row."""
    there = read_index(now).rows
    known = {row.id for row in there}
    names = {lines_of(before)[row.line - 1]: row.id for row in read_index(before).rows}
    missing = [line for line in lost if names.get(line) not in known]
    lines = lines_of(now)
    place = there[-1].line if there else len(lines)
    return joined((*lines[:place], *missing, *lines[place:]), eol_of(now))


def _lost(after: bytes, before: bytes) -> list[bytes]:
    """The lines of `before` that `after` lacks."""
    old, new = lines_of(after), lines_of(before)
    return [line for c in changes(old, new) for line in new[c.new_start : c.new_end]]


def _do_file(root: Path, step: FileStep) -> None:
    place = path_in(root, step.path)
    if step.after is None:
        files.remove(place, step.before or b"")
        _prune(place.parent, root)
    elif step.before is None and step.twin and _linked(path_in(root, step.twin), place, step.after):
        atomic.sync_folder(place.parent)
    else:
        files.write_atomic(place, step.after, step.before)


def _linked(twin: Path, place: Path, data: bytes) -> bool:
    """Gives a regular file its second name, so that whoever still writes to it loses nothing and
    mode and times stay; False where that cannot be."""
    try:
        if twin.is_symlink() or read(twin).data != data:
            return False
        place.parent.mkdir(parents=True, exist_ok=True)
        os.link(twin, place)
    except FileExistsError:
        raise StaleFile(f"{shown(place)} exists already") from None
    except (OSError, NotRead, AttributeError):
        return False
    return True


def _prune(folder: Path, root: Path) -> None:
    """Removes folders of the memory that became empty."""
    memory = root / ".ai"
    with suppress(OSError):
        while memory in folder.parents:
            folder.rmdir()
            folder = folder.parent
