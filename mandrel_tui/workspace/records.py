"""Records: lists of facts about tasks outside the repository, one file a task and subject, which
grow at their end; what is torn is set aside, never taken for a fact."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.state import Busy, State, words_of
from mandrel_tui.workspace.visible import shown

HANDOVERS, RULINGS, PLANS = "handovers", "rulings", "plans"  # subjects
Fact = dict[str, object]
_SUFFIX = ".jsonl"
_ASIDE = ".aside"
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Listed:
    """The facts of one list, oldest first; `note` says what was set aside, or could not be read."""

    facts: tuple[Fact, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Records:
    """The lists of one `subject`, by task."""

    state: State
    subject: str

    @property
    def folder(self) -> Path:
        return self.state.folder / self.subject

    def append(self, task: str, *facts: Mapping[str, object], durable: bool = True) -> str:
        """Adds facts to a task's list, all or none; why it could not, empty when it did."""
        note = self.state.ready()
        if note:
            return note
        lines = b"".join(_line({"task": task, **fact}) for fact in facts)
        path = self._path(task)
        try:
            with self.state.locked():
                path.parent.mkdir(mode=0o700, exist_ok=True)
                _add(path, lines, durable)
        except OSError as error:
            return f"{self.subject} of {task} is not kept: {words_of(error)}"
        except Busy as error:
            return f"{self.subject} of {task} is not kept: {error}"
        return ""

    def load(self, task: str) -> Listed:
        """The list of one task; lines that are no facts are moved beside it once."""
        path = self._path(task)
        facts, torn, note = _read(path)
        if torn:
            note = self._mend(path, len(torn))
        return Listed(tuple(fact for fact in facts if fact["task"] == task), note)

    def tasks(self) -> tuple[str, ...]:
        """The names of all tasks that have a list, sorted."""
        found: set[str] = set()
        with suppress(OSError):
            for path in self.folder.iterdir():
                if path.suffix == _SUFFIX:
                    found.update(str(fact["task"]) for fact in _read(path)[0][:1])
        return tuple(sorted(found))

    def some(self, tasks: Iterable[str]) -> Iterator[str]:
        """Those of the tasks that may have a list, found without opening any."""
        try:
            with os.scandir(self.folder) as entries:
                there = {entry.name for entry in entries}
        except OSError:
            return
        yield from (task for task in tasks if _name(task) in there)

    def _path(self, task: str) -> Path:
        return self.folder / _name(task)

    def _mend(self, path: Path, lines: int) -> str:
        """Moves torn lines of a list beside it, unless another process is writing."""
        try:
            with self.state.locked(0.0):
                facts, torn, note = _read(path)
                if not torn:
                    return note
                lines = len(torn)
                aside = path.with_name(path.name + _ASIDE)
                _add(aside, b"".join(line + b"\n" for line in torn), durable=True)
                atomic.put(path, b"".join(map(_line, facts)), durable=True)
        except (OSError, Busy):
            return f"{shown(path)}: {_torn(lines)} left out"
        return f"{shown(path)}: {_torn(lines)} set aside in {aside.name}"


def _torn(lines: int) -> str:
    return "1 torn line is" if lines == 1 else f"{lines} torn lines are"


def _name(task: str) -> str:
    return sha256(task.encode("utf-8", "surrogatepass")).hexdigest()[:24] + _SUFFIX


def _line(fact: Fact) -> bytes:
    return json.dumps(fact, separators=(",", ":")).encode() + b"\n"


def _add(path: Path, lines: bytes, durable: bool) -> None:
    """Appends whole lines in one write, after ending a line that was torn off."""
    fd = os.open(path, _APPEND, 0o600)
    try:
        if os.fstat(fd).st_size:
            os.lseek(fd, -1, os.SEEK_END)
            lines = lines if os.read(fd, 1) == b"\n" else b"\n" + lines
        rest = memoryview(lines)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if durable:
            os.fsync(fd)
    finally:
        os.close(fd)


def _read(path: Path) -> tuple[list[Fact], Sequence[bytes], str]:
    """The facts of a file, the lines that are none, and why it could not be read."""
    try:
        data = read(path).data
    except NotRead as error:
        return [], (), "" if error.reason == "not there" else str(error)
    facts, torn = [], []
    for line in data.split(b"\n"):
        fact = _fact(line)
        if fact is not None:
            facts.append(fact)
        elif line:
            torn.append(line)
    return facts, torn, ""


def _fact(line: bytes) -> Fact | None:
    try:
        fact = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return fact if isinstance(fact, dict) and isinstance(fact.get("task"), str) else None
