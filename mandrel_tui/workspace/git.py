"""Git: asks the repository through plumbing; writes nothing, whatever the user configured.

What git cannot or will not answer is *unknown* with git's own words, never taken as clean.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from mandrel_tui.protocol.tree import Dirty, Tree, TreeKind
from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.gitdir import GitDir
from mandrel_tui.workspace.process import Ended, run
from mandrel_tui.workspace.visible import shown

TIME_LIMIT = 10.0

# Who commits, and where configuration lies, is the user's; everything else about git that was
# inherited would answer for another repository, index or path syntax than the one on the screen.
_KEPT = frozenset(
    f"GIT_{name}"
    for name in (
        *("AUTHOR_NAME", "AUTHOR_EMAIL", "AUTHOR_DATE"),
        *("COMMITTER_NAME", "COMMITTER_EMAIL", "COMMITTER_DATE"),
        *("CONFIG_GLOBAL", "CONFIG_SYSTEM", "CONFIG_NOSYSTEM", "CONFIG_COUNT", "EXEC_PATH"),
    )
)
_KEPT_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")

_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}

_FIXED = {
    "core.quotePath": "false",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "color.ui": "false",
    "color.status": "false",
    "column.ui": "never",
    "status.showStash": "false",
    "status.branch": "false",
    "status.aheadBehind": "false",
    "status.relativePaths": "false",
    "status.renames": "true",
    "status.renameLimit": "1000",
    "diff.renames": "true",
    "diff.renameLimit": "1000",
    "diff.ignoreSubmodules": "none",
}
_OPTIONS = tuple(part for key, value in _FIXED.items() for part in ("-c", f"{key}={value}"))

_OPERATIONS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("sequencer/todo", "cherry-pick or revert"),
    ("BISECT_LOG", "bisect"),
)


# How many blanks precede the path in a record of a status: changed, renamed, unmerged.
_FIELDS = {b"1 ": 8, b"2 ": 9, b"u ": 10}


class GitError(Exception):
    """Git did not answer; the message is its own words on one line."""


def environment(ceiling: Path | None = None) -> dict[str, str]:
    """The environment of every git child; with `ceiling`, git looks for no repository above it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT or name.startswith(_KEPT_PREFIXES)
    }
    stop = {} if ceiling is None else {"GIT_CEILING_DIRECTORIES": str(ceiling)}
    return {**kept, **_SET, **stop}


@dataclass(frozen=True, slots=True)
class Git:
    """The git of one folder. Every question runs one child, with a limit of `timeout` seconds, and
    nobody waits for its answer any more once `stop` is set."""

    root: Path
    timeout: float = TIME_LIMIT
    stop: Event | None = None

    def run(self, *arguments: str, input: bytes | None = None) -> Ended:
        """Git with these arguments in the root."""
        argv = ["git", "-C", str(self.root), *_OPTIONS, *arguments]
        own = gitdir.nearest(self.root)
        return run(
            argv,
            input=input,
            timeout=self.timeout,
            env=environment(own.top.parent if own else None),
            stop=self.stop,
        )

    def answer(self, *arguments: str, input: bytes | None = None) -> bytes:
        """What git prints; raises GitError when it fails."""
        ended = self.run(*arguments, input=input)
        if not ended.ok:
            raise GitError(ended.words)
        return ended.stdout

    def tree(self) -> Tree:
        """Branch, head, differing paths and what is under way, read now."""
        own = gitdir.nearest(self.root)
        if own is None:
            return Tree(TreeKind.NONE, words="no git repository here")
        if own.broken:
            return Tree(TreeKind.UNKNOWN, words=own.broken)
        if own.bare:
            return Tree(TreeKind.UNKNOWN, bare=True, words="a bare repository has no working tree")
        if own.top != self.root and not self._known():
            words = f"the git repository at {shown(own.top)} tracks nothing here"
            return Tree(TreeKind.NONE, words=words)
        ended = self.run("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal")
        tree = _parse(ended.stdout) if ended.ok else Tree(TreeKind.UNKNOWN, words=ended.words)
        return replace(tree, linked=own.linked, operation=_operation(own))

    def tracked(self, paths: Sequence[str]) -> frozenset[bytes]:
        """The tracked files at or below the paths, which are relative to the root."""
        if not paths:
            return frozenset()
        return frozenset(self._names("--literal-pathspecs", "ls-files", "-z", "--", *paths))

    def skipped(self, path: str) -> frozenset[bytes]:
        """The tracked files at or below the path that are not checked out."""
        names = self._names("--literal-pathspecs", "ls-files", "-z", "-t", "--", path)
        return frozenset(name[2:] for name in names if name.startswith(b"S "))

    def ignored(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the paths, relative to the root, that git ignores."""
        asked = b"".join(b"./" + path + b"\0" for path in paths)
        if not asked:
            return frozenset()
        ended = self.run("check-ignore", "-z", "--stdin", input=asked)
        if ended.status not in (0, 1):
            raise GitError(ended.words)
        return frozenset(name[2:] for name in ended.stdout.split(b"\0") if name)

    def commits(self, path: str, since: str, until: str) -> tuple[str, ...]:
        """The commits behind HEAD within that time (UTC stamps) that touch the path, newest first;
        none where there is no commit yet."""
        if self.run("rev-parse", "--verify", "--quiet", "HEAD").status == 1:
            return ()
        span = (f"--since={since}", f"--until={until}")
        listed = self.answer("--literal-pathspecs", "rev-list", *span, "HEAD", "--", path)
        return tuple(listed.decode("ascii", "replace").split())

    def _known(self) -> bool:
        """Whether the repository above has anything to do with this folder."""
        ended = self.run("ls-files", "-z", "--", ".")
        return not ended.ok or bool(ended.stdout)

    def _names(self, *arguments: str) -> list[bytes]:
        return [name for name in self.answer(*arguments).split(b"\0") if name]


def _operation(own: GitDir) -> str | None:
    return next((word for name, word in _OPERATIONS if (own.path / name).exists()), None)


def _parse(answer: bytes) -> Tree:
    """A version 2 status, every record ended by NUL, as a tree."""
    branch: str | None = None
    head: str | None = None
    entries: list[Dirty] = []
    records = iter(answer.split(b"\0"))
    for record in records:
        kind = record[:2]
        if record.startswith(b"# branch.oid "):
            oid = record[13:].decode("ascii", "replace")
            head = None if oid == "(initial)" else oid
        elif record.startswith(b"# branch.head "):
            name = record[14:].decode("utf-8", "backslashreplace")
            branch = None if name == "(detached)" else name
        elif kind in _FIELDS:
            path = record.split(b" ", _FIELDS[kind])[-1]
            entries.append(Dirty(_code(record), path, next(records) if kind == b"2 " else None))
        elif kind == b"? ":
            entries.append(Dirty("??", record[2:]))
    return Tree(TreeKind.GIT, branch, head, entries=tuple(entries))


def _code(record: bytes) -> str:
    return record[2:4].decode("ascii", "replace").replace(".", " ")
