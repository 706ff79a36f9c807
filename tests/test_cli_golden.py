"""The golden turns, prompts and follow-ups through the real command line, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import GOLDEN, RunCli

EXPECTED = GOLDEN / "expected"
TURNS = json.loads((EXPECTED / "turns.json").read_bytes())
PROMPTS = json.loads((EXPECTED / "prompts.json").read_bytes())
FOLLOWUPS = json.loads((EXPECTED / "followups.json").read_bytes())
FIRST = "2026-03-02-interim-due"


def turn_facts(record: dict[str, Any]) -> dict[str, Any]:
    """What the golden table says of a task, from what `next` says: `next` gives an escalation only
    where it matters, and tells remediation by the mode of a dev turn."""
    dev = record["turn"] == "dev"
    return {
        "turn": record["turn"],
        "pending_review": record["pending_review"],
        "ignored_fix_set": record["ignored_fix_set"],
        "escalation": record["escalation"],
        "mode": record["mode"] if dev else None,
    }


def golden_facts(expected: dict[str, Any]) -> dict[str, Any]:
    turn, dev = expected["turn"], expected["turn"] == "dev"
    escalation = "final-review-stall" if turn == "ruling" else None
    mode = "remediation" if expected["remediation"] else "advancement"
    return {
        "turn": turn,
        "pending_review": expected["pending_review"],
        "ignored_fix_set": expected["ignored_fix_set"],
        "escalation": expected["escalation_after_review"] if dev else escalation,
        "mode": mode if dev else None,
    }


def test_next_gives_every_golden_turn(golden_body: Path, run_cli: RunCli) -> None:
    ran = run_cli("next", "--json", cwd=golden_body)
    assert ran.code == 0
    records = {record["task"]: record for record in ran.json}
    assert records.keys() == TURNS.keys()
    assert len(TURNS) == 51
    for name, expected in TURNS.items():
        assert turn_facts(records[name]) == golden_facts(expected), name


def test_next_of_one_task_is_its_element_of_the_list(golden_body: Path, run_cli: RunCli) -> None:
    listed = run_cli("next", "--json", cwd=golden_body).json
    one = run_cli("next", FIRST, "--json", cwd=golden_body).json
    assert one in listed


@pytest.mark.parametrize("case", PROMPTS)
def test_prompt_prints_a_golden_prompt_byte_for_byte(
    case: str, golden_body: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    ran = run_cli(*prompt_arguments(PROMPTS[case], tmp_path), cwd=golden_body)
    expected = (EXPECTED / f"prompts/{case}.txt").read_bytes()
    assert ran.code == 0, ran.said
    assert ran.out == expected.replace(b"{{REPO}}", str(golden_body).encode())


def prompt_arguments(case: dict[str, Any], folder: Path) -> list[str]:
    planned = case["kind"] == "planned"
    arguments = ["prompt", case["task"], "--kind", "dev" if planned else case["kind"]]
    arguments += ["--form", case.get("form", "headless"), "--now", case["now"]]
    if case["sid"] is not None:
        arguments += ["--sid", case["sid"]]
    if planned:
        plan = folder / "plan.md"
        plan.write_bytes(case["plan"].encode())
        arguments += ["--plan-file", str(plan), "--plan-answer", case["ruling"]]
    elif case.get("ruling") is not None:
        arguments += ["--ruling", case["ruling"]]
    return arguments


ANSWERED = [case for case in FOLLOWUPS if "problems" not in case["values"]]


@pytest.mark.parametrize("case", ANSWERED, ids=lambda case: case["kind"])
def test_followup_prints_a_golden_message_byte_for_byte(
    case: dict[str, Any], golden_body: Path, run_cli: RunCli
) -> None:
    answer = case["values"]["answer"]
    ran = run_cli("followup", FIRST, case["kind"], "--answer", answer, cwd=golden_body)
    assert (ran.code, ran.out) == (0, case["text"].encode())


def test_a_violation_fix_runs_the_checks_itself(golden: Path, run_cli: RunCli) -> None:
    (golden / "left-over.txt").write_text("not committed", "utf-8")
    ran = run_cli("followup", FIRST, "violation-fix", "--sid", "s1", cwd=golden)
    assert ran.code == 0, ran.said
    lines = ran.text.split("\n")
    assert lines[0] == "FIX THESE"
    assert any(line.startswith("- ") and "left-over.txt" in line for line in lines)
    assert lines[-2:] == ["how: tidy the tree", "id s1"]
