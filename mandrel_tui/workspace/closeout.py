"""Closeout: plans one on what the repository is now, carries it out with a journal, and recovers
or undoes one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mandrel_tui.protocol.closeout import Plan, Today, plan_closeout
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.preconditions import Precondition, preconditions
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Document, Review
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace import apply, journal
from mandrel_tui.workspace.apply import Ended, Stopped, Tell
from mandrel_tui.workspace.closed import verified
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.documents import ProposalRefused, document
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.git import GitError
from mandrel_tui.workspace.git_commit import head, tracked, would_carry
from mandrel_tui.workspace.grounds import look, look_back
from mandrel_tui.workspace.journal import FileStep, IndexStep, Journal, JournalStep, Opened
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.stand import Found, find, known
from mandrel_tui.workspace.state import Busy
from mandrel_tui.workspace.steps import edit_of
from mandrel_tui.workspace.visible import shown

if TYPE_CHECKING:
    from mandrel_tui.workspace.cache import Json
    from mandrel_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Prepared:
    """A closeout that can be shown and carried out: what it is planned on, the proposal as it was
    reviewed, the plan, the preconditions as they are now, the paths its commit would hold, and the
    branch and commit it would stand on."""

    found: Found
    proposal: Proposal
    reviews: tuple[Review, ...]
    today: Today
    plan: Plan
    preconditions: tuple[Precondition, ...]
    carried: tuple[str, ...]
    place: str

    @property
    def failed(self) -> tuple[Precondition, ...]:
        return tuple(row for row in self.preconditions if not row.passed)

    @property
    def undecided(self) -> int:
        """How many hunks nobody decided; they count as rejected."""
        return sum(len(review.open) for review in self.reviews)


@dataclass(frozen=True, slots=True)
class Finished:
    """A closeout carried out: how it ended, the audit line, what does not hold all the same, and
    what could not be remembered."""

    task: str
    ended: Ended
    audit: str
    problems: tuple[CheckResult, ...] = ()
    note: str = ""


def reviews_of(proposal: Proposal, accept: bool | None) -> tuple[Review, ...]:
    """The proposal under review: every hunk accepted, rejected, or open."""
    decision = None if accept is None else ACCEPT if accept else REJECT
    return tuple(Review.of(document, decision) for document in proposal.documents)


def prepare(
    workspace: Workspace,
    name: str,
    proposal: Proposal = NOTHING,
    reviews: Sequence[Review] | None = None,
    *,
    today: Today | None = None,
    accepted: Set[str] | None = None,
    revised: bool = False,
) -> Prepared:
    """The closeout of a task with a proposal as it was reviewed, by default all of it open.

    `accepted` names the tasks whose reconciliation was, None for all; `today` is now by default;
    `revised` documents were absorbed before. Raises UnknownTask, files.NotRead, Refusal.
    """
    found = find(workspace, name)
    if today is None:
        today = Today(workspace.now()[:10], head(workspace.git))
    decided = tuple(reviews_of(proposal, None) if reviews is None else reviews)
    plan = plan_closeout(
        found.stand, decided, today, now=proposal.now, accepted=accepted, revised=revised
    )
    ground = look(workspace.root, workspace.state, found, plan, proposal)
    return Prepared(
        found,
        proposal,
        decided,
        today,
        plan,
        preconditions(ground),
        _carried(workspace, plan),
        ground.tree.place,
    )


def _carried(workspace: Workspace, plan: Plan) -> tuple[str, ...]:
    try:
        return would_carry(workspace.git, plan.committed)
    except GitError:
        return ()


def follow_up(workspace: Workspace, name: str, reviews: Sequence[Review]) -> Prepared:
    """The change that takes back what was rejected of a commit that `native` gave, ready to be
    carried out. Raises ProposalRefused where a document moved on since, and as `prepare` does."""
    documents = []
    for review in reviews:
        for path, after in review.final.items():
            then = review.document.proposed if path == review.document.path else None
            now = document(workspace.root, path)
            if after != then and now != then:
                raise ProposalRefused(f"{shown(path)} changed since that commit")
            if after != then:
                documents.append(Document(path, now, after))
    proposal = Proposal("what was rejected of the agent's own closeout", tuple(documents))
    return prepare(workspace, name, proposal, reviews_of(proposal, True), revised=True)


def carry_out(
    workspace: Workspace,
    prepared: Prepared,
    *,
    remembered: Mapping[str, Json] | None = None,
    tell: Tell = apply.silent,
) -> Finished:
    """Does what was prepared, after every precondition was looked at again. Raises Refusal before
    the first byte, Stopped after it; then the journal stays, to be finished or rolled back."""
    _refuse_failed(prepared.preconditions)
    begun = _journal(workspace, prepared, remembered or {})

    def act() -> Ended:
        _refuse(workspace, prepared)
        return _begun(workspace, begun, tell)

    return _finished(workspace, begun, _locked(workspace, act), prepared.plan.task)


def open_closeouts(workspace: Workspace) -> Opened:
    """The closeouts that did not end."""
    return journal.open_journals(workspace.state)


def finish(workspace: Workspace, begun: Journal, tell: Tell = apply.silent) -> Finished:
    """Does what is left of a closeout that was interrupted. Raises Stopped, Refusal."""
    ended = _locked(workspace, lambda: _finish(workspace, begun, tell))
    return _finished(workspace, begun, ended, begun.task)


def roll_back(workspace: Workspace, begun: Journal) -> Finished:
    """Takes an interrupted closeout back, by a revert commit where its commit is made already.
    Raises Stopped, Refusal."""
    apply.await_git(workspace.git)
    made = apply.made(workspace.git, begun)
    if made is not None:
        return undo(workspace, apply.inverse(workspace.git, begun, made, workspace.now()))
    ended = _locked(workspace, lambda: apply.roll_back(workspace.root, begun))
    note = journal.end(workspace.state, begun)
    return Finished(begun.task, ended, "", note=note)


def undo_of(workspace: Workspace, name: str) -> Journal:
    """What takes the last closeout of a task back: a revert commit and a restore of its task files;
    raises Refusal where none is remembered."""
    closed = ClosedRecords(workspace.state).last(name)
    if closed is None or closed.journal is None:
        known(workspace, name)
        raise Refusal(f"no closeout of {name} is remembered that could be taken back")
    if not closed.journal.steps:
        raise Refusal(f"the closeout of {name} changed no file: there is nothing to take back")
    made = closed.commit or ""
    inverse = apply.inverse(workspace.git, closed.journal, made, workspace.now())
    _refuse_undo(workspace, inverse)
    return inverse


def undo(workspace: Workspace, inverse: Journal, tell: Tell = apply.silent) -> Finished:
    """Carries out what `undo_of` gave; what was decided of the facts is a draft again. Raises
    Refusal before the first byte, Stopped after it."""
    closed = ClosedRecords(workspace.state).last(inverse.task)

    def act() -> Ended:
        _refuse_undo(workspace, inverse)
        return _begun(workspace, inverse, tell)

    finished = _finished(workspace, inverse, _locked(workspace, act), inverse.task)
    drafts = Drafts(workspace.state)
    sheet = closed.remembered.get("sheet") if closed is not None else None
    if sheet is not None and drafts.load(inverse.task).value is None:
        drafts.save(inverse.task, {"sheet": sheet})
    return finished


def undo_edits(workspace: Workspace, inverse: Journal) -> tuple[Edit, ...]:
    """The file changes that an undo makes on what the files hold now."""
    return tuple(edit_of(workspace.root, step) for step in inverse.steps)


def _begun(workspace: Workspace, begun: Journal, tell: Tell) -> Ended:
    """The journal written, then carried out."""
    note = journal.begin(workspace.state, begun)
    if note:
        raise Refusal(f"nothing is done, since the journal cannot be written: {note}")
    return _finish(workspace, begun, tell)


def _finish(workspace: Workspace, begun: Journal, tell: Tell) -> Ended:
    """Carries a journal out; one whose commit a hook refused is kept with what that hook left."""
    try:
        return apply.finish(workspace.root, begun, tell)
    except Stopped as stopped:
        left = apply.as_left(workspace.root, begun) if stopped.tried else begun
        if left != begun:
            journal.begin(workspace.state, left)
        raise


def _refuse(workspace: Workspace, prepared: Prepared) -> None:
    ground = look(workspace.root, workspace.state, prepared.found, prepared.plan, prepared.proposal)
    _refuse_failed(preconditions(ground))
    if head(workspace.git) != prepared.today.head:
        raise Refusal("HEAD moved since the plan was made: look at it again")


def _refuse_undo(workspace: Workspace, inverse: Journal) -> None:
    _refuse_failed(preconditions(look_back(workspace.root, workspace.state, inverse)))


def _refuse_failed(rows: Sequence[Precondition]) -> None:
    failed = [f"{row.id}: {row.detail}" for row in rows if not row.passed]
    if failed:
        raise Refusal("; ".join(failed))


def _journal(workspace: Workspace, prepared: Prepared, remembered: Mapping[str, Json]) -> Journal:
    plan = prepared.plan
    return Journal(
        task=plan.task,
        started=workspace.now(),
        head=prepared.today.head or "",
        message=plan.message,
        audit=plan.audit,
        steps=tuple(_steps(plan)),
        committed=plan.committed,
        tracked=tracked(workspace.git, plan.committed),
        remembered={"source": prepared.proposal.source, **remembered},
    )


def _steps(plan: Plan) -> Iterator[JournalStep]:
    paths = [edit.path for edit in plan.archive]
    twins = dict(zip(paths, reversed(paths), strict=True))
    bases = {document.path: document.base for document in plan.documents}
    for edit in plan.edits:
        if plan.index is not None and edit == plan.index.edit:
            before, after = edit.before or b"", edit.after or b""
            yield IndexStep(edit.path, plan.index.steps, before, after)
        else:
            base = bases.get(edit.path, edit.before)
            twin = twins.get(edit.path, "")
            yield FileStep(edit.path, edit.before, edit.after, base, twin)


def _locked(workspace: Workspace, act: Callable[[], Ended]) -> Ended:
    try:
        with workspace.state.locked() as unlocked:
            if unlocked:
                raise Refusal(unlocked)
            return act()
    except Busy as error:
        raise Refusal(f"another closeout is under way: {error}") from None


def _finished(workspace: Workspace, begun: Journal, ended: Ended, name: str) -> Finished:
    """The record kept, the journal gone, and everything verified."""
    note = ClosedRecords(workspace.state).add(begun, ended.commit, workspace.now())
    note = note or journal.end(workspace.state, begun)
    if not begun.undo:
        workspace.changes.closed_out(name)
    problems = (
        ()
        if begun.undo
        else tuple(row for row in verified(workspace, name, begun.audit) if not row.passed)
    )
    return Finished(begun.task, ended, begun.audit, problems, note)
