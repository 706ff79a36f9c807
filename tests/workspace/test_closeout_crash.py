"""A closeout whose process dies at any write, rename or git command: finished or rolled back, no
byte is lost and no half state stays."""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.resources import bundled
from mandrel_tui.workspace import apply, closeout, git_commit
from mandrel_tui.workspace.closed import verified
from mandrel_tui.workspace.proposals import from_diff
from mandrel_tui.workspace.steps import Stage
from mandrel_tui.workspace.workspace import Workspace
from tests.closable import DIFF, DONE, a_repository, contents
from tests.conftest import git

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork"),
    pytest.mark.timeout(900),
]

KILLED, FAILED = 77, 1
ADDED = (
    b"diff --git a/.ai/new/x.md b/.ai/new/x.md\nnew file mode 100644\n--- /dev/null\n"
    b"+++ b/.ai/new/x.md\n@@ -0,0 +1 @@\n+# X\n"
    b"diff --git a/.ai/map.md b/.ai/map.md\ndeleted file mode 100644\n"
    b"--- a/.ai/map.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-# Map\n"
)
MUTATIONS = ("open", "write", "replace", "rename", "link", "unlink", "mkdir", "rmdir")
GIT_COMMANDS = ("add", "commit", "reset")


class Deadly:
    """Counts what the process changes, and ends it at the change number `at`: a write half done, a
    git command just after it ended, everything else just before."""

    def __init__(self, at: int) -> None:
        self.left = at

    def install(self) -> None:
        for name in MUTATIONS:
            setattr(os, name, self.wrapped(name, getattr(os, name)))
        run = git_commit.run

        def git_run(argv: list[str], **options: object) -> object:
            ended = run(argv, **options)  # type: ignore[arg-type]
            if any(command in argv for command in GIT_COMMANDS):
                self.count()
            return ended

        git_commit.run = git_run  # type: ignore[assignment]

    def wrapped(self, name: str, real: Callable[..., object]) -> Callable[..., object]:
        def act(*given: object, **options: object) -> object:
            if name == "open" and not (len(given) > 1 and int(given[1]) & os.O_CREAT):  # type: ignore[call-overload]
                return real(*given, **options)
            if name == "write" and self.left == 1:
                real(given[0], bytes(given[1])[: len(given[1]) // 2])  # type: ignore[arg-type,call-overload]
            self.count()
            return real(*given, **options)

        return act

    def count(self) -> None:
        self.left -= 1
        if self.left == 0:
            os._exit(KILLED)


def in_a_process(act: Callable[[], object], at: int) -> bool:
    """Runs something in a process that dies at its change number `at`; whether it got that far."""
    child = os.fork()
    if child == 0:
        code = FAILED
        try:
            Deadly(at).install()
            act()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, KILLED), code
    return code == KILLED


class Scene:
    """One repository and its state, put back to any moment that was saved."""

    def __init__(self, folder: Path, tracked: bool) -> None:
        self.folder, self.saved = folder, folder.with_name(f"{folder.name}-saved")
        self.top = a_repository(folder / "repository", tracked=tracked)
        shutil.rmtree(self.top / ".git/hooks")
        self.start = contents(self.top)
        self.save("start")

    def save(self, name: str) -> None:
        shutil.rmtree(self.saved / name, ignore_errors=True)
        shutil.copytree(self.folder, self.saved / name, symlinks=True)

    def restore(self, name: str) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.saved / name, self.folder, symlinks=True)

    @property
    def workspace(self) -> Workspace:
        noon = datetime(2026, 3, 9, 12, tzinfo=UTC)
        return Workspace(self.top, bundled("contracts"), clock=lambda: noon)

    def close(self) -> None:
        workspace = self.workspace
        proposal = from_diff(self.top, DIFF + ADDED)
        reviews = closeout.reviews_of(proposal, True)
        closeout.carry_out(workspace, closeout.prepare(workspace, DONE, proposal, reviews))

    def undo(self) -> None:
        closeout.undo(self.workspace, closeout.undo_of(self.workspace, DONE))

    def finish(self) -> None:
        for begun in closeout.open_closeouts(self.workspace).journals:
            closeout.finish(self.workspace, begun)

    def roll_back(self) -> None:
        for begun in closeout.open_closeouts(self.workspace).journals:
            closeout.roll_back(self.workspace, begun)

    @property
    def commits(self) -> int:
        return int(git(self.top, "rev-list", "--count", "HEAD"))


@pytest.fixture(params=[False, True], ids=["ignored store", "tracked store"])
def scene(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    found = Scene(tmp_path / "scene", request.param)
    monkeypatch.setenv("MANDREL_TUI_STATE", str(found.folder / "state"))
    return found


def closed(scene: Scene, end: dict[str, bytes]) -> None:
    """Everything is as an undisturbed closeout leaves it."""
    assert contents(scene.top) == end
    assert git(scene.top, "status", "--porcelain") == ""
    assert scene.commits == 2
    assert closeout.open_closeouts(scene.workspace).journals == ()
    assert all(row.passed for row in verified(scene.workspace, DONE))


def as_before(scene: Scene) -> None:
    """Everything is as it was before, by a revert commit where there was one to revert."""
    assert contents(scene.top) == scene.start
    assert git(scene.top, "status", "--porcelain") == ""
    assert scene.commits in (1, 3)
    assert closeout.open_closeouts(scene.workspace).journals == ()


def the_end(scene: Scene) -> dict[str, bytes]:
    """What an undisturbed closeout leaves; the scene begins anew, the bytes a journal needs being
    kept already, so that what follows dies in what the closeout does."""
    scene.close()
    end = contents(scene.top)
    kept = {path: path.read_bytes() for path in (scene.folder / "state").rglob("blobs/*/*")}
    scene.restore("start")
    for path, data in kept.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    scene.workspace.archived_rows()
    scene.save("start")
    return end


def test_death_at_every_change_is_recovered_both_ways(scene: Scene) -> None:
    end = the_end(scene)
    at = begun = 0
    while True:
        at += 1
        scene.restore("start")
        if not in_a_process(scene.close, at):
            break
        if not closeout.open_closeouts(scene.workspace).journals:
            # Nothing was written down yet, so nothing was done; or all of it was.
            assert contents(scene.top) in (scene.start, end)
            continue
        begun += 1
        scene.save("dead")
        scene.finish()
        closed(scene, end)
        scene.restore("dead")
        scene.roll_back()
        as_before(scene)
    closed(scene, end)
    assert begun > 30


def test_death_before_the_journal_is_whole_changes_nothing(scene: Scene) -> None:
    for at in range(1, 100, 9):
        scene.restore("start")
        assert in_a_process(scene.close, at)
        if not closeout.open_closeouts(scene.workspace).journals:
            assert contents(scene.top) == scene.start


def test_death_while_undoing_is_recovered_both_ways(scene: Scene) -> None:
    scene.close()
    end = contents(scene.top)
    scene.save("start")
    begun = 0
    for at in range(1, 400, 2):
        scene.restore("start")
        if not in_a_process(scene.undo, at):
            break
        if not closeout.open_closeouts(scene.workspace).journals:
            assert contents(scene.top) in (scene.start, end)
            continue
        begun += 1
        scene.save("dead")
        scene.finish()
        as_before(scene)
        scene.restore("dead")
        scene.roll_back()
        assert contents(scene.top) == end
        assert git(scene.top, "status", "--porcelain") == ""
        closeout.undo_of(scene.workspace, DONE)
    as_before(scene)
    assert begun > 3


@pytest.mark.parametrize("first", ["finish", "roll_back"])
def test_death_while_recovering_is_recovered_both_ways(scene: Scene, first: str) -> None:
    end = the_end(scene)
    assert any(half_done(scene, at) for at in range(20, 200))
    again = 0
    while True:
        again += 1
        scene.restore("dead")
        if not in_a_process(getattr(scene, first), again):
            break
        scene.save("dead twice")
        scene.finish()
        closed_or_before(scene, end)
        scene.restore("dead twice")
        scene.roll_back()
        closed_or_before(scene, end)
    assert again > 3


def half_done(scene: Scene, at: int) -> bool:
    """Whether dying at that change leaves half of the steps done; the scene stays so."""
    scene.restore("start")
    if not in_a_process(scene.close, at):
        return False
    scene.save("dead")
    journals = closeout.open_closeouts(scene.workspace).journals
    steps = [step for begun in journals for step in apply.outlook(scene.top, begun)]
    done = sum(step.stage is Stage.DONE for step in steps)
    return 2 * done > len(steps)


def closed_or_before(scene: Scene, end: dict[str, bytes]) -> None:
    """One of the two whole states, whichever the last word was."""
    assert contents(scene.top) in (end, scene.start)
    assert git(scene.top, "status", "--porcelain") == ""
    assert closeout.open_closeouts(scene.workspace).journals == ()


def test_while_git_still_works_nothing_is_recovered(scene: Scene) -> None:
    assert any(half_done(scene, at) for at in range(20, 200, 5))
    dead, lock = contents(scene.top), scene.top / ".git/index.lock"
    lock.write_bytes(b"")
    for recover in (scene.finish, scene.roll_back):
        with pytest.raises(apply.Stopped, match="is held by another git"):
            recover()
        assert contents(scene.top) == dead
    lock.unlink()
    scene.roll_back()
    as_before(scene)


def test_a_closeout_without_journal_folder_does_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("MANDREL_TUI_STATE", str(tmp_path / "file"))
    with pytest.raises(Refusal, match="journal-ready"):
        scene.close()
    as_before(scene)
