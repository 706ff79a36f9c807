"""Apply: carries out a journal, finishes one that was interrupted, or takes it back; whatever was
done already may be done again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace.files import FileError, read
from mandrel_tui.workspace.git import Git, GitError
from mandrel_tui.workspace.git_commit import (
    await_lock,
    carried,
    commit,
    forget,
    head,
    path_in,
    pending,
    tracked,
)
from mandrel_tui.workspace.git_objects import SUBJECTS, text
from mandrel_tui.workspace.journal import FileStep, Journal, JournalStep
from mandrel_tui.workspace.steps import Outlook, Stage, do, outlook_of, sweep
from mandrel_tui.workspace.visible import shown

Tell = Callable[[int, str], None]


class Stopped(Exception):
    """A closeout that could not go on; the journal stays, and it can be tried again. `output` is
    what git and its hooks said, `tried` whether they ran."""

    def __init__(self, message: str, output: str = "", *, tried: bool = False) -> None:
        super().__init__(message)
        self.output = output
        self.tried = tried


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: the commit that was made, None where there was nothing to commit, what git and
    its hooks said, and the paths that were left as somebody else made them."""

    commit: str | None
    output: str = ""
    left: tuple[str, ...] = ()


def outlook(root: Path, journal: Journal) -> tuple[Outlook, ...]:
    """Every step of a journal with how far it is; changes nothing."""
    if made(Git(root), journal) is not None:
        return tuple(Outlook(step, Stage.DONE) for step in journal.steps)
    return tuple(outlook_of(root, step) for step in journal.steps)


def made(git: Git, journal: Journal) -> str | None:
    """The commit of a journal, None while there is none: of those since it began that touch its
    paths the latest that carries its message, or, where a hook may have worded it anew, the latest
    when every step is done and nothing of them is left to commit."""
    if not journal.committed:
        return None
    paths = ("--", *journal.committed)
    ended = git.run("--literal-pathspecs", *SUBJECTS, f"{journal.head}..HEAD", *paths)
    records = ended.stdout.split(b"\0") if ended.ok else []
    found = [record.decode("utf-8", "replace").partition(" ") for record in records if record]
    wanted = journal.message.partition("\n")[0]
    exact = next((commit for commit, _, subject in found if subject == wanted), None)
    if exact is not None or not found:
        return exact
    done = all(outlook_of(git.root, step).stage is Stage.DONE for step in journal.steps)
    with suppress(GitError):
        if done and not pending(git, carried(git, journal.committed)):
            return found[0][0]
    return None


def await_git(git: Git) -> None:
    """Waits briefly for a git that outlived the process which began: its commit may still come, and
    decides what is to be done. Raises Stopped."""
    _stopping(await_lock, git)


def silent(number: int, path: str) -> None:
    """Tells nobody of a step."""


def finish(root: Path, journal: Journal, tell: Tell = silent) -> Ended:
    """Does what is left of a journal, the commit last; `tell` is given each step that is done.
    Raises Stopped."""
    git = Git(root)
    await_git(git)
    sweep(root, journal.steps)
    found = made(git, journal)
    if found is None:
        _refuse_conflicts(outlook(root, journal))
        for number, step in enumerate(journal.steps):
            _stopping(do, root, step)
            tell(number, step.path)
        return _commit(git, journal)
    _stopping(_settle, git, journal)
    return Ended(found)


def roll_back(root: Path, journal: Journal) -> Ended:
    """Takes back what was done of a journal that has no commit; files that somebody changed since
    are left and named. Raises Stopped."""
    left = []
    sweep(root, journal.steps)
    for step in reversed(journal.steps):
        if outlook_of(root, step).stage is Stage.CONFLICT:
            left.append(step.path)
        else:
            _stopping(do, root, step.inverse)
    git = Git(root)
    _stopping(_forget_tried, git, journal)
    return Ended(None, left=tuple(reversed(left)))


def inverse(git: Git, journal: Journal, found: str, started: str) -> Journal:
    """The journal that takes one that ended back, by a commit of its own where it made the commit
    `found`, which is empty where it made none."""
    what = f"\n\nThis reverts commit {found}." if found else ""
    steps = [_as_committed(git, found, step) for step in reversed(journal.steps)]
    return replace(
        journal,
        started=started,
        head=head(git) or "",
        audit="",
        message=f'Revert "{journal.message}"{what}',
        steps=tuple(step.reverted for step in steps),
        tracked=tracked(git, journal.committed),
        undoes=found,
    )


def as_left(root: Path, journal: Journal) -> Journal:
    """The journal of a commit that was tried and refused, with the texts that are there: a hook may
    have written them anew, so that the next try is what it asks for."""
    return replace(journal, steps=tuple(_as_left(root, journal, step) for step in journal.steps))


def _as_left(root: Path, journal: Journal, step: JournalStep) -> JournalStep:
    if isinstance(step, FileStep) and step.after is not None and step.path in journal.committed:
        with suppress(FileError):
            return replace(step, after=read(path_in(root, step.path)).data)
    return step


def _as_committed(git: Git, found: str, step: JournalStep) -> JournalStep:
    """The step with the text that its commit holds, where that is what stands there: a hook may
    have written it anew."""
    if not found or not isinstance(step, FileStep) or step.after is None:
        return step
    with suppress(FileError, GitError):
        now = read(path_in(git.root, step.path)).data
        if now != step.after and now == text(git, found, step.path):
            return replace(step, after=now)
    return step


def _refuse_conflicts(steps: Iterable[Outlook]) -> None:
    found = [step.words for step in steps if step.stage is Stage.CONFLICT]
    if found:
        raise Stopped("; ".join(found))


def _stopping(act: Callable[..., object], *given: object) -> None:
    """Acts, and tells of every failure of the world as Stopped."""
    try:
        act(*given)
    except (FileError, GitError, Refusal) as error:
        raise Stopped(str(error)) from None
    except OSError as error:
        name = shown(error.filename) if error.filename else "a file"
        raise Stopped(f"{name}: {(error.strerror or str(error)).lower()}") from None


def _commit(git: Git, journal: Journal) -> Ended:
    try:
        paths = carried(git, journal.committed)
    except GitError as error:
        raise Stopped(str(error)) from None
    done = commit(git, paths, journal.message)
    if done.problem:
        raise Stopped(f"git did not commit: {done.problem}", done.output, tried=done.tried)
    if done.commit is not None:
        _stopping(_settle, git, journal)
    return Ended(done.commit, done.output)


def _settle(git: Git, journal: Journal) -> None:
    """Makes git's index agree with the commit: a hook may have staged more of the same paths, and a
    git that was killed may not have written it."""
    listed = git.answer(
        *("--literal-pathspecs", "diff-index", "--cached", "--name-only", "-z", "--relative"),
        *("HEAD", "--", *journal.committed),
    )
    names = (name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name)
    forget(git, tuple(names))


def _forget_tried(git: Git, journal: Journal) -> None:
    """Takes out of git's index what it holds only because a commit of the journal was tried."""
    fresh = [path for path in journal.committed if path not in journal.tracked]
    forget(git, tracked(git, fresh))


def left_words(left: Sequence[str]) -> str:
    """The files that were left as somebody made them, in a sentence; empty without any."""
    names = ", ".join(shown(path) for path in left)
    return f"left as they are, since somebody changed them: {names}" if names else ""
