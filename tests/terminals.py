"""A pseudo-terminal with a person at it: runs a command line with all its streams on a terminal."""

from __future__ import annotations

import os
import pty
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

SIZE = (24, 80)  # lines and columns
ROOT = Path(__file__).resolve().parent.parent


def in_terminal(
    arguments: Sequence[str],
    cwd: Path,
    *,
    typed: Sequence[tuple[bytes, bytes]] = (),
    env: Mapping[str, str] | None = None,
) -> tuple[int, bytes]:
    """The exit code of a command and what its terminal was given; after each first half of `typed`
    has appeared, its second half is typed."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **(env or {})}
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        termios.tcsetwinsize(0, SIZE)
        os.execve(sys.executable, [sys.executable, "-m", "mandrel_tui", *arguments], variables)
    shown, rest = b"", list(typed)
    try:
        while block := os.read(terminal, 65536):
            shown += block
            if rest and rest[0][0] in shown:
                os.write(terminal, rest.pop(0)[1])
    except OSError:  # the program has closed its end
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown
