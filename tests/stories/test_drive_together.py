"""The app beside other writers: what it shows disturbs nobody, what it writes loses nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.builders import a_task
from tests.conftest import RunCli
from tests.stories.seat import a_repository, seated

LABELS = "2026-08-21-metrics-labels"
HEAD = "# Active tasks\n\n| Task | Status | Title |\n|---|---|---|\n"
OURS = "2026-08-22-our-own-wish"


async def test_two_instances_and_an_agent_write_the_index_and_no_row_is_lost(
    tmp_path: Path, run_cli: RunCli
) -> None:
    root = a_repository(tmp_path / "r")
    index = root / ".ai-tasks/index.md"
    index.write_text(f"{HEAD}| {LABELS} | pending | Every series carries its region |\n")
    async with seated(root, (120, 40)) as one, seated(root, (120, 40)) as other:
        for story, title in ((one, "Our own wish"), (other, "Quite another matter")):
            await story.press("n")
            await story.until("━ new task ━")
            await story.type(title)
            await story.press("ctrl+o")
            await story.until("ctrl+o write")
        # Both have shown what they would write; an agent and the command line write first.
        index.write_text(index.read_text() + "| agents-own | pending | By hand |\n")
        made = run_cli("new", "--title", "Third of them", "--yes", cwd=root)
        assert made.code == 0, made.said
        for story in (one, other):
            await story.press("ctrl+o")
            await story.until("u takes it back")
        rows = [row.split("|")[1].strip() for row in index.read_text().split("\n")[4:] if row]
        assert len(rows) == len(set(rows)) == 5
        assert {LABELS, "agents-own", OURS, "2026-08-22-quite-another-matter"} < set(rows)
        assert (root / f".ai-tasks/{OURS}.md").exists()


async def test_a_hundred_commits_beside_the_open_app_all_succeed(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    script = (
        "for n in $(seq 100); do echo $n > file && git add file && "
        "git commit --quiet -m $n || exit 1; done"
    )
    async with seated(root, (120, 40)) as story:
        commits = subprocess.Popen(["sh", "-c", script], cwd=root, stderr=subprocess.PIPE)
        while commits.poll() is None:
            await story.press("f5")
        assert commits.stderr is not None
        assert (commits.returncode, commits.stderr.read()) == (0, b"")
    count = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=root, capture_output=True)
    assert int(count.stdout) == 101


async def test_a_task_that_is_written_in_two_halves_raises_no_alarm_and_loses_nothing(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    path = root / f".ai-tasks/{LABELS}.md"
    entry = (
        "\n### 2026-08-22 / 4be0c7d2-1 / (pending → in_progress)\n"
        "- Done: The slice.\n- Next: none\n- Open: none\n"
    ).encode()
    whole = a_task(id=LABELS, status="in_progress", est="1/3") + entry
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        for size in (len(whole) - len(entry) // 2, len(whole) - 20, len(whole)):
            path.write_bytes(whole[:size])
            await story.until(lambda wanted=whole[:size]: _shown(story) == wanted)
        await story.until("─ log 1")
        row = story.board.row
        assert row is not None
        assert [d.rule for d in row.diagnostics if d.rule == "log-rewritten"] == []
        assert "log-rewritten" not in {item.cause for item in story.app.facts.items}


def _shown(story: object) -> bytes:
    row = story.board.row  # type: ignore[attr-defined]
    return row.task.text.encode() if row is not None and row.task is not None else b""
