"""Clipboard: tries one way after another, each with a time limit and a checked exit status; writes
to no terminal itself."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from mandrel_tui.protocol.copied import NOWHERE, TERMINAL, TERMINAL_LIMIT, TMUX, Copied, Tried
from mandrel_tui.workspace.process import run
from mandrel_tui.workspace.state import Kept

TIME_LIMIT = 2.0

_REMOTE = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# In a child, since it knows no time limit; it reads back, since it reports success too easily.
# What it does through Qt ends with the child.
_PYPERCLIP = """
import sys
sys.modules["qtpy"] = sys.modules["PyQt5"] = None
text = sys.stdin.buffer.read().decode("utf-8")
try:
    import pyperclip
    pyperclip.copy(text)
    same = pyperclip.paste() == text
except Exception as error:
    sys.exit((str(error).strip() or type(error).__name__).splitlines()[0])
sys.exit(0 if same else "what it gives back is not what it was given")
"""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to the clipboard: `needs` are the variables and platforms, any of which makes it
    worth a try; a `local` one would fill the clipboard of the wrong machine over SSH."""

    name: str
    argv: tuple[str, ...]
    needs: tuple[str, ...]
    local: bool = True

    def applies(self, environ: Mapping[str, str], platform: str) -> bool:
        if self.local and any(environ.get(name) for name in _REMOTE):
            return False
        return any(need == platform or environ.get(need) for need in self.needs)


_DESKTOP = ("win32", "cygwin", "darwin", "WSL_DISTRO_NAME", "DISPLAY", "WAYLAND_DISPLAY")

WAYS = (
    Way(TMUX, ("tmux", "load-buffer", "-w", "-"), ("TMUX",), local=False),
    Way(TMUX, ("tmux", "load-buffer", "-"), ("TMUX",), local=False),
    Way("pbcopy", ("pbcopy",), ("darwin",)),
    Way("wl-copy", ("wl-copy", "--type", "text/plain"), ("WAYLAND_DISPLAY",)),
    Way("xclip", ("xclip", "-selection", "clipboard"), ("DISPLAY",)),
    Way("xsel", ("xsel", "--clipboard", "--input"), ("DISPLAY",)),
    Way("pyperclip", (sys.executable, "-P", "-c", _PYPERCLIP), _DESKTOP),
)


def copy(
    data: bytes,
    kept: Kept,
    *,
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    timeout: float = TIME_LIMIT,
    progress: Callable[[str], None] = lambda way: None,
) -> Copied:
    """Copies by the first way that says it worked; else leaves the terminal's sequence to the
    caller, where the text fits. Takes at most `timeout` seconds a way; `kept` is its file."""
    tried: list[Tried] = []
    for way in WAYS:
        if not way.applies(environ, platform):
            continue
        progress(way.name)
        ended = run(way.argv, input=data, timeout=timeout, env=environ)
        tried.append(Tried(way.name, "done" if ended.ok else ended.words))
        if ended.ok:
            return _copied(data, kept, tried, way=way.name, checked=True)
    sequence = osc52(data)
    if environ.get("TERM") == "dumb":
        tried.append(Tried(TERMINAL, "TERM=dumb takes no copies"))
    elif sequence is None:
        tried.append(Tried(TERMINAL, f"takes at most {TERMINAL_LIMIT:,} bytes"))
    else:
        return _copied(data, kept, tried, way=TERMINAL, checked=False, sequence=sequence)
    return _copied(data, kept, tried, way=NOWHERE, checked=False)


def osc52(data: bytes) -> bytes | None:
    """The sequence that asks a terminal to copy, None for more than TERMINAL_LIMIT bytes."""
    if len(data) > TERMINAL_LIMIT:
        return None
    return b"\x1b]52;c;" + b64encode(data) + b"\x07"


def _copied(
    data: bytes,
    kept: Kept,
    tried: list[Tried],
    *,
    way: str,
    checked: bool,
    sequence: bytes = b"",
) -> Copied:
    text = data.decode("utf-8", "replace")
    found = [match.start() for match in _CONTROL.finditer(text)]
    return Copied(
        way,
        checked,
        len(data),
        sha256(data).hexdigest(),
        file=None if kept.path is None else str(kept.path),
        note=kept.note,
        tried=tuple(tried),
        osc52=sequence,
        controls=len(found),
        control_line=text.count("\n", 0, found[0]) + 1 if found else None,
    )
