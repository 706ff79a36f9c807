"""Proposals as hunks: what is accepted is the new text, what is rejected the old, and nothing else
moves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import (
    ACCEPT,
    REJECT,
    Change,
    Decision,
    Document,
    Hunk,
    Review,
    hunks,
    text_hunks,
)
from mandrel_tui.protocol.stamps import stamp_lines

PATH = ".ai/design.md"
LINE = st.sampled_from(["a", "b", "- c d e", "- c d f", "", "  more", "é", "x\u2028y", "z\x85"])
END = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def texts(draw: Callable[..., object]) -> bytes:
    """Any document: a mark or none, any line ends, with or without the last of them."""
    lines = draw(st.lists(st.tuples(LINE, END), max_size=14))
    whole = "".join(line + end for line, end in lines)  # type: ignore[attr-defined]
    if draw(st.booleans()):
        whole = whole.removesuffix("\n").removesuffix("\r")
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + whole.encode()


BYTES = st.one_of(texts(), st.binary(max_size=30))


def changed(base: bytes | None, proposed: bytes | None) -> Document:
    return Document(PATH, base, proposed)


@given(BYTES, BYTES)
def test_accepting_all_gives_the_proposal(base: bytes, proposed: bytes) -> None:
    assert Review.of(changed(base, proposed), ACCEPT).text == proposed


@given(BYTES, BYTES)
def test_rejecting_all_gives_the_base(base: bytes, proposed: bytes) -> None:
    assert Review.of(changed(base, proposed), REJECT).text == base


@given(BYTES, BYTES)
def test_what_is_open_counts_as_rejected(base: bytes, proposed: bytes) -> None:
    review = Review.of(changed(base, proposed))
    assert review.text == base
    assert len(review.open) == len(review.hunks)


def mixture(base: bytes, review: Review) -> bytes:
    """The same mixture worked out one line at a time, from nothing but line numbers."""
    old = lines_of(base)
    taken: list[bytes] = []
    for number, line in enumerate([*old, None]):
        for hunk, decision in zip(review.hunks, review.decisions, strict=True):
            if hunk.old_start == number and decision is not None and decision.accept:
                taken += hunk.new if decision.text is None else lines_of(decision.text)
        gone = any(
            hunk.old_start <= number < hunk.old_end and decision is not None and decision.accept
            for hunk, decision in zip(review.hunks, review.decisions, strict=True)
        )
        if line is not None and not gone:
            taken.append(line)
    eol = b"\r\n" if (base or b"").split(b"\n", 1)[0].endswith(b"\r") and b"\n" in base else b"\n"
    return b"".join(
        line if line.endswith(b"\n") or last else line + eol
        for line, last in zip(taken, [*([False] * (len(taken) - 1)), True], strict=False)
    )


@given(texts().filter(bool), texts(), st.data())
def test_any_mixture_is_the_same_line_by_line(
    base: bytes, proposed: bytes, data: st.DataObject
) -> None:
    review = Review.of(changed(base, proposed))
    for number in reversed(range(len(review.hunks))):
        if data.draw(st.booleans()):
            review = review.split(number, pieces(review.hunks[number]))
    written = texts().map(lambda text: Decision(True, text))
    choice = st.one_of(st.sampled_from([ACCEPT, REJECT, None]), written)
    for number in range(len(review.hunks)):
        review = review.decide(number, data.draw(choice))
    assert review.text == mixture(base, review)


@given(texts(), texts())
def test_pieces_of_a_hunk_together_are_the_hunk(base: bytes, proposed: bytes) -> None:
    for hunk in text_hunks(base, proposed):
        parts = pieces(hunk)
        assert sum((part.old for part in parts), ()) == hunk.old
        assert sum((part.new for part in parts), ()) == hunk.new
        assert all(part.old or part.new for part in parts)
        for first, second in pairwise(parts):
            assert (first.old_end, first.new_end) == (second.old_start, second.new_start)


@given(texts(), texts())
def test_bytes_outside_the_hunks_never_change(base: bytes, proposed: bytes) -> None:
    review = Review.of(changed(base, proposed), ACCEPT)
    old, new = lines_of(base), lines_of(proposed)
    ours = [
        n for n in range(len(old)) if not any(h.old_start <= n < h.old_end for h in review.hunks)
    ]
    theirs = [
        n for n in range(len(new)) if not any(h.new_start <= n < h.new_end for h in review.hunks)
    ]
    assert [old[n] for n in ours] == [new[n] for n in theirs]


def test_each_hunk_knows_its_lines_on_both_sides() -> None:
    found = hunks(changed(b"a\nb\nc\n", b"a\nB\nc\nd"))
    assert found == (Hunk(1, 1, (b"b\n",), (b"B\n",)), Hunk(3, 3, (), (b"d",)))


def test_a_missing_last_line_end_is_a_difference_of_its_own() -> None:
    (hunk,) = hunks(changed(b"a\nb", b"a\nb\n"))
    assert (hunk.old, hunk.new) == ((b"b",), (b"b\n",))


def test_line_ends_that_change_are_a_difference() -> None:
    (hunk,) = hunks(changed(b"a\r\nb\r\n", b"a\nb\n"))
    assert len(hunk.old) == 2


def test_a_line_taken_behind_one_without_an_end_stands_on_its_own() -> None:
    review = Review.of(changed(b"a\r\nb", b"a\r\nb\r\nc\r\n"))
    review = review.split(0, (Hunk(1, 1, (b"b",), (b"b\r\n",)), Hunk(2, 2, (), (b"c\r\n",))))
    assert review.decide(1, ACCEPT).text == b"a\r\nb\r\nc\r\n"
    assert review.decide(0, ACCEPT).text == b"a\r\nb\r\n"


def test_an_edited_hunk_is_the_text_written_in_its_place() -> None:
    review = Review.of(changed(b"a\nb\nc\n", b"a\nB\nc\n"))
    assert review.decide(0, Decision(True, b"other\nlines")).text == b"a\nother\nlines\nc\n"
    assert review.decide(0, Decision(True, b"")).text == b"a\nc\n"


def test_stamps_are_no_difference() -> None:
    old = b"---\nlast-updated: 2026-01-01\nverified-against: a\n---\n\n- fact\n"
    new = b"---\nverified-against: b\n---\n\n- fact\n"
    assert not changed(old, new).differs
    assert not changed(new, old).differs
    more = new + b"- other\n"
    assert Review.of(changed(old, more), ACCEPT).text == old + b"- other\n"


def test_front_matter_that_comes_as_a_whole_is_a_difference() -> None:
    document = changed(b"# t\n", b"---\nlast-updated: 2026-01-01\n---\n# t\n")
    assert Review.of(document, ACCEPT).text == document.proposed


@given(texts(), texts())
def test_a_document_differs_exactly_when_more_than_its_stamps_does(
    base: bytes, proposed: bytes
) -> None:
    assert not stamp_lines(base) and not stamp_lines(proposed)
    assert changed(base, proposed).differs == (base != proposed)


def test_an_added_document_is_there_when_any_part_of_it_is_accepted() -> None:
    review = Review.of(changed(None, b"a\n\nb\n"))
    assert review.document.change is Change.ADDED
    assert review.text is None
    assert review.edits == ()
    assert review.decide(0, ACCEPT).edits == (Edit(PATH, None, b"a\n\nb\n"),)
    parts = review.split(0, pieces(review.hunks[0]))
    assert parts.decide(len(parts.hunks) - 1, ACCEPT).text == b"b\n"


def test_a_removed_document_is_gone_only_when_all_of_it_is_accepted() -> None:
    review = Review.of(changed(b"a\n\nb\n", None))
    assert review.document.change is Change.REMOVED
    assert review.decide(0, ACCEPT).edits == (Edit(PATH, b"a\n\nb\n", None),)
    parts = review.split(0, pieces(review.hunks[0]))
    assert len(parts.hunks) > 1
    assert parts.decide(0, ACCEPT).text == b"b\n"
    assert review.decide(0, Decision(True, b"c\n")).text == b"c\n"


@pytest.mark.parametrize(("base", "proposed"), [(None, b""), (b"", None)])
def test_a_document_without_text_is_decided_as_a_whole(
    base: bytes | None, proposed: bytes | None
) -> None:
    review = Review.of(changed(base, proposed))
    assert review.hunks == (Hunk(0, 0, whole=True),)
    assert review.decide(0, REJECT).edits == ()
    assert review.decide(0, ACCEPT).edits == (Edit(PATH, base, proposed),)


def test_a_rename_is_decided_apart_from_the_text() -> None:
    new = ".ai/design/index.md"
    review = Review.of(Document(new, b"a\nb\n", b"a\nB\n", origin=PATH))
    assert review.document.change is Change.RENAMED
    assert [hunk.whole for hunk in review.hunks] == [True, False]
    both = review.decide(0, ACCEPT).decide(1, ACCEPT)
    assert both.edits == (Edit(new, None, b"a\nB\n"), Edit(PATH, b"a\nb\n", None))
    assert review.decide(1, ACCEPT).edits == (Edit(PATH, b"a\nb\n", b"a\nB\n"),)
    moved = (Edit(new, None, b"a\nb\n"), Edit(PATH, b"a\nb\n", None))
    assert review.decide(0, ACCEPT).edits == moved


def test_decided_hunks_are_counted_and_can_be_opened_again() -> None:
    review = Review.of(changed(b"a\nb\nc\n", b"A\nb\nC\n")).decide(0, ACCEPT)
    assert (review.count(True), review.count(False), review.open) == (1, 0, (1,))
    rest = review.decide_open(REJECT)
    assert (rest.count(True), rest.count(False), rest.open) == (1, 1, ())
    assert rest.decide(0, None).open == (0,)
