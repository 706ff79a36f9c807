"""Watching: how outside changes are noticed, in the top bar's words; notices none itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Noticing(StrEnum):
    """By events of the system, by looking at intervals, or not at present."""

    LIVE = "live"
    POLLING = "polling"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Watching:
    """How changes are noticed: `every` seconds when polling; since `since` (local time as
    `HH:MM`) and why when stale; `reason` is also why there are no events."""

    kind: Noticing
    every: float = 0.0
    since: str = ""
    reason: str = ""

    @property
    def words(self) -> str:
        """`live`, `every 2 s`, or `! stale since 14:02`."""
        if self.kind is Noticing.STALE:
            return f"! stale since {self.since}"
        return "live" if self.kind is Noticing.LIVE else f"every {self.every:g} s"
