"""Terminal child: gives this terminal to one program and takes it back in a sane state, whatever
that program did; judges nothing it did."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from mandrel_tui.workspace import process
from mandrel_tui.workspace.programs import NotStarted

_GRACE = 2.0  # seconds a child has to end when this program is told to
_ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
_REACHED = (signal.SIGTTIN, signal.SIGTTOU)
_KEEP_TITLE, _TITLE = b"\x1b[22;0t", b"\x1b[23;0t"
# Keyboard protocols off, screen as it was before, mouse, focus and paste reports off, plain drawing
# again, the title that was kept. The screen is entered before it is left: leaving alone puts the
# cursor where it was when it was last entered, over what the program has written.
_SANE = b"".join(
    (
        b"\x1b[<99u\x1b[>4;0m\x1b[?1l\x1b>",
        b"\x1b[?1049h\x1b[?1049l\x1b[<99u",
        b"".join(b"\x1b[?%dl" % mode for mode in (9, 1000, 1001, 1002, 1003, 1004, 1005, 1006)),
        b"".join(b"\x1b[?%dl" % mode for mode in (1015, 1016, 2004, 2026, 2031, 2048)),
        b"\x1b7\x1b[r\x1b[?6l\x1b8\x1b[4l\x1b[20l",
        b"\x1b[?5l\x1b[?7h\x1b[?25h\x1b[0 q\x0f\x1b(B\x1b[0m",
        _TITLE,
    )
)
_PLAIN = frozenset({"", "dumb", "linux"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the child: its exit status (negative: the signal that ended it), None while it
    lives or where that was lost; `cause` says on one line why this is no good end, empty when it
    is; `told` is the signal that this program itself was sent meanwhile, 0 without one."""

    status: int | None
    cause: str = ""
    stopped: bool = False
    told: int = 0


class _Told(Exception):
    """This program was sent a signal that ends it."""

    def __init__(self, number: int) -> None:
        self.number = number


class TerminalChild:
    """One program on the terminal behind descriptor `fd`; `argv[0]` is a path."""

    def __init__(
        self,
        argv: Sequence[str | bytes],
        *,
        cwd: Path,
        environ: Mapping[str, str],
        fd: int = 0,
    ) -> None:
        self.argv, self.cwd, self.environ, self.fd = argv, cwd, environ, fd
        self._child: process.Child | None = None
        self._ours: list[Any] = []
        self._theirs: list[Any] = []

    @property
    def pid(self) -> int:
        """Its process id, which is that of its group; 0 before it was started."""
        return self._child.pid if self._child else 0

    def run(self, started: Callable[[], object] = lambda: None) -> Outcome:
        """Starts the program, gives it the terminal, waits until it ends or stops, and takes the
        terminal back; `started` is called in between. Raises NotStarted, and then the terminal is
        as it was."""

        def begin() -> None:
            self._start()
            started()

        return self._attended(begin)

    def go_on(self) -> Outcome:
        """Gives the terminal back to a program that stopped, and waits again."""
        return self._attended(self._continue)

    def _attended(self, begin: Callable[[], None]) -> Outcome:
        try:
            with _heard():
                begin()
                return self._outcome(*self._waited_long())
        except _Told as told:
            if self._child is None:
                raise NotStarted(f"this program was told to end by signal {told.number}") from None
            return self._ended_for(told.number)
        finally:
            if self._child is not None:
                self._take_back()

    def _start(self) -> None:
        import termios

        try:
            if os.tcgetpgrp(self.fd) != os.getpgrp():
                raise NotStarted("this program is in the background of its terminal")
            self._ours = termios.tcgetattr(self.fd)
        except (OSError, termios.error):
            raise NotStarted("there is no terminal here") from None
        self._order(_KEEP_TITLE)
        try:
            self._child = process.start_here(self.argv, cwd=self.cwd, env=self.environ)
        except (OSError, ValueError) as error:
            self._order(_TITLE)
            program = os.fsdecode(self.argv[0])
            words = process.not_started(program, self.cwd, self.environ, error)
            raise NotStarted(words) from None
        self._give()

    def _continue(self) -> None:
        import termios

        with _unstopped(), suppress(OSError, termios.error):
            termios.tcsetattr(self.fd, termios.TCSADRAIN, self._theirs or self._ours)
        self._give()
        self._signal(signal.SIGCONT)

    def end(self) -> Outcome:
        """Ends a program that stopped: asked first, then killed."""
        self._signal(signal.SIGTERM, signal.SIGCONT)
        if self._lives(_GRACE):
            self._signal(signal.SIGKILL)
            self._lives(_GRACE)
        self._take_back()
        return self._gone()

    def _give(self) -> None:
        """Makes its group the one in the foreground."""
        with _unstopped(), suppress(OSError):
            os.tcsetpgrp(self.fd, self.pid)

    def _take_back(self) -> None:
        import termios

        with _unstopped(), suppress(OSError, termios.error):
            self._theirs = termios.tcgetattr(self.fd)
            os.tcsetpgrp(self.fd, os.getpgrp())
            os.set_blocking(self.fd, True)  # all that have the terminal open share this
            self._order(_SANE)
            termios.tcsetattr(self.fd, termios.TCSAFLUSH, self._ours)

    def _order(self, orders: bytes) -> None:
        """Orders the terminal to be so, where it is one that would not print the order; `fd` may be
        open for reading alone."""
        if self.environ.get("TERM", "") in _PLAIN:
            return
        with suppress(OSError):
            fd = os.open(os.ttyname(self.fd), os.O_WRONLY | os.O_NOCTTY)
            try:
                os.write(fd, orders)
            finally:
                os.close(fd)

    def _waited_long(self) -> tuple[int, int]:
        """As `_waited`, once the program ends or stops for another reason than that it reached for
        the terminal before it had it."""
        while True:
            pid, status = self._waited(0)
            early = pid > 0 and os.WIFSTOPPED(status) and os.WSTOPSIG(status) in _REACHED
            if not early:
                return pid, status
            self._signal(signal.SIGCONT)

    def _waited(self, options: int) -> tuple[int, int]:
        """What `waitpid` tells; (0, 0) while nothing happened, (-1, 0) where the end was lost."""
        assert self._child is not None
        try:
            pid, status = os.waitpid(self.pid, options | os.WUNTRACED)
        except ChildProcessError:
            self._child.returncode = 0
            return -1, 0
        if pid and not os.WIFSTOPPED(status):
            self._child.returncode = os.waitstatus_to_exitcode(status)
        return pid, status

    def _outcome(self, pid: int, status: int) -> Outcome:
        if pid > 0 and os.WIFSTOPPED(status):
            return Outcome(None, f"stopped by signal {os.WSTOPSIG(status)}", stopped=True)
        return self._gone() if pid > 0 else Outcome(None, "its end was lost sight of")

    def _gone(self) -> Outcome:
        status = self._child.returncode if self._child else None
        if status is None:
            return Outcome(None, f"still runs as process {self.pid}")
        if status < 0:
            return Outcome(status, f"ended by signal {-status}")
        return Outcome(status, f"exit status {status}" if status else "")

    def _ended_for(self, number: int) -> Outcome:
        """Passes the signal on that this program was sent; what became of the child."""
        self._signal(number, signal.SIGCONT)
        self._lives(_GRACE)
        gone = self._gone()
        return Outcome(gone.status, gone.cause, told=number)

    def _signal(self, *numbers: int) -> None:
        for number in numbers:
            with suppress(OSError):
                os.killpg(self.pid, number)

    def _lives(self, seconds: float) -> bool:
        """Whether the program is still there after that time."""
        end = time.monotonic() + seconds
        while self._child is not None and self._child.returncode is None:
            self._waited(os.WNOHANG)
            if time.monotonic() >= end:
                return self._child.returncode is None
            time.sleep(0.02)
        return False


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise _Told(number)


@contextmanager
def _heard() -> Iterator[None]:
    """Hears the signals that end this program while it waits; only the main thread can."""
    main = threading.current_thread() is threading.main_thread()
    old = {number: signal.signal(number, _raise) for number in _ENDS} if main else {}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _unstopped() -> Iterator[None]:
    """Lets this program change the terminal from the background without being stopped for it."""
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
