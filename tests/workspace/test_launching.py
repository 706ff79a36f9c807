"""Launching headless and in a real tmux: what reaches the agent, what is recorded, what fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.standing import HandoverState
from mandrel_tui.protocol.trail import Ending
from mandrel_tui.workspace import launching, prepared
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import ARGUMENT_LIMIT, HEADLESS, HERE, TMUX
from mandrel_tui.workspace.launching import Apart, launch_apart
from mandrel_tui.workspace.prepared import Prepared, Table, prepare, prepare_followup
from mandrel_tui.workspace.programs import NotStarted
from tests.agents import CLAUDE, DEAF, Agent
from tests.builders import work
from tests.seats import NAME, Seat

PATIENCE = 20.0
CLAIM = "other@2026-03-02T14:03:00Z"


@dataclass
class Launchpad:
    """A seat with an agent to launch from it."""

    seat: Seat
    agent: Agent

    @property
    def table(self) -> Table:
        environ = {**os.environ, "PATH": self.agent.path}
        return Table({"claude": CLAUDE, "deaf": DEAF}, environ)

    def prepare(self, place: str, agent: str = "claude", **asked: object) -> Prepared:
        request = PromptRequest(NAME, **asked)  # type: ignore[arg-type]
        return prepare(self.seat.open(), self.table, request, agent, place)

    def launch(self, place: str, agent: str = "claude", **asked: object) -> Apart:
        return launch_apart(self.seat.open(), self.prepare(place, agent, **asked))

    @property
    def handovers(self) -> tuple[Handover, ...]:
        return self.seat.open().handovers.trail(NAME).handovers

    @property
    def state(self) -> HandoverState | None:
        row = self.seat.open().board().find(NAME)
        assert row is not None
        return row.handover and row.handover.state

    def ended(self) -> Ending:
        """How the agent that was launched last ended, once it has."""
        files = LaunchFiles(self.seat.open().state)
        last = self.handovers[-1].id
        return until(lambda: files.ending(last))

    @property
    def leftovers(self) -> list[str]:
        folder = LaunchFiles(self.seat.open().state).folder
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def until(look: Callable[[], Any]) -> Any:
    """The first answer that is one."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.02)
    return found


@pytest.fixture
def pad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Launchpad:
    monkeypatch.setattr(prepared, "QUIET", 0.0)
    root = tmp_path / "repository"
    seat = Seat.at(root, status="pending", est="0/3", claimed_by=None)
    return Launchpad(seat, Agent(tmp_path / "agent").does())


def test_headless_gets_the_exact_prompt_as_one_argument_and_nothing_to_read(
    pad: Launchpad,
) -> None:
    ready = pad.prepare(HEADLESS)
    apart = launch_apart(pad.seat.open(), ready)
    call = until(lambda: pad.agent.calls and pad.agent.call)
    assert ready.sid is not None
    assert call.argv == [b"--print", b"--session-id", ready.sid.encode(), b"--", ready.data]
    assert ready.sid.encode() in ready.data
    assert (call.stdin_kind, call.stdin, call.cwd) == ("/dev/null", b"", pad.seat.root)
    assert apart.cause == "" and apart.output is not None
    (handover,) = pad.handovers
    assert (handover.sid, handover.delivery.way) == (ready.sid, HEADLESS)
    assert pad.seat.open().handovers.bytes_of(handover) == ready.data


def test_what_a_headless_agent_prints_is_kept_with_how_it_ended(pad: Launchpad) -> None:
    pad.agent.does("echo to out; echo to err >&2")
    apart = pad.launch(HEADLESS)
    assert pad.ended() == Ending(pad.handovers[0].id, pad.ended().at, 0)
    assert apart.output is not None
    assert apart.output.read_text() == "to out\nto err\n"
    assert apart.output.stat().st_mode & 0o077 == 0
    assert pad.state is HandoverState.RETURNED


def test_an_agent_works_on_while_this_program_looks_away(pad: Launchpad, tmp_path: Path) -> None:
    pad.agent.does(f"until [ -e {tmp_path}/go ]; do sleep 0.05; done; exit 5")
    pad.launch(HEADLESS)
    assert pad.state is HandoverState.OUT
    (tmp_path / "go").touch()
    assert (pad.ended().status, pad.ended().cause) == (5, "exit status 5")
    assert pad.state is HandoverState.FAILED


def test_an_agent_that_fails_at_once_is_told_with_its_own_words(pad: Launchpad) -> None:
    pad.agent.does("echo 'error: unknown option' >&2; exit 2")
    apart = pad.launch(HEADLESS)
    assert apart.cause == "exit status 2: error: unknown option"
    assert pad.state is HandoverState.FAILED


def test_a_killed_agent_is_named_with_its_signal(pad: Launchpad) -> None:
    pad.agent.does("kill -9 $$")
    assert pad.launch(HEADLESS).cause == "ended by signal 9"


def test_an_attendant_that_is_gone_leaves_no_session_out_for_ever(pad: Launchpad) -> None:
    pad.agent.does("sleep 300")
    pad.launch(HEADLESS)
    agent = int(until(lambda: pad.agent.calls and pad.agent.call.folder.name))
    attendant = int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(agent)]))
    os.kill(attendant, 9)
    os.kill(agent, 9)
    ending = until(lambda: pad.state is HandoverState.FAILED and pad.ended())
    assert ending.status is None and "lost sight of" in ending.cause


def test_the_agent_sees_neither_git_places_nor_an_outer_session(
    pad: Launchpad, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "CLAUDECODE", "DEAF", "GIT_AUTHOR_NAME"):
        monkeypatch.setenv(name, "x")
    ready = pad.prepare(HEADLESS)
    assert ready.plan.left_out == ("CLAUDECODE", "DEAF", "GIT_DIR")
    launch_apart(pad.seat.open(), ready)
    environ = until(lambda: pad.agent.calls and pad.agent.call).environ
    assert environ.keys() & {b"GIT_DIR", b"CLAUDECODE", b"DEAF"} == set()
    assert environ[b"GIT_AUTHOR_NAME"] == b"x"


def enlarge(pad: Launchpad) -> str:
    """A ruling that makes the prompt larger than an argument may be."""
    return "x" * ARGUMENT_LIMIT


def test_a_prompt_too_long_for_an_argument_goes_on_standard_input(pad: Launchpad) -> None:
    ready = pad.prepare(HEADLESS, ruling=enlarge(pad))
    launch_apart(pad.seat.open(), ready)
    call = until(lambda: pad.agent.calls and pad.agent.call)
    assert call.argv == [b"--print", b"--session-id", (ready.sid or "").encode()]
    assert call.stdin == ready.data


@pytest.mark.parametrize(("place", "agent"), [(HERE, "claude"), (HEADLESS, "deaf")])
def test_where_no_way_is_wide_enough_that_is_said_before_anything_is_done(
    pad: Launchpad, place: str, agent: str
) -> None:
    with pytest.raises(NotStarted, match=r"bytes and one argument holds 131,071"):
        pad.prepare(place, agent, ruling=enlarge(pad))
    assert pad.handovers == () and pad.leftovers == []


def test_of_an_agent_that_is_not_there_nothing_is_recorded(pad: Launchpad) -> None:
    (pad.agent.folder / "bin/claude").chmod(0o644)
    for place in (HERE, TMUX, HEADLESS):
        with pytest.raises(NotStarted, match="claude is not executable"):
            pad.prepare(place)
    with pytest.raises(NotStarted, match="no launcher is named other; there are claude, deaf"):
        pad.prepare(HERE, "other")
    assert pad.handovers == () and pad.leftovers == [] and pad.agent.calls == []


def test_an_agent_the_system_will_not_run_is_recorded_as_nothing(pad: Launchpad) -> None:
    (pad.agent.folder / "bin/claude").write_bytes(b"\x00\x01no program")
    with pytest.raises(NotStarted, match=r"claude cannot be started: exec format error"):
        pad.launch(HEADLESS)
    assert pad.handovers == () and pad.leftovers == []


def test_a_claim_made_meanwhile_stops_the_launch(pad: Launchpad) -> None:
    ready = pad.prepare(HEADLESS)
    pad.seat.write(status="in_progress", claimed_by=CLAIM)
    with pytest.raises(Refusal, match="changed since it was read: claimed by other@"):
        launch_apart(pad.seat.open(), ready)
    assert pad.agent.calls == [] and pad.handovers == ()


def test_a_claim_without_an_entry_is_asked_about_first(pad: Launchpad) -> None:
    pad.seat.write(status="in_progress", claimed_by=CLAIM)
    (question,) = pad.prepare(HEADLESS).questions
    assert question.startswith("other claimed it at 2026-03-02T14:03:00Z and has written no entry")
    pad.seat.write(work("other"), status="in_progress", claimed_by=CLAIM)
    assert pad.prepare(HEADLESS).questions == ()


def test_an_agent_that_is_out_with_the_task_is_asked_about_first(
    pad: Launchpad, tmp_path: Path
) -> None:
    pad.agent.does(f"until [ -e {tmp_path}/go ]; do sleep 0.05; done")
    pad.launch(HEADLESS)
    (question,) = pad.prepare(HEADLESS).questions
    assert question.startswith("claude has been out with it since 2026-03-02T14")
    (tmp_path / "go").touch()
    pad.ended()
    assert pad.prepare(HEADLESS).questions == ()


def test_a_file_that_is_being_written_is_launched_only_once_it_is_quiet(
    pad: Launchpad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "QUIET", 0.4)
    whole = pad.seat.write(work("a"), work("b"), status="in_progress", claimed_by="b@x")
    slow = (
        "import sys, time\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "file = open(sys.argv[1], 'wb', 0)\n"
        "print('go', flush=True)\n"
        "for n in range(0, len(data), 60): file.write(data[n:n + 60]); time.sleep(0.1)\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", slow, pad.seat.path], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    ready = pad.prepare(HEADLESS)
    assert writer.wait(PATIENCE) == 0
    assert ready.kind == "review" and pad.seat.path.read_bytes() == whole
    assert ready.task.sha256 == pad.seat.open().task(NAME).sha256
    writer.stdout.close()


def test_a_file_that_is_never_quiet_is_not_launched(
    pad: Launchpad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepared, "QUIET", 60.0)
    monkeypatch.setattr(prepared, "PATIENCE", 0.2)
    with pytest.raises(Refusal, match="is being written to"):
        pad.prepare(HEADLESS)


def blocked(pad: Launchpad) -> str:
    """A task that a session left with a question; its sid."""
    sid = str(uuid.uuid4())
    pad.seat.write(
        work(sid, before="in_progress", after="blocked"),
        status="blocked",
        blockers="[external:which port?]",
        claimed_by=f"{sid}@2026-03-02T14:03:00Z",
    )
    return sid


def answer(pad: Launchpad, **options: bool) -> Prepared:
    workspace = pad.seat.open()
    return prepare_followup(
        workspace, pad.table, NAME, "blocked-resume", "Port 8080.", "claude", HEADLESS, **options
    )


def test_an_answer_resumes_the_conversation_that_claimed_the_task(pad: Launchpad) -> None:
    sid = blocked(pad)
    ready = answer(pad)
    launch_apart(pad.seat.open(), ready)
    call = until(lambda: pad.agent.calls and pad.agent.call)
    assert call.argv == [b"--print", b"--resume", sid.encode(), b"--", ready.data]
    assert b"Port 8080." in ready.data
    (handover,) = pad.handovers
    assert (handover.kind, handover.sid) == ("blocked-resume", sid)


def begun(home: Path, sid: str, folder: Path) -> None:
    place = home / ".claude/projects/key"
    place.mkdir(parents=True)
    (place / f"{sid}.jsonl").write_text(f'{{"sessionId":"{sid}","cwd":"{folder}"}}\n')


def test_a_conversation_begun_elsewhere_is_resumed_there_and_that_is_said(
    pad: Launchpad, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "worktree").mkdir()
    begun(home, blocked(pad), tmp_path / "worktree")
    ready = answer(pad)
    assert ready.notes == (f"it is resumed in {tmp_path}/worktree, where it was begun",)
    launch_apart(pad.seat.open(), ready)
    assert until(lambda: pad.agent.calls and pad.agent.call).cwd == tmp_path / "worktree"


def test_a_conversation_whose_folder_is_gone_is_never_replaced_by_another_silently(
    pad: Launchpad, home: Path, tmp_path: Path
) -> None:
    sid = blocked(pad)
    begun(home, sid, tmp_path / "gone")
    with pytest.raises(NotStarted, match="gone, which is gone; only a new session"):
        answer(pad)
    ready = answer(pad, fresh=True)
    assert ready.sid not in (None, sid) and "--session-id" in ready.plan.arguments
    launch_apart(pad.seat.open(), ready)
    assert pad.handovers[-1].sid == ready.sid


def test_a_resume_that_fails_leaves_the_question_with_the_human(pad: Launchpad) -> None:
    blocked(pad)
    pad.agent.does("echo 'no such conversation here' >&2; exit 1")
    apart = launch_apart(pad.seat.open(), answer(pad))
    assert apart.cause == "exit status 1: no such conversation here"
    assert pad.state is HandoverState.FAILED
    assert pad.seat.open().task(NAME).status == "blocked"


def test_a_conversation_that_is_still_at_work_is_not_resumed_beside_itself(
    pad: Launchpad, tmp_path: Path
) -> None:
    pad.agent.does(f"until [ -e {tmp_path}/go ]; do sleep 0.05; done")
    pad.launch(HEADLESS)
    with pytest.raises(NotStarted, match="claude still works on it"):
        prepare_followup(
            pad.seat.open(), pad.table, NAME, "human-instruction", "Stop.", "claude", HEADLESS
        )
    (tmp_path / "go").touch()
    pad.ended()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A tmux server of its own, in which this program seems to run; its socket's name."""
    tmux = shutil.which("tmux")
    if tmux is None:
        pytest.skip("tmux is not installed")
    socket = f"mandrel-tui-{uuid.uuid4().hex}"

    def ask(*words: str) -> str:
        return subprocess.check_output([tmux, "-L", socket, *words], text=True).strip()

    ask("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "exec sleep 600")
    path, pane = ask("display-message", "-p", "#{socket_path} #{pane_id}").split()
    monkeypatch.setenv("TMUX", f"{path},1,0")
    monkeypatch.setenv("TMUX_PANE", pane)
    yield socket
    subprocess.run([tmux, "-L", socket, "kill-server"], capture_output=True)


def windows(server: str) -> list[str]:
    return subprocess.check_output(
        ["tmux", "-L", server, "list-panes", "-s", "-F", "#{window_index} #{window_name}"],
        text=True,
    ).splitlines()


def test_a_tmux_window_gets_the_exact_prompt_and_a_terminal(pad: Launchpad, server: str) -> None:
    pad.agent.does("read line")
    ready = pad.prepare(TMUX)
    apart = launch_apart(pad.seat.open(), ready)
    assert ready.sid is not None and apart.cause == ""
    call = until(lambda: pad.agent.calls and pad.agent.call)
    assert call.argv == [b"--session-id", ready.sid.encode(), b"--", ready.data]
    assert (call.stdin_kind, call.cwd) == ("terminal", pad.seat.root)
    assert apart.place.startswith("tmux window 1, pane %")
    assert f"1 claude {NAME}" in windows(server)
    assert pad.handovers[0].delivery.place == apart.place
    assert pad.state is HandoverState.OUT
    assert [name for name in pad.leftovers if name.endswith(".order")] == []


def test_a_pane_beside_this_one_can_be_had_instead(pad: Launchpad, server: str) -> None:
    pad.agent.does("read line")
    apart = launch_apart(pad.seat.open(), pad.prepare(TMUX), split=True)
    assert apart.place.startswith("tmux window 0, pane %")
    assert len(windows(server)) == 2


def test_in_tmux_the_agent_has_this_programs_environment_not_the_servers(
    pad: Launchpad, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONLY_HERE", "a\nb=c é")
    monkeypatch.setenv("CLAUDECODE", "1")
    pad.agent.does("read line")
    pad.launch(TMUX)
    environ = until(lambda: pad.agent.calls and pad.agent.call).environ
    assert environ[b"ONLY_HERE"] == "a\nb=c é".encode()
    assert b"CLAUDECODE" not in environ


def test_a_failing_agent_leaves_no_window_behind_and_its_words_are_told(
    pad: Launchpad, server: str
) -> None:
    pad.agent.does("echo 'error: no such model' >&2; exit 3")
    apart = pad.launch(TMUX)
    assert apart.cause == "exit status 3: error: no such model"
    assert until(lambda: len(windows(server)) == 1)
    assert pad.state is HandoverState.FAILED


def test_an_agent_that_ends_well_at_once_closes_its_window(pad: Launchpad, server: str) -> None:
    assert pad.launch(TMUX).cause == ""
    assert pad.ended().status == 0
    assert until(lambda: len(windows(server)) == 1)


def test_a_window_closed_by_hand_ends_the_session(pad: Launchpad, server: str) -> None:
    pad.agent.does("exec sleep 300")
    pad.launch(TMUX)
    subprocess.run(["tmux", "-L", server, "kill-window", "-t", ":1"], check=True)
    assert until(lambda: pad.state is HandoverState.FAILED)
    assert pad.ended().cause in ("ended by signal 1", "lost sight of: what watched it is gone")


# Asks for bracketed paste as an agent does, and keeps the bytes of one paste.
_PASTED = """
import os, sys, termios, tty
kept = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, b"ready \x1b[?2004h")
data = b""
while not data.endswith(b"\x1b[201~"):
    data += os.read(0, 65536)
open(sys.argv[1], "wb").write(data)
termios.tcsetattr(0, termios.TCSADRAIN, kept)
os.read(0, 1)
"""


def test_a_prompt_too_long_for_an_argument_is_pasted_in_brackets(
    pad: Launchpad, server: str, tmp_path: Path
) -> None:
    script, kept = tmp_path / "paste.py", tmp_path / "pasted"
    script.write_text(_PASTED, encoding="utf-8")
    pad.agent.does(f"exec {sys.executable} {script} {kept}")
    ready = pad.prepare(TMUX, ruling=enlarge(pad))
    apart = launch_apart(pad.seat.open(), ready)
    assert apart.place.endswith("press Enter there") and apart.cause == ""
    assert until(lambda: kept.exists() and kept.stat().st_size > len(ready.data))
    assert kept.read_bytes() == b"\x1b[200~" + ready.data + b"\x1b[201~"
    assert subprocess.check_output(["tmux", "-L", server, "list-buffers"]) == b""


def test_a_followup_is_pasted_into_the_pane_in_which_the_conversation_is_open(
    pad: Launchpad, server: str, tmp_path: Path
) -> None:
    script, kept = tmp_path / "paste.py", tmp_path / "pasted"
    script.write_text(_PASTED, encoding="utf-8")
    pad.agent.does(f"exec {sys.executable} {script} {kept}")
    first = pad.launch(TMUX)
    ready = prepare_followup(
        pad.seat.open(), pad.table, NAME, "human-instruction", "Go on.", "claude", TMUX
    )
    assert ready.notes == (f"the conversation is open in {first.place}",)
    apart = launch_apart(pad.seat.open(), ready)
    assert apart.place == f"pasted into {first.place}; press Enter there"
    assert until(lambda: kept.exists() and kept.stat().st_size > len(ready.data))
    assert kept.read_bytes() == b"\x1b[200~" + ready.data + b"\x1b[201~"
    assert len(pad.agent.calls) == 1
    assert [one.kind for one in pad.handovers] == ["dev", "human-instruction"]
    # The conversation stays open, whatever was said in it, until its agent ends.
    again = prepare_followup(
        pad.seat.open(), pad.table, NAME, "human-instruction", "Go on.", "deaf", HEADLESS
    )
    assert (again.pane, again.plan.launcher.name) == (ready.pane, "claude")
    assert pad.state is HandoverState.OUT
    assert ready.pane is not None
    subprocess.run(["tmux", "-L", server, "send-keys", "-t", ready.pane.id, "Enter"], check=True)
    assert until(lambda: pad.state is HandoverState.RETURNED)


def test_a_conversation_without_a_known_id_takes_a_followup_in_its_open_pane(
    pad: Launchpad, server: str
) -> None:
    pad.agent.does("echo ready; sleep 300")
    first = pad.launch(TMUX, "deaf")
    ready = prepare_followup(
        pad.seat.open(), pad.table, NAME, "human-instruction", "Go on.", "deaf", TMUX
    )
    assert ready.pane is not None and ready.notes[0].endswith(first.place)
    assert "and <prompt" in ready.plan.line


def test_outside_tmux_there_is_no_window_and_nothing_is_out(
    pad: Launchpad, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    with pytest.raises(NotStarted, match="does not run in tmux"):
        pad.launch(TMUX)
    assert pad.handovers == () and pad.leftovers == []


def test_a_tmux_that_is_gone_is_told_in_its_own_words(
    pad: Launchpad, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["tmux", "-L", server, "kill-server"], check=True)
    with pytest.raises(NotStarted, match="tmux opened no window"):
        pad.launch(TMUX)
    assert pad.handovers == () and pad.leftovers == []


def test_a_pane_that_shows_nothing_takes_no_paste(
    pad: Launchpad, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "PASTES", 0.5)
    pad.agent.does("sleep 300")
    with pytest.raises(NotStarted, match="shows nothing that could take the prompt"):
        pad.launch(TMUX, ruling=enlarge(pad))
    assert pad.handovers == () and len(windows(server)) == 1


def test_where_no_state_can_be_kept_an_agent_apart_is_refused(pad: Launchpad, home: Path) -> None:
    shutil.rmtree(home / "state", ignore_errors=True)
    (home / "state").write_bytes(b"")
    with pytest.raises(NotStarted, match="needs the state folder"):
        pad.launch(HEADLESS)
