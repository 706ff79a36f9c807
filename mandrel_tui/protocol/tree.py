"""Tree: the state of a working tree as git tells it, and the words a person reads; asks nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_UNMERGED = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})


class TreeKind(StrEnum):
    """Whether git answered: GIT it did, NONE there is no git here, UNKNOWN it did not answer."""

    GIT = "git"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Dirty:
    """One path that differs: `code` as `git status --porcelain` prints it (two characters), the
    exact `path` from the top level, `origin` of a rename or copy; both with `/`."""

    code: str
    path: bytes
    origin: bytes | None = None

    @property
    def unmerged(self) -> bool:
        return self.code in _UNMERGED

    @property
    def text(self) -> str:
        """The line of the porcelain format with real names; bytes that are no UTF-8 as `\\xNN`."""
        path = self.path.decode("utf-8", "backslashreplace")
        if self.origin is None:
            return f"{self.code} {path}"
        return f"{self.code} {self.origin.decode('utf-8', 'backslashreplace')} -> {path}"


@dataclass(frozen=True, slots=True)
class Tree:
    """What is known of the working tree at one moment.

    `branch` is None when HEAD is detached, `head` None when there is no commit yet; `operation` is
    what is under way (merge, rebase, cherry-pick, revert, am, bisect); `words` is why the kind is
    NONE or UNKNOWN, in git's words where it said any.
    """

    kind: TreeKind
    branch: str | None = None
    head: str | None = None
    linked: bool = False
    bare: bool = False
    entries: tuple[Dirty, ...] = ()
    operation: str | None = None
    words: str = ""

    @property
    def clean(self) -> bool | None:
        """Whether nothing differs; None where that is not known."""
        return not self.entries if self.kind is TreeKind.GIT else None

    @property
    def short(self) -> str:
        """The first seven digits of HEAD; empty without a commit."""
        return (self.head or "")[:7]

    @property
    def unmerged(self) -> tuple[Dirty, ...]:
        return tuple(e for e in self.entries if e.unmerged)

    @property
    def place(self) -> str:
        """Branch and commit: `main 4f21c9a`, `detached 4f21c9a`, `trunk (no commits yet)`."""
        if self.kind is not TreeKind.GIT:
            return ""
        if self.head is None:
            return f"{self.branch} (no commits yet)"
        return f"{self.branch or 'detached'} {self.short}"

    @property
    def state(self) -> str:
        """The word of the top bar: `✓ clean`, `✗ 3 dirty`, `no commit yet`, `no git`, `? git`."""
        if self.kind is TreeKind.NONE:
            return "no git"
        if self.kind is TreeKind.UNKNOWN:
            return "? git"
        if self.head is None:
            return "no commit yet"
        return f"✗ {len(self.entries):,} dirty" if self.entries else "✓ clean"

    @property
    def marks(self) -> tuple[str, ...]:
        """What else a person must know before acting here: `worktree`, `rebase in progress`, …"""
        return tuple(
            word
            for word, told in (
                ("worktree", self.linked),
                (f"{self.operation} in progress", self.operation),
                (f"{len(self.unmerged)} unmerged", self.unmerged),
            )
            if told
        )

    @property
    def porcelain(self) -> str:
        """One line a differing path, as `git status --porcelain` lists them."""
        return "\n".join(entry.text for entry in self.entries)
