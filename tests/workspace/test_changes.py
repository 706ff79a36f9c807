"""Planned edits are made as they were shown or not at all, whoever else writes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from mandrel_tui.protocol.edit import Edit, TaskFile
from mandrel_tui.protocol.index import PATH, read_index
from mandrel_tui.protocol.index_edit import AddRow, DropRows, index_edit
from mandrel_tui.protocol.index_rows import Told
from mandrel_tui.protocol.intake import Draft, Store, plan_new
from mandrel_tui.protocol.triage import Planned, TriagePlan, block
from mandrel_tui.workspace import changes as changes_module
from mandrel_tui.workspace.changes import Applied, Changes
from mandrel_tui.workspace.state import State
from tests.builders import a_task
from tests.conftest import ROOT

NAME = "2026-03-02-a-task"
TABLE = "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
ROW = f"| {NAME} | A task | in_progress |\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".ai-tasks").mkdir()
    (tmp_path / PATH).write_text(TABLE + ROW, encoding="utf-8")
    (tmp_path / f".ai-tasks/{NAME}.md").write_bytes(a_task())
    return tmp_path


@pytest.fixture
def changes(root: Path) -> Changes:
    return Changes(root, State.of(root))


def blocked(root: Path, reason: str = "why?") -> TriagePlan:
    path = f".ai-tasks/{NAME}.md"
    file = TaskFile.read((root / path).read_bytes(), NAME, path)
    return block(file, reason, (root / PATH).read_bytes())


def new(root: Path, title: str) -> TriagePlan:
    return plan_new(Draft(title), "2026-03-02", Store((), index=(root / PATH).read_bytes()))


def latest(changes: Changes) -> Applied:
    found = changes.latest()
    assert found is not None
    return found


def content(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / ".ai-tasks").iterdir()}


def test_a_plan_is_written_file_by_file(root: Path, changes: Changes) -> None:
    plan = blocked(root)
    applied = changes.apply(plan)
    assert applied.words == f"wrote .ai-tasks/{NAME}.md, {PATH}"
    assert [(root / e.path).read_bytes() for e in applied.done] == [e.after for e in applied.done]
    assert applied.done == tuple(planned.edit for planned in plan.files)


def test_undoing_restores_every_byte_and_every_file(root: Path, changes: Changes) -> None:
    before = content(root)
    changes.apply(blocked(root))
    changes.apply(new(root, "Another"))
    plan = latest(changes).undo
    assert plan.what == "undo: new task 2026-03-02-another"
    assert "+++ /dev/null" in plan.diff
    assert changes.undo(latest(changes)).ok
    assert changes.undo(latest(changes)).ok
    assert content(root) == before
    assert changes.latest() is None


def test_an_undo_is_refused_whole_where_one_file_moved_on(root: Path, changes: Changes) -> None:
    changes.apply(blocked(root))
    shown, whole = latest(changes), content(root)
    with (root / PATH).open("ab") as file:
        file.write(b"| n-1 | new | pending |\n")
    before = content(root)
    undone = changes.undo(shown)
    assert undone.words == f"nothing was written: {PATH} changed since it was read"
    assert content(root) == before
    (root / PATH).write_bytes(whole["index.md"])
    assert latest(changes) == shown


def test_what_cannot_be_undone_any_more_is_passed_over(root: Path, changes: Changes) -> None:
    other = root / ".ai-tasks/notes.md"
    edits = [Edit(f".ai-tasks/{n}", None, n.encode()) for n in ("notes.md", "more.md")]
    for edit in edits:
        changes.apply(TriagePlan(f"write {edit.path}", (Planned(edit),)))
    (root / edits[1].path).write_bytes(b"went on")
    assert latest(changes).done == (edits[0],)
    other.unlink()
    assert changes.latest() is None


def test_a_closeout_that_was_taken_back_is_not_offered_again(root: Path, changes: Changes) -> None:
    changes.apply(blocked(root))
    changes.closed_out(NAME)
    assert latest(changes).what.startswith("block")


def test_a_stale_task_stops_the_whole_plan(root: Path, changes: Changes) -> None:
    plan = blocked(root)
    (root / f".ai-tasks/{NAME}.md").write_bytes(a_task(title="Changed"))
    before = content(root)
    applied = changes.apply(plan)
    assert not applied.ok
    assert applied.words == f"nothing was written: .ai-tasks/{NAME}.md changed since it was read"
    assert applied.left == (f".ai-tasks/{NAME}.md", PATH)
    assert content(root) == before
    assert changes.latest() is None


def test_a_task_that_was_created_meanwhile_is_not_replaced(root: Path, changes: Changes) -> None:
    plan = new(root, "Another")
    path = root / ".ai-tasks/2026-03-02-another.md"
    path.write_bytes(b"of somebody else")
    assert not changes.apply(plan).ok
    assert path.read_bytes() == b"of somebody else"
    assert (root / PATH).read_text(encoding="utf-8") == TABLE + ROW


def test_rows_that_others_added_meanwhile_stay(root: Path, changes: Changes) -> None:
    plan = new(root, "Another")
    with (root / PATH).open("ab") as file:
        file.write(b"| n-1 | new | pending |\n")
    applied = changes.apply(plan)
    assert applied.ok
    ids = [row.id for row in read_index((root / PATH).read_bytes()).rows]
    assert ids == [NAME, "n-1", "2026-03-02-another"]
    assert applied.done[1].before == (TABLE + ROW + "| n-1 | new | pending |\n").encode()


def test_a_row_that_somebody_added_already_is_not_added_again(root: Path, changes: Changes) -> None:
    plan = new(root, "Another")
    with (root / PATH).open("ab") as file:
        file.write(b"| 2026-03-02-another | by an agent | pending |\n")
    applied = changes.apply(plan)
    assert applied.words == "wrote .ai-tasks/2026-03-02-another.md"
    assert (root / PATH).read_bytes().count(b"2026-03-02-another") == 1


def test_a_change_that_became_another_one_is_not_made(root: Path, changes: Changes) -> None:
    plan = blocked(root)
    other = ROW.replace("in_progress", "final_review")
    (root / PATH).write_text(TABLE + other, encoding="utf-8")
    applied = changes.apply(plan)
    assert applied.words == (
        f"wrote .ai-tasks/{NAME}.md, but {PATH} changed, and the change would be another one now;"
        f" {PATH} unchanged"
    )
    assert (root / PATH).read_text(encoding="utf-8") == TABLE + other
    assert changes.undo(latest(changes)).words == f"wrote .ai-tasks/{NAME}.md"


def test_an_index_that_broke_meanwhile_is_left(root: Path, changes: Changes) -> None:
    plan = new(root, "Another")
    (root / PATH).write_bytes(b"<<<<<<< HEAD\n" + TABLE.encode())
    applied = changes.apply(plan)
    assert [edit.path for edit in applied.done] == [".ai-tasks/2026-03-02-another.md"]
    assert "damaged" in applied.words


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_what_may_not_be_written_is_said(root: Path, changes: Changes) -> None:
    plan = blocked(root)
    (root / PATH).chmod(0o444)
    assert "permission denied" in changes.apply(plan).words


def test_a_failure_half_way_says_exactly_what_was_written(
    root: Path, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = changes_module.files.write_atomic

    def failing(target: Path, new: bytes, expected: bytes | None) -> None:
        if target.name == "index.md":
            raise changes_module.files.NotWritten(f"{PATH} cannot be written: no space left")
        real(target, new, expected)

    monkeypatch.setattr(changes_module.files, "write_atomic", failing)
    applied = changes.apply(blocked(root))
    assert applied.words == (
        f"wrote .ai-tasks/{NAME}.md, but {PATH} cannot be written: no space left; {PATH} unchanged"
    )
    assert applied.left == (PATH,)


def test_a_held_lock_stops_the_plan_before_anything_is_written(
    root: Path, changes: Changes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = State.locked
    monkeypatch.setattr(State, "locked", lambda self: real(self, seconds=0.05))
    before = content(root)
    plan = blocked(root)
    with real(State.of(root)):
        applied = changes.apply(plan)
    assert "another process holds" in applied.words
    assert content(root) == before


def test_without_a_state_folder_the_change_is_made_and_the_missing_lock_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "file").write_bytes(b"")
    monkeypatch.setenv("MANDREL_TUI_STATE", str(root / "file" / "state"))
    applied = Changes(root, State.of(root)).apply(blocked(root))
    assert applied.ok
    assert "nothing is kept" in applied.note


APPENDS = """
import sys, time
for number in range(200):
    with open(sys.argv[1], "ab") as file:
        file.write(b"| n-%d | new %d | pending |\\n" % (number, number))
    time.sleep(0.002)
"""
INSTANCE = """
import sys
from pathlib import Path
from mandrel_tui.protocol.intake import Draft, Store, plan_new
from mandrel_tui.workspace.changes import Changes
from mandrel_tui.workspace.state import State
root = Path(sys.argv[1])
changes = Changes(root, State.of(root))
for number in range(10):
    index = (root / ".ai-tasks/index.md").read_bytes()
    plan = plan_new(Draft(f"{sys.argv[2]} {number}"), "2026-03-02", Store((), index=index))
    applied = changes.apply(plan)
    assert applied.ok, applied.words
"""


def test_two_instances_and_an_agent_lose_no_row(root: Path) -> None:
    python = [sys.executable, "-c"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    children = [
        subprocess.Popen([*python, APPENDS, str(root / PATH)], env=environ),
        subprocess.Popen([*python, INSTANCE, str(root), "one"], env=environ),
        subprocess.Popen([*python, INSTANCE, str(root), "two"], env=environ),
    ]
    assert [child.wait(120) for child in children] == [0, 0, 0]
    ids = [row.id for row in read_index((root / PATH).read_bytes()).rows]
    assert sorted(i for i in ids if i.startswith("n-")) == sorted(f"n-{n}" for n in range(200))
    made = {f"2026-03-02-{who}-{n}" for who in ("one", "two") for n in range(10)}
    assert sorted(i for i in ids if i in made) == sorted(made)
    assert len(ids) == 221


def test_a_row_goes_while_another_session_adds_two_hundred(root: Path, changes: Changes) -> None:
    """conc-01-two-writers, its index part."""
    path = root / PATH
    rows = "".join(f"| t-{n} | Task {n} | pending |\n" for n in range(1, 21))
    path.write_text(f"{TABLE}| done-1 | Close me | completed |\n{rows}", encoding="utf-8")

    def append() -> None:
        for number in range(200):
            with path.open("ab") as file:
                file.write(b"| n-%d | new %d | pending |\n" % (number, number))
            time.sleep(0.001)

    agent = threading.Thread(target=append)
    agent.start()
    time.sleep(0.05)
    step = DropRows(("done-1",))
    plan = TriagePlan("close", (Planned(index_edit(step, path.read_bytes()), step),))
    assert changes.apply(plan).ok
    agent.join()
    ids = [row.id for row in read_index(path.read_bytes()).rows]
    assert sum(i.startswith("n-") for i in ids) == 200
    assert sum(i.startswith("t-") for i in ids) == 20
    assert "done-1" not in ids


def test_an_edit_that_changes_nothing_writes_nothing(root: Path, changes: Changes) -> None:
    stamp = (root / PATH).stat()
    data = (root / PATH).read_bytes()
    step = AddRow(Told((NAME,), "T", "pending", "0/1"))
    plan = TriagePlan("x", (Planned(Edit(PATH, data, step.on(data)), step),))
    assert changes.apply(plan).words == "nothing was left to write"
    assert (root / PATH).stat() == stamp


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who writes")
def test_a_task_that_an_agent_is_half_way_through_writing_is_left_to_it(
    root: Path, changes: Changes
) -> None:
    """conc-03-half-written-file, its writing part."""
    path = root / f".ai-tasks/{NAME}.md"
    whole = path.read_bytes()
    with path.open("wb", buffering=0) as agent:
        agent.write(whole[:150])
        applied = changes.apply(blocked(root))
        agent.write(whole[150:])
    assert "is being written by another program" in applied.words
    assert applied.done == ()
    assert path.read_bytes() == whole
