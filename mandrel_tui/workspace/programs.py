"""Programs: which file a command's name means, and why one cannot be started; starts none."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from mandrel_tui.workspace.typed import typed_path
from mandrel_tui.workspace.visible import shown


class NotStarted(Exception):
    """A program that cannot be started, on one line that names it and says why."""


def find_program(name: str, environ: Mapping[str, str]) -> Path:
    """The file that a name on PATH, or an absolute path, means; raises NotStarted.

    What PATH holds relative to the working folder is passed over: a repository must not be able to
    put a program into it.
    """
    faults: list[str] = []
    for path in _candidates(name, environ):
        fault = _fault(path)
        if not fault:
            return path
        if fault != _ABSENT:
            faults.append(f"{shown(path)} {fault}")
    if faults:
        raise NotStarted(faults[0])
    if os.sep in name:
        raise NotStarted(f"{shown(name)} is not there")
    raise NotStarted(f"no {shown(name)} on PATH (an alias of your shell is no program)")


def _candidates(name: str, environ: Mapping[str, str]) -> Iterator[Path]:
    if not name:
        raise NotStarted("no program is named")
    if os.sep in name:
        path = typed_path(Path(), name)
        if not path.is_absolute():
            raise NotStarted(f"{shown(name)} is neither a name on PATH nor an absolute path")
        yield path
        return
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        if Path(folder).is_absolute():
            yield Path(folder, name)


_ABSENT = "is not there"


def _fault(path: Path) -> str:
    """Why a file cannot be started; empty when it can."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return "leads nowhere" if path.is_symlink() else _ABSENT
    if stat.S_ISDIR(mode):
        return "is a folder"
    if not stat.S_ISREG(mode):
        return "is no program"
    if not os.access(path, os.X_OK):
        return "is not executable"
    return _interpreter_fault(path)


def _interpreter_fault(path: Path) -> str:
    try:
        with path.open("rb") as file:
            first = file.read(512).split(b"\n")[0]
    except OSError:
        return ""  # it may be run without being readable
    words = first[2:].split()
    if first[:2] != b"#!" or not words:
        return ""
    interpreter = Path(os.fsdecode(words[0]))
    missing = not interpreter.exists()
    return f"needs {shown(interpreter)}, which is not there" if missing else ""
