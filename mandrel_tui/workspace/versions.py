"""Versions: every content of a task file that was seen, kept outside the repository, and by them
whether its log still says all it once said; changes no task file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.rewriting import rewritten
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.blobs import Blobs
from mandrel_tui.workspace.records import Fact, Records
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.yaml_reader import read_yaml


@dataclass(frozen=True, slots=True)
class Version:
    """One content of a task file, first seen at `at` (UTC).

    Where its log no longer says all of an earlier one, `against` is that version's digest and
    `words` say what happened; both are empty otherwise.
    """

    sha256: str
    at: str
    size: int
    against: str = ""
    words: str = ""


@dataclass
class Versions:
    """The versions of a repository's task files, by task name."""

    state: State
    _latest: dict[str, Version | None] = field(default_factory=dict, repr=False)

    @property
    def records(self) -> Records:
        return Records(self.state, "versions")

    @property
    def blobs(self) -> Blobs:
        return Blobs(self.state)

    def saw(self, task: Task, read: Callable[[], bytes], at: str) -> str:
        """Keeps the task file as it was read if it is another than last time; `read` gives its
        bytes. Why it could not be kept, empty when it was or is."""
        last = self.latest(task.name)
        if not task.sha256 or (last is not None and last.sha256 == task.sha256):
            return ""
        data = read()
        if sha256(data).hexdigest() != task.sha256:
            return ""  # written to since: it is seen the next time
        version = self._judged(Version(task.sha256, at, len(data)), last, task)
        note = self.blobs.put(data, task.sha256)
        note = note or self.records.append(task.name, _fact(version), durable=False)
        if not note:
            self._latest[task.name] = version
        return note

    def _judged(self, version: Version, last: Version | None, task: Task) -> Version:
        """The version with what it no longer says of the last one that said all."""
        if last is None:
            return version
        against = last.against or last.sha256
        earlier = self.task(task, against)
        told = "" if earlier is None else rewritten(earlier, task).words
        return replace(version, against=against if told else "", words=told)

    def of(self, name: str) -> tuple[Version, ...]:
        """The versions of a task, oldest first; the same content may come back later."""
        found: list[Version] = []
        for fact in self.records.load(name).facts:
            version = _version(fact)
            if version is None:
                continue
            if found and found[-1].sha256 == version.sha256:
                found[-1] = replace(version, at=found[-1].at)
            else:
                found.append(version)
        return tuple(found)

    def latest(self, name: str) -> Version | None:
        """The version seen last."""
        if name not in self._latest:
            versions = self.of(name)
            self._latest[name] = versions[-1] if versions else None
        return self._latest[name]

    def knows(self, name: str) -> bool:
        """Whether the version seen last is known without reading anything."""
        return name in self._latest

    def bytes_of(self, digest: str) -> bytes | None:
        """The content of a version; None where it is lost."""
        return self.blobs.get(digest)

    def task(self, now: Task, digest: str) -> Task | None:
        """What a version of a task's file said; None where it is lost."""
        data = self.bytes_of(digest)
        return None if data is None else read_task(data, now.name, now.path, read_yaml)

    def alarms(self, names: Iterable[str]) -> dict[str, str]:
        """Of the named tasks those whose log was rewritten: what happened, and since when."""
        found = {}
        for name in self.records.some(names):
            last = self.latest(name)
            if last is not None and last.against:
                found[name] = f"{last.words}, seen {last.at}"
        return found

    def accept(self, name: str, at: str) -> str:
        """Takes the latest version as it is: what it no longer says is no alarm any more. Why that
        could not be kept, empty when it was."""
        last = self.latest(name)
        if last is None or not last.against:
            return ""
        accepted = replace(last, at=at, against="", words="")
        note = self.records.append(name, _fact(accepted))
        if not note:
            self._latest[name] = replace(accepted, at=last.at)
        return note


def _fact(version: Version) -> Fact:
    told = {"against": version.against, "words": version.words} if version.against else {}
    return {"sha256": version.sha256, "at": version.at, "size": version.size, **told}


def _version(fact: Fact) -> Version | None:
    values = [fact.get(key, "") for key in ("sha256", "at", "against", "words")]
    size = fact.get("size")
    if not all(isinstance(value, str) for value in values) or not isinstance(size, int):
        return None
    digest, at, against, words = map(str, values)
    return Version(digest, at, size, against, words)
