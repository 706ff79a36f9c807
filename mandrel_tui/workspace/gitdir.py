"""Git folders read without git: what a folder's `.git` points to, and whose worktrees it knows.

Starting must not wait for a child process; whatever is asked about content is `git.py`'s work.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace.visible import shown

_POINTER_LIMIT = 64 * 1024
_TRUE = {b"true", b"yes", b"on", b"1", b""}


@dataclass(frozen=True, slots=True)
class GitDir:
    """The git folder behind the `.git` of `top`. `common` is shared by all worktrees of a
    repository; `broken` says on one line why git cannot work here, empty when it can."""

    top: Path
    path: Path
    common: Path
    broken: str = ""

    @property
    def linked(self) -> bool:
        """Whether `top` is a linked worktree."""
        return self.path != self.common

    @property
    def bare(self) -> bool:
        """Whether there is no working tree here, as in the folder that holds a bare repository."""
        return not self.linked and is_bare(self.path)

    @property
    def main(self) -> Path | None:
        """The main checkout of a linked worktree; None where the repository is bare."""
        if not self.linked or self.common.name != ".git" or is_bare(self.common):
            return None
        return self.common.parent


def at(folder: Path) -> GitDir | None:
    """What the `.git` of exactly this folder says; None without one.

    An empty `.git` folder, or one that is neither file nor folder, is none: git ignores it too.
    """
    dot = folder / ".git"
    try:
        mode = dot.stat().st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return GitDir(folder, dot, dot) if is_gitdir(dot) else None
    return _pointed(folder, dot) if stat.S_ISREG(mode) else None


def nearest(folder: Path) -> GitDir | None:
    """The git folder of the folder itself, or of the nearest one above that has any."""
    return next((own for f in (folder, *folder.parents) if (own := at(f))), None)


def is_gitdir(folder: Path) -> bool:
    """Whether the folder looks like one of git's own, as git itself decides it."""
    if not os.path.lexists(folder / "HEAD"):
        return False
    common = common_of(folder)
    return _is_folder(common / "objects") and _is_folder(common / "refs")


def is_bare(folder: Path) -> bool:
    """Whether a git folder's own configuration says that it has no working tree."""
    return any(_says_bare(folder / name) for name in ("config.worktree", "config"))


def worktrees(common: Path) -> tuple[Path, ...]:
    """The folders of a repository's linked worktrees that exist, sorted."""
    found = []
    try:
        entries = sorted(entry.name for entry in os.scandir(common / "worktrees"))
    except OSError:
        return ()
    for name in entries:
        pointer = _line(common / "worktrees" / name / "gitdir")
        if pointer is not None:
            found.append((common / "worktrees" / name / pointer).parent)
    return tuple(sorted(Path(os.path.normpath(f)) for f in found if _is_folder(f)))


def _pointed(folder: Path, dot: Path) -> GitDir:
    line = _line(dot)
    if line is None or not line.startswith("gitdir:"):
        return GitDir(folder, dot, dot, ".git is a file that names no git folder")
    target = Path(os.path.normpath(folder / line.removeprefix("gitdir:").lstrip(" ")))
    if is_gitdir(target):
        return GitDir(folder, target, common_of(target))
    what = "is no git folder" if os.path.lexists(target) else "is not there"
    return GitDir(folder, target, target, f".git points to {shown(target)}, which {what}")


def common_of(folder: Path) -> Path:
    """The folder shared by all worktrees, of which `folder` may be one's own part."""
    line = _line(folder / "commondir")
    return folder if line is None else Path(os.path.normpath(folder / line))


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _line(path: Path) -> str | None:
    """The text of a small file of git's without its final line end; None when there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        regular = stat.S_ISREG(os.fstat(fd).st_mode)
        return os.fsdecode(os.read(fd, _POINTER_LIMIT).rstrip(b"\r\n")) if regular else None
    except OSError:
        return None
    finally:
        os.close(fd)


def _says_bare(path: Path) -> bool:
    text = _line(path)
    section, bare = b"", False
    for line in os.fsencode(text or "").split(b"\n"):
        line = line.strip()
        if line.startswith(b"["):
            section = line.partition(b"]")[0].strip(b"[ ").lower()
        key, equals, value = line.partition(b"=")
        if section == b"core" and key.strip().lower() == b"bare":
            bare = (value.strip().lower() if equals else b"true") in _TRUE - {b""}
    return bare
