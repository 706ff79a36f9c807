"""Launching: what will run is seen first, and what came of it is said in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from mandrel_tui.settings import Settings
from mandrel_tui.workspace import prepared
from tests.agents import Agent
from tests.builders import a_task, work
from tests.stories.clipboard import a_clipboard
from tests.stories.seat import TASKS, Story, a_repository, seated
from tests.stories.stage import cells, in_dialog

LABELS = "2026-08-21-metrics-labels"
CACHE = "2026-08-20-idempotency-cache"
WORKS = 'printf "%s" "$2" > "$SEEN"'


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Task files count as written to their end when they are written."""
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    monkeypatch.delenv("TMUX", raising=False)


def an_agent(folder: Path, patch: pytest.MonkeyPatch, deed: str = "true") -> Agent:
    """A stand-in for `claude` that is found first."""
    agent = Agent(folder / "agent").does(deed)
    patch.setenv("PATH", f"{agent.folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return agent


async def choose(story: Story, name: str) -> None:
    """Open the launch of a task."""
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)
    await story.press("l")
    await story.until("━ launch: ")


async def launch(story: Story) -> None:
    """Launch what is shown, once it can go."""
    await story.until("runs")
    await story.press("enter")


async def test_what_will_run_is_shown_before_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch)
    monkeypatch.setenv("CLAUDECODE", "1")
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await story.until("claude --print --session-id")
        assert "-- '<prompt, " in story.told or "-- <prompt, " in story.told
        assert "CLAUDECODE is kept from it" in story.told
        assert agent.calls == []
        await story.press("escape")
        await story.until(lambda: "━ launch: " not in story.text)
        assert agent.calls == []


async def test_a_headless_agent_gets_the_exact_prompt_and_is_out_until_it_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch)
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("claude works headless")
        call = agent.call
        assert call.cwd == root.resolve()
        option, sid, mark, prompt = call.argv[1:]
        assert (call.argv[0], option, mark) == (b"--print", b"--session-id", b"--")
        assert prompt.startswith(b"NOTE substrate") and b"Advancement contract" in prompt
        # It ended well and wrote nothing: it is back, and unchecked.
        await story.until("!check")
        claim = f"{sid.decode()}@2026-08-22T14:31:00Z"
        (root / f".ai-tasks/{LABELS}.md").write_bytes(
            a_task(work(sid.decode()), id=LABELS, status="in_progress", claimed_by=claim)
        )
        await story.until("Line 27: an entry of")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.unlink(), "no claude on PATH (an alias of your shell is no program)"),
        (lambda path: path.chmod(0o644), "is not executable"),
        (lambda path: (path.unlink(), path.mkdir()), "is a folder"),
        (lambda path: path.write_text("#!/no/such/shell\n"), "needs /no/such/shell, which is not"),
    ],
)
async def test_an_agent_that_cannot_start_is_one_line_and_nothing_is_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: object, words: str
) -> None:
    agent = Agent(tmp_path / "agent").does()
    monkeypatch.setenv("PATH", f"{agent.folder / 'bin'}{os.pathsep}/usr/bin:/bin")
    spoil(agent.folder / "bin" / "claude")  # type: ignore[operator]
    root = a_repository(tmp_path / "r")
    before = (root / f".ai-tasks/{LABELS}.md").read_bytes()
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await story.until(lambda: words.replace(" ", "") in in_dialog(story.app))
        await story.press("ctrl+o", "escape")
        await story.until(lambda: "━ launch: " not in story.text)
        assert story.board.row is not None and story.board.row.handover is None
    assert (root / f".ai-tasks/{LABELS}.md").read_bytes() == before


async def test_an_agent_that_fails_at_once_says_why_in_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(tmp_path, monkeypatch, "echo 'unknown option: --print' >&2; exit 2")
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("exit status 2: unknown option: --print")
        await story.press("escape")
        await story.until("!failed")
        await story.until("Nothing is out.")
        await story.press("f3")
        await story.until("! check metrics-labels")
        await story.press("end")
        await story.until("failed: exit status 2")
        await story.until("Nothing was declared, and nothing is")
        assert "the first slice can begin" not in story.told
        await story.until("Enter output")
        await story.press("enter")
        await story.until("━ what the agent printed")


async def test_an_agent_that_hangs_is_out_and_a_second_launch_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid; exec sleep 300")
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("claude works headless")
        await story.until("out 0m: dev, advancement")
        await choose(story, LABELS)
        await story.until("! claude has been out with it since")
        await story.press("ctrl+o")
        await story.until("━ sure?")
        await story.press("enter")
        await story.until(lambda: "━ sure?" not in story.text)
        assert len(agent.calls) == 1
        await story.press("escape")
        os.kill(int((tmp_path / "pid").read_text()), 9)
        await story.until("!failed")
        await story.until("Ended by signal 9")
        await story.until("Space shows what the agent printed.")


async def test_a_claim_made_meanwhile_asks_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, root = an_agent(tmp_path, monkeypatch), a_repository(tmp_path / "r")
    path = root / f".ai-tasks/{LABELS}.md"
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await story.until("claude --print --session-id")
        path.write_bytes(
            a_task(id=LABELS, status="in_progress", claimed_by="other@2026-08-22T14:30:00Z")
        )
        await story.press("ctrl+o")
        await story.until("changed since it was read: claimed by other@2026-08-22T14:30:00Z")
        assert agent.calls == []
        await story.press("escape")
        await story.until("claimed by other")
        await choose(story, LABELS)
        await story.until("other claimed it at")
        await story.press("ctrl+o")
        await story.until("━ sure?")
        await story.press("y")
        await story.until("claude works headless")
        assert len(agent.calls) == 1


async def test_the_follow_up_goes_into_the_same_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, root = an_agent(tmp_path, monkeypatch), a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("claude works headless")
        sid = agent.call.argv[2].decode()
        claim = f"{sid}@2026-08-22T14:31:00Z"
        (root / f".ai-tasks/{LABELS}.md").write_bytes(
            a_task(work(sid), id=LABELS, status="in_progress", est="0/3", claimed_by=claim)
        )
        await story.until("an entry of")
        await story.press("v")
        await story.until("1 of 6 fails")
        await story.press("l")
        await story.until("━ send: metrics-labels, violation-fix")
        await story.until(lambda: "claude --print --resume" in story.told)
        await story.press("ctrl+o")
        await story.until(lambda: len(agent.calls) == 2)
        call = agent.calls[-1]
        assert call.argv[:3] == [b"--print", b"--resume", sid.encode()]
        assert b"estimate went 0/3 to 1/3" in call.argv[-1]


async def test_an_answer_is_launched_into_the_conversation_that_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, sid = an_agent(tmp_path, monkeypatch), "51fe7730-0000-4000-8000-000000000001"
    asked = TASKS[CACHE].replace(b"51fe7730-1", sid.encode())
    root = a_repository(tmp_path / "r", {**TASKS, CACHE: asked})
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go(CACHE)
        await story.press("a")
        await story.until("━ answer: idempotency-cache")
        await story.type("Yes.")
        await story.press("ctrl+o")
        await story.until("l launch")
        await story.press("l")
        await story.until("━ send: idempotency-cache, blocked-resume")
        await story.until("runs")
        await story.press("ctrl+o")
        await story.until(lambda: len(agent.calls) == 1)
        assert agent.call.argv[:3] == [b"--print", b"--resume", sid.encode()]
        assert b"Yes." in agent.call.argv[-1]
        await story.until("14 bytes, sha")


async def test_an_id_that_an_agent_gave_itself_is_not_resumed_as_a_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        story.board.tasks.go(CACHE)
        await story.press("a")
        await story.until("━ answer: idempotency-cache")
        await story.type("Yes.")
        await story.press("ctrl+o")
        await story.until("l launch")
        await story.press("l")
        said = "51fe7730-1istheidofnoclaudeconversation:copythetext"
        await story.until(lambda: said in in_dialog(story.app))
        await story.press("ctrl+o")
        assert agent.calls == []


async def test_the_place_is_chosen_by_its_letter_and_kept_over_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(tmp_path, monkeypatch, "exec sleep 300")
    root = a_repository(tmp_path / "r")
    lends = property(lambda driver: True)
    monkeypatch.setattr(HeadlessDriver, "can_suspend", lends)
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await story.until("[h here] l headless")
        await story.press("right", "right", "left", "l")
        await story.until("h here [l headless]")
        await story.until("~ it goes in the headless form, not the interactive one")
        await launch(story)
        await story.until("claude works headless")
    async with seated(root, (120, 40)) as story:
        await choose(story, CACHE)
        await story.until("h here [l headless]")


async def test_a_users_own_launcher_is_offered_and_a_broken_one_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(tmp_path, monkeypatch)
    own = {"mine": {"program": "claude", "headless": ["run"]}, "odd": {"prog": "x"}}
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        story.app.settings = Settings(launchers=own, agent="mine")
        await choose(story, LABELS)
        await story.until("(∙) mine")
        await story.until("claude run --")
        await story.press("escape")
        assert any("launchers.odd" in result.text for result in story.app.results.rows)


async def test_a_task_that_waits_for_a_ruling_is_not_launched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = an_agent(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await choose(story, "2026-08-16-stall-detection")
        await story.until(lambda: "itwaitsforaruling" in in_dialog(story.app))
        assert "agivesit" in in_dialog(story.app) and "--" not in in_dialog(story.app)
        await story.press("ctrl+o")
        assert agent.calls == []
        assert "━ launch: " in story.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_launch_fits_every_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    an_agent(tmp_path, monkeypatch)
    async with seated(a_repository(tmp_path / "r"), size) as story:
        await choose(story, LABELS)
        await story.until("runs")
        assert set(cells(story.app)) == {size[0]}
        box = [row for row in story.rows if set(row) & set("┏┃┗")]
        assert len(box) <= 18
        assert "Enter launch" in story.text


async def test_a_half_written_file_is_not_launched_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "QUIET", 1.0)
    monkeypatch.setattr(prepared, "PATIENCE", 0.3)
    agent, root = an_agent(tmp_path, monkeypatch), a_repository(tmp_path / "r")
    path = root / f".ai-tasks/{LABELS}.md"
    async with seated(root, (120, 40)) as story:
        whole = TASKS[LABELS]
        path.write_bytes(whole[: len(whole) // 2])
        await choose(story, LABELS)
        await story.until("is being written to: launch")
        await story.until("Enter look again")
        path.write_bytes(whole)
        os.utime(path, (1, 1))
        await story.press("ctrl+o")
        await story.until("Enter launch")
        assert agent.calls == []


async def test_copying_works_where_nothing_can_be_launched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clipboard = a_clipboard(tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await choose(story, LABELS)
        await story.until("no claude on PATH")
        await story.press("escape", "c")
        await story.until("with xclip")
        assert clipboard.exists()


async def test_what_a_headless_agent_printed_can_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(tmp_path, monkeypatch, "echo 'I am [b]done[/b]'; exec sleep 300")
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await choose(story, LABELS)
        await launch(story)
        await story.until("claude works headless")
        await story.until("out 0m")
        await story.press("space")
        await story.until("━ metrics-labels ━")
        await story.press("end")
        for _ in range(20):
            if "The output that was captured." in story.text:
                break
            await story.press("up")
        await story.press("enter")
        await story.until("I am [b]done[/b]")


async def test_a_contract_that_differs_from_its_receipt_asks_before_it_is_launched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, root = an_agent(tmp_path, monkeypatch), a_repository(tmp_path / "r")
    path = ".ai-protocol/protocols/dev-advancement.md"
    receipt = {"deployed_files": [{"target_relative_path": path, "canonical_sha256": "0" * 64}]}
    (root / ".ai-deploy-lock.json").write_text(json.dumps(receipt))
    async with seated(root, (120, 40)) as story:
        await choose(story, LABELS)
        await story.until("! .ai-protocol/protocols/dev-advancement.md is")
        await story.press("ctrl+o")
        await story.until("━ sure?")
        await story.press("enter")
        await story.until(lambda: "━ sure?" not in story.text)
        assert agent.calls == []
