"""The line diff: every pair it finds is equal, in order, and hostile texts cost little."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol import patience
from mandrel_tui.protocol.patience import Changed, changes, common, lines_of

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d", "e\r\n"]), max_size=30)


def rebuilt(old: list[str], new: list[str]) -> list[str]:
    """The new version from the old one and what changed."""
    out, at = [], 0
    for found in changes(old, new):
        out += old[at : found.old_start] + new[found.new_start : found.new_end]
        at = found.old_end
    return out + old[at:]


@given(LINES, LINES)
def test_the_changes_turn_the_old_version_into_the_new_one(old: list[str], new: list[str]) -> None:
    assert rebuilt(old, new) == new


@given(LINES, LINES)
def test_common_lines_are_equal_and_ascend_on_both_sides(old: list[str], new: list[str]) -> None:
    pairs = common(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(LINES, LINES)
def test_an_equal_line_stands_between_two_changes(old: list[str], new: list[str]) -> None:
    for first, second in pairwise(changes(old, new)):
        assert second.old_start > first.old_end and second.new_start > first.new_end


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]) -> None:
    assert changes(lines, lines) == ()


@given(st.binary(max_size=60))
def test_lines_are_the_whole_text_and_end_at_line_feeds_alone(data: bytes) -> None:
    lines = lines_of(data)
    assert b"".join(lines) == data
    assert all(line.count(b"\n") == line.endswith(b"\n") for line in lines)
    assert all(line.endswith(b"\n") for line in lines[:-1])


def test_other_separators_end_no_line() -> None:
    assert lines_of("a\u2028b\x0cc\x85d\re\r\nf".encode()) == [
        "a\u2028b\x0cc\x85d\re\r\n".encode(),
        b"f",
    ]


def test_unique_lines_hold_a_moved_function_together() -> None:
    old = ["def a\n", "{\n", "}\n", "def b\n", "{\n", "}\n"]
    new = ["def new\n", "{\n", "}\n", *old]
    assert changes(old, new) == (Changed(0, 0, 0, 3),)


def compared(old: list[str], new: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many lines difflib was given while comparing."""
    given = 0
    real = patience.SequenceMatcher

    def counting(junk: None, a: list[str], b: list[str], autojunk: bool) -> object:
        nonlocal given
        given += len(a) * len(b)
        return real(junk, a, b, autojunk=autojunk)

    monkeypatch.setattr(patience, "SequenceMatcher", counting)
    assert rebuilt(old, new) == new
    return given


HOSTILE = {
    "repeated lines": (
        ["\n" if n % 2 else f"w{n % 7}\n" for n in range(4000)],
        ["\n" if n % 2 else f"w{n % 5}\n" for n in range(4000)],
    ),
    "one line over and over": (["a\n"] * 3000 + ["b\n"], ["c\n", *["a\n"] * 2500]),
    "nothing shared": ([f"a{n}\n" for n in range(5000)], [f"b{n}\n" for n in range(5000)]),
    "everything twice": (
        [f"{n // 2}\n" for n in range(4000)],
        [f"{n // 2}\n" for n in reversed(range(4000))],
    ),
    "reversed": ([f"{n}\n" for n in range(4000)], [f"{n}\n" for n in reversed(range(4000))]),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_texts_leave_little_to_difflib(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = HOSTILE[case]
    assert compared(old, new, monkeypatch) <= 100 * (len(old) + len(new))


def test_nested_anchors_are_not_followed_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = 0
    real = patience._unique

    def counting(*arguments: object) -> object:
        nonlocal rounds
        rounds += 1
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(patience, "_unique", counting)
    old = [f"{n}\n" for pair in range(600) for n in (pair, pair + 1, pair)]
    new = [f"{n}\n" for pair in range(600) for n in (pair + 1, pair, pair)]
    assert rebuilt(old, new) == new
    assert rounds <= 4 * len(old)
