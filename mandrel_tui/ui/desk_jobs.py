"""Desk jobs: what the app's workers read and keep for closing out and curating, each a function to
a fact; they touch no widget and no screen."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.protocol.candidates import facts_of_document, facts_of_log
from mandrel_tui.protocol.desk import FACTS, NATIVE, Desk, Given, Source, source_of
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.kinds import PROPOSAL
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.targets import Library
from mandrel_tui.protocol.triage import Planned, TriagePlan
from mandrel_tui.ui.present_desk import Waiting
from mandrel_tui.ui.widgets.picker import Offer
from mandrel_tui.workspace import asking, curate, files, gitdir, proposals, stand
from mandrel_tui.workspace.changes import Changes
from mandrel_tui.workspace.closed import native
from mandrel_tui.workspace.documents import ProposalRefused, memory
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.git import Git, GitError
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.typed import typed_path
from mandrel_tui.workspace.visible import shown, visible
from mandrel_tui.workspace.workspace import UnknownTask, Workspace


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a desk, or the `fault` for which nothing was; `note` is a remark."""

    given: Given | None = None
    proposal: Proposal = NOTHING
    fault: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A desk as it was left, and what is to be said of it; or why there is none. `folder` is where
    an agent lays a proposal."""

    desk: Desk | None = None
    proposal: Proposal = NOTHING
    said: str = ""
    folder: Path | None = None

    @property
    def archived(self) -> bool:
        """Whether the task was closed out already."""
        return self.desk is not None and self.desk.native


def memory_files(root: Path) -> tuple[str, ...]:
    """The memory files of a folder, what every session reads first."""
    return tuple(sorted(memory(root), key=lambda path: (path.startswith(".ai/"), path)))


def open_closeout(workspace: Workspace, name: str) -> Opened:
    """The closeout of a task as it was left, on what the repository is now."""
    loaded = Drafts(workspace.state).load(name)
    source = source_of(loaded.value)
    try:
        archived = stand.find(workspace, name).stand.archived
    except (UnknownTask, Refusal, files.FileError) as error:
        return Opened(said=str(error))
    if archived or source.kind == NATIVE:
        source = Source(NATIVE) if archived else Source()
    read = read_closeout(workspace, name, source)
    if read.given is None and source.kind not in (FACTS, NATIVE):
        # The proposal is gone or refused: the decisions about facts are still there.
        read, source = read_closeout(workspace, name, Source()), Source()
    if read.given is None:
        return Opened(said=read.fault)
    desk, reopened = Desk.opened(name, read.given, source, loaded.value)
    said = said_of(reopened, loaded.note or read.note)
    return Opened(desk, read.proposal, said, asking.folder_of(workspace, name))


def read_closeout(workspace: Workspace, name: str, source: Source) -> Read:
    """The facts of a task's log, the memory, and the proposal a source names."""
    try:
        found = stand.find(workspace, name)
        proposal = take(workspace, name, source)
    except (UnknownTask, Refusal, files.FileError, ProposalRefused, GitError) as error:
        return Read(fault=str(error))
    texts = memory(workspace.root)
    library = Library({path: data for path, data in texts.items() if path.startswith(".ai/")})
    given = Given(
        facts_of_log(found.stand.task),
        texts,
        library,
        None if source.kind == FACTS else proposal.documents,
        _words(proposal, source),
        proposal.notes,
        _base(workspace, source),
    )
    return Read(given, proposal, note="; ".join(found.unread))


def _words(proposal: Proposal, source: Source) -> str:
    known = {FACTS: "", "folder": "the proposal folder"}
    return known.get(source.kind, proposal.source)


def _base(workspace: Workspace, source: Source) -> str:
    """Of which moment the old texts are: of a commit, or what lies here."""
    if source.kind == NATIVE:
        return "before it"
    tree = workspace.tree()
    edited = any(b"/.ai/" in b"/" + entry.path for entry in tree.entries)
    if not tree.head or (edited and source.kind != "worktree"):
        return "as it is here"
    return f"at {tree.short}"


def take(workspace: Workspace, name: str, source: Source) -> Proposal:
    """The proposal a source names; raises ProposalRefused."""
    root = workspace.root
    if source.kind == "folder":
        return proposals.from_folder(root, asking.folder_of(workspace, name))
    if source.kind == "worktree":
        return proposals.from_worktree(root)
    if source.kind == "diff":
        return proposals.from_diff(root, source.named.encode("utf-8", "surrogateescape"))
    if source.kind == NATIVE:
        return native(workspace, name)
    if source.kind == FACTS:
        return NOTHING
    return proposals.take(root, source.named, typed_path(root, source.named))


def sources(workspace: Workspace, desk: Desk) -> tuple[Offer, ...]:
    """Where a proposal may be taken from; what is not there says so."""
    folder = asking.folder_of(workspace, desk.name)
    documents = len(list(folder.rglob("*.md"))) if folder.is_dir() else 0
    edited = [e for e in workspace.tree().entries if e.path.startswith(b".ai/")]
    there = f"{counted(documents, 'document') if documents else 'no document'} in {shown(folder)}"
    admitted = counted(len(desk.sheet.admitted), "fact")
    return (
        Offer("folder", "the proposal folder", note=there, reason="" if documents else there),
        Offer(
            "worktree",
            "the edits of the working tree",
            note=f"{counted(len(edited), 'path')} below .ai/ differ from HEAD",
            reason="" if edited else "nothing below .ai/ was edited",
        ),
        Offer("revision", "a commit or branch", note="What it changes in .ai/."),
        Offer("diff", "a diff, pasted", note="A whole reply may be pasted around it."),
        Offer("file", "a folder or diff file", note="You name its path."),
        Offer(FACTS, "the admitted facts", note=f"{admitted} admitted, each where it belongs"),
    )


def request(workspace: Workspace, desk: Desk) -> tuple[bytes | None, str]:
    """The request for a proposal with what is admitted so far, or why there is none."""
    try:
        return asking.request(workspace, desk.name, desk.sheet.admitted), ""
    except (UnknownTask, Refusal, ContractError, files.FileError) as error:
        return None, str(error)


Mark = tuple[tuple[str, int, int], ...]


def mark_of(folder: Path) -> Mark:
    """What tells two states of a proposal folder apart: its documents, their times and sizes."""
    found = []
    for path in sorted(folder.rglob("*.md")) if folder.is_dir() else ():
        try:
            stat = path.stat()
        except OSError:
            continue
        found.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(found)


def waiting(workspace: Workspace, task: str, folder: Path, documents: int, asked: bool) -> Waiting:
    """What is to be said of the folder an agent lays a proposal into, and of the agent that was
    launched for it last; `asked` where the request was copied."""
    root = workspace.root
    place = folder.relative_to(root) if folder.is_relative_to(root) else folder
    trail = workspace.handovers.trail(task)
    sent = next((one for one in reversed(trail.handovers) if one.kind == PROPOSAL), None)
    ending = trail.endings.get(sent.id) if sent is not None else None
    ended = ""
    if sent is not None and ending is not None:
        how = ending.cause or "ended"
        ended = f"{sent.delivery.launcher} {how}" if not ending.status else f"it failed: {how}"
    return Waiting(task, shown(place), documents, asked or sent is not None, ended)


def said_of(reopened: tuple[str, ...], note: str) -> str:
    """What is open again, in a sentence; a remark behind it."""
    said = f"open again, since they changed: {', '.join(reopened)}" if reopened else ""
    return "; ".join(part for part in (said, note) if part)


# Files.


def open_file(path: Path) -> Opened:
    """The curation of a file as it was left, on what it holds now."""
    read = read_file(path)
    if read.given is None:
        return Opened(said=read.fault)
    loaded = Drafts(curate.file_state(path)).load(str(path))
    desk, reopened = Desk.opened(_name(path), read.given, Source(), loaded.value, file=True)
    return Opened(desk, said=said_of(reopened, loaded.note))


def read_file(path: Path) -> Read:
    """The facts of a file."""
    try:
        data = files.read(path).data
    except files.NotRead as error:
        return Read(fault=str(error))
    return Read(Given(facts_of_document(data), {_name(path): data}, Library({})))


def _name(path: Path) -> str:
    """A file as it is called on the screen: below its repository, else below its folder."""
    own = gitdir.nearest(path.parent)
    top = own.top if own is not None else path.parent
    return visible(path.relative_to(top).as_posix() if path.is_relative_to(top) else path.name)


def keep(state: State, name: str, desk: Desk) -> str:
    """Keep what is decided; why it could not be, empty when it was."""
    return Drafts(state).save(name, desk.record)  # type: ignore[arg-type]


def write_file(path: Path, desk: Desk, changes: Changes) -> tuple[str, str]:
    """Write the file as it was reviewed over exactly what was read, as one of the `changes` that
    can be taken back; what to say, or why not. A text that git has not is kept."""
    before = desk.given.texts[desk.name]
    after = next((review.text for review in desk.reviews), before)
    if after is None or after == before:
        return "", "nothing of it is accepted"
    below = path.relative_to(changes.root) if path.is_relative_to(changes.root) else path
    edit = Edit(below.as_posix(), before, after)
    kept = None if _committed(path, before) else changes.state.keep(before, path.stem)
    written = changes.apply(TriagePlan(f"curate {desk.name}", (Planned(edit),)))
    if not written.ok:
        return "", written.why
    Drafts(curate.file_state(path)).end(str(path))
    saved = len(before) // 4 - len(after) // 4
    less = f"{counted(abs(saved), 'token')} {'fewer' if saved >= 0 else 'more'}"
    there = "git has the old text"
    if kept is not None:
        there = f"the old text: {shown(kept.path)}" if kept.path is not None else kept.note
    return f"wrote {shown(path.name)}, {less}; u takes it back; {there}", ""


def _committed(path: Path, text: bytes) -> bool:
    """Whether the commit that is checked out holds the file with this text."""
    try:
        found = Git(path.parent).run("cat-file", "blob", f"HEAD:./{path.name}")
    except GitError:
        return False
    return found.ok and found.stdout == text
