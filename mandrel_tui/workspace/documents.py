"""Documents: the texts of the memory and of the loaders as they lie on disk; links are none."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mandrel_tui.protocol.snapshot import LOADERS
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.git_commit import path_in
from mandrel_tui.workspace.visible import shown

FOLDER = ".ai"


class ProposalRefused(Exception):
    """A proposal that is not taken; the message is one sentence that says why."""


class ProposalUnread(ProposalRefused):
    """A proposal of which nothing could be read where it was said to be."""


def document(root: Path, path: str) -> bytes | None:
    """The text of a memory document, None where it is not there; raises ProposalRefused for one
    that is no regular file, or lies behind a link."""
    place = path_in(root, path)
    if _linked(root, place):
        raise ProposalRefused(f"{shown(path)} is a link or lies behind one")
    return text_of(place) if os.path.lexists(place) else None


def memory(root: Path) -> dict[str, bytes]:
    """The documents of `.ai/` that can be read, and the loaders, by path."""
    found: dict[str, bytes] = {}
    for folder, names, files in os.walk(root / FOLDER):
        names.sort()
        for name in sorted(files):
            file = Path(folder, name)
            path = file.relative_to(root).as_posix()
            if name.endswith(".md") and not file.is_symlink():
                _put(found, path, file)
    for name in LOADERS:
        if not _linked(root, root / name):
            _put(found, name, root / name)
    return found


def _linked(root: Path, place: Path) -> bool:
    """Whether a file is a link, or lies behind one below the root; a name no file can have is
    none."""
    with suppress(OSError):
        return any(p.is_symlink() for p in reversed((place, *place.parents)) if root in p.parents)
    return False


def _put(found: dict[str, bytes], path: str, file: Path) -> None:
    try:
        found[path] = read(file).data
    except NotRead:
        return


def text_of(file: Path) -> bytes:
    """The bytes of a file; raises ProposalRefused where it cannot be read."""
    try:
        return read(file).data
    except NotRead as error:
        raise ProposalRefused(str(error)) from None
