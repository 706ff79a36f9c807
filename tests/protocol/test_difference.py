"""Where two texts part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.difference import STEP, first_difference

TEXTS = st.lists(st.sampled_from([b"a", b"b", b"\n", b"\r\n", b"\xff"]), max_size=12).map(b"".join)


@given(TEXTS, TEXTS)
def test_all_before_it_is_the_same_and_it_is_not(old: bytes, new: bytes) -> None:
    found = first_difference(old, new)
    assert (found is None) == (old == new)
    if found is not None:
        at = found.at
        assert old[:at] == new[:at] and old[at : at + 1] != new[at : at + 1]
        lines = old[:at].split(b"\n")
        assert (found.line, found.column) == (len(lines), len(lines[-1]) + 1)
        assert old.startswith(found.old, at) and new.startswith(found.new, at)
        assert bool(found.old) == (at < len(old)) and bool(found.new) == (at < len(new))


def test_it_is_found_far_into_long_texts() -> None:
    head = b"x" * (3 * STEP + 5)
    found = first_difference(head + b"\nold", head + b"\nnew")
    assert found is not None
    assert (found.at, found.line, found.column) == (3 * STEP + 6, 2, 1)
    assert (found.old, found.new) == (b"old", b"new")
