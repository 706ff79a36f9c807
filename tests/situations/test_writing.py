"""The cases of writing: what is written is what was meant, and nothing else in the file moves."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mandrel_tui.protocol.index import PATH, read_index
from mandrel_tui.protocol.index_edit import DropRows, index_edit
from mandrel_tui.protocol.triage import Planned, TriagePlan
from mandrel_tui.workspace import triage
from mandrel_tui.workspace.changes import Changes
from mandrel_tui.workspace.workspace import Workspace
from tests.situations.case import Case, build, drift


def workspace(case: Case) -> Workspace:
    return Workspace(case.repo, case.root / "no-bundle")


def without(case: Case, name: str) -> TriagePlan:
    """The plan that takes a task's rows out of the index as it is now."""
    step = DropRows((name,))
    data = (case.repo / PATH).read_bytes()
    return TriagePlan(f"row of {name}", (Planned(index_edit(step, data), step),))


def undo(changes: Changes) -> None:
    latest = changes.latest()
    assert latest is not None
    assert changes.undo(latest).ok


@pytest.mark.parametrize("run", range(3))
def test_conc_01_two_writers(tmp_path: Path, run: int) -> None:
    case = build("conc-01-two-writers", tmp_path / "situation")
    plan = without(case, "done-1")
    with subprocess.Popen(["bash", case.root / "act.sh"], env=case.env) as agent:
        index = case.repo / PATH
        while b"| n-10 " not in index.read_bytes():
            assert agent.poll() is None
        applied = workspace(case).changes.apply(plan)
    assert agent.returncode == 0
    assert applied.ok, applied.words
    assert case.passes
    assert len(read_index(index.read_bytes()).rows) == 220


def test_sem_03_index_drift(case: Case) -> None:
    before = (case.repo / PATH).read_bytes()
    changes: Changes = workspace(case).changes
    assert changes.apply(without(case, "done-1")).ok
    row = b"| done-1 | Close me | completed |\n"
    assert (case.repo / PATH).read_bytes() == before.replace(row, b"")
    assert case.passes
    undo(changes)
    whats = [plan.what for plan in triage.index_repairs(workspace(case))]
    assert whats == [
        "remove the second row of other-1",
        "remove the row of ghost-1, which has no file",
        "remove the row of old-1, which is archived",
        "add a row for lost-1",
    ]
    while found := triage.index_repairs(workspace(case)):
        assert changes.apply(found[0]).ok
    assert set(map(tuple, drift(case.board()).values())) == {()}
    for _ in whats:
        undo(changes)
    assert (case.repo / PATH).read_bytes() == before


def test_sem_03_index_drift_in_its_variants(tmp_path: Path) -> None:
    case = build("sem-03-index-drift", tmp_path / "situation")
    index = case.repo / PATH
    for variant in ("none", "empty"):
        data = (case.root / "variants" / f"{variant}.md").read_bytes()
        index.write_bytes(data)
        assert workspace(case).changes.apply(without(case, "done-1")).words == (
            "nothing was left to write"
        )
        assert index.read_bytes() == data
    index.write_bytes((case.root / "variants/list.md").read_bytes())
    assert workspace(case).changes.apply(without(case, "done-1")).ok
    assert index.read_bytes() == b"# Active tasks\n\n- other-1: Other\n"
    index.unlink()
    ran = case.run("block", "other-1", "--reason", "which one?", "--yes")
    assert (ran.code, index.exists()) == (0, False)
