"""The prompt screen: what exactly goes out, and why it may not."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from mandrel_tui.ui.screens.prompt import PromptScreen
from tests.builders import a_task
from tests.stories.seat import Story, a_repository, seated

RETRY = "2026-08-17-submit-retry-loop"
STALL = "2026-08-16-stall-detection"
FIFO = "2026-08-19-fifo-drain"
LABELS = "2026-08-21-metrics-labels"


async def open_prompt(story: Story, name: str) -> PromptScreen:
    """The prompt screen of a task, assembled or refused."""
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("p")
    await story.until("what goes out")
    screen = story.top
    assert isinstance(screen, PromptScreen)
    await story.until(lambda: screen.sheet is not None)
    return screen


def kept() -> list[bytes]:
    """The texts that were kept as private files."""
    return [path.read_bytes() for path in Path.home().rglob("kept/*.md")]


async def test_the_outline_the_text_and_the_digest_are_of_the_same_bytes(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        screen = await open_prompt(story, RETRY)
        assert screen.sheet is not None and screen.sheet.prompt is not None
        data = screen.sheet.prompt.data
        assert "review, final gate, 2 sessions pending" in story.text
        assert f"{len(data):,} bytes" in story.told
        assert sha256(data).hexdigest()[:8] in story.told
        assert screen.preview.exact_text == data.decode()
        assert "review-invocation" in story.text
        await story.press("c")
        await story.until(lambda: kept())
        assert kept() == [data]


async def test_a_form_without_a_place_for_a_sid_says_so(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_prompt(story, LABELS)
        await story.until("sid from the hook line")
        await story.press("f")
        await story.until("━ form ━")
        await story.press("down", "enter")
        await story.until("contract f")
        await story.until("sid none, it has no place for one")


async def test_every_fault_of_a_contract_set_can_be_read(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    gone = ("intake", "conduct", "review", "plan", "dev-advancement", "dev-remediation")
    for name in gone:
        (root / f".ai-protocol/protocols/{name}.md").unlink()
    async with seated(root) as story:
        story.board.tasks.go(LABELS)
        await story.press("c")
        await story.until("nothing is copied: 6 faults, all in the preview; p shows it")
        screen = await open_prompt(story, LABELS)
        await story.until("✗ 6 faults, all in the preview")
        assert all(f"protocols/{name}.md" in screen.preview.exact_text for name in gone)
        await story.until("protocols/conduct.md")
        await story.press("c")
        await story.until("copy: 6 faults, all in the preview")


async def test_the_preview_follows_the_outline(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        screen = await open_prompt(story, RETRY)
        await story.press("G")
        await story.until(lambda: screen.preview.exact_line > 0)
        prompt = screen.sheet and screen.sheet.prompt
        assert prompt is not None
        before = b"".join(part.data for part in prompt.parts[:-1])
        assert screen.preview.exact_line == before.count(b"\n")


async def test_a_ruling_owed_is_the_first_row_and_copying_is_refused(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, STALL)
        assert "! a ruling: group b3aa90fe" in screen.outline.rows[0].left[0][0]
        await story.press("c")
        await story.until("copy: it waits for a ruling")
        assert kept() == []


async def test_a_ruling_written_here_goes_out_with_this_prompt(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, STALL)
        await story.press("a")
        await story.until("ruling: stall-detection")
        await story.type("F2 stands")
        await story.press("ctrl+o")
        await story.until("your ruling goes with it")
        await story.press("home")
        await story.until("remediation; ruling given 14:31, not yet in the log")
        assert "you owe" not in story.told
        assert screen.sheet is not None and screen.sheet.prompt is not None
        assert b"F2 stands" in screen.sheet.prompt.data
        await story.press("c")
        await story.until(lambda: kept())
        assert b"F2 stands" in kept()[0]


async def test_a_draft_of_a_ruling_is_kept_and_an_empty_one_gives_nothing(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await open_prompt(story, STALL)
        await story.press("a")
        await story.until("an empty text gives nothing")
        await story.press("ctrl+o")
        await story.type("Drop it")
        await story.press("escape")
        await story.until(lambda: "ctrl+o give" not in story.told)
        await story.press("a")
        await story.until("Drop it")


async def test_going_on_without_a_ruling_is_a_choice_by_hand(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, STALL)
        await story.press("space")
        await story.until("without a ruling")
        await story.press("G", "enter")
        await story.until(lambda: screen.sheet is not None and screen.sheet.prompt is not None)
        assert screen.request.without_ruling


async def test_another_form_is_another_text(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, LABELS)
        await story.press("f")
        await story.until("headless")
        await story.press("G", "enter")
        line = f"/invoke dev-advancement {LABELS}"
        await story.until(lambda: screen.preview.exact_text.startswith(line))


async def test_roles_that_are_not_legal_say_why_and_cannot_be_chosen(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, LABELS)
        await story.press("o", "j", "j")
        await story.until("cannot: No session has written here yet")
        await story.press("enter", "escape")
        assert screen.request.kind is None
        await story.press("o")
        await story.press("j", "j", "j", "enter")
        await story.until("─ plan gate: metrics-labels")
        await story.press("enter")
        await story.until("prompt: metrics-labels, plan")


async def test_the_choice_of_a_role_begins_on_the_role_that_is_shown(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await open_prompt(story, RETRY)
        await story.until("review, final gate")
        await story.press("o")
        await story.until("› review")


async def test_saving_asks_for_a_path_and_before_it_replaces_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    target.write_bytes(b"mine")
    async with seated(a_repository(tmp_path / "r")) as story:
        screen = await open_prompt(story, RETRY)
        await _save_as(story, str(target))
        await story.until("is there already")
        await story.press("enter")
        await story.until(lambda: "is there already" not in story.told)
        assert target.read_bytes() == b"mine"
        await _save_as(story, str(target))
        await story.until("is there already")
        await story.press("y")
        await story.until("saved")
        assert screen.sheet is not None and screen.sheet.prompt is not None
        assert target.read_bytes() == screen.sheet.prompt.data


async def _save_as(story: Story, path: str) -> None:
    await story.press("s")
    await story.until("Write the exact bytes")
    await story.press("ctrl+u")
    await story.type(path)
    await story.press("enter")


async def test_a_changed_task_is_assembled_again_with_the_place_kept(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (80, 24)) as story:
        screen = await open_prompt(story, LABELS)
        await story.press("j", "j", "j")
        key = screen.outline.key
        (root / ".ai-tasks" / f"{LABELS}.md").write_bytes(
            a_task(id=LABELS, status="pending", est="2/7")
        )
        await story.until("assembled again 14:31, the task changed")
        await story.until(lambda: "2/7" in screen.preview.exact_text)
        assert screen.outline.key == key


async def test_a_contract_that_differs_from_the_receipt_is_confirmed_first(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    path = ".ai-protocol/protocols/review.md"
    receipt = {"deployed_files": [{"target_relative_path": path, "canonical_sha256": "0" * 64}]}
    (root / ".ai-deploy-lock.json").write_text(json.dumps(receipt))
    async with seated(root, (120, 40)) as story:
        await open_prompt(story, RETRY)
        await story.until("✗ .ai-protocol/protocols/review.md differs from .ai-deploy-lock.json")
        await story.press("c")
        await story.until("contract differs from the receipt")
        await story.press("escape")
        await story.until(lambda: "[ Leave it" not in story.text)
        assert kept() == []
        await story.press("c")
        await story.until("contract differs from the receipt")
        await story.press("y")
        await story.until(lambda: kept())


async def test_a_broken_contract_set_opens_the_board_and_refuses_with_the_list(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai-protocol" / "protocols" / "plan.md").unlink()
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("c copies nothing now: .ai-protocol/protocols/plan.md")
        await open_prompt(story, LABELS)
        await story.until("✗ .ai-protocol/protocols/plan.md")


async def test_a_prompt_is_copied_as_the_task_is_now_not_as_it_was_shown(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        story.board.tasks.go(FIFO)
        await story.until("c copies")
        story.app.reader.stop()  # the board is as it was; the file is not
        (root / ".ai-tasks" / f"{FIFO}.md").write_bytes(
            a_task(id=FIFO, status="blocked", blockers="[external:wait]")
        )
        await story.press("c")
        await story.until("nothing is copied: only your answer is legal")
        assert kept() == []
