"""Convergence groups: the chains of reviews that share one frozen finding set, and their budget."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.protocol.task import LogEntry

BUDGET = 2  # changes-requested rounds a group may use; one more escalates


@dataclass(frozen=True, slots=True)
class Group:
    """One convergence group; `name` is None for reviews without a readable Group.

    `rounds` counts its changes-requested reviews over the whole file; `entries` are positions in
    the log (from 0) of its work and review entries in file order; `disputes` those of its reviews
    that carry Dispute-unresolved; `state` is `settled`, `changes requested`, `spent` (over the
    budget) or `disputed`.
    """

    name: str | None
    rounds: int
    entries: tuple[int, ...]
    disputes: tuple[int, ...]
    state: str
    budget: int = BUDGET

    @property
    def spent(self) -> bool:
        return self.rounds > self.budget
