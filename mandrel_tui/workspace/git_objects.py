"""Git objects: which documents a commit holds and their texts as a checkout would write them; asks
only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from mandrel_tui.workspace.git import Git, GitError

SUBJECTS = ("log", "-z", "--format=%H %s", "--encoding=UTF-8", "--no-show-signature")


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a commit: its mode and object."""

    mode: str
    oid: str

    @property
    def regular(self) -> bool:
        return self.mode == "100644"


def commit_of(git: Git, revision: str) -> str | None:
    """The full id of the commit a revision names, None where it names none."""
    if revision.startswith("-"):
        return None
    ended = git.run(
        "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
    )
    return ended.stdout.decode("ascii", "replace").strip() if ended.ok else None


def merge_base(git: Git, one: str, other: str) -> str | None:
    """The commit two commits have in common, None where they have none."""
    ended = git.run("merge-base", one, other)
    return ended.stdout.decode("ascii", "replace").strip() if ended.ok else None


def entries(git: Git, commit: str, folder: str) -> dict[str, Entry]:
    """What a commit holds below a folder, by path relative to the root; raises GitError."""
    listed = git.answer("ls-tree", "-r", "-z", commit, "--", f"{folder}/")
    found = {}
    for record in listed.split(b"\0"):
        head, tab, path = record.partition(b"\t")
        if tab:
            mode, _, oid = head.decode("ascii", "replace").split(" ")
            found[path.decode("utf-8", "surrogateescape")] = Entry(mode, oid)
    return found


def text(git: Git, commit: str, path: str) -> bytes:
    """A document as checking the commit out would write it; raises GitError."""
    return git.answer("cat-file", "--filters", f"{commit}:./{path}")


def changed(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> tuple[str, ...]:
    """The paths that differ between two commits, sorted."""
    return tuple(sorted(p for p in old.keys() | new.keys() if old.get(p) != new.get(p)))


def parent(git: Git, commit: str) -> str | None:
    """The first parent of a commit, None for a first one."""
    return commit_of(git, f"{commit}^1")


def subjects(git: Git, folder: str, most: int = 200) -> tuple[tuple[str, str], ...]:
    """The latest commits with their subjects, newest first, that touch anything or, with a folder,
    something in it; none where there is no commit."""
    paths = ("--", folder) if folder else ()
    try:
        listed = git.answer(*SUBJECTS, f"--max-count={most}", *paths)
    except GitError:
        return ()
    rows = (record.decode("utf-8", "replace").partition(" ") for record in listed.split(b"\0"))
    return tuple((commit, subject) for commit, _, subject in rows if commit)


def blame(git: Git, path: str, number: int) -> tuple[str, str, str] | None:
    """The commit that last wrote a line (from 1) of a file, its subject, and the UTC time it was
    made; None where git does not say, or the line is not committed."""
    ended = git.run("blame", "--porcelain", f"-L{number},{number}", "--", path)
    commit = ended.stdout.partition(b" ")[0].decode("ascii", "replace")
    if not ended.ok or not commit.strip("0"):
        return None
    plain = ("show", "--no-patch", "--no-show-signature", "--encoding=UTF-8")
    told = git.run(*plain, "--format=%ct %s", commit).stdout.decode("utf-8", "replace")
    seconds, _, subject = told.rstrip("\n").partition(" ")
    moment = datetime.fromtimestamp(int(seconds or 0), UTC)
    return commit, subject, f"{moment:%Y-%m-%dT%H:%M:%SZ}"
