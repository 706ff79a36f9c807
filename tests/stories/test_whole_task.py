"""One task from fresh to completed by a stand-in agent, each step through the real command line and
a fresh start of the program, each turn derived from the file alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents import Agent
from tests.conftest import ROOT, Ran, RunCli
from tests.seats import NAME, Seat

PAST = 1_700_000_000
# What the agent writes by how many entries the log has: the entry's kind and fields, the status and
# the estimate it leaves.
SESSIONS = """
import os, re, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.builders import review, work

path, sid = Path(sys.argv[2]), sys.argv[sys.argv.index("--session-id") + 1]
text = path.read_text("utf-8")
sids = re.findall(r"^### [0-9-]+ / ([0-9a-f-]+) / ", text, re.M)
ing, final = "in_progress", "final_review"
steps = [
    lambda: (work(sid, before="pending", after=ing), ing, "1/2"),
    lambda: (review(sids[0], sid, verdict="changes-requested", findings="F1"), ing, "1/2"),
    lambda: (work(sid, before=ing, after=ing), ing, "2/2"),
    lambda: (review(sids[2], sid, group=sids[0]), ing, "2/2"),
    lambda: (work(sid, before=ing, after=final), final, "3/3"),
    lambda: (review(sids[4], sid, before=final, after="completed"), "completed", "3/3"),
]
entry, status, estimate = steps[len(sids)]()
claim = f"claimed-by: {sid}@2026-03-02T09:00:00Z"
text = re.sub(r"^status: .*", f"status: {status}", text, flags=re.M)
text = re.sub(r"^session-est: .*", f"session-est: {estimate}", text, flags=re.M)
text = re.sub(r"^claimed-by:.*", claim, text, flags=re.M)
path.write_text(f"{text.rstrip()}\\n\\n{entry}\\n", "utf-8")
os.utime(path, (1_700_000_000 + len(sids),) * 2)
"""
TURNS = [
    ("dev", "advancement"),
    ("review", "interim"),
    ("dev", "remediation"),
    ("review", "interim"),
    ("dev", "advancement"),
    ("review", "final-gate"),
    ("closeout", None),
]


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    seat = Seat.at(tmp_path / "repository", status="pending", est="0/2", claimed_by="")
    os.utime(seat.path, (PAST, PAST))
    return seat


def test_a_task_goes_from_fresh_to_completed(seat: Seat, tmp_path: Path, run_cli: RunCli) -> None:
    script = tmp_path / "sessions.py"
    script.write_text(SESSIONS, encoding="utf-8")
    deed = f'exec {sys.executable} {script} {ROOT} {seat.path} "$@" > /dev/null'
    agent = Agent(tmp_path / "agent").does(deed)

    def run(*arguments: str) -> Ran:
        return run_cli(*arguments, cwd=seat.root, env={"PATH": agent.path})

    def turn() -> tuple[Any, Any]:
        told = run("next", NAME, "--json").json
        return told["turn"], told["mode"]

    for number, expected in enumerate(TURNS[:-1]):
        assert turn() == expected
        launched = run("launch", NAME, "--where", "headless")
        assert launched.code == 0, launched.said
        (row,) = run("board", "--json").json
        assert row["handover"]["state"] == "returned"
        checked = run("check", NAME, "--json")
        assert checked.json["passed"] and checked.json["warnings"] == [], checked.json
        (row,) = run("board", "--json").json
        assert row["handover"] is None
        assert len(run("receipts", NAME, "--json").json) == number + 1
    assert turn() == TURNS[-1]
    assert [item["kind"] for item in run("inbox", "--json").json] == ["close"]
    receipts = run("receipts", NAME, "--json").json
    assert [(one["kind"], one["mode"]) for one in receipts] == TURNS[:-1]
    assert all(one["proved"] and one["ended"]["status"] == 0 for one in receipts)
    assert len(agent.calls) == len(TURNS) - 1
