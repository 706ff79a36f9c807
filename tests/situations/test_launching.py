"""The cases of launching, resuming and returning, and of a task file that is written slowly."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from mandrel_tui.launchers import load_launchers
from mandrel_tui.workspace import prepared
from mandrel_tui.workspace.launcher import HEADLESS
from mandrel_tui.workspace.launching import launch_apart
from mandrel_tui.workspace.prepared import Prepared, Table, prepare_followup
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.workspace import Workspace
from tests.agents import Agent
from tests.conftest import ROOT
from tests.situations.case import Case, build
from tests.situations.tmux import Terminal
from tests.stories.seat import seated
from tests.stories.stage import in_dialog

AGENTS = ("claude", "codex", "cursor-agent")
GO = "2026-06-01-go"


@dataclass(frozen=True, slots=True)
class Shell:
    """A person's shell in a real terminal, in which this program is started by its name."""

    terminal: Terminal

    @classmethod
    def of(cls, case: Case, env: Mapping[str, str] | None = None) -> Shell:
        kept = {"TERM": "xterm-256color", "PS1": "$ ", **case.env, **(env or {})}
        argv = ("/bin/bash", "--norc", "--noprofile", "-i")
        folder = case.root.parent
        return cls(Terminal(argv, cwd=case.start, env=kept, folder=folder, size=(160, 40)))

    def __enter__(self) -> Shell:
        self.terminal.__enter__()
        self.terminal.wait(r"(?m)^\$$")
        return self

    def __exit__(self, *error: object) -> None:
        self.terminal.__exit__(None, None, None)

    def say(self, line: str) -> None:
        self.terminal.type(f"{line}\r")

    def run(self, *words: str) -> str:
        """The screen on which a command of this program has ended, its exit code behind a `=`."""
        return self.answers(f"{sys.executable} -m mandrel_tui {' '.join(words)}; echo =$?")

    def answers(self, line: str) -> str:
        """What the shell shows of a command that has ended, with the prompt it gives then."""
        mark = uuid.uuid4().hex[:8]
        self.say(f"clear; {line}; echo {mark[:4]}''{mark[4:]}")
        return self.terminal.wait(rf"(?m)^{mark}\n\S").replace(mark, "")

    def is_sane(self, before: str) -> bool:
        """Whether a person can go on in it as before: settings, echo, no stray characters."""
        self.say("echo a''b")
        self.terminal.wait(r"(?m)^ab$")
        shown = self.answers("stty -a")
        return shown == before and "[27u" not in shown


def calls(case: Case) -> list[Path]:
    folder = case.root / "agent-calls"
    return sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)


def inside_tmux(shell: Shell) -> None:
    """Tells the shell that it runs in tmux, as it does."""
    server = shell.terminal._ask("display-message", "-p", "#{socket_path},1,0 #{pane_id}")
    tmux, pane = server.split()
    shell.answers(f"export TMUX={tmux} TMUX_PANE={pane}")


def windows(shell: Shell) -> list[str]:
    return shell.terminal._ask("list-windows", "-F", "#{window_index}").split()


@pytest.mark.parametrize("where", ["here", "tmux"])
def test_launch_01_prompt_starts_with_dashes(case: Case, where: str) -> None:
    with Shell.of(case) as shell:
        if where == "tmux":
            inside_tmux(shell)
        for number, agent in enumerate(AGENTS, start=1):
            shown = shell.run("launch", GO, "--agent", agent, "--where", where)
            assert "\n=0\n" in shown, shown
            assert len(calls(case)) == number
            *options, mark, prompt, rest = (calls(case)[-1] / "argv0").read_bytes().split(b"\0")
            assert mark == b"--" and rest == b""
            receipt = case.json("receipts")[-1]
            assert prompt == Path(receipt["file"]).read_bytes()
            assert b"---\nrole: dev-advancement\n---\n" in prompt
            sid = receipt["sid"]
            assert options == ([b"--session-id", sid.encode()] if agent == "claude" else [])
            assert (calls(case)[-1] / "stdin-kind").read_text() == "tty\n"


def test_launch_06_resume_other_directory(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    sid, name = "11111111-2222-4333-8444-555555555555", "2026-06-01-blk"
    workspace = Workspace(case.repo, ROOT / "contracts")
    table = Table(load_launchers({})[0], dict(case.env))

    def answer(fresh: bool = False) -> Prepared:
        kind = "blocked-resume"
        return prepare_followup(
            workspace, table, name, kind, "Port 8080.", "claude", HEADLESS, fresh=fresh
        )

    ready = answer()
    assert ready.notes == (f"it is resumed in {case.root}/wt-fix, where it was begun",)
    assert launch_apart(workspace, ready).cause == ""
    call = calls(case)[-1]
    assert (call / "cwd").read_text().rstrip() == f"{case.root}/wt-fix"
    argv = (call / "argv0").read_bytes().split(b"\0")[:-1]
    assert argv[:3] == [b"--print", b"--resume", sid.encode()]
    remove = ("worktree", "remove", "--force", case.root / "wt-fix")
    subprocess.run(["git", *remove], cwd=case.repo, check=True, env=dict(case.env))
    with pytest.raises(NotStarted, match="wt-fix, which is gone; only a new session"):
        answer()
    assert len(calls(case)) == 1 and workspace.task(name).status == "blocked"
    assert answer(fresh=True).sid not in (None, sid)


async def test_the_screen_offers_a_new_session_where_the_folder_of_the_old_one_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = build("launch-06-resume-other-directory", tmp_path / "situation")
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    for name, value in case.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("TMUX", raising=False)
    sid, worktree = "11111111-2222-4333-8444-555555555555", f"{case.root}/wt-fix"
    remove = ("git", "worktree", "remove", "--force", worktree)
    subprocess.run(remove, cwd=case.repo, check=True, env=dict(case.env))
    async with seated(case.repo, (120, 40)) as story:
        await story.press("a")
        await story.until("━ answer: blk")
        await story.type("Port 8080.")
        await story.press("ctrl+o")
        await story.until("l launch")
        await story.press("l")
        gone = "conversation(∙)thesame()anewone", "whichisgone;onlyanewsessioncanbegiventhis"
        await story.until(lambda: all(words in in_dialog(story.app) for words in gone))
        await story.press("ctrl+o")  # looks again, and starts nothing
        await story.until(lambda: gone[1] in in_dialog(story.app))
        await story.press("tab", "right")
        await story.until(lambda: "claude--print--session-id" in in_dialog(story.app))
        assert sid not in in_dialog(story.app).partition("claude--print")[2]
        assert not (case.root / "agent-calls").exists() or calls(case) == []
        await story.press("ctrl+o")
        await story.until("claude works headless")
    (call,) = calls(case)
    argv = (call / "argv0").read_bytes().split(b"\0")
    assert sid.encode() not in argv and b"Port 8080." in argv[-2]
    assert (call / "cwd").read_text().rstrip() == str(case.repo)
    assert Workspace(case.repo, ROOT / "contracts").task("2026-06-01-blk").status == "blocked"


@pytest.mark.parametrize("mode", ["dirty", "kill", "stop"])
def test_launch_08_terminal_state_after_child(case: Case, mode: str) -> None:
    with Shell.of(case, {"STUB_MODE": mode}) as shell:
        before = shell.answers("stty -a")
        shell.say(f"clear; {sys.executable} -m mandrel_tui launch {GO}; echo =$?=")
        if mode == "stop":
            shell.terminal.wait("claude is stopped by signal 19, process")
            shell.say("")
        shown = shell.terminal.wait(r"(?m)^=\d+=")
        code, words = ("1", "claude ended by signal 9") if mode == "kill" else ("0", "claude ended")
        assert f"={code}=" in shown and words in shown, shown
        assert shell.is_sane(before)
        assert shell.terminal._ask("display-message", "-p", "#{alternate_on}").strip() == "0"
        assert shell.terminal._ask("display-message", "-p", "#{mouse_any_flag}").strip() == "0"
        assert shell.terminal._ask("display-message", "-p", "#{cursor_flag}").strip() == "1"


@pytest.mark.parametrize("where", ["here", "tmux"])
def test_launch_09_agent_missing_or_broken(case: Case, where: str) -> None:
    before = case.snapshot()
    reasons = ("is a folder", "needs /no/such/interp, which is not there", "is not executable")
    with Shell.of(case) as shell:
        if where == "tmux":
            inside_tmux(shell)
        for agent, reason in zip(AGENTS, reasons, strict=True):
            shown = shell.run("launch", GO, "--agent", agent, "--where", where)
            assert "\n=1\n" in shown and f"{agent} {reason}" in shown.replace("\n", ""), shown
        assert windows(shell) == ["0"]
    assert case.snapshot() == before
    assert case.json("receipts") == [] and case.board()[GO]["handover"] is None
    assert case.prompt(GO)


def test_conc_03_half_written_file(case: Case, tmp_path: Path) -> None:
    agent = Agent(tmp_path / "agent").does()
    env = {"PATH": f"{agent.folder}/bin:{os.environ['PATH']}"}
    at_rest = case.json("next", "slow-1")
    assert (at_rest["turn"], at_rest["mode"]) == ("review", "final-gate")
    writer = subprocess.Popen(["bash", case.root / "act.sh"], env=dict(case.env))
    while writer.poll() is None:
        assert case.json("next", "slow-1")["task"] == "slow-1"
        ran = case.run("launch", "slow-1", "--where", "headless", env=env)
        written = ("slow-1 is being written to", "slow-1 changed since it was read")
        assert ran.code == 0 or any(words in ran.said for words in written), ran.said
    assert writer.returncode == 0
    assert case.json("next", "slow-1") == at_rest
    assert case.run("launch", "slow-1", "--where", "headless", env=env).code == 0
    for call in agent.calls:
        assert b"MARK-CONTRACT-review\n" in call.argv[-1]
