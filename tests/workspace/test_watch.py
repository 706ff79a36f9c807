"""Changes made outside, with and without events: each is reported, litter is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue

import pytest

from mandrel_tui.protocol.watching import Noticing, Watching
from mandrel_tui.workspace import hints, watch
from mandrel_tui.workspace.fingerprint import Fingerprint, fingerprint, is_noise
from mandrel_tui.workspace.watch import Changed, Pace, Watch
from tests.conftest import git

PATIENCE = 20.0
EAGER = Pace(tick=0.01, glance=0.05, poll=(0.05,), safety=0.1, quiet=0.03, burst=0.2, late=0.3)


class Observer:
    """A watch that runs in a thread, and what it reported."""

    def __init__(self, root: Path, *, events: bool, since: Fingerprint | None = None) -> None:
        self.changes: Queue[Changed] = Queue()
        self.states: Queue[Watching] = Queue()
        self.stop = threading.Event()
        self.watch = Watch(root, self.states.put, events=events, pace=EAGER)
        self.thread = threading.Thread(target=self._run, args=(since,), daemon=True)
        self.thread.start()

    def _run(self, since: Fingerprint | None) -> None:
        for changed in self.watch.changes(self.stop, since):
            self.changes.put(changed)

    def until(self, path: str) -> Changed:
        """The report that names the path."""
        seen: list[list[str]] = []
        while True:
            try:
                changed = self.changes.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"{path} was not reported, only {seen}") from None
            seen.append(sorted(changed.paths))
            if path in changed.paths:
                return changed

    def state(self, wanted: Callable[[Watching], bool]) -> Watching:
        while True:
            state = self.states.get(timeout=PATIENCE)
            if wanted(state):
                return state

    def end(self) -> None:
        self.stop.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


Start = Callable[..., Observer]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in (".ai-tasks/archive", ".ai", ".ai-protocol/protocols"):
        (tmp_path / folder).mkdir(parents=True)
    for name in (".ai-tasks/w-1.md", ".ai-tasks/index.md", ".ai/map.md"):
        (tmp_path / name).write_text("one\n")
    return tmp_path


@pytest.fixture(params=[True, False], ids=["events", "polling"])
def start(request: pytest.FixtureRequest, root: Path) -> Iterator[Start]:
    observers: list[Observer] = []

    def begin(since: Fingerprint | None = None, *, events: bool = request.param) -> Observer:
        observer = Observer(root, events=events, since=since or fingerprint(root))
        observers.append(observer)
        return observer

    yield begin
    for observer in observers:
        observer.end()


def replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(text)
    temporary.replace(path)


def test_every_save_by_replacement_is_reported(root: Path, start: Start) -> None:
    observer = start()
    for i in range(3):
        replace(root / ".ai-tasks" / "w-1.md", "save\n" * (i + 2))
        changed = observer.until(".ai-tasks/w-1.md")
        assert changed.below(".ai-tasks")
        assert not changed.below(".ai")
        assert not any("tmp" in path for path in changed.paths)


def test_a_write_in_place_is_reported(root: Path, start: Start) -> None:
    observer = start()
    with (root / ".ai-tasks" / "w-1.md").open("a") as file:
        file.write("two\n")
    observer.until(".ai-tasks/w-1.md")


@pytest.mark.parametrize(
    "name",
    [
        ".ai-tasks/new.md",
        ".ai-tasks/index.md",
        ".ai-tasks/archive/old.md",
        ".ai/map.md",
        ".ai/.housekeeping-pending",
        ".ai/deep/er/x.md",
        ".ai-protocol/protocols/review.md",
        ".mandrel/orchestrator/prompts/entry/sid-line.md",
        ".ai-deploy-lock.json",
        "CLAUDE.md",
    ],
)
def test_every_part_of_a_repository_is_watched(root: Path, start: Start, name: str) -> None:
    observer = start()
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("something new\n")
    assert name in observer.until(name).fingerprint.marks


def test_a_removed_and_an_archived_task_are_reported(root: Path, start: Start) -> None:
    observer = start()
    (root / ".ai-tasks" / "w-1.md").rename(root / ".ai-tasks" / "archive" / "w-1.md")
    changed = observer.until(".ai-tasks/archive/w-1.md")
    if ".ai-tasks/w-1.md" not in changed.paths:
        observer.until(".ai-tasks/w-1.md")


def test_a_store_removed_and_made_again_is_still_watched(root: Path, start: Start) -> None:
    observer = start()
    shutil.rmtree(root / ".ai-tasks")
    assert ".ai-tasks/w-1.md" not in observer.until(".ai-tasks").fingerprint.marks
    (root / ".ai-tasks").mkdir()
    observer.until(".ai-tasks")
    (root / ".ai-tasks" / "again.md").write_text("x")
    observer.until(".ai-tasks/again.md")
    (root / ".ai-tasks" / "again.md").write_text("changed")
    observer.until(".ai-tasks/again.md")


def test_a_store_that_comes_later_is_reported(root: Path, start: Start) -> None:
    shutil.rmtree(root / ".ai-tasks")
    observer = start()
    (root / ".ai-tasks").mkdir()
    (root / ".ai-tasks" / "first.md").write_text("x")
    observer.until(".ai-tasks/first.md")


def test_a_commit_and_a_branch_are_reported(root: Path, start: Start) -> None:
    git(root, "init", "--quiet")
    git(root, "add", ".")
    observer = start()
    git(root, "commit", "--quiet", "-m", "first")
    observer.until(".git/logs/HEAD")
    git(root, "checkout", "--quiet", "-b", "other")
    observer.until(".git/HEAD")


def test_what_happened_before_the_first_look_is_reported(root: Path, start: Start) -> None:
    before = fingerprint(root)
    (root / ".ai-tasks" / "w-1.md").write_text("meanwhile\n")
    start(before).until(".ai-tasks/w-1.md")


def test_litter_is_not_reported(root: Path, start: Start) -> None:
    observer = start()
    store = root / ".ai-tasks"
    for name in ("4913", ".w-1.md.swp", ".w-1.md.swx", "w-1.md~", "#w-1.md#", ".DS_Store"):
        (store / name).write_text("x")
        (store / name).unlink()
        (store / name).write_text("x")
    (store / ".#w-1.md").symlink_to("nobody@host.1234:1")
    (store / "end.md").write_text("x")
    assert observer.until(".ai-tasks/end.md").paths == {".ai-tasks/end.md"}


def test_a_burst_is_one_report_or_few(root: Path, start: Start) -> None:
    observer = start()
    for i in range(200):
        (root / ".ai-tasks" / f"b-{i}.md").write_text("x")
    (root / ".ai-tasks" / "last.md").write_text("x")
    reports = 1
    while "last" not in str(observer.changes.get(timeout=PATIENCE).fingerprint.marks):
        reports += 1
    assert reports < 50


def test_pipes_loops_and_dangling_links_are_looked_at_and_not_opened(
    root: Path, start: Start
) -> None:
    store = root / ".ai-tasks"
    observer = start()
    os.mkfifo(store / "pipe.md")
    (store / "loop.md").symlink_to("loop.md")
    (store / "gone.md").symlink_to("nowhere.md")
    (store / "folder.md").mkdir()
    (store / "end.md").write_text("x")
    marks = observer.until(".ai-tasks/end.md").fingerprint.marks
    names = {f".ai-tasks/{n}.md" for n in ("pipe", "loop", "gone", "folder")}
    assert names <= marks.keys()


def test_a_change_of_what_a_link_points_to_is_reported(root: Path, start: Start) -> None:
    (root / "elsewhere.md").write_text("x")
    (root / ".ai-tasks" / "link.md").symlink_to("../elsewhere.md")
    observer = start()
    (root / "elsewhere.md").write_text("changed")
    observer.until(".ai-tasks/link.md")


def test_names_that_are_no_utf8_or_hold_line_ends_are_watched(root: Path, start: Start) -> None:
    observer = start()
    (root / ".ai-tasks" / "line\nend.md").write_text("x")
    observer.until(".ai-tasks/line\nend.md")
    Path(os.fsdecode(os.fsencode(root) + b"/.ai-tasks/caf\xe9.md")).write_text("x")
    observer.until(".ai-tasks/caf\udce9.md")


# how it says it watches


def test_events_are_live_and_their_absence_is_an_interval(root: Path, start: Start) -> None:
    assert start(events=True).state(lambda s: s.kind is Noticing.LIVE).words == "live"
    assert start(events=False).state(lambda s: True).words == "every 0.05 s"
    assert Watch(root).state.words == "every 0.5 s"


def test_without_watchfiles_it_polls_and_says_why(
    root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    observer = start(events=True)
    state = observer.state(lambda s: bool(s.reason))
    assert state.kind is Noticing.POLLING
    assert state.reason == "watchfiles is not installed"
    (root / ".ai-tasks" / "new.md").write_text("x")
    observer.until(".ai-tasks/new.md")


def test_a_failing_event_source_is_an_interval_with_its_words(
    root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: hints.Hints) -> None:
        raise OSError("inotify watch limit reached")

    monkeypatch.setattr(hints.Hints, "_listen", fail)
    state = start(events=True).state(lambda s: bool(s.reason))
    assert state.reason == "no file events: inotify watch limit reached"


def test_events_that_never_come_are_no_longer_relied_on(
    root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(self: hints.Hints) -> None:
        self.ready = True
        self.tell()
        self._stop.wait()

    monkeypatch.setattr(hints.Hints, "_listen", deaf)
    observer = start(events=True)
    observer.state(lambda s: s.kind is Noticing.LIVE)
    state = observer.watch.state
    for i in range(100):
        (root / ".ai-tasks" / "w-1.md").write_text("unheard\n" * (i + 2))
        observer.until(".ai-tasks/w-1.md")
        with suppress(Empty):
            state = observer.states.get(timeout=1)
            break
    assert state.kind is Noticing.POLLING
    assert state.reason == "this file system reports no events"


def test_a_store_that_cannot_be_looked_at_is_stale_until_it_can(
    root: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = fingerprint
    fails = threading.Event()

    def failing(root: Path) -> Fingerprint:
        if fails.is_set():
            raise PermissionError(13, "Permission denied")
        return look(root)

    monkeypatch.setattr(watch, "fingerprint", failing)
    observer = start()
    fails.set()
    state = observer.state(lambda s: s.kind is Noticing.STALE)
    assert state.words == f"! stale since {state.since}"
    assert len(state.since) == 5
    assert state.reason == "cannot be read (permission denied)"
    (root / ".ai-tasks" / "w-1.md").write_text("meanwhile\n")
    fails.clear()
    observer.state(lambda s: s.kind is not Noticing.STALE)
    observer.until(".ai-tasks/w-1.md")


def test_a_root_that_is_gone_is_stale(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    gone = tmp_path_factory.mktemp("x") / "repo"
    (gone / ".ai-tasks").mkdir(parents=True)
    observer = Observer(gone, events=False, since=fingerprint(gone))
    shutil.rmtree(gone)
    assert observer.state(lambda s: s.kind is Noticing.STALE).reason == "not there"
    (gone / ".ai-tasks").mkdir(parents=True)
    observer.state(lambda s: s.kind is Noticing.POLLING)
    observer.end()


def test_watching_ends_soon_after_it_is_told_to(root: Path, start: Start) -> None:
    start().end()


# fingerprints


def test_a_fingerprint_names_what_came_went_and_changed(root: Path) -> None:
    before = fingerprint(root)
    assert before == fingerprint(root)
    (root / ".ai-tasks" / "w-1.md").write_text("longer than before\n")
    (root / ".ai-tasks" / "new.md").write_text("x")
    (root / ".ai" / "map.md").unlink()
    assert before.changed(fingerprint(root)) == {
        ".ai-tasks/w-1.md",
        ".ai-tasks/new.md",
        ".ai/map.md",
    }


def test_an_absent_store_is_a_state_and_an_absent_root_a_failure(tmp_path: Path) -> None:
    assert fingerprint(tmp_path).marks == {}
    with pytest.raises(FileNotFoundError):
        fingerprint(tmp_path / "gone")


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
def test_a_store_one_may_not_enter_is_a_failure(root: Path) -> None:
    for folder in (root, *root.parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(0o755)
    (root / ".ai-tasks").chmod(0)
    code = (
        "import sys, pathlib; from mandrel_tui.workspace.fingerprint import fingerprint\n"
        "try: fingerprint(pathlib.Path(sys.argv[1]))\n"
        "except PermissionError: print('refused')"
    )
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    done = subprocess.run(
        [*user, sys.executable, "-B", "-c", code, str(root)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "refused\n", done.stderr


def test_litter_is_known_by_its_name() -> None:
    assert all(is_noise(n) for n in (".x.swp", "#x.md#", "x.md~", "4913", ".DS_Store"))
    assert not any(is_noise(n) for n in ("x.md", ".housekeeping-pending", "1.md", "X.MD"))
