"""Reviews as rows, hunks as pieces, lines as words: what stands beside each other belongs so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.pieces import pieces
from mandrel_tui.protocol.proposal import Decision, Document, Hunk, Review
from mandrel_tui.protocol.sides import Row, rows
from mandrel_tui.protocol.words import LONGEST, alike, marks

TEXT = st.lists(st.sampled_from(["a\n", "- b c d\n", "- b c e\n", "\n", "x", "y\r\n"]), max_size=20)


def a_review(old: str, new: str) -> Review:
    return Review.of(Document(".ai/design.md", old.encode(), new.encode()))


@given(TEXT, TEXT, st.sampled_from([None, 0, 1, 3]))
def test_the_rows_are_both_texts_in_order(
    old: list[str], new: list[str], context: int | None
) -> None:
    review = a_review("".join(old), "".join(new))
    found = rows(review, context)
    shown = [row.old for row in found if row.old], [row.new for row in found if row.new]
    for side, text in zip(shown, ("".join(old), "".join(new)), strict=True):
        lines = lines_of(text.encode())
        assert all(lines[one.number - 1] == one.line for one in side)
        assert [one.number for one in side] == sorted({one.number for one in side})
        assert len(side) + sum(row.folded for row in found) == len(lines)
    if context is None:
        assert not any(row.folded for row in found)


def test_unchanged_lines_far_from_a_hunk_are_one_row() -> None:
    old = "".join(f"{n}\n" for n in range(20))
    found = rows(a_review(old, old.replace("10\n", "ten\n")), 2)
    assert [row.folded for row in found if row.folded] == [8, 7]
    assert [row.hunk for row in found if row.hunk is not None] == [0]


def test_a_fold_that_would_save_nothing_is_not_made() -> None:
    found = rows(a_review("a\nb\nc\nd\n", "a\nb\nc\nD\n"), 2)
    assert not any(row.folded for row in found)


def test_new_lines_are_numbered_as_in_the_proposal() -> None:
    found = rows(a_review("a\nb\n", "new\na\nb\n"))
    assert [(row.old and row.old.number, row.new and row.new.number) for row in found] == [
        (None, 1),
        (1, 2),
        (2, 3),
    ]


def test_what_a_person_wrote_in_place_of_a_hunk_is_shown_and_numbers_stay_the_proposal_s() -> None:
    review = a_review("a\nb\nc\n", "a\nB\nc\n").decide(0, Decision(True, b"one\ntwo\n"))
    found = rows(review)
    assert [row.new and (row.new.number, row.new.line) for row in found] == [
        (1, b"a\n"),
        (2, b"one\n"),
        (3, b"two\n"),
        (3, b"c\n"),
    ]


def test_a_document_without_text_has_no_rows() -> None:
    assert rows(Review.of(Document(".ai/x.md", None, b""))) == ()


def test_facts_that_are_alike_stand_beside_each_other() -> None:
    old = "- the client retries with the same id\n- the server drops the second\n"
    new = "- a new line\n- the client retries with a fresh id\n- the server drops the second one\n"
    found = rows(a_review(old, new))
    assert [(row.old and row.old.number, row.new and row.new.number) for row in found] == [
        (None, 1),
        (1, 2),
        (2, 3),
    ]


def test_a_hunk_is_cut_where_its_facts_begin() -> None:
    new = (b"- one\n", b"  goes on\n", b"- two\n", b"\n", b"A paragraph\n", b"goes on.\n")
    assert [part.new for part in pieces(Hunk(3, 3, (), new))] == [
        (b"- one\n", b"  goes on\n"),
        (b"- two\n", b"\n"),
        (b"A paragraph\n", b"goes on.\n"),
    ]


def test_a_hunk_of_one_fact_is_one_piece() -> None:
    hunk = Hunk(0, 0, (b"- a b c\n",), (b"- a b d\n",))
    assert pieces(hunk) == (hunk,)
    whole = Hunk(0, 0, whole=True)
    assert pieces(whole) == (whole,)


def test_a_long_hunk_is_cut_too() -> None:
    old = tuple(f"- old {n}\n".encode() for n in range(500))
    new = tuple(f"- new {n}\n".encode() for n in range(500))
    assert len(pieces(Hunk(0, 0, old, new))) == 500


def words(line: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [line[start:end] for start, end in spans]


def test_changed_words_are_marked_together() -> None:
    old, new = "it owns its stall detection.", "it owns its own stall detection; mostly here."
    ours, theirs = marks(old, new)
    assert words(old, ours) == []
    assert words(new, theirs) == ["own ", "; mostly here"]


def test_lines_with_nothing_in_common_are_marked_whole() -> None:
    assert marks("one two", "three four") == (((0, 7),), ((0, 10),))
    assert marks("", "new") == ((), ((0, 3),))


def test_a_very_long_line_is_marked_whole_unlooked_at() -> None:
    line = "word " * LONGEST
    assert marks(line, line + "x") == (((0, len(line)),), ((0, len(line) + 1),))


@given(st.text("ab .-é", max_size=30), st.text("ab .-é", max_size=30))
def test_what_is_not_marked_is_the_same_on_both_sides(old: str, new: str) -> None:
    def rest(line: str, spans: tuple[tuple[int, int], ...]) -> str:
        marked = {n for start, end in spans for n in range(start, end)}
        return "".join(c for n, c in enumerate(line) if n not in marked)

    ours, theirs = marks(old, new)
    assert "".join(rest(old, ours).split()) == "".join(rest(new, theirs).split())


@pytest.mark.parametrize(
    ("old", "new", "share"), [("a b", "a c", 0.5), ("", "", 1.0), ("!", "?", 0)]
)
def test_likeness_is_the_share_of_common_words(old: str, new: str, share: float) -> None:
    assert alike(old, new) == share


def test_a_row_of_nothing_is_no_row() -> None:
    assert Row() not in rows(a_review("a\n", "b\n"))
