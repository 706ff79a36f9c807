"""The sample repository: a small service with tasks in every state; it writes only below the
folder it is given and knows no real repository.

The texts lie in `sample_repository/`. Marks in them are filled from the one clock that is given:
`%5d%` the UTC date five days ago, `%3hd%` that of three hours ago, `%3h%` and `%9m%` UTC stamps,
`%sid:2fd0713c%` the session id that begins so, `%head%` the commit before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from mandrel_tui.workspace import setup
from mandrel_tui.workspace.blocks import add_block
from mandrel_tui.workspace.contract_files import LOCK
from mandrel_tui.workspace.git import Git
from mandrel_tui.workspace.sample_history import HISTORY, Commit, Version
from mandrel_tui.workspace.visible import shown

TEXTS = Path(__file__).resolve().parent / "sample_repository"

_AUTHOR = "Robin Sample <robin@ledger-sync.example>"
_MARK = re.compile(r"%(?:(\d+)([dhm])(d?)|sid:([0-9a-f]{8})|head)%")
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}
_AGE = re.compile(r"(\d+)d-")
_FOLDERS = {"tasks": ".ai-tasks", "archive": ".ai-tasks/archive"}
_BLOCKS = {".gitignore": "gitignore", **setup.LOADERS}


class SampleError(Exception):
    """The sample cannot be made; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Where the sample lies, and why it has no history (empty when it has one)."""

    root: Path
    no_history: str = ""


def make(root: Path, contracts: Path, now: datetime) -> Sample:
    """Makes the sample in a folder that is empty or missing; `now` is an aware time.

    Raises SampleError when something is there already, OSError when it cannot be written.
    """
    if root.is_dir() and any(root.iterdir()):
        raise SampleError(f"{shown(root)} is not empty: the sample needs a folder of its own")
    root.mkdir(parents=True, exist_ok=True)
    maker = _Maker(root.resolve(), contracts, now.astimezone(UTC))
    no_history = maker.versioned()
    maker.lay(dict(maker.store()))
    return Sample(maker.root, no_history)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Writes one sample as of one moment."""

    root: Path
    contracts: Path
    now: datetime

    def lay(self, files: Mapping[str, bytes]) -> None:
        for path, data in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def store(self) -> Iterator[tuple[str, bytes]]:
        """The task files and their index, by path; none of them is versioned."""
        for folder, target in _FOLDERS.items():
            for file in sorted((TEXTS / folder).iterdir()):
                name = _AGE.sub(lambda age: f"{self._ago('d', age[1]):%Y-%m-%d}-", file.name, 1)
                yield f"{target}/{name}", self._fill(_read(file)).encode()

    def versioned(self) -> str:
        """Writes the versioned files with their commits; without git the files alone, and why."""
        git = Git(self.root)
        begun = git.run("init", "--quiet", "--initial-branch=main", "--template=")
        head, trouble = "", "" if begun.ok else begun.words
        latest: dict[str, bytes] = {}
        for commit in HISTORY:
            files = self._files(commit, head)
            latest |= files
            if not trouble:
                ended = git.run("fast-import", "--quiet", input=self._stream(commit, files, head))
                head = ended.stdout.decode("ascii", "replace").strip()
                trouble = "" if ended.ok else ended.words
        self.lay(latest)
        if not trouble:
            git.run("reset", "--quiet")
        return trouble

    def _files(self, commit: Commit, head: str) -> dict[str, bytes]:
        files = {path: self._version(path, was, head) for path, was in commit.files.items()}
        if commit.deploys:
            deployed = setup.deployment(self.contracts)
            files |= {**deployed, LOCK: setup.receipt_of(deployed)}
        return files

    def _version(self, path: str, was: Version, head: str) -> bytes:
        """A versioned file as it was in one commit."""
        text = _first_sections(_read(_source(path)), was.sections)
        text += "".join(_as_section(_read(_source(other))) for other in was.behind)
        for now, then in was.words:
            text = text.replace(now, then)
        data = self._fill(text, head).encode()
        template = _BLOCKS.get(path)
        if template is None:
            return data
        return add_block(data, (self.contracts / "templates" / template).read_bytes())

    def _stream(self, commit: Commit, files: Mapping[str, bytes], head: str) -> bytes:
        """One commit as git imports it; git answers with the id of the commit."""
        moment = self.now - timedelta(minutes=commit.minutes)
        stamp = f"committer {_AUTHOR} {int(moment.timestamp())} +0000\n".encode()
        parts = [b"commit refs/heads/main\nmark :1\n", stamp, _sized(commit.message.encode())]
        parts += [f"from {head}\n".encode()] if head else []
        for path, data in files.items():
            parts += [f"M 100644 inline {path}\n".encode(), _sized(data)]
        return b"".join([*parts, b"\nget-mark :1\n"])

    def _fill(self, text: str, head: str = "") -> str:
        return _MARK.sub(lambda mark: self._mark(mark, head), text)

    def _mark(self, mark: re.Match[str], head: str) -> str:
        count, unit, dated, sid = mark.groups()
        if sid:
            return _session_id(sid)
        if not count:
            return head
        as_date = unit == "d" or dated
        return f"{self._ago(unit, count):{'%Y-%m-%d' if as_date else '%Y-%m-%dT%H:%M:%SZ'}}"

    def _ago(self, unit: str, count: str) -> datetime:
        return self.now - timedelta(**{_UNITS[unit]: int(count)})


def _source(path: str) -> Path:
    """Where the text of a versioned file lies; names that a packager would drop have no dot."""
    if path.startswith(".ai/"):
        return TEXTS / "memory" / path.removeprefix(".ai/")
    return TEXTS / "code" / path.removeprefix(".")


def _read(file: Path) -> str:
    return file.read_bytes().decode("utf-8")


def _first_sections(text: str, count: int | None) -> str:
    parts = text.split("\n## ")
    return text if count is None or count >= len(parts) else "\n## ".join(parts[: count + 1]) + "\n"


def _as_section(text: str) -> str:
    """A document as one more section of another: without front matter, its title a heading."""
    return "\n## " + text.split("\n# ", 1)[1].replace("\n## ", "\n### ")


def _sized(data: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(data), data)


def _session_id(start: str) -> str:
    rest = sha256(start.encode()).hexdigest()
    return f"{start}-{rest[:4]}-4{rest[4:7]}-8{rest[7:10]}-{rest[10:22]}"
