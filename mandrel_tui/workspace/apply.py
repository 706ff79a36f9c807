"""Apply: carries out a journal step by step, finishes one that was interrupted, or takes it back;
every step may be done again, and a file that is neither as before nor as planned is left alone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from mandrel_tui.protocol.merge import merged
from mandrel_tui.protocol.patience import changes, lines_of
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace import atomic, files
from mandrel_tui.workspace.files import FileError, NotRead, StaleFile, read
from mandrel_tui.workspace.git import Git, GitError
from mandrel_tui.workspace.git_commit import (
    carried,
    commit,
    forget,
    head,
    path_in,
    pending,
    tracked,
)
from mandrel_tui.workspace.git_objects import SUBJECTS
from mandrel_tui.workspace.journal import FileStep, IndexStep, Journal, JournalStep
from mandrel_tui.workspace.visible import shown

Tell = Callable[[int, str], None]
_TRIES = 200
_PAUSE = 0.01


class Stopped(Exception):
    """A closeout that could not go on; the journal stays, and it can be tried again. `output` is
    what git and its hooks said."""

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class Stage(StrEnum):
    """How far a step is."""

    DONE = "done"
    TODO = "to do"
    CONFLICT = "changed since"


@dataclass(frozen=True, slots=True)
class Outlook:
    """One step of a journal as it stands now; `words` say what is wrong with one in conflict."""

    step: JournalStep
    stage: Stage
    words: str = ""


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
    return tuple(_outlook(root, step) for step in journal.steps)


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
    done = all(_outlook(git.root, step).stage is Stage.DONE for step in journal.steps)
    with suppress(GitError):
        if done and not pending(git, carried(git, journal.committed)):
            return found[0][0]
    return None


def silent(number: int, path: str) -> None:
    """Tells nobody of a step."""


def finish(root: Path, journal: Journal, tell: Tell = silent) -> Ended:
    """Does what is left of a journal, the commit last; `tell` is given each step that is done.
    Raises Stopped."""
    git = Git(root)
    _sweep(root, journal)
    found = made(git, journal)
    if found is None:
        _refuse_conflicts(outlook(root, journal))
        for number, step in enumerate(journal.steps):
            _stopping(_do, root, step)
            tell(number, step.path)
        return _commit(git, journal)
    _stopping(_settle, git, journal)
    return Ended(found)


def roll_back(root: Path, journal: Journal) -> Ended:
    """Takes back what was done of a journal that has no commit; files that somebody changed since
    are left and named. Raises Stopped."""
    left = []
    _sweep(root, journal)
    for step in reversed(journal.steps):
        if _outlook(root, step).stage is Stage.CONFLICT:
            left.append(step.path)
        else:
            _stopping(_do, root, step.inverse)
    git = Git(root)
    _stopping(_forget_tried, git, journal)
    return Ended(None, left=tuple(reversed(left)))


def inverse(git: Git, journal: Journal, found: str, started: str) -> Journal:
    """The journal that takes a committed one back by a commit of its own."""
    return replace(
        journal,
        started=started,
        head=head(git) or "",
        message=f'Revert "{journal.message}"\n\nThis reverts commit {found}.',
        steps=tuple(step.reverted for step in reversed(journal.steps)),
        tracked=tracked(git, journal.committed),
        undoes=found,
    )


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
        raise Stopped(f"git did not commit: {done.problem}", done.output)
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


def _outlook(root: Path, step: JournalStep) -> Outlook:
    try:
        now = _content(root, step.path)
        if isinstance(step, IndexStep):
            todo = now is not None and _indexed(step, now) != now
            return Outlook(step, Stage.TODO if todo else Stage.DONE)
    except (Refusal, FileError) as error:
        return Outlook(step, Stage.CONFLICT, str(error))
    if now == step.after:
        return Outlook(step, Stage.DONE)
    if now == step.before:
        return Outlook(step, Stage.TODO)
    what = "is gone" if now is None else "is there" if step.before is None else "changed"
    words = f"{shown(step.path)} {what} since the closeout was planned"
    return Outlook(step, Stage.CONFLICT, words)


def _content(root: Path, path: str) -> bytes | None:
    place = path_in(root, path)
    try:
        return read(place).data
    except NotRead:
        if os.path.lexists(place):
            raise
        return None


def _do(root: Path, step: JournalStep) -> None:
    """Does one step unless it is done; raises FileError, Refusal, OSError."""
    if isinstance(step, IndexStep):
        _do_index(path_in(root, step.path), step)
    elif _content(root, step.path) != step.after:
        _do_file(root, step)


def _do_index(place: Path, step: IndexStep) -> None:
    """Takes the steps on what the index holds now, again while others are writing it."""
    for tries in range(_TRIES):
        if not os.path.lexists(place):
            return
        now = read(place).data
        after = _indexed(step, now)
        if after == now:
            return
        try:
            files.write_atomic(place, after, now)
            return
        except StaleFile:
            if tries == _TRIES - 1:
                raise
            time.sleep(_PAUSE)


def _indexed(step: IndexStep, now: bytes) -> bytes:
    """The index after the step; raises Refusal where it is damaged."""
    if step.back:
        return _put_back(step, now)
    for one in step.steps:
        now = one.on(now)
    return now


def _put_back(step: IndexStep, now: bytes) -> bytes:
    """The index with the rows it lost, where they stood among what others wrote since."""
    for one in step.steps:
        one.on(now)  # refuses a damaged index
    lost = _lost(step.after, step.before)
    if lost and set(lost) <= set(lines_of(now)):
        return now
    whole = merged(step.after, step.before, now)
    return now + b"".join(lost) if whole is None else whole


def _lost(after: bytes, before: bytes) -> list[bytes]:
    """The lines of `before` that `after` lacks."""
    old, new = lines_of(after), lines_of(before)
    return [line for c in changes(old, new) for line in new[c.new_start : c.new_end]]


def _do_file(root: Path, step: FileStep) -> None:
    place = path_in(root, step.path)
    if step.after is None:
        files.remove(place, step.before or b"")
        _prune(place.parent, root)
    elif step.before is None and step.twin and _linked(path_in(root, step.twin), place, step.after):
        atomic.sync_folder(place.parent)
    else:
        files.write_atomic(place, step.after, step.before)


def _linked(twin: Path, place: Path, data: bytes) -> bool:
    """Gives a regular file its second name, so that whoever still writes to it loses nothing and
    mode and times stay; False where that cannot be."""
    try:
        if twin.is_symlink() or read(twin).data != data:
            return False
        place.parent.mkdir(parents=True, exist_ok=True)
        os.link(twin, place)
    except FileExistsError:
        raise StaleFile(f"{shown(place)} exists already") from None
    except (OSError, NotRead, AttributeError):
        return False
    return True


def _sweep(root: Path, journal: Journal) -> None:
    """Removes what writes of this journal left when their process died: files with a temporary name
    that hold the beginning of a planned text, beside the file it was for."""
    texts: dict[Path, list[bytes]] = {}
    for step in journal.steps:
        place = path_in(root, step.path)
        planned = [step.before, step.after]
        with suppress(FileError, Refusal):
            now = _content(root, step.path)
            if isinstance(step, IndexStep) and now is not None:
                planned += [_indexed(step, now), _indexed(step.inverse, now)]
        for folder in (place.parent, Path(os.path.realpath(place)).parent):
            texts.setdefault(folder, []).extend(text for text in planned if text is not None)
    for folder, planned_texts in texts.items():
        for leftover in folder.glob(f"{atomic.LEFTOVER}*") if folder.is_dir() else ():
            with suppress(FileError):
                data = read(leftover).data
                if any(text.startswith(data) for text in planned_texts):
                    atomic.discard(leftover)


def _prune(folder: Path, root: Path) -> None:
    """Removes folders of the memory that became empty."""
    memory = root / ".ai"
    with suppress(OSError):
        while memory in folder.parents:
            folder.rmdir()
            folder = folder.parent


def left_words(left: Sequence[str]) -> str:
    """The files that were left as somebody made them, in a sentence; empty without any."""
    names = ", ".join(shown(path) for path in left)
    return f"left as they are, since somebody changed them: {names}" if names else ""
