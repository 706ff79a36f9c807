"""Agents launched from the app in a real terminal, which is given up, and taken back whatever the
agent did to it."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.situations.case import Case, build
from tests.situations.test_launching import GO, Shell, calls, inside_tmux, windows
from tests.situations.tmux import Terminal, app

RAN = "claude --session-id"


def a_case(id: str, folder: Path) -> Case:
    return build(id, folder / "situation")


def choose(terminal: Terminal) -> None:
    """Open the launch of the one task."""
    terminal.wait("(?m)^ .*  memory ")
    terminal.wait("go  .*dev")
    terminal.keys("l")
    terminal.wait("━ launch: go ━")


def launch_here(terminal: Terminal) -> None:
    """Launch in this terminal, once what runs is seen."""
    choose(terminal)
    terminal.wait(RAN)
    terminal.keys("C-o")


def says(terminal: Terminal, words: str) -> None:
    """Wait for words in a dialog, wherever they are wrapped."""
    sought = "".join(words.split())
    terminal.until(lambda screen: sought in re.sub(r"[\s┃]", "", screen), words)


def ended(terminal: Terminal, words: str = "claude ended") -> None:
    """Wait until the end of the agent is told: of the moment, or on the card, since what is told of
    the moment gives way to what the board says next."""
    terminal.wait(f"(?i){words}")


def flags(terminal: Terminal) -> list[str]:
    """Of the terminal: alternate screen, any mouse report, cursor."""
    asked = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"
    return terminal._ask("display-message", "-p", asked).split()


@pytest.fixture
def dashes(tmp_path: Path) -> Iterator[tuple[Case, Terminal]]:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    with app(case) as terminal:
        yield case, terminal


def test_the_exact_prompt_reaches_an_agent_that_has_the_terminal(
    dashes: tuple[Case, Terminal],
) -> None:
    case, terminal = dashes
    launch_here(terminal)
    ended(terminal)
    (call,) = calls(case)
    *options, mark, prompt, rest = (call / "argv0").read_bytes().split(b"\0")
    receipt = case.json("receipts")[-1]
    assert (mark, rest) == (b"--", b"")
    assert prompt == Path(receipt["file"]).read_bytes()
    assert b"---\nrole: dev-advancement\n---\n" in prompt
    assert options == [b"--session-id", receipt["sid"].encode()]
    assert (call / "stdin-kind").read_text() == "tty\n"
    assert terminal.wait("━ tasks").count("━ tasks") == 1
    terminal.quit()


def test_what_runs_after_a_question_is_what_was_shown(dashes: tuple[Case, Terminal]) -> None:
    case, terminal = dashes
    terminal.wait("go  .*dev")
    terminal.keys("c")
    terminal.wait("sent to the terminal")
    terminal.keys("l")
    terminal.wait("has been out with it since")
    shown = "".join(re.sub(r"[\s┃]", "", terminal.wait(RAN)).split())
    terminal.keys("C-o")
    terminal.wait("━ sure[?] ━")
    terminal.keys("y")
    ended(terminal)
    (call,) = calls(case)
    sid = (call / "argv0").read_text().split("\0")[1]
    assert f"--session-id{sid}" in shown
    terminal.quit()


@pytest.mark.parametrize("mode", ["dirty", "kill", "stop"])
def test_the_screen_comes_back_whole_whatever_the_agent_did_to_it(
    tmp_path: Path, mode: str
) -> None:
    case = a_case("launch-08-terminal-state-after-child", tmp_path)
    with app(case, env={"STUB_MODE": mode}) as terminal:
        launch_here(terminal)
        if mode == "stop":
            terminal.wait("━ the agent stopped ━")
            terminal.wait("claude was stopped by signal 19; it is process")
            terminal.keys("b")
        ended(terminal, "ended by signal 9" if mode == "kill" else "claude ended")
        assert flags(terminal) == ["1", "1", "0"]
        terminal.wait("━ tasks 1 ")
        terminal.keys("Up", "Down", "Enter")
        terminal.wait("━ go ")
        terminal.keys("Escape")
        terminal.wait("━ tasks 1 ")
        terminal.click(*terminal.place("inbox"))
        terminal.wait("━ inbox ")
        terminal.keys("F2")
        terminal.resize(100, 30)
        screen = terminal.wait("━ tasks 1 ")
        assert "[27u" not in screen and "[<" not in screen
        terminal.quit()
        assert flags(terminal) == ["0", "0", "1"]


def test_an_agent_that_stopped_can_be_ended(tmp_path: Path) -> None:
    case = a_case("launch-08-terminal-state-after-child", tmp_path)
    with app(case, env={"STUB_MODE": "stop"}) as terminal:
        launch_here(terminal)
        terminal.wait("━ the agent stopped ━")
        terminal.keys("e")
        ended(terminal, "ended by signal 15")
        terminal.wait("!failed")
        terminal.quit()


def test_an_agent_that_is_missing_or_broken_leaves_the_screen_as_it_is(tmp_path: Path) -> None:
    case = a_case("launch-09-agent-missing-or-broken", tmp_path)
    before = case.snapshot()
    with app(case) as terminal:
        choose(terminal)
        says(terminal, "claude is a folder")
        terminal.keys("BTab", "Right")
        says(terminal, "codex needs /no/such/interp, which is not there")
        terminal.keys("Right")
        says(terminal, "cursor-agent is not executable")
        terminal.keys("Escape")
        terminal.lose("━ launch: go ━")
        terminal.quit()
    assert case.snapshot() == before
    assert case.json("receipts") == []


def test_a_signal_ends_the_agent_and_the_app_and_says_so(tmp_path: Path) -> None:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    (case.root / "stubs/behave").write_text("echo ready; exec sleep 300\n")
    env = {"STUB_BEHAVIOUR": str(case.root / "stubs/behave")}
    with app(case, env=env) as terminal:
        launch_here(terminal)
        terminal.wait("(?m)^ready")
        os.kill(_pid(terminal), signal.SIGTERM)
        assert terminal.end() == 128 + signal.SIGTERM
        terminal.wait("told to end by signal 15; claude ended by signal 15")
        assert flags(terminal) == ["0", "0", "1"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_that_ends_the_app_gives_the_terminal_back(
    dashes: tuple[Case, Terminal], number: signal.Signals
) -> None:
    _, terminal = dashes
    terminal.wait("(?m)^ .*  memory ")
    os.kill(_pid(terminal), number)
    assert terminal.end() == 128 + number
    assert flags(terminal) == ["0", "0", "1"]


def test_a_shell_that_stopped_the_app_brings_it_back_whole(tmp_path: Path) -> None:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    with Shell.of(case) as shell:
        shell.say(f"clear; {sys.executable} -m mandrel_tui")
        terminal = shell.terminal
        terminal.wait("(?m)^ .*  memory ")
        terminal.wait("go  .*dev")
        terminal.keys("p")
        terminal.wait("session-end-pointer")
        terminal.keys("C-z")
        terminal.wait("Stopped")
        assert flags(terminal) == ["0", "0", "1"]
        shell.say("fg")
        for part in (
            "memory ",
            "─ prompt: go",
            "━ outline ",
            "end-pointer",
            "─ what goes out",
            "Esc back",
        ):
            terminal.wait(part)
        terminal.keys("Escape")
        terminal.wait("━ tasks 1 ")
        terminal.keys("q")
        terminal.wait(r"(?m)^\$$")


def test_where_no_shell_could_bring_it_back_the_app_goes_on(
    dashes: tuple[Case, Terminal],
) -> None:
    _, terminal = dashes
    terminal.wait("(?m)^ .*  memory ")
    terminal.keys("C-z")
    terminal.wait("no shell here could bring the program back")
    terminal.quit()


def test_what_an_agent_printed_is_not_written_over_when_the_app_is_left(tmp_path: Path) -> None:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    (case.root / "stubs/behave").write_text("echo what it said\n")
    with app(case, env={"STUB_BEHAVIOUR": str(case.root / "stubs/behave")}) as terminal:
        launch_here(terminal)
        ended(terminal)
        terminal.quit()
        _, said = terminal.place("what it said")
        assert int(terminal._ask("display-message", "-p", "#{cursor_y}")) > said


def _pid(terminal: Terminal) -> int:
    """The process of the app in a terminal."""
    shell = int(terminal._ask("display-message", "-p", "#{pane_pid}"))
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == shell and b"mandrel_tui" in command:
            return int(entry.name)
    raise AssertionError("the app is not there")


def test_an_agent_in_a_tmux_window_or_pane_works_beside_the_app(tmp_path: Path) -> None:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    (case.root / "stubs/behave").write_text("exec sleep 300\n")
    with Shell.of(case, {"STUB_BEHAVIOUR": str(case.root / "stubs/behave")}) as shell:
        inside_tmux(shell)
        shell.say(f"clear; {sys.executable} -m mandrel_tui")
        terminal = shell.terminal
        choose(terminal)
        terminal.keys("w")
        terminal.wait(r"\[w tmux window\]")
        terminal.wait(RAN)
        terminal.keys("C-o")
        terminal.until(lambda screen: len(windows(shell)) == 2, "a second window")
        terminal._ask("select-window", "-t", "0")
        terminal.wait("claude was launched in tmux window 1, pane %")
        terminal.wait("out 0m")
        terminal.keys("Space")
        terminal.wait("message: instruction")
        terminal.keys("End", "Up", "Up", "Up")
        terminal.wait("What it shall do beside")
        terminal.keys("Enter")
        terminal.wait("━ instruction: go ━")
        terminal.type("Go on.")
        terminal.keys("C-o")
        terminal.wait("ctrl.o copy +l launch")
        terminal.type("l")
        terminal.wait("the conversation is open in tmux window 1")
        terminal.keys("Enter")
        terminal.wait(r"(?m)^ pasted into tmux window 1, pane %\d+; press Enter there")
        terminal.keys("q")
        (call,) = calls(case)
        assert b"---\nrole: dev-advancement\n---\n" in (call / "argv0").read_bytes()
        assert case.board()[GO]["handover"]["state"] == "out"


def test_a_prompt_too_long_for_an_argument_is_pasted_into_the_window(tmp_path: Path) -> None:
    case = a_case("launch-01-prompt-starts-with-dashes", tmp_path)
    task = case.repo / ".ai-protocol/protocols/dev-advancement.md"
    task.write_text(task.read_text() + "A line of the contract.\n" * 8000)
    taken = tmp_path / "taken"
    (case.root / "stubs/behave").write_text(
        f"printf '\\033[?2004h> '; stty -echo -icanon; exec cat > '{taken}'\n"
    )
    with Shell.of(case, {"STUB_BEHAVIOUR": str(case.root / "stubs/behave")}) as shell:
        inside_tmux(shell)
        shell.say(f"clear; {sys.executable} -m mandrel_tui")
        terminal = shell.terminal
        choose(terminal)
        terminal.wait("the prompt reaches no agent so")
        terminal.keys("Right")
        terminal.wait("bytes> pasted")
        terminal.keys("C-o")
        terminal.until(lambda screen: len(windows(shell)) == 2, "a second window")
        terminal._ask("select-window", "-t", "0")
        terminal.wait("press Enter there")
        receipt = case.json("receipts")[-1]
        sent = Path(receipt["file"]).read_bytes()
        terminal.until(lambda screen: len(taken.read_bytes()) >= len(sent) + 12, "the paste")
        assert taken.read_bytes() == b"\x1b[200~" + sent + b"\x1b[201~"


def test_the_editor_has_the_terminal_and_gives_it_back(tmp_path: Path) -> None:
    case = a_case("launch-08-terminal-state-after-child", tmp_path)
    editor = tmp_path / "editor"
    editor.write_text(
        "#!/bin/sh\nprintf '\\033[?1049h\\033[?1003hEDITING'\nread answer\n"
        'echo "- $answer" >> "$1"\nstty raw -echo\n'
    )
    editor.chmod(0o755)
    with app(case, env={"EDITOR": str(editor)}) as terminal:
        terminal.wait("(?m)^ .*  memory ")
        terminal.wait("go  .*dev")
        terminal.keys("e")
        terminal.wait("━ edit: go ━")
        terminal.keys("C-t")
        terminal.wait("EDITING")
        terminal.type("typed there\r")
        terminal.wait(r"\+- typed there")
        terminal.keys("C-o")
        terminal.wait("u takes it back")
        assert "- typed there\n" in (case.repo / f".ai-tasks/{GO}.md").read_text()
        terminal.quit()
