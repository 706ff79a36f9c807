"""Files: reads regular files only, and is the only writer in a repository: whole, atomic, checked.

A write replaces exactly the bytes that were read, or it is refused.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.visible import shown

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_BINARY = getattr(os, "O_BINARY", 0)
# How long a writer that opened the file just before it was replaced may still be writing into it.
_OVERLAP = 0.002
_ROUNDS = 50

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)
_REASONS = {
    errno.ENOENT: "not there",
    errno.ENOTDIR: "not there",
    errno.ELOOP: "a loop of links",
    errno.EACCES: "cannot be read (permission denied)",
    errno.EPERM: "cannot be read (permission denied)",
}


class FileError(Exception):
    """Something about one file, said on one line that names it."""


class NotRead(FileError):
    """A file that was not read; `reason` is the message without the path."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{shown(path)}: {reason}")
        self.reason = reason


class NotWritten(FileError):
    """A write that did not happen; the file is as it was."""


class StaleFile(NotWritten):
    """The file is no longer what was read: read it again and decide again."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which file, in which state: device, inode, size, times of content and of the file itself."""

    dev: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stamp:
        return cls(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@dataclass(frozen=True, slots=True)
class Reading:
    """The bytes of one file. `settled` is false when it changed while it was read."""

    data: bytes
    stamp: Stamp
    settled: bool = True

    @property
    def sha256(self) -> str:
        from hashlib import sha256

        return sha256(self.data).hexdigest()


def read(path: Path) -> Reading:
    """The bytes of a regular file or a link to one; raises NotRead, never waits, opens no other."""
    try:
        before = path.stat()
        if not stat.S_ISREG(before.st_mode):
            raise NotRead(path, kind(before.st_mode))
        fd = os.open(path, _READ | _BINARY)
        try:
            data = _all(fd, before.st_size)
            after = os.fstat(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise NotRead(path, reason(path, error)) from None
    except ValueError:  # a null or a lone surrogate, which a recorded name may hold
        raise NotRead(path, "no name that a file can have") from None
    if not stat.S_ISREG(after.st_mode):
        raise NotRead(path, kind(after.st_mode))
    stamp = Stamp.of(after)
    return Reading(data, stamp, settled=stamp == Stamp.of(before) and len(data) == stamp.size)


def kind(mode: int) -> str:
    """What a file that is not regular is."""
    return next((word for test, word in _KINDS if test(mode)), "a device")


def reason(path: Path, error: OSError) -> str:
    """Why the system did not give a file, in a few words."""
    if error.errno == errno.ENOENT and path.is_symlink():
        return "a link to nothing"
    return _REASONS.get(error.errno or 0, (error.strerror or str(error)).lower())


def write_atomic(target: Path, new: bytes, expected: bytes | None) -> None:
    """Makes `new` the content of `target`, which must hold exactly `expected` (None: not exist).

    Readers see the old or the new content, never a part; a link is written through; the mode is
    kept; what another writer appends at the same moment is carried over. Raises StaleFile when the
    content differs or is changed at the same moment, NotWritten when it cannot be done; the target
    then holds what the others wrote.
    """
    if expected is None:
        _create(target, new)
    else:
        _replace(target, new, expected)


def remove(path: Path, expected: bytes) -> None:
    """Removes a file, or the link to it, that holds exactly `expected`; raises as writing does."""
    try:
        if read(path).data != expected:
            raise _stale(path)
        path.unlink()
    except (OSError, NotRead) as error:
        raise _not_written(path, error) from None
    atomic.sync_folder(path.parent)


def _create(target: Path, new: bytes) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = atomic.temporary(target.parent, new, 0o666)
    except OSError as error:
        raise _not_written(target, error) from None
    try:
        atomic.claim(temporary, target)
    except FileExistsError:
        raise StaleFile(f"{shown(target)} exists already") from None
    except OSError as error:
        raise _not_written(target, error) from None
    finally:
        atomic.discard(temporary)
    atomic.sync_folder(target.parent)


def _replace(target: Path, new: bytes, expected: bytes) -> None:
    try:
        real = Path(os.path.realpath(target, strict=True))
        if read(real).data != expected:
            raise _stale(target)
        if not _writable(real):
            raise NotWritten(f"{shown(target)} cannot be written: permission denied")
        fd = os.open(real, _READ | _BINARY)
        try:
            _exchange(real, new, expected, fd, target)
        finally:
            os.close(fd)
    except FileNotFoundError:
        raise _stale(target) from None
    except (OSError, NotRead) as error:
        raise _not_written(target, error) from None


def _exchange(real: Path, new: bytes, expected: bytes, fd: int, target: Path) -> None:
    """Replaces the file behind `fd`, when it is still the one that was read."""
    old = os.fstat(fd)
    temporary = atomic.temporary(real.parent, new, stat.S_IMODE(old.st_mode), like=old)
    try:
        now = real.stat()
        if (now.st_dev, now.st_ino) != (old.st_dev, old.st_ino) or _content(fd) != expected:
            raise _stale(target)
        if _being_written(fd):
            raise StaleFile(f"{shown(target)} is being written by another program")
        temporary.replace(real)
    finally:
        atomic.discard(temporary)
    atomic.sync_folder(real.parent)
    _follow(real, new, expected, fd, target)


def _follow(real: Path, new: bytes, expected: bytes, fd: int, target: Path) -> None:
    """Lets a writer end who opened the file before it was replaced: lines appended to the old file
    are appended to the new one, any other change is put back in its place."""
    late = expected
    for _ in range(_ROUNDS):
        time.sleep(_OVERLAP)
        last, late = late, _content(fd)
        if late == last:
            break
    if late.startswith(expected):
        _append(real, late[len(expected) :])
        return
    _give_back(real, new, late, os.fstat(fd))
    raise _stale(target)


def _append(real: Path, tail: bytes) -> None:
    if not tail:
        return
    with real.open("ab", buffering=0) as file:
        while tail:
            tail = tail[file.write(tail) :]
        os.fsync(file.fileno())


def _being_written(fd: int) -> bool:
    """Whether another program has the file behind a reading descriptor open for writing: what it
    writes next would be lost with the file. Only Linux can tell, and only of one's own files."""
    try:
        import fcntl

        # A lease is refused while a writer is there. If one comes while it is held, the signal
        # that tells so must not be the one that ends a program.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except (ImportError, AttributeError, OSError):
        return False
    return False


def _give_back(real: Path, new: bytes, late: bytes, old: os.stat_result) -> None:
    if read(real).data == new:
        back = atomic.temporary(real.parent, late, stat.S_IMODE(old.st_mode), like=old)
        back.replace(real)


def _all(fd: int, size: int) -> bytes:
    blocks = []
    while block := os.read(fd, max(size + 1, 4096)):
        blocks.append(block)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def _content(fd: int) -> bytes:
    os.lseek(fd, 0, os.SEEK_SET)
    return _all(fd, os.fstat(fd).st_size)


def _writable(path: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective)


def _stale(path: Path) -> StaleFile:
    return StaleFile(f"{shown(path)} changed since it was read")


def _not_written(path: Path, error: OSError | NotRead) -> NotWritten:
    if isinstance(error, NotRead):
        return NotWritten(f"{shown(path)} cannot be written: {error.reason}")
    return NotWritten(f"{shown(path)} cannot be written: {(error.strerror or str(error)).lower()}")
