"""What every test stands on: a private home, a neutral terminal, a golden repository, the real
command line in a child process."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = Path(__file__).resolve().parent / "golden"

# Set before Textual is imported by anyone: it reads these once, at import.
_NOT_INHERITED = re.compile(
    "NO_COLOR|FORCE_COLOR|CLICOLOR|COLORTERM|TEXTUAL_(?!SNAPSHOT_)|TMUX|STY$|SSH_|DISPLAY$"
    "|WAYLAND_DISPLAY|VISUAL$|EDITOR$|COLUMNS$|LINES$|GIT_"
)
for _name in [name for name in os.environ if _NOT_INHERITED.match(name)]:
    del os.environ[_name]
os.environ["TEXTUAL_ANIMATIONS"] = "none"


def _private_home(home: Path) -> dict[str, str]:
    """The environment in which nothing of the person who runs the tests is read or written."""
    config = home / "gitconfig"
    config.write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n"
        "[init]\n\tdefaultBranch = main\n[commit]\n\tgpgSign = false\n",
        encoding="utf-8",
    )
    return {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_DATA_HOME": str(home / "share"),
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": tempfile.gettempdir(),
    }


# For fixtures of a wider scope than a test, which run before any fixture of a test does.
_SESSION_HOME = Path(tempfile.mkdtemp(prefix="mandrel-tui-home-"))
atexit.register(shutil.rmtree, _SESSION_HOME, ignore_errors=True)
os.environ.update(_private_home(_SESSION_HOME))


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home folder for each test, with the state, configuration and git of nobody."""
    folder = tmp_path_factory.mktemp("home")
    for name, value in _private_home(folder).items():
        monkeypatch.setenv(name, value)
    return folder


def git(repository: Path, *arguments: str) -> str:
    """What git says in a repository; a failing git fails the test with its words."""
    done = subprocess.run(
        ["git", *arguments], cwd=repository, capture_output=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace")


@pytest.fixture(scope="session")
def golden_body(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that `golden` copies, for tests that only read it."""
    repository = tmp_path_factory.mktemp("body") / "golden"
    shutil.copytree(GOLDEN / "workspace", repository)
    for folder, _, files in os.walk(repository):
        Path(folder).chmod(0o755)
        for file in files:
            (Path(folder) / file).chmod(0o644)
    ignored = ".ai-tasks/\n.ai-protocol/\n.mandrel/\n.claude/\n"
    (repository / ".gitignore").write_text(ignored, encoding="utf-8")
    git(repository, "init", "--quiet", "--initial-branch=main", "--template=")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Golden body")
    return repository


@pytest.fixture
def golden(golden_body: Path, tmp_path: Path) -> Path:
    """A repository made of the golden body: committed, its tree clean, the task store ignored."""
    return Path(shutil.copytree(golden_body, tmp_path / "golden", symlinks=True))


@dataclass(frozen=True, slots=True)
class Ran:
    """How one command ended: its exit code and the exact bytes it wrote."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def said(self) -> str:
        """Its messages; a traceback among them fails the test."""
        words = self.err.decode("utf-8")
        assert "Traceback" not in words, words
        return words

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def _search_path() -> str:
    return os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])


RunCli = Callable[..., Ran]


@pytest.fixture
def run_cli(tmp_path: Path) -> RunCli:
    """The real command line in a child process: `run_cli("next", "--json", cwd=…, env={…})`."""

    def run(
        *arguments: str | bytes | Path,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        stdin: bytes | None = None,
        timeout: float = 60,
    ) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "mandrel_tui", *arguments],
            cwd=cwd or tmp_path,
            env={**os.environ, "PYTHONPATH": _search_path(), **(env or {})},
            capture_output=True,
            input=stdin or b"",
            timeout=timeout,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
