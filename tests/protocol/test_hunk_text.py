"""A hunk written anew: what comes back unchanged decides for its side, and line ends stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.hunk_text import decided, refusal, text_of
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Document, Review

LINES = st.lists(st.sampled_from(["- a", "", "é", "\x1b[2J", "b \udcff"]), min_size=1, max_size=5)


def a_review(old: bytes, new: bytes) -> Review:
    return Review.of(Document(".ai/design.md", old, new))


def encoded(lines: list[str], eol: str) -> bytes:
    return "".join(f"{line}{eol}" for line in lines).encode("utf-8", "surrogateescape")


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_text_that_comes_back_unchanged_accepts_the_hunk(
    old: list[str], new: list[str], eol: str, ended: bool
) -> None:
    proposed = encoded(new, eol)
    review = a_review(encoded(old, eol), proposed if ended else proposed.removesuffix(eol.encode()))
    for hunk in range(len(review.hunks)):
        if review.hunks[hunk].new:
            assert decided(review, hunk, text_of(review, hunk)) == ACCEPT


def test_the_old_lines_typed_again_reject_the_hunk() -> None:
    assert decided(a_review(b"a\nb\n", b"a\nc\n"), 0, "b") == REJECT


def test_what_is_written_ends_its_lines_as_the_document_does() -> None:
    review = a_review(b"a\r\nb\r\n", b"a\r\nc\r\n")
    assert decided(review, 0, "x\ny") == Decision(True, b"x\r\ny\r\n")
    assert decided(a_review(b"a\nb\n", b"a\nc"), 0, "x\ny") == Decision(True, b"x\ny")


def test_an_edited_hunk_is_edited_on() -> None:
    review = a_review(b"a\nb\n", b"a\nc\n").decide(0, Decision(True, b"mine\nmore\n"))
    assert text_of(review, 0) == "mine\nmore"


def test_a_hunk_without_lines_or_with_other_separators_is_not_written_here() -> None:
    assert refusal(Review.of(Document(".ai/a.md", None, b"")), 0) == "it has no lines"
    odd = a_review(b"a\n", "x\u2028y\n".encode())
    assert refusal(odd, 0) == "it holds separators that are no line ends"
    assert refusal(a_review(b"a\n", b"\x1b[2J\n\n"), 0) == ""
