"""Attendant: a program of its own that starts one agent, waits for it and writes down how it ended,
whatever becomes of the program that asked for it; it needs the standard library alone.

Run as `python -I attendant.py ORDER`. The order is a JSON object: `argv`, `cwd`, `environ` (null
for its own), `stdin` and `output` (paths, null for the terminal's; an empty `stdin` is nothing),
`result`. The result is a file that grows by lines of JSON: `started` with the process id, then
`status` with the `cause` where that is no good end, each with `at`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

# So soon a failure is one of starting, and its last words must not vanish with the window.
AT_ONCE = 5.0
_FROM_THE_TERMINAL = (
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
)
# A terminal that goes away tells only the first of its session, which is this program.
_PASSED_ON = (signal.SIGHUP, signal.SIGTERM)


def main(order_path: str) -> int:
    """Carries out one order; the agent's own exit status."""
    order = json.loads(Path(order_path).read_bytes())
    Path(order_path).unlink()
    fd = os.open(order["result"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    _lock(fd)
    begun = time.monotonic()
    try:
        os.chdir(order["cwd"])
        pid = _start(order)
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error)
        tell(fd, status=None, cause=words.lower())
        return 127
    tell(fd, started=pid)
    if order["stdin"]:
        Path(order["stdin"]).unlink()
    status = _wait(pid)
    tell(fd, status=status, cause=cause_of(status))
    if status != 0 and time.monotonic() - begun < AT_ONCE and order["output"] is None:
        _hold(f"{order['argv'][0]}: {cause_of(status)}. Enter closes this window.")
    return status if status >= 0 else 128 - status


def tell(fd: int, **facts: object) -> None:
    """Adds one line to the result."""
    line = {**facts, "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    os.write(fd, json.dumps(line).encode() + b"\n")
    os.fsync(fd)


def cause_of(status: int) -> str:
    """Why a status is no good end; empty for 0."""
    if status < 0:
        return f"ended by signal {-status}"
    return f"exit status {status}" if status else ""


def _lock(fd: int) -> None:
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX)


def _start(order: dict[str, Any]) -> int:
    """Starts the agent with every signal as a program expects it; its process id.

    What the keys of the terminal send is for the agent alone.
    """
    defaults = (*_FROM_THE_TERMINAL, *_PASSED_ON, signal.SIGPIPE)
    actions = _redirections(order["stdin"], order["output"])
    argv = [_bytes(part) for part in order["argv"]]
    given = order["environ"]
    environ = os.environb if given is None else {_bytes(k): _bytes(given[k]) for k in given}
    pid = os.posix_spawn(argv[0], argv, environ, file_actions=actions, setsigdef=defaults)
    for number in _FROM_THE_TERMINAL:
        signal.signal(number, signal.SIG_IGN)

    def pass_on(number: int, frame: object) -> None:
        with suppress(OSError):
            os.kill(pid, number)

    for number in _PASSED_ON:
        signal.signal(number, pass_on)
    return pid


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _redirections(stdin: object, output: object) -> list[tuple[object, ...]]:
    actions: list[tuple[object, ...]] = []
    if stdin is not None:
        actions.append((os.POSIX_SPAWN_OPEN, 0, str(stdin) or os.devnull, os.O_RDONLY, 0))
    if output is not None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        actions.append((os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o600))
        actions.append((os.POSIX_SPAWN_DUP2, 1, 2))
    return actions


def _wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _hold(words: str) -> None:
    with suppress(OSError):
        os.write(1, f"\r\n{words}\r\n".encode())
        os.read(0, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
