"""Git commit: one commit of exactly the planned paths, with the user's own identity, hooks and
signing; whatever else is staged or edited stays as it was, and no ignore rule is overridden."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.git import Git, GitError, environment
from mandrel_tui.workspace.process import Ended, run
from mandrel_tui.workspace.visible import shown

# Hooks may run a whole test suite.
TIME_LIMIT = 600.0
_LOCK_PATIENCE = 2.0
_STEP = 0.05


@dataclass(frozen=True, slots=True)
class Committed:
    """How committing ended: the new commit, None without one, and what git and its hooks said;
    `problem` is why there is none though there should be, in git's own words, and `tried` whether
    git and its hooks ran at all."""

    commit: str | None
    output: str = ""
    problem: str = ""
    tried: bool = False


def carried(git: Git, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths that a commit can hold: known to git's index or HEAD, or there and not
    ignored; raises GitError."""
    wanted = list(dict.fromkeys(paths))
    known = _known(git, wanted)
    fresh = [p for p in wanted if p not in known and os.path.lexists(path_in(git.root, p))]
    ignored = _ignored(git, fresh)
    return tuple(p for p in wanted if p in known or (p in fresh and p not in ignored))


def would_carry(git: Git, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of the paths that a commit would hold once they are written; raises GitError."""
    wanted = list(dict.fromkeys(paths))
    known = _known(git, wanted)
    ignored = _ignored(git, [path for path in wanted if path not in known])
    return tuple(path for path in wanted if path not in ignored)


def tracked(git: Git, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of the paths that git's index holds; raises GitError."""
    known = _tracked(git, paths)
    return tuple(path for path in paths if path in known)


def pending(git: Git, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of the paths that differ from HEAD, in the index or on disk; raises GitError."""
    if not paths:
        return ()
    listed = git.answer(
        *("--literal-pathspecs", "status", "--porcelain=v1", "-z", "--no-renames"),
        *("--untracked-files=all", "--", *paths),
    )
    prefix = git.answer("rev-parse", "--show-prefix").removesuffix(b"\n")
    names = (record[3:].removeprefix(prefix) for record in listed.split(b"\0") if record)
    return tuple(_text(name) for name in names)


def commit(git: Git, paths: Sequence[str], message: str) -> Committed:
    """Commits the paths as they are on disk; none of them pending is no commit and no problem."""
    try:
        if not pending(git, paths):
            return Committed(None)
        await_lock(git)
        known = _tracked(git, paths)
        there = (path for path in paths if os.path.lexists(path_in(git.root, path)))
        fresh = [path for path in there if path not in known]
        if fresh:
            _listed(git, "add", "--intent-to-add", paths=fresh)
        ended = _listed(git, "commit", "--only", "-m", message, paths=paths, check=False)
        if not ended.ok:
            return Committed(None, _output(ended), ended.words, tried=True)
        return Committed(head(git), _output(ended))
    except GitError as error:
        return Committed(None, "", str(error))


def forget(git: Git, paths: Sequence[str]) -> None:
    """Makes git's index hold of the paths what HEAD holds; nothing on disk changes. Raises
    GitError."""
    if paths:
        await_lock(git)
        _listed(git, "reset", "--quiet", paths=paths)


def head(git: Git) -> str | None:
    """The full id of HEAD, None where there is no commit."""
    ended = git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return ended.stdout.decode("ascii", "replace").strip() if ended.ok else None


def identity_fault(git: Git) -> str:
    """Why git would not know who commits here, with the remedy; empty where it does."""
    for who in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        ended = _users(git, ("var", who))
        if not ended.ok:
            return (
                "git has no name and e-mail for commits here: git config user.name NAME; "
                "git config user.email ADDRESS"
            )
    return ""


def lock_fault(git: Git, patience: float = _LOCK_PATIENCE) -> str:
    """Says that another process holds git's index, after having waited; empty where none does."""
    own = gitdir.nearest(git.root)
    if own is None:
        return ""
    lock = own.path / "index.lock"
    end = time.monotonic() + patience
    while lock.exists():
        if time.monotonic() >= end:
            return f"{shown(lock)} is held by another git, or was left by one that died"
        time.sleep(_STEP)
    return ""


def await_lock(git: Git) -> None:
    """Waits briefly for git's index to be free; raises GitError where it stays locked."""
    fault = lock_fault(git)
    if fault:
        raise GitError(fault)


def path_in(root: Path, path: str) -> Path:
    """The file of a path relative to the root."""
    return root / os.fsdecode(_bytes(path))


def _tracked(git: Git, paths: Sequence[str]) -> frozenset[str]:
    return frozenset(_text(name) for name in git.tracked(paths))


def _known(git: Git, paths: Sequence[str]) -> frozenset[str]:
    """Those of the paths that git's index or HEAD holds."""
    if not paths or head(git) is None:
        return _tracked(git, paths)
    listed = git.answer(
        "--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *paths
    )
    return _tracked(git, paths) | {_text(name) for name in listed.split(b"\0") if name}


def _ignored(git: Git, paths: Sequence[str]) -> frozenset[str]:
    return frozenset(_text(name) for name in git.ignored(_bytes(path) for path in paths))


def _listed(git: Git, *arguments: str, paths: Sequence[str], check: bool = True) -> Ended:
    """A git command over paths, given on standard input; raises GitError unless told otherwise."""
    listing = b"".join(_bytes(path) + b"\0" for path in paths)
    given = ("--pathspec-from-file=-", "--pathspec-file-nul")
    ended = _users(git, ("--literal-pathspecs", *arguments, *given), listing)
    if check and not ended.ok:
        raise GitError(ended.words)
    return ended


def _users(git: Git, arguments: Sequence[str], input: bytes | None = None) -> Ended:
    """Git as the user configured it, in the user's language: hooks and signing are theirs."""
    own = gitdir.nearest(git.root)
    env = environment(own.top.parent if own else None)
    del env["LC_ALL"]
    env |= {"LC_ALL": os.environ["LC_ALL"]} if "LC_ALL" in os.environ else {}
    env["GIT_EDITOR"] = ":"
    argv = ["git", "-C", str(git.root), "-c", "core.quotePath=false", *arguments]
    return run(argv, input=input, timeout=TIME_LIMIT, env=env)


def _output(ended: Ended) -> str:
    both = b"\n".join(part.strip(b"\n") for part in (ended.stdout, ended.stderr))
    return both.strip(b"\n").decode("utf-8", "replace")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
