"""A pseudo-terminal with a person at it: runs a program with all its streams on a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

SIZE = (24, 80)  # lines and columns
SILENCE = 60  # seconds
ROOT = Path(__file__).resolve().parent.parent

Typed = Sequence[tuple[bytes, bytes]]


def in_terminal(
    arguments: Sequence[str],
    cwd: Path,
    *,
    typed: Typed = (),
    env: Mapping[str, str] | None = None,
) -> tuple[int, bytes]:
    """The exit code of a command line and what its terminal was given."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **(env or {})}
    return run([sys.executable, "-m", "mandrel_tui", *arguments], cwd, variables, typed)


def run(argv: Sequence[str], cwd: Path, env: Mapping[str, str], typed: Typed) -> tuple[int, bytes]:
    """The exit code of a program and what its terminal was given; after each first half of `typed`
    has appeared, its second half is typed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        for one in (signal.SIGINT, signal.SIGHUP):  # ignored where the tests run in the background
            signal.signal(one, signal.SIG_DFL)
        termios.tcsetwinsize(0, SIZE)
        os.execvpe(argv[0], argv, env)
    shown, rest = b"", list(typed)
    while block := _read(terminal):
        shown += block
        if rest and rest[0][0] in shown:
            os.write(terminal, rest.pop(0)[1])
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), shown


def _read(terminal: int) -> bytes:
    """What the program shows next; nothing when it has ended, or says nothing for too long."""
    if not select.select([terminal], [], [], SILENCE)[0]:
        return b""  # closing our end hangs it up
    try:
        return os.read(terminal, 65536)
    except OSError:  # the program has closed its end
        return b""
