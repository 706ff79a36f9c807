"""A task in full: its text, log, diagnostics and exact bytes, as a person sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.ui.widgets.exact import Exact
from tests.builders import a_task, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import Story, a_repository, seated

RETRY = "2026-08-17-submit-retry-loop"


async def open_task(story: Story, name: str, tab: str = "task") -> None:
    """Put the cursor on a task and open it, on a tab."""
    story.board.tasks.go(name)
    await story.press("enter")
    await story.until(f"[{tab}" if tab == "task" else "[task]")
    while f"[{tab}" not in story.text:
        await story.press("t")


async def test_a_task_keeps_the_marks_that_its_file_alone_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_clipboard(tmp_path, monkeypatch)
    root = a_repository(tmp_path / "r")
    (root / ".ai-tasks/index.md").write_text("# Index\n")
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(RETRY)
        await story.press("c")
        await story.until(lambda: story.board.row is not None and story.board.row.handover)
        await open_task(story, RETRY)
        await story.until("out 0m")
        row = story.board.row
        assert row is not None and row.task is not None
        assert row.flags > sum(d.marks for d in row.task.diagnostics)
        for _ in range(2):
            await story.until(f"flags {row.flags}")
            assert "out 0m" in story.text
            story.top.take_task(RETRY, row.task, "")  # as read for this screen
            await story.pilot.pause()


async def test_a_field_stays_beside_its_name_where_a_scroll_bar_takes_a_column(
    tmp_path: Path,
) -> None:
    said = "\n".join(f"  - {'word ' * (12 + n)}end" for n in range(12))
    tasks = {"a": a_task(work("dev-1", done=f"Much.\n{said}"), id="a", status="in_progress")}
    async with seated(a_repository(tmp_path / "r", tasks)) as story:
        await story.press("enter", "t")
        await story.until("Done Much.")
        at = next(n for n, row in enumerate(story.rows) if row.startswith(" Done   Much."))
        rest = [row for row in story.rows[at + 1 :] if "word" in row or "end" in row]
        assert len(rest) > 5
        assert all(row.startswith("        ") for row in rest)


async def test_the_log_tells_entries_groups_and_fields(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await open_task(story, RETRY, "log")
        await story.until("entry 6, lines")
        assert "6  08-22  9b02f4d1  dev     in_progress → final_review" in story.text
        assert "2  08-18  a81b55e0  review  of 2fd0713c" in story.text
        assert "✗ changes" in story.text
        assert "2fd0713c   w1 ── ✗2 ── w3 ── ✓4" in story.text
        assert "1 of 2   settled" in story.text
        assert "w5 ── w6 ── ?" in story.text
        assert "Done   Did the slice. Rejected: a cache" in story.text
        assert story.rows[1].endswith(" claimed 9b02f4d1 ━")


async def test_enter_on_an_entry_shows_its_raw_lines(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await open_task(story, RETRY, "log")
        await story.press("home", "enter")
        await story.until("[raw]")
        heading = "### 2026-08-18 / 2fd0713c-1 / (pending → in_progress)"
        await story.until(heading)
        assert _marked(story) == heading


async def test_enter_on_a_diagnostic_shows_the_line_it_means(tmp_path: Path) -> None:
    tasks = {"a": a_task(id="a", est="4/3")}
    async with seated(a_repository(tmp_path / "r", tasks)) as story:
        await open_task(story, "a", "flags")
        await story.until("estimate-over")
        await story.press("enter")
        await story.until("[raw]")
        assert _marked(story) == "session-est: 4/3"


async def test_a_log_nobody_wrote_says_so(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r", {"a": a_task(id="a")})) as story:
        await open_task(story, "a", "log")
        await story.until("No session has written here yet.")


async def test_the_cursor_follows_new_entries_only_from_the_last(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {"a": a_task(work("dev-1"), id="a")})
    async with seated(root) as story:
        await open_task(story, "a", "log")
        await story.until("entry 1,")
        _write(root, a_task(work("dev-1"), work("dev-2"), id="a"))
        await story.until("entry 2,")
        await story.press("k")
        await story.until("entry 1,")
        _write(root, a_task(work("dev-1"), work("dev-2"), work("dev-3"), id="a"))
        await story.until("log 3")
        assert "entry 1," in story.told


async def test_the_text_keeps_its_place_when_the_file_changes(tmp_path: Path) -> None:
    scope = "\n".join(f"- thing number {n}" for n in range(60))
    root = a_repository(tmp_path / "r", {"a": a_task(id="a", scope=scope)})
    async with seated(root) as story:
        await open_task(story, "a")
        await story.until("thing number 3")
        await story.press("pagedown")
        await story.until("thing number 25")
        first = story.rows[2]
        _write(root, a_task(work("dev-1"), id="a", scope=scope))
        await story.until("log 1")
        assert story.rows[2] == first


async def test_a_task_that_is_archived_meanwhile_stays_open_and_says_so(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await open_task(story, RETRY)
        store = root / ".ai-tasks"
        (store / f"{RETRY}.md").rename(store / "archive" / f"{RETRY}.md")
        await story.until(f"{RETRY} left the board: archived")
        await story.until("━ archived ━")
        await story.press("c")
        await story.until("copy: submit-retry-loop is archived")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_tabs_turn_by_key_arrow_and_mouse(tmp_path: Path, size: tuple[int, int]) -> None:
    async with seated(a_repository(tmp_path / "r"), size) as story:
        await open_task(story, RETRY)
        await story.press("right")
        await story.until("[log 6]")
        await story.press("T")
        await story.until("[task]")
        await story.pilot.click("#task PaneHeader", offset=(story.rows[1].index("raw") + 1, 0))
        await story.until("[raw]")
        await story.until("1 ---")
        await story.press("escape")
        await story.until("tasks 7")


async def test_the_exact_id_or_sid_is_copied(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await open_task(story, RETRY)
        await story.press("y")
        await story.until("not copied")
        kept = [path.read_bytes() for path in Path.home().rglob("kept/*.md")]
        assert kept == [RETRY.encode()]


def _marked(story: Story) -> str:
    """The line of the exact text that the cursor marks."""
    raw = story.top.query_one(Exact)
    return raw.exact_text.split("\n")[raw.exact_line]


def _write(root: Path, data: bytes) -> None:
    """As agents save: a new file put in the place of the old one."""
    new = root / ".ai-tasks" / ".a.tmp"
    new.write_bytes(data)
    new.replace(root / ".ai-tasks" / "a.md")
