"""The terminal is given to an agent and comes back sane, whatever the agent did to it."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.terminal_child import TerminalChild
from tests.conftest import ROOT

PATIENCE = 20.0
# Gives its terminal to a program, obeys words on its standard input, and tells all in JSON.
DRIVER = """
import json, os, signal, sys, termios
from dataclasses import asdict
from pathlib import Path
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.terminal_child import TerminalChild

def tell(word, **facts):
    same = termios.tcgetattr(0) == before
    ours = os.tcgetpgrp(0) == os.getpgrp()
    waits = os.get_blocking(0)
    os.set_blocking(0, True)
    line = json.dumps({"word": word, "same": same, "ours": ours, "waits": waits, **facts})
    os.write(1, f"<<{line}>>\\n".encode())

def started():
    return f"<<{json.dumps({'word': 'started', 'pid': child.pid})}>>\\n".encode()

before = termios.tcgetattr(0)
argv = sys.argv[1:]
child = TerminalChild(argv, cwd=Path.cwd(), environ=dict(os.environ))
try:
    outcome = child.run(lambda: os.write(1, started()))
except NotStarted as fault:
    tell("fault", words=str(fault))
    sys.exit(0)
while outcome.stopped:
    tell("stopped", **asdict(outcome))
    outcome = child.go_on() if sys.stdin.readline().strip() == "go on" else child.end()
tell("done", **asdict(outcome))
tell("typed", line=sys.stdin.readline().strip())
"""


@dataclass
class Driven:
    """The driver in a pseudo-terminal of its own, as a shell's foreground job."""

    pid: int
    terminal: int
    shown: bytes = b""
    told: list[dict[str, Any]] = field(default_factory=list)

    def until(self, word: str) -> dict[str, Any]:
        """The next thing the driver tells that is of that kind."""
        end = time.monotonic() + PATIENCE
        while not any(one["word"] == word for one in self.told):
            assert time.monotonic() < end and self._read(), self.shown
        place = next(i for i, one in enumerate(self.told) if one["word"] == word)
        found = self.told[place]
        del self.told[: place + 1]
        return found

    def sees(self, text: bytes) -> None:
        end = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < end and self._read(), self.shown

    def type(self, data: bytes) -> None:
        os.write(self.terminal, data)

    def _read(self) -> bool:
        if not select.select([self.terminal], [], [], 0.1)[0]:
            return True
        try:
            block = os.read(self.terminal, 65536)
        except OSError:
            return False
        known = self.shown.count(b">>")
        self.shown += block
        for part in self.shown.split(b">>")[known:-1]:
            self.told.append(json.loads(part.partition(b"<<")[2]))
        return bool(block)


Drive = Callable[..., Driven]


@pytest.fixture
def drive(tmp_path: Path) -> Any:
    """Drives an agent given as a shell script, or any argument list."""
    driven: list[Driven] = []
    script = tmp_path / "driver.py"

    def start(
        agent: str = "", *argv: str, term: str = "xterm-256color", driver: str = DRIVER
    ) -> Driven:
        script.write_text(driver, encoding="utf-8")
        command = argv or ("/bin/sh", "-c", agent)
        pid, terminal = pty.fork()
        if pid == 0:
            env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": term}
            os.execve(sys.executable, [sys.executable, str(script), *command], env)
        driven.append(Driven(pid, terminal))
        return driven[-1]

    yield start
    for one in driven:
        os.close(one.terminal)
        os.kill(one.pid, signal.SIGKILL)
        os.waitpid(one.pid, 0)


def typed_again(driven: Driven) -> None:
    """A person can type a line, sees it, and the program reads it."""
    driven.type(b"still here\r")
    assert driven.until("typed")["line"] == "still here"
    assert b"still here" in driven.shown


def test_the_program_has_the_terminal_and_its_status_is_told(drive: Drive) -> None:
    driven = drive("read line; echo got $line; exit 3")
    driven.until("started")
    driven.type(b"hello\r")
    driven.sees(b"got hello")
    done = driven.until("done")
    assert (done["status"], done["cause"]) == (3, "exit status 3")
    assert done["same"] and done["ours"]
    typed_again(driven)


def test_a_good_end_has_no_cause(drive: Drive) -> None:
    done = drive("true").until("done")
    assert (done["status"], done["cause"], done["told"]) == (0, "", 0)


@pytest.mark.parametrize("round", range(5))
def test_a_program_that_reads_at_once_is_not_left_stopped(drive: Drive, round: int) -> None:
    driven = drive("stty -echo; read line; stty echo; echo got $line")
    driven.until("started")
    driven.type(b"x\r")
    assert driven.until("done")["status"] == 0


DIRTY = (
    r"printf '\033[?1049h\033[?1003h\033[?1006h\033[?2004h\033[>1u\033[?25l\033]0;agent\007half'"
)


def test_what_the_program_left_of_the_terminal_is_put_right(drive: Drive) -> None:
    driven = drive(f"stty raw -echo; {DIRTY}; exit 0")
    done = driven.until("done")
    assert done["same"] and done["ours"]
    after = driven.shown.partition(b"half")[2]
    for order in (b"[?1049l", b"[?1003l", b"[?1006l", b"[?2004l", b"[<99u", b"[?25h", b"[23;0t"):
        assert b"\x1b" + order in after, order
    typed_again(driven)


def test_a_terminal_that_no_longer_waits_does_so_again(drive: Drive) -> None:
    driven = drive("", sys.executable, "-c", "import os; os.set_blocking(0, False)")
    assert driven.until("done")["waits"]
    typed_again(driven)


@pytest.mark.parametrize("term", ["dumb", "linux"])
def test_a_terminal_that_would_print_them_gets_no_such_orders(drive: Drive, term: str) -> None:
    driven = drive("stty raw -echo", term=term)
    assert driven.until("done")["same"]
    assert b"\x1b" not in driven.shown


def test_a_terminal_open_for_reading_alone_is_put_right_too(drive: Drive) -> None:
    again = "import os\nos.dup2(os.open(os.ttyname(0), os.O_RDONLY), 0)\n"
    driven = drive(f"stty raw -echo; {DIRTY}", driver=again + DRIVER)
    assert driven.until("done")["same"]
    assert b"\x1b[?1049l" in driven.shown.partition(b"half")[2]


def test_a_killed_program_is_named_with_its_signal(drive: Drive) -> None:
    driven = drive(f"stty raw -echo; {DIRTY}; kill -9 $$")
    done = driven.until("done")
    assert (done["status"], done["cause"]) == (-9, "ended by signal 9")
    assert done["same"]
    typed_again(driven)


@pytest.mark.parametrize("how", ["STOP", "TSTP"])
def test_a_stopped_program_can_be_brought_back(drive: Drive, how: str) -> None:
    driven = drive(f"stty raw -echo; {DIRTY}; kill -{how} $$; stty sane; read x; echo got $x")
    stopped = driven.until("stopped")
    assert stopped["cause"].startswith("stopped by signal") and stopped["status"] is None
    assert stopped["same"] and stopped["ours"]
    driven.type(b"go on\r")
    time.sleep(0.2)
    driven.type(b"more\r")
    driven.sees(b"got more")
    assert driven.until("done")["status"] == 0


def test_the_suspend_key_stops_the_program_alone(drive: Drive) -> None:
    wait = "import time; print('ready', flush=True); time.sleep(60)"
    driven = drive("", sys.executable, "-c", wait)
    driven.until("started")
    driven.sees(b"ready")
    driven.type(b"\x1a")
    assert driven.until("stopped")["ours"]
    driven.type(b"end\r")
    assert driven.until("done")["status"] == -signal.SIGTERM
    typed_again(driven)


def test_the_interrupt_key_is_the_programs_alone(drive: Drive) -> None:
    driven = drive("trap 'echo caught; exit 7' INT; echo ready; while :; do sleep 0.1; done")
    driven.until("started")
    driven.sees(b"ready")
    driven.type(b"\x03")
    assert driven.until("done")["status"] == 7
    typed_again(driven)


def test_a_stopped_program_that_hears_nothing_is_killed(drive: Drive) -> None:
    driven = drive("trap '' TERM; kill -STOP $$; while :; do sleep 0.1; done")
    driven.until("stopped")
    driven.type(b"end\r")
    assert driven.until("done")["status"] == -signal.SIGKILL


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_told_to_end_this_program_passes_it_on_and_gives_the_terminal_back(
    drive: Drive, number: signal.Signals
) -> None:
    driven = drive(f"stty raw -echo; {DIRTY}; sleep 60")
    driven.sees(b"half")
    os.kill(driven.pid, number)
    done = driven.until("done")
    assert (done["told"], done["status"]) == (number, -number)
    assert done["same"] and done["ours"]


def test_a_program_that_goes_on_when_told_to_end_is_named(drive: Drive) -> None:
    driven = drive("trap '' TERM; echo ready; while :; do sleep 0.1; done")
    pid = driven.until("started")["pid"]
    driven.sees(b"ready")
    os.kill(driven.pid, signal.SIGTERM)
    done = driven.until("done")
    assert done["cause"] == f"still runs as process {pid}" and done["same"]
    os.kill(pid, signal.SIGKILL)


def test_the_program_gets_signals_as_any_program_does(drive: Drive) -> None:
    show = "import signal; print([signal.getsignal(n).name for n in (1, 15, 20, 21, 22)])"
    driven = drive("", sys.executable, "-c", show)
    driven.sees(b"['SIG_DFL', 'SIG_DFL', 'SIG_DFL', 'SIG_DFL', 'SIG_DFL']")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["/no/such/agent"], "/no/such/agent is not there"),
        (["/"], "/ is not executable"),
    ],
)
def test_what_cannot_be_started_leaves_the_terminal_alone(
    drive: Drive, argv: list[str], words: str
) -> None:
    driven = drive("", *argv)
    fault = driven.until("fault")
    assert words in fault["words"] and fault["same"] and fault["ours"]


def test_without_a_terminal_nothing_is_started(tmp_path: Path) -> None:
    with (tmp_path / "file").open("w+b") as file:
        child = TerminalChild(["/bin/true"], cwd=tmp_path, environ={}, fd=file.fileno())
        with pytest.raises(NotStarted, match="there is no terminal here"):
            child.run()
    assert child.pid == 0


def test_an_argument_too_long_for_the_system_is_named_as_the_cause(drive: Drive) -> None:
    make = "import sys; sys.argv.append('x' * 140_000)\n"
    driven = drive("", "/bin/echo", driver=make + DRIVER)
    assert "argument list too long" in driven.until("fault")["words"].lower()
