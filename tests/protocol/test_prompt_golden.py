"""Every golden prompt, byte for byte, from the golden task files and fragments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mandrel_tui.protocol.prompt import Prompt, PromptRequest, assemble
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.turn import turn_of
from tests.contract_sets import golden_set

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
WORKSPACE = GOLDEN / "workspace"
CASES = json.loads((GOLDEN / "expected/prompts.json").read_bytes())


def golden_prompt(case: dict[str, str | None]) -> Prompt:
    name, plan = case["task"], case.get("plan")
    planned = case["kind"] == "planned"
    store = WORKSPACE / ".ai-tasks"
    task = read_task((store / f"{name}.md").read_bytes(), name, f".ai-tasks/{name}.md")
    request = PromptRequest(
        task=name,
        kind="dev" if planned else case["kind"],
        form=case.get("form", "headless"),
        sid=case["sid"],
        now=case["now"],
        ruling=None if planned else case.get("ruling"),
        plan=plan,
        plan_answer=case["ruling"] if planned else "confirm",
    )
    others = [file for file in store.glob("*.md") if file.stem not in ("index", name)]
    contracts = golden_set()
    return assemble(request, task, turn_of(task), contracts, len(others))


@pytest.mark.parametrize("case", CASES)
def test_a_golden_prompt_is_equal_byte_for_byte(case: str) -> None:
    expected = (GOLDEN / f"expected/prompts/{case}.txt").read_bytes()
    prompt = golden_prompt(CASES[case])
    assert prompt.data == expected.replace(b"{{REPO}}", str(WORKSPACE).encode())
    if b"{{REPO}}" not in expected:
        assert prompt.sha256 == CASES[case]["sha256"]


def test_all_golden_prompts_are_looked_at() -> None:
    files = {file.stem for file in (GOLDEN / "expected/prompts").iterdir()}
    assert files == set(CASES)
    assert len(CASES) == 38
