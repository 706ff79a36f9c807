"""The program in a pseudo-terminal, measured by the bytes it sends."""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import select
import signal
import statistics
import struct
import termios
import time
from dataclasses import dataclass

ROWS, COLUMNS = 40, 120
FIRST_TASK = b"active-0"
TO_ARCHIVED = 8  # rows from the top of the filter dialog to its archived row
QUIET = 0.25  # seconds without a byte after which a screen counts as painted


@dataclass(frozen=True)
class Painted:
    """Seconds to the first painted board, from key to paint with active rows and with archived
    ones shown too, and peak memory in bytes."""

    first: float
    key: float
    key_all: float
    peak: float


class Screen:
    """A child in a pseudo-terminal of ROWS by COLUMNS."""

    def __init__(self, argv: list[str], environ: dict[str, str]) -> None:
        self.start = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, environ)
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)
        os.kill(self.pid, signal.SIGWINCH)

    def until(self, wanted: bytes, limit: float = 60.0) -> float:
        """Seconds from the start until the bytes were sent."""
        seen = b""
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            seen = (seen + self._bytes(0.5))[-1_000_000:]
            if wanted in seen:
                return time.perf_counter() - self.start
        raise SystemExit(f"{wanted!r} was not painted within {limit} s")

    def settle(self) -> None:
        """Reads until the child has been silent for a while."""
        while self._bytes(QUIET):
            pass

    def key(self, key: bytes) -> float:
        """Seconds from a key to the first bytes it causes."""
        start = time.perf_counter()
        os.write(self.fd, key)
        self._bytes(5.0)
        taken = time.perf_counter() - start
        self.settle()
        return taken

    def _bytes(self, wait: float) -> bytes:
        ready, _, _ = select.select([self.fd], [], [], wait)
        try:
            return os.read(self.fd, 65536) if ready else b""
        except OSError:
            return b""

    def close(self) -> float:
        """Ends the child; its peak memory in bytes."""
        os.kill(self.pid, signal.SIGTERM)
        _, _, used = os.wait4(self.pid, 0)
        os.close(self.fd)
        return used.ru_maxrss * 1024.0 if resource else 0.0


def paint(argv: list[str], environ: dict[str, str]) -> Painted:
    """One run of the program."""
    screen = Screen(argv, environ)
    first = screen.until(FIRST_TASK)
    screen.settle()
    key = statistics.median(screen.key(b"j") for _ in range(30))
    for step in (b"f", *[b"\x1b[B"] * TO_ARCHIVED, b"\r", b"\x1b", b"G"):
        screen.key(step)
    screen.settle()
    key_all = statistics.median(screen.key(b"k") for _ in range(30))
    return Painted(first, key, key_all, screen.close())
