"""Stand-ins for agents: small scripts that write down how they were called, and then do as told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace.launcher import Launcher

_SCRIPT = """\
#!/bin/sh
d="{calls}/$$"; mkdir -p "$d.new"
pwd -P > "$d.new/cwd"; env -0 > "$d.new/env"
for a in "$@"; do printf '%s\\0' "$a"; done > "$d.new/argv"
if [ -t 0 ]; then echo terminal; else readlink /proc/self/fd/0; fi > "$d.new/stdin-kind"
if [ ! -t 0 ]; then cat > "$d.new/stdin"; fi
mv "$d.new" "$d"
{deed}
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a stand-in."""

    folder: Path

    @property
    def argv(self) -> list[bytes]:
        return (self.folder / "argv").read_bytes().split(b"\0")[:-1]

    @property
    def environ(self) -> dict[bytes, bytes]:
        pairs = (self.folder / "env").read_bytes().split(b"\0")[:-1]
        return {name: value for name, _, value in (pair.partition(b"=") for pair in pairs)}

    @property
    def cwd(self) -> Path:
        return Path((self.folder / "cwd").read_text().rstrip("\n"))

    @property
    def stdin(self) -> bytes | None:
        """What it read from standard input, None where that was a terminal."""
        path = self.folder / "stdin"
        return path.read_bytes() if path.exists() else None

    @property
    def stdin_kind(self) -> str:
        return (self.folder / "stdin-kind").read_text().strip()


@dataclass(frozen=True, slots=True)
class Agent:
    """A stand-in in `folder`, which does `deed` after it wrote down its call."""

    folder: Path
    name: str = "claude"

    def does(self, deed: str = "true") -> Agent:
        """Makes the stand-in do something else, in the words of a shell."""
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        (self.folder / "calls").mkdir(exist_ok=True)
        path = self.folder / "bin" / self.name
        path.write_text(_SCRIPT.format(calls=self.folder / "calls", deed=deed), encoding="utf-8")
        path.chmod(0o755)
        return self

    @property
    def path(self) -> str:
        """The search path on which it is found first."""
        return f"{self.folder / 'bin'}:/usr/local/bin:/usr/bin:/bin"

    @property
    def calls(self) -> list[Call]:
        found = (path for path in (self.folder / "calls").iterdir() if path.suffix != ".new")
        return [Call(path) for path in sorted(found, key=lambda path: path.stat().st_mtime_ns)]

    @property
    def call(self) -> Call:
        (only,) = self.calls
        return only


CLAUDE = Launcher(
    name="claude",
    program="claude",
    resume=("--resume", "{sid}"),
    headless=("--print",),
    headless_resume=("--print", "--resume", "{sid}"),
    session=("--session-id", "{sid}"),
    stdin=(),
    conversations=("~/.claude/projects/*/{sid}.jsonl",),
    marks=("CLAUDECODE",),
)
DEAF = Launcher(name="deaf", program="claude", headless=("--print",), marks=("DEAF",))
