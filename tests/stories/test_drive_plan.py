"""The plan gate: rounds with a plan session, and the one act that lets its plan through."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.ui.screens.gate import GateScreen
from tests.builders import a_task, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, Story, a_repository, seated
from tests.stories.stage import cells

LABELS = "2026-08-21-metrics-labels"
FIFO = "2026-08-19-fifo-drain"
ONE = (
    "Sure, here it is.\n\n## Goal / Acceptance\n- every series has region and shard\n- names stay\n"
)
TWO = "## Goal / Acceptance\n- every series has region; shard\n  stays internal\n- names stay\n"


async def open_gate(story: Story, name: str = LABELS) -> GateScreen:
    """The plan gate of a task, by way of its prompt."""
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("p")
    await story.until("what goes out")
    await story.press("o")
    await story.until("━ role")
    while "› plan" not in story.text:
        await story.press("down")
    await story.press("enter")
    await story.until("─ plan gate: ")
    screen = story.top
    assert isinstance(screen, GateScreen)
    return screen


async def give_feedback(story: Story, text: str) -> None:
    """Write feedback and copy the message it becomes."""
    await story.press("e")
    await story.until("━ your feedback, 0 bytes")
    await story.type(text)
    await story.press("ctrl+o")
    await story.until("ctrl+o copy")
    await story.press("ctrl+o")


async def take(story: Story, reply: str, folder: Path) -> None:
    """Take a reply in from a file."""
    path = folder / "reply.md"
    path.write_text(reply)
    await story.press("i")
    await story.until("━ take the reply in")
    await story.press("down", "enter")
    await story.until("The file that holds it")
    await story.type(str(path))  # instead of the folder that stands there
    await story.press("enter")
    await story.until("ctrl+o adopt")


async def first_reply(story: Story, folder: Path) -> None:
    """Copy the plan prompt, take the first reply in and adopt it."""
    await story.press("c")
    await story.until("with xclip")
    await take(story, ONE, folder)
    await story.press("ctrl+o")
    await story.until("first reply, adopted")


async def test_a_reply_is_shown_as_what_it_would_become_before_it_is_adopted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await story.until("No reply yet. c copies the plan prompt, i takes the reply.")
        await story.press("a")
        await story.until("approve: there is no plan yet")
        await story.press("c")
        await story.until(lambda: clipboard.exists())
        await story.until("with xclip")
        await take(story, ONE, tmp_path)
        assert "Becomes report 1" in story.text
        assert "the text above it" in story.told
        await story.press("escape")
        await story.until("The file that holds it")
        await story.press("escape")
        await story.until(lambda: "The file that holds it" not in story.text)
        assert "No reply yet." in story.text
        await take(story, ONE, tmp_path)
        await story.press("ctrl+o")
        await story.until("the reply is taken in")
        await story.until("› 1 14:31 first reply, adopted ~")
        assert "Sure, here it is" not in story.text
        assert "~ 14:31 the reply began before its `## Goal / Acceptance` line" in story.told
        assert "Approving hands report 1 and your answer to a fresh dev session" in story.told


async def test_rounds_are_compared_and_the_approved_plan_alone_goes_into_the_dev_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await first_reply(story, tmp_path)
        await give_feedback(story, "Keep the shard internal.")
        await story.until(lambda: b"Keep the shard internal." in clipboard.read_bytes())
        await story.until("your feedback, 24 bytes")
        await take(story, TWO, tmp_path)
        assert "instead of report 1" in story.text
        await story.press("ctrl+o")
        await story.until("› 2 14:31 revised, replaces 1")
        await story.press("d")
        await story.until("report 2 against 1")
        assert "-- every series has region and shard" in story.text
        assert "+- every series has region; shard" in story.text
        await story.press("f3")
        await story.until("! plan metrics-labels report 2 waits for your")
    async with seated(root, (120, 40)) as story:
        assert "!plan" in story.text
        story.board.tasks.go(LABELS)
        await story.until("Report 2 waits for your approval or feedback.")
        assert "You owe nothing" not in story.told
        await story.press("p")
        await story.until("goes out without the plan that waits")
        await story.press("escape")
        await story.press("f3")
        await story.until("! plan metrics-labels")
        await story.press("slash")
        await story.type("report")
        await story.press("enter", "enter")
        await story.until("─ plan gate: metrics-labels, round 2")
        await story.press("a")
        await story.until("━ your answer, 0 bytes")
        await story.type("Yes, and name the label region.")
        await story.press("ctrl+o")
        await story.until("✓ the approved plan goes with it")
        text = story.top.preview.exact_text
        assert "every series has region; shard" in text
        assert "Yes, and name the label region." in text
        for kept_out in ("Sure, here it is", "region and shard", "Keep the shard internal."):
            assert kept_out not in text
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.until("plan approved 14:31, goes with the next dev prompt")
        await story.until("c copies")
        await story.press("c")
        await story.until("with xclip")
        sent = clipboard.read_bytes()
        assert b"every series has region; shard" in sent and b"Keep the shard" not in sent
        claim = "dev-7@2026-08-22T14:31:00Z"
        (root / f".ai-tasks/{LABELS}.md").write_bytes(
            a_task(work("dev-7"), id=LABELS, status="in_progress", claimed_by=claim)
        )
        await story.until("!check")
        await story.press("f3")
        await story.until("━ inbox")
        assert "plan" not in "".join(row[:14] for row in story.rows[2:8])


async def test_an_unchanged_or_unclear_reply_keeps_the_plan(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await take(story, ONE, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        await take(story, "I stay with it.\nPLAN-REPORT: unchanged\n", tmp_path)
        assert "Keeps report 1." in story.text
        await story.press("ctrl+o")
        await story.until("› 1 14:31 PLAN-REPORT: unchanged")
        await take(story, "Hm, maybe.", tmp_path)
        await story.press("ctrl+o")
        await story.until("› 1 14:31 not clear, kept ~")


async def test_a_pasted_reply_outlives_the_dialog(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await story.press("i")
        await story.until("paste or write it")
        await story.press("enter")
        await story.until("━ the reply, 0 bytes")
        await story.type("half a reply")
        await story.press("escape")
        await story.until("the draft is kept")
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await story.press("i")
        await story.until("paste or write it")
        await story.press("enter")
        await story.until("half a reply")
        await story.press("ctrl+o")
        await story.until("ctrl+o adopt")
        await story.press("ctrl+o")
        await story.until("first reply, adopted ~")


async def test_a_plan_for_another_state_of_the_task_is_approved_only_when_asked(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await take(story, TWO, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        path = root / f".ai-tasks/{LABELS}.md"
        path.write_bytes(TASKS[LABELS].replace(b"Another thing", b"Quite another thing"))
        await story.until("the plan is for the state of 14:31; approving asks")
        await story.press("a")
        await story.until("━ the plan is for another state")
        await story.press("enter")
        await story.until(lambda: "━ the plan is for another state" not in story.text)
        await story.press("a")
        await story.until("━ the plan is for another state")
        await story.press("y")
        await story.until("━ your answer, 0 bytes")
        await story.press("ctrl+o")
        await story.until("✓ the approved plan goes with it")
        assert "confirm" in story.top.preview.exact_text


async def test_an_approval_is_withdrawn_by_hand(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await take(story, TWO, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        await story.press("a")
        await story.until("━ your answer, 0 bytes")
        await story.press("ctrl+o")
        await story.until("✓ the approved plan goes with it")
        await story.press("escape")
        await story.until("report 1 approved 14:31; the next dev prompt carries it")
        await story.until("next metrics-labels: the dev prompt, which carries this plan")
        await story.press("i")
        await story.until("the plan is approved; Space withdraws that")
        await story.press("space")
        await story.until("withdraw the approval")
        await story.press("end", "enter")
        await story.until("the approval is withdrawn")
        await story.until("Approving hands report 1")


async def test_feedback_is_withdrawn_while_no_reply_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_clipboard(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await first_reply(story, tmp_path)
        await give_feedback(story, "Not so.")
        await story.until("your feedback, 7 bytes")
        await story.press("a")
        await story.until("its reply comes first, or Space withdraws it")
        await story.press("space")
        await story.until("withdraw your feedback")
        await story.press("end", "enter")
        await story.until("your feedback is withdrawn; e begins with its text")
        await story.until("Approving hands report 1")
        await story.press("e")
        await story.until("━ your feedback, 7 bytes")


async def test_a_warning_stands_beside_the_report_it_is_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_clipboard(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await first_reply(story, tmp_path)
        await story.until("~ 14:31 the reply began before its")
        await take(story, TWO, tmp_path)
        await story.press("ctrl+o")
        await story.until("› 2 14:31 revised, replaces 1")
        assert "the reply began before its" not in story.told
        await story.press("up")
        await story.until("~ 14:31 the reply began before its")


async def test_a_path_that_cannot_be_read_is_asked_for_again(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await story.press("i")
        await story.until("━ take the reply in")
        await story.press("down", "enter")
        await story.until("The file that holds it")
        await story.type(str(tmp_path / "reply.m"))
        await story.press("enter")
        await story.until("reply.m: not there")
        assert "The file that holds it" in story.text
        (tmp_path / "reply.md").write_text(TWO)
        await story.press("end")
        await story.type("d")
        await story.press("enter")
        await story.until("ctrl+o adopt")


async def test_approving_offers_no_changes_and_feedback_no_approval(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await take(story, TWO, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        await story.press("a")
        await story.until("━ your answer, 0 bytes")
        assert "what should change is feedback" in story.told
        assert "Answer confirm" not in story.told
        await story.press("escape")
        await story.until(lambda: "━ your answer" not in story.text)
        await story.press("e")
        await story.until("━ your feedback, 0 bytes")
        assert "Answer confirm" not in story.told
        await story.type("confirm")
        await story.press("ctrl+o")
        await story.until("`confirm` is no feedback")


async def test_remediation_skips_the_gate(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        story.board.tasks.go(FIFO)
        await story.until("c copies")
        await story.press("p")
        await story.until("what goes out")
        await story.press("o")
        await story.until("━ role")
        await story.press("down", "down", "down")
        await story.until("cannot: ")
        await story.press("enter")
        assert "plan gate: " not in story.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (50, 12)])
async def test_every_row_of_the_gate_fills_the_terminal(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(a_repository(tmp_path / "r"), size) as story:
        await open_gate(story)
        await take(story, ONE, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        assert set(cells(story.app)) == {size[0]}
