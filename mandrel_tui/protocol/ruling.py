"""Ruling: what the human decided on an escalation, bound to the review that caused it, and from the
log how far it got; stores nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import LogEntry, Task
from mandrel_tui.protocol.turn import Turn, TurnKind

# A board reads rulings and assembles nothing.
if TYPE_CHECKING:
    from mandrel_tui.protocol.requests import PromptRequest

_OWN_KIND = {TurnKind.DEV: "dev", TurnKind.RULING: "review", TurnKind.REVIEW: "review"}


class Stage(StrEnum):
    """GIVEN: no session worked by it yet; DELIVERED: one did, and fresh ones still carry it; PAST:
    another review followed; UNBOUND: its review entry is no longer where it was."""

    GIVEN = "given"
    DELIVERED = "delivered"
    PAST = "past"
    UNBOUND = "unbound"


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling, given at `at` (UTC) when the log had so many `entries`.

    `position` (from 0 in the log) and `sid` name the review entry that caused it, None and empty
    where there was no review.
    """

    task: str
    text: str
    at: str
    position: int | None
    sid: str
    entries: int

    def stage(self, task: Task) -> Stage:
        """How far it got by what the log holds now."""
        later = task.entries
        if not self._bound(task.entries):
            return Stage.UNBOUND
        if self.position is not None:
            later = task.entries[self.position + 1 :]
        if any(entry.is_review for entry in later):
            return Stage.PAST
        worked = any(not entry.is_review for entry in task.entries[self.entries :])
        return Stage.DELIVERED if worked else Stage.GIVEN

    def _bound(self, entries: tuple[LogEntry, ...]) -> bool:
        if self.position is None:
            return True  # to no review
        if self.position >= len(entries):
            return False
        entry = entries[self.position]
        return entry.is_review and entry.sid == self.sid

    def binds(self, task: Task, entry: LogEntry) -> bool:
        """Whether the session of a work entry worked under it."""
        at = task.entries.index(entry)
        since = 0 if self.position is None else self.position + 1
        reviewed = any(one.is_review for one in task.entries[since:at])
        return self._bound(task.entries) and at >= self.entries and not reviewed

    def in_force(self, task: Task) -> bool:
        """Whether prompts of the task carry it."""
        return self.stage(task) in (Stage.GIVEN, Stage.DELIVERED)


def ruling_on(task: Task, text: str, at: str) -> Ruling:
    """The ruling bound to the latest review; raises Refusal for a text that binds nobody."""
    from mandrel_tui.protocol.requests import refuse_unencodable

    if not text.strip():
        raise Refusal("The ruling is empty: say what binds")
    refuse_unencodable(text)
    reviews = [place for place, entry in enumerate(task.entries) if entry.is_review]
    position = reviews[-1] if reviews else None
    sid = "" if position is None else task.entries[position].sid
    return Ruling(task.name, text, at, position, sid, len(task.entries))


def refuse_unowed(task: Task, turn: Turn) -> None:
    """Raises Refusal where no ruling is owed."""
    if turn.escalation is None:
        raise Refusal(f"{task.name}: no ruling is owed: {turn.reason.removesuffix('.')}")


def with_ruling(
    request: PromptRequest, stored: Ruling | None, task: Task, turn: Turn
) -> PromptRequest:
    """The request with the stored ruling, where it says nothing of one and its prompt carries it: a
    dev or plan prompt always, a review where the final gate stalled."""
    if stored is None or request.ruling is not None or request.without_ruling:
        return request
    kind = request.kind or _OWN_KIND.get(turn.kind)
    carried = kind in ("dev", "plan") or (kind == "review" and turn.kind is TurnKind.RULING)
    if not (carried and request.whole and stored.in_force(task)):
        return request
    return replace(request, ruling=stored.text)
