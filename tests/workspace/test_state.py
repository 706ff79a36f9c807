"""What is kept outside the repository: private, bounded, torn, foreign, read-only, locked."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from mandrel_tui.workspace import state as state_module
from mandrel_tui.workspace.cache import CacheRow, Json
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.state import Busy, State, key
from tests.conftest import git

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> State:
    monkeypatch.setenv("MANDREL_TUI_STATE", str(tmp_path / "state"))
    root = tmp_path / "ledger-sync"
    root.mkdir()
    return State.of(root)


def modes(folder: Path) -> set[str]:
    return {oct(stat.S_IMODE(p.stat().st_mode)) for p in folder.rglob("*") if p.is_file()}


def test_the_key_reads_like_the_repository_and_follows_its_real_path(tmp_path: Path) -> None:
    root = tmp_path / 'My "Pro ject"\n é'
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    assert key(root).partition("-")[2] == "My-Pro-ject"
    assert key(tmp_path / "link") == key(root)
    assert key(tmp_path) != key(root)
    assert key(Path("/")).endswith("-root")


def test_state_lies_where_the_platform_keeps_it_unless_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert State.of(tmp_path).base == home / "state" / "mandrel-tui"
    monkeypatch.setenv("MANDREL_TUI_STATE", "/elsewhere")
    assert State.of(tmp_path).base == Path("/elsewhere")


def test_looking_makes_no_folder(state: State) -> None:
    assert state.load("x").value is None
    assert state.load_cache(1) == {}
    assert not state.base.exists()


def test_a_kept_text_is_private_and_exact(state: State) -> None:
    kept = state.keep(b"exact \xff bytes\r\n", "2026-03-02-crawler-core review")
    assert kept.path is not None
    assert kept.note == ""
    assert kept.path.name.startswith("2026-03-02-crawler-core-review-")
    assert kept.path.read_bytes() == b"exact \xff bytes\r\n"
    assert modes(state.base) == {"0o600"}
    assert stat.S_IMODE(state.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700


def test_loose_modes_are_tightened(state: State) -> None:
    state.keep(b"a", "a")
    state.folder.chmod(0o755)
    state.keep(b"a", "a")
    assert stat.S_IMODE(state.folder.stat().st_mode) == 0o700


def test_a_stem_cannot_leave_the_folder(state: State) -> None:
    for stem in ("../../x", "/etc/passwd", "", "..", "é", "a\0b", "x" * 400):
        path = state.keep(stem.encode(), stem).path
        assert path is not None
        assert path.parent == state.folder / "kept"


def test_only_the_newest_texts_stay(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_module, "KEPT_FILES", 3)
    paths = []
    for i in range(5):
        path = state.keep(b"%d" % i, "prompt").path
        assert path is not None
        os.utime(path, ns=(i, i))
        paths.append(path)
    assert sorted(paths[2:]) == sorted((state.folder / "kept").iterdir())


def test_values_come_back_as_they_were_saved(state: State) -> None:
    value: Json = {"a": [1, None, "ü\udcff"], "b": {"c": 1.5}}
    assert state.save("rulings", value) == ""
    assert state.load("rulings").value == value
    assert State.of(state.root).load("rulings").value == value


@pytest.mark.parametrize("torn", [b"", b'{"a": 1', b"\xff\xfe", b"[" * 100_000])
def test_a_torn_value_is_set_aside_with_a_note(state: State, torn: bytes) -> None:
    state.save("rulings", {"a": 1})
    path = state.folder / "rulings.json"
    path.write_bytes(torn)
    loaded = state.load("rulings")
    assert loaded.value is None
    assert loaded.note == f"{path} is torn: set aside as rulings.json.aside-1"
    assert (state.folder / "rulings.json.aside-1").read_bytes() == torn
    assert state.load("rulings").note == ""
    path.write_bytes(torn)
    assert state.load("rulings").note.endswith("rulings.json.aside-2")


def test_a_pipe_in_the_place_of_a_value_is_named(state: State) -> None:
    state.save("a", 1)
    os.mkfifo(state.folder / "b.json")
    assert state.load("b").note == f"{state.folder}/b.json: a pipe"


def test_a_killed_save_leaves_the_old_value(state: State) -> None:
    state.save("rulings", "old")
    code = (
        "import os, sys, pathlib, signal; from mandrel_tui.workspace.state import State\n"
        "pathlib.Path.replace = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        "State.of(pathlib.Path(sys.argv[1])).save('rulings', 'new')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(state.root)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == -signal.SIGKILL
    assert state.load("rulings").value == "old"


def test_a_folder_marked_as_another_repository_is_not_used(state: State) -> None:
    state.save("a", 1)
    (state.folder / "repository.json").write_text(json.dumps({"path": "/other"}))
    assert state.save("a", 2) == f"{state.folder} belongs to /other"
    assert state.load("a").value == 1


def test_a_torn_mark_is_written_again(state: State) -> None:
    state.save("a", 1)
    (state.folder / "repository.json").write_bytes(b"{")
    assert state.save("a", 2) == ""
    assert json.loads((state.folder / "repository.json").read_bytes()) == {"path": str(state.root)}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not_used(state: State) -> None:
    state.save("a", 1)
    os.chown(state.folder, 65534, 65534)
    expected = f"nothing is kept in {state.folder}: it belongs to another user"
    assert state.save("a", 2) == expected


def test_a_link_in_the_place_of_the_folder_is_not_followed(state: State, tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    state.base.mkdir()
    state.folder.symlink_to(tmp_path / "target")
    assert state.save("a", 1) == f"nothing is kept in {state.folder}: it is no folder"
    assert list((tmp_path / "target").iterdir()) == []


def test_without_a_state_folder_texts_go_to_a_private_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    state = State(tmp_path, tmp_path / "file" / "state")
    kept = state.keep(b"text", "prompt")
    assert kept.path is not None
    assert kept.path.parent == tmp_path / "tmp" / f"mandrel-tui-{os.geteuid()}"
    assert stat.S_IMODE(kept.path.parent.stat().st_mode) == 0o700
    assert kept.note == (
        f"kept in a temporary folder, since nothing is kept in {state.folder}: not a directory"
    )


def test_where_nothing_can_be_written_every_answer_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    state = State(tmp_path, tmp_path / "file" / "state")
    problem = f"nothing is kept in {state.folder}: not a directory"
    assert state.keep(b"text", "prompt") == state_module.Kept(None, problem)
    assert state.save("a", 1) == problem
    assert state.save_cache(1, {}, 0) == problem
    with state.locked() as note:
        assert note == problem


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
def test_a_read_only_home_loses_nothing_but_memory(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    (tmp_path / "home").mkdir(mode=0o555)
    code = (
        "import sys, pathlib; from mandrel_tui.workspace.state import State\n"
        "print(State(pathlib.Path('/'), pathlib.Path(sys.argv[1])).save('a', 1))"
    )
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = subprocess.run(
        [*user, sys.executable, "-B", "-c", code, str(tmp_path / "home" / "state")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout.rstrip().endswith("-root: permission denied"), done.stderr


def test_without_a_home_nothing_is_written_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    state = State(tmp_path, Path("~/.local/state/mandrel-tui"))
    assert state.save("a", 1) == "nothing is kept: there is no home folder"
    assert list(tmp_path.iterdir()) == []


def test_a_user_whom_the_system_does_not_know_works_without_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("MANDREL_TUI_STATE", raising=False)
    monkeypatch.setattr("platformdirs.user_state_path", homeless)
    monkeypatch.chdir(tmp_path)
    state = State.of(tmp_path)
    assert state.save("a", 1) == "nothing is kept: there is no home folder"
    assert state.load("a").value is None
    assert list(tmp_path.iterdir()) == []


def test_state_inside_the_repository_leaves_its_tree_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "--quiet")
    monkeypatch.setenv("MANDREL_TUI_STATE", str(tmp_path / ".local" / "state" / "mandrel-tui"))
    state = State.of(tmp_path)
    state.save("a", 1)
    state.keep(b"text", "prompt")
    assert git(tmp_path, "status", "--porcelain") == ""


HOLD = (
    "import sys, pathlib, time; from mandrel_tui.workspace.state import State\n"
    "with State.of(pathlib.Path(sys.argv[1])).locked():\n print('held', flush=True)\n"
    " time.sleep(60)"
)


def test_a_lock_excludes_and_ends_with_its_process(state: State) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(state.root)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy, match="another process holds"), state.locked(0.1):
            pass
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with state.locked(5) as note:
        assert note == ""


def test_a_lock_is_given_back(state: State) -> None:
    for _ in range(3):
        with state.locked(0) as note:
            assert note == ""


# the cache of archived rows


def row_of(path: Path) -> CacheRow:
    return CacheRow.of(read(path).stamp, {"title": "T", "blockers": ["a"]})


def test_cached_rows_come_back_while_the_file_is_the_same(state: State, tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"text")
    row = row_of(path)
    later = row.ctime_ns + 10_000_000_000
    assert state.save_cache(3, {"x": row}, later) == ""
    (cached,) = state.load_cache(3).values()
    assert cached == row
    assert cached.fits(read(path).stamp)
    path.write_bytes(b"TEXT")
    os.utime(path, ns=(row.mtime_ns, row.mtime_ns))
    assert not cached.fits(read(path).stamp)


def test_a_cache_of_another_version_is_empty(state: State, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"text")
    row = row_of(tmp_path / "x.md")
    state.save_cache(3, {"x": row}, row.ctime_ns + 10_000_000_000)
    assert state.load_cache(4) == {}


def test_a_file_that_may_still_change_within_the_tick_is_not_cached(
    state: State, tmp_path: Path
) -> None:
    (tmp_path / "x.md").write_bytes(b"text")
    row = row_of(tmp_path / "x.md")
    state.save_cache(3, {"x": row}, row.ctime_ns + 1_000_000)
    assert state.load_cache(3) == {}


@pytest.mark.parametrize(
    "torn",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b'{"version": 3}',
        b'{"version": 3, "rows": []}',
        b'{"version": 3, "rows": {"x": 1}}',
        b'{"version": 3, "rows": {"x": [1, 2]}}',
        b'{"version": 3, "rows": {"x": ["1", 2, 3, 4, {}]}}',
        b'{"version": 3, "rows": {"x": [1, 2, 3, 4, {}]}',
        b"[" * 100_000,
    ],
)
def test_a_torn_cache_is_an_empty_one(state: State, torn: bytes) -> None:
    state.save_cache(3, {}, 0)
    (state.folder / "archive.json").write_bytes(torn)
    assert state.load_cache(3) == {}
    assert state.save_cache(3, {}, 0) == ""
