"""Banners: what the contract set says to the human, filled from the task file alone."""

from __future__ import annotations

from dataclasses import replace

from mandrel_tui.protocol.banners import blocked_banner, escalation_banner
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Turn, turn_of
from tests.builders import a_task, review, work
from tests.contract_sets import golden_set, with_fragment

SET = golden_set()


def read(*entries: str, **keys: str | None) -> tuple[Task, Turn]:
    task = read_task(a_task(*entries, **keys), "2026-03-02-a-task", "")  # type: ignore[arg-type]
    return task, turn_of(task)


def said(name: str, fragment: bytes, task: Task, turn: Turn) -> str:
    return escalation_banner(task, turn, with_fragment(SET, f"midflight/{name}", fragment))


def test_a_spent_budget_names_group_rounds_and_findings() -> None:
    rounds = [
        entry
        for n in range(3)
        for entry in (
            work(f"w{n}", before="in_progress"),
            review(f"w{n}", f"r{n}", verdict="changes-requested", group="w0", findings=f"F{n}"),
        )
    ]
    task, turn = read(*rounds)
    fragment = b"{{group}} had {{rounds}}: {{findings}}\n"
    assert said("banner-convergence", fragment, task, turn) == "w0 had 3: F2"


def test_a_dispute_quotes_the_line_and_the_whole_entry() -> None:
    task, turn = read(work("w1"), review("w1", verdict="changes-requested", dispute="F1 stands"))
    fragment = b"{{reviewer_line}}\n{{review_entry}}\n"
    line, _, entry = said("banner-dispute", fragment, task, turn).partition("\n")
    assert line == "rev-1: F1 stands"
    assert entry.startswith("### 2026-03-03 / rev-1 / review of w1")
    assert entry.endswith("- Dispute-unresolved: F1 stands")


def test_a_stalled_gate_has_a_banner_of_its_own() -> None:
    gate = review("w1", before="final_review", after="final_review", verdict=None)
    task, turn = read(work("w1", after="final_review"), gate, status="final_review")
    assert said("banner-final-review-stall", b"stalled\n", task, turn) == "stalled"


def test_a_question_names_who_asks_and_what_is_open() -> None:
    task, _ = read(
        work("w1", after="blocked", open="Is it {{allowed}}?"),
        status="blocked",
        blockers="[external:may it?]",
        claimed_by="w1@2026-03-02T09:00:00Z",
    )
    fragment = b"{{role}} {{sid}}: {{blockers}} / {{open_context}}\n"
    contracts = with_fragment(SET, "midflight/banner-blocked", fragment)
    assert blocked_banner(task, contracts) == "dev w1: external:may it? / Is it {{allowed}}?"


def test_a_set_that_is_not_whole_leaves_the_reason_of_the_turn() -> None:
    broken = replace(SET, problems=("something is missing",))
    task, turn = read(work("w1"), review("w1", verdict="changes-requested", dispute="F1 stands"))
    assert escalation_banner(task, turn, broken) == turn.reason
    assert blocked_banner(read(status="blocked", blockers="[external:x]")[0], broken) == (
        "Blocked: external:x"
    )
