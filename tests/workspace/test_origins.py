"""Where a line of memory came from: the closeout that is remembered, else the commit git names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol import admission
from mandrel_tui.protocol.admission import Answer, Sheet
from mandrel_tui.protocol.candidates import Fact, Source
from mandrel_tui.workspace import closeout
from mandrel_tui.workspace.origins import origin
from mandrel_tui.workspace.proposals import from_diff
from mandrel_tui.workspace.workspace import Workspace
from tests.closable import DESIGN, DIFF, DONE, a_repository, a_workspace
from tests.conftest import RunCli, git

SOURCE = Source(2, "2026-03-02", "rev-1", "Findings")
PATH, LINE = ".ai/design.md", 9


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return a_workspace(a_repository(tmp_path / "repository"))


def a_sheet() -> list[object]:
    sheet = Sheet.of([Fact("The admitted fact", 31, 31, source=SOURCE), Fact("kept out", 32, 32)])
    for test in range(3):
        sheet = sheet.answer(0, test, Answer.PASS)
    return admission.record(sheet.answer(1, 0, Answer.FAIL))  # type: ignore[return-value]


def closed(workspace: Workspace) -> str:
    proposal = from_diff(workspace.root, DIFF)
    found = closeout.prepare(workspace, DONE, proposal, closeout.reviews_of(proposal, True))
    kept = {"sheet": a_sheet()}
    return closeout.carry_out(workspace, found, remembered=kept).ended.commit or ""  # type: ignore[arg-type]


def test_a_line_is_led_back_to_its_task_and_to_the_fact_behind_it(workspace: Workspace) -> None:
    commit = closed(workspace)
    found = origin(workspace, PATH, LINE)
    assert (found.text, found.task, found.commit) == ("- admitted fact", DONE, commit)
    (item,) = found.items
    assert (item.text, item.line, item.answers) == ("The admitted fact", 31, (Answer.PASS,) * 3)
    source = item.facts[0].source
    assert source is not None
    assert (source.entry, source.sid, source.field) == (2, "rev-1", "Findings")


def test_a_line_that_moved_to_another_document_is_still_known(workspace: Workspace) -> None:
    closed(workspace)
    (workspace.root / ".ai/moved.md").write_bytes(b"# Moved\n\n  - admitted fact\n")
    assert origin(workspace, ".ai/moved.md", 3).task == DONE


def test_a_closeout_that_was_taken_back_brought_nothing(workspace: Workspace) -> None:
    closed(workspace)
    closeout.undo(workspace, closeout.undo_of(workspace, DONE))
    (workspace.root / PATH).write_bytes(DESIGN + b"- admitted fact\n")
    assert (origin(workspace, PATH, LINE).task, origin(workspace, PATH, LINE).commit) == ("", "")


def test_where_nothing_is_remembered_the_commit_names_the_task(workspace: Workspace) -> None:
    root = workspace.root
    (root / PATH).write_bytes(DESIGN + b"- admitted fact\n")
    git(root, "commit", "--quiet", "--all", "--message", "chore(.ai): absorb done findings")
    (root / f".ai-tasks/{DONE}.md").rename(root / f".ai-tasks/archive/{DONE}.md")
    found = origin(workspace, PATH, LINE)
    assert (found.task, found.subject) == (DONE, "chore(.ai): absorb done findings")
    assert found.at.endswith("Z") and found.items == ()
    assert origin(workspace, PATH, 8).task == ""


def test_why_says_it_on_the_command_line(workspace: Workspace, run_cli: RunCli) -> None:
    closed(workspace)
    ran = run_cli("-C", workspace.root, "why", f"design.md:{LINE}")
    assert ran.code == 0
    rows = [line.split(maxsplit=1) for line in ran.text.splitlines()]
    assert ["line", "- admitted fact"] in rows and ["task", DONE] in rows
    assert ["from", "line 31 of its log, entry 2, rev-1, Findings"] in rows
    assert ["tests", "derivation cost pass, stability pass, leverage pass"] in rows
    unknown = run_cli("-C", workspace.root, "why", "map.md:1")
    assert (unknown.code, "which task" in unknown.said) == (0, True)
    endless = f"design.md:{'9' * 5000}"
    for wrong in ("design.md", "design.md:0", "design.md:99", "absent.md:1", endless):
        ran = run_cli("-C", workspace.root, "why", wrong)
        assert (ran.code, "unexpected" in ran.said) == (2, False)
