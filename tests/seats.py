"""A repository with one task and a workspace on it, for tests that let sessions come and go."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mandrel_tui.workspace.workspace import Workspace
from tests.builders import a_task
from tests.conftest import ROOT, git

NAME = "2026-03-02-a-task"
START = datetime(2026, 3, 2, 14, 0, tzinfo=UTC)


@dataclass
class Seat:
    """A committed repository at `root` whose task store is ignored, and a clock that each reading
    moves on by a minute."""

    root: Path
    minutes: int = field(default=0)

    @classmethod
    def at(cls, root: Path, *entries: str, **front: str | None) -> Seat:
        seat = cls(root)
        (root / ".ai").mkdir(parents=True)
        (root / ".ai/modules.md").write_text("# Modules\n", encoding="utf-8")
        (root / ".gitignore").write_text(".ai-tasks/\n", encoding="utf-8")
        seat.write(*entries, **front)
        git(root, "init", "--quiet", "--initial-branch=main")
        git(root, "add", ".")
        git(root, "commit", "--quiet", "--message", "Start")
        return seat

    @property
    def path(self) -> Path:
        return self.root / f".ai-tasks/{NAME}.md"

    def write(self, *entries: str, **front: str | None) -> bytes:
        """Makes the task file say exactly this."""
        data = a_task(*entries, **{"id": NAME, **front})  # type: ignore[arg-type]
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(data)
        return data

    def open(self) -> Workspace:
        """A workspace as a fresh start of the program makes it."""
        return Workspace(self.root, ROOT / "contracts", clock=self._now)

    @property
    def moment(self) -> str:
        """A time between the last reading of the clock and the next."""
        return (START + timedelta(minutes=self.minutes, seconds=30)).isoformat()

    def _now(self) -> datetime:
        self.minutes += 1
        return START + timedelta(minutes=self.minutes)
