"""Proposals: a mirrored folder, a diff, the edits of the working tree, or a commit or branch, all
as the same documents before and after; reads only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.protocol.document_path import fault
from mandrel_tui.protocol.housekeeping import PENDING
from mandrel_tui.protocol.patch import PatchRefused, read_patch
from mandrel_tui.protocol.patch_apply import apply_patch
from mandrel_tui.protocol.propagation import advice, other_form, with_followers
from mandrel_tui.protocol.proposal import Change, Document
from mandrel_tui.protocol.reply import the_diff
from mandrel_tui.protocol.tree import Dirty
from mandrel_tui.workspace import git_objects
from mandrel_tui.workspace.documents import (
    FOLDER,
    ProposalRefused,
    ProposalUnread,
    document,
    memory,
    text_of,
)
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.git import Git, GitError
from mandrel_tui.workspace.git_commit import head
from mandrel_tui.workspace.git_objects import Entry
from mandrel_tui.workspace.visible import shown

WORKTREE = "worktree"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed, and where it comes from in words; `remarks` are about the taking, `advice`
    is what follows from the documents as they are proposed, a sentence each.

    `now` is None unless the proposal is what was edited in the working tree: then it holds what
    stands there at each of its paths, and `tolerated` the differing paths as git names them.
    """

    source: str
    documents: tuple[Document, ...]
    remarks: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    now: Mapping[str, bytes | None] | None = None
    tolerated: frozenset[bytes] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """All that is said of it while nothing is decided."""
        return (*self.remarks, *self.advice)


NOTHING = Proposal("nothing is proposed", ())


def take(root: Path, named: str, path: Path) -> Proposal:
    """The proposal a person named: `worktree`, the folder or diff file at `path`, else a commit or
    branch. Raises ProposalRefused."""
    if named == WORKTREE:
        return from_worktree(root)
    if path.is_dir():
        return from_folder(root, path)
    if os.path.lexists(path):
        try:
            return from_diff(root, read(path).data, f"the diff {shown(named)}")
        except NotRead as error:
            raise ProposalUnread(str(error)) from None
    if git_objects.commit_of(Git(root), named) is None:
        raise ProposalUnread(f"{shown(named)} is no folder, no file and no commit")
    return from_revision(root, named)


def from_folder(root: Path, folder: Path) -> Proposal:
    """A folder that mirrors `.ai/` with whole documents; one that is absent is untouched, an empty
    file says that it goes."""
    top = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    if os.path.realpath(top) == os.path.realpath(root / FOLDER):
        raise ProposalRefused(f"{shown(folder)} is the memory itself")
    documents: list[Document] = []
    notes: list[str] = []
    for path, file in _mirrored(top):
        base, proposed = document(root, path), text_of(file)
        if not proposed and base is None:
            notes.append(f"{shown(path)} is empty in it and not there: nothing to remove")
        else:
            documents.append(Document(path, base, proposed or None))
    return _proposal(root, f"the folder {shown(folder)}", documents, notes)


def from_diff(root: Path, reply: bytes, source: str = "a diff") -> Proposal:
    """The one unified diff of a reply, applied exactly or not at all."""
    try:
        patched = apply_patch(read_patch(the_diff(reply)), lambda path: document(root, path))
    except PatchRefused as refusal:
        raise ProposalRefused(f"{source} is not taken: {refusal}") from None
    return _proposal(root, source, patched.documents, patched.notes)


def from_worktree(root: Path) -> Proposal:
    """The uncommitted edits of `.ai/` documents, against HEAD; edits elsewhere are none of it."""
    git = Git(root)
    try:
        documents, dirty = _edited(root, git)
    except GitError as error:
        raise ProposalRefused(f"git does not say what was edited: {error}") from None
    now = {d.path: d.proposed for d in documents}
    paired = tuple(_paired(documents))
    tolerated = _tolerated(dirty, now, git)
    remarks = () if tolerated else ("nothing below .ai/ was edited",)
    found = advice(paired, memory(root))
    return Proposal("the edits of the working tree", paired, remarks, found, now, tolerated)


def from_revision(root: Path, revision: str) -> Proposal:
    """What a commit or branch changes in `.ai/` since it left the commit HEAD names."""
    git = Git(root)
    tip, here = git_objects.commit_of(git, revision), head(git)
    if tip is None or here is None:
        what = shown(revision) if tip is None else "HEAD"
        raise ProposalRefused(f"{what} names no commit")
    start = git_objects.merge_base(git, here, tip)
    if start is None:
        raise ProposalRefused(f"{shown(revision)} has no commit in common with HEAD")
    if start == tip:
        raise ProposalRefused(f"{shown(revision)} is part of HEAD already: it proposes nothing")
    then = _between(git, start, tip)
    documents = [Document(d.path, document(root, d.path), d.proposed) for d in then]
    pairs = zip(documents, then, strict=True)
    moved = [doc.path for doc, old in pairs if doc.base not in (old.base, old.proposed)]
    if moved:
        names = ", ".join(map(shown, moved))
        raise ProposalRefused(f"{names} changed here since {shown(revision)} was begun")
    return _proposal(root, f"{shown(revision)} ({tip[:7]})", documents, ())


def from_commit(root: Path, commit: str) -> Proposal:
    """What one commit of the past changed in `.ai/`, as it was before and after it."""
    git = Git(root)
    then = _between(git, git_objects.parent(git, commit), commit)
    return Proposal(f"the commit {commit[:7]}", tuple(_paired(then)))


def _mirrored(top: Path) -> Iterator[tuple[str, Path]]:
    """The documents of a mirroring folder, by the path each has in the repository."""
    for folder, names, files in os.walk(top):
        names.sort()
        for name in (*names, *sorted(files)):
            file = Path(folder, name)
            path = f"{FOLDER}/{file.relative_to(top).as_posix()}"
            if file.is_symlink():
                raise ProposalRefused(f"{shown(file)} is a link")
            if name in names or name.startswith("."):
                continue
            if why := fault(path):
                raise ProposalRefused(f"{shown(file)} cannot be part of a proposal: {why}")
            yield path, file


def _proposal(
    root: Path, source: str, documents: Sequence[Document], notes: Sequence[str]
) -> Proposal:
    """The documents that differ, renamed ones paired, with those that must follow a rename."""
    texts = memory(root)
    paired = tuple(_paired(document for document in documents if document.differs))
    whole = with_followers(paired, texts)
    same = () if whole else ("it changes nothing",)
    return Proposal(source, whole, (*notes, *same), advice(whole, texts))


def _paired(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, one that goes and its other form that comes made one that is renamed."""
    known = {document.path: document for document in documents}
    for path, new in list(known.items()):
        other = other_form(path) or ""
        old = known.get(other)
        if old is None or new.change is not Change.ADDED or old.change is not Change.REMOVED:
            continue
        known[path] = Document(path, old.base, new.proposed, origin=other)
        del known[other]
    yield from known.values()


def _edited(root: Path, git: Git) -> tuple[list[Document], tuple[Dirty, ...]]:
    """The documents whose text on disk is another than in HEAD, and all paths that differ."""
    tree = git.tree()
    here = tree.head
    known = git_objects.entries(git, here, FOLDER) if here else {}
    listed = git.answer(
        *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"),
        *("--", FOLDER),
    )
    prefix = git.answer("rev-parse", "--show-prefix").removesuffix(b"\n")
    documents = []
    for record in listed.split(b"\0"):
        path = record[3:].removeprefix(prefix).decode("utf-8", "surrogateescape")
        if not record or fault(path):
            continue
        base = git_objects.text(git, here, path) if here and path in known else None
        now = document(root, path)
        if base != now:
            documents.append(Document(path, base, now))
    return documents, tree.entries


def _tolerated(
    dirty: Sequence[Dirty], now: Mapping[str, bytes | None], git: Git
) -> frozenset[bytes]:
    """The differing paths that consist of documents of the proposal alone; a folder that git does
    not know is one path."""
    prefix = git.answer("rev-parse", "--show-prefix").removesuffix(b"\n")
    known = {prefix + path.encode("utf-8", "surrogateescape") for path in now}
    found = set()
    for entry in dirty:
        if entry.path.endswith(b"/"):
            place = os.fsdecode(b":(top,literal)" + entry.path)
            listed = git.answer(
                *("ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", place)
            )
            whole = all(name in known for name in listed.split(b"\0") if name)
        else:
            whole = entry.path in known and entry.origin in (None, *known)
        if whole:
            found.add(entry.path)
    return frozenset(found)


def _between(git: Git, start: str | None, tip: str) -> list[Document]:
    """The documents that differ between two commits; raises ProposalRefused."""
    try:
        old = git_objects.entries(git, start, FOLDER) if start else {}
        new = git_objects.entries(git, tip, FOLDER)
        paths = [path for path in git_objects.changed(old, new) if path != PENDING]
        return [
            _differing(git, path, (start, old.get(path)), (tip, new.get(path))) for path in paths
        ]
    except GitError as error:
        raise ProposalRefused(f"git does not show {tip[:7]}: {error}") from None


def _differing(git: Git, path: str, *sides: tuple[str | None, Entry | None]) -> Document:
    if why := fault(path):
        raise ProposalRefused(f"{shown(path)} cannot be part of a proposal: {why}")
    if not all(entry is None or entry.regular for _, entry in sides):
        raise ProposalRefused(f"{shown(path)} is no regular file on one side")
    base, proposed = (
        None if entry is None or commit is None else git_objects.text(git, commit, path)
        for commit, entry in sides
    )
    return Document(path, base, proposed)
