"""Receipts, looked at: what was handed over, the proof of its bytes, and where two texts part."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.resources import bundled
from mandrel_tui.ui.screens.exact import ExactScreen
from mandrel_tui.ui.screens.receipts import ReceiptsScreen
from mandrel_tui.workspace.workspace import Workspace
from tests.builders import a_task
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import NOW, Story, a_repository, seated
from tests.stories.stage import cells

LABELS = "2026-08-21-metrics-labels"
RETRY = "2026-08-17-submit-retry-loop"


def sent(root: Path, *names: str) -> list[bytes]:
    """The bytes of prompts that were handed over, in order."""
    from mandrel_tui.protocol.prompt import PromptRequest

    workspace = Workspace(root, bundled("contracts"), lambda: NOW)
    made = [workspace.prompt(PromptRequest(name)) for name in names]
    for prompt in made:
        assert workspace.hand_over(prompt, "clipboard", "copy", "xclip").note == ""
    return [prompt.data for prompt in made]


async def opened(story: Story, name: str, seen: str) -> ReceiptsScreen:
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("r")
    await story.until(seen)
    screen = story.top
    assert isinstance(screen, ReceiptsScreen)
    return screen


async def test_a_copied_prompt_has_a_receipt_that_is_proved_and_shows_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        await opened(story, LABELS, "Nothing was handed over. f shows those of every task.")
        await story.press("d")
        await story.until("compare: nothing was handed over")
        await story.press("escape", "c")
        await story.until("with xclip")
        await opened(story, LABELS, "receipts 1 of metrics-labels")
        await story.until("proof ✓ the kept bytes have this digest, computed again 14:31")
        size = len(clipboard.read_bytes())
        assert f"{size:,} bytes sha256" in story.told
        assert "dev, advancement, interactive copied with xclip" in story.told
        await story.press("enter")
        await story.until(lambda: isinstance(story.top, ExactScreen))
        assert story.top.text.exact_text.encode() == clipboard.read_bytes()  # type: ignore[attr-defined]


async def test_a_follow_up_is_listed_by_its_own_name(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    sent(root, LABELS)
    workspace = Workspace(root, bundled("contracts"), lambda: NOW)
    task = workspace.task(LABELS)
    workspace.hand_followup(task, "violation-fix", b"Mend it.", "clipboard", "copy", "xclip")
    async with seated(root, (120, 40)) as story:
        await opened(story, LABELS, "receipts 2 of metrics-labels")
        await story.until("› 14:31 violation-fix copied with xclip")
        assert "14:31 dev, advancement copied with xclip" in story.told


async def test_bytes_that_were_changed_since_prove_nothing_and_are_not_shown(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    sent(root, LABELS)
    workspace = Workspace(root, bundled("contracts"), lambda: NOW)
    (one,) = workspace.handovers.trail(LABELS).handovers
    workspace.handovers.blobs.path(one.sha256).write_bytes(b"others")
    async with seated(root) as story:
        await opened(story, LABELS, "✗ the kept bytes are lost or are others")
        await story.press("enter")
        await story.until("the kept bytes are lost or are others: metrics-labels, dev")
        assert isinstance(story.top, ReceiptsScreen)
        await story.press("d", "enter")
        await story.until("not compared: the kept bytes are lost or are others")


async def test_a_receipt_is_held_against_what_would_be_assembled_now(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (before,) = sent(root, LABELS)
    async with seated(root, (120, 40)) as story:
        await opened(story, LABELS, "receipts 1 of metrics-labels")
        await story.press("d")
        await story.until("what would be assembled now")
        await story.press("enter")
        await story.until("They are the same, byte for byte.")
        await story.press("escape")
        blocked = a_task(id=LABELS, status="blocked", blockers="[external:when?]")
        (root / f".ai-tasks/{LABELS}.md").write_bytes(blocked)
        await story.until("metrics-labels returned, unchecked")
        await story.press("d", "enter")
        await story.until("not compared: ")
    assert b"Advancement contract" in before


async def test_two_receipts_part_at_their_first_byte(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    first, second = sent(root, LABELS, RETRY)
    at = next(n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    async with seated(root, (120, 40)) as story:
        screen = await opened(story, LABELS, "receipts 1 of metrics-labels")
        await story.press("f")
        await story.until("receipts 2 ━")
        assert len(screen.rows.rows) == 2
        await story.press("d")
        await story.until("compare with")
        await story.press("down", "enter")
        await story.until(f"The first byte that differs: byte {at + 1:,}, line")
        await story.press("escape", "f")
        await story.until("receipts 1 of metrics-labels")


@pytest.mark.parametrize("symbols", ["unicode", "ascii"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_they_fit_every_size(tmp_path: Path, size: tuple[int, int], symbols: str) -> None:
    root = a_repository(tmp_path / "r")
    sent(root, LABELS, RETRY)
    async with seated(root, size, symbols=symbols) as story:
        await opened(story, RETRY, "receipts 1 of submit-retry-loop")
        await story.press("f")
        await story.until("the kept bytes have this digest")
        assert set(cells(story.app)) == {size[0]}
        assert symbols == "unicode" or story.text.isascii()
        await story.press("d", "down", "enter")
        await story.until("The first byte that differs")
        assert set(cells(story.app)) == {size[0]}
        await story.press("w")
        assert set(cells(story.app)) == {size[0]}
