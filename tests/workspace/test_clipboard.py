"""Copying through stand-in tools that work, fail, hang and daemonise, and through a real tmux."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mandrel_tui.protocol.copied import TERMINAL_LIMIT, Copied, Tried
from mandrel_tui.workspace.clipboard import copy, osc52
from mandrel_tui.workspace.state import Kept

TEXT = "# prompt\nwith [brackets] and ünicode\n".encode()
SHA = hashlib.sha256(TEXT).hexdigest()
KEPT = Kept(Path("/private/prompt.md"))


class Tools:
    """A folder that is the whole PATH, with a shell and the stand-ins of one test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in ("sh", "cat", "sleep", "setsid"):
            found = shutil.which(name)
            if found:
                (folder / name).symlink_to(found)

    def add(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)

    def environ(self, **more: str) -> dict[str, str]:
        return {"PATH": str(self.folder), "HOME": "/nonexistent", "TERM": "xterm", **more}

    def copy(self, data: bytes = TEXT, timeout: float = 20.0, /, **environ: str) -> Copied:
        return copy(data, KEPT, environ=self.environ(**environ), platform="linux", timeout=timeout)

    def got(self) -> bytes:
        return (self.folder / "got").read_bytes()


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path / "bin")


def take(tools: Tools) -> str:
    return f"cat > {tools.folder}/got"


def test_without_any_tool_the_terminal_is_asked_and_nothing_is_claimed(tools: Tools) -> None:
    copied = tools.copy()
    assert (copied.way, copied.checked) == ("terminal", False)
    assert copied.osc52 == b"\x1b]52;c;" + base64.b64encode(TEXT) + b"\x07"
    assert copied.sentence == (
        "sent to the terminal, cannot be checked; file /private/prompt.md; "
        f"{len(TEXT)} bytes of at most 74,994, sha {SHA[:8]}"
    )


def test_a_terminal_that_cannot_be_written_to_is_no_success(tools: Tools) -> None:
    copied = tools.copy().not_sent("there is no terminal")
    assert (copied.way, copied.osc52) == ("none", b"")
    assert copied.sentence == (
        "not copied: terminal: there is no terminal; file /private/prompt.md; "
        f"{len(TEXT)} bytes, sha {SHA[:8]}"
    )


def test_a_tool_gets_the_exact_bytes(tools: Tools) -> None:
    tools.add("xclip", take(tools))
    data = TEXT + bytes(range(256)) + b"no final newline"
    copied = tools.copy(data, DISPLAY=":0")
    assert tools.got() == data
    assert (copied.way, copied.checked, copied.osc52) == ("xclip", True, b"")
    assert copied.sentence == (
        f"copied {len(data)} bytes with xclip, sha {copied.sha256[:8]}, also kept as a file"
    )


def test_inside_tmux_its_buffer_comes_first(tools: Tools) -> None:
    tools.add("tmux", f'echo "$@" > {tools.folder}/args; {take(tools)}')
    tools.add("wl-copy", "exit 9")
    copied = tools.copy(TMUX="/tmp/s,1,0", WAYLAND_DISPLAY="wayland-0")
    assert copied.sentence == (
        f"copied {len(TEXT)} bytes to the tmux buffer, sha {SHA[:8]}, also kept as a file"
    )
    assert (tools.folder / "args").read_text() == "load-buffer -w -\n"
    assert tools.got() == TEXT
    assert [t.outcome for t in copied.tried] == ["done"]


def test_an_old_tmux_without_the_outer_clipboard_still_has_a_buffer(tools: Tools) -> None:
    tools.add(
        "tmux", f'[ "$2" = -w ] && {{ echo "unknown option -- w" >&2; exit 1; }}; {take(tools)}'
    )
    copied = tools.copy(TMUX="/tmp/s,1,0")
    assert copied.tried == (
        Tried("tmux buffer", "unknown option -- w"),
        Tried("tmux buffer", "done"),
    )
    assert tools.got() == TEXT


def test_a_failing_tool_is_no_success_and_the_next_is_tried(tools: Tools) -> None:
    tools.add("xclip", 'cat > /dev/null; echo "Error: Can\'t open display: :9" >&2; exit 1')
    tools.add("xsel", take(tools))
    copied = tools.copy(DISPLAY=":9")
    assert copied.way == "xsel"
    assert copied.tried == (
        Tried("xclip", "Error: Can't open display: :9"),
        Tried("xsel", "done"),
    )


def test_a_hanging_tool_is_given_up(tools: Tools) -> None:
    tools.add("xclip", "sleep 60")
    tools.add("xsel", take(tools))
    copied = tools.copy(TEXT, 0.5, DISPLAY=":9")
    assert copied.tried[0] == Tried("xclip", "xclip gave no answer within 0.5 s")
    assert copied.way == "xsel"


def test_a_tool_that_leaves_a_daemon_behind_delays_nobody(tools: Tools) -> None:
    pid = tools.folder / "pid"
    tools.add("wl-copy", f"{take(tools)}; setsid sleep 60 & echo $! > {pid}")
    copied = tools.copy(WAYLAND_DISPLAY="wayland-0")
    with suppress(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIGKILL)
    assert (copied.way, copied.checked) == ("wl-copy", True)
    assert tools.got() == TEXT


def test_over_ssh_the_tools_of_the_other_machine_are_left_alone(tools: Tools) -> None:
    tools.add("xclip", take(tools))
    for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"):
        copied = tools.copy(DISPLAY=":0", **{name: "1.2.3.4"})
        assert copied.way == "terminal"
        assert copied.tried == ()
    assert not (tools.folder / "got").exists()


def test_a_text_over_the_limit_of_terminals_is_not_sent(tools: Tools) -> None:
    copied = tools.copy(b"x" * (TERMINAL_LIMIT + 1))
    assert (copied.way, copied.osc52) == ("none", b"")
    assert copied.sentence == (
        "not copied: terminal: takes at most 74,994 bytes; file /private/prompt.md; "
        f"74,995 bytes, sha {copied.sha256[:8]}"
    )
    assert osc52(b"x" * TERMINAL_LIMIT) is not None


def test_a_dumb_terminal_is_sent_nothing(tools: Tools) -> None:
    assert tools.copy(TERM="dumb").way == "none"


def test_every_way_that_failed_is_named(tools: Tools) -> None:
    tools.add("xclip", "exit 3")
    copied = tools.copy(b"x" * 80_000, DISPLAY=":0", TMUX="x")
    assert "tmux buffer: no tmux on PATH" in copied.sentence
    assert "xclip: exit status 3" in copied.sentence
    assert "xsel: no xsel on PATH" in copied.sentence


def test_a_text_that_could_not_be_kept_says_so(tools: Tools) -> None:
    kept = Kept(None, "nothing is kept in /x: permission denied")
    copied = copy(TEXT, kept, environ=tools.environ(), platform="linux")
    assert "; not kept as a file; " in copied.sentence
    assert copied.note == kept.note


def test_control_characters_are_warned_of(tools: Tools) -> None:
    assert tools.copy(b"plain\r\n\ttext\n").warning == ""
    one = tools.copy(b"one\ntwo \x1b[2J\n")
    assert one.warning == "the text holds 1 control character, the first on line 2"
    assert tools.copy("a\u202eb\x9b".encode()).controls == 2


def test_each_try_is_announced(tools: Tools) -> None:
    tools.add("xsel", take(tools))
    announced: list[str] = []
    environ = tools.environ(DISPLAY=":0")
    copy(TEXT, KEPT, environ=environ, platform="linux", progress=announced.append)
    assert announced == ["xclip", "xsel"]


PYPERCLIP = """
class PyperclipException(RuntimeError): pass
def copy(text): open({got!r}, "wb").write(text.encode())
def paste(): return {paste}
"""


@pytest.mark.parametrize(("paste", "way"), [("open({got!r}).read()", "pyperclip"), ('""', "none")])
def test_pyperclip_is_believed_only_when_it_gives_the_text_back(
    tools: Tools, tmp_path: Path, paste: str, way: str
) -> None:
    got = str(tools.folder / "got")
    (tmp_path / "pyperclip.py").write_text(PYPERCLIP.format(got=got, paste=paste.format(got=got)))
    copied = tools.copy(DISPLAY=":0", PYTHONPATH=str(tmp_path), TERM="dumb")
    assert copied.way == way
    assert tools.got() == TEXT


def test_a_pyperclip_in_the_working_folder_is_never_run(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyperclip.py").write_text("open('ran', 'w')\n")
    monkeypatch.chdir(tmp_path)
    copied = tools.copy(DISPLAY=":0")
    assert not (tmp_path / "ran").exists()
    assert copied.tried[-1].way == "pyperclip"
    assert copied.tried[-1].outcome != "done"
    assert "\n" not in copied.tried[-1].outcome


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here")
    socket = str(tmp_path / "s")
    subprocess.run(
        ["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "sleep 60"], check=True
    )
    yield socket
    subprocess.run(["tmux", "-S", socket, "kill-server"], check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="a socket path that fits")
def test_a_real_tmux_holds_the_exact_bytes(server: str) -> None:
    data = TEXT * 5_000 + "重试 ✓\r\n\tend".encode()
    environ = {**os.environ, "TMUX": f"{server},1,0"}
    copied = copy(data, KEPT, environ=environ, platform="linux")
    assert copied.way == "tmux buffer"
    held = subprocess.run(["tmux", "-S", server, "save-buffer", "-"], capture_output=True)
    assert held.stdout == data


def test_a_tmux_server_that_is_gone_is_no_success(tmp_path: Path) -> None:
    if shutil.which("tmux") is None:
        pytest.skip("no tmux here")
    environ = {"PATH": os.environ["PATH"], "TERM": "xterm", "TMUX": f"{tmp_path}/gone,1,0"}
    copied = copy(TEXT, KEPT, environ=environ, platform="linux")
    assert copied.way == "terminal"
    assert all(t.way == "tmux buffer" and t.outcome != "done" for t in copied.tried)
