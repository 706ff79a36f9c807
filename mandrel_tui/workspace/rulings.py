"""Rulings: what the human decided, kept outside the repository until another review follows; sends
nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.ruling import Ruling, Stage
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.records import RULINGS, Records
from mandrel_tui.workspace.state import State


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of one repository, by task name."""

    state: State

    @property
    def records(self) -> Records:
        return Records(self.state, RULINGS)

    def of(self, task: str) -> tuple[Ruling, ...]:
        """Every ruling given on a task and not withdrawn, oldest first, without the texts that were
        replaced before any session wrote something."""
        found: list[Ruling] = []
        for fact in self.records.load(task).facts:
            if "withdrawn" in fact:
                found = found[:-1]
            elif (one := _ruling(fact)) is not None:
                edited = bool(found) and _same_moment(found[-1], one)
                found = [*(found[:-1] if edited else found), one]
        return tuple(found)

    def latest(self, task: str) -> Ruling | None:
        return next(iter(self.of(task)[-1:]), None)

    def in_force(self, task: Task) -> Ruling | None:
        """The ruling that prompts of the task carry now."""
        one = self.latest(task.name)
        return one if one is not None and one.in_force(task) else None

    def give(self, ruling: Ruling) -> str:
        """Keeps a ruling; why it could not, empty when it did. The same again is nothing new."""
        last = self.latest(ruling.task)
        if last is not None and _same_cause(last, ruling) and last.text == ruling.text:
            return ""
        fact = {
            "text": ruling.text,
            "at": ruling.at,
            "position": ruling.position,
            "sid": ruling.sid,
            "entries": ruling.entries,
        }
        return self.records.append(ruling.task, fact)

    def withdraw(self, task: Task, at: str) -> str:
        """Takes the ruling back that no session worked by yet; raises Refusal where there is none.
        The answer is as of `give`."""
        one = self.in_force(task)
        if one is None:
            raise Refusal(f"{task.name}: there is no ruling to withdraw")
        if one.stage(task) is Stage.DELIVERED:
            raise Refusal(f"{task.name}: a session worked by the ruling already; give another text")
        return self.records.append(task.name, {"withdrawn": at})


def _same_cause(one: Ruling, other: Ruling) -> bool:
    return (one.position, one.sid) == (other.position, other.sid)


def _same_moment(one: Ruling, other: Ruling) -> bool:
    return _same_cause(one, other) and one.entries == other.entries


def _ruling(fact: Mapping[str, Any]) -> Ruling | None:
    """The ruling a fact holds; None where it is of another shape."""
    values = [fact.get(key) for key in ("task", "text", "at", "sid")]
    position, entries = fact.get("position"), fact.get("entries")
    whole = all(isinstance(value, str) for value in values) and isinstance(entries, int)
    if not whole or not (position is None or isinstance(position, int)):
        return None
    task, text, at, sid = map(str, values)
    return Ruling(task, text, at, position, sid, int(fact["entries"]))
