"""The history of a task file, looked at: its versions, what each changed, the alarm of a rewritten
log, and a version put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.ui.history_jobs import accept
from mandrel_tui.ui.line import plain
from mandrel_tui.ui.screens.exact import ExactScreen
from mandrel_tui.ui.screens.task import TaskScreen
from tests.builders import a_task, work
from tests.stories.seat import Story, a_repository, seated
from tests.stories.stage import cells

NAME = "2026-08-21-metrics-labels"
FIRST, SECOND = work("4be0c7d2-1", date="2026-08-21"), work("9b02f4d1-1", date="2026-08-22")


def written(*entries: str, status: str = "in_progress") -> bytes:
    return a_task(*entries, id=NAME, status=status, est="1/3", title="Every series has a region")


OLD, NEW = written(FIRST), written(FIRST, SECOND)
REWRITTEN = written(FIRST.replace("Did", "Tried"), SECOND)


def store(root: Path) -> Path:
    return root / f".ai-tasks/{NAME}.md"


async def after(story: Story, root: Path, *contents: bytes) -> TaskScreen:
    """The task in full, once these contents were seen one after another."""
    await story.until(lambda: story.board.tasks.key == NAME)
    await story.press("enter")
    await story.until(lambda: isinstance(story.top, TaskScreen))
    screen = story.top
    assert isinstance(screen, TaskScreen)
    for place, data in enumerate(contents, start=2):
        store(root).write_bytes(data)
        await story.until(lambda: len(screen.task_view.task_history.rows) == place)  # noqa: B023
    return screen


async def to_tab(story: Story, tab: str) -> None:
    while story.top.task_view.tab != tab:  # type: ignore[attr-defined]
        await story.press("t")


async def test_every_version_that_was_seen_says_what_it_changed(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {NAME: OLD})
    async with seated(root, (120, 40)) as story:
        screen = await after(story, root, NEW, written(FIRST, SECOND, status="final_review"))
        await to_tab(story, "history")
        await story.until("[history 3]")
        said = [plain(row.left) for row in screen.task_view.task_history.rows]
        assert [words.split("  ", 3)[-1].strip() for words in said] == [
            "in_progress → final_review",
            "entry of 9b02f4d1",
            "first seen",
        ]
        assert said[-1] == f"1  14:31  {len(OLD):,}  first seen"
        await story.press("j", "enter")
        await story.until("+ version 2 of 14:31")
        assert isinstance(story.top, ExactScreen)
        assert "- version 1 of 14:31" in story.told
        await story.until(f"+{SECOND.splitlines()[0]}")


async def test_a_version_is_put_back_after_its_difference_was_shown_and_undone(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r", {NAME: OLD})
    async with seated(root, (120, 40)) as story:
        await after(story, root, NEW)
        await to_tab(story, "history")
        await story.press("end", "space")
        await story.until("━ version 1 of 14:31")
        await story.press("down", "enter")
        await story.until("ctrl+o write")
        assert f"-{SECOND.splitlines()[0]}" in story.told
        assert store(root).read_bytes() == NEW
        await story.press("ctrl+o")
        await story.until("u takes it back")
        assert store(root).read_bytes() == OLD
        await story.press("u")
        await story.until("━ undo: restore")
        await story.press("ctrl+o")
        await story.until(lambda: store(root).read_bytes() == NEW)


async def test_a_version_is_not_put_back_over_what_came_meanwhile(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {NAME: OLD})
    theirs = written(FIRST, SECOND, status="blocked")
    async with seated(root, (120, 40)) as story:
        await after(story, root, NEW)
        await to_tab(story, "history")
        await story.press("end", "space")
        await story.until("━ version 1 of 14:31")
        await story.press("down", "enter")
        await story.until("ctrl+o write")
        store(root).write_bytes(theirs)
        await story.press("ctrl+o")
        await story.until("nothing was written: ")
        assert store(root).read_bytes() == theirs


async def test_a_rewritten_log_is_the_first_row_of_the_log(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {NAME: NEW})
    async with seated(root, (120, 40)) as story:
        screen = await after(story, root, REWRITTEN)
        await to_tab(story, "log")
        await story.until("! earlier entries: 1 changed at 14:31, Enter diff")
        assert screen.task_view.task_log.current == 1
        await story.press("home", "enter")
        await story.until(lambda: isinstance(story.top, ExactScreen))
        await story.until("earlier entries: 1 changed")
        assert "- version 1 of 14:31" in story.told
        await story.press("escape")
        store(root).write_bytes(NEW)
        await story.until(lambda: "! earlier entries" not in story.text)


async def test_a_rewritten_log_is_taken_as_it_is_by_an_explicit_act(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {NAME: NEW})
    async with seated(root, (120, 40)) as story:
        await after(story, root, REWRITTEN)
        await to_tab(story, "log")
        await story.until("! earlier entries: 1 changed at 14:31, Enter diff, Space more")
        await story.until(lambda: [i.cause for i in story.app.facts.items] == ["log-rewritten"])
        await story.press("f3")
        await story.until("! drift")
        await story.press("enter")
        await story.until("! earlier entries: 1 changed at 14:31, Enter diff, Space more")
        await story.press("home", "space")
        await story.until("━ a rewritten log")
        await story.press("down", "enter")
        await story.until("the log is taken as it is now")
        await story.until(lambda: "! earlier entries" not in story.text)
        await story.until(lambda: not story.app.facts.items)
        assert store(root).read_bytes() == REWRITTEN
    async with seated(root, (120, 40)) as story:
        assert not story.app.facts.items


async def test_another_version_than_the_one_that_was_looked_at_is_not_taken(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r", {NAME: NEW})
    async with seated(root, (120, 40)) as story:
        await after(story, root, REWRITTEN)
        await to_tab(story, "log")
        await story.until("! earlier entries: 1 changed at 14:31")
        workspace = story.app.workspace
        assert workspace is not None
        fault = accept(workspace, NAME, "0" * 64)
        assert "changed meanwhile" in fault
        assert workspace.versions.alarms([NAME])


async def test_the_version_that_is_there_and_an_archived_task_are_not_restored(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r", {NAME: OLD})
    async with seated(root, (120, 40)) as story:
        screen = await after(story, root)
        await to_tab(story, "history")
        await story.until("[history 1]")
        await story.press("space")
        await story.until("━ version 1 of 14:31")
        await story.press("down", "enter")
        await story.until("not restored: the file is that version already")
        store(root).rename(root / f".ai-tasks/archive/{NAME}.md")
        await story.until(lambda: screen.row is not None and screen.row.archived)
        (_, offer) = screen.version_offers()
        assert offer.reason == "it is archived, and the archive is not written to"


@pytest.mark.parametrize("symbols", ["unicode", "ascii"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_it_fits_every_size(tmp_path: Path, size: tuple[int, int], symbols: str) -> None:
    root = a_repository(tmp_path / "r", {NAME: NEW})
    async with seated(root, size, symbols=symbols) as story:
        screen = await after(story, root, written(FIRST, status="blocked"), REWRITTEN)
        for tab in ("log", "history"):
            screen.task_view.show_tab(tab)
            await story.until("earlier entries: 1 ")
            assert set(cells(story.app)) == {size[0]}
            assert symbols == "unicode" or story.text.isascii()
        await story.press("enter")
        await story.until(lambda: isinstance(story.top, ExactScreen))
        await story.until("+ version 3")
        assert set(cells(story.app)) == {size[0]}
