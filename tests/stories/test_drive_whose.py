"""Whose session it is: one that is out, or that nobody knows the id of, is never taken for the one
before it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import a_task, review, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, a_repository, seated
from tests.stories.stage import in_dialog
from tests.stories.test_drive_launch import an_agent, choose, launch
from tests.stories.test_drive_plan import LABELS, ONE, first_reply, open_gate, take


async def test_feedback_is_never_sent_into_the_conversation_of_another_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_clipboard(tmp_path, monkeypatch)
    agent = an_agent(tmp_path, monkeypatch)
    begun = a_task(work("dev-1", date="2026-08-21"), id=LABELS, est="1/3")
    root = a_repository(tmp_path / "r", {**TASKS, LABELS: begun})
    async with seated(root, (120, 40)) as story:
        await open_gate(story)
        await first_reply(story, tmp_path)
        await story.press("e")
        await story.until("━ your feedback, 0 bytes")
        assert "(id not known)" in story.told and "dev-1" not in story.told
        await story.type("Keep the shard internal.")
        await story.press("ctrl+o")
        await story.until("ctrl+o copy")
        await story.press("l")
        await story.until("━ send: metrics-labels, plan-feedback")
        await story.until(lambda: "theidofitsconversationisnotknown" in in_dialog(story.app))
        assert "--resume" not in story.told
        assert agent.calls == []


async def test_a_session_that_is_out_already_is_named_before_another_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard, agent = a_clipboard(tmp_path, monkeypatch), an_agent(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.press("c")
        await story.until(lambda: clipboard.exists())
        await story.until("out 0m")
        assert "out already" not in story.text
        await story.press("c")
        await story.until("out already since 14:31; copied")
        await choose(story, LABELS)
        await story.until(lambda: "!asessionhasbeenoutwithitsince" in in_dialog(story.app))
        await story.press("ctrl+o")
        await story.until("━ sure?")
        await story.press("enter")
        await story.until(lambda: "━ sure?" not in story.text)
        assert agent.calls == []


async def test_a_session_that_passed_promises_no_prompt_that_waits_for_the_human(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "r")
    entries = (
        work("dev-1", date="2026-08-21"),
        review("dev-1", "rev-1", verdict="changes-requested", dispute="F1 is none.", group="dev-1"),
    )
    disputed = {"id": LABELS, "status": "in_progress", "claimed_by": "rev-1@2026-08-22T14:31:00Z"}
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go("2026-08-20-idempotency-cache")
        await story.press("v")
        await story.until("5 of 5 pass; next blocked; you owe an answer (a)")
        await story.press("c")
        await story.until("you owe an answer (a)")
        await story.press("escape")
        (root / f".ai-tasks/{LABELS}.md").write_bytes(a_task(*entries, **disputed))
        story.board.tasks.go(LABELS)
        await story.until(lambda: story.board.row is not None and story.board.row.word == "rule")
        await story.press("v")
        await story.until("6 of 6 pass; next dev, remediation; you owe a ruling (a)")


async def test_the_claim_that_a_failed_session_left_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid; exec sleep 300")
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("out 0m: dev, advancement")
        claim = f"{agent.call.argv[2].decode()}@2026-08-22T14:31:00Z"
        data = a_task(id=LABELS, status="in_progress", claimed_by=claim)
        (root / f".ai-tasks/{LABELS}.md").write_bytes(data)
        os.kill(int((tmp_path / "pid").read_text()), 9)
        await story.until("Its claim stays in the file until the next session claims the task.")


async def test_a_dev_prompt_that_goes_without_the_plan_in_the_making_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_clipboard(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await open_gate(story)
        await take(story, ONE, tmp_path)
        await story.press("ctrl+o")
        await story.until("first reply, adopted")
        await story.press("escape", "c")
        await story.until("its plan is not approved; copied")


async def test_a_session_that_is_not_checked_is_asked_about_before_another_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard, agent = a_clipboard(tmp_path, monkeypatch), an_agent(tmp_path, monkeypatch)
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.press("c")
        await story.until("out 0m")
        back = work("s-2", after="in_progress", date="2026-08-22")
        claim = "s-2@2026-08-22T14:31:00Z"
        data = a_task(back, id=LABELS, status="in_progress", est="1/3", claimed_by=claim)
        (root / f".ai-tasks/{LABELS}.md").write_bytes(data)
        await story.until("returned 14:31, unchecked")
        await story.press("p")
        await story.until("review, interim; the session that came back is not checked")
        assert "you owe nothing" not in story.told
        await story.press("escape")
        clipboard.write_bytes(b"mine")
        await story.press("c")
        await story.until("━ sure?")
        said = "Thesessionthatcamebackat14:31isnotchecked:vchecksit."
        await story.until(lambda: said in in_dialog(story.app))
        await story.press("enter")
        await story.until(lambda: "━ sure?" not in story.text)
        assert clipboard.read_bytes() == b"mine"
        await choose(story, LABELS)
        await story.until(lambda: "!thesessionthatcamebackat14:31" in in_dialog(story.app))
        await story.press("ctrl+o")
        await story.until("━ sure?")
        await story.press("enter")
        await story.until(lambda: "━ sure?" not in story.text)
        assert agent.calls == []
        await story.press("escape")
        await story.until(lambda: "━ launch" not in story.text)
        await story.press("c")
        await story.until("━ sure?")
        await story.press("y")
        await story.until("out 0m: review, interim")
