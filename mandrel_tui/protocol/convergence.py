"""Convergence groups: the chains of reviews that share one frozen finding set, and their budget."""

from __future__ import annotations

from dataclasses import dataclass

from mandrel_tui.protocol.task import LogEntry, Task, Verdict

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


def convergence_group(review: LogEntry) -> str:
    """The group a review belongs to: its Group, else the session it reviews, else itself."""
    return review.group or review.review_of or review.sid


def rounds(task: Task, group: str | None) -> int:
    """Changes-requested reviews of that group over the whole file; None: those without a group."""
    return sum(_requests(entry) and entry.group == group for entry in task.reviews)


def _requests(entry: LogEntry) -> bool:
    return entry.verdict is Verdict.CHANGES_REQUESTED


def groups(task: Task) -> tuple[Group, ...]:
    """The groups of a task in order of their first review, work entries with the group whose
    reviews name them or, for fixes, whose findings they answer."""
    members: dict[str | None, list[int]] = {}
    for position, entry in enumerate(task.entries):
        if entry.is_review:
            members.setdefault(entry.group, []).append(position)
    for position, entry in enumerate(task.entries):
        if not entry.is_review and (home := _home(task, position, entry)) is not None:
            members[home[0]].append(position)
    return tuple(_group(task, name, sorted(places)) for name, places in members.items())


def _home(task: Task, position: int, entry: LogEntry) -> tuple[str | None] | None:
    """The group of a work entry: that of the review before it when it answers findings, else that
    of the first review that names it; None when no review does yet."""
    before = next((e for e in reversed(task.entries[:position]) if e.is_review), None)
    if before is not None and _requests(before):
        return (before.group,)
    review = next((e for e in task.reviews if e.review_of == entry.sid), None)
    return (review.group,) if review is not None else None


def unreviewed(task: Task) -> tuple[int, ...]:
    """Positions of work entries that belong to no group yet."""
    grouped = {position for group in groups(task) for position in group.entries}
    return tuple(p for p in range(len(task.entries)) if p not in grouped)


def _group(task: Task, name: str | None, places: list[int]) -> Group:
    reviews = [task.entries[p] for p in places if task.entries[p].is_review]
    disputes = tuple(
        p for p in places if task.entries[p].is_review and task.entries[p].dispute is not None
    )
    used = rounds(task, name)
    if disputes and task.entries[disputes[-1]] is task.latest_review:
        state = "disputed"
    elif not _requests(reviews[-1]):
        state = "settled"
    else:
        state = "spent" if used > BUDGET else "changes requested"
    return Group(name, used, tuple(places), disputes, state)
