"""Plain files: reads regular files and links to them; never waits on a pipe, never writes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MISSING = "missing"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotRead(Exception):
    """A file that was not read; the message is the reason alone, MISSING or the system's words."""


def read_plain(path: Path) -> bytes:
    """The bytes of a regular file; raises NotRead."""
    try:
        descriptor = os.open(path, _FLAGS)
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read()
    except (FileNotFoundError, NotADirectoryError):
        raise NotRead(MISSING) from None
    except OSError as error:
        raise NotRead((error.strerror or "cannot be read").lower()) from None
    raise NotRead("not a regular file")


def exists(path: Path) -> bool:
    """Whether a name is taken, if only by a dangling link; true where the system will not say."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def is_plain(path: Path) -> bool:
    """Whether there is a regular file, or a link to one."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
