"""What waits on what, looked at: the ready tasks first, what can never be over, and the way back to
the tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.ui.line import plain
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.task import TaskScreen
from mandrel_tui.ui.screens.waits import WaitsScreen
from tests.builders import a_task
from tests.stories.seat import Story, a_repository, seated
from tests.stories.stage import cells

READY, FIRST, BACK = "2026-08-01-ready", "2026-08-02-first", "2026-08-03-back"
TASKS = {
    READY: a_task(id=READY, status="pending", title="Can go out"),
    FIRST: a_task(
        id=FIRST, status="blocked", blockers=f"[{BACK}, 2026-07-01-old, nowhere]", title="First"
    ),
    BACK: a_task(id=BACK, status="blocked", blockers=f"[{FIRST}, {READY}]", title="Back"),
    "2026-08-04-asks": a_task(
        id="2026-08-04-asks", status="blocked", blockers="[external:ten or twenty?]"
    ),
}


async def opened(story: Story, name: str = READY) -> WaitsScreen:
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("w")
    await story.until("waits on 4, 1 ready now")
    screen = story.top
    assert isinstance(screen, WaitsScreen)
    return screen


async def test_ready_tasks_come_first_and_what_is_never_over_is_marked(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r", TASKS), (120, 40)) as story:
        screen = await opened(story)
        words = [plain((*row.left, *row.right)) for row in screen.rows.rows]
        assert words[0].startswith("ready now 1")
        assert words[1].strip().startswith("ready   1 waits for it")
        assert words[2].startswith("not ready 3")
        assert "    ! waits for back, which waits for it" in words
        assert "    ! waits for 2026-07-01-old, which is archived" in words
        assert "    ! waits for nowhere, which is no task" in words
        assert "    ↳ waits for ready" in words
        assert "    ↳ asks: ten or twenty?" in words
        await story.until("! 4 blockers to correct")


async def test_enter_opens_the_task_and_what_it_waits_for(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r", TASKS)) as story:
        screen = await opened(story, BACK)
        assert screen.rows.key == BACK
        await story.until("It holds up first.")
        await story.press("enter")
        await story.until(lambda: isinstance(story.top, TaskScreen))
        await story.press("escape", "j")
        await story.until("They wait for each other: b in one of them frees it.")
        await story.press("enter")
        await story.until(lambda: isinstance(story.top, TaskScreen))
        assert story.top.task_name == FIRST  # type: ignore[attr-defined]
        await story.press("w")
        await story.until(lambda: isinstance(story.top, WaitsScreen))
        assert story.top.rows.key == FIRST  # type: ignore[attr-defined]


async def test_it_follows_the_files(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", TASKS)
    async with seated(root) as story:
        await opened(story)
        (root / f".ai-tasks/{FIRST}.md").write_bytes(a_task(id=FIRST, status="pending"))
        await story.until("waits on 4, 2 ready now")


async def test_the_board_is_narrowed_to_what_is_ready_now(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r", TASKS)) as story:
        await opened(story)
        await story.press("f")
        await story.until(lambda: isinstance(story.top, BoardScreen))
        await story.until("tasks 1 of 4, ready now")
        assert [row.name for row in story.board.task_list.listing.rows] == [READY]


async def test_nothing_ready_is_said_and_nothing_is_narrowed(tmp_path: Path) -> None:
    tasks = {BACK: a_task(id=BACK, status="blocked", blockers="[external:when?]")}
    async with seated(a_repository(tmp_path / "r", tasks)) as story:
        await story.press("w")
        await story.until("waits on 1, 0 ready now")
        await story.press("f")
        await story.until("ready now: nothing is ready now")
        assert isinstance(story.top, WaitsScreen)


@pytest.mark.parametrize("symbols", ["unicode", "ascii"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_it_fits_every_size(tmp_path: Path, size: tuple[int, int], symbols: str) -> None:
    root = a_repository(tmp_path / "r", TASKS)
    async with seated(root, size, symbols=symbols) as story:
        await opened(story, FIRST)
        await story.press("j")
        await story.until("They wait for each other")
        assert set(cells(story.app)) == {size[0]}
        assert symbols == "unicode" or story.text.isascii()
