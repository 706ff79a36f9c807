"""Rulings, answers and other messages: written on both sides of the matter, kept, given on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import a_task, review, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, Story, a_repository, seated
from tests.stories.stage import cells

STALL = "2026-08-16-stall-detection"
CACHE = "2026-08-20-idempotency-cache"
RETRY = "2026-08-17-submit-retry-loop"
STALLED = "2026-08-18-gate-without-verdict"


async def decide(story: Story, name: str, title: str) -> None:
    """Open what a task asks to be decided."""
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("a")
    await story.until(f"━ {title}: ")


async def test_a_ruling_is_written_below_the_banner_and_both_sides(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await decide(story, STALL, "ruling")
        assert "F2 a barrier that fires twice is dropped, not merged" in story.told
        assert "─ dev b3aa90fe-3, entry 5, Done, line" in story.text
        assert "━ your ruling, 0 bytes" in story.text
        await story.press("ctrl+o")
        await story.until("an empty text gives nothing")
        await story.type("Drop it; F2 stands.")
        await story.until("━ your ruling, 19 bytes")
        await story.press("ctrl+o")
        await story.until("the ruling is given: it goes out with the next prompt")
        await story.until("ruling given 14:31, not yet in the log: Drop it; F2 stands.")
        assert "You owe nothing." in story.told
        assert "!rule" not in story.text
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(STALL)
        await story.until("ruling given 14:31, not yet in the log: Drop it; F2 stands.")
        await story.press("p")
        await story.until("✓ your ruling goes with it")
        assert "Drop it; F2 stands." in story.top.preview.exact_text


async def test_what_was_typed_is_kept_when_the_dialog_is_left_and_over_a_restart(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await decide(story, STALL, "ruling")
        await story.type("Half a")
        await story.press("escape")
        await story.until("the draft is kept")
    async with seated(root) as story:
        await decide(story, STALL, "ruling")
        await story.until("Half a")
        await story.type(" thought")
        # No key for a moment: the draft is stored while the dialog is open.
        await story.until(lambda: any(b"Half a thought" in data for data in drafts()))
        assert not any("inbox 3" in row for row in story.rows)


def drafts() -> list[bytes]:
    return [path.read_bytes() for path in Path.home().rglob("draft-*.json")]


async def test_a_given_ruling_is_edited_and_withdrawn_until_a_session_worked_by_it(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await decide(story, STALL, "ruling")
        await story.type("First")
        await story.press("ctrl+o")
        await story.until("not yet in the log: First")
        await decide(story, STALL, "ruling")
        await story.until("given 14:31, not yet in the log")
        await story.type(", then second")
        await story.press("ctrl+o")
        await story.until("not yet in the log: First, then second")
        await decide(story, STALL, "ruling")
        await story.press("f8")
        await story.until("withdraw the ruling")
        await story.press("enter")
        await story.until("the ruling is withdrawn")
        await story.until("You owe a ruling")
        await decide(story, STALL, "ruling")
        await story.type("Third")
        await story.press("ctrl+o")
        await story.until("not yet in the log: Third")
        path = root / f".ai-tasks/{STALL}.md"
        fix = work("fix-1", before="in_progress", date="2026-08-22")
        path.write_bytes(path.read_bytes() + b"\n" + fix.encode())
        await story.until("─ log 7")
        await decide(story, STALL, "ruling")
        await story.until("in the log; fresh prompts carry it")
        await story.press("f8", "enter")
        await story.until("a session worked by the")


async def test_going_on_without_a_ruling_is_a_choice_by_hand(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await decide(story, STALL, "ruling")
        await story.press("f8")
        await story.until("the prompt without a ruling")
        await story.press("enter")
        await story.until("~ without a ruling")
        await story.press("a")
        await story.until("━ ruling: ")
        await story.type("After all")
        await story.press("ctrl+o")
        await story.until("✓ your ruling goes with it")


async def test_a_stalled_gate_sends_the_ruling_with_a_fresh_review(tmp_path: Path) -> None:
    gate = review("dev-1", before="final_review", after="final_review", verdict=None)
    stalled = a_task(
        work("dev-1", after="final_review"), gate, id=STALLED, status="final_review", est="1/1"
    )
    async with seated(a_repository(tmp_path / "r", {STALLED: stalled}), (120, 40)) as story:
        await decide(story, STALLED, "ruling")
        await story.until("Stored, and goes out with the next review prompt.")
        await story.type("Pass it.")
        await story.press("ctrl+o")
        await story.until("gate")
        await story.press("p")
        await story.until("✓ your ruling goes with it")
        assert "Pass it." in story.top.preview.exact_text


async def test_an_answer_is_shown_as_the_message_it_becomes_before_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        await decide(story, CACHE, "answer")
        assert "blocked-resume for the same conversation 51fe7730" in story.told
        await story.type("Yes, with a second field.")
        await story.press("ctrl+o")
        await story.until("ctrl+o copy")
        assert "Yes, with a second field." in story.text
        assert not clipboard.exists()
        await story.press("escape")
        await story.until("━ your answer, 25 bytes")
        await story.press("ctrl+o")
        await story.until("ctrl+o copy")
        await story.press("ctrl+o")
        await story.until("with xclip")
        assert b"Yes, with a second field." in clipboard.read_bytes()
        await story.until("out 0m: blocked-resume")
        assert "!answer" not in story.text
        await decide(story, CACHE, "answer")
        await story.until("━ your answer, 0 bytes")


async def test_a_task_that_changed_meanwhile_is_said_and_the_text_is_kept(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await decide(story, CACHE, "answer")
        await story.type("Yes")
        (root / f".ai-tasks/{CACHE}.md").write_bytes(
            TASKS[CACHE]
            .replace(b"status: blocked", b"status: in_progress")
            .replace(b"[external:may the server mark a decision executed?]", b"[]")
        )
        await story.until("The task changed at 14:31")
        assert "━ your answer, 3 bytes" in story.text
        await story.press("ctrl+o")
        await story.until("no answer and no ruling is owed")
        assert any(b"Yes" in data for data in drafts())


async def test_a_ruling_whose_review_is_gone_is_offered_again(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await decide(story, STALL, "ruling")
        await story.type("Stop")
        await story.press("ctrl+o")
        await story.until("not yet in the log: Stop")
        path = root / f".ai-tasks/{STALL}.md"
        path.write_bytes(path.read_bytes().replace(b"/ rev3 /", b"/ rev4 /"))
        await story.until("You owe a ruling")
        await decide(story, STALL, "ruling")
        await story.until("given 14:31 on a review that is gone: give it again")
        assert "━ your ruling, 4 bytes" in story.text
        await story.press("ctrl+o")
        await story.until("not yet in the log: Stop")


async def test_another_review_meanwhile_is_shown_before_a_ruling_binds_it(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await decide(story, STALL, "ruling")
        await story.type("Stop")
        path = root / f".ai-tasks/{STALL}.md"
        more = (
            work("fix-9", before="in_progress", date="2026-08-22")
            + "\n"
            + review(
                "fix-9", "rev-9", verdict="changes-requested", group="b3aa90fe-1", date="2026-08-22"
            )
        )
        path.write_bytes(path.read_bytes() + b"\n" + more.encode())
        await story.until("The task changed at 14:31")
        await story.press("ctrl+o")
        await story.until("another review came meanwhile: it is shown now")
        assert "━ your ruling, 4 bytes" in story.text
        assert "dev fix-9, entry 7, Done" in story.told
        await story.press("ctrl+o")
        await story.until("not yet in the log: Stop")


async def test_a_session_whose_context_is_full_is_told_to_wrap_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(RETRY)
        await story.press("space")
        await story.until("━ submit-retry-loop ━")
        await story.press("end")
        await story.until("message: wrap up")
        await story.until("Its context is full")
        await story.press("enter")
        await story.until("━ wrap up: submit-retry-loop")
        await story.press("ctrl+o")
        await story.until("ctrl+o copy")
        await story.press("ctrl+o")
        await story.until(lambda: clipboard.exists() and b"9b02f4d1-1" in clipboard.read_bytes())


async def test_enter_in_the_inbox_opens_the_decision_and_the_next_item_follows(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f3")
        await story.until("━ inbox 4")
        await story.press("G", "enter")
        await story.until("━ ruling: stall-detection")
        await story.type("Drop it")
        await story.press("ctrl+o")
        await story.until("━ inbox 3")
        await story.until("─ completed")


async def test_the_editor_gets_the_same_text_and_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, script = a_repository(tmp_path / "r"), tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf " and more" >> "$1"\n')
    script.chmod(0o755)
    async with seated(root) as story:
        story.app.settings = type(story.app.settings)(editor=str(script))
        await decide(story, STALL, "ruling")
        await story.type("Some")
        await story.press("ctrl+t")
        await story.until("Some and more")
        script.write_text("#!/bin/sh\nexit 3\n")
        await story.press("ctrl+t")
        await story.until(lambda: "discarded" in str(story.app.results.rows[-1].text))
        assert "Some and more" in story.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_decision_is_at_most_sixty_by_eighteen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(a_repository(tmp_path / "r"), size) as story:
        story.board.tasks.go(STALL)
        await story.press("a")
        await story.until("━ your ruling, 0 bytes")
        assert set(cells(story.app)) == {size[0]}
        box = [row for row in story.rows if set(row) & set("┏┃┗")]
        assert len(box) <= 18
        assert "ctrl+o give" in story.text and "Esc draft" in story.text


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24)])
async def test_an_answer_to_much_that_is_open_keeps_its_keys_in_sight(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    asked = a_task(
        work("51fe7730-1", after="blocked", open="Is a second field acceptable? " * 30),
        id=CACHE,
        status="blocked",
        blockers="[external:may the server mark a decision executed?]",
        claimed_by="51fe7730-1@2026-08-20T12:31:00Z",
    )
    async with seated(a_repository(tmp_path / "r", {CACHE: asked}), size) as story:
        await story.press("a")
        await story.until("an empty text gives nothing")
        await story.until("conversation 51fe7730; shown")
        box = [row for row in story.rows if set(row) & set("┏┃┗")]
        assert len(box) <= min(18, size[1]) and "ctrl+o show" in story.text and "┗" in box[-1]
        assert story.text.count("external:may") == 1


async def test_a_question_that_no_session_asked_leads_to_the_key_that_frees_the_task(
    tmp_path: Path,
) -> None:
    mine = a_task(id=CACHE, status="blocked", blockers="[external:may it?]", claimed_by=None)
    async with seated(a_repository(tmp_path / "r", {CACHE: mine})) as story:
        await story.until("You owe an answer: b frees the task, no session takes an answer.")
        await story.press("a")
        await story.until("idempotency-cache: b on the board frees it: no session takes an answer")
