"""Closeout records: what was closed out, when, by which commit, and why each fact was let in or
kept out; one list a task outside the repository."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.workspace.cache import Json
from mandrel_tui.workspace.journal import Journal, fact_of, journal_of
from mandrel_tui.workspace.records import Records
from mandrel_tui.workspace.state import State


@dataclass(frozen=True, slots=True)
class Closed:
    """One closeout that ended at `at` (UTC). `journal` is None where its bytes are lost;
    `remembered` is what the human decided, as it was kept."""

    task: str
    at: str
    commit: str | None
    audit: str
    journal: Journal | None
    remembered: dict[str, Json]

    @property
    def archived(self) -> bool:
        """Whether it moved the task into the archive; what only followed or mended did not."""
        return self.journal is not None and self.journal.moves


@dataclass(frozen=True, slots=True)
class ClosedRecords:
    """The records of one repository."""

    state: State

    @property
    def records(self) -> Records:
        return Records(self.state, "closeouts")

    def add(self, journal: Journal, commit: str | None, at: str) -> str:
        """Keeps what ended; why it could not, empty when it did. The same journal again is nothing
        new."""
        fact = {"at": at, "commit": commit, "journal": fact_of(journal)}
        latest = self.records.load(journal.task).facts[-1:]
        if any(_same(row.get("journal"), fact_of(journal)) for row in latest):
            return ""
        return self.records.append(journal.task, fact)

    def last(self, task: str) -> Closed | None:
        """The latest closeout of a task that was not taken back since."""
        standing = self.standing(task)
        return standing[-1] if standing else None

    def standing(self, task: str) -> tuple[Closed, ...]:
        """The closeouts of a task that were not taken back, oldest first; one that found nothing
        left to do counts only where no other is known."""
        standing: list[Closed] = []
        taken: dict[str, Closed] = {}  # by the commit that took one back
        for fact in self.records.load(task).facts:
            told = fact.get("journal")
            if not isinstance(told, dict):
                continue
            undoes = told.get("undoes")
            if undoes is None and not told.get("steps") and standing:
                continue
            if undoes is None:
                standing.append(self._closed(fact, told))
            elif standing and undoes == (standing[-1].commit or ""):
                taken[str(fact.get("commit") or "")] = standing.pop()
            elif undoes in taken:
                standing.append(taken.pop(str(undoes)))
        return tuple(standing)

    def commits(self) -> frozenset[str]:
        """Every commit that a closeout, or the undo of one, made in this repository."""
        lists = (self.records.load(task).facts for task in self.records.tasks())
        return frozenset(str(fact.get("commit") or "") for facts in lists for fact in facts)

    def _closed(self, fact: dict[str, object], told: dict[str, Json]) -> Closed:
        commit, remembered = fact.get("commit"), told.get("remembered")
        return Closed(
            str(told.get("task") or ""),
            str(fact.get("at") or ""),
            commit if isinstance(commit, str) else None,
            str(told.get("audit") or ""),
            journal_of(self.state, told),
            remembered if isinstance(remembered, dict) else {},
        )


def _same(known: object, told: dict[str, Json]) -> bool:
    keys = ("started", "head", "message")
    return isinstance(known, dict) and all(known.get(key) == told[key] for key in keys)
