"""`prompt` and `followup`: refusals, where the bytes go, and what is said beside them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tests.conftest import RunCli, git
from tests.terminals import in_terminal

FRESH = "2026-03-02-pending-fresh"
REVIEW = "2026-03-02-interim-due"
DONE = "2026-03-02-completed-waiting"
BLOCKED = "2026-03-02-blocked-dev"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([FRESH, "--kind", "review"], "not legal"),
        ([FRESH, "--kind", "closeout"], "not legal"),
        ([FRESH, "--kind", "dev-remediation"], "dev-remediation is not legal now"),
        ([DONE, "--kind", "dev"], "not legal"),
        ([BLOCKED], "Blocked by a question"),
        (["2026-03-02-budget-spent"], "--ruling"),
        ([FRESH, "--form", "invoke", "--sid", "s1"], "no place for a sid"),
        ([FRESH, "--sid", "two words / here"], "sid"),
    ],
)
def test_an_illegal_request_is_one_sentence_and_no_data(
    arguments: list[str], words: str, golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli("prompt", *arguments, cwd=golden)
    assert (ran.code, ran.out) == (1, b"")
    assert ran.said.count("\n") == 1
    assert words in ran.said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--kind", "intake"],
        ["--form", "loud"],
        ["--now", "yesterday"],
        ["--now", "2026-13-02T09:00:00Z"],
        ["--now", "2026-03-02T09:00:00+02:00"],
        ["--ruling", "x", "--without-ruling"],
        ["--plan-answer", "yes"],
        ["--plan-file", "nowhere.md"],
        ["--sid"],
        ["--unheard-of"],
    ],
)
def test_wrong_use_is_one_line_and_exit_2(
    arguments: list[str], golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli("prompt", FRESH, *arguments, cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said.count("\n") == 1


def test_the_prompt_of_a_turn_needs_no_flags(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("prompt", REVIEW, cwd=golden)
    assert ran.code == 0
    assert f"review {REVIEW} :: id comes from the start hook" in ran.text
    assert ran.said == ""


def test_a_role_can_be_named_as_it_is_printed(golden: Path, run_cli: RunCli) -> None:
    legal = run_cli("next", FRESH, "--json", cwd=golden).json["legal_roles"]
    assert "dev-advancement" in legal
    now = ["--now", "2026-03-04T05:06:07Z"]
    named = [run_cli("prompt", FRESH, "--kind", role, *now, cwd=golden) for role in legal]
    assert all(ran.code == 0 for ran in named)
    own = run_cli("prompt", FRESH, "--kind", "dev", *now, cwd=golden)
    assert named[legal.index("dev-advancement")].out == own.out


def test_the_time_of_the_claim_is_utc_in_every_zone(golden: Path, run_cli: RunCli) -> None:
    east = run_cli("prompt", REVIEW, "--form", "headless", cwd=golden, env={"TZ": "Etc/GMT-14"})
    west = run_cli("prompt", REVIEW, "--form", "headless", cwd=golden, env={"TZ": "Etc/GMT+12"})
    stamps = [ran.text.split(" at ")[1][:13] for ran in (east, west)]
    assert stamps[0] == stamps[1]
    assert "Z\n" in east.text.split(" at ")[1]


def test_output_writes_the_exact_bytes_and_prints_none(
    golden: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    now = ["--now", "2026-03-04T05:06:07Z"]
    printed = run_cli("prompt", REVIEW, *now, cwd=golden)
    target = tmp_path / "prompt.md"
    saved = run_cli("prompt", REVIEW, *now, "--output", target, cwd=golden)
    assert (saved.code, saved.out) == (0, b"")
    assert target.read_bytes() == printed.out
    assert f"{len(printed.out):,} bytes" in saved.said
    assert hashlib.sha256(printed.out).hexdigest() in saved.said
    assert str(target) in saved.said


@pytest.mark.parametrize("option", ["--output", "--plan-file", "-C"])
def test_an_empty_path_is_one_clear_line(option: str, golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("prompt", FRESH, option, "", cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said == "mandrel-tui: a path is given empty: it names no file and no folder\n"


def test_output_that_cannot_be_written_is_one_line(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("prompt", REVIEW, "--output", golden / "no/such/folder.md", cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said.count("\n") == 1
    assert "no/such/folder.md" in ran.said


def test_output_never_takes_the_place_of_a_task(golden: Path, run_cli: RunCli) -> None:
    task = golden / f".ai-tasks/{REVIEW}.md"
    before = task.read_bytes()
    (golden / "link.md").symlink_to(task)
    for target in (task, golden / "link.md", golden / ".ai-tasks/archive/new.md"):
        ran = run_cli("prompt", REVIEW, "--output", target, cwd=golden)
        assert (ran.code, ran.out, ran.said.count("\n")) == (1, b"", 1)
        assert str(target) in ran.said
    assert task.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_onto_a_full_disk_names_the_file(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("prompt", REVIEW, "--output", "/dev/full", cwd=golden)
    assert (ran.code, ran.said) == (2, "mandrel-tui: /dev/full: no space left on device\n")


def test_a_copy_that_no_tool_confirms_is_not_called_one(golden: Path, run_cli: RunCli) -> None:
    path = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if has_git_only(p))
    ran = run_cli("prompt", REVIEW, "--copy", cwd=golden, env={"PATH": path, "TERM": "dumb"})
    assert (ran.code, ran.out) == (1, b"")
    assert "not copied" in ran.said
    kept = Path(ran.said.split("file ")[1].split("; ")[0])
    assert kept.read_bytes().startswith(b"NOTE substrate")
    assert kept.stat().st_mode & 0o777 == 0o600


def has_git_only(folder: str) -> bool:
    tools = ("pbcopy", "wl-copy", "xclip", "xsel")
    return not any((Path(folder) / tool).exists() for tool in tools)


def test_a_copy_goes_through_the_platforms_tool(
    golden: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    tool = tmp_path / "bin/xclip"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\nexec cat > {tmp_path}/clipboard\n", "utf-8")
    tool.chmod(0o755)
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "DISPLAY": ":9"}
    now = ["--now", "2026-03-04T05:06:07Z"]
    ran = run_cli("prompt", REVIEW, *now, "--copy", cwd=golden, env=env)
    assert (ran.code, ran.out) == (0, b"")
    assert (tmp_path / "clipboard").read_bytes() == run_cli("prompt", REVIEW, *now, cwd=golden).out
    assert "xclip" in ran.said


def test_a_text_that_differs_from_its_receipt_is_said(golden: Path, run_cli: RunCli) -> None:
    path = ".ai-protocol/protocols/review.md"
    row = f'{{"target_relative_path": "{path}", "canonical_sha256": "{"0" * 64}"}}'
    (golden / ".ai-deploy-lock.json").write_text(f'{{"deployed_files": [{row}]}}', "utf-8")
    ran = run_cli("prompt", REVIEW, cwd=golden)
    assert ran.code == 0
    assert f"{path} differs from .ai-deploy-lock.json" in ran.said


def test_bundled_texts_in_use_are_said(golden: Path, run_cli: RunCli) -> None:
    (golden / ".ai-protocol").rename(golden / "aside")
    (golden / ".mandrel").rename(golden / "aside-too")
    ran = run_cli("prompt", REVIEW, cwd=golden)
    assert ran.code == 0
    assert "bundled contract texts and fragments are in use" in ran.said


def test_a_broken_contract_set_refuses_and_names_each_fault(golden: Path, run_cli: RunCli) -> None:
    (golden / ".ai-protocol/protocols/plan.md").unlink()
    (golden / ".mandrel/orchestrator/prompts/entry/sid-line.md").write_bytes(b"id {{nobody}}\n")
    ran = run_cli("prompt", REVIEW, cwd=golden)
    assert (ran.code, ran.out) == (1, b"")
    assert ".ai-protocol/protocols/plan.md" in ran.said
    assert "{{nobody}}" in ran.said
    assert run_cli("board", cwd=golden).code == 0


def test_a_plan_may_be_the_whole_reply_and_come_from_standard_input(
    golden: Path, run_cli: RunCli
) -> None:
    reply = "Here it is.\n\n## Goal / Acceptance\nDo it.\n".encode("utf-8-sig")
    ran = run_cli("prompt", FRESH, "--plan-file", "-", cwd=golden, stdin=reply)
    assert ran.code == 0, ran.said
    assert ran.text.endswith("PLAN APPROVED\nruling=confirm\nreport=## Goal / Acceptance\nDo it.")
    assert "dropped" in ran.said


def test_a_plan_that_is_no_text_is_refused_with_its_byte(
    golden: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    (tmp_path / "plan.md").write_bytes(b"plan \xff")
    ran = run_cli("prompt", FRESH, "--plan-file", tmp_path / "plan.md", cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert "byte 5 is not UTF-8" in ran.said


@pytest.mark.parametrize("arguments", [["answered-continue"], ["blocked-resume"]])
def test_a_message_without_its_answer_is_refused(
    arguments: list[str], golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli("followup", BLOCKED, *arguments, cwd=golden)
    assert (ran.code, ran.out) == (1, b"")
    assert "--answer" in ran.said


def test_an_answer_nobody_waits_for_is_said_to_be_one(golden: Path, run_cli: RunCli) -> None:
    answer = ["blocked-resume", "--answer", "Twenty."]
    asked = run_cli("followup", BLOCKED, *answer, cwd=golden)
    assert (asked.out, asked.said) == (b"UNBLOCKED Twenty.", "")
    unasked = run_cli("followup", REVIEW, *answer, cwd=golden)
    assert (unasked.code, unasked.out) == (0, asked.out)
    assert f"{REVIEW} waits for no answer: 1 dev session" in unasked.said


def test_a_ruling_nobody_owes_is_carried_and_said(golden: Path, run_cli: RunCli) -> None:
    arguments = ("prompt", "2026-03-02-pending-fresh", "--ruling", "Keep it.")
    ran = run_cli(*arguments, cwd=golden)
    assert ran.code == 0 and b"Keep it." in ran.out
    assert "no ruling is owed, and it carries yours: No session has written here" in ran.said
    owed = run_cli("prompt", "2026-03-02-budget-spent", "--ruling", "Keep it.", cwd=golden)
    assert owed.code == 0 and "no ruling is owed" not in owed.said


def test_an_unknown_kind_of_message_is_wrong_use(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("followup", REVIEW, "scold", cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert "wrapup" in ran.said


def test_nothing_of_a_prompt_is_an_order_to_the_terminal(golden: Path) -> None:
    contract = golden / ".ai-protocol/protocols/review.md"
    contract.write_bytes(b"judge\x1b]52;c;aGk=\x07 it\n")
    code, shown = in_terminal(["prompt", REVIEW], golden)
    assert code == 0
    assert b"\x1b]52" not in shown
    assert "judge␛]52;c;aGk=␇ it".encode() in shown
    assert b"shown as pictures" in shown


def test_a_harmless_prompt_is_exact_on_a_terminal_too(golden: Path, run_cli: RunCli) -> None:
    now = ["--now", "2026-03-04T05:06:07Z"]
    exact = run_cli("prompt", REVIEW, *now, cwd=golden).out
    shown = in_terminal(["prompt", REVIEW, *now], golden)
    assert shown == (0, exact.replace(b"\n", b"\r\n"))


def test_a_prompt_is_never_left_in_the_repository(golden: Path, run_cli: RunCli) -> None:
    run_cli("prompt", REVIEW, "--copy", cwd=golden)
    assert git(golden, "status", "--porcelain") == ""


def test_a_prompt_that_was_saved_is_out_until_its_session_writes(
    golden: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    assert _standing(run_cli, golden, REVIEW) is None
    run_cli("prompt", REVIEW, cwd=golden)
    assert _standing(run_cli, golden, REVIEW) is None
    run_cli("prompt", REVIEW, "--sid", "rev-9", "--output", tmp_path / "out.md", cwd=golden)
    out = _standing(run_cli, golden, REVIEW)
    assert out is not None and (out["state"], out["launcher"]) == ("out", "file")
    task = golden / f".ai-tasks/{REVIEW}.md"
    entry = "\n### 2026-03-04 / rev-9 / review of 5f1d0a9c / (in_progress → in_progress)\n"
    task.write_bytes(task.read_bytes() + entry.encode())
    back = _standing(run_cli, golden, REVIEW)
    assert back is not None and back["state"] == "returned"
    assert f"!check {REVIEW}" in " ".join(run_cli("next", cwd=golden).text.split())


def _standing(run_cli: RunCli, root: Path, name: str) -> dict[str, str] | None:
    rows = run_cli("board", "--json", cwd=root).json
    found: dict[str, str] | None = next(row for row in rows if row["task"] == name)["handover"]
    return found
