"""The JSON shape of what only a recorded session gives."""

from __future__ import annotations

import json
from pathlib import Path

from mandrel_tui.commands.records import row_record
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.resources import bundled
from mandrel_tui.workspace.workspace import Workspace

REVIEW = "2026-03-02-interim-due"


def test_a_task_that_was_handed_over_says_since_when_and_to_whom(golden: Path) -> None:
    workspace = Workspace(golden, bundled("contracts"))
    prompt = workspace.prompt(PromptRequest(REVIEW))
    workspace.hand_over(prompt, "clipboard", "copy")
    row = workspace.board().find(REVIEW)
    assert row is not None
    handover = json.loads(json.dumps(row_record(row)))["handover"]
    assert list(handover) == ["state", "since", "launcher"]
    assert (handover["state"], handover["launcher"]) == ("out", "clipboard")
