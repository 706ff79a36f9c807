"""An agent is launched with the request for a proposal, or with what a closeout lacks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mandrel_tui.ui.desk_messages import AskCloseOut
from mandrel_tui.workspace import prepared
from tests.agents import Agent
from tests.stories.clipboard import a_clipboard
from tests.stories.closing import FACTS, TASK, close_out, to_close
from tests.stories.seat import Story, seated

SIZE = (120, 40)
FOLDER = f".ai-tasks/proposals/{TASK}"
SID = b"0e77c1d4-52b8-4f0a-9c1e-6a2f8b3d7c11"  # one that claude would give


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Task files count as written to their end when they are written."""
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    monkeypatch.delenv("TMUX", raising=False)


def an_agent(folder: Path, patch: pytest.MonkeyPatch, deed: str) -> Agent:
    """A stand-in for `claude` that is found first."""
    agent = Agent(folder / "agent").does(deed)
    patch.setenv("PATH", f"{agent.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return agent


async def launched(story: Story) -> None:
    """Choose the launch and let it go."""
    await story.press("l")
    await story.until("runs")
    await story.press("ctrl+o")


async def test_the_request_is_launched_and_what_the_agent_lays_down_is_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deed = f"mkdir -p {FOLDER}; printf '# Design\\n\\n- all is new\\n' > {FOLDER}/design.md"
    agent = an_agent(tmp_path, monkeypatch, deed)
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "l")
        await story.until("━ launch: barrier-timeouts, proposal ━")
        await story.until("runs")
        await story.press("ctrl+o")
        await story.until("claude works headless")
        asked = agent.call.argv[-1].decode()
        assert f"below `{FOLDER}`" in asked and f"- {FACTS[0]} (.ai/design.md, Retry)" in asked
        await story.press("j")
        await story.until("1 file in the proposal folder, i takes them in")
        await story.press("i", "enter")
        await story.until("━ the proposal alone?")
        await story.press("y")
        await story.until("the proposal folder: 1 document, 2 hunks")
        # It is no session of the task: nothing waits to be checked.
        row = story.board.board.find(TASK)
        assert row is not None and row.handover is None


async def test_an_agent_that_lays_nothing_down_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(tmp_path, monkeypatch, "sleep 2; exit 3")
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await launched(story)
        await story.until("claude works headless")
        await story.press("j")
        await story.until("exit status 3, and 0 files are in")


async def test_what_a_closeout_lacks_is_sent_to_its_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch, "true")
    root = to_close(tmp_path / "r")
    task = root / f".ai-tasks/{TASK}.md"
    (root / f".ai-tasks/archive/{TASK}.md").write_bytes(
        task.read_bytes().replace(b"0e77c1d4-1", SID)
    )
    task.unlink()
    async with seated(root, SIZE) as story:
        story.app.post_message(AskCloseOut(TASK))
        await story.until("requirements are not met")
        await story.press("l")
        await story.until("━ send: barrier-timeouts, closeout-incomplete ━")
        await story.until("runs")
        await story.press("ctrl+o")
        await story.until("claude works headless")
        assert b"index" in agent.call.argv[-1]


async def test_what_a_closeout_lacks_is_on_record_once_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard = a_clipboard(tmp_path, monkeypatch)
    root = to_close(tmp_path / "r")
    (root / f".ai-tasks/{TASK}.md").rename(root / f".ai-tasks/archive/{TASK}.md")
    async with seated(root, SIZE) as story:
        story.app.post_message(AskCloseOut(TASK))
        await story.until("requirements are not met")
        await story.press("c")
        await story.until("copied")
        assert b"index" in clipboard.read_bytes()
        assert story.app.workspace is not None
        (out,) = story.app.workspace.handovers.trail(TASK).handovers
        assert (out.kind, out.delivery.way) == ("closeout-incomplete", "copy")
        assert out.sid == "0e77c1d4-1"
