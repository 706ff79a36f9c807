"""State: what is remembered outside the repository, private to the user; writes nothing inside it.

Where nothing can be kept the program works on, and every answer says what is lost.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.cache import CacheRow, Json, load_cache, save_cache
from mandrel_tui.workspace.files import FileError, NotRead, read
from mandrel_tui.workspace.visible import shown

KEPT_FILES = 200
_VARIABLE = "MANDREL_TUI_STATE"
_OWNER = "repository.json"
_CACHE = "archive.json"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Busy(FileError):
    """The lock of a repository's state, held by another process."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a text was kept; `path` is None where it could not be, `note` says what went wrong."""

    path: Path | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A remembered value, None without one; `note` says what was set aside instead."""

    value: Json
    note: str = ""


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The state folder of this program on this platform; it need not exist, and is relative where
    the user has no home."""
    if environ.get(_VARIABLE):
        return Path(environ[_VARIABLE])
    from platformdirs import user_state_path

    try:
        return user_state_path("mandrel-tui", appauthor=False)
    except RuntimeError:  # a user id that the system does not know, and no $HOME
        return Path("~")


def key(root: Path) -> str:
    """The folder name of a repository's state: digest of its real path, and its name to read."""
    real = os.path.realpath(root)
    return f"{_digest(os.fsencode(real), 12)}-{_plain(Path(real).name, 24) or 'root'}"


@dataclass(frozen=True, slots=True)
class State:
    """The state of the repository at `root`, in `folder` below `base`; folders are made when the
    first thing is written."""

    root: Path
    base: Path

    @classmethod
    def of(cls, root: Path) -> State:
        return cls(root, state_folder())

    @property
    def folder(self) -> Path:
        return self.base / key(self.root)

    def keep(self, data: bytes, stem: str) -> Kept:
        """Writes a text into a private file, of which the newest KEPT_FILES stay.

        Where the state folder cannot be written a private temporary folder serves.
        """
        name = f"{_plain(stem, 80) or 'text'}-{_digest(data, 8)}.md"
        problem = self.ready()
        try:
            folder = _spare() if problem else self.folder / "kept"
            path = _keep(folder, name, data)
        except OSError as error:
            return Kept(None, problem or f"the text is not kept as a file: {words_of(error)}")
        return Kept(path, f"kept in a temporary folder, since {problem}" if problem else "")

    def load(self, name: str) -> Loaded:
        """The value saved under a name; what cannot be understood is set aside, never removed."""
        path = self.folder / f"{name}.json"
        try:
            return Loaded(json.loads(read(path).data))
        except NotRead as error:
            return Loaded(None, "" if error.reason == "not there" else str(error))
        except (ValueError, RecursionError):
            return Loaded(None, _set_aside(path, "is torn"))

    def save(self, name: str, value: Json) -> str:
        """Remembers a value; why it could not, empty when it did."""
        note = self.ready()
        if note:
            return note
        try:
            data = json.dumps(value, separators=(",", ":")).encode()
            atomic.put(self.folder / f"{name}.json", data, durable=True)
        except OSError as error:
            return f"{name} is not kept: {words_of(error)}"
        return ""

    @contextmanager
    def locked(self, seconds: float = 5.0) -> Iterator[str]:
        """Holds the lock of this repository; yields why there is none, empty when it is held.

        It ends with its process whatever happens. Raises Busy when another keeps it that long.
        """
        note = self.ready()
        if note:
            yield note
            return
        fd = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _lock(fd, self.folder / "lock", seconds)
        finally:
            os.close(fd)

    def load_cache(self, version: int) -> dict[str, CacheRow]:
        """The cached rows of archived files, by file name; none of another version."""
        return load_cache(self.folder / _CACHE, version)

    def save_cache(self, version: int, rows: Mapping[str, CacheRow], now_ns: int) -> str:
        """Keeps the rows of files that had settled by `now_ns`; why it could not, or empty."""
        problem = self.ready()
        if problem:
            return problem
        try:
            save_cache(self.folder / _CACHE, version, rows, now_ns)
        except OSError as error:
            return f"the cache is not kept: {words_of(error)}"
        return ""

    def ready(self) -> str:
        """Makes the folder, or says on one line why nothing can be kept in it."""
        folder = self.folder
        if not self.base.is_absolute():
            return "nothing is kept: there is no home folder"
        try:
            self.base.mkdir(mode=0o700, parents=True, exist_ok=True)
            _private(folder)
            _hide(folder, self.root)
            return self._claim(folder)
        except OSError as error:
            return f"nothing is kept in {shown(folder)}: {words_of(error)}"

    def _claim(self, folder: Path) -> str:
        """Marks the folder as this repository's; says so when it is marked as another's."""
        real = os.path.realpath(self.root)
        owner = folder / _OWNER
        with suppress(NotRead, ValueError, RecursionError):
            value = json.loads(read(owner).data)
            if isinstance(value, dict) and isinstance(value.get("path"), str):
                other = value["path"]
                return "" if other == real else f"{shown(folder)} belongs to {shown(other)}"
        atomic.put(owner, json.dumps({"path": real}).encode(), durable=True)
        return ""


def _private(folder: Path) -> None:
    """Makes a folder that only its owner can enter; raises PermissionError when it is another's."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(None, "it is no folder")
    if not hasattr(os, "geteuid"):
        return
    if found.st_uid != os.geteuid():
        raise PermissionError(None, "it belongs to another user")
    if stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)


def _hide(folder: Path, root: Path) -> None:
    """Keeps a repository clean that has the state inside it, as one of a home folder may."""
    ignore = folder / ".gitignore"
    inside = Path(os.path.realpath(folder)).is_relative_to(os.path.realpath(root))
    if inside and not ignore.exists():
        atomic.put(ignore, b"*\n")


def _spare() -> Path:
    import tempfile

    user = os.geteuid() if hasattr(os, "geteuid") else 0
    return Path(tempfile.gettempdir()) / f"mandrel-tui-{user}"


def _keep(folder: Path, name: str, data: bytes) -> Path:
    _private(folder)
    path = folder / name
    atomic.put(path, data)
    for old in _oldest(folder, KEPT_FILES, path):
        old.unlink(missing_ok=True)
    return path


def _oldest(folder: Path, limit: int, but: Path) -> Iterable[Path]:
    with os.scandir(folder) as entries:
        others = [(e.stat(follow_symlinks=False).st_mtime_ns, e.name) for e in entries]
    if len(others) <= limit:
        return []
    names = [name for _, name in sorted(others, reverse=True) if name != but.name]
    return [folder / name for name in names[limit - 1 :]]


def _lock(fd: int, path: Path, seconds: float) -> str:
    try:
        import fcntl
    except ImportError:
        return "writing is not locked on this system"
    end = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return ""
        except BlockingIOError:
            if time.monotonic() >= end:
                raise Busy(f"another process holds {shown(path)}") from None
            time.sleep(0.02)
        except OSError as error:
            return f"writing is not locked: {words_of(error)}"


def _set_aside(path: Path, why: str) -> str:
    """Moves what is not understood out of the way, and says so."""
    for number in range(1, 100):
        aside = path.with_name(f"{path.name}.aside-{number}")
        if not os.path.lexists(aside):
            with suppress(OSError):
                path.rename(aside)
                return f"{shown(path)} {why}: set aside as {aside.name}"
            break
    return f"{shown(path)} {why} and could not be set aside"


def words_of(error: OSError) -> str:
    """What the system says, in a few words."""
    return (error.strerror or str(error)).lower()


def _digest(data: bytes, length: int) -> str:
    return sha256(data).hexdigest()[:length]


def _plain(text: str, length: int) -> str:
    return _UNSAFE.sub("-", text).strip("-.")[:length]
