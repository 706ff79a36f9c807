"""Lists of facts and kept bytes outside the repository: torn, foreign, contended, unwritable."""

from __future__ import annotations

import json
import multiprocessing
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from mandrel_tui.workspace.blobs import Blobs
from mandrel_tui.workspace.records import Records
from mandrel_tui.workspace.state import State

DATA = b"the exact bytes\r\n\x00\xff"
DIGEST = sha256(DATA).hexdigest()


@pytest.fixture
def state(tmp_path: Path) -> State:
    (tmp_path / "repository").mkdir()
    return State(tmp_path / "repository", tmp_path / "state")


@pytest.fixture
def records(state: State) -> Records:
    return Records(state, "things")


def only_file(records: Records) -> Path:
    (path,) = records.folder.glob("*.jsonl")
    return path


def numbers(records: Records, task: str = "a-task") -> list[object]:
    return [fact["n"] for fact in records.load(task).facts]


def test_facts_come_back_in_their_order(records: Records) -> None:
    assert records.append("a-task", {"n": 1}) == ""
    assert records.append("a-task", {"n": 2}, {"n": 3}) == ""
    assert numbers(records) == [1, 2, 3]
    assert records.load("another").facts == ()


@pytest.mark.parametrize("name", ["../../x", "a/b", ".", "名前", "x" * 300, "\\xff", "\udcff", "A"])
def test_no_task_name_leads_out_of_the_folder(records: Records, name: str) -> None:
    assert records.append(name, {"n": 1}) == ""
    assert numbers(records, name) == [1]
    assert only_file(records).parent == records.folder


def test_names_that_differ_only_in_letter_case_have_lists_of_their_own(records: Records) -> None:
    records.append("a", {"n": 1})
    records.append("A", {"n": 2})
    assert (numbers(records, "a"), numbers(records, "A")) == ([1], [2])
    assert records.tasks() == ("A", "a")


def test_looking_makes_nothing(records: Records) -> None:
    assert records.load("a-task").facts == () and records.tasks() == ()
    assert list(records.some(["a-task"])) == []
    assert not records.state.base.exists()


def test_which_tasks_may_have_a_list_is_known_without_opening_any(records: Records) -> None:
    records.append("b", {"n": 1})
    only_file(records).chmod(0)
    assert list(records.some(["a", "b", "c"])) == ["b"]


def test_a_line_torn_off_by_a_crash_is_set_aside_and_later_facts_are_kept(
    records: Records,
) -> None:
    records.append("a-task", {"n": 1})
    path = only_file(records)
    path.write_bytes(path.read_bytes() + b'{"task":"a-task","n":')
    assert records.append("a-task", {"n": 2}) == ""
    listed = records.load("a-task")
    assert [fact["n"] for fact in listed.facts] == [1, 2]
    assert "1 torn line is set aside" in listed.note
    assert path.with_name(path.name + ".aside").read_bytes() == b'{"task":"a-task","n":\n'
    assert records.load("a-task").note == ""


def test_a_torn_line_is_left_out_while_another_process_writes(records: Records) -> None:
    records.append("a-task", {"n": 1})
    path = only_file(records)
    path.write_bytes(path.read_bytes() + b'{"task":"a-task","n":')
    with records.state.locked():
        listed = records.load("a-task")
    assert [fact["n"] for fact in listed.facts] == [1]
    assert listed.note.endswith("1 torn line is left out")


@pytest.mark.parametrize(
    "line", [b"\x00\x00\x00", b"[1]", b"{}", b'{"task": 3}', b"[" * 100_000, b"\xff"]
)
def test_a_line_that_is_no_fact_is_never_taken_for_one(records: Records, line: bytes) -> None:
    records.append("a-task", {"n": 1})
    path = only_file(records)
    path.write_bytes(line + b"\n" + path.read_bytes())
    listed = records.load("a-task")
    assert [fact["n"] for fact in listed.facts] == [1] and listed.note


def test_a_fact_of_another_task_in_the_list_is_not_this_tasks(records: Records) -> None:
    records.append("a-task", {"n": 1})
    path = only_file(records)
    path.write_bytes(path.read_bytes() + json.dumps({"task": "other", "n": 2}).encode() + b"\n")
    assert numbers(records) == [1]


def _append_many(state: State, start: int) -> None:
    for number in range(start, start + 25):
        Records(state, "things").append("a-task", {"n": number, "pad": "x" * 500})


def test_two_processes_that_append_lose_nothing(state: State, records: Records) -> None:
    context = multiprocessing.get_context("spawn")
    jobs = [context.Process(target=_append_many, args=(state, start)) for start in (0, 100)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join(60)
    assert sorted(map(str, numbers(records))) == sorted(
        str(n) for n in [*range(25), *range(100, 125)]
    )


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"no folder")
    state = State(tmp_path, tmp_path / "state")
    assert "nothing is kept" in Records(state, "things").append("a-task", {"n": 1})
    assert "nothing is kept" in Blobs(state).put(DATA)
    assert Blobs(state).get(DIGEST) is None


def test_bytes_come_back_by_their_digest_and_lie_there_privately_once(state: State) -> None:
    blobs = Blobs(state)
    assert blobs.put(DATA) == "" and blobs.put(DATA, DIGEST) == ""
    assert blobs.get(DIGEST) == DATA
    assert stat.S_IMODE(blobs.path(DIGEST).stat().st_mode) == 0o600
    assert len([p for p in (state.folder / "blobs").rglob("*") if p.is_file()]) == 1


def test_bytes_that_are_not_those_of_the_digest_prove_nothing(state: State) -> None:
    blobs = Blobs(state)
    blobs.put(DATA)
    blobs.path(DIGEST).write_bytes(DATA[:-1] + b"x")
    assert blobs.get(DIGEST) is None
    assert blobs.get("00" * 32) is None


def test_bytes_that_were_cut_short_are_written_again(state: State) -> None:
    blobs = Blobs(state)
    blobs.put(DATA)
    blobs.path(DIGEST).write_bytes(b"")
    assert blobs.put(DATA) == ""
    assert blobs.get(DIGEST) == DATA
