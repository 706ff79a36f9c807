"""A few whole screens as they are drawn, colours and all; other stories tell what they say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from mandrel_tui.settings import Settings
from mandrel_tui.ui.app import MandrelApp
from tests.stories.seat import NOW, Story, a_repository

pytest.importorskip("watchfiles")
RETRY = "2026-08-17-submit-retry-loop"
Act = Callable[[Story], Awaitable[None]]


async def board(story: Story) -> None:
    """The board, its cursor on a task a session could be given."""
    story.board.tasks.go(RETRY)
    await story.until("You owe nothing. c copies")
    await story.until(lambda: story.board.task_view.task_prose.rows or story.app.size.width < 80)


async def log(story: Story) -> None:
    """The log of that task in full."""
    await board(story)
    await story.press("enter", "t")
    await story.until("entry 6, lines")


async def prompt(story: Story) -> None:
    """The prompt of that task."""
    await board(story)
    await story.press("p")
    await story.until("sha256")


CASES: list[tuple[str, Act, str, tuple[int, int]]] = [
    ("board-80-dark", board, "dark", (80, 24)),
    ("board-120-light", board, "light", (120, 40)),
    ("board-60-dark", board, "dark", (60, 20)),
    ("log-80-light", log, "light", (80, 24)),
    ("prompt-120-dark", prompt, "dark", (120, 40)),
]


@pytest.mark.parametrize(("name", "act", "theme", "size"), CASES, ids=[case[0] for case in CASES])
def test_the_screen_is_drawn_as_before(
    snap_compare: Any, tmp_path: Path, name: str, act: Act, theme: str, size: tuple[int, int]
) -> None:
    app = MandrelApp(
        a_repository(tmp_path / "ledger-sync"),
        explicit=True,
        settings=Settings(theme=theme, symbols="unicode"),
        clock=lambda: NOW,
    )

    async def before(pilot: Pilot[Any]) -> None:
        story = Story(app, pilot)
        await story.until(lambda: app.facts.board is not None and app.facts.tree)
        await story.until("live")
        await act(story)

    assert snap_compare(app, run_before=before, terminal_size=size)
