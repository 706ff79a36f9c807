"""Children of every kind: silent, loud, stuck, daemonising, absent."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from mandrel_tui.workspace import process
from mandrel_tui.workspace.process import run
from mandrel_tui.workspace.visible import first_words, name_of, visible

PYTHON = sys.executable


def script(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pid: int, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


def test_a_child_gives_its_status_and_both_its_outputs() -> None:
    ended = run(["sh", "-c", "printf out; printf err >&2; exit 3"])
    assert (ended.status, ended.stdout, ended.stderr) == (3, b"out", b"err")
    assert not ended.ok
    assert ended.words == "err"


def test_a_child_reads_its_input_byte_for_byte() -> None:
    data = bytes(range(256)) * 4096
    assert run(["cat"], input=data).stdout == data


def test_a_child_that_never_reads_its_input_delays_nobody() -> None:
    assert run(["true"], input=b"x" * 4_000_000).ok


def test_without_input_standard_input_is_empty_and_no_terminal() -> None:
    assert run(["sh", "-c", "cat; [ -t 0 ] || echo none"]).stdout == b"none\n"


def test_a_child_has_no_controlling_terminal() -> None:
    code = (
        "import os\ntry: os.open('/dev/tty', os.O_RDWR)\nexcept OSError as e: print(e.errno == 6)"
    )
    assert run([PYTHON, "-c", code]).stdout == b"True\n"


def test_the_time_limit_ends_the_whole_group(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    ended = run(["sh", "-c", f"sleep 60 & echo $! > {note}; wait"], timeout=0.3)
    assert ended.timed_out
    assert ended.status is None
    assert ended.words == "sh gave no answer within 0.3 s"
    assert gone(int(note.read_text()))


def test_a_child_that_ignores_the_polite_signal_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = f"trap '' TERM; echo $$ > {note}; while :; do sleep 1; done"
    assert run(["sh", "-c", code], timeout=0.3).timed_out
    assert gone(int(note.read_text()))


def test_nobody_waits_for_a_child_any_more_who_has_been_told_to_stop(tmp_path: Path) -> None:
    note, stop = tmp_path / "pid", threading.Event()
    threading.Timer(0.3, stop.set).start()
    ended = run(["sh", "-c", f"sleep 60 & echo $! > {note}; wait"], timeout=50, stop=stop)
    assert not ended.timed_out
    assert ended.status is None
    assert ended.words == "sh was not waited for"
    assert gone(int(note.read_text()))


def test_without_a_descriptor_left_no_child_is_started_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none_left(*_: object, **__: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "memfd_create", none_left, raising=False)
    monkeypatch.setattr("tempfile.TemporaryFile", none_left)
    assert run(["true"]).words == "true cannot be started: Too many open files"


def test_what_was_printed_before_the_limit_is_kept() -> None:
    assert run(["sh", "-c", "echo early; sleep 60"], timeout=0.3).stdout == b"early\n"


@pytest.mark.parametrize("discard", [False, True])
def test_a_daemon_left_behind_with_the_output_open_delays_nobody(
    tmp_path: Path, discard: bool
) -> None:
    note = tmp_path / "pid"
    code = f"setsid sleep 60 & echo $! > {note}; echo done"
    ended = run(["sh", "-c", code], timeout=20, discard=discard)
    pid = int(note.read_text())
    try:
        assert ended.ok
        assert not ended.timed_out
        assert ended.stdout == (b"" if discard else b"done\n")
        assert alive(pid)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_a_child_that_floods_its_output_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "OUTPUT_LIMIT", 1_000_000)
    ended = run(["yes"], timeout=60)
    assert not ended.timed_out
    assert ended.words == "yes printed more than 1,000,000 bytes and was stopped"


def test_an_absent_program_is_one_line() -> None:
    ended = run(["no-such-program-here"])
    assert ended.status is None
    assert ended.words == "no no-such-program-here on PATH"


def test_an_absent_path_is_named(tmp_path: Path) -> None:
    assert run([str(tmp_path / "tool")]).words == f"{tmp_path}/tool is not there"


def test_a_program_is_looked_for_on_the_path_it_is_given(tmp_path: Path) -> None:
    script(tmp_path / "greet", "#!/bin/sh\necho hello\n")
    assert run(["greet"], env={"PATH": str(tmp_path)}).stdout == b"hello\n"


def test_a_file_without_the_execute_bit_is_one_line(tmp_path: Path) -> None:
    tool = script(tmp_path / "tool", "#!/bin/sh\n", 0o644)
    assert run([tool]).words == f"{tool} is not executable"


def test_a_missing_interpreter_is_told_from_a_missing_program(tmp_path: Path) -> None:
    tool = script(tmp_path / "tool", "#!/no/such/interpreter\n")
    assert run([tool]).words == f"{tool} cannot be started: the interpreter it names is missing"


def test_a_file_that_is_no_program_is_one_line(tmp_path: Path) -> None:
    tool = script(tmp_path / "tool", "\x00\x01\x02 no program")
    assert run([tool]).words == f"{tool} is no program this system can run"


def test_a_missing_working_folder_is_named(tmp_path: Path) -> None:
    ended = run(["true"], cwd=tmp_path / "gone")
    assert ended.words == f"true cannot be started: {tmp_path}/gone is no folder"


def test_an_argument_over_the_limit_of_the_system_is_one_line() -> None:
    assert run(["true", "x" * 200_000]).words == "true cannot be started: Argument list too long"


def test_an_argument_with_a_nul_is_one_line() -> None:
    assert run(["true", "a\0b"]).words == "true cannot be started: embedded null byte"


def test_a_child_ended_by_a_signal_says_which() -> None:
    ended = run(["sh", "-c", "kill -9 $$"])
    assert ended.status == -9
    assert ended.words == "ended by signal 9"


def test_without_a_nameless_file_in_memory_one_on_disk_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "memfd_create")
    monkeypatch.delattr(os, "pidfd_open")
    assert run(["cat"], input=b"abc").stdout == b"abc"
    assert run(["sleep", "60"], timeout=0.2).timed_out


def test_control_characters_of_a_child_become_pictures() -> None:
    assert first_words(b"fatal: \x1b[2Jbad\n\nhint: try\n") == "fatal: ␛[2Jbad; hint: try"


def test_unseen_characters_of_a_name_become_escapes() -> None:
    assert visible("a\nb\u202ec\udcffd\x9b") == "a␊b\\u202ec\\xffd\\u009b"


def test_a_name_keeps_every_character_that_can_be_encoded() -> None:
    assert name_of("caf\u0065\u0301 \n\u202e") == "caf\u0065\u0301 \n\u202e"
    assert name_of("a\udcffb") == "a\\xffb"
    name_of("a\udcff\ud800").encode()
