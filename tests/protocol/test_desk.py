"""The desk: what is decided about facts, hunks and tasks, kept, taken up again and taken back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mandrel_tui.protocol.admission import Answer, Outcome, Target
from mandrel_tui.protocol.candidates import facts_of_document, facts_of_log
from mandrel_tui.protocol.desk import Desk, Given, Source, source_of
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Document
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.targets import Library
from tests.builders import a_task, work

DESIGN = b"# Design\n\n## Retry\n\n- The client retries.\n"
TEXTS = {".ai/design.md": DESIGN, ".ai/modules.md": b"# Modules\n"}
OWN = Source()
FILE = b"# Rules\n\n- use pnpm, never npm\n- we are currently refactoring\n\nA paragraph.\n"


def log(*done: str) -> bytes:
    items = "".join(f"\n  - {text}" for text in done)
    return a_task(work("one", done=items, open="none", next=None))


def given(*done: str, documents: tuple[Document, ...] | None = None) -> Given:
    task = read_task(log(*done), "2026-03-02-a-task", ".ai-tasks/2026-03-02-a-task.md")
    return Given(facts_of_log(task), TEXTS, Library(TEXTS), documents)


def of_file(data: bytes = FILE) -> Given:
    return Given(facts_of_document(data), {"CLAUDE.md": data}, Library({}))


def opened(given: Given, source: Source = OWN, recorded: object = None) -> Desk:
    return Desk.opened("2026-03-02-a-task", given, source, recorded)[0]


def passed(desk: Desk, number: int, answer: Answer = Answer.PASS) -> Desk:
    for test in range(3):
        desk = desk.answer(number, test, answer)
    return desk


def again(desk: Desk, now: Given) -> tuple[Desk, tuple[str, ...]]:
    """The desk after a restart."""
    kept = json.loads(json.dumps(desk.record))
    return Desk.opened(desk.name, now, source_of(kept), kept, file=desk.file)


def test_an_admitted_fact_is_aimed_at_the_likeliest_section_and_becomes_an_edit() -> None:
    desk = passed(opened(given("the client retries only once", "files moved")), 0)
    assert desk.sheet.items[0].target == Target(".ai/design.md", "Retry")
    assert [review.document.path for review in desk.reviews] == [".ai/design.md"]
    assert b"- the client retries only once\n" in (desk.reviews[0].document.proposed or b"")
    assert (desk.facts_done, desk.hunks_done, desk.hunks) == (1, 0, 1)


def test_a_failed_fact_is_settled_and_proposes_nothing() -> None:
    desk = opened(given("files moved")).answer(0, 1, Answer.FAIL)
    assert desk.sheet.items[0].outcome is Outcome.DROP
    assert desk.reviews == ()


def test_where_there_is_no_memory_a_fact_has_a_target_all_the_same() -> None:
    nowhere = replace(given("the client retries only once"), texts={}, library=Library({}))
    desk = passed(opened(nowhere), 0)
    assert desk.sheet.items[0].target == Target(".ai/design.md")
    assert desk.reviews[0].document.base is None


def test_decisions_come_back_after_a_restart() -> None:
    desk = passed(opened(given("the client retries only once", "files moved")), 0)
    desk = desk.with_review(0, desk.reviews[0].decide(0, REJECT), "hunk 1 rejected")
    desk = desk.accept("2026-03-03-other", True)
    back, reopened = again(desk, desk.given)
    assert reopened == ()
    assert (back.sheet, back.reviews, back.accepted) == (desk.sheet, desk.reviews, desk.accepted)


def test_a_fact_whose_text_changed_is_open_again_and_named() -> None:
    desk = passed(opened(given("the client retries only once", "files moved")), 0)
    back, reopened = again(desk, given("the client retries twice", "files moved"))
    assert back.facts_done == 0
    assert reopened == ('fact "the client retries only once"',)


def test_a_hunk_over_a_base_that_moved_is_open_again_and_named() -> None:
    desk = passed(opened(given("the client retries only once")), 0)
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    moved = {**TEXTS, ".ai/design.md": DESIGN.replace(b"The client retries.", b"It retries.")}
    back, reopened = desk.reread(replace(desk.given, texts=moved, library=Library(moved)))
    assert back.undecided == ((".ai/design.md", 1),)
    assert reopened == ("1 of .ai/design.md",)


def test_a_new_answer_leaves_the_decisions_about_other_hunks() -> None:
    desk = passed(opened(given("the client retries only once", "modules are many")), 0)
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    desk = desk.with_sheet(desk.sheet.aim(1, Target(".ai/modules.md")), "aimed")
    desk = passed(desk, 1)
    assert [review.decisions for review in desk.reviews] == [(ACCEPT,), (None,)]


def test_a_proposal_that_was_taken_in_stays_whatever_the_facts_say() -> None:
    documents = (Document(".ai/design.md", DESIGN, DESIGN + b"- more\n"),)
    desk = opened(given("files moved", documents=documents), Source("folder"))
    desk = passed(desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "accepted"), 0)
    assert desk.reviews[0].decisions == (ACCEPT,)
    other, _ = desk.reread(desk.given, Source())
    assert other.reviews != desk.reviews and other.undecided


def test_decisions_are_taken_back_one_by_one_in_their_order() -> None:
    first = opened(given("the client retries only once"))
    desk = passed(first, 0)
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    said = []
    while undone := desk.undone():
        desk, words = undone
        said.append(words)
    assert said[0] == "hunk 1 accepted"
    assert said[-1] == "fact 1, derivation cost: pass"
    assert (desk.sheet, desk.reviews, desk.past) == (first.sheet, first.reviews, ())


def test_decisions_are_taken_back_after_everything_was_read_again() -> None:
    desk = passed(opened(given("the client retries only once", "files moved")), 0)
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    desk, _ = desk.reread(given("the client retries only once", "files moved", "a late one"))
    back, words = desk.undone() or (desk, "")
    assert words == "hunk 1 accepted"
    assert (back.facts_done, back.reviews[0].decisions) == (1, (None,))
    assert len(back.sheet.items) == 3 and back.given is desk.given
    back, words = back.undone() or (back, "")
    assert (words, back.facts_done) == ("fact 1, leverage: pass", 0)


def test_a_decision_that_is_open_again_already_is_not_taken_back_a_second_time() -> None:
    desk = opened(given("one", "two")).answer(0, 0, Answer.FAIL)
    desk = desk.answer(1, 0, Answer.FAIL)
    desk, _ = desk.reread(given("one", "another"))
    back, words = desk.undone() or (desk, "")
    assert words == "fact 1, derivation cost: fail"
    assert back.undone() is None


def test_of_a_proposal_that_took_the_place_of_another_only_facts_are_taken_back() -> None:
    first = (Document(".ai/design.md", DESIGN, DESIGN + b"- more\n"),)
    desk = opened(given("one", documents=first), Source("folder")).answer(0, 0, Answer.FAIL)
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    other = (Document(".ai/modules.md", b"# Modules\n", b"# Modules\n\n- many\n"),)
    desk, _ = desk.reread(given("one", documents=other), Source("worktree"))
    back, words = desk.undone() or (desk, "")
    assert words == "fact 1, derivation cost: fail"
    assert [review.document.path for review in back.reviews] == [".ai/modules.md"]


def test_curating_a_file_proposes_what_its_facts_became() -> None:
    desk, _ = Desk.opened("CLAUDE.md", of_file(), Source(), None, file=True)
    assert desk.reviews == ()
    desk = desk.answer(1, 1, Answer.FAIL)
    proposed = desk.reviews[0].document.proposed
    assert proposed == FILE.replace(b"- we are currently refactoring\n", b"")
    assert desk.sheet.items[0].target is None


def test_a_curation_is_taken_up_again_where_it_was_left() -> None:
    desk, _ = Desk.opened("CLAUDE.md", of_file(), Source(), None, file=True)
    desk = passed(desk, 0).answer(1, 1, Answer.FAIL)
    back, reopened = again(desk, of_file(FILE.replace(b"never npm", b"not npm")))
    assert [item.outcome for item in back.sheet.items] == [None, Outcome.DROP, None]
    assert reopened == ('fact "use pnpm, never npm"',)


def test_what_is_no_record_opens_an_empty_desk() -> None:
    for recorded in (None, 3, [], {"sheet": 3, "reviews": {}, "accepted": [], "source": "x"}):
        desk = opened(given("a fact"), source_of(recorded), recorded)
        assert (desk.facts_done, desk.reviews, desk.source) == (0, (), Source())


LARGE = DESIGN + b"\n## Fifo\n\n- The drain keeps its order.\n"


def of_large(data: bytes = LARGE, more: bytes = b"- more\n") -> Given:
    texts = {".ai/design.md": data, ".ai/index.md": b"# Index\n\n| design.md | why |\n"}
    documents = (Document(".ai/design.md", data, data + more),)
    return replace(given("one", documents=documents), texts=texts, library=Library(texts))


def test_a_document_becomes_a_folder_and_keeps_what_was_decided_of_it() -> None:
    desk = opened(of_large(), Source("folder"))
    desk = desk.with_review(0, desk.reviews[0].decide(0, ACCEPT), "hunk 1 accepted")
    made = desk.with_folder(".ai/design.md", ["Retry"])
    found = {review.document.path: review for review in made.reviews}
    assert set(found) == {".ai/design/index.md", ".ai/design/retry.md", ".ai/index.md"}
    assert found[".ai/design/index.md"].document.origin == ".ai/design.md"
    assert ACCEPT in found[".ai/design/index.md"].decisions
    back, words = made.undone() or (made, "")
    assert (words, back.reviews) == (".ai/design.md becomes a folder", desk.reviews)


def test_a_folder_is_kept_and_one_that_can_be_none_any_more_is_named() -> None:
    desk = opened(of_large(), Source("folder")).with_folder(".ai/design.md", ["Fifo"])
    back, reopened = again(desk, of_large(more=b"- more yet\n"))
    assert back.folders == {".ai/design.md": ("Fifo",)} and reopened == ()
    back, reopened = again(desk, of_large(LARGE.replace(b"## Fifo", b"## Queue")))
    assert back.folders == {} and ".ai/design.md as a folder" in reopened
    assert [review.document.path for review in back.reviews] == [".ai/design.md"]


def test_a_document_without_that_section_is_no_folder() -> None:
    desk = opened(of_large(), Source("folder"))
    with pytest.raises(Refusal, match="has no section Nowhere"):
        desk.with_folder(".ai/design.md", ["Nowhere"])


ROUTED = (
    b"# Index\n\n| area | document |\n|---|---|\n| Design | design.md |\n| Modules | modules.md |\n"
)


def with_routing(*documents: Document) -> Given:
    texts = {**TEXTS, ".ai/index.md": ROUTED}
    return replace(given("one"), texts=texts, library=Library(texts), documents=documents)


def routing_of(desk: Desk) -> bytes | None:
    found = (r.document.proposed for r in desk.reviews if r.document.path == ".ai/index.md")
    return next(found, None)


def test_the_rows_that_a_proposal_needs_are_offered_as_edits_of_the_routing() -> None:
    new = Document(".ai/retry-rules.md", None, b"# How retries end\n")
    gone = Document(".ai/modules.md", b"# Modules\n", None)
    desk = opened(with_routing(new, gone), Source("folder"))
    rows = b"| Design | design.md |\n| How retries end | retry-rules.md |\n"
    assert routing_of(desk) == ROUTED[: ROUTED.index(b"| Design")] + rows
    assert dict(desk.undecided)[".ai/index.md"] == 1


def test_a_row_goes_into_the_first_table_of_the_routing() -> None:
    later = b"\n## Answers\n\n| question | document |\n|---|---|\n| Why? | modules.md |\n"
    new = Document(".ai/retry.md", None, b"no title\n")
    gone = Document(".ai/modules.md", b"# Modules\n", None)
    texts = {**TEXTS, ".ai/index.md": ROUTED + later}
    documents = (new, gone)
    desk = opened(replace(with_routing(), texts=texts, documents=documents), Source("folder"))
    table = ROUTED.replace(b"| Modules | modules.md |", b"| Retry | retry.md |")
    assert routing_of(desk) == table + later


def test_rows_that_a_proposal_brings_itself_are_left_as_it_has_them() -> None:
    new = Document(".ai/retry.md", None, b"# Retry\n")
    index = Document(".ai/index.md", ROUTED, ROUTED + b"| How retries end | retry.md |\n")
    desk = opened(with_routing(new, index), Source("folder"))
    assert routing_of(desk) == index.proposed


def test_a_memory_without_routing_and_an_agents_own_closeout_are_offered_no_rows() -> None:
    new = Document(".ai/retry.md", None, b"# Retry\n")
    assert routing_of(opened(given("one", documents=(new,)), Source("folder"))) is None
    assert routing_of(opened(with_routing(new), Source("native"))) is None
