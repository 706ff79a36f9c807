"""The real app on a real repository, headless, with a clock that stands still."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual.pilot import Pilot

from mandrel_tui.settings import Settings
from mandrel_tui.ui.app import MandrelApp
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.line import plain
from mandrel_tui.ui.screens.board import BoardScreen
from tests.builders import a_task, review, work
from tests.conftest import GOLDEN, git
from tests.stories.stage import screen

NOW = datetime(2026, 8, 22, 14, 31, tzinfo=UTC)
PATIENCE = 600  # looks, a twentieth of a second apart, before a story gives up
EVENTS = find_spec("watchfiles") is not None
DAY = ("2026-08-17", "2026-08-18", "2026-08-19", "2026-08-20", "2026-08-21", "2026-08-22")

TASKS: dict[str, bytes] = {
    "2026-08-11-barrier-timeouts": a_task(
        work("1c1e09aa-1", after="final_review", date=DAY[0]),
        review("1c1e09aa-1", before="final_review", after="completed", date=DAY[4]),
        id="2026-08-11-barrier-timeouts",
        status="completed",
        est="3/3",
        claimed_by="rev-1@2026-08-21T09:00:00Z",
        title="A barrier that waits too long says for whom",
    ),
    "2026-08-17-submit-retry-loop": a_task(
        work("2fd0713c-1", date=DAY[1]),
        review("2fd0713c-1", "a81b55e0-1", verdict="changes-requested", date=DAY[1]),
        work("5e9a0c11-1", before="in_progress", date=DAY[2]),
        review("5e9a0c11-1", "c07d2f9b-1", group="2fd0713c-1", date=DAY[2]),
        work("7c1e09aa-1", before="in_progress", date=DAY[5]),
        work("9b02f4d1-1", before="in_progress", after="final_review", date=DAY[5]),
        id="2026-08-17-submit-retry-loop",
        status="final_review",
        est="2/2",
        claimed_by="9b02f4d1-1@2026-08-22T12:31:00Z",
        title="Submit stops spinning on a failed apply",
    ),
    "2026-08-16-stall-detection": a_task(
        work("b3aa90fe-1", after="in_progress", date=DAY[1]),
        *(
            entry
            for n in (1, 2, 3)
            for entry in (
                review(
                    f"b3aa90fe-{n}",
                    f"rev{n}",
                    verdict="changes-requested",
                    group="b3aa90fe-1",
                    findings="F2 a barrier that fires twice is dropped, not merged",
                    date=DAY[n + 1],
                ),
                *([work(f"b3aa90fe-{n + 1}", before="in_progress", date=DAY[n + 1])] * (n < 3)),
            )
        ),
        id="2026-08-16-stall-detection",
        status="in_progress",
        est="4/3",
        claimed_by="rev3@2026-08-22T09:31:00Z",
        title="A stalled region is noticed by its silence",
    ),
    "2026-08-19-fifo-drain": a_task(
        work("f1f0-1", date=DAY[3]),
        review("f1f0-1", verdict="changes-requested", date=DAY[4]),
        id="2026-08-19-fifo-drain",
        claimed_by="f1f0-1@2026-08-22T11:31:00Z",
        title="The drain keeps its order",
    ),
    "2026-08-20-idempotency-cache": a_task(
        work("51fe7730-1", after="blocked", date=DAY[3]),
        id="2026-08-20-idempotency-cache",
        status="blocked",
        blockers="[external:may the server mark a decision executed?]",
        claimed_by="51fe7730-1@2026-08-20T12:31:00Z",
        title="A decision is executed once",
    ),
    "2026-08-21-metrics-labels": a_task(
        id="2026-08-21-metrics-labels",
        status="pending",
        est="0/3",
        title="Every series carries its region",
    ),
    "2026-08-16-notes-from-standup": b"---\nid: notes\nstatus: pending\n\n# Notes\n",
}
OLD = a_task(id="2026-07-01-old", status="completed", title="Long done")


def a_repository(root: Path, tasks: dict[str, bytes] | None = None) -> Path:
    """A committed repository with these tasks, the contracts of the golden body and one archived
    task; the store is ignored by git."""
    shutil.copytree(GOLDEN / "workspace", root, ignore=shutil.ignore_patterns(".ai-tasks"))
    for path in [root, *root.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    store = root / ".ai-tasks"
    (store / "archive").mkdir(parents=True)
    for name, data in (TASKS if tasks is None else tasks).items():
        (store / f"{name}.md").write_bytes(data)
    (store / "archive" / "2026-07-01-old.md").write_bytes(OLD)
    (root / ".gitignore").write_text(".ai-tasks/\n.ai-protocol/\n.mandrel/\n.claude/\n")
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    when = {"GIT_AUTHOR_DATE": "2026-08-22T09:00:00Z", "GIT_COMMITTER_DATE": "2026-08-22T09:00:00Z"}
    with patch.dict(os.environ, when):
        git(root, "commit", "--quiet", "-m", "Body")
    return root


@dataclass(frozen=True, slots=True)
class Story:
    """The app, and what a person does and sees."""

    app: MandrelApp
    pilot: Pilot[int]

    @property
    def rows(self) -> list[str]:
        """The rows of the screen."""
        return screen(self.app)

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.rows)

    @property
    def told(self) -> str:
        """The screen's words with single blanks, column by column, whatever wrapping did."""
        columns = zip_longest(*(row.split("│") for row in self.rows), fillvalue="")
        return " ".join(" ".join(" ".join(column) for column in columns).split())

    async def press(self, *keys: str) -> None:
        """Press keys one after another."""
        await self.pilot.press(*keys)

    async def until(self, seen: str | Callable[[], Any]) -> None:
        """Wait until a text stands on the screen, or something holds."""
        for _ in range(PATIENCE):
            await self.pilot.pause()
            if seen in self.told if isinstance(seen, str) else seen():
                return
            await self.pilot.pause(0.05)
        raise AssertionError(f"never seen: {seen}\n{self.text}")

    async def type(self, text: str) -> None:
        """Type a text into the focused field."""
        await self.pilot.press(*("space" if c == " " else c for c in text))

    @property
    def board(self) -> BoardScreen:
        """The board below whatever is on top."""
        return next(s for s in self.app.frames() if isinstance(s, BoardScreen))

    @property
    def top(self) -> Frame:
        """The screen on top that is no dialog."""
        return list(self.app.frames())[-1]


@asynccontextmanager
async def seated(
    root: Path,
    size: tuple[int, int] = (80, 24),
    *,
    theme: str = "dark",
    symbols: str = "unicode",
    settled: bool = True,
) -> AsyncIterator[Story]:
    """The app open on a repository, the board read and the card of its first task complete."""
    app = MandrelApp(
        root, explicit=True, settings=Settings(theme=theme, symbols=symbols), clock=lambda: NOW
    )
    async with app.run_test(size=size, notifications=True) as pilot:
        story = Story(app, pilot)
        if settled:
            await story.until(lambda: app.facts.board is not None and app.facts.tree)
            await story.until(
                lambda: plain(app.facts.watch) == ("live" if EVENTS else "every 0.5 s")
            )
        yield story
