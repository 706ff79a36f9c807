"""What a closeout must leave behind: the golden results, and each requirement by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mandrel_tui.protocol.index import Index, IndexRow, read_index
from mandrel_tui.protocol.postchecks import Evidence
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.verify_closeout import CODES, Remains, audit_line, verify
from tests.builders import a_task
from tests.contract_sets import GOLDEN

CASES = json.loads((GOLDEN / "expected/closeout.json").read_bytes())
REPORT = "Closed.\nRemaining-task audit: checked 0 active task(s); updated none; unchanged none\n"
DONE = "2026-03-02-done"
FINISHED = Remains(
    task=DONE,
    names=frozenset({DONE}),
    active=(),
    copies=frozenset({DONE}),
    archived=frozenset({DONE}),
    index=Index(()),
    report=REPORT,
    evidence=Evidence(""),
)


def a_read_task(name: str, **front: str | None) -> Task:
    return read_task(a_task(id=name, **front), name, f".ai-tasks/{name}.md")  # type: ignore[arg-type]


def tasks_in(folder: Path) -> tuple[Task, ...]:
    files = (path for path in sorted(folder.glob("*.md")) if path.name != "index.md")
    return tuple(read_task(path.read_bytes(), path.stem, str(path)) for path in files)


def missing(remains: Remains) -> list[str]:
    return [result.id for result in verify(remains) if not result.passed]


@pytest.mark.parametrize("case", CASES)
def test_a_golden_closeout_is_verified_as_expected(case: str) -> None:
    given = CASES[case]
    store = GOLDEN / "closeout" / case / ".ai-tasks"
    archived = tasks_in(store / "archive")
    remains = Remains(
        task=given["task"],
        names=frozenset({given["task"]}),
        active=tasks_in(store),
        copies=frozenset(task.name for task in archived),
        archived=frozenset(name for task in archived for name in (task.name, task.id)),
        index=read_index((store / "index.md").read_bytes()),
        report=given["audit_text"],
        evidence=Evidence(" M a.py\n" if given["dirty"] else ""),
    )
    assert missing(remains) == given["problems"]


def test_all_golden_closeouts_are_looked_at() -> None:
    assert {folder.name for folder in (GOLDEN / "closeout").iterdir()} == set(CASES)
    assert len(CASES) == 10


def test_every_requirement_is_reported_in_one_order_with_one_line_of_detail() -> None:
    results = verify(FINISHED)
    assert [result.id for result in results] == [code for code, _, _ in CODES]
    assert all(result.passed for result in results)
    assert all(result.detail and "\n" not in result.detail for result in results)


def test_several_tasks_that_wait_for_archived_ones_are_one_problem_that_names_them_all() -> None:
    waiting = (a_read_task("a", blockers=f"[{DONE}]"), a_read_task("b", blockers=f"[x, {DONE}]"))
    results = {r.id: r for r in verify(replace(FINISHED, active=waiting))}
    assert results["stale-blocker"].detail == f"a waits for {DONE}; b waits for {DONE}"


def test_an_index_row_under_the_tasks_other_name_is_found() -> None:
    index = Index((IndexRow(7, "done-id", None),))
    assert not missing(replace(FINISHED, index=index))
    both = replace(FINISHED, index=index, names=frozenset({DONE, "done-id"}))
    assert missing(both) == ["index-row-present"]
    assert "line 7" in verify(both)[2].detail


def test_an_archive_copy_under_the_id_counts() -> None:
    other = frozenset({"2026-03-09-done", DONE})
    assert not missing(replace(FINISHED, copies=other))
    assert missing(replace(FINISHED, copies=frozenset({f"{DONE}-2"}))) == ["archive-copy-missing"]


def test_a_row_counts_by_its_cell_and_not_by_a_part_of_it() -> None:
    index = read_index(f"| {DONE}-2 | follows {DONE} | pending |\n".encode())
    assert not missing(replace(FINISHED, index=index))
    bullet = read_index(f"- {DONE}: a title (completed)\n".encode())
    assert missing(replace(FINISHED, index=bullet)) == ["index-row-present"]


def test_without_an_index_no_row_can_be_left() -> None:
    assert not missing(replace(FINISHED, index=None))


def test_what_git_cannot_say_is_not_clean_and_its_words_are_told() -> None:
    unknown = replace(FINISHED, evidence=Evidence(None, words="fatal: bad index"))
    assert missing(unknown) == ["tree-not-clean"]
    assert "fatal: bad index" in verify(unknown)[-1].detail


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Remaining-task audit: checked 1", True),
        ("REMAINING TASK AUDIT  : checked 1", True),
        ("- remaining-task audit: checked 1\r", True),
        ("remaining tasks audit: 1", False),
        ("remaining-task audit checked 1", False),
        ("remaining-task\naudit: 1", False),
    ],
)
def test_the_audit_line_is_recognised_in_any_letter_case(text: str, found: bool) -> None:
    assert (audit_line(f"Done.\n{text}\nBye.") is not None) is found
