"""Closeout: the plan of closing one task out, as file changes that can be shown, tested and
refused; reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from mandrel_tui.protocol.board import slug
from mandrel_tui.protocol.edit import Edit, TaskFile
from mandrel_tui.protocol.housekeeping import PENDING, flagged, noted
from mandrel_tui.protocol.index import PATH
from mandrel_tui.protocol.index_edit import DropRows, Step
from mandrel_tui.protocol.legible import visible
from mandrel_tui.protocol.proposal import Review, text_hunks
from mandrel_tui.protocol.reconcile import Reconciliation, reconcile
from mandrel_tui.protocol.stamps import stamped
from mandrel_tui.protocol.task import Task

TASKS, ARCHIVE = ".ai-tasks", ".ai-tasks/archive"


@dataclass(frozen=True, slots=True)
class Today:
    """When a closeout happens: the UTC date, taken once, and the commit HEAD names, None without
    one."""

    date: str
    head: str | None


@dataclass(frozen=True, slots=True)
class Stand:
    """What a closeout is planned on: the task's file as it was read, all `others` that are active,
    every archived name and id, the index and the notes about oversize documents (None where there
    is none). `archived` tasks have no file to move."""

    task: Task
    data: bytes
    others: tuple[TaskFile, ...]
    archive: frozenset[str]
    index: bytes | None
    pending: bytes | None = None
    archived: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The task's file name, and its id where that is another."""
        return tuple(dict.fromkeys(filter(None, (self.task.name, self.task.id))))

    @property
    def gone(self) -> frozenset[str]:
        """Every name that is archived when this task is."""
        return self.archive | set(self.names)


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """One document: what stands at its path now, what `base` the commit before holds, and what it
    becomes. The first two differ where the proposal is what was edited in the working tree."""

    path: str
    now: bytes | None
    base: bytes | None
    after: bytes | None

    @property
    def written(self) -> Edit:
        return Edit(self.path, self.now, self.after)

    @property
    def shown(self) -> Edit:
        """The change against the commit before, or what takes an edit of the tree back to it."""
        return self.written if self.kept else Edit(self.path, self.base, self.after)

    @property
    def kept(self) -> bool:
        """Whether it stays what the commit before holds."""
        return self.base == self.after


@dataclass(frozen=True, slots=True)
class IndexChange:
    """What happens to the index: steps that can be taken anew on whatever it holds by then, and the
    edit that they are on what it held when it was read."""

    steps: tuple[Step, ...]
    edit: Edit


@dataclass(frozen=True, slots=True)
class FileAction:
    """One line of a plan: a path and whether it is added, changed, removed or moved."""

    path: str
    action: str
    edit: Edit


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one closeout does, in the order in which it is done, and the commit that holds it.

    `archive` is the copy and the removal, `reconciled` what was accepted for other tasks, `left`
    the names of active tasks that stay as they are.
    """

    task: str
    documents: tuple[DocumentChange, ...]
    archive: tuple[Edit, ...]
    index: IndexChange | None
    reconciled: tuple[Reconciliation, ...]
    notes: tuple[Edit, ...]
    left: tuple[str, ...]
    message: str

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The file changes in the order in which they are made."""
        return (*(document.written for document in self.documents), *self._others)

    @property
    def files(self) -> tuple[FileAction, ...]:
        """The file changes as they are shown, against what was committed before."""
        shown = (document.shown for document in self.documents)
        changed = (edit for edit in (*shown, *self._others) if edit.before != edit.after)
        return tuple(FileAction(edit.path, self._action(edit), edit) for edit in changed)

    @property
    def changes(self) -> tuple[FileAction, ...]:
        """The file changes as a person counts them: a move is one."""
        copies = [edit for edit in self.archive if edit.after is not None]
        return tuple(file for file in self.files if file.edit not in copies)

    @property
    def committed(self) -> tuple[str, ...]:
        """The paths that the commit is to hold, as far as git carries them."""
        documents = (document.path for document in self.documents if not document.kept)
        return (*documents, *(edit.path for edit in self._others))

    def flagged(self, pending: bytes | None) -> tuple[str, ...]:
        """The documents that are flagged as over their limit when it is done, `pending` being the
        notes before it."""
        return flagged(self.notes[-1].after if self.notes else pending)

    @property
    def audit(self) -> str:
        """The line that says which other tasks were updated and which were not."""
        return audit_of([r.name for r in self.reconciled], self.left)

    @property
    def _others(self) -> tuple[Edit, ...]:
        tasks = (r.edit for r in self.reconciled if r.edit is not None)
        index = (self.index.edit,) if self.index is not None else ()
        return (*self.archive, *index, *tasks, *self.notes)

    def _action(self, edit: Edit) -> str:
        if edit in self.archive and edit.after is None:
            return "moved"
        if edit.before is None:
            return "added"
        return "removed" if edit.after is None else "changed"


def plan_closeout(
    stand: Stand,
    reviews: Sequence[Review],
    today: Today,
    *,
    now: Mapping[str, bytes | None] | None = None,
    accepted: Set[str] | None = None,
    revised: bool = False,
) -> Plan:
    """The plan of closing the task out with the documents as they were reviewed.

    `now` gives what stands at the reviewed paths where that is not what they are compared with;
    `accepted` names the tasks whose reconciliation was, None for all; `revised` documents were
    absorbed before. Raises Refusal for an index that is damaged.
    """
    found = [r for r in reconcile(stand.others, stand.gone) if r.edit is not None]
    reconciled = tuple(r for r in found if accepted is None or r.name in accepted)
    documents = tuple(_documents(reviews, today, now))
    updated = {r.name for r in reconciled}
    names = (file.task.name for file in stand.others)
    return Plan(
        stand.task.name,
        documents,
        _archive(stand),
        _index(stand, reconciled),
        reconciled,
        _notes(stand, documents),
        tuple(name for name in names if name not in updated),
        message(stand.task, not all(document.kept for document in documents), revised=revised),
    )


def _documents(
    reviews: Iterable[Review], today: Today, now: Mapping[str, bytes | None] | None
) -> Iterator[DocumentChange]:
    """What becomes of the reviewed documents; those of the memory that change are stamped."""
    for review in reviews:
        for path, text in review.final.items():
            base = review.base(path)
            after = _stamped(path, base, text, today)
            change = DocumentChange(path, (now or {}).get(path, base), base, after)
            if now is not None or not change.kept:
                yield change


def _stamped(path: str, base: bytes | None, text: bytes | None, today: Today) -> bytes | None:
    """The text as it is written; the base where it would be another only by its stamps."""
    if text is None or text == base or not path.startswith(".ai/"):
        return text
    after = stamped(text, today.date, today.head)
    return after if base is None or text_hunks(base, after) else base


def _archive(stand: Stand) -> tuple[Edit, ...]:
    if stand.archived:
        return ()
    name = f"{stand.task.name}.md"
    return (
        Edit(f"{ARCHIVE}/{name}", None, stand.data),
        Edit(f"{TASKS}/{name}", stand.data, None),
    )


def _index(stand: Stand, reconciled: Sequence[Reconciliation]) -> IndexChange | None:
    """The row gone, and what the rows of reconciled tasks tell; None where nothing changes."""
    if stand.index is None:
        return None
    steps: tuple[Step, ...] = (DropRows(stand.names), *(r.step for r in reconciled))
    after = stand.index
    for step in steps:
        after = step.on(after)
    return None if after == stand.index else IndexChange(steps, Edit(PATH, stand.index, after))


def _notes(stand: Stand, documents: Sequence[DocumentChange]) -> tuple[Edit, ...]:
    texts = {d.path: d.after for d in documents if not d.kept and d.path.startswith(".ai/")}
    after = noted(stand.pending, texts) if texts else stand.pending
    return () if after == stand.pending else (Edit(PENDING, stand.pending, after),)


def message(task: Task, admitted: bool, *, revised: bool = False) -> str:
    """The message of the commit, by whether it changes memory."""
    name = visible(slug(task.id or task.name))
    verb = "revise" if revised else "absorb"
    return f"chore(.ai): {verb} {name} findings" if admitted else f"chore: archive {name}"


def audit_of(updated: Sequence[str], unchanged: Sequence[str]) -> str:
    """The audit line over the names of all other active tasks."""
    changed, same = (", ".join(names) or "none" for names in (updated, unchanged))
    count = len(updated) + len(unchanged)
    return (
        f"Remaining-task audit: checked {count} active task(s); updated {changed}; unchanged {same}"
    )


def unwritable(stand: Stand) -> dict[str, str]:
    """The other tasks whose reconciliation cannot be written, and why; a person edits them."""
    return {r.name: r.refusal for r in reconcile(stand.others, stand.gone) if r.edit is None}
