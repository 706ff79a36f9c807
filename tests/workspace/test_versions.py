"""Every version of a task file that was seen is kept; a log that was rewritten is an alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.versions import Versions
from tests.builders import a_task, review, work

FIRST, SECOND, THIRD = work("a"), review("a", "r"), work("b")


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path, tmp_path / "state")


@pytest.fixture
def versions(state: State) -> Versions:
    return Versions(state)


def see(versions: Versions, *entries: str, at: str = "t1", name: str = "t") -> bytes:
    data = a_task(*entries)
    assert versions.saw(read_task(data, name, f".ai-tasks/{name}.md"), lambda: data, at) == ""
    return data


def seen(versions: Versions) -> list[str]:
    return [version.at for version in versions.of("t")]


def test_each_version_is_kept_once_and_can_be_had_again(versions: Versions) -> None:
    first = see(versions, FIRST, at="t1")
    see(versions, FIRST, at="t2")
    second = see(versions, FIRST, SECOND, at="t3")
    assert seen(versions) == ["t1", "t3"]
    assert [versions.bytes_of(v.sha256) for v in versions.of("t")] == [first, second]
    assert [v.size for v in versions.of("t")] == [len(first), len(second)]


def test_a_version_that_comes_back_is_listed_again_and_kept_once(
    versions: Versions, state: State
) -> None:
    for at, entries in (("t1", (FIRST,)), ("t2", (FIRST, SECOND)), ("t3", (FIRST,))):
        see(versions, *entries, at=at)
    assert seen(versions) == ["t1", "t2", "t3"]
    assert len([p for p in (state.folder / "blobs").rglob("*") if p.is_file()]) == 2


def test_another_run_of_the_program_goes_on_where_the_last_one_ended(
    versions: Versions, state: State
) -> None:
    see(versions, FIRST, at="t1")
    see(Versions(state), FIRST, at="t2")
    see(Versions(state), FIRST, SECOND, at="t3")
    assert seen(Versions(state)) == ["t1", "t3"]


def test_a_file_written_to_between_two_looks_is_kept_at_the_next(versions: Versions) -> None:
    data = a_task(FIRST)
    task = read_task(data, "t", "t.md")
    assert versions.saw(task, lambda: data + b"more", "t1") == ""
    assert versions.of("t") == ()


def test_a_log_that_grows_is_no_alarm(versions: Versions) -> None:
    see(versions, FIRST)
    see(versions, FIRST, SECOND)
    assert versions.alarms(["t", "u"]) == {}


def test_a_log_that_shrank_is_an_alarm_until_it_says_all_again(versions: Versions) -> None:
    whole = see(versions, FIRST, SECOND, at="t1")
    see(versions, FIRST, at="t2")
    assert versions.alarms(["t"]) == {"t": "earlier entries: 1 gone, seen t2"}
    last = versions.latest("t")
    assert last is not None and versions.bytes_of(last.against) == whole
    see(versions, FIRST, SECOND, THIRD, at="t3")
    assert versions.alarms(["t"]) == {}


def test_a_change_stays_an_alarm_while_the_log_grows_on(versions: Versions, state: State) -> None:
    see(versions, FIRST, at="t1")
    other = work("a", done="Something else.")
    see(versions, other, at="t2")
    see(Versions(state), other, SECOND, at="t3")
    assert "1 changed" in Versions(state).alarms(["t"])["t"]


def test_a_file_written_in_two_halves_is_no_alarm_in_the_end(versions: Versions) -> None:
    see(versions, FIRST, SECOND)
    see(versions, FIRST, SECOND[: len(SECOND) // 2])
    assert versions.alarms(["t"])
    see(versions, FIRST, SECOND, THIRD)
    assert versions.alarms(["t"]) == {}


def test_what_a_human_accepted_is_no_alarm_and_the_next_change_is_one(
    versions: Versions, state: State
) -> None:
    see(versions, FIRST, SECOND, at="t1")
    see(versions, FIRST, at="t2")
    assert versions.accept("t", "t3") == ""
    assert versions.alarms(["t"]) == {} and Versions(state).alarms(["t"]) == {}
    assert seen(Versions(state)) == ["t1", "t2"]
    see(versions, at="t4")
    assert "1 gone" in versions.alarms(["t"])["t"]


def test_where_nothing_can_be_kept_that_is_said_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"")
    versions = Versions(State(tmp_path, tmp_path / "state"))
    data = a_task(FIRST)
    assert "nothing is kept" in versions.saw(read_task(data, "t", "t.md"), lambda: data, "t1")
    assert versions.of("t") == () and versions.alarms(["t"]) == {}
    assert versions.accept("t", "t2") == ""


def test_a_fact_of_another_shape_is_left_out(versions: Versions) -> None:
    see(versions, FIRST)
    versions.records.append("t", {"sha256": 3, "at": "x", "size": 1}, {"at": "x"})
    assert len(versions.of("t")) == 1


@pytest.mark.parametrize("digest", ["a\0b", "a\ud800b", "", "/etc/passwd"])
def test_a_recorded_digest_that_is_none_hides_no_task(versions: Versions, digest: str) -> None:
    versions.records.append("t", {"sha256": digest, "at": "t0", "size": 1})
    see(versions, FIRST)
    assert versions.alarms(["t"]) == {}
    assert len(versions.of("t")) == 2
