"""Grounds: what the preconditions of a closeout are judged by, looked at now; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mandrel_tui.protocol.closeout import ARCHIVE, Plan, Stand, unwritable
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.index import PATH
from mandrel_tui.protocol.preconditions import Grounds
from mandrel_tui.protocol.propagation import alike, both_forms
from mandrel_tui.protocol.tree import Tree, TreeKind
from mandrel_tui.workspace.apply import outlook
from mandrel_tui.workspace.documents import memory
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.git import Git, GitError
from mandrel_tui.workspace.git_commit import identity_fault, lock_fault, path_in, would_carry
from mandrel_tui.workspace.journal import Journal, open_journals
from mandrel_tui.workspace.proposals import Proposal
from mandrel_tui.workspace.stand import Found
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.visible import shown

_NAME_LIMIT, _PATH_LIMIT = 255, 4095


def look(root: Path, state: State, found: Found, plan: Plan, proposal: Proposal) -> Grounds:
    """The ground of a plan as it is now."""
    git = Git(root)
    tree = git.tree()
    asked = tree.kind is TreeKind.GIT
    return Grounds(
        tree=tree,
        tolerated=proposal.tolerated,
        lock=lock_fault(git) if asked else "",
        hidden=_hidden(git, plan.committed) if asked else (),
        names=tuple(_long_names(root, plan.committed)),
        unwritable=tuple(_unwritable(root, plan.edits)),
        identity=_identity(git, tree, plan.committed) if asked else "",
        archive="" if found.stand.archived else _archive_fault(root, found.stand),
        index=found.index_fault,
        twins=tuple(f"{shown(path)} has this id too" for path in found.twins),
        forms=_forms(root, plan),
        changed=tuple(_changed(root, plan)),
        reconciliation=(*found.unread, *_refused(found.stand)),
        journal=_journal_fault(state),
    )


def look_back(root: Path, state: State, inverse: Journal) -> Grounds:
    """The ground of what takes a closeout back; whatever else was edited stays as it is."""
    git = Git(root)
    tree = git.tree()
    asked = tree.kind is TreeKind.GIT
    edits = [Edit(step.path, step.before, step.after) for step in inverse.steps]
    return Grounds(
        tree=tree,
        tolerated=frozenset(entry.path for entry in tree.entries),
        lock=lock_fault(git) if asked else "",
        hidden=_hidden(git, inverse.committed) if asked else (),
        unwritable=tuple(_unwritable(root, edits)),
        identity=_identity(git, tree, inverse.committed) if asked else "",
        changed=tuple(row.words for row in outlook(root, inverse) if row.words),
        journal=_journal_fault(state, inverse.task),
    )


def _refused(stand: Stand) -> Iterator[str]:
    return (f"{shown(name)}: {why}" for name, why in unwritable(stand).items())


def _forms(root: Path, plan: Plan) -> tuple[str, ...]:
    after = {d.path: d.after for d in plan.documents if d.path.startswith(".ai/")}
    if not after:
        return ()
    texts = memory(root)
    both = (
        f"{shown(path)} and its other form would both exist" for path in both_forms(after, texts)
    )
    case = (f"{shown(path)} differs from another in letter case" for path in alike(after, texts))
    return (*both, *case)


def _hidden(git: Git, committed: Iterable[str]) -> tuple[str, ...]:
    """The planned paths that git holds without having them checked out, or does not look at."""
    try:
        listed = git.answer(
            "--literal-pathspecs", "ls-files", "-z", "-v", "--", *dict.fromkeys(committed)
        )
    except GitError as error:
        return (str(error),)
    found = []
    for record in listed.split(b"\0"):
        tag, path = record[:1], record[2:]
        if tag in (b"S", b"s"):
            found.append(f"{shown(path)} is not checked out (sparse or skip-worktree)")
        elif tag.islower():
            found.append(f"{shown(path)} is marked assume-unchanged")
    return tuple(found)


def _long_names(root: Path, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        raw = os.fsencode(path_in(root, path))
        if len(raw) > _PATH_LIMIT or any(len(part) > _NAME_LIMIT for part in raw.split(b"/")):
            yield f"{shown(path)} is too long a name"


def _unwritable(root: Path, edits: Iterable[Edit]) -> Iterator[str]:
    """Files that may not be written, and folders in which nothing can be made or removed."""
    told: set[Path] = set()
    for edit in edits:
        if edit.before == edit.after:
            continue
        file = path_in(root, edit.path)
        folder = next(p for p in file.parents if os.path.lexists(p))
        file_faults = edit.before is not None and edit.after is not None and not _may(file, os.W_OK)
        for place, fault in ((file, file_faults), (folder, not _may(folder, os.W_OK | os.X_OK))):
            if fault and place not in told:
                told.add(place)
                name = f"{shown(place.relative_to(root))}{'/' if place == folder else ''}"
                yield f"{name} cannot be written"


def _may(place: Path, mode: int) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(place, mode, effective_ids=effective)


def _identity(git: Git, tree: Tree, committed: Iterable[str]) -> str:
    """Whether git can commit at all, where there will be something to commit."""
    try:
        if not would_carry(git, committed):
            return ""
    except GitError as error:
        return str(error)
    if tree.head is None:
        return "there is no commit yet: make a first one"
    return identity_fault(git)


def _archive_fault(root: Path, stand: Stand) -> str:
    place = path_in(root, f"{ARCHIVE}/{stand.task.name}.md")
    if not os.path.lexists(place):
        return ""
    if place.is_dir():
        return f"{shown(place.relative_to(root))} is a folder"
    try:
        same = read(place).data == stand.data
    except NotRead as error:
        return str(error)
    return "" if same else f"{shown(place.relative_to(root))} exists with other content"


def _changed(root: Path, plan: Plan) -> Iterator[str]:
    """The files that are no longer what the plan was made on; the index may change meanwhile."""
    for edit in plan.edits:
        place = path_in(root, edit.path)
        if edit.path == PATH or (edit in plan.archive and edit.before is None):
            continue
        try:
            now = read(place).data if os.path.lexists(place) else None
        except NotRead as error:
            yield str(error)
            continue
        if now != edit.before:
            yield f"{shown(edit.path)} changed since it was read"


def _journal_fault(state: State, own: str | None = None) -> str:
    """Why no journal can be begun: another closeout than that of the task `own` did not end, or the
    state cannot be kept."""
    note = state.ready()
    if note:
        return note
    opened = open_journals(state)
    others = [journal.task for journal in opened.journals if journal.task != own]
    for name in others[:1]:
        return f"the closeout of {shown(name)} did not end: finish it or roll it back first"
    return "; ".join(opened.notes)
