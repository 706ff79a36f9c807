"""Roots: which folder is the repository meant, and what stands there; starts no child, takes no
store that it was not pointed at."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.files import kind, reason
from mandrel_tui.workspace.gitdir import GitDir
from mandrel_tui.workspace.listing import list_store
from mandrel_tui.workspace.visible import shown

STORE = ".ai-tasks"
ARCHIVE = f"{STORE}/archive"
MEMORY = ".ai"
PROTOCOL = ".ai-protocol"
MEMORY_FILES = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")


class RootError(Exception):
    """There is no repository to work on; the message is one line that says what to do, `offers`
    are stores that could be meant."""

    def __init__(self, message: str, offers: tuple[Path, ...] = ()) -> None:
        super().__init__(message)
        self.offers = offers


@dataclass(frozen=True, slots=True)
class Found:
    """A root and what stands there. `memory_files` are names below it; `offers` are roots of stores
    elsewhere, given only where this one has none; `git_note` is what is special about its git;
    `instead` is what has the store's name and is no folder, empty where nothing has."""

    root: Path
    has_tasks: bool = False
    has_memory: bool = False
    has_protocol: bool = False
    memory_files: tuple[str, ...] = ()
    offers: tuple[Path, ...] = ()
    git_note: str = ""
    instead: str = ""

    @property
    def message(self) -> str:
        """What a command says that needs tasks and finds none: one line, with the remedy."""
        about = f" ({self.git_note})" if self.git_note else ""
        here = f"no {STORE}/ in {shown(self.root)}{about}"
        if self.instead:
            here = f"{shown(self.root / STORE)} is no folder of tasks: {self.instead}"
        if self.offers:
            return f"{here}; {_named(self.offers)}"
        if self.instead:
            return f"{here}; move it away"
        return f"{here}; `mandrel-tui init` sets it up, `mandrel-tui demo` makes a sample"

    def need_tasks(self) -> None:
        """Raises RootError where there is no task store."""
        if not self.has_tasks:
            raise RootError(self.message, self.offers)


def find_root(start: Path, *, explicit: bool = False) -> Found:
    """The root meant by somebody who stands in `start`, or named that folder itself.

    It is the nearest folder with a task store, not above the first git top level on the way; else
    that top level; else `start`. Raises RootError for what is no folder, inside a git folder, or
    the folder of a bare repository without a store of its own.
    """
    here = _folder(start)
    _refuse_inside_git(here)
    ways = (here,) if explicit else tuple(_ways(here))
    root = next((folder for folder in ways if has_store(folder)), None)
    if root is None:
        root = ways[-1] if gitdir.at(ways[-1]) else here
    return _found(root)


def has_store(folder: Path) -> bool:
    """Whether a folder has a task store, readable or not."""
    return _is_folder(folder / STORE)


def _ways(here: Path) -> Iterator[Path]:
    """The folder and those above it, to the first git top level."""
    for folder in (here, *here.parents):
        yield folder
        if gitdir.at(folder):
            return


def _found(root: Path) -> Found:
    own = gitdir.nearest(root)
    stored = has_store(root)
    if own is not None and own.top == root and own.bare and not stored:
        raise _bare(root, own.common)
    return Found(
        root,
        has_tasks=stored,
        has_memory=_is_folder(root / MEMORY),
        has_protocol=_is_folder(root / PROTOCOL / "protocols"),
        memory_files=tuple(name for name in MEMORY_FILES if _is_file(root / name)),
        offers=() if stored else _offers(root, own),
        git_note=_git_note(root, own),
        instead=_instead(root / STORE),
    )


def _instead(store: Path) -> str:
    """What stands where the store should; empty for a folder, and for nothing."""
    try:
        mode = store.stat().st_mode
    except FileNotFoundError:
        return "a link to nothing" if store.is_symlink() else ""
    except OSError as error:
        return reason(store, error)
    if stat.S_ISDIR(mode):
        return ""
    return "a file" if stat.S_ISREG(mode) else kind(mode)


def _offers(root: Path, own: GitDir | None) -> tuple[Path, ...]:
    """The other checkouts of a linked worktree, main first, and the nearest folder above, where
    they have a store."""
    checkouts: tuple[Path, ...] = ()
    if own is not None and own.linked:
        checkouts = (own.main,) if own.main else gitdir.worktrees(own.common)
    outer = next((folder for folder in root.parents if has_store(folder)), None)
    return _with_store((*checkouts, *((outer,) if outer else ())))


def _git_note(root: Path, own: GitDir | None) -> str:
    if own is None:
        return "no git here"
    if own.top != root:
        return f"below the git top level {shown(own.top)}"
    if own.linked:
        return f"a linked worktree of {shown(own.main or own.common)}"
    return own.broken or ("a bare repository" if own.bare else "")


def _refuse_inside_git(here: Path) -> None:
    for folder in (here, *here.parents):
        if gitdir.is_gitdir(folder):
            raise _inside(here, folder)
        if gitdir.at(folder):
            return


def _inside(here: Path, folder: Path) -> RootError:
    """The refusal of a folder in git's own one, with the way out where there is one."""
    dot = next((f for f in (folder, *folder.parents) if f.name == ".git"), None)
    if dot is not None and not gitdir.is_bare(dot):
        top = dot.parent
        return RootError(f"{shown(here)} is inside a git folder; {_go(top)}", _with_store((top,)))
    common = gitdir.common_of(folder)
    if gitdir.is_bare(common):
        return _bare(here, common)
    return RootError(f"{shown(here)} is inside a git folder; choose a working tree with -C")


def _bare(here: Path, common: Path) -> RootError:
    inside = here != common and here.is_relative_to(common)
    where = "inside a bare repository" if inside else "a bare repository without a working tree"
    trees = gitdir.worktrees(common)
    offers = _with_store(trees)
    way = "`git worktree add` makes one"
    if trees:
        way = _named(offers) if offers else _go(trees[0])
    return RootError(f"{shown(here)} is {where}; {way}", offers)


def _with_store(folders: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(folder for folder in folders if has_store(folder)))


def _named(offers: tuple[Path, ...]) -> str:
    """The stores that could be meant, with how to say so."""
    return ", ".join(f"{shown(f)} has {_count(f)}: {_option(f)}" for f in offers)


def _count(folder: Path) -> str:
    listing = list_store(folder / STORE)
    if listing.problem:
        return f"tasks ({listing.problem})"
    return "1 task" if len(listing.files) == 1 else f"{len(listing.files):,} tasks"


def _go(folder: Path) -> str:
    return f"its working tree is {shown(folder)}: {_option(folder)}"


def _option(folder: Path) -> str:
    return f"-C {shown(shlex.quote(str(folder)))}"


def _folder(start: Path) -> Path:
    """The real path of a folder; raises RootError."""
    try:
        real = Path(os.path.realpath(start, strict=True))
        if real.is_dir():
            _need_entering(real)
            return real
        raise RootError(f"{shown(start)} is no folder")
    except OSError as error:
        raise RootError(f"{shown(start)} cannot be opened: {reason(start, error)}") from None


def _need_entering(folder: Path) -> None:
    """Raises OSError for a folder that nothing can be looked up in."""
    with suppress(FileNotFoundError):
        os.lstat(folder / STORE)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
