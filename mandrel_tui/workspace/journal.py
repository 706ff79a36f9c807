"""Journal: what a closeout is about to do, written down outside the repository before it begins,
with every byte needed to finish it or to take it back; does none of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256

from mandrel_tui.protocol.closeout import ARCHIVE
from mandrel_tui.protocol.index_edit import DropRows, SetCells, Step
from mandrel_tui.workspace.blobs import Blobs
from mandrel_tui.workspace.cache import Json
from mandrel_tui.workspace.state import State

Fact = dict[str, Json]
_PREFIX = "closeout-"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class FileStep:
    """One file: its bytes before and after, and those of the commit before, None where there is
    none. `twin` is the path of the same file under its other name, when it is moved."""

    path: str
    before: bytes | None
    after: bytes | None
    base: bytes | None
    twin: str = ""

    @property
    def inverse(self) -> FileStep:
        """What takes it back as long as it is not committed."""
        return FileStep(self.path, self.after, self.before, self.base, self.twin)

    @property
    def reverted(self) -> FileStep:
        """What takes it back once it is committed."""
        return FileStep(self.path, self.after, self.base, self.after, self.twin)


@dataclass(frozen=True, slots=True)
class IndexStep:
    """The index: steps to take on whatever it holds by then, and its bytes before and after as they
    were planned; `back` puts back what the steps take away."""

    path: str
    steps: tuple[Step, ...]
    before: bytes
    after: bytes
    back: bool = False

    @property
    def inverse(self) -> IndexStep:
        return IndexStep(self.path, self.steps, self.before, self.after, not self.back)

    @property
    def reverted(self) -> IndexStep:
        return self.inverse


JournalStep = FileStep | IndexStep


@dataclass(frozen=True, slots=True)
class Journal:
    """One closeout that is under way: the task, when it began (UTC), the commit HEAD named then,
    the steps in order, the paths its commit is to hold and those of them that git's index held
    already, and what is to be remembered of it. `undoes` is the commit it reverts, empty where the
    closeout it takes back made none; None for a closeout."""

    task: str
    started: str
    head: str
    message: str
    audit: str
    steps: tuple[JournalStep, ...]
    committed: tuple[str, ...]
    tracked: tuple[str, ...] = ()
    undoes: str | None = None
    remembered: Mapping[str, Json] = field(default_factory=dict)

    @property
    def undo(self) -> bool:
        """Whether it takes a closeout back."""
        return self.undoes is not None

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(step.path for step in self.steps)

    @property
    def moves(self) -> bool:
        """Whether it moves the task into the archive, or back; what only followed does not."""
        return any(path.startswith(f"{ARCHIVE}/") for path in self.paths)

    @property
    def closeout(self) -> str:
        """What it does or takes back, as a sentence names it."""
        return f"the {'' if self.moves else 'change after the '}closeout of {self.task}"

    @property
    def act(self) -> str:
        """What it does, as a sentence names it."""
        return f"{'the undo of ' if self.undo else ''}{self.closeout}"


@dataclass(frozen=True, slots=True)
class Opened:
    """The journals of closeouts that did not end, and what was found instead of one."""

    journals: tuple[Journal, ...]
    notes: tuple[str, ...] = ()


def open_journals(state: State) -> Opened:
    """Every journal that is still there, the oldest first."""
    journals, notes = [], []
    for name in _names(state):
        loaded = state.load(name)
        found = _journal(loaded.value, Blobs(state)) if isinstance(loaded.value, dict) else None
        if found is not None:
            journals.append(found)
        elif loaded.note or loaded.value is not None:
            notes.append(loaded.note or f"the journal {name} lacks a part of what it needs")
    return Opened(tuple(sorted(journals, key=lambda j: (j.started, j.task))), tuple(notes))


def begin(state: State, journal: Journal) -> str:
    """Writes a journal down with all its bytes; why it could not, empty when it did."""
    blobs = Blobs(state)
    for data in _contents(journal):
        note = blobs.put(data, durable=True)
        if note:
            return note
    return state.save(_name(journal.task), fact_of(journal))


def end(state: State, journal: Journal) -> str:
    """Removes the journal of what has ended; why it could not, empty when it did."""
    try:
        (state.folder / f"{_name(journal.task)}.json").unlink(missing_ok=True)
    except OSError as error:
        return f"the journal of {journal.task} stays: {(error.strerror or str(error)).lower()}"
    return ""


def fact_of(journal: Journal) -> Fact:
    """A journal as JSON values; bytes are named by their digest."""
    return {
        "version": _VERSION,
        "task": journal.task,
        "started": journal.started,
        "head": journal.head,
        "message": journal.message,
        "audit": journal.audit,
        "steps": [_step_fact(step) for step in journal.steps],
        "committed": [*journal.committed],
        "tracked": [*journal.tracked],
        "undoes": journal.undoes,
        "remembered": dict(journal.remembered),
    }


def journal_of(state: State, fact: Mapping[str, Json]) -> Journal | None:
    """The journal a fact tells of; None where it is none, or its bytes are lost."""
    return _journal(fact, Blobs(state))


def _names(state: State) -> list[str]:
    with suppress(OSError):
        names = (entry.name for entry in os.scandir(state.folder))
        known = (name.removesuffix(".json") for name in names if name.endswith(".json"))
        return sorted(name for name in known if name.startswith(_PREFIX))
    return []


def _name(task: str) -> str:
    return _PREFIX + sha256(task.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _contents(journal: Journal) -> Iterator[bytes]:
    for step in journal.steps:
        base = step.base if isinstance(step, FileStep) else None
        yield from (data for data in (step.before, step.after, base) if data is not None)


def _step_fact(step: JournalStep) -> Fact:
    told: Fact = {"path": step.path, "before": _digest(step.before), "after": _digest(step.after)}
    if isinstance(step, FileStep):
        return {**told, "base": _digest(step.base), "twin": step.twin}
    return {**told, "back": step.back, "steps": [_index_fact(one) for one in step.steps]}


def _index_fact(step: Step) -> Fact:
    if isinstance(step, DropRows):
        return {"drop": [*step.names]}
    assert isinstance(step, SetCells)
    return {"set": [*step.names], "cells": [[*pair] for pair in step.cells]}


def _digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


class _Lost(Exception):
    """A fact that is no journal, or whose bytes are gone."""


def _journal(fact: Mapping[str, Json], blobs: Blobs) -> Journal | None:
    try:
        if fact.get("version") != _VERSION:
            raise _Lost
        remembered = fact.get("remembered")
        return Journal(
            task=_text(fact.get("task")),
            started=_text(fact.get("started")),
            head=_text(fact.get("head")),
            message=_text(fact.get("message")),
            audit=_text(fact.get("audit")),
            steps=tuple(_step(step, blobs) for step in _list(fact.get("steps"))),
            committed=_texts(fact.get("committed")),
            tracked=_texts(fact.get("tracked")),
            undoes=None if fact.get("undoes") is None else _text(fact["undoes"]),
            remembered=remembered if isinstance(remembered, dict) else {},
        )
    except _Lost:
        return None


def _step(fact: Json, blobs: Blobs) -> JournalStep:
    if not isinstance(fact, dict):
        raise _Lost
    path = _text(fact.get("path"))
    before, after = (_bytes(fact.get(side), blobs) for side in ("before", "after"))
    if "steps" not in fact:
        base = _bytes(fact.get("base"), blobs)
        return FileStep(path, before, after, base, _text(fact.get("twin")))
    steps = tuple(_index_step(one) for one in _list(fact["steps"]))
    if before is None or after is None:
        raise _Lost
    return IndexStep(path, steps, before, after, fact.get("back") is True)


def _index_step(fact: Json) -> Step:
    if not isinstance(fact, dict):
        raise _Lost
    if "drop" in fact:
        return DropRows(_texts(fact["drop"]))
    cells = tuple(_texts(pair) for pair in _list(fact.get("cells")))
    if any(len(pair) != 2 for pair in cells):
        raise _Lost
    return SetCells(_texts(fact.get("set")), tuple((pair[0], pair[1]) for pair in cells))


def _bytes(digest: Json, blobs: Blobs) -> bytes | None:
    if digest is None:
        return None
    data = blobs.get(_text(digest))
    if data is None:
        raise _Lost
    return data


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(_text(part) for part in _list(value))


def _list(value: Json) -> Sequence[Json]:
    if not isinstance(value, list):
        raise _Lost
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise _Lost
    return value
