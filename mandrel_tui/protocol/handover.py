"""Handover: one text that went out to a session, and what held then; records nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mandrel_tui.protocol.facts import Facts, before
from mandrel_tui.protocol.kinds import KINDS
from mandrel_tui.protocol.task import Task

# A board reads hand-overs and assembles nothing.
if TYPE_CHECKING:
    from mandrel_tui.protocol.prompt import Prompt

RESUMPTION = "blocked-resume"
PLAN, PLAN_FEEDBACK = "plan", "plan-feedback"
BY_HAND = frozenset({"copy", "file", "print"})  # ways


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a text left at `at` (UTC): `launcher` is the agent's, `clipboard`, `file` or `stdout`;
    `way` is copy, file, print, here, tmux or headless; `place` says where exactly, empty when that
    says it all."""

    at: str
    launcher: str
    way: str
    place: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether a person carried it on, so that nobody knows whether it got there."""
        return self.way in BY_HAND


@dataclass(frozen=True, slots=True)
class Then:
    """The task file a text was made from: its digest, how many entries, its status and claim."""

    sha256: str
    entries: int
    status: str
    claim: str

    @classmethod
    def of(cls, task: Task) -> Then:
        return cls(task.sha256, len(task.entries), task.status_text, task.claimed_by)


@dataclass(frozen=True, slots=True)
class Handover:
    """One text that was given to a session: a prompt of that `kind`, or a follow-up.

    `sha256` and `size` are those of the exact bytes; `facts` are None where nothing is checked on
    return, and of a follow-up but for what the human said; `form` is that of a prompt, empty of a
    follow-up and where it was not recorded.
    """

    id: str
    task: str
    kind: str
    role: str | None
    mode: str | None
    sid: str | None
    sha256: str
    size: int
    delivery: Delivery
    then: Then
    facts: Facts | None = None
    form: str = ""

    @property
    def opens(self) -> bool:
        """Whether it opens a session; a follow-up goes into one that is open."""
        return self.kind in KINDS

    def repeats(self, other: Handover) -> bool:
        """Whether a person took the same text once more while nothing had changed."""
        same = (self.kind, self.sha256, self.then) == (other.kind, other.sha256, other.then)
        return same and self.delivery.by_hand


def prompt_handover(prompt: Prompt, delivery: Delivery, id: str) -> Handover:
    """The record of an assembled prompt that was delivered."""
    task = prompt.made_from
    assert task is not None
    checked = prompt.kind in ("dev", "review")
    return Handover(
        id=id,
        task=task.name,
        kind=prompt.kind,
        role=prompt.role,
        mode=prompt.mode,
        sid=prompt.sid,
        sha256=prompt.sha256,
        size=len(prompt.data),
        delivery=delivery,
        then=Then.of(task),
        facts=before(task, prompt.kind, prompt.sid) if checked else None,
        form=prompt.form,
    )
