"""What stands behind a hunk: its facts, and what it means for routing, map and size."""

from __future__ import annotations

from dataclasses import replace

from mandrel_tui.protocol.admission import Answer, Item, Sheet
from mandrel_tui.protocol.behind import (
    behind,
    map_words,
    routing_words,
    section_of,
    size_of,
    untold,
    within,
)
from mandrel_tui.protocol.candidates import Fact, facts_of_document
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Document, Review

BASE = (
    b"# Design\n\n## Retry\n\n- The client retries with the same id.\n\n## Fifo\n\n- One queue.\n"
)
NEW = BASE.replace(
    b"- The client retries with the same id.\n",
    b"- The client returns to the main loop: the idempotency cache cannot tell executed steps.\n",
)
INDEX = b"| document | for |\n|---|---|\n| design.md | why things are so |\n"
MAP = b"| name | where |\n|---|---|\n| `submit` | design.md, Retry |\n| `fifo` | fifo/ |\n"
TEXTS = {".ai/index.md": INDEX, ".ai/map.md": MAP}


def an_item(text: str, answer: Answer = Answer.PASS) -> Item:
    return Item((Fact(text, 1, 1),), text, (answer,) * 3)


def a_review(base: bytes | None = BASE, new: bytes | None = NEW, path: str = "design.md") -> Review:
    return Review.of(Document(f".ai/{path}", base, new))


def test_the_fact_that_shares_most_words_stands_behind_a_hunk() -> None:
    right = an_item("Rejected: the idempotency cache cannot tell executed from confirmed steps.")
    other = an_item("The drain was moved into its own package.")
    assert behind(a_review().hunks[0], [other, right]) == (right,)


def test_an_admitted_fact_comes_before_one_that_was_dropped() -> None:
    dropped = an_item("the idempotency cache cannot tell executed steps", Answer.FAIL)
    kept = an_item("idempotency cache: executed steps cannot be told, so return")
    assert behind(a_review().hunks[0], [dropped, kept]) == (kept, dropped)


def test_an_item_is_told_by_what_a_hunk_brings_in_not_by_what_it_takes() -> None:
    hunk = a_review().hunks[0]
    words = an_item(b"".join(hunk.new).decode())
    assert untold([words], [hunk]) == ()
    assert untold([words], [replace(hunk, new=(), old=hunk.new)]) == (words,)
    assert untold([words], []) == (words,)


def test_nothing_stands_behind_a_hunk_that_shares_no_words() -> None:
    assert behind(a_review().hunks[0], [an_item("Metrics carry their region label.")]) == ()


def test_the_facts_of_a_memory_file_stand_behind_the_hunk_over_their_lines() -> None:
    data = b"# A\n\n- one fact\n- another fact\n"
    items = Sheet.of(facts_of_document(data)).items
    review = a_review(data, b"# A\n\n- one fact\n", "a.md")
    assert within(review.hunks[0], items) == (items[1],)


def test_the_section_of_a_hunk_is_the_heading_above_it() -> None:
    review = a_review()
    assert section_of(review, review.hunks[0]) == "Retry"
    gone = a_review(BASE, None)
    assert section_of(gone, gone.hunks[0]) in ("", "Design")


def test_the_map_is_told_by_the_row_that_names_the_section_or_the_document() -> None:
    review = a_review()
    assert map_words(review, review.hunks[0], TEXTS) == "row `submit` names this section"
    other = a_review(b"# X\n", b"# X\n- y\n")
    assert map_words(other, other.hunks[0], TEXTS) == "row `submit` names this document"
    assert map_words(review, review.hunks[0], {}) == "no row names it"


def test_the_routing_is_told_where_a_document_comes_or_goes() -> None:
    assert routing_words(a_review(), TEXTS) == "no change"
    assert routing_words(a_review(None, NEW, "new.md"), TEXTS) == "no row in .ai/index.md"
    assert routing_words(a_review(BASE, None), TEXTS) == "its row stays behind"
    assert routing_words(a_review(path="index.md"), TEXTS) == "this is the routing"
    assert routing_words(a_review(), {}) == "there is no .ai/index.md"


def test_the_routing_is_told_by_what_is_decided_of_a_row_that_is_offered() -> None:
    comes = a_review(None, NEW, "new.md")
    offered = a_review(INDEX, INDEX + b"| new.md | new |\n", "index.md")
    taken, left = (offered.decide(0, one) for one in (ACCEPT, REJECT))
    assert routing_words(comes, TEXTS, offered) == "no row in .ai/index.md yet, one is offered"
    assert routing_words(comes, TEXTS, taken) == "has a row"
    assert routing_words(comes, TEXTS, left) == "no row in .ai/index.md"
    goes = a_review(BASE, None)
    offered = a_review(INDEX, INDEX[: INDEX.index(b"| design")], "index.md")
    taken, left = (offered.decide(0, one) for one in (ACCEPT, REJECT))
    assert routing_words(goes, TEXTS, offered) == "its row may go, too"
    assert routing_words(goes, TEXTS, taken) == "its row goes, too"
    assert routing_words(goes, TEXTS, left) == "its row stays behind"


def test_open_hunks_count_as_proposed_in_the_size_and_rejected_ones_do_not() -> None:
    review = a_review(b"x" * 400, b"x" * 400 + b"\n" + b"y" * 16_000)
    assert size_of(review).over and size_of(review).limit == 3_000
    rejected = review.decide_open(REJECT)
    assert (size_of(rejected).before, size_of(rejected).after) == (100, 100)
