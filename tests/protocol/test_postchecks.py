"""Post-checks: the golden results, each check by itself, facts and cautions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mandrel_tui.protocol.cautions import warnings
from mandrel_tui.protocol.facts import Facts, before, inferred, resumed
from mandrel_tui.protocol.postchecks import (
    CheckResult,
    Evidence,
    applicable,
    preview,
    run_checks,
)
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work
from tests.contract_sets import GOLDEN, golden_set

CASES = json.loads((GOLDEN / "expected/checks.json").read_bytes())
REQUIREMENTS = golden_set().requirements()
CLEAN = Evidence("")


def a_read_task(*entries: str, **front: str | None) -> Task:
    return read_task(a_task(*entries, **front), "a-task", "a-task.md")  # type: ignore[arg-type]


def run(task: Task, facts: Facts, evidence: Evidence = CLEAN) -> dict[str, CheckResult]:
    return {result.id: result for result in run_checks(task, facts, evidence, REQUIREMENTS)}


@pytest.mark.parametrize("case", CASES)
def test_a_golden_session_is_checked_as_expected(case: str) -> None:
    given = CASES[case]
    est = given["est_before"]
    facts = Facts(
        given["role"],
        given["sid"],
        given["status_before"],
        None if est is None else tuple(est),
        given["remediation"],
    )
    task = read_task((GOLDEN / f"checks/{case}.md").read_bytes(), case, f"{case}.md")
    evidence = Evidence(" M a.py\n" if given["dirty"] else "")
    results = run_checks(task, facts, evidence, REQUIREMENTS)
    assert [result.id for result in results] == given["runs"]
    assert [result.id for result in results if not result.passed] == given["fails"]
    assert all(result.detail and "\n" not in result.detail for result in results)


def test_all_golden_sessions_are_looked_at() -> None:
    assert {file.stem for file in (GOLDEN / "checks").iterdir()} == set(CASES)
    assert len(CASES) == 22


def test_a_session_is_told_exactly_what_it_is_checked_for() -> None:
    task = a_read_task(work(), review(verdict="changes-requested"), work("s-2"))
    for role in ("dev", "review"):
        facts = before(task, role, "s-2")
        told = [line.decode() for line in preview(facts, REQUIREMENTS)]
        assert told == [result.requirement for result in run(task, facts).values()]


def test_without_a_sid_the_claim_is_told_but_cannot_be_checked() -> None:
    facts = Facts("dev", None, "pending")
    assert b"claimed by <this session's id>" in preview(facts, REQUIREMENTS)
    results = run(a_read_task(), facts)
    assert "claim-sid" not in results
    assert not results["session-log-entry"].passed


def test_a_tree_of_which_git_says_nothing_is_not_clean() -> None:
    evidence = Evidence(None, words="fatal: index file corrupt")
    result = run(a_read_task(work()), Facts("dev", "dev-1", "pending"), evidence)["tree-clean"]
    assert not result.passed
    assert "index file corrupt" in result.detail


def test_without_git_the_tree_is_not_applicable() -> None:
    evidence = Evidence(None, applicable=False)
    result = run(a_read_task(work()), Facts("dev", "dev-1", "pending"), evidence)["tree-clean"]
    assert result.passed and "not applicable" in result.detail


def test_a_long_list_of_changes_is_cut_on_one_line() -> None:
    status = "".join(f" M file-{n}.py\n" for n in range(8))
    facts = Facts("dev", "dev-1", "pending")
    result = run(a_read_task(work()), facts, Evidence(status))["tree-clean"]
    assert "M file-4.py" in result.detail and "file-5.py" not in result.detail
    assert result.detail.endswith("and 3 more")


def test_the_claim_is_compared_up_to_its_last_at_sign() -> None:
    facts = Facts("dev", "me@work", "pending")
    claimed = a_read_task(work("me@work"), claimed_by="me@work@2026-03-02T09:00:00Z")
    assert run(claimed, facts)["claim-sid"].passed
    other = a_read_task(work("me@work"), claimed_by="me@2026-03-02T09:00:00Z")
    assert not run(other, facts)["claim-sid"].passed
    nobody = a_read_task(work("me@work"), claimed_by=None)
    assert "nobody" in run(nobody, facts)["claim-sid"].detail


@pytest.mark.parametrize(
    ("status", "after", "passed"),
    [
        ("in_progress", "in_progress", True),
        ("final_review", "final_review", True),
        ("in_progress", "blocked", True),
        ("final_review", "in_progress", False),
        ("in_progress", "final_review", False),
        ("pending", "in_progress", True),
    ],
)
def test_remediation_leaves_the_status_as_it_was(status: str, after: str, passed: bool) -> None:
    facts = Facts("dev", "s", status, remediation=True)
    result = run(a_read_task(work("s"), status=after), facts)["dev-remediation-status"]
    assert result.passed is passed
    assert f"{status} → {after}" in result.detail


def test_a_status_that_cannot_be_read_fails_its_check() -> None:
    facts = Facts("dev", "s", "pending")
    assert not run(a_read_task(work("s"), status="done"), facts)["dev-advancement-status"].passed


@pytest.mark.parametrize(("value", "passed"), [(None, True), ("open", True), ("half", False)])
def test_remediation_may_leave_its_fix_set_open(value: str | None, passed: bool) -> None:
    facts = Facts("dev", "s", "in_progress", remediation=True)
    assert run(a_read_task(work("s"), fix_set=value), facts)["fix-set-value"].passed is passed


def test_an_empty_fix_set_is_not_absent() -> None:
    task = a_read_task(work("s"), fix_set="")
    assert not run(task, Facts("dev", "s", "in_progress"))["fix-set-closed"].passed
    fixing = Facts("dev", "s", "in_progress", remediation=True)
    assert not run(task, fixing)["fix-set-value"].passed


@pytest.mark.parametrize(
    ("est", "passed"), [("2/3", True), ("3/5", True), ("1/3", False), ("0/3", False), ("?", False)]
)
def test_a_dev_session_raises_the_done_count(est: str, passed: bool) -> None:
    facts = Facts("dev", "s", "in_progress", (1, 3))
    result = run(a_read_task(work("s"), est=est), facts)["dev-est-increment"]
    assert result.passed is passed
    assert "was 1/3" in result.detail
    assert ("expected 2/3" in result.detail) is not passed


def test_an_estimate_that_was_unknown_is_not_checked() -> None:
    assert "dev-est-increment" not in {check.id for check in applicable(Facts("dev", "s", "x"))}


def test_only_this_sessions_latest_review_entry_owes_its_fields() -> None:
    entries = (work(), review(sid="mine", verdict=None), review(sid="theirs"))
    facts = Facts("review", "mine", "in_progress")
    other = run(a_read_task(*entries), facts)["review-entry-fields"]
    assert other.passed
    assert other.detail == "not applicable: the latest review entry is of theirs"
    result = run(a_read_task(*entries[:2]), facts)["review-entry-fields"]
    assert not result.passed and "Verdict" in result.detail and "Group" not in result.detail


def test_a_failed_check_is_a_problem_a_follow_up_can_state() -> None:
    results = run(a_read_task(), Facts("dev", "s-1", "pending"), Evidence("?? notes.txt\n"))
    assert results["tree-clean"].problem == "tree is clean (?? notes.txt)"
    assert results["session-log-entry"].problem.startswith("an entry for s-1 exists (")


def test_facts_before_a_session_are_those_of_the_file() -> None:
    task = a_read_task(work(), review(verdict="changes-requested"), est="2/3")
    assert before(task, "dev", "s") == Facts("dev", "s", "in_progress", (2, 3), True)
    assert before(task, "review", "s") == Facts("review", "s", "in_progress")


def test_facts_can_be_inferred_from_the_sessions_own_heading() -> None:
    findings = review(verdict="changes-requested")
    fix = work("fix-1", before="final_review", after="final_review")
    task = a_read_task(work(), findings, fix, review("fix-1", "rev-2"), work("dev-2"))
    assert inferred(task, "dev-1") == Facts("dev", "dev-1", "pending")
    assert inferred(task, "fix-1") == Facts("dev", "fix-1", "final_review", None, True)
    assert inferred(task, "rev-2") == Facts("review", "rev-2", "in_progress")
    assert inferred(task, "dev-2") == Facts("dev", "dev-2", "pending")
    assert inferred(task, "nobody") is None


def test_a_resumed_session_is_checked_by_what_stood_left_of_blocked() -> None:
    asked = work("s", before="final_review", after="blocked")
    went_on = work("s", before="blocked", after="final_review")
    assert resumed(a_read_task(asked, went_on), "s") == Facts("dev", "s", "final_review")
    gate = review(sid="s", before="final_review", after="blocked")
    assert resumed(a_read_task(work(), gate), "s") == Facts("review", "s", "final_review")


def cautions(task: Task, sid: str, role: str = "dev") -> list[tuple[str, int | None]]:
    return [(found.id, found.line) for found in warnings(task, Facts(role, sid, "in_progress"))]


def test_a_complete_entry_gives_no_caution() -> None:
    task = a_read_task(work(after="final_review"), review(), status="final_review")
    assert cautions(task, "dev-1") == []
    assert cautions(task, "rev-1", "review") == []


@pytest.mark.parametrize("field", ["done", "next", "open"])
@pytest.mark.parametrize("value", [None, ""])
def test_a_work_entry_without_a_field_gives_a_caution(field: str, value: str | None) -> None:
    task = a_read_task(work(**{field: value}))  # type: ignore[arg-type]
    assert cautions(task, "dev-1") == [(f"{field}-missing", task.entries[0].line)]


@pytest.mark.parametrize(
    ("left", "after", "found"),
    [
        ("Two tests.", "final_review", ["open-at-the-gate"]),
        ("none", "final_review", []),
        ("None.", "final_review", []),
        ("Two tests.", "in_progress", []),
    ],
)
def test_open_items_at_final_review_give_a_caution(left: str, after: str, found: list[str]) -> None:
    task = a_read_task(work(open=left, after=after), status=after)
    assert [id for id, _ in cautions(task, "dev-1")] == found


def test_a_batched_review_that_names_a_session_only_in_prose_gives_a_caution() -> None:
    entries = (work("dev-1"), work("dev-2"), work("dev-20"))
    batch = review("dev-1", "r", findings="dev-2 looks fine too")
    task = a_read_task(*entries, batch)
    assert cautions(task, "r", "review") == [("reviewed-in-prose", task.entries[3].line)]
    (found,) = warnings(task, Facts("review", "r", "in_progress"))
    assert "dev-2 is named" in found.detail and "dev-20" not in found.detail


def test_a_group_that_is_anchored_at_a_fix_gives_a_caution() -> None:
    fix = work("fix-1", before="in_progress")
    entries = (work(), review(verdict="changes-requested"), fix)
    opened = a_read_task(*entries, review("fix-1", "r", group="fix-1"))
    assert [id for id, _ in cautions(opened, "r", "review")] == ["group-of-a-fix"]
    kept = a_read_task(*entries, review("fix-1", "r", group="dev-1"))
    assert cautions(kept, "r", "review") == []


def test_the_requirement_of_a_raised_estimate_says_so() -> None:
    told = preview(Facts("dev", "s", "in_progress", (3, 3)), REQUIREMENTS)
    assert told[-1] == b"estimate went 3/3 to 4/4 {raised}"
    changed = replace(REQUIREMENTS, undershoot=b"{{cur}}")
    assert preview(Facts("dev", "s", "in_progress", (3, 3)), changed)[-1].endswith(b"4/4{{cur}}")
