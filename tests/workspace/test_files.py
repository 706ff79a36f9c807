"""Reading and writing one file against hostile names, killed processes and other writers."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.workspace import atomic, files
from mandrel_tui.workspace.files import (
    NotRead,
    NotWritten,
    StaleFile,
    read,
    remove,
    write_atomic,
)
from mandrel_tui.workspace.listing import list_store

ROOT = Path(__file__).resolve().parents[2]
as_root = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)


def leftovers(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.startswith(".mt-")]


def child(code: str, *arguments: str, plain_user: bool = False) -> subprocess.CompletedProcess[str]:
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if plain_user else []
    return subprocess.run(
        [*user, sys.executable, "-B", "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


# reading


@given(data=st.binary(max_size=20_000))
def test_reading_gives_the_exact_bytes(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("read") / "x.md"
    path.write_bytes(data)
    reading = read(path)
    assert reading.data == data
    assert reading.stamp.size == len(data)
    assert reading.settled


def test_a_reading_is_named_by_its_digest(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert read(tmp_path / "x").sha256.startswith("ba7816bf8f01cfea")


def test_a_change_of_any_kind_changes_the_stamp(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"one")
    first = read(path).stamp
    path.write_bytes(b"three")
    second = read(path).stamp
    (tmp_path / "y").write_bytes(b"three")
    (tmp_path / "y").replace(path)
    assert len({first, second, read(path).stamp}) == 3


def test_what_is_no_regular_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "file").write_bytes(b"")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tmp_path)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
        expected = {
            "pipe": "a pipe",
            "folder": "a folder",
            "loop": "a loop of links",
            "dangling": "a link to nothing",
            "device": "a device",
            "socket": "a socket",
            "absent": "not there",
            "file/below": "not there",
        }
        for name, reason in expected.items():
            with pytest.raises(NotRead) as raised:
                read(tmp_path / name)
            assert raised.value.reason == reason
            assert str(raised.value) == f"{tmp_path}/{name}: {reason}"


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have_says_so_on_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotRead, match="no name that a file can have") as refused:
        read(tmp_path / name)
    assert str(refused.value).isprintable()


@as_root
def test_a_file_one_may_not_read_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    (tmp_path / "x").write_bytes(b"secret")
    (tmp_path / "x").chmod(0)
    code = (
        "import sys, pathlib; from mandrel_tui.workspace import files\n"
        "try: files.read(pathlib.Path(sys.argv[1]))\n"
        "except files.NotRead as e: print(e.reason)"
    )
    done = child(code, str(tmp_path / "x"), plain_user=True)
    assert done.stdout == "cannot be read (permission denied)\n", done.stderr


def test_a_message_about_a_hostile_name_is_one_plain_line(tmp_path: Path) -> None:
    with pytest.raises(NotRead) as raised:
        read(tmp_path / "a\nb\x1b[2J\udcff")
    assert str(raised.value) == f"{tmp_path}/a␊b␛[2J\\xff: not there"


# writing


@given(old=st.binary(max_size=300), new=st.binary(max_size=300), other=st.binary(max_size=300))
def test_a_write_replaces_what_was_read_or_nothing(
    tmp_path_factory: pytest.TempPathFactory, old: bytes, new: bytes, other: bytes
) -> None:
    folder = tmp_path_factory.mktemp("write")
    path = folder / "x.md"
    path.write_bytes(old)
    if other == old:
        write_atomic(path, new, old)
        assert path.read_bytes() == new
    else:
        with pytest.raises(StaleFile, match="changed since it was read"):
            write_atomic(path, new, other)
        assert path.read_bytes() == old
        write_atomic(path, new, old)
        assert path.read_bytes() == new
    assert leftovers(folder) == []


def test_a_write_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a")
    for mode in (0o600, 0o640, 0o755, 0o666):
        path.chmod(mode)
        write_atomic(path, b"a", b"a")
        assert stat.S_IMODE(path.stat().st_mode) == mode


@as_root
def test_a_write_keeps_the_owner(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a")
    os.chown(path, 65534, 65534)
    write_atomic(path, b"b", b"a")
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65534)


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.md").write_bytes(b"old")
    (tmp_path / "x.md").symlink_to("real/x.md")
    write_atomic(tmp_path / "x.md", b"new", b"old")
    assert (tmp_path / "x.md").is_symlink()
    assert (tmp_path / "real" / "x.md").read_bytes() == b"new"


def test_a_new_file_has_the_usual_mode_and_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x.md"
    umask = os.umask(0o027)
    try:
        write_atomic(path, b"new", None)
    finally:
        os.umask(umask)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert leftovers(path.parent) == []


@pytest.mark.parametrize("linked", [False, True])
def test_a_new_file_never_takes_a_name_in_use(tmp_path: Path, linked: bool) -> None:
    path = tmp_path / "x.md"
    if linked:
        path.symlink_to("nowhere")
    else:
        path.write_bytes(b"old")
    with pytest.raises(StaleFile, match="exists already"):
        write_atomic(path, b"new", None)
    assert linked or path.read_bytes() == b"old"
    assert not (tmp_path / "nowhere").exists()
    assert leftovers(tmp_path) == []


def test_where_files_cannot_be_linked_a_new_file_is_still_exclusive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_link)
    write_atomic(tmp_path / "x", b"new", None)
    with pytest.raises(StaleFile):
        write_atomic(tmp_path / "x", b"other", None)
    assert (tmp_path / "x").read_bytes() == b"new"


def test_a_file_that_is_gone_is_stale(tmp_path: Path) -> None:
    with pytest.raises(StaleFile):
        write_atomic(tmp_path / "x", b"new", b"old")
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_regular_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "folder", "loop"):
        with pytest.raises(NotWritten):
            write_atomic(tmp_path / name, b"new", b"")
        with pytest.raises(NotWritten):
            remove(tmp_path / name, b"")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@as_root
def test_a_folder_or_file_one_may_not_write_is_named_and_untouched(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    for name, folder_mode, mode in (("closed", 0o555, 0o666), ("open", 0o777, 0o444)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "x").write_bytes(b"old")
        os.chown(folder / "x", 65534, 65534)
        (folder / "x").chmod(mode)
        folder.chmod(folder_mode)
        code = (
            "import sys, pathlib; from mandrel_tui.workspace import files\n"
            "try: files.write_atomic(pathlib.Path(sys.argv[1]), b'new', b'old')\n"
            "except files.NotWritten as e: print(e)"
        )
        done = child(code, str(folder / "x"), plain_user=True)
        assert done.stdout == f"{folder}/x cannot be written: permission denied\n", done.stderr
        assert (folder / "x").read_bytes() == b"old"
        assert leftovers(folder) == []


def test_a_full_disk_leaves_the_old_content_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(NotWritten, match="cannot be written: no space left on device"):
        write_atomic(path, b"new", b"old")
    with pytest.raises(NotWritten):
        write_atomic(tmp_path / "y", b"new", None)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_kill_between_writing_and_renaming_leaves_the_old_file_and_a_named_leftover(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"old")
    code = (
        "import os, sys, pathlib, signal; from mandrel_tui.workspace import files\n"
        "pathlib.Path.replace = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.write_atomic(pathlib.Path(sys.argv[1]), b'new', b'old')"
    )
    assert child(code, str(path)).returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    listing = list_store(tmp_path)
    assert [f.name for f in listing.files] == ["x"]
    assert [m.reason for m in listing.not_read] == ["a leftover of an interrupted write"]
    write_atomic(path, b"newer", b"old")
    assert path.read_bytes() == b"newer"


def test_of_two_writers_of_one_reading_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    write_atomic(path, b"first", b"old")
    with pytest.raises(StaleFile):
        write_atomic(path, b"second", b"old")
    assert path.read_bytes() == b"first"


def test_a_change_while_the_new_file_is_prepared_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    prepare = atomic.temporary

    def meanwhile(*a: object, **k: object) -> Path:
        path.write_bytes(b"theirs")
        return prepare(*a, **k)  # type: ignore[arg-type]

    monkeypatch.setattr(atomic, "temporary", meanwhile)
    with pytest.raises(StaleFile):
        write_atomic(path, b"mine", b"old")
    assert path.read_bytes() == b"theirs"
    assert leftovers(tmp_path) == []


def overlapped(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Lets another writer act just after the next rename, one that came unnoticed before it."""
    monkeypatch.setattr(files, "_being_written", lambda fd: False)
    sync = atomic.sync_folder

    def then(folder: Path) -> None:
        act()
        sync(folder)

    monkeypatch.setattr(atomic, "sync_folder", then)


def test_lines_appended_to_the_file_that_was_replaced_are_carried_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index.md"
    path.write_bytes(b"a\nb\n")

    def act() -> None:
        with path.open("ab") as quick:
            quick.write(b"quick\n")
        slow.write(b"late\n")

    with path.open("ab", buffering=0) as slow:
        overlapped(monkeypatch, act)
        write_atomic(path, b"b\n", b"a\nb\n")
    assert path.read_bytes() == b"b\nquick\nlate\n"
    assert leftovers(tmp_path) == []


def test_a_rewrite_of_the_file_that_was_replaced_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"old")

    def act() -> None:
        slow.write(b"theirs")

    with path.open("r+b", buffering=0) as slow:
        overlapped(monkeypatch, act)
        with pytest.raises(StaleFile):
            write_atomic(path, b"mine", b"old")
    assert path.read_bytes() == b"theirs"
    assert leftovers(tmp_path) == []


def test_an_index_edited_beside_a_writer_that_appends_loses_no_line(tmp_path: Path) -> None:
    path = tmp_path / "index.md"
    path.write_bytes(b"".join(b"drop %d\n" % i for i in range(20)))

    def append() -> None:
        for i in range(200):
            with path.open("ab", buffering=0) as file:
                file.write(b"keep %d\n" % i)

    other = threading.Thread(target=append)
    other.start()
    for i in range(20):
        while True:
            data = read(path).data
            try:
                write_atomic(path, data.replace(b"drop %d\n" % i, b""), data)
                break
            except StaleFile:
                continue
    other.join()
    assert path.read_bytes() == b"".join(b"keep %d\n" % i for i in range(200))


def test_a_file_is_removed_only_as_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(StaleFile):
        remove(path, b"other")
    remove(path, b"old")
    assert not path.exists()
    with pytest.raises(NotWritten, match="not there"):
        remove(path, b"old")


def test_a_link_is_removed_and_what_it_names_stays(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    remove(tmp_path / "link", b"old")
    assert [p.name for p in tmp_path.iterdir()] == ["real"]


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 252 + ".md")
    write_atomic(path, b"one", None)
    write_atomic(path, b"two", b"one")
    assert path.read_bytes() == b"two"


def test_a_file_that_grows_while_it_is_read_is_not_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"half")
    read_all = files._all

    def growing(fd: int, size: int) -> bytes:
        data = read_all(fd, size)
        with path.open("ab") as file:
            file.write(b" and more")
        return data

    monkeypatch.setattr(files, "_all", growing)
    assert not read(path).settled


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who writes")
def test_a_file_that_somebody_has_open_for_writing_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "task.md"
    path.write_bytes(b"first half\n")
    with path.open("ab", buffering=0) as writer:
        with pytest.raises(StaleFile, match="is being written by another program"):
            write_atomic(path, b"new\n", b"first half\n")
        writer.write(b"second half\n")
    assert path.read_bytes() == b"first half\nsecond half\n"
    with path.open("rb"):
        write_atomic(path, b"new\n", b"first half\nsecond half\n")
    assert path.read_bytes() == b"new\n"
    assert leftovers(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who writes")
def test_asking_who_writes_ends_nobody_and_keeps_no_writer_waiting(tmp_path: Path) -> None:
    path = tmp_path / "index.md"
    path.write_bytes(b"")
    appends = "import sys\nfor n in range(3000): open(sys.argv[1], 'ab').write(b'x')"
    with subprocess.Popen([sys.executable, "-c", appends, path]) as writer, path.open("rb") as file:
        while writer.poll() is None:
            files._being_written(file.fileno())
    assert writer.returncode == 0
    assert len(path.read_bytes()) == 3000
