"""Tmux: the real program in a real terminal, its keys sent and its screen read, nothing mocked."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType

import pytest
from rich.cells import cell_len

from tests.situations.case import Case

PATIENCE = 40.0  # seconds until a screen that does not come is a failure
QUIET = 0.15  # seconds without a change after which a screen is drawn to its end
RESTLESS = 2.0  # seconds until a screen that never stands still is taken as it is


class Terminal:
    """A program in a terminal of its own, on a server of its own that ends with it."""

    def __init__(
        self,
        argv: tuple[str | Path, ...],
        *,
        cwd: Path,
        env: Mapping[str, str],
        folder: Path,
        size: tuple[int, int] = (120, 40),
    ) -> None:
        """`folder` takes the launcher: an environment may be longer than tmux lets a command be."""
        tmux = shutil.which("tmux")
        if tmux is None:
            pytest.skip("tmux is not installed")
        self._tmux = tmux
        self._socket = f"mandrel-tui-{uuid.uuid4().hex}"
        self._code = folder / f"{self._socket}.code"
        launcher = folder / f"{self._socket}.sh"
        shell = ("env", "-i", *(f"{name}={value}" for name, value in env.items()), *map(str, argv))
        self._bytes = folder / f"{self._socket}.bytes"
        # A pane whose program has ended is not reliably told from one whose program runs.
        code, bytes = (shlex.quote(str(path)) for path in (self._code, self._bytes))
        script = (
            f"until [ -e {bytes} ]; do sleep 0.01; done\n{shlex.join(shell)}\n"
            f"echo $? > {code}.new\nmv {code}.new {code}\nexec sleep 999\n"
        )
        launcher.write_text(script, encoding="utf-8", errors="surrogateescape")
        cells, rows = map(str, size)
        settings = ("set -g status off", "set -s escape-time 0")
        self._ask(
            *("-f", "/dev/null", "start-server", ";"),
            *(word for setting in settings for word in (*setting.split(), ";")),
            *("new-session", "-d", "-x", cells, "-y", rows, "-c", str(cwd), "sh", str(launcher)),
            *(";", "pipe-pane", f"cat > {bytes}"),
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        subprocess.run([self._tmux, "-L", self._socket, "kill-server"], capture_output=True)

    def _ask(self, *words: str) -> str:
        done = subprocess.run(
            [self._tmux, "-u", "-L", self._socket, *words], capture_output=True, check=True
        )
        return done.stdout.decode("utf-8")

    @property
    def screen(self) -> str:
        """What a person sees, a line a row; blanks at their ends are cut."""
        return self._ask("capture-pane", "-p")

    @property
    def painted(self) -> str:
        """The screen with the styles between its characters."""
        return self._ask("capture-pane", "-p", "-e")

    @property
    def written(self) -> bytes:
        """Every byte that the program has sent to its terminal."""
        return self._bytes.read_bytes()

    @property
    def rows(self) -> list[str]:
        return self.screen.removesuffix("\n").split("\n")

    def keys(self, *names: str) -> None:
        """Press keys by tmux's names for them."""
        self._ask("send-keys", *names)

    def type(self, text: str) -> None:
        """Send characters as they are, such as a whole escape sequence."""
        self._ask("send-keys", "-l", "--", text)

    def click(self, x: int, y: int) -> None:
        """Press and release the left button on a cell, counted from 0."""
        self.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")

    def point(self, x: int, y: int) -> None:
        """Move the pointer to a cell, counted from 0."""
        self.type(f"\x1b[<35;{x + 1};{y + 1}M")

    def wait(self, pattern: str, patience: float = PATIENCE) -> str:
        """The screen that shows the pattern, once it is drawn to its end."""
        return self.until(lambda screen: re.search(pattern, screen) is not None, pattern, patience)

    def lose(self, pattern: str) -> str:
        """The screen that no longer shows the pattern, once it is drawn to its end."""
        return self.until(lambda screen: re.search(pattern, screen) is None, f"no {pattern}")

    def until(self, holds: Callable[[str], bool], what: str, patience: float = PATIENCE) -> str:
        """The screen of which something holds, once it is drawn to its end: a program paints its
        screen in pieces. What holds only for a moment is shown as it was then."""
        end = time.monotonic() + patience
        while not holds(screen := self.screen):
            assert time.monotonic() < end, f"{what!r} was not seen:\n{screen}"
            time.sleep(0.03)
        shown, last, since = screen, screen, time.monotonic()
        end = since + RESTLESS
        while since + QUIET > (now := time.monotonic()) and now < end:
            time.sleep(0.03)
            if (screen := self.screen) != last:
                last, since = screen, time.monotonic()
                shown = screen if holds(screen) else shown
        return shown

    def place(self, text: str) -> tuple[int, int]:
        """The cell, from 0, at which a text first stands on the screen."""
        rows = self.wait(re.escape(text)).split("\n")
        y = next(y for y, row in enumerate(rows) if text in row)
        return cell_len(rows[y].partition(text)[0]), y

    def resize(self, cells: int, rows: int) -> None:
        self._ask("resize-window", "-x", str(cells), "-y", str(rows))

    def end(self) -> int:
        """Waits for the program to end; its exit code."""
        end = time.monotonic() + PATIENCE
        while not self._code.exists():
            assert time.monotonic() < end, f"it does not end:\n{self.screen}"
            time.sleep(0.03)
        return int(self._code.read_text())

    def quit(self) -> None:
        """Press `q` on the board: the program ends, and ends well."""
        self.keys("q")
        assert self.end() == 0, self.screen


def app(
    case: Case,
    *arguments: str | Path,
    size: tuple[int, int] = (120, 40),
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    prefix: tuple[str | Path, ...] = (),
) -> Terminal:
    """The terminal UI where the user of the case stands."""
    kept = {"TERM": "xterm-256color", "COLORTERM": "truecolor", **case.env, **(env or {})}
    argv = (*prefix, sys.executable, "-m", "mandrel_tui", *arguments)
    return Terminal(argv, cwd=cwd or case.start, env=kept, folder=case.root.parent, size=size)


def body(screen: str) -> list[str]:
    """The rows between the top bar and the two rows at the bottom."""
    return screen.removesuffix("\n").split("\n")[1:-2]


def told(rows: Iterable[str]) -> str:
    """What rows say, whatever the wrapping did to the blanks."""
    return "".join(rows).replace(" ", "")


def right(screen: str) -> list[str]:
    """The right one of two columns."""
    return [row.partition("│")[2] for row in body(screen)]


def shows(terminal: Terminal, text: str, part: Callable[[str], list[str]]) -> str:
    """The screen of which a part shows the whole text."""
    return terminal.until(lambda screen: told([text]) in told(part(screen)), text)


def top_bar(terminal: Terminal, title: str) -> str:
    """The top bar once the list has this title, and git has answered."""
    terminal.wait(f"━ {title} ")
    return terminal.wait("(?m)^ .*  memory ").split("\n")[0]


def results(terminal: Terminal, *texts: str) -> str:
    """The list of what came of the deeds so far, which tells these texts, as one line."""
    terminal.keys("g")
    terminal.wait("(?m)^ go ")
    terminal.keys("l")
    terminal.wait("┏━ results ━")
    for text in texts:
        screen = shows(terminal, text, framed)
    return " ".join(framed(screen))


def framed(screen: str) -> list[str]:
    """The rows in the frame of a dialog."""
    return [row.split("┃")[1].strip() for row in screen.split("\n") if row.count("┃") == 2]
