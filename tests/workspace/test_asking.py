"""Asking an agent for a proposal: the request, and what its launch is taken for."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace import asking
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import HEADLESS
from mandrel_tui.workspace.launching import launch_apart
from mandrel_tui.workspace.prepared import Table
from mandrel_tui.workspace.workspace import UnknownTask, Workspace
from tests.agents import CLAUDE, Agent
from tests.closable import CALM, DONE, a_repository, a_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return a_workspace(a_repository(tmp_path / "repository"))


def test_a_request_names_the_folder_that_git_ignores_else_one_outside(
    workspace: Workspace, tmp_path: Path
) -> None:
    assert f"below `.ai-tasks/proposals/{DONE}`".encode() in asking.request(workspace, DONE)
    tracked = a_workspace(a_repository(tmp_path / "tracked", tracked=True))
    outside = tracked.state.folder / "proposals" / DONE
    assert f"below `{outside}`".encode() in asking.request(tracked, DONE)


def test_only_about_a_completed_task_a_proposal_is_asked_for(workspace: Workspace) -> None:
    with pytest.raises(Refusal, match="only a completed task"):
        asking.request(workspace, CALM)
    with pytest.raises(UnknownTask):
        asking.request(workspace, "absent")


def test_an_agent_that_was_asked_is_no_session_of_the_task_but_leaves_a_receipt(
    workspace: Workspace, tmp_path: Path
) -> None:
    agent = Agent(tmp_path / "agent").does()
    table = Table({"claude": CLAUDE}, {**os.environ, "PATH": agent.path})
    data = asking.request(workspace, DONE)
    ready = asking.prepare(workspace, table, DONE, data, "claude", HEADLESS)
    launched = launch_apart(workspace, ready)
    id = launched.recorded.handover.id
    end = time.monotonic() + 20.0
    while LaunchFiles(workspace.state).ending(id) is None:
        assert time.monotonic() < end, "the agent did not end"
        time.sleep(0.02)
    assert agent.call.argv[-1] == data
    trail = workspace.handovers.trail(DONE)
    (handover,) = trail.handovers
    assert (handover.kind, handover.sid, handover.role) == ("proposal", ready.sid, None)
    assert workspace.handovers.bytes_of(handover) == data
    row = workspace.board().find(DONE)
    assert row is not None and row.handover is None and trail.sessions == ()
