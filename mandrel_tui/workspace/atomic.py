"""Atomic steps: a file with a short name beside its target, then one rename; decides nothing."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

LEFTOVER = ".mt-"
_CREATE = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_NO_LINKS = frozenset(
    {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
)


def put(path: Path, data: bytes, *, mode: int = 0o600, durable: bool = False) -> None:
    """Makes `data` the content of a private file of ours, whatever it held; raises OSError."""
    fresh = temporary(path.parent, data, mode, durable=durable)
    try:
        fresh.replace(path)
    finally:
        discard(fresh)


def temporary(
    folder: Path,
    data: bytes,
    mode: int,
    *,
    like: os.stat_result | None = None,
    durable: bool = True,
) -> Path:
    """A file beside the target that holds the data; removed again when that fails."""
    path = folder / f"{LEFTOVER}{os.urandom(4).hex()}"
    fd = os.open(path, _CREATE, mode if like is None else 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        if like is not None:
            _resemble(fd, like, mode)
        if durable:
            os.fsync(fd)
    except BaseException:
        discard(path)
        raise
    finally:
        os.close(fd)
    return path


def _resemble(fd: int, like: os.stat_result, mode: int) -> None:
    """Owner, group and mode of the file that is replaced, as far as the system lets us."""
    if hasattr(os, "fchown"):
        with suppress(OSError):
            os.fchown(fd, like.st_uid, like.st_gid)
        os.fchmod(fd, mode)


def claim(fresh: Path, target: Path) -> None:
    """Gives a temporary file its name unless that is taken, as one step where links exist."""
    try:
        os.link(fresh, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.close(os.open(target, _CREATE, 0o600))
        try:
            fresh.replace(target)
        except OSError:
            discard(target)
            raise


def discard(path: Path) -> None:
    """Removes a file of ours, if it is there and can be."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system offers that."""
    with suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
