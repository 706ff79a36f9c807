"""Handovers: what went out, how it ended and what was found of it, kept outside the repository with
the exact bytes; sends nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import Delivery, Handover, Then
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import Checked, Ending, Trail
from mandrel_tui.workspace.blobs import Blobs
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.records import HANDOVERS, Fact, Records
from mandrel_tui.workspace.state import State

_APART = ("tmux", "headless")  # ways on which an attendant writes down how the agent ended


@dataclass(frozen=True, slots=True)
class Handovers:
    """The handovers of one repository, by task name."""

    state: State

    @property
    def records(self) -> Records:
        return Records(self.state, HANDOVERS)

    @property
    def blobs(self) -> Blobs:
        return Blobs(self.state)

    def record(self, handover: Handover, data: bytes) -> str:
        """Keeps a handover and its bytes; why it could not, empty when it did."""
        note = self.blobs.put(data, handover.sha256, durable=True)
        return note or self.records.append(handover.task, _fact(handover))

    def ended(self, task: str, ending: Ending) -> str:
        """Keeps how the program of a handover ended; the answer is as of `record`."""
        fact = {"at": ending.at, "status": ending.status, "cause": ending.cause}
        return self.records.append(task, {"ended": ending.handover, **fact})

    def checked(self, task: str, checked: Checked) -> str:
        """Keeps what checks found; the answer is as of `record`."""
        fact = {"at": checked.at, "task_sha256": checked.task_sha256}
        failed = list(checked.failed)
        return self.records.append(task, {"checked": checked.handover, **fact, "failed": failed})

    def unused(self, handover: Handover, at: str) -> str:
        """Keeps that a text was copied or saved and not used; the answer is as of `record`."""
        return self.records.append(handover.task, {"unused": handover.id, "at": at})

    def own(self, handover: Handover, task: Task, at: str) -> str:
        """Keeps what the human made of the task file while a session was out; the answer is as of
        `record`."""
        then = then_fact(Then.of(task))
        return self.records.append(task.name, {"own": handover.id, "at": at, "then": then})

    def trail(self, task: str) -> Trail:
        """Everything recorded of one task's sessions."""
        handovers: list[Handover] = []
        endings: dict[str, Ending] = {}
        checks: dict[str, Checked] = {}
        unused: set[str] = set()
        own: dict[str, Then] = {}
        for fact in self.records.load(task).facts:
            if isinstance(fact.get("unused"), str):
                unused.add(str(fact["unused"]))
                continue
            one = _read(fact)
            if isinstance(one, Then):
                own[str(fact["own"])] = one
                continue
            if isinstance(one, Handover):
                handovers.append(one)
            elif isinstance(one, Ending):
                endings[one.handover] = one
            elif one is not None:
                checks[one.handover] = one
        endings |= dict(self._apart(handovers, endings))
        return Trail(tuple(handovers), endings, checks, frozenset(unused), own)

    def _apart(
        self, handovers: Sequence[Handover], known: Mapping[str, Ending]
    ) -> Iterator[tuple[str, Ending]]:
        """How the programs ended that an attendant waited for, by the id of the text; what was
        pasted into an open pane ends as the launch does that opened it."""
        files, launches = LaunchFiles(self.state), dict[str, str]()
        for one in handovers:
            if one.delivery.way not in _APART or one.id in known:
                continue
            launched = files.result(one.id).exists()
            id = one.id if launched else launches.get(one.delivery.place, "")
            launches[one.delivery.place] = id
            ending = files.ending(id) if id else None
            if ending is not None:
                yield one.id, replace(ending, handover=one.id)

    def bytes_of(self, handover: Handover) -> bytes | None:
        """The exact bytes that went out, proved by their digest; None where they are lost."""
        return self.blobs.get(handover.sha256)


def _fact(one: Handover) -> Fact:
    facts = one.facts
    return {
        "handover": one.id,
        "kind": one.kind,
        "form": one.form,
        "role": one.role,
        "mode": one.mode and str(one.mode),
        "sid": one.sid,
        "sha256": one.sha256,
        "size": one.size,
        "delivery": {name: getattr(one.delivery, name) for name in _DELIVERY},
        "then": then_fact(one.then),
        "before": None if facts is None else {name: getattr(facts, name) for name in _FACTS},
    }


_DELIVERY = tuple(Delivery.__dataclass_fields__)
_THEN = tuple(Then.__dataclass_fields__)
_FACTS = tuple(Facts.__dataclass_fields__)


def _read(fact: Mapping[str, Any]) -> Handover | Ending | Checked | Then | None:
    """The value a fact holds; None where it is of another shape."""
    try:
        if "ended" in fact:
            return _ending(fact)
        if "checked" in fact:
            return _checked(fact)
        if "own" in fact:
            return then_of(fact["then"])
        return _handover(fact)
    except (KeyError, TypeError, ValueError):
        return None


def _handover(fact: Mapping[str, Any]) -> Handover:
    before = fact["before"]
    return Handover(
        id=_text(fact["handover"]),
        task=_text(fact["task"]),
        kind=_text(fact["kind"]),
        role=_optional(fact["role"]),
        mode=_optional(fact["mode"]),
        sid=_optional(fact["sid"]),
        sha256=_text(fact["sha256"]),
        size=_number(fact["size"]),
        delivery=Delivery(*(_text(fact["delivery"][name]) for name in _DELIVERY)),
        then=then_of(fact["then"]),
        facts=None if before is None else _facts(before),
        form=_text(fact.get("form", "")),
    )


def then_fact(then: Then) -> Fact:
    """A state of a task file as JSON values."""
    return {name: getattr(then, name) for name in _THEN}


def then_of(fact: Mapping[str, Any]) -> Then:
    """What `then_fact` gave; raises KeyError, TypeError, ValueError for another shape."""
    status, claim = _text(fact["status"]), _text(fact["claim"])
    return Then(_text(fact["sha256"]), _number(fact["entries"]), status, claim)


def _facts(fact: Mapping[str, Any]) -> Facts:
    return Facts(
        role=_text(fact["role"]),
        sid=_optional(fact["sid"]),
        status_before=_text(fact["status_before"]),
        est_before=_estimate(fact["est_before"]),
        remediation=bool(fact["remediation"]),
    )


def _estimate(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    done, total = value
    return _number(done), _number(total)


def _ending(fact: Mapping[str, Any]) -> Ending:
    status = fact["status"]
    known = None if status is None else _number(status)
    return Ending(_text(fact["ended"]), _text(fact["at"]), known, _text(fact["cause"]))


def _checked(fact: Mapping[str, Any]) -> Checked:
    failed = tuple(_text(id) for id in fact["failed"])
    return Checked(_text(fact["checked"]), _text(fact["at"]), _text(fact["task_sha256"]), failed)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError("not a whole number")
    return value


def _optional(value: object) -> str | None:
    return None if value is None else _text(value)
