"""Documents that move: what names them follows, and a document that outgrew its limit becomes a
folder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.propagation import advice, alike, both_forms, other_form, with_followers
from mandrel_tui.protocol.proposal import ACCEPT, Change, Document, Review
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.routing import routes
from mandrel_tui.protocol.targets import headings
from mandrel_tui.protocol.upgrade import fault, fitting, upgrade, upgraded
from mandrel_tui.protocol.upgrade import sections as sections_of

OLD, NEW = ".ai/design.md", ".ai/design/index.md"
INDEX = b"| Document | File |\n|---|---|\n| Design | design.md |\n| Map | map.md |\n"
DESIGN = b"""\
---
last-updated: 2026-01-01
---

# Design

Intro.

## Retry

- one

### Deep

- two

## Fifo

- three

## Retry

- four
"""
TEXTS = {
    ".ai/index.md": INDEX,
    ".ai/map.md": b"| submit | design.md |\n",
    OLD: DESIGN,
    ".ai/overview.md": b"nothing\n",
    "CLAUDE.md": b"@.ai/design.md\n@.ai/map.md\ndesign.md\n",
}


def renamed(proposed: bytes = DESIGN) -> Document:
    return Document(NEW, DESIGN, proposed, origin=OLD)


def test_what_names_a_renamed_document_follows() -> None:
    found = {doc.path: doc for doc in with_followers([renamed()], TEXTS)}
    assert found.keys() == {NEW, ".ai/index.md", ".ai/map.md", "CLAUDE.md"}
    assert found[".ai/index.md"].proposed == INDEX.replace(b"design.md", b"design/index.md")
    assert found["CLAUDE.md"].proposed == b"@.ai/design/index.md\n@.ai/map.md\ndesign.md\n"


def test_a_document_that_is_proposed_already_follows_in_its_proposed_text() -> None:
    index = Document(".ai/index.md", INDEX, INDEX + b"| Retry | design/retry.md |\n")
    found = {doc.path: doc for doc in with_followers([renamed(), index], TEXTS)}
    assert found[".ai/index.md"].proposed == (
        INDEX.replace(b"| design.md", b"| design/index.md") + b"| Retry | design/retry.md |\n"
    )


def test_a_renamed_document_that_names_itself_does_not_come_back() -> None:
    own = DESIGN + b"See .ai/design.md.\n"
    found = {doc.path: doc for doc in with_followers([renamed(own)], {**TEXTS, OLD: own})}
    assert OLD not in found
    assert (found[NEW].proposed or b"").endswith(b"See .ai/design/index.md.\n")


def test_without_a_rename_nothing_follows() -> None:
    documents = (Document(OLD, DESIGN, DESIGN + b"- x\n"),)
    assert with_followers(documents, TEXTS) == documents


@pytest.mark.parametrize(
    ("path", "other"),
    [(OLD, NEW), (NEW, OLD), (".ai/index.md", None), (".ai/a/b.md", ".ai/a/b/index.md")],
)
def test_every_document_but_the_routing_has_another_form(path: str, other: str | None) -> None:
    assert other_form(path) == other


def test_both_forms_at_once_are_found() -> None:
    assert both_forms({NEW: b"x"}, {OLD: b"y"}) == (NEW,)
    assert both_forms({NEW: b"x", OLD: None}, {OLD: b"y"}) == ()
    assert both_forms({NEW: None}, {OLD: b"y"}) == ()


def test_a_new_document_is_no_other_in_letter_case_alone() -> None:
    assert alike({".ai/Design.md": b"x"}, {OLD: b"y"}) == (".ai/Design.md",)
    assert alike({".ai/Design.md": b"x", OLD: None}, {OLD: b"y"}) == ()
    assert alike({OLD: b"x"}, {OLD: b"y", ".ai/Design.md": b"z"}) == ()


def test_a_person_is_told_of_rows_and_sizes() -> None:
    large = Document(".ai/retry.md", None, b"x" * 13_000)
    gone = Document(".ai/map.md", b"m", None)
    assert advice([large, gone, renamed()], {".ai/index.md": INDEX}) == (
        ".ai/retry.md has no row in .ai/index.md",
        ".ai/retry.md is over its limit: 3,250 of 3,000 tokens",
        ".ai/index.md still names .ai/map.md, which goes",
        ".ai/design/index.md has no row in .ai/index.md",
        ".ai/index.md still names .ai/design.md, which becomes .ai/design/index.md",
    )
    assert advice([renamed()], {}) == ()


def test_a_person_is_told_of_a_row_for_a_document_that_will_not_be_there() -> None:
    texts = {".ai/index.md": INDEX}
    index = Document(".ai/index.md", INDEX, INDEX + b"| Retry | retry.md |\n")
    said = ".ai/index.md names .ai/retry.md, which is not there"
    assert said in advice([index], texts)
    retry = Document(".ai/retry.md", None, b"# Retry\n")
    assert said not in advice([index, retry], texts)


def test_a_person_is_told_of_bytes_that_are_no_text() -> None:
    odd = Document(OLD, b"# Design\n", b"# Design\n\n- caf\xe9\n")
    assert advice([odd], {}) == (".ai/design.md holds bytes that are no UTF-8",)
    assert advice([Document(OLD, odd.proposed, b"# Design\n")], {}) == ()


def sections(*titles: str) -> list[int]:
    return [heading.line for heading in headings(DESIGN) if heading.title in titles]


def test_chosen_sections_become_documents_of_a_folder() -> None:
    moved, retry, again, index = upgrade(OLD, DESIGN, sections("Retry"), INDEX)
    assert (moved.change, moved.path, moved.origin) == (Change.RENAMED, NEW, OLD)
    assert moved.proposed == (
        DESIGN.partition(b"## Retry")[0]
        + b"- [Retry](retry.md)\n\n## Fifo\n\n- three\n\n- [Retry](retry-2.md)\n"
    )
    assert (retry.path, retry.proposed) == (
        ".ai/design/retry.md",
        b"# Retry\n\n- one\n\n## Deep\n\n- two\n",
    )
    assert (again.path, again.proposed) == (".ai/design/retry-2.md", b"# Retry\n\n- four\n")
    assert index.proposed == INDEX.replace(
        b"| design.md |\n",
        b"| design.md |\n| Retry | design/retry.md |\n| Retry | design/retry-2.md |\n",
    )


def test_an_upgrade_is_a_rename_that_routing_and_loader_follow() -> None:
    parts = upgrade(OLD, DESIGN, sections("Fifo"), INDEX)
    documents = with_followers(parts, TEXTS)
    after = {
        path: text
        for document in documents
        for path, text in Review.of(document, ACCEPT).final.items()
    }
    assert both_forms(after, TEXTS) == ()
    assert after[OLD] is None
    assert b"| Design | design/index.md |\n| Fifo | design/fifo.md |" in (
        after[".ai/index.md"] or b""
    )
    assert b"@.ai/design/index.md" in (after["CLAUDE.md"] or b"")


def test_a_title_with_a_link_or_a_pipe_stays_a_title() -> None:
    text = b"# D\n\n## [Retry](x.md) | [a\n\n- one\n"
    moved, part, index = upgrade(OLD, text, [2], INDEX)
    assert b"- [Retry | a](retry-a.md)\n" in (moved.proposed or b"")
    assert (part.proposed or b"").startswith(b"# [Retry](x.md) | [a\n")
    assert b"| Retry \\| a | design/retry-a.md |\n" in (index.proposed or b"")
    assert [route.path for route in routes(index.proposed or b"")][1] == part.path


def test_line_ends_survive_an_upgrade() -> None:
    crlf = DESIGN.replace(b"\n", b"\r\n")
    for document in upgrade(OLD, crlf, sections("Retry"), INDEX.replace(b"\n", b"\r\n")):
        text = document.proposed or b""
        assert text.count(b"\n") == text.count(b"\r\n") > 0


def test_what_is_a_folder_already_or_no_section_is_refused() -> None:
    with pytest.raises(Refusal, match="already"):
        upgrade(NEW, DESIGN, [], INDEX)
    with pytest.raises(Refusal, match="already"):
        upgrade(".ai/index.md", DESIGN, [], INDEX)
    with pytest.raises(Refusal, match="no heading"):
        upgrade(OLD, DESIGN, [1], INDEX)


def test_an_upgrade_without_sections_is_a_plain_rename() -> None:
    assert upgrade(OLD, DESIGN, [], None) == (Document(NEW, DESIGN, DESIGN, origin=OLD),)


def large(title: str, size: int) -> bytes:
    return f"## {title}\n\n{'x' * (size * 4)}\n\n".encode()


def test_the_largest_sections_leave_until_the_index_fits() -> None:
    text = b"# Design\n\n" + large("Small", 600) + large("Huge", 2000) + large("Big", 1000)
    assert fitting(OLD, text) == ("Huge", "Big")
    assert fitting(OLD, DESIGN) == ()
    assert fitting(OLD, b"x" * 20_000) == ()


def test_the_sections_that_may_leave_are_all_but_the_title() -> None:
    found = [(s.heading.title, s.tokens) for s in sections_of(DESIGN)]
    assert [title for title, _ in found] == ["Retry", "Deep", "Fifo", "Retry"]
    assert found[0][1] > found[1][1] > 0
    assert [s.heading.title for s in sections_of(b"## One\n\n## Two\n")] == ["One", "Two"]


def test_a_document_of_a_proposal_becomes_a_folder_on_what_stands_now() -> None:
    changed = Document(OLD, DESIGN, DESIGN.replace(b"- one", b"- one and more"))
    found = {doc.path: doc for doc in upgraded([changed], TEXTS, OLD, ["Retry"])}
    moved = found[NEW]
    assert (moved.base, moved.origin, moved.change) == (DESIGN, OLD, Change.RENAMED)
    assert b"one and more" in (found[".ai/design/retry.md"].proposed or b"")
    assert found[".ai/index.md"].base == INDEX
    assert b"| Retry | design/retry.md |" in (found[".ai/index.md"].proposed or b"")
    assert b"@.ai/design/index.md" in (found["CLAUDE.md"].proposed or b"")
    assert found[".ai/map.md"].proposed == b"| submit | design/index.md |\n"
    assert OLD not in found
    rejected = {p: t for d in found.values() for p, t in Review.of(d).final.items()}
    assert all(rejected[path] == TEXTS.get(path) for path in rejected)


def test_a_document_that_is_new_may_become_a_folder_at_once() -> None:
    new = Document(".ai/rules.md", None, b"# Rules\n\n## A\n\n- one\n")
    index = Document(".ai/index.md", INDEX, INDEX + b"| Rules | rules.md |\n")
    found = {doc.path: doc for doc in upgraded([new, index], TEXTS, ".ai/rules.md", ["A"])}
    assert found.keys() == {".ai/rules/index.md", ".ai/rules/a.md", ".ai/index.md"}
    assert found[".ai/rules/index.md"].change is Change.ADDED
    assert (found[".ai/index.md"].proposed or b"").endswith(
        b"| Rules | rules/index.md |\n| A | rules/a.md |\n"
    )


def test_no_section_takes_the_place_of_a_document_that_is_there() -> None:
    texts = {**TEXTS, ".ai/design/fifo.md": b"# Fifo\n"}
    paths = [document.path for document in upgraded([], texts, OLD, ["Fifo"])]
    assert ".ai/design/fifo-2.md" in paths and ".ai/design/fifo.md" not in paths


def test_links_lead_where_they_led_from_one_folder_deeper() -> None:
    text = b"# D\n\n[m](map.md#a) [u](https://x.org/map.md) [n](none.md) [s](design.md)\n\n"
    text += b"## S\n\n[o](<overview.md>)\n"
    found = {d.path: d.proposed or b"" for d in upgraded([], {**TEXTS, OLD: text}, OLD, ["S"])}
    line = b"[m](../map.md#a) [u](https://x.org/map.md) [n](none.md) [s](index.md)"
    assert line in found[NEW]
    assert b"[o](<../overview.md>)" in found[".ai/design/s.md"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (".ai/none.md", "it is not there"),
        (".ai/gone.md", "the proposal removes it"),
        (".ai/map.md", "no folder form"),
        (".ai/index.md", "already"),
        ("CLAUDE.md", "no folder form"),
        (".ai/both.md", "is there too"),
    ],
)
def test_what_cannot_become_a_folder_is_refused_in_a_sentence(path: str, words: str) -> None:
    texts = {**TEXTS, ".ai/both.md": b"x", ".ai/both/index.md": b"y", ".ai/gone.md": b"z"}
    with pytest.raises(Refusal, match=words):
        upgraded([Document(".ai/gone.md", b"z", None)], texts, path)
    assert path in (".ai/none.md", ".ai/gone.md", ".ai/both.md") or words in fault(path)


def test_a_section_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(Refusal, match=r"has no section Nope; it has Retry, Deep, Fifo$"):
        upgraded([], TEXTS, OLD, ["Nope"])


BODY = st.lists(
    st.sampled_from(["## A", "### B", "# C", "## A!", "- x", "", "text", "```", "    ## code"]),
    max_size=25,
)


@given(BODY, st.sets(st.integers(0, 24)), st.booleans())
def test_an_upgrade_keeps_every_line_in_its_order(
    body: list[str], chosen: set[int], ended: bool
) -> None:
    text = "\n".join(["# Title", *body]) + "\n" * ended
    places = [heading.line for heading in headings(text.encode()) if heading.line in chosen]
    moved, *parts = upgrade(OLD, text.encode(), places, None)
    texts = {part.path.rpartition("/")[2]: lines(part.proposed) for part in parts}
    whole: list[str] = []
    for line in lines(moved.proposed):
        name = line.partition("](")[2].removesuffix(")")
        whole += texts.pop(name) if name in texts else [line]
    assert texts == {}
    assert [bare(line) for line in whole if line] == [bare(x) for x in lines(text.encode()) if x]


def lines(text: bytes | None) -> list[str]:
    return (text or b"").decode().split("\n")


def bare(line: str) -> str:
    """A line without what raising a heading takes from it."""
    return line.lstrip("#") if line.startswith("#") else line
