"""Preconditions: what must hold before the first byte of a closeout is written, as one table;
looks at nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mandrel_tui.protocol.tree import Tree, TreeKind

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Grounds:
    """What was found on the ground of a plan.

    `tolerated` are the differing paths, as git names them, that the proposal covers. Each of the
    others says in words what stands in the way, and is empty where nothing does.
    """

    tree: Tree
    tolerated: frozenset[bytes] = frozenset()
    lock: str = ""
    hidden: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unwritable: tuple[str, ...] = ()
    identity: str = ""
    archive: str = ""
    index: str = ""
    twins: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    reconciliation: tuple[str, ...] = ()
    journal: str = ""


@dataclass(frozen=True, slots=True)
class Precondition:
    """One row: its stable id, whether it holds, and what was found."""

    id: str
    passed: bool
    detail: str


def preconditions(grounds: Grounds) -> tuple[Precondition, ...]:
    """Every precondition with what came of it, in the order of CHECKS."""
    return tuple(_row(id, holds, find(grounds)) for id, holds, find in CHECKS)


def _row(id: str, holds: str, problem: str) -> Precondition:
    return Precondition(id, not problem, problem or holds)


def _git(grounds: Grounds) -> str:
    tree = grounds.tree
    if tree.kind is TreeKind.GIT:
        return ""
    words = tree.words or "git does not answer"
    return f"it cannot be committed here: {words}"


def _clean(grounds: Grounds) -> str:
    if grounds.tree.kind is not TreeKind.GIT:
        return "not known: git does not say"
    others = [e for e in grounds.tree.entries if e.path not in grounds.tolerated]
    if not others:
        return ""
    memory = all(entry.path.endswith(b".md") and b".ai/" in entry.path for entry in others)
    remedy = (
        "; take the working tree as the proposal (in a shell --propose worktree)" if memory else ""
    )
    return f"{_some([entry.text for entry in others])}{remedy}"


def _operation(grounds: Grounds) -> str:
    operation = grounds.tree.operation
    return f"a {operation} is in progress" if operation else ""


def _unmerged(grounds: Grounds) -> str:
    return _some([entry.text for entry in grounds.tree.unmerged])


def _some(parts: tuple[str, ...] | list[str]) -> str:
    more = f"; and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""
    return "; ".join(parts[:_SHOWN]) + more


CHECKS: tuple[tuple[str, str, Callable[[Grounds], str]], ...] = (
    ("git", "git works here", _git),
    ("tree-clean", "the working tree is clean apart from the proposal", _clean),
    ("no-operation", "no merge, rebase, pick or bisect is in progress", _operation),
    ("no-unmerged-path", "no path is unmerged", _unmerged),
    ("index-lock-free", "nobody holds git's index", lambda grounds: grounds.lock),
    ("paths-checked-out", "every planned path is checked out", lambda g: _some(g.hidden)),
    ("names-fit", "every name fits the file system", lambda g: _some(g.names)),
    ("paths-writable", "every planned path can be written", lambda g: _some(g.unwritable)),
    ("identity", "git knows who commits", lambda grounds: grounds.identity),
    ("archive-name-free", "the archive name is free", lambda grounds: grounds.archive),
    ("index-sound", "the index is sound", lambda grounds: grounds.index),
    ("id-unique", "no other file has this id", lambda g: _some(g.twins)),
    ("one-form", "no document gets a second form", lambda g: _some(g.forms)),
    ("files-as-read", "every file is as it was read", lambda g: _some(g.changed)),
    ("tasks-reconcilable", "the other tasks can be reconciled", lambda g: _some(g.reconciliation)),
    ("journal-ready", "the journal can be written", lambda grounds: grounds.journal),
)
