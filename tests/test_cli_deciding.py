"""`inbox`, `rule` and `receipts`: what waits, what was ruled, what went out."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.builders import review, work
from tests.conftest import RunCli
from tests.seats import NAME, Seat

DISPUTE = review("dev-1", "rev-1", verdict="pass", findings="F1: merged.", dispute="F1 stands.")
FIELDS = {"schema", "kind", "task", "cause", "words", "since", "sides"}


@pytest.fixture
def seat(tmp_path: Path) -> Seat:
    return Seat.at(tmp_path / "repository", work("dev-1"), DISPUTE)


def test_the_inbox_lists_what_waits_with_both_sides(seat: Seat, run_cli: RunCli) -> None:
    (item,) = run_cli("inbox", "--json", cwd=seat.root).json
    assert set(item) == FIELDS and item["schema"] == 1
    assert (item["kind"], item["task"], item["cause"]) == ("rule", NAME, "dispute-unresolved")
    assert item["sides"][0]["text"] == "F1 stands."
    text = run_cli("inbox", cwd=seat.root).text
    assert text.startswith("1 in the inbox: 1 rule\n") and "F1: merged." in text


def test_who_owes_nothing_is_told_so(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("dev-1"), review("dev-1"))
    assert run_cli("inbox", cwd=seat.root).text == "You owe nothing.\n"
    assert run_cli("inbox", "--json", cwd=seat.root).json == []


def test_every_item_of_the_golden_repository_has_the_same_shape(
    golden: Path, run_cli: RunCli
) -> None:
    items = run_cli("inbox", "--json", cwd=golden).json
    assert all(set(item) == FIELDS for item in items)
    assert {"answer", "rule", "close"} <= {item["kind"] for item in items}


def test_a_ruling_is_given_shown_carried_and_withdrawn(seat: Seat, run_cli: RunCli) -> None:
    def rule(*arguments: str) -> dict[str, object]:
        ran = run_cli("rule", NAME, *arguments, "--json", cwd=seat.root)
        assert ran.code == 0, ran.said
        return dict(ran.json)

    assert rule()["state"] is None
    given = rule("F1 is dropped.")
    assert given["state"] == "given" and given["text"] == "F1 is dropped."
    assert given["review"] == {"position": 1, "sid": "rev-1"}
    assert rule("F1 stands.")["text"] == "F1 stands."
    assert run_cli("inbox", "--json", cwd=seat.root).json == []
    turn = run_cli("next", NAME, cwd=seat.root).text
    assert "you owe  nothing" in turn and f"given {rule()['given']}" in turn
    prompt = run_cli("prompt", NAME, "--sid", "s-2", cwd=seat.root)
    assert prompt.code == 0 and "F1 stands." in prompt.text
    assert f"it carries the ruling given {rule()['given']}" in prompt.said
    seat.write(work("dev-1"), DISPUTE, work("s-2"))
    assert rule()["state"] == "delivered"
    refused = run_cli("rule", NAME, "--withdraw", cwd=seat.root)
    assert refused.code == 1 and "worked by the ruling already" in refused.said
    seat.write(work("dev-1"), DISPUTE)
    assert rule("--withdraw")["state"] is None
    assert run_cli("prompt", NAME, "--sid", "s-2", cwd=seat.root).code == 1


def test_a_ruling_can_come_from_standard_input(seat: Seat, run_cli: RunCli) -> None:
    text = "F1 is dropped:\n\u2028 for good.\n"
    ran = run_cli("rule", NAME, "-", "--json", cwd=seat.root, stdin=text.encode())
    assert ran.json["text"] == text
    shown = run_cli("rule", NAME, cwd=seat.root)
    assert "given, not yet in the log" in shown.text and "on entry 2, review rev-1" in shown.text


def test_a_ruling_nobody_owes_is_refused(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("dev-1"), review("dev-1"))
    ran = run_cli("rule", NAME, "Do it.", cwd=seat.root)
    assert ran.code == 1 and "no ruling is owed" in ran.said
    assert run_cli("rule", NAME, "--withdraw", cwd=seat.root).code == 1
    assert "none is owed" in run_cli("rule", NAME, cwd=seat.root).text
    assert run_cli("rule", NAME, " ", cwd=seat.root).code == 1
    assert run_cli("rule", "nobody", "x", cwd=seat.root).code == 2


def test_what_is_owed_is_shown_where_no_ruling_was_given(seat: Seat, run_cli: RunCli) -> None:
    assert "you owe a ruling" in run_cli("rule", NAME, cwd=seat.root).text


def test_a_ruling_typed_with_a_saved_prompt_is_kept(seat: Seat, run_cli: RunCli) -> None:
    ruling = ["--ruling", "F1 is dropped."]
    run_cli("prompt", NAME, *ruling, cwd=seat.root)
    assert run_cli("rule", NAME, "--json", cwd=seat.root).json["state"] is None
    kept = seat.root.parent / "prompt.md"
    run_cli("prompt", NAME, *ruling, "--output", kept, cwd=seat.root)
    assert run_cli("rule", NAME, "--json", cwd=seat.root).json["text"] == "F1 is dropped."


def test_receipts_prove_the_bytes_that_went_out(seat: Seat, run_cli: RunCli) -> None:
    seat.write(work("dev-1"), review("dev-1"))
    kept = seat.root.parent / "prompt.md"
    assert run_cli("receipts", "--json", cwd=seat.root).json == []
    form = ("--form", "headless")
    run_cli("prompt", NAME, "--sid", "s-2", *form, "--output", kept, cwd=seat.root)
    (receipt,) = run_cli("receipts", NAME, "--json", cwd=seat.root).json
    data = kept.read_bytes()
    assert (receipt["bytes"], receipt["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert (receipt["schema"], receipt["kind"], receipt["sid"]) == (1, "dev", "s-2")
    assert receipt["form"] == "headless"
    assert "dev, advancement, headless" in run_cli("receipts", cwd=seat.root).text
    assert (receipt["launcher"], receipt["way"], receipt["place"]) == ("file", "file", str(kept))
    assert receipt["before"]["status_before"] == "in_progress"
    assert receipt["proved"] and Path(receipt["file"]).read_bytes() == data
    assert run_cli("receipts", "--json", cwd=seat.root).json == [receipt]
    Path(receipt["file"]).write_bytes(data + b"!")
    (changed,) = run_cli("receipts", "--json", cwd=seat.root).json
    assert not changed["proved"] and changed["file"] is None
    assert "the bytes are lost" in run_cli("receipts", cwd=seat.root).text


def test_receipts_of_a_task_nobody_knows_are_wrong_use(seat: Seat, run_cli: RunCli) -> None:
    assert run_cli("receipts", NAME, cwd=seat.root).text == "Nothing was handed over.\n"
    empty = run_cli("receipts", "", cwd=seat.root)
    assert empty.code == 2 and "argument ID: it is empty" in empty.said
    ran = run_cli("receipts", "nobody", cwd=seat.root)
    assert ran.code == 2 and "no task is named nobody" in ran.said


def test_receipts_of_a_task_whose_file_is_gone_remain(seat: Seat, run_cli: RunCli) -> None:
    kept = seat.root.parent / "prompt.md"
    run_cli("prompt", NAME, "--ruling", "x", "--output", kept, cwd=seat.root)
    seat.path.unlink()
    assert len(run_cli("receipts", NAME, "--json", cwd=seat.root).json) == 1


@pytest.mark.parametrize("command", [["inbox"], ["receipts"], ["rule", NAME], ["check", NAME]])
def test_looking_without_a_repository_is_one_line(
    command: list[str], tmp_path: Path, run_cli: RunCli
) -> None:
    ran = run_cli(*command, "-C", tmp_path / "nowhere")
    assert (ran.code, ran.out) == (2, b"") and ran.said.count("\n") == 1
