"""`launch`: into an agent at this terminal, in tmux or headless, and back."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.agents import Agent
from tests.builders import review, work
from tests.conftest import Ran, RunCli
from tests.seats import NAME, Seat
from tests.terminals import Typed, in_terminal

PAST = 1_700_000_000


@dataclass
class Launchpad:
    """A seat with a stand-in for claude on the search path, and the real command line."""

    seat: Seat
    agent: Agent
    run_cli: RunCli

    def run(self, *arguments: str, **options: Any) -> Ran:
        env = {"PATH": self.agent.path, **options.pop("env", {})}
        return self.run_cli(*arguments, cwd=self.seat.root, env=env, **options)

    def at_terminal(self, *arguments: str, typed: Typed = ()) -> tuple[int, str]:
        env = {"PATH": self.agent.path}
        code, shown = in_terminal(arguments, self.seat.root, typed=typed, env=env)
        assert b"Traceback" not in shown, shown
        return code, shown.decode("utf-8", "replace")

    def json(self, *arguments: str) -> Any:
        ran = self.run(*arguments, "--json")
        assert ran.code == 0, ran.said
        return ran.json

    @property
    def handover(self) -> Any:
        (row,) = self.json("board")
        return row["handover"]


@pytest.fixture
def pad(tmp_path: Path, run_cli: RunCli) -> Launchpad:
    root = tmp_path / "repository"
    seat = Seat.at(root, status="pending", est="0/3", claimed_by=None)
    os.utime(seat.path, (PAST, PAST))
    return Launchpad(seat, Agent(tmp_path / "agent").does(), run_cli)


def writes_its_entry(pad: Launchpad) -> str:
    """What an agent does that works on the task and writes down what it did."""
    sid = 'sid=$(printf "%s" "$2")'
    done = pad.seat.root.parent / "done.md"
    done.write_bytes(pad.seat.path.read_bytes())
    text = work("SID").replace("\n", "\\n")
    claim = "s/^status: pending/status: in_progress/; s|^blockers|claimed-by: SID@now\\nblockers|"
    return (
        f'{sid}; sed -e "{claim}; s/0\\/3/1\\/3/" {done} > {done}.new; '
        f"printf '\\n{text}\\n' >> {done}.new; "
        f'sed -e "s/SID/$sid/g" {done}.new > {pad.seat.path}'
    )


def test_an_agent_at_this_terminal_gets_the_exact_prompt_and_comes_back(pad: Launchpad) -> None:
    pad.agent.does(writes_its_entry(pad))
    code, shown = pad.at_terminal("launch", NAME)
    assert code == 0, shown
    call = pad.agent.call
    (receipt,) = pad.json("receipts")
    assert call.argv[:3] == [b"--session-id", receipt["sid"].encode(), b"--"]
    assert call.argv[3] == Path(receipt["file"]).read_bytes()
    assert call.stdin_kind == "terminal" and call.cwd == pad.seat.root
    assert (receipt["launcher"], receipt["way"], receipt["ended"]["status"]) == (
        "claude",
        "here",
        0,
    )
    assert f"claude --session-id {receipt['sid']} -- <prompt, {receipt['bytes']:,} bytes>" in shown
    assert "claude ended" in shown and f"`check {NAME}` checks it" in shown
    assert pad.handover["state"] == "returned"
    ran = pad.run("check", NAME, "--json")
    assert ran.json["passed"], ran.json
    assert pad.handover is None


def test_an_agent_that_fails_is_told_and_is_not_out(pad: Launchpad) -> None:
    pad.agent.does("echo 'error: unknown option'; exit 2")
    code, shown = pad.at_terminal("launch", NAME)
    assert code == 1 and "claude exit status 2" in shown
    assert pad.handover["state"] == "failed"
    assert pad.json("inbox")[0]["words"] == "failed: exit status 2"


def test_a_stopped_agent_is_brought_back(pad: Launchpad) -> None:
    pad.agent.does("stty raw -echo; kill -STOP $$; stty sane; echo back again")
    code, shown = pad.at_terminal("launch", NAME, typed=[(b"ends it: ", b"\r")])
    assert code == 0 and "back again" in shown
    assert "claude is stopped by signal 19, process" in shown


def test_a_stopped_agent_is_ended(pad: Launchpad) -> None:
    pad.agent.does("kill -STOP $$; sleep 60")
    code, shown = pad.at_terminal("launch", NAME, typed=[(b"ends it: ", b"e\r")])
    assert code == 1 and "claude ended by signal 15" in shown
    assert pad.handover["state"] == "failed"


def test_a_claim_without_an_entry_is_asked_about(pad: Launchpad) -> None:
    pad.seat.write(status="in_progress", claimed_by="other@2026-03-02T14:03:00Z")
    os.utime(pad.seat.path, (PAST, PAST))
    code, shown = pad.at_terminal("launch", NAME, typed=[(b"[y/N] ", b"n\r")])
    assert code == 1 and "nothing was launched" in shown and pad.agent.calls == []
    code, shown = pad.at_terminal("launch", NAME, typed=[(b"[y/N] ", b"y\r")])
    assert code == 0 and len(pad.agent.calls) == 1
    refused = pad.run("launch", NAME, "--where", "headless")
    assert refused.code == 1 and "other claimed it" in refused.said


def test_a_script_launches_beside_a_session_that_is_out(pad: Launchpad) -> None:
    kept = pad.seat.root.parent / "prompt.md"
    assert pad.run("prompt", NAME, "--output", str(kept)).code == 0
    refused = pad.run("launch", NAME, "--where", "headless")
    assert refused.code == 1 and pad.agent.calls == []
    assert "; nothing was launched; --yes launches all the same" in refused.said
    ran = pad.run("launch", NAME, "--where", "headless", "--yes")
    assert ran.code == 0 and "a session has been out with it since" in ran.said
    assert len(pad.agent.calls) == 1


def test_a_launch_takes_the_ruling_that_its_refusal_asks_for(pad: Launchpad) -> None:
    dispute = review("s-1", "r-1", verdict="changes-requested", dispute="F1 stands")
    pad.seat.write(work("s-1"), dispute, status="in_progress", claimed_by="r-1@x")
    os.utime(pad.seat.path, (PAST, PAST))
    refused = pad.run("launch", NAME, "--where", "headless")
    assert refused.code == 1 and "--ruling TEXT, or use --without-ruling" in refused.said
    ran = pad.run("launch", NAME, "--where", "headless", "--ruling", "F1 is dropped.")
    assert ran.code == 0 and b"F1 is dropped." in pad.agent.call.argv[-1]
    assert pad.json("rule", NAME)["text"] == "F1 is dropped."


def test_headless_prints_what_the_agent_printed(pad: Launchpad) -> None:
    pad.agent.does("printf 'all\\nof it'")
    ran = pad.run("launch", NAME, "--where", "headless")
    assert (ran.code, ran.out) == (0, b"all\nof it")
    assert "claude --print --session-id" in ran.said and "claude works headless" in ran.said
    (receipt,) = pad.json("receipts")
    assert pad.agent.call.argv[-1] == Path(receipt["file"]).read_bytes()


def test_a_headless_agent_that_fails_is_exit_1(pad: Launchpad) -> None:
    pad.agent.does("echo sorry; exit 4")
    ran = pad.run("launch", NAME, "--where", "headless")
    assert (ran.code, ran.out) == (1, b"sorry\n") and "claude exit status 4" in ran.said


def test_what_was_left_out_of_the_environment_is_told(pad: Launchpad) -> None:
    env = {"CLAUDECODE": "1", "GIT_DIR": "/x", "CODEX_SANDBOX": "y"}
    ran = pad.run("launch", NAME, "--where", "headless", env=env)
    assert "left out of its environment: CLAUDECODE, CODEX_SANDBOX, GIT_DIR" in ran.said
    assert pad.agent.call.environ.keys() & {name.encode() for name in env} == set()


@pytest.mark.parametrize("where", ["headless", "tmux"])
def test_a_missing_agent_is_named_and_nothing_is_recorded(pad: Launchpad, where: str) -> None:
    ran = pad.run("launch", NAME, "--agent", "codex", "--where", where)
    assert ran.code == 1 and "no codex on PATH" in ran.said
    assert pad.json("receipts") == [] and pad.handover is None


def test_an_unknown_agent_or_no_terminal_is_wrong_use(pad: Launchpad) -> None:
    ran = pad.run("launch", NAME, "--agent", "other", "--where", "headless")
    assert ran.code == 2 and "there are claude, codex, cursor-agent" in ran.said
    ran = pad.run("launch", NAME)
    assert ran.code == 2 and "there is no terminal here" in ran.said
    ran = pad.run("launch", NAME, "--agent", "other")
    assert ran.code == 2 and "no launcher is named other" in ran.said
    assert pad.run("launch", "nobody", "--where", "headless").code == 2


def test_the_users_own_agent_is_launched(pad: Launchpad, home: Path) -> None:
    Agent(pad.agent.folder, "mine").does()
    settings = home / "config/mandrel-tui/settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        'agent = "mine"\nsymbols = "emoji"\n'
        '[launchers.mine]\nprogram = "mine"\nheadless = ["run"]\n'
        'prompt = ["--ask", "{prompt}"]\n[launchers.wrong]\n',
        encoding="utf-8",
    )
    ran = pad.run("launch", NAME, "--where", "headless")
    assert ran.code == 0, ran.said
    assert pad.agent.call.argv[:2] == [b"run", b"--ask"]
    assert "settings.toml, launchers.wrong.program: it is missing; it is left out" in ran.said
    assert "settings.toml, symbols: " in ran.said


def test_an_illegal_launch_is_one_sentence(pad: Launchpad) -> None:
    sid = str(uuid.uuid4())
    blocked = work(sid, after="blocked")
    pad.seat.write(blocked, status="blocked", blockers="[external:why?]", claimed_by=f"{sid}@x")
    ran = pad.run("launch", NAME, "--where", "headless")
    assert ran.code == 1 and "Blocked by a question: why?" in ran.said
    assert pad.agent.calls == []
