"""A few screens of closing out as they are drawn, colours and all; other stories tell what they
say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from mandrel_tui.protocol.desk import Source
from mandrel_tui.settings import Settings
from mandrel_tui.ui.app import MandrelApp
from mandrel_tui.ui.desk_messages import AskTake
from tests.stories.closing import DESIGN, MAP, close_out, propose, to_close
from tests.stories.seat import NOW, Story

pytest.importorskip("watchfiles")
Act = Callable[[Story], Awaitable[None]]
NEW = DESIGN.replace(b"owns its stall detection.", b"owns its own stall detection.").replace(
    b"retries with the same decision id.\n  The server drops the second one.",
    b"returns to the main loop.\n  Rejected: the same decision id again.",
)
PROPOSED = {"design.md": NEW + b"- A local step wins.\n", "map.md": MAP + b"| `x` | y |\n"}


async def facts(story: Story) -> None:
    """Half of the facts answered."""
    await close_out(story)
    await story.press("a", "a", "a", "a", "b", "a", "r", "a")
    await story.until("facts 3/4")


async def review(story: Story) -> None:
    """A hunk accepted, one rejected, one in hand."""
    await close_out(story)
    story.app.post_message(AskTake(Source("folder")))
    await story.until(lambda: story.app.sitting and story.app.sitting.desk.hunks == 4)
    await story.press("t", "a", "r")
    await story.until("review 2/4")


async def plan(story: Story) -> None:
    """What closing out changes."""
    await review(story)
    await story.press("a", "a", "t")
    await story.until("file changes, one commit")


CASES: list[tuple[str, Act, str, tuple[int, int]]] = [
    ("facts-80-dark", facts, "dark", (80, 24)),
    ("review-120-dark", review, "dark", (120, 40)),
    ("review-80-light", review, "light", (80, 24)),
    ("plan-80-dark", plan, "dark", (80, 24)),
]


@pytest.mark.parametrize(("name", "act", "theme", "size"), CASES, ids=[case[0] for case in CASES])
def test_the_screen_is_drawn_as_before(
    snap_compare: Any, tmp_path: Path, name: str, act: Act, theme: str, size: tuple[int, int]
) -> None:
    root = to_close(tmp_path / "ledger-sync")
    propose(root, PROPOSED)
    app = MandrelApp(
        root,
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
