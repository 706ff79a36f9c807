"""Decisions about hunks kept and taken up again: what still stands where it stood stays decided,
the rest is open again and named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Document, Review
from mandrel_tui.protocol.review_record import record, resume

PATH = ".ai/design.md"
LINES = st.lists(st.sampled_from(["- a fact of the client\n", "- b\n", "\n", "c\r\n"]), max_size=20)
DECISIONS = st.sampled_from([None, ACCEPT, REJECT, Decision(True, b"mine \xff\n")])


def a_review(old: str, new: str) -> Review:
    return Review.of(Document(PATH, old.encode(), new.encode()))


def kept(review: Review) -> object:
    """The record as it comes back from a file."""
    return json.loads(json.dumps(record([review])))


@given(LINES, LINES, st.data())
def test_decisions_about_the_same_texts_come_back_whatever_was_split(
    old: list[str], new: list[str], data: st.DataObject
) -> None:
    review = a_review("".join(old), "".join(new))
    for number in reversed(range(len(review.hunks))):
        if data.draw(st.booleans()):
            review = review.split(number, pieces(review.hunks[number]))
    for number in range(len(review.hunks)):
        review = review.decide(number, data.draw(DECISIONS))
    again = resume([review.document], kept(review))
    assert again.reopened == ()
    assert again.reviews[0].text == review.text
    assert sum(map(bool, again.reviews[0].decisions)) == sum(map(bool, review.decisions))


def test_a_hunk_whose_text_moved_is_open_again_and_named() -> None:
    review = a_review("a\nb\nc\nd\n", "a\nB\nc\nD\n").decide(0, ACCEPT).decide(1, REJECT)
    again = resume([Document(PATH, b"a\nb\nc\nd\n", b"a\nBB\nc\nD\n")], kept(review))
    assert again.reviews[0].decisions == (None, REJECT)
    assert again.reopened == ((PATH, 1),)


def test_a_hunk_whose_base_moved_is_open_again_and_others_stay_decided() -> None:
    review = a_review("a\nb\nc\nd\n", "a\nB\nc\nD\n").decide(0, ACCEPT).decide(1, REJECT)
    again = resume([Document(PATH, b"new\na\nb2\nc\nd\n", b"new\na\nB\nc\nD\n")], kept(review))
    assert again.reviews[0].decisions == (None, REJECT)
    assert again.reopened == ((PATH, 1),)


def test_a_document_that_is_no_longer_proposed_is_named_when_it_was_decided() -> None:
    review = a_review("a\n", "b\n").decide(0, ACCEPT)
    assert resume([], kept(review)).reopened == ((PATH, 1),)
    assert resume([], kept(a_review("a\n", "b\n"))).reopened == ()


@pytest.mark.parametrize(
    "recorded",
    [None, 3, {}, [3], [{"path": PATH}], [{"path": PATH, "hunks": [None, {"key": [1, 2]}]}]],
)
def test_what_is_no_record_counts_as_none(recorded: object) -> None:
    again = resume([Document(PATH, b"a\n", b"b\n")], recorded)
    assert again.reviews[0].decisions == (None,)
    assert again.reopened == ()
