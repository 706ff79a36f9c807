"""What of a log's past a later version no longer says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.rewriting import Rewritten, entry_text, rewritten
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work

FIRST, SECOND, THIRD = work("a"), review("a", "r"), work("b")


def read(*entries: str, eol: str = "\n") -> Task:
    return read_task(a_task(*entries, eol=eol), "t", "t.md")


def test_a_log_that_only_grew_says_all_it_said() -> None:
    assert not rewritten(read(FIRST, SECOND), read(FIRST, SECOND, THIRD))
    assert not rewritten(read(), read(FIRST))
    assert rewritten(read(FIRST), read(FIRST)).words == ""


def test_blank_lines_behind_an_entry_are_no_change() -> None:
    assert not rewritten(read(FIRST, SECOND), read(FIRST + "\n\n", SECOND + "\n", THIRD))


def test_a_shorter_log_names_what_is_gone() -> None:
    assert rewritten(read(FIRST, SECOND, THIRD), read(FIRST)) == Rewritten(gone=(1, 2))
    assert rewritten(read(FIRST, SECOND), read()).words == "earlier entries: 2 gone"


def test_an_entry_taken_out_of_the_middle_is_the_one_that_is_gone() -> None:
    assert rewritten(read(FIRST, SECOND, THIRD), read(FIRST, THIRD)) == Rewritten(gone=(1,))


def test_another_text_under_the_same_heading_is_a_change() -> None:
    other = review("a", "r", verdict="changes-requested")
    told = rewritten(read(FIRST, SECOND), read(FIRST, other, THIRD))
    assert told == Rewritten(changed=(1,))
    assert told.words == "earlier entries: 1 changed"


def test_the_order_of_events_is_part_of_what_was_said() -> None:
    assert rewritten(read(FIRST, SECOND), read(SECOND, FIRST)) == Rewritten(moved=(1,))


def test_an_entry_put_between_earlier_ones_is_told() -> None:
    told = rewritten(read(FIRST, SECOND), read(FIRST, THIRD, SECOND))
    assert told == Rewritten(inserted=(1,))
    assert told.words == "earlier entries: 1 put between"


def test_two_entries_of_one_session_are_told_apart() -> None:
    again = work("a", done="More.")
    assert rewritten(read(FIRST, again), read(FIRST)) == Rewritten(gone=(1,))
    assert rewritten(read(FIRST), read(FIRST, again)) == Rewritten()


def test_several_things_are_told_on_one_line() -> None:
    told = rewritten(read(FIRST, SECOND, THIRD), read(work("a", done="Else."), THIRD))
    assert told.words == "earlier entries: 1 changed, 1 gone"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_the_text_of_an_entry_is_what_stands_in_the_file(eol: str) -> None:
    task = read(FIRST, SECOND, eol=eol)
    assert entry_text(task, task.entries[1]) == SECOND.replace("\n", eol)


ENTRIES = st.lists(st.sampled_from([work(f"s{n}") for n in range(6)]), unique=True, max_size=6)


@given(ENTRIES, ENTRIES)
def test_nothing_is_told_exactly_when_the_old_log_begins_the_new_one(
    old: list[str], new: list[str]
) -> None:
    told = rewritten(read(*old), read(*new))
    assert bool(told) is (new[: len(old)] != old)
    assert bool(told.words) is bool(told)


def torn(task: bytes, rest: int) -> Task:
    """The file without its last bytes."""
    return read_task(task[: len(task) - rest], "t", "t.md")


def test_an_entry_that_was_seen_half_written_is_no_change() -> None:
    whole = a_task(FIRST, SECOND)
    for rest in range(1, len(SECOND.encode()), 7):
        assert not rewritten(torn(whole, rest), read(FIRST, SECOND))
    assert not rewritten(torn(whole, 30), read(FIRST, SECOND, review("b", "r")))


def test_what_another_session_adds_to_an_entry_is_a_change() -> None:
    short, grown = work("a", open=None), work("a", open="none")
    assert rewritten(read(short), read(grown, SECOND)).changed == (0,)
    assert not rewritten(read(short), read(grown))
