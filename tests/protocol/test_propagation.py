"""Documents that move: what names them follows, and a document that outgrew its limit becomes a
folder."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.propagation import advice, both_forms, other_form, with_followers
from mandrel_tui.protocol.proposal import ACCEPT, Change, Document, Review
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.targets import headings
from mandrel_tui.protocol.upgrade import upgrade

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
