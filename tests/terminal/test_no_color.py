"""NO_COLOR in a real terminal: no colour code is sent, and the screen still tells everything."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os
from mandrel_tui.ui.actions import BOARD
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.theme import no_colour
from mandrel_tui.ui.widgets.bars import KeyRow
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList
from tests.stories.stage import Stage

right = (("!close", "you"), (" x", "fail"))
rows = [Row(f"k{n}", ((f"task-{n} ", "text"),), right) for n in range(40)]
plain = no_colour(os.environ)
keys = KeyRow()
app = Stage(
    Pane(PaneHeader("tasks 40"), RowList(rows)),
    keys,
    theme="ansi" if plain else os.environ.get("THEME", "dark"),
    ansi_color=True if plain else None,
)
app.call_later(
    lambda: keys.set_keys(
        DEFAULTS.shown([a.id for a in DEFAULTS.at(BOARD)], {"task.prompt": "no"}.get)
    )
)
app.run()
"""


def sent(environ: dict[str, str], until: bytes, keys: bytes) -> bytes:
    """Everything the program sends to a terminal of 80×24 until it has answered some keys."""
    import fcntl
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), **environ},
        start_new_session=True,
    )
    os.close(slave)
    said = b""
    limit = time.monotonic() + 30
    try:
        while until not in said and time.monotonic() < limit:
            if select.select([master], [], [], 0.1)[0]:
                said += os.read(master, 1 << 16)
            if b"task-5 " in said and keys:
                os.write(master, keys)
                keys = b""
    finally:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        os.close(master)
    assert until in said, said[-2000:]
    return said


def codes(said: bytes) -> set[int]:
    """Every number in a select-graphic-rendition sequence."""
    found = re.findall(rb"\x1b\[([0-9;]*)m", said)
    return {int(number) for code in found for number in code.split(b";") if number}


def test_no_colour_code_is_sent_and_the_cursor_row_is_still_seen() -> None:
    said = sent({"NO_COLOR": "1"}, b"tasks 40 of 40 /", b"jj/")
    assert codes(said) <= {0, 1, 2, 4, 7, 22, 24, 27, 39, 49}
    assert 7 in codes(said)
    assert "›".encode() in said


def test_an_empty_no_color_asks_for_nothing() -> None:
    said = sent({"NO_COLOR": "", "COLORTERM": "truecolor"}, b"tasks 40 of 40 /", b"jj/")
    assert 38 in codes(said)


def test_the_ansi_theme_sends_the_colours_of_the_terminal_and_no_others() -> None:
    said = sent({"THEME": "ansi", "COLORTERM": "truecolor"}, b"tasks 40 of 40 /", b"jj/")
    assert codes(said) <= {0, 1, 2, 4, 7, 22, 24, 27, 31, 32, 34, 35, 39, 49}
    assert {31, 35, 7} <= codes(said)
