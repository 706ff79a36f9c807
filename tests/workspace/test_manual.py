"""What the human writes into a task file whose session is out is not that session's return."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.inbox import inbox
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.workspace.sessions import stands
from tests.builders import review, work
from tests.conftest import RunCli
from tests.seats import NAME, Seat

CLAIM = "dev-1@2026-03-02T09:00:00Z"


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    return Seat.at(tmp_path / "repository", work("dev-1"), claimed_by=CLAIM)


def send(seat: Seat) -> None:
    workspace = seat.open()
    workspace.hand_over(workspace.prompt(PromptRequest(NAME)), "clipboard", "copy", "xclip")


def word(seat: Seat) -> str:
    workspace = seat.open()
    found = stands(workspace, workspace.task(NAME))
    return found.word if found is not None else ""


def test_a_task_the_human_blocks_is_still_out(seat: Seat, run_cli: RunCli) -> None:
    send(seat)
    assert word(seat) == "out"
    assert run_cli("block", NAME, "--reason", "which one?", "--yes", cwd=seat.root).code == 0
    assert word(seat) == "out"
    assert run_cli("unblock", NAME, "--yes", cwd=seat.root).code == 0
    assert word(seat) == "out"
    seat.write(work("dev-1"), review("dev-1", "rev-1"), claimed_by="rev-1@2026-03-02T15:00:00Z")
    assert word(seat) == "check"


def test_a_question_of_the_humans_own_has_no_session_to_resume(seat: Seat, run_cli: RunCli) -> None:
    assert run_cli("block", NAME, "--reason", "which one?", "--yes", cwd=seat.root).code == 0
    workspace = seat.open()
    turn = workspace.turn(workspace.task(NAME))
    assert turn.reason == "Blocked by a question: which one?"
    [item] = [item for item in inbox(workspace.board()) if item.kind == "answer"]
    assert item.cause == "blockers"
    asked = work("dev-1", after="blocked")
    seat.write(asked, status="blocked", blockers="[external:which one?]", claimed_by=CLAIM)
    workspace = seat.open()
    turn = workspace.turn(workspace.task(NAME))
    assert turn.reason.endswith("one? Session dev-1 resumes with your answer.")
