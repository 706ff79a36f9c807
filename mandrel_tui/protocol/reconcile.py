"""Reconciliation: what other active tasks need when tasks were archived; edits as values, and
nothing but blockers and the status they held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from mandrel_tui.protocol.drift import prefetch_path
from mandrel_tui.protocol.edit import Edit, TaskFile, Value, edit_task
from mandrel_tui.protocol.index_edit import SetCells
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.spelling import listed
from mandrel_tui.protocol.task import Status, Task

_RESUMABLE = (Status.PENDING, Status.IN_PROGRESS, Status.FINAL_REVIEW)


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """One other task: its names, the edit of its file (None where that is refused, with the
    `refusal`), what the index should tell of it, and what happens in a few words."""

    names: tuple[str, ...]
    edit: Edit | None
    cells: tuple[tuple[str, str], ...]
    words: str
    refusal: str = ""

    @property
    def name(self) -> str:
        return self.names[0]

    @property
    def step(self) -> SetCells:
        return SetCells(self.names, self.cells)


def reconcile(files: Iterable[TaskFile], archived: Set[str]) -> tuple[Reconciliation, ...]:
    """What the tasks need once all of `archived` (names and ids) are: blockers that name one go,
    and a blocked task left without any returns to what it was."""
    return tuple(found for file in files for found in _reconciled(file, archived))


def restored_status(task: Task) -> Status:
    """What a task was before it was blocked: the left side of `→ blocked` in its latest heading,
    else pending."""
    latest = task.entries[-1] if task.entries else None
    if latest is not None and latest.after == Status.BLOCKED:
        return next((status for status in _RESUMABLE if status == latest.before), Status.PENDING)
    return Status.PENDING


def stranded(files: Iterable[TaskFile], gone: Set[str]) -> tuple[str, ...]:
    """The tasks that prefetch one of the documents that are `gone`, a sentence each; a person edits
    them."""
    return tuple(
        f"{file.task.name} prefetches {entry}, which goes"
        for file in files
        for entry in file.task.prefetch
        if prefetch_path(entry) in gone
    )


def _reconciled(file: TaskFile, archived: Set[str]) -> Iterator[Reconciliation]:
    task = file.task
    left = tuple(blocker for blocker in task.blockers if blocker not in archived)
    values: dict[str, Value] = {}
    if left != task.blockers:
        values["blockers"] = left
    if task.status is Status.BLOCKED and not left:
        values["status"] = restored_status(task).value
    if not values:
        return
    names = tuple(dict.fromkeys(filter(None, (task.name, task.id))))
    words = "; ".join(_words(task, left, values))
    cells = tuple((key, _cell(value)) for key, value in values.items())
    try:
        yield Reconciliation(names, edit_task(file, values), cells, words)
    except Refusal as refusal:
        yield Reconciliation(names, None, (), words, str(refusal))


def _words(task: Task, left: tuple[str, ...], values: dict[str, Value]) -> Iterator[str]:
    gone = [blocker for blocker in task.blockers if blocker not in left]
    if gone:
        yield f"no longer waits for {', '.join(gone)}"
    if "status" in values:
        yield f"{task.status_text} → {values['status']}"


def _cell(value: Value) -> str:
    return listed(value) if isinstance(value, tuple) else value or ""
