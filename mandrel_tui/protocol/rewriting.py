"""Rewriting: what of an earlier log a later version of a task file no longer says as it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.task import LogEntry, Task


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Entries of the earlier log by their place in it (from 0): no longer there, with another text,
    or no longer in their order; `inserted` are places in the later log before the last old one."""

    gone: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    inserted: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gone or self.changed or self.moved or self.inserted)

    @property
    def words(self) -> str:
        """What happened, on one line: `earlier entries: 2 changed, 1 gone`; empty without it."""
        counts = {
            "changed": len(self.changed),
            "gone": len(self.gone),
            "moved": len(self.moved),
            "put between": len(self.inserted),
        }
        told = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return told and f"earlier entries: {told}"


def rewritten(earlier: Task, later: Task) -> Rewritten:
    """What became of the earlier log; blank lines at the end of an entry are no part of it."""
    old, new = _texts(earlier), _texts(later)
    if _was_torn(earlier, later):
        return Rewritten()
    if _was_being_written(later, old, new):
        old = old[:-1]
    if new[: len(old)] == old:
        return Rewritten()
    places = {name: place for place, name in enumerate(_names(later))}
    found = [places.get(name) for name, _ in zip(_names(earlier), old, strict=False)]
    kept = [(place, at) for place, at in enumerate(found) if at is not None]
    last = max((at for _, at in kept), default=-1)
    known = {at for _, at in kept}
    return Rewritten(
        gone=tuple(place for place, at in enumerate(found) if at is None),
        changed=tuple(place for place, at in kept if old[place] != new[at]),
        moved=tuple(_moved(kept)),
        inserted=tuple(at for at in range(last) if at not in known),
    )


def _was_torn(earlier: Task, later: Task) -> bool:
    """Whether the earlier log broke off within a line, and the later one goes on from there."""
    before, now = _log(earlier), _log(later)
    return before != "" and not before.endswith("\n") and now.startswith(before)


def _log(task: Task) -> str:
    """The log from its heading on; empty without one."""
    lines = task.text.split("\n")
    return "\n".join(lines[task.log_line - 1 :]) if task.log_line is not None else ""


def _was_being_written(later: Task, old: list[str], new: list[str]) -> bool:
    """Whether the last entry was not written to its end yet: in its place stands one that begins
    so, and nobody but its own session has written since."""
    last = len(old) - 1
    if last < 0 or len(new) <= last or not new[last].startswith(old[last]):
        return False
    own = later.entries[last].sid
    return all(entry.sid == own for entry in later.entries[last:])


def entry_text(task: Task, entry: LogEntry) -> str:
    """The lines of an entry as they stand in the file, without blank ones at its end."""
    return "\n".join(task.text.split("\n")[entry.line - 1 : entry.end_line]).rstrip()


def _texts(task: Task) -> list[str]:
    lines = task.text.split("\n")
    return ["\n".join(lines[e.line - 1 : e.end_line]).rstrip() for e in task.entries]


def _names(task: Task) -> Iterator[tuple[str, str | None, int]]:
    """What tells an entry from all others: whose it is, of what, and the how-manieth of those."""
    seen: Counter[tuple[str, str | None]] = Counter()
    for entry in task.entries:
        name = (entry.sid, entry.review_of)
        seen[name] += 1
        yield (*name, seen[name])


def _moved(kept: list[tuple[int, int]]) -> Iterator[int]:
    """Places of entries that now stand before one they stood behind."""
    highest = -1
    for place, at in kept:
        if at < highest:
            yield place
        highest = max(highest, at)
