"""Typed: a path as a person typed it; looks nothing up but home folders."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def typed_path(start: Path, typed: str) -> Path:
    """The path below `start` where it is not absolute; a `~` whose home is not known stays."""
    path = Path(typed)
    with suppress(RuntimeError):
        path = path.expanduser()
    return start / path
