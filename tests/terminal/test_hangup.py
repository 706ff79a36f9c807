"""A terminal that is taken away takes the program with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.situations.tmux import PATIENCE, Terminal

PROGRAM = (sys.executable, "-m", "mandrel_tui")


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("burst", ["", "jkjkGgg:role"])
def test_a_closed_terminal_leaves_no_process_behind(tmp_path: Path, burst: str) -> None:
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    sample, number = tmp_path / "sample", tmp_path / "pid"
    subprocess.run([*PROGRAM, "demo", "--no-open", sample], env=env, check=True)
    program = ("sh", "-c", f'echo $$ > {number}; exec "$@"', "sh", *PROGRAM, sample)
    with Terminal(program, cwd=tmp_path, env=env, folder=tmp_path, size=(100, 30)) as terminal:
        terminal.wait(r"(?m)^› .* barrier-timeouts ")
        pid = int(number.read_text())
        assert runs(pid)
        if burst:
            terminal.type(burst)
    end = time.monotonic() + 2 * PATIENCE
    try:
        while runs(pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert not runs(pid)
    finally:
        if runs(pid):
            os.kill(pid, signal.SIGKILL)
