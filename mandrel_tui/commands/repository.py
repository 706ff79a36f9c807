"""Repository: the workspace a command works on, and every way of not getting at it as a failure."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mandrel_tui.commands.failure import REFUSED, Failure
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.resources import bundled
from mandrel_tui.workspace.files import FileError, reason
from mandrel_tui.workspace.roots import STORE, Found, RootError, find_root
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import UnknownTask, Workspace


def workspace(arguments: Namespace) -> Workspace:
    """The workspace of the root with a task store; raises Failure."""
    found = root(arguments.repo)
    try:
        found.need_tasks()
    except RootError as error:
        raise Failure(str(error)) from None
    _need_readable(found.root / STORE)
    return Workspace(found.root, bundled("contracts"))


def _need_readable(store: Path) -> None:
    """Raises Failure for a store that cannot be listed: that is not one without tasks."""
    try:
        os.scandir(store).close()
    except OSError as error:
        raise Failure(f"{shown(store)}: {reason(store, error)}") from None


def root(named: str | None) -> Found:
    """The root a folder argument names, else the one around the working folder; raises Failure."""
    start = _here() if named is None else folder(named)
    try:
        return find_root(start, explicit=named is not None)
    except RootError as error:
        raise Failure(str(error)) from None


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise Failure("the working folder is gone; -C names another") from None


def path_of(argument: str) -> Path:
    """A path argument as the system spells it; raises Failure."""
    if not argument:
        raise Failure("a path is given empty: it names no file and no folder")
    return Path(os.fsdecode(argument.encode("utf-8", "surrogateescape")))


def folder(argument: str) -> Path:
    """An argument that must name a folder, as an absolute path; raises Failure."""
    path = path_of(argument)
    if not path.is_dir():
        raise Failure(f"{argument}: {'not a folder' if path.exists() else 'no such folder'}")
    return path.absolute()


@contextmanager
def failures() -> Iterator[None]:
    """Turns what the workspace raises about a request into failures with their exit codes."""
    try:
        yield
    except (Refusal, ContractError) as error:
        raise Failure(str(error), REFUSED) from None
    except (UnknownTask, FileError) as error:
        raise Failure(str(error)) from None
