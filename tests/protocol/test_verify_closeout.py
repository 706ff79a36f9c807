"""What is verified after a closeout, against the golden cases and one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mandrel_tui.protocol.board import row_of
from mandrel_tui.protocol.index import read_index
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.tree import Dirty, Tree, TreeKind
from mandrel_tui.protocol.verify_closeout import CHECKS, Closed, audit_line, audit_lines, verify
from tests.builders import a_task

GOLDEN = Path(__file__).parents[1] / "golden"
CASES = json.loads((GOLDEN / "expected/closeout.json").read_text(encoding="utf-8"))
CLEAN = Tree(TreeKind.GIT, "main", "0" * 40)
DIRTY = replace(CLEAN, entries=(Dirty(" M", b".ai/design.md"),))
DONE = "2026-03-02-done"


def tasks(folder: Path) -> list:
    files = sorted(path for path in folder.glob("*.md") if path.name != "index.md")
    return [read_task(path.read_bytes(), path.stem, path.as_posix()) for path in files]


@pytest.mark.parametrize("case", CASES)
def test_every_golden_closeout_has_exactly_its_problems(case: str) -> None:
    expected = CASES[case]
    store = GOLDEN / "closeout" / case / ".ai-tasks"
    found = verify(
        Closed(
            task=expected["task"],
            active=tasks(store),
            archived=[row_of(task, archived=True) for task in tasks(store / "archive")],
            index=read_index((store / "index.md").read_bytes()),
            tree=DIRTY if expected["dirty"] else CLEAN,
            report=expected["audit_text"],
        )
    )
    assert [problem.code for problem in found] == expected["problems"]


def closed(
    *active: bytes, archived: tuple[tuple[str, str], ...] = ((DONE, DONE),), **facts
) -> Closed:
    rows = []
    for name, id in archived:
        task = read_task(a_task(id=id, status="completed"), name, f"archive/{name}.md")
        rows.append(row_of(task, archived=True))
    known = {"index": None, "tree": CLEAN, "report": audit_line((), ())} | facts
    names = [f"2026-03-05-task-{number}" for number in range(len(active))]
    read = [read_task(data, name, name) for data, name in zip(active, names, strict=True)]
    return Closed(task=DONE, active=read, archived=rows, **known)


def codes(found: Closed) -> list[str]:
    return [problem.code for problem in verify(found)]


def test_an_archive_copy_is_known_by_its_id_too() -> None:
    assert codes(closed(archived=(("2026-04-01-other-name", DONE),))) == []
    assert codes(closed(archived=(("other", "other"),))) == ["archive-copy-missing"]


def test_a_row_counts_by_its_cell_and_not_by_a_part_of_it() -> None:
    index = read_index(f"| {DONE}-2 | follows {DONE} | pending |\n".encode())
    assert codes(closed(index=index)) == []
    bullet = read_index(f"- {DONE}: a title (completed)\n".encode())
    assert codes(closed(index=bullet)) == ["index-row-present"]


def test_a_row_by_the_id_counts_where_the_file_has_another_name() -> None:
    found = closed(index=read_index(b"| the-id | t |\n"), archived=((DONE, "the-id"),))
    assert codes(found) == ["index-row-present"]


def test_an_external_text_is_never_a_stale_blocker() -> None:
    waiting = a_task(status="blocked", blockers=f"[external:{DONE}]")
    assert codes(closed(waiting)) == []


def test_what_git_cannot_say_is_not_clean_but_no_git_has_no_tree_to_clean() -> None:
    unknown = Tree(TreeKind.UNKNOWN, words="fatal: bad index")
    (problem,) = verify(closed(tree=unknown))
    assert (problem.code, problem.detail) == ("tree-not-clean", "fatal: bad index")
    assert codes(closed(tree=Tree(TreeKind.NONE))) == []


@pytest.mark.parametrize(
    "line",
    [
        "Remaining-task audit: checked 0 active task(s); updated none; unchanged none",
        "- REMAINING TASK AUDIT : none",
        "Done.\r\nremaining-task audit\t: x\r\n",
    ],
)
def test_the_audit_line_is_recognised_in_any_letter_case(line: str) -> None:
    assert codes(closed(report=line)) == []
    assert len(list(audit_lines(line))) == 1


@pytest.mark.parametrize("text", [None, "", "Remaining task audits: none", "remainingtask audit:"])
def test_another_wording_is_no_audit_line(text: str | None) -> None:
    assert codes(closed(report=text)) == ["audit-line-missing"]


def test_the_audit_line_names_both_lists() -> None:
    assert audit_line(["a", "b"], []) == (
        "Remaining-task audit: checked 2 active task(s); updated a, b; unchanged none"
    )


def test_many_findings_of_one_kind_are_one_problem_that_says_how_many_more() -> None:
    waiting = [a_task(status="blocked", blockers="[]") for _ in range(7)]
    (problem,) = verify(closed(*waiting))
    assert problem.code == "blocked-without-blockers"
    assert problem.detail.endswith("and 2 more")


def test_the_codes_stand_in_the_order_of_the_protocol() -> None:
    assert [code for code, _ in CHECKS] == [
        "task-not-archived",
        "archive-copy-missing",
        "index-row-present",
        "stale-blocker",
        "blocked-without-blockers",
        "audit-line-missing",
        "tree-not-clean",
    ]
