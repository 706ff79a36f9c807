"""`check`: the golden sessions through the command line, flags, warnings, archived tasks."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mandrel_tui.protocol.plan_gate import begun
from mandrel_tui.protocol.prompt import PromptRequest
from tests.builders import review, work
from tests.conftest import GOLDEN, RunCli
from tests.seats import NAME, Seat

CASES: dict[str, dict[str, Any]] = json.loads((GOLDEN / "expected/checks.json").read_bytes())
CLAIM = "s-1@2026-03-02T14:03:00Z"


def flags(given: dict[str, Any]) -> list[str]:
    """The facts of a golden case as a person would give them."""
    est = given["est_before"]
    return [
        *("--sid", given["sid"], "--role", given["role"]),
        *("--status-before", given["status_before"]),
        *([] if est is None else ["--est-before", "{}/{}".format(*est)]),
        "--remediation" if given["remediation"] else "--no-remediation",
    ]


@pytest.mark.parametrize("case", CASES)
def test_a_golden_session_is_checked_as_expected(case: str, golden: Path, run_cli: RunCli) -> None:
    given = CASES[case]
    data = (GOLDEN / f"checks/{case}.md").read_bytes()
    (golden / f".ai-tasks/{case}.md").write_bytes(data)
    if given["dirty"]:
        (golden / "left-over.txt").write_text("x", encoding="utf-8")
    ran = run_cli("check", case, *flags(given), "--json", cwd=golden)
    assert set(ran.json) == {"schema", "checks", "warnings", "passed"}
    checks = ran.json["checks"]
    assert all(set(check) == {"id", "requirement", "passed", "detail"} for check in checks)
    assert [check["id"] for check in checks] == given["runs"]
    assert [check["id"] for check in checks if not check["passed"]] == given["fails"]
    assert (ran.json["schema"], ran.json["passed"]) == (1, not given["fails"])
    assert ran.code == (1 if given["fails"] else 0)
    assert "as you say" in ran.said


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    return Seat.at(tmp_path / "repository", status="pending", est="0/3", claimed_by=None)


def test_a_copied_session_is_checked_by_what_was_recorded(seat: Seat, run_cli: RunCli) -> None:
    kept = seat.root.parent / "prompt.md"
    assert run_cli("prompt", NAME, "--sid", "s-1", "--output", kept, cwd=seat.root).code == 0
    seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    ran = run_cli("check", NAME, cwd=seat.root)
    assert ran.code == 1
    assert "session s-1: dev, entered at pending, estimate 0/3; recorded" in ran.said
    assert f"1 check fails; `followup {NAME} violation-fix` makes the message" in ran.said
    named = run_cli("check", NAME, "--sid", "s-1", cwd=seat.root)
    assert f"`followup {NAME} violation-fix --sid s-1` makes the message" in named.said
    lines = ran.text.splitlines()
    assert lines[0].startswith("+ tree-clean")
    assert next(line for line in lines if line.startswith("x")).split()[1] == "dev-est-increment"


def test_without_a_record_it_is_said_that_the_facts_are_inferred(
    seat: Seat, run_cli: RunCli
) -> None:
    seat.write(work("s-1", open=None), claimed_by=CLAIM)
    ran = run_cli("check", NAME, "--sid", "s-1", "--json", cwd=seat.root)
    assert (ran.code, ran.json["passed"]) == (0, True)
    assert "inferred, since nothing is recorded" in ran.said
    assert [warning["id"] for warning in ran.json["warnings"]] == ["open-missing"]


def test_a_plan_that_changed_unsaid_is_told_with_its_difference(
    seat: Seat, run_cli: RunCli
) -> None:
    run_cli("board", cwd=seat.root)
    seat.write(work("s-1"), claimed_by=CLAIM, scope="- Another thing.")
    ran = run_cli("check", NAME, cwd=seat.root)
    assert ran.code == 0
    assert re.search(
        r"~ plan-changed +Scope changed, and no entry since says so\n.+\n +-- One thing\.", ran.text
    )
    (warning,) = run_cli("check", NAME, "--json", cwd=seat.root).json["warnings"]
    assert warning["id"] == "plan-changed" and "-- One thing." in warning["diff"]


def test_after_three_followups_it_is_the_humans_call(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("s-1"), status="pending", claimed_by=CLAIM)
    workspace = seat.open()
    for _ in range(3):
        task = workspace.task(NAME)
        workspace.hand_followup(task, "violation-fix", b"mend", "claude", "here")
    ran = run_cli("check", NAME, cwd=seat.root)
    assert "after 3 follow-ups: it is your call" in ran.said


def test_the_board_says_since_when_a_session_is_out_and_what_is_found_of_it(
    seat: Seat, run_cli: RunCli
) -> None:
    kept = seat.root.parent / "prompt.md"
    run_cli("prompt", NAME, "--sid", "s-1", "--output", kept, cwd=seat.root)
    stamp = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"

    def told() -> str:
        board = run_cli("board", cwd=seat.root).text
        (said,) = re.findall(r"(?m)^  session  (.*)$", run_cli("next", NAME, cwd=seat.root).text)
        assert f"\n        {said}\n" in board
        assert f" {NAME} {said}\n" in run_cli("next", cwd=seat.root).text
        return re.sub(stamp, "T", said)

    assert told() == "out since T, file"
    data = seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    line = 1 + data[: data.index(b"### ")].count(b"\n")
    assert told() == f"returned T, unchecked: line {line}: an entry of s-1"
    run_cli("check", NAME, cwd=seat.root)
    assert told() == "returned T, not met: dev-est-increment"
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    run_cli("check", NAME, cwd=seat.root)
    assert "session" not in run_cli("next", NAME, cwd=seat.root).text.partition("\n  next")[0]


def test_a_plan_that_waits_is_the_reason_of_its_word(seat: Seat, run_cli: RunCli) -> None:
    workspace = seat.open()
    asked = begun(workspace.task(NAME), None, workspace.now())
    workspace.plans.keep(asked.with_reply("## Goal / Acceptance\n- it runs", workspace.now()))
    told = " ".join(run_cli("next", cwd=seat.root).text.split())
    assert f"!plan {NAME} Report 1 waits for your approval or feedback." in told


def test_a_followup_that_is_printed_counts_once_for_each_state_of_the_file(
    seat: Seat, run_cli: RunCli
) -> None:
    for claim in ("2026-03-02T14:03:00Z", "2026-03-02T14:04:00Z", "2026-03-02T14:05:00Z"):
        seat.write(work("s-1"), status="pending", claimed_by=f"s-1@{claim}")
        first = run_cli("followup", NAME, "violation-fix", cwd=seat.root)
        again = run_cli("followup", NAME, "violation-fix", cwd=seat.root)
        assert first.out == again.out and first.said == again.said
    assert first.said == "mandrel-tui: follow-up 3 of 3 to s-1\n"
    (row,) = run_cli("board", "--json", cwd=seat.root).json
    assert (row["handover"]["state"], row["handover"]["launcher"]) == ("out", "stdout")
    assert "after 3 follow-ups: it is your call" in run_cli("check", NAME, cwd=seat.root).said
    seat.write(work("s-1"), status="pending", claimed_by="s-1@2026-03-02T14:06:00Z")
    more = run_cli("followup", NAME, "violation-fix", cwd=seat.root)
    assert "follow-up 4 to s-1: 3 did not help, it is your call" in more.said


def test_facts_given_by_hand_promise_no_followup(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    given = ("--sid", "s-1", "--role", "dev", "--est-before", "1/3")
    ran = run_cli("check", NAME, *given, cwd=seat.root)
    assert ran.code == 1 and "makes the message" not in ran.said
    assert "1 check fails by the facts you gave by hand; a follow-up judges without" in ran.said


def test_a_followup_to_nobody_is_printed_and_not_out(seat: Seat, run_cli: RunCli) -> None:
    ran = run_cli("followup", NAME, "blocked-violation", cwd=seat.root)
    assert ran.code == 0 and ran.out
    assert "nobody is known to take it, so nothing is recorded as out" in ran.said
    (row,) = run_cli("board", "--json", cwd=seat.root).json
    assert row["handover"] is None
    assert run_cli("receipts", NAME, "--json", cwd=seat.root).json == []
    named = run_cli("followup", NAME, "blocked-violation", "--sid", "s-1", cwd=seat.root)
    assert "follow-up 1 of 3 to s-1" in named.said


def test_asking_for_the_closeout_of_unfinished_work_says_so(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("s-1"), claimed_by=CLAIM)
    ran = run_cli("followup", NAME, "closeout-incomplete", cwd=seat.root)
    assert ran.code == 0 and f"{NAME} is in_progress, not completed" in ran.said


def test_an_archived_task_is_verified_instead(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("s-1"), review("s-1", "r-1"), status="completed", claimed_by="r-1@x")
    (seat.root / ".ai-tasks/archive").mkdir()
    seat.path.rename(seat.root / f".ai-tasks/archive/{NAME}.md")
    ran = run_cli("check", NAME, "--json", cwd=seat.root)
    assert [check["id"] for check in ran.json["checks"] if not check["passed"]] == [
        "audit-line-missing"
    ]
    assert ran.code == 1 and "closeout is verified instead" in ran.said
    told = run_cli("check", NAME, cwd=seat.root).text
    assert "+ the task file is gone from .ai-tasks/" in told and "x audit-line-missing" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--est-before", "about two"], "write done and total"),
        (["--role", "plan"], "invalid choice"),
        (["--status-before", "done"], "invalid choice"),
        (["--remediation", "--sid"], "expected one argument"),
        (["--sid", " "], "argument --sid: it is empty"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    arguments: list[str], words: str, seat: Seat, run_cli: RunCli
) -> None:
    ran = run_cli("check", NAME, *arguments, cwd=seat.root)
    assert (ran.code, ran.out) == (2, b"") and words in ran.said


def test_a_session_nobody_knows_cannot_be_checked(seat: Seat, run_cli: RunCli) -> None:
    ran = run_cli("check", NAME, cwd=seat.root)
    assert ran.code == 1 and "no session is known" in ran.said
    assert run_cli("check", "nobody", "--sid", "x", cwd=seat.root).code == 2


def test_a_session_that_is_not_checked_is_named_when_another_goes_out(
    seat: Seat, run_cli: RunCli
) -> None:
    kept = seat.root.parent / "prompt.md"
    assert run_cli("prompt", NAME, "--sid", "s-1", "--output", kept, cwd=seat.root).code == 0
    seat.write(work("s-1"), est="1/3", claimed_by=CLAIM)
    ran = run_cli("prompt", NAME, "--output", kept, cwd=seat.root)
    assert ran.code == 0
    told = [text for text in ran.said.split("\n") if "the session before returned" in text]
    assert len(told) == 1 and f"; `check {NAME}` checks it" in told[0]


def send_unnamed(seat: Seat) -> None:
    """Records the next prompt as copied to a session that will choose its own sid."""
    workspace = seat.open()
    prompt = replace(workspace.prompt(PromptRequest(NAME)), sid=None)
    workspace.hand_over(prompt, "clipboard", "copy", "xclip")


def test_while_a_session_is_not_back_the_one_before_is_named_and_checked_as_recorded(
    seat: Seat, run_cli: RunCli
) -> None:
    send_unnamed(seat)
    seat.write(work("s-1"), est="0/3", claimed_by=CLAIM)
    send_unnamed(seat)
    ran = run_cli("check", NAME, cwd=seat.root)
    assert ran.code == 1
    assert "not back: no claim and no entry since " in ran.said
    assert "--sid s-1 checks the one before" in ran.said
    ran = run_cli("check", NAME, "--sid", "s-1", cwd=seat.root)
    assert "session s-1: dev, entered at pending, estimate 0/3" in ran.said
    assert "recorded when it was handed over" in ran.said
    assert seat.open().board().find(NAME).handover.out  # type: ignore[union-attr]
