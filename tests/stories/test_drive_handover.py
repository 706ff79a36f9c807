"""What went out: recorded when it left, shown until its session is back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import a_task, review, work
from tests.conftest import RunCli
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, a_repository, seated

LABELS = "2026-08-21-metrics-labels"
RETRY = "2026-08-17-submit-retry-loop"
ADVANCED = a_task(
    work("4be0c7d2-1", after="in_progress", date="2026-08-22"),
    id=LABELS,
    status="in_progress",
    est="1/3",
    claimed_by="4be0c7d2-1@2026-08-22T14:31:00Z",
)


async def test_a_copied_prompt_is_out_until_its_session_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("c")
        await story.until("with xclip")
        await story.until("out 0m: dev, advancement")
        assert "Copied with xclip, 14:31; " in story.told
        assert "0/3 ▱▱▱  metrics-labels             out 0m" in story.text
        await story.press("k")
        await story.until("out metrics-labels since 14:31, copied with xclip")
        assert b"Advancement contract" in clipboard.read_bytes()
    async with seated(root, (120, 40)) as story:
        await story.until("out metrics-labels since 14:31, copied with xclip")
        path, heading = root / f".ai-tasks/{LABELS}.md", ADVANCED.index(b"4be0c7d2-1 / (")
        path.write_bytes(ADVANCED[: heading + 5])
        await story.until("metrics-labels returned, unchecked; v runs the checks")
        path.write_bytes(ADVANCED)
        await story.until("1/3 ▰▱▱ metrics-labels !check")
        story.board.tasks.go(LABELS)
        await story.until("Line 27: an entry of 4be0c7d2-1.")
        await story.until("returned 14:31, unchecked")
        await story.until("By the file the turn is review, interim, rule 4.")


async def test_a_clipboard_that_does_not_answer_is_named_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, _ = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch, first="sleep 60")
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("c")
        await story.until("xclip gave no answer within 2 s")
        said = [result.text for result in story.app.results.rows]
        assert "copying: xclip has not answered yet" in said


async def test_a_prompt_that_reached_no_clipboard_is_not_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    async with seated(a_repository(tmp_path / "r")) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("c")
        await story.until("not copied")
        await story.press("f5")
        await story.until("0/3 metrics-labels dev")


async def test_a_session_that_is_out_owes_nothing_and_a_claim_alone_brings_none_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "r")
    a_clipboard(tmp_path, monkeypatch)
    async with seated(root) as story:
        before = len(story.app.facts.items)
        story.board.tasks.go(RETRY)
        await story.until("c copies")
        await story.press("c")
        await story.until("out 0m")
        path = root / f".ai-tasks/{RETRY}.md"
        path.write_bytes(path.read_bytes().replace(b"9b02f4d1-1@", b"c0ffee00-1@"))
        await story.until(lambda: story.app.facts.changed)
        assert "out 0m" in next(row for row in story.rows if "submit-retry-loop" in row)
        assert len(story.app.facts.items) == before
        gate = review(
            "9b02f4d1-1", "c0ffee00-1", before="final_review", after="completed", date="2026-08-22"
        )
        path.write_bytes(
            TASKS[RETRY].replace(b"status: final_review", b"status: completed") + gate.encode()
        )
        await story.until(lambda: len(story.app.facts.items) == before + 2)
        kinds = {item.kind for item in story.app.facts.items if item.task == RETRY}
        assert kinds == {"check", "close"}


async def test_a_status_is_written_as_the_file_has_it_and_its_arrow_in_ascii(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "r")
    a_clipboard(tmp_path, monkeypatch)
    async with seated(root, symbols="ascii") as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("c")
        await story.until("out 0m")
        path = root / f".ai-tasks/{LABELS}.md"
        path.write_bytes(path.read_bytes().replace(b"status: pending", b"status: blocked"))
        await story.until("Status pending -> blocked. v runs")
        assert "→" not in story.text


async def test_what_was_copied_and_not_used_is_taken_back_and_its_receipt_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    root = a_repository(tmp_path / "r")
    a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("c")
        await story.until("out 0m")
        await story.press("space")
        await story.until("━ metrics-labels ━")
        await story.press("pagedown", "pagedown")
        for _ in range(20):
            if "What was copied or saved went nowhere" in story.text:
                break
            await story.press("up")
        await story.until("What was copied or saved went nowhere")
        await story.press("enter")
        await story.until("nobody is out with it; the receipt stays")
        await story.until("dev, advancement rule 7")
        await story.press("r")
        await story.until("taken back: it was not used")
    (receipt,) = run_cli("receipts", LABELS, "--json", cwd=root).json
    assert receipt["unused"]
    assert "taken back: it was not used" in run_cli("receipts", cwd=root).text
    row = next(r for r in run_cli("board", "--json", cwd=root).json if r["task"] == LABELS)
    assert row["handover"] is None


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("~no-such-user/prompt.md", "the folder is not there"),
        (f".ai-tasks/{LABELS}.md", "a prompt would take the place of a task"),
    ],
)
async def test_a_prompt_that_cannot_be_saved_there_is_one_line(
    typed: str, said: str, tmp_path: Path
) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies")
        await story.press("p")
        await story.until("prompt: metrics-labels")
        await story.press("s")
        await story.until("Write the exact bytes")
        await story.press("ctrl+u")
        await story.type(typed)
        await story.press("enter")
        await story.until(said)
    assert (root / f".ai-tasks/{LABELS}.md").read_bytes() == TASKS[LABELS]
