"""A whole task, from fresh to completed: a stand-in agent works by the real command line, the human
drives by the app, and nothing changes when either starts anew."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from mandrel_tui.workspace import prepared
from tests.agents import Agent
from tests.builders import a_task
from tests.conftest import ROOT, RunCli
from tests.stories.seat import a_repository, seated

NAME = "2026-08-22-whole"
FRESH = a_task(id=NAME, status="pending", est="0/3", claimed_by=None, title="From end to end")
# What is next, what comes after it, and the status the session leaves.
STEPS = (
    ("dev, advancement", "review, interim", "in_progress"),
    ("review, interim", "dev, remediation", "in_progress"),
    ("dev, remediation", "review, interim", "in_progress"),
    ("review, interim", "dev, advancement", "in_progress"),
    ("dev, advancement", "review, final gate", "final_review"),
    ("review, final gate", "close out", "completed"),
)


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """The stand-in, first on PATH; task files count as written to their end at once."""
    script = Path(__file__).parents[1] / "stand_in.py"
    made = Agent(tmp_path / "agent").does(f'exec "{sys.executable}" "{script}" "$@"')
    monkeypatch.setenv("PATH", f"{made.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    return made


async def test_a_whole_task_is_driven_from_fresh_to_completed(
    tmp_path: Path, agent: Agent, run_cli: RunCli
) -> None:
    root = a_repository(tmp_path / "r", {NAME: FRESH})
    path = root / f".ai-tasks/{NAME}.md"

    def turn(**env: str) -> Any:
        return json.loads(run_cli("next", NAME, "--json", cwd=root, env=env).out)

    for number, (now, after, status) in enumerate(STEPS):
        # What is next is in the file alone: a program that never ran here says the same.
        assert turn() == turn(XDG_STATE_HOME=str(tmp_path / f"never{number}"))
        async with seated(root, (120, 40)) as story:
            await story.until(f"{now}")
            await story.press("l")
            await story.until("claude --print --session-id")
            await story.press("ctrl+o")
            await story.until(lambda left=status: f"status: {left}\n" in path.read_text())
            await story.until(lambda done=number + 1: _back(agent, done, root, run_cli))
        async with seated(root, (120, 40)) as story:
            # The command line may have seen it come back first, at the time of its own clock.
            await story.until(lambda: re.search("returned [-: 0-9]+, unchecked", story.told))
            await story.press("v")
            await story.until(lambda: "of 6 " in story.rows[1])
            assert "6 of 6 pass" in story.rows[1], story.text
            await story.until(f"next {after}")
            await story.press("escape")
            await story.until(after)
    task = json.loads(run_cli("show", NAME, "--json", cwd=root).out)
    assert [entry["after"] for entry in task["entries"]] == [
        *["in_progress"] * 4,
        "final_review",
        "completed",
    ]
    assert task["session_est"] == "3/3"
    assert len({entry["sid"] for entry in task["entries"]}) == 6
    assert {d["rule"] for d in task["diagnostics"]} == {"completed-not-archived"}


def _back(agent: Agent, calls: int, root: Path, run_cli: RunCli) -> bool:
    """Whether that many sessions went out, and the last one is back, by the command line."""
    if len(agent.calls) != calls:
        return False
    row = json.loads(run_cli("board", "--json", cwd=root).out)[0]
    return row["handover"] is not None and row["handover"]["state"] == "returned"
