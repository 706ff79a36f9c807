"""The inbox: one list of what waits for the human, one count on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import a_task, review, work
from tests.stories.seat import TASKS, a_repository, seated
from tests.stories.stage import cells

CLOSE = "2026-08-11-barrier-timeouts"
STALL = "2026-08-16-stall-detection"
CACHE = "2026-08-20-idempotency-cache"


async def test_the_inbox_lists_the_oldest_first_with_all_it_takes_to_decide(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f3")
        await story.until("━ inbox 4, oldest first")
        kinds = [row.replace("›", " ").split()[1] for row in story.rows[2:6]]
        assert kinds == ["invalid", "answer", "close", "rule"]
        assert story.rows[-1].startswith(" Enter look")
        await story.press("G")
        await story.until("─ convergence-budget")
        assert story.rows[-1].startswith(" Enter rule")
        assert "F2 a barrier that fires twice is dropped, not merged" in story.told
        assert "review rev3, entry 6, Findings, line" in story.told
        assert "dev b3aa90fe-3, entry 5, Done, line" in story.told
        assert "The next prompt waits for your ruling." in story.told


async def test_every_screen_counts_the_same(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        for keys in ((), ("enter",), ("f3",), ("f2",), ("p",)):
            await story.press(*keys)
            await story.pilot.pause()
            assert "inbox 4" in story.rows[0]


async def test_modes_come_back_as_they_were_left(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        story.board.tasks.go(CACHE)
        await story.press("enter")
        await story.until("━ idempotency-cache")
        await story.press("g", "i")
        await story.until("━ inbox 4")
        await story.press("j", "j")
        await story.press("f2")
        await story.until("━ idempotency-cache")
        await story.press("f3")
        await story.until("─ completed")
        await story.press("f2")
        await story.until("━ idempotency-cache")
        await story.press("f2")
        await story.until("━ tasks 7")
        await story.press("f3", "escape")
        await story.until("━ inbox 4")


async def test_a_settled_item_leaves_and_the_cursor_takes_the_next(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await story.press("f3")
        await story.until("━ inbox 4")
        await story.press("j")
        await story.until("─ blocked")
        (root / f".ai-tasks/{CACHE}.md").write_bytes(
            TASKS[CACHE]
            .replace(b"status: blocked", b"status: in_progress")
            .replace(b"[external:may the server mark a decision executed?]", b"[]")
        )
        await story.until("━ inbox 3")
        await story.until("─ completed")
        assert "› ! close" in story.text


async def test_enter_opens_the_task_on_what_is_wrong_with_it_and_esc_returns(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f3")
        await story.until("━ inbox 4")
        await story.press("enter")
        await story.until("[flags ")
        await story.until("✗ 1")
        await story.press("escape")
        await story.until("━ inbox 4, oldest first")


async def test_what_is_of_no_one_task_is_settled_on_the_board(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai-tasks/index.md").write_text("| Task |\n|---|\n| gone |\n")
    async with seated(root) as story:
        await story.press("f3")
        await story.until("drift")
        await story.press("slash")
        await story.type("gone")
        await story.press("enter", "enter")
        await story.until("━ correct the index")
        await story.press("enter")
        await story.until("ctrl+o write")


async def test_a_damaged_index_is_left_to_its_owner(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai-tasks/index.md").write_bytes(b"caf\xe9\n")
    async with seated(root) as story:
        await story.press("f3")
        await story.until("drift the index byte 0xe9 is not UTF-8")
        await story.press("G", "enter")
        await story.until(
            ".ai-tasks/index.md is damaged (byte 0xe9 is not UTF-8): repair it by hand"
        )


async def test_a_task_whose_blockers_ask_nobody_is_freed_from_the_inbox(tmp_path: Path) -> None:
    odd = a_task(id="2026-01-01-odd", status="blocked", blockers="[nobody-knows]", title="Odd")
    async with seated(a_repository(tmp_path / "r", {"2026-01-01-odd": odd})) as story:
        await story.press("f3")
        await story.until("It waits for nobody-knows, but no active task has that name")
        await story.press("slash")
        await story.type("answer")
        await story.press("enter")
        await story.until("No session waits for an answer: Enter frees the task")
        await story.press("enter")
        await story.until("━ blocked: odd")


async def test_the_filter_leaves_the_kinds_that_are_chosen(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f3")
        await story.until("━ inbox 4")
        await story.press("f", "j", "j", "enter", "escape")
        await story.until("━ inbox 1 of 4, rule")
        await story.press("f", "j", "j", "enter", "j", "enter", "escape")
        await story.until("Nothing of that kind. f changes the filter.")


async def test_an_empty_inbox_says_so_in_one_sentence(tmp_path: Path) -> None:
    tasks = {"2026-08-21-a": a_task(id="2026-08-21-a", status="pending")}
    async with seated(a_repository(tmp_path / "r", tasks)) as story:
        await story.press("f3")
        await story.until("You owe nothing.")
        await story.press("enter", "y", "c")
        await story.until("no task is chosen")


async def test_a_long_question_wraps_below_and_text_from_files_stays_text(tmp_path: Path) -> None:
    question = "may [b]the[/b] server " + "really " * 30 + "mark it?"
    tasks = {
        CACHE: a_task(
            work("51fe7730-1", after="blocked", open="Is a \x1b[31msecond field acceptable?"),
            review("51fe7730-1", "rev-1"),
            id=CACHE,
            status="blocked",
            blockers=f"[external:{question}]",
        )
    }
    async with seated(a_repository(tmp_path / "r", tasks), (60, 20)) as story:
        await story.press("f3")
        await story.until("─ blocked")
        assert "[b]the[/b] server" in story.told
        assert "mark it?" in story.told
        assert "\x1b" not in story.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (50, 12)])
async def test_every_row_of_the_inbox_fills_the_terminal(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(a_repository(tmp_path / "r"), size) as story:
        await story.press("f3")
        await story.until("inbox 4")
        assert set(cells(story.app)) == {size[0]}
