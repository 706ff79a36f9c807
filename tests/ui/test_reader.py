"""Reader: what it tells of a repository, and that no failure ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.resources import bundled
from mandrel_tui.ui.reader import Reader, Told
from mandrel_tui.workspace.workspace import Workspace
from tests.builders import a_task


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    store = tmp_path / ".ai-tasks"
    store.mkdir()
    (store / "t.md").write_bytes(a_task(id="t"))
    return Workspace(tmp_path, bundled("contracts"))


def fail(*_: object) -> None:
    raise RuntimeError("can't start new thread")


def test_a_reading_tells_the_board_and_then_what_is_around_it(workspace: Workspace) -> None:
    told: list[Told] = []
    Reader(workspace, told.append).read()
    assert [bool(one.board) for one in told] == [True, False]
    assert told[1].tree is not None


def test_looking_around_that_fails_is_told_once_and_tried_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Told] = []
    reader = Reader(workspace, told.append)
    with monkeypatch.context() as broken:
        broken.setattr(Workspace, "tree", fail)
        reader.read()
        reader.read()
    reader.read()
    troubles = [one.trouble for one in told if one.trouble]
    assert troubles == ["looking around failed: can't start new thread"]
    assert sum(one.board is not None for one in told) == 3
    assert told[-1].tree is not None


def test_a_reader_that_was_stopped_asks_nothing_more(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(workspace, fail)
    reader.stop()
    monkeypatch.setattr(Workspace, "board", fail)
    monkeypatch.setattr(Workspace, "tree", fail)
    reader.read()
    reader.watch()
    reader.look_around()
