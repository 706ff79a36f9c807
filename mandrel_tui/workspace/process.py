"""Child processes: the only module that starts them. They get no terminal and a time limit, but
for agents, which a person watches or an attendant waits for."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from mandrel_tui.workspace.visible import first_words, shown

Child = subprocess.Popen[bytes]
OUTPUT_LIMIT = 256 * 1024 * 1024
_STEP = 0.1
_GRACE = 0.5


@dataclass(frozen=True, slots=True)
class Ended:
    """How one child ended. `status` is its exit status (negative: the signal that ended it), None
    when it never started or was stopped; `cause` then says why on one line."""

    argv: tuple[str, ...]
    status: int | None
    stdout: bytes = b""
    stderr: bytes = b""
    timed_out: bool = False
    cause: str = ""

    @property
    def ok(self) -> bool:
        return self.status == 0

    @property
    def words(self) -> str:
        """Why it failed, on one line: the cause, the child's own words, or its status."""
        if self.cause:
            return self.cause
        return first_words(self.stderr) or self._end

    @property
    def _end(self) -> str:
        status = self.status or 0
        return f"ended by signal {-status}" if status < 0 else f"exit status {status}"


def run(
    argv: Sequence[str],
    *,
    input: bytes | None = None,
    cwd: str | os.PathLike[str] | None = None,
    timeout: float = 10.0,
    env: Mapping[str, str] | None = None,
    discard: bool = False,
    stop: threading.Event | None = None,
) -> Ended:
    """Runs a child to its end or the limit of `timeout` seconds, whatever its own children do.

    It is the leader of a session without a terminal, so that the limit stops all of its group; its
    standard input is `input` or nothing. Input and output are files, not pipes: a child that does
    not read, or leaves a process behind that keeps its output open, delays nobody. With `discard`
    the output goes nowhere. Output over OUTPUT_LIMIT bytes stops it, and so does `stop` once it is
    set.
    """
    with ExitStack() as stack:
        try:
            source = subprocess.DEVNULL if input is None else _scratch(stack, input)
            sinks = () if discard else (_scratch(stack), _scratch(stack))
            out, err = sinks or (subprocess.DEVNULL, subprocess.DEVNULL)
            child = subprocess.Popen(
                list(argv),
                stdin=source,
                stdout=out,
                stderr=err,
                cwd=cwd,
                env=None if env is None else dict(env),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return Ended(tuple(argv), None, cause=not_started(argv[0], cwd, env, error))
        cause, late = _finish(child, argv[0], timeout, sinks, stop)
        status = None if cause else child.returncode
        text, errors = (_content(fd) for fd in sinks) if sinks else (b"", b"")
        return Ended(tuple(argv), status, text, errors, late, cause)


def start_here(
    argv: Sequence[str | bytes], *, cwd: str | os.PathLike[str], env: Mapping[str, str]
) -> Child:
    """Starts a child on this program's own streams, in a process group of its own; raises OSError,
    and ValueError for an argument no program can be given."""
    return subprocess.Popen(argv, cwd=cwd, env=dict(env), process_group=0)


def start_apart(
    argv: Sequence[str], *, cwd: str | os.PathLike[str], env: Mapping[str, str]
) -> None:
    """Starts a child without terminal or streams that outlives this program; raises as
    `start_here`."""
    child = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
        env=dict(env),
        start_new_session=True,
    )
    # Nobody asks how it ended, but its process id must not stay taken.
    threading.Thread(target=child.wait, daemon=True).start()


def _finish(
    child: Child,
    program: str,
    timeout: float,
    sinks: Sequence[int],
    stop: threading.Event | None,
) -> tuple[str, bool]:
    """Waits for the child; why it had to be stopped (empty when it ended by itself), and whether
    time was the reason."""
    end = monotonic() + timeout
    with ExitStack() as stack:
        waiter = _waiter(child, stack)
        try:
            while not waiter.ended(min(_STEP, max(0.0, end - monotonic()))):
                late = monotonic() >= end
                if stop is not None and stop.is_set():
                    _stop(child, waiter)
                    return f"{shown(program)} was not waited for", False
                if late or any(os.fstat(fd).st_size > OUTPUT_LIMIT for fd in sinks):
                    _stop(child, waiter)
                    return _overdue(program, timeout, late), late
        except BaseException:
            _stop(child, waiter)
            raise
    return "", False


def _overdue(program: str, timeout: float, late: bool) -> str:
    if late:
        return f"{shown(program)} gave no answer within {timeout:g} s"
    return f"{shown(program)} printed more than {OUTPUT_LIMIT:,} bytes and was stopped"


@dataclass(frozen=True, slots=True)
class _Waiter:
    """Waits for the end of a child without the sleeping loop of `Popen.wait`, where it can."""

    child: Child
    poll: select.poll | None

    def quiet(self, seconds: float) -> bool:
        """Whether it ended; where the system allows, its process id stays taken."""
        if self.poll is not None:
            return bool(self.poll.poll(seconds * 1000))
        return self.ended(seconds)

    def ended(self, seconds: float) -> bool:
        if self.poll is not None and not self.poll.poll(seconds * 1000):
            return False
        with suppress(subprocess.TimeoutExpired):
            self.child.wait(seconds)
        return self.child.returncode is not None


def _waiter(child: Child, stack: ExitStack) -> _Waiter:
    try:
        fd = os.pidfd_open(child.pid)
    except (AttributeError, OSError):
        return _Waiter(child, None)
    stack.callback(os.close, fd)
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return _Waiter(child, poll)


def _stop(child: Child, waiter: _Waiter) -> None:
    """Ends the whole group: asked first, so that git removes its locks, then killed."""
    _signal(child, signal.SIGTERM)
    waiter.quiet(_GRACE)
    if child.returncode is None:
        _signal(child, getattr(signal, "SIGKILL", signal.SIGTERM))
        waiter.ended(_GRACE)


def _signal(child: Child, number: int) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, number)
        else:
            child.kill()


def _scratch(stack: ExitStack, data: bytes = b"") -> int:
    """A descriptor of a nameless file that holds `data`, read from its start."""
    try:
        fd = os.memfd_create("mandrel-tui")
    except (AttributeError, OSError):
        import tempfile

        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    stack.callback(os.close, fd)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _content(fd: int) -> bytes:
    os.lseek(fd, 0, os.SEEK_SET)
    blocks = []
    left = os.fstat(fd).st_size
    while left > 0 and (block := os.read(fd, left)):
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def not_started(
    program: str,
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str] | None,
    error: OSError | ValueError,
) -> str:
    """Why the child could not be started, on one line."""
    name = shown(program)
    if not isinstance(error, OSError):
        return f"{name} cannot be started: {error}"
    if cwd is not None and not Path(cwd).is_dir():
        return f"{name} cannot be started: {shown(os.fspath(cwd))} is no folder"
    if error.errno == errno.ENOENT:
        return _absent(program, env)
    if error.errno == errno.EACCES:
        return f"{name} is not executable"
    if error.errno == errno.ENOEXEC:
        return f"{name} is no program this system can run"
    return f"{name} cannot be started: {error.strerror}"


def _absent(program: str, env: Mapping[str, str] | None) -> str:
    import shutil

    found = shutil.which(program, path=(os.environ if env is None else env).get("PATH"))
    if found:
        return f"{shown(found)} cannot be started: the interpreter it names is missing"
    return f"{shown(program)} is not there" if os.sep in program else f"no {shown(program)} on PATH"
