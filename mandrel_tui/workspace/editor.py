"""Editor: gives a private copy of a text to the editor a person chose and takes it back; the
original is never within its reach."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from mandrel_tui.workspace import atomic, files, process
from mandrel_tui.workspace.programs import NotStarted, find_program
from mandrel_tui.workspace.terminal_child import Outcome, TerminalChild
from mandrel_tui.workspace.visible import shown

# Without a terminal the editor has a window of its own, or is a script.
_LONGEST = 24 * 3600.0
_LOOKED_AT = "neither $VISUAL nor $EDITOR is set, nor `editor` in the settings"


class EditorError(Exception):
    """An edit that came to nothing, on one line that says why."""


def edited(
    data: bytes, name: str, command: str, *, cwd: Path, environ: Mapping[str, str] = os.environ
) -> bytes:
    """What becomes of `data` in the editor; `name` is the file name it sees, `command` its command
    line, split as a shell would. On a terminal it gets the terminal.

    Raises EditorError where none is named or can be started, and where it ends with another exit
    status than 0, which discards the edit.
    """
    argv = _argv(command, environ)
    with _copy(data, name) as path:
        outcome = _run([*argv, str(path)], cwd, environ)
        if outcome.cause:
            raise EditorError(f"{shown(argv[0])}: {outcome.cause}; the edit is discarded")
        try:
            return files.read(path).data
        except files.NotRead as error:
            raise EditorError(f"the edited copy is gone: {error.reason}") from None


def _argv(command: str, environ: Mapping[str, str]) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EditorError(f"the editor `{shown(command)}` cannot be split: {error}") from None
    if not words:
        raise EditorError(f"there is no editor: {_LOOKED_AT}")
    try:
        return [str(find_program(words[0], environ)), *words[1:]]
    except NotStarted as error:
        raise EditorError(f"the editor cannot be started: {error}") from None


@contextmanager
def _copy(data: bytes, name: str) -> Iterator[Path]:
    """A private folder with the copy alone, so that what an editor leaves beside it goes too."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="mandrel-tui-"))
    except OSError as error:
        raise EditorError(f"no copy can be made to edit: {error.strerror}") from None
    try:
        path = folder / name
        atomic.put(path, data)
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(argv: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> Outcome:
    if not _on_terminal():
        ended = process.run(argv, cwd=cwd, env=environ, timeout=_LONGEST, discard=True)
        return Outcome(ended.status, "" if ended.ok else ended.words)
    child = TerminalChild(argv, cwd=cwd, environ=environ)
    try:
        outcome = child.run()
        while outcome.stopped:  # there is no shell here that could call it back
            outcome = child.go_on()
    except NotStarted as error:
        raise EditorError(f"the editor cannot be started: {error}") from None
    return outcome


def _on_terminal() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False
