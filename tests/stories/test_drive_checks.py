"""The checks on return: whether a session kept its word, by what was recorded before it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mandrel_tui.ui.screens.checks import ChecksScreen
from mandrel_tui.workspace import prepared
from tests.agents import Agent
from tests.builders import a_task, review, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, Story, a_repository, seated
from tests.stories.stage import cells, in_dialog

LABELS = "2026-08-21-metrics-labels"
SID = "4be0c7d2-1"


def advanced(est: str = "1/3", **keys: str | None) -> bytes:
    """The task after an advancing session."""
    made = work(SID, after="in_progress", date="2026-08-22", open=None)
    claim = f"{SID}@2026-08-22T14:31:00Z"
    return a_task(made, id=LABELS, status="in_progress", est=est, claimed_by=claim, **keys)


def write(root: Path, data: bytes) -> None:
    (root / f".ai-tasks/{LABELS}.md").write_bytes(data)


async def send(story: Story) -> None:
    """Copy the next prompt of the task."""
    story.board.tasks.go(LABELS)
    await story.until("c copies")
    await story.press("c")
    await story.until("out 0m")


def checks(story: Story) -> ChecksScreen:
    screen = story.top
    assert isinstance(screen, ChecksScreen)
    return screen


async def test_what_a_session_declared_is_checked_by_what_was_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root) as story:
        await send(story)
        write(root, advanced("0/3"))
        (root / "notes.txt").write_text("left")
        await story.until("returned 14:31, unchecked")
        await story.press("v")
        await story.until("2 of 6 fail")
        assert "checks: metrics-labels, dev advancement, session 4be0c7d2" in story.text
        assert "› ✗ tree-clean" in story.text
        assert "?? notes.txt" in story.text
        assert "l send v check" in story.told
        assert "the working tree is clean" in story.told or "tree is clean" in story.told
        assert "✗ dev-est-increment line 4: 0/3, was 0/3; expected 1/3" in story.told
        assert "~ open-missing" in story.told
        assert "before: recorded at 14:31, copied with xclip, sha " in story.told
        assert "status pending, estimate 0/3, no remediation; follow-up 1 of 3" in story.told
        sent = clipboard.read_bytes()
        await story.press("c")
        await story.until(lambda: clipboard.read_bytes() != sent)
        text = clipboard.read_bytes()
        assert b"?? notes.txt" in text and b"0/3, was 0/3" in text and SID.encode() in text
        await story.press("escape")
        await story.until("out 0m")


async def test_three_follow_ups_that_did_not_help_are_your_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root, (120, 40)) as story:
        await send(story)
        for number in range(3):
            write(root, advanced("0/3", title=f"Try {number}"))
            await story.until("!check")
            await story.press("v")
            await story.until("1 of 6 fails")
            assert f"follow-up {number + 1} of 3" in story.told
            before = clipboard.read_bytes()
            await story.press("c")
            await story.until("with xclip")
            assert number == 0 or clipboard.read_bytes() == before
            await story.press("escape")
            await story.until("out 0m")
        write(root, advanced("0/3", title="The last try"))
        await story.until("!check")
        await story.press("v")
        await story.until("! 3 follow-ups used, your call")
        clipboard.write_bytes(b"mine")
        await story.press("c")
        await story.until("three follow-ups did not help, so it is your call")
        assert clipboard.read_bytes() == b"mine"
        await story.press("f8")
        await story.until("follow-up all the same")
        await story.press("escape", "f3")
        await story.until("3 follow-ups used, 1 check fails")


async def test_when_all_pass_c_copies_the_next_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root) as story:
        await send(story)
        write(root, advanced())
        await story.until("returned 14:31, unchecked")
        await story.press("v")
        await story.until("6 of 6 pass; next review, interim; c copies its prompt")
        await story.until("l launch v check")
        await story.press("c")
        await story.until(lambda: b"review" in clipboard.read_bytes())
        await story.press("escape")
        await story.until("out 0m: review, interim")


async def test_results_never_change_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "r")
    write(root, advanced("0/3"))
    async with seated(root) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("5 of 5 pass")
        write(root, advanced("0/3", fix_set="open"))
        await story.until("changed at 14:31, v again")
        assert "✗" not in "".join(story.rows[2:8])
        await story.press("v")
        await story.until("1 of 5 fails")
        await story.until("before: inferred from the entry's own heading")


async def test_what_the_file_tells_stands_there_before_git_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "r")
    write(root, advanced())
    async with seated(root) as story:
        story.app.reader.stop()
        slow = tmp_path / "slow" / "git"
        slow.parent.mkdir()
        gate = tmp_path / "gate"
        slow.write_text(
            f'#!/bin/sh\nwhile [ ! -e "{gate}" ]; do sleep 0.05; done\nexec /usr/bin/env -i '
            f'PATH="{os.environ["PATH"]}" HOME="$HOME" git "$@"\n'
        )
        slow.chmod(0o755)
        monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("◦ tree-clean asking git")
        assert "✓ claim-sid" in story.text
        assert "checking" in story.rows[1]
        await story.press("c")
        await story.until("copy: git is still asked")
        gate.touch()
        await story.until("5 of 5 pass")


async def test_what_held_before_can_be_said_by_hand(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    write(root, advanced("1/3"))
    async with seated(root) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("5 of 5 pass")
        await story.press("o")
        await story.until("━ before: metrics-labels")
        await story.press("tab", "tab", "tab")
        await story.type("x/3")
        await story.press("ctrl+o")
        await story.until("the estimate before is written done/total, as in 0/2")
        await story.press("ctrl+u")
        await story.type("1/3")
        await story.press("ctrl+o")
        await story.until("✗ dev-est-increment line 4: 1/3, was 1/3; expected 2/3")
        assert "before: given by you" in story.text


async def test_what_was_found_by_what_was_said_by_hand_can_be_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Agent(tmp_path / "agent").does()
    monkeypatch.setenv("PATH", f"{agent.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    root = a_repository(tmp_path / "r")
    sid = "4be0c7d2-0000-4000-8000-000000000001"
    write(root, advanced("1/3").replace(SID.encode(), sid.encode()))
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("5 of 5 pass")
        await story.press("o")
        await story.until("━ before: metrics-labels")
        await story.press("tab", "tab", "tab")
        await story.type("1/3")
        await story.press("ctrl+o")
        await story.until("1 of 6 fails")
        await story.press("l")
        await story.until("━ send: metrics-labels, violation-fix")
        await story.until(lambda: f"--resume{sid}" in in_dialog(story.app))
        await story.press("ctrl+o")
        await story.until(lambda: len(agent.calls) == 1)
        assert agent.call.argv[:3] == [b"--print", b"--resume", sid.encode()]
        assert b"estimate went 1/3 to 2/3" in agent.call.argv[-1]
        # What was said by hand is what the session is checked by when it is back.
        await story.press("escape", "v")
        await story.until("1 of 6 fails")
        await story.until("before: recorded")


async def test_a_plan_that_changed_unsaid_is_a_warning_with_the_difference(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        write(root, advanced(scope="- Another thing alone."))
        await story.until("1/3 ▰▱▱ metrics-labels")
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("~ plan-changed")
        await story.press("end", "enter")
        await story.until("━ evidence")
        await story.until(lambda: "--Onething." in in_dialog(story.app))


async def test_enter_opens_the_line_the_evidence_stands_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    write(root, advanced())
    async with seated(root) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("5 of 5 pass")
        await story.press("j", "enter")
        await story.until("[raw]")
        await story.until("27 ### 2026-08-22 / 4be0c7d2-1")
        await story.press("escape")
        await story.until("checks: metrics-labels")
        await story.press("k", "enter")
        await story.until("━ evidence")
        await story.press("escape", "y")
        await story.until(lambda: clipboard.exists() and clipboard.read_bytes() == SID.encode())


async def test_a_task_archived_meanwhile_is_verified_and_not_checked(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    done = TASKS["2026-08-11-barrier-timeouts"]
    async with seated(root) as story:
        (root / ".ai-tasks/archive/2026-08-11-barrier-timeouts.md").write_bytes(done)
        story.board.tasks.go("2026-08-11-barrier-timeouts")
        await story.press("enter")
        await story.until("━ barrier-timeouts")
        (root / ".ai-tasks/2026-08-11-barrier-timeouts.md").unlink()
        await story.until("left the board: archived")
        await story.press("v")
        await story.until("checks: barrier-timeouts, closeout")
        await story.until("The task is archived: its closeout is verified")
        assert story.text.count("the task file is gone from .ai-tasks/") == 1
        assert "task-not-archived" not in story.text
        assert "✗ audit-line-missing" in story.text


async def test_without_a_known_session_one_can_be_named(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        story.board.tasks.go(LABELS)
        (story.app.workspace.root / f".ai-tasks/{LABELS}.md").write_bytes(
            a_task(id=LABELS, status="pending", claimed_by=None)
        )
        await story.press("v")
        await story.until("No session of this task is known. o names one.")
        await story.press("c")
        await story.until("no session is known; o names one")


async def test_a_session_that_is_not_back_is_no_reason_to_check_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, clipboard = a_repository(tmp_path / "r"), a_clipboard(tmp_path, monkeypatch)
    async with seated(root) as story:
        story.board.tasks.go("2026-08-19-fifo-drain")
        await story.press("c")
        await story.until(lambda: clipboard.exists())
        await story.until("out 0m")
        await story.press("v")
        await story.until("not back: no claim and no entry since 14:31; o checks the one before, ")
        await story.until("The session that is out is not back. o checks the one before it.")
        assert "session f1f0" not in story.text
        await story.press("l")
        assert "━ send" not in story.text
        await story.press("o")
        await story.until("━ before: fifo-drain")
        await story.press("ctrl+o")
        await story.until("checks: fifo-drain, review, session rev-1")


async def test_a_review_session_is_checked_as_one(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    entries = (
        work("dev-1", date="2026-08-21"),
        review("dev-1", SID, verdict=None, group=None, date="2026-08-22"),
    )
    claim = f"{SID}@2026-08-22T14:31:00Z"
    write(root, a_task(*entries, id=LABELS, status="in_progress", claimed_by=claim))
    async with seated(root) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("checks: metrics-labels, review, session 4be0c7d2")
        await story.until("✗ review-entry-fields")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (50, 12)])
async def test_every_row_of_the_checks_fills_the_terminal(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    root = a_repository(tmp_path / "r")
    write(root, advanced("0/3", fix_set="open"))
    async with seated(root, size) as story:
        story.board.tasks.go(LABELS)
        await story.press("v")
        await story.until("1 of 5 fails")
        assert set(cells(story.app)) == {size[0]}
        assert checks(story).checks.key == "fix-set-closed"
