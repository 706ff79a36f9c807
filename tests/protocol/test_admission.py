"""The three tests, the sheet that keeps their answers, and what they make of documents."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.admission import (
    TESTS,
    Answer,
    Fact,
    Item,
    Outcome,
    Resumed,
    Sheet,
    Target,
    record,
    resume,
)
from mandrel_tui.protocol.admission_hints import hints, parts
from mandrel_tui.protocol.candidates import Source, facts_of_document
from mandrel_tui.protocol.curation import curated
from mandrel_tui.protocol.proposal import Change
from mandrel_tui.protocol.targets import Library, admitted, headings, insert

PASS, BORDERLINE, FAIL = Answer.PASS, Answer.BORDERLINE, Answer.FAIL


def fact(text: str, line: int = 1) -> Fact:
    return Fact(text, line, line, source=Source(1, "2026-03-02", "dev-1", "Done"))


def answered(sheet: Sheet, number: int, *answers: Answer | None) -> Sheet:
    for test, answer in enumerate(answers):
        sheet = sheet.answer(number, test, answer)
    return sheet


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ((None, None, None), None),
        ((PASS, PASS, None), None),
        ((PASS, BORDERLINE, None), None),
        ((PASS, PASS, PASS), Outcome.KEEP),
        ((PASS, BORDERLINE, PASS), Outcome.ONE_LINE),
        ((BORDERLINE, BORDERLINE, BORDERLINE), Outcome.ONE_LINE),
        ((FAIL, None, None), Outcome.DROP),
        ((BORDERLINE, PASS, FAIL), Outcome.DROP),
    ],
)
def test_the_answers_give_the_outcome(answers: tuple, outcome: Outcome | None) -> None:
    item = Item((fact("a"),), "a", answers)
    assert item.outcome is outcome
    assert item.admitted is (outcome in (Outcome.KEEP, Outcome.ONE_LINE))
    assert (item.next_test is None) is (outcome is not None)


def test_there_are_three_tests_with_their_questions() -> None:
    assert [test.name for test in TESTS] == ["derivation cost", "stability", "leverage"]
    assert all(test.question.endswith("?") for test in TESTS)


def test_a_sheet_counts_what_is_decided_and_what_is_not() -> None:
    sheet = Sheet.of([fact("a"), fact("b", 2), fact("c", 3)])
    sheet = answered(answered(sheet, 0, PASS, PASS, PASS), 2, FAIL)
    assert sheet.undecided == (1,)
    assert [item.text for item in sheet.admitted] == ["a"]
    assert sheet.count(Outcome.DROP) == 1
    assert sheet.answer(2, 0, None).undecided == (1, 2)


def test_a_borderline_fact_should_be_one_line() -> None:
    sheet = answered(Sheet.of([fact("word " * 60)]), 0, PASS, BORDERLINE, PASS)
    assert sheet.items[0].too_long
    assert not sheet.reword(0, "short").items[0].too_long


def test_a_split_item_is_open_in_all_its_parts() -> None:
    sheet = answered(Sheet.of([fact("a; b")]), 0, PASS, PASS, PASS).split(0, ["a", " ", "b "])
    assert [item.text for item in sheet.items] == ["a", "b"]
    assert sheet.undecided == (0, 1)
    assert sheet.split(0, ["a"]) == sheet


def test_two_items_become_one_that_is_open() -> None:
    sheet = answered(Sheet.of([fact("a."), fact("b", 2)]), 0, FAIL).merge(0)
    (item,) = sheet.items
    assert (item.text, len(item.facts), item.outcome) == ("a; b", 2, None)
    assert sheet.merge(0) == sheet
    assert Sheet.of([fact("a;"), fact("B.", 2)]).merge(0).items[0].text == "a. B."


def decided() -> Sheet:
    sheet = Sheet.of([fact("a"), fact("b", 2), fact("c; d", 3), fact("e", 4), fact("f", 5)])
    sheet = answered(sheet, 0, PASS, BORDERLINE, PASS).aim(0, Target(".ai/design.md", "Retry"))
    return sheet.split(2, ["c", "d"]).merge(4).reword(1, "B")


def again(sheet: Sheet, *facts: Fact) -> Resumed:
    """The sheet written down, read back, and matched with the facts."""
    return resume(facts, json.loads(json.dumps(record(sheet))))


def test_a_sheet_is_taken_up_where_it_was_left() -> None:
    sheet = decided()
    facts = [f for item in sheet.items for f in item.facts]
    resumed = again(sheet, *dict.fromkeys(facts))
    assert resumed.sheet == sheet
    assert resumed.reopened == ()


def test_new_entries_add_facts_and_moved_ones_keep_their_decisions() -> None:
    facts = [fact("new", 1), fact("a", 12), fact("b", 13), fact("c; d", 14), fact("e", 15)]
    resumed = again(decided(), *facts, fact("f", 16), fact("newer", 17))
    assert [item.text for item in resumed.sheet.items] == [
        "new",
        "a",
        "B",
        "c",
        "d",
        "e; f",
        "newer",
    ]
    assert resumed.sheet.items[1].outcome is Outcome.ONE_LINE
    assert resumed.sheet.items[1].line == 12


def test_a_fact_whose_words_changed_is_open_again_and_named() -> None:
    facts = [fact("A", 1), fact("b", 2), fact("c; d", 3), fact("e", 4)]
    resumed = again(decided(), *facts)
    assert resumed.reopened == ("a", "e", "f")
    assert [(item.text, item.outcome) for item in resumed.sheet.items] == [
        ("A", None),
        ("B", None),
        ("c", None),
        ("d", None),
        ("e", None),
    ]


def test_the_same_words_twice_keep_a_decision_each() -> None:
    sheet = answered(Sheet.of([fact("a", 1), fact("a", 2)]), 1, FAIL)
    assert again(sheet, fact("a", 5), fact("a", 9)).sheet.items[1].outcome is Outcome.DROP
    assert again(sheet, fact("a", 5)).reopened == ("a",)


@pytest.mark.parametrize(
    "torn", [None, 3, {}, [3], [{}], [{"facts": [], "text": "a"}], [{"facts": [3], "text": "a"}]]
)
def test_what_is_no_record_counts_as_none(torn: object) -> None:
    assert resume([fact("a")], torn).sheet == Sheet.of([fact("a")])


@pytest.mark.parametrize(
    ("text", "test", "words"),
    [
        ("We are currently moving the drain to region 2.", "stability", "passing state"),
        ("For now the cache is off.", "stability", "passing state"),
        ("The client used to retry.", "stability", "passing state"),
        ("Since 2026-03-02 the drain is gone.", "stability", "dates it"),
        ("parse(text: str, strict=False) -> Doc", "cost", "signature"),
        ("src/a.go, src/b.go, cmd/main.go", "cost", "list of files"),
        ("The timeout defaults to 30 seconds.", "cost", "default value"),
        ("This project uses PostgreSQL 14.", "leverage", "seen the moment it matters"),
        ("Rejected: retry with the same id.", "", "rejected alternative"),
        ("The map is deliberately not ordered.", "", "intentional omission"),
        ("A barrier must never fire twice.", "", "invariant"),
        ("Whoever changes the codec also has to bump the header.", "", "coupling"),
        ("A step means one emitted decision.", "", "vocabulary"),
        ("A submit is routed to the fifo.", "", "dispatch path"),
        ("Do not call flush in the loop.", "", "anti-pattern"),
        ("1 correctness, 1 test", "", "clear fail"),
        ("F1 fixed, F2 fixed.", "", "clear fail"),
        ("2 correctness and 1 style", "", "clear fail"),
        ("It uses PostgreSQL 14. Prepared statements are off because of pooling.", "", "split it"),
    ],
)
def test_hints_say_what_the_wording_suggests(text: str, test: str, words: str) -> None:
    assert any(hint.test == test and words in hint.words for hint in hints(text))


@pytest.mark.parametrize(
    "text",
    [
        "The drain empties the fifo in order.",
        "The timeout defaults to 30 seconds because the proxy cuts at 31.",
        "It uses Redis since only that keeps the order.",
        "A barrier fires once.",
        "3 retries, then the client gives up",
        "F1 fixed, since the cache cannot tell",
    ],
)
def test_wording_that_suggests_nothing_gets_no_test_hint(text: str) -> None:
    assert [hint for hint in hints(text) if hint.test or "clear fail" in hint.words] == []


def test_hints_read_the_beginning_of_a_text_that_is_no_fact_yet() -> None:
    passing, much = "For now it is so. ", "word " * 400_000
    assert any(hint.test == "stability" for hint in hints(passing + much))
    assert not hints(much + passing)


DESIGN = b"# Design\n\n## Retry\n\n- The client retries a submit.\n\n## Fifo\n\nA step waits.\n"
DOCUMENTS = {
    ".ai/index.md": b"| Document | File | Holds |\n|---|---|---|\n| Server | server.md | wire |\n",
    ".ai/design.md": DESIGN,
    ".ai/server.md": b"# Server\n\n## Cache\n\n- idempotency\n",
}


def test_a_fact_is_offered_the_section_it_shares_most_words_with() -> None:
    library = Library(DOCUMENTS)
    assert library.offers("the client retries with the same id")[0] == Target(
        ".ai/design.md", "Retry"
    )
    assert library.offers("idempotency of the server cache")[0] == Target(".ai/server.md", "Cache")
    assert library.offers("the wire format")[0].path == ".ai/server.md"


def test_only_what_the_routing_names_and_every_session_reads_is_offered() -> None:
    words = b"# Places\n\nsubmit barrier reconnect\n"
    texts = {
        ".ai/index.md": b"| Document | File |\n|---|---|\n| Wire | wire.md |\n",
        ".ai/map.md": words,
        ".ai/stray.md": words,
        ".ai/wire.md": words,
        ".ai/overview.md": words,
    }
    paths = [target.path for target in Library(texts).offers("submit behind a barrier")]
    assert sorted(paths) == [".ai/overview.md", ".ai/wire.md"]
    routed = {**texts, ".ai/index.md": b"| Document | File |\n|---|---|\n| Map | map.md |\n"}
    paths = [target.path for target in Library(routed).offers("submit behind a barrier")]
    assert sorted(paths) == [".ai/map.md", ".ai/overview.md"]
    alone = {".ai/map.md": words}
    assert [target.path for target in Library(alone).offers("a barrier")] == [".ai/map.md"]


@pytest.mark.parametrize("data", [b"", b"Prose about a barrier alone.\n"])
def test_a_document_without_a_heading_is_one_section(data: bytes) -> None:
    library = Library({**DOCUMENTS, ".ai/notes.md": data})
    assert Target(".ai/notes.md", "") in library.sections
    assert library.offers("the wire format")[0].path == ".ai/server.md"


def test_a_fact_like_no_other_is_offered_the_design() -> None:
    assert Library(DOCUMENTS).offers("xyzzy plugh") == (Target(".ai/design.md", "Design"),)
    assert Library({}).offers("anything") == ()


def test_headings_in_code_and_front_matter_are_none() -> None:
    data = b"---\n# a: b\n---\n# One\n```\n# no\n```\n## Two ##\r\n"
    for marked in (data, b"\xef\xbb\xbf" + data):
        found = [(h.line, h.depth, h.title) for h in headings(marked)]
        assert found == [(3, 1, "One"), (7, 2, "Two")]


@pytest.mark.parametrize(
    ("line", "title"),
    [("# C#", "C#"), ("## C ##", "C"), ("#", ""), ("### #", ""), ("#x", None), ("    # x", None)],
)
def test_closing_marks_are_no_part_of_a_heading(line: str, title: str | None) -> None:
    assert [h.title for h in headings(line.encode())] == ([] if title is None else [title])


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("Retry", DESIGN.replace(b"submit.\n", b"submit.\n- new\n")),
        ("Fifo", DESIGN + b"\n- new\n"),
        ("Absent", DESIGN + b"\n- new\n"),
        ("", DESIGN + b"\n- new\n"),
        ("Design", DESIGN.replace(b"# Design\n", b"# Design\n\n- new\n", 1)),
    ],
)
def test_an_admitted_fact_stands_last_in_its_section(section: str, expected: bytes) -> None:
    assert insert(DESIGN, section, "new") == expected


def test_a_fact_keeps_the_lists_mark_and_the_line_ends_of_its_document() -> None:
    data = b"# A\r\n\r\n* one\r\n  goes on\r\n\r\n# B\r\n"
    assert insert(data, "A", "new") == b"# A\r\n\r\n* one\r\n  goes on\r\n* new\r\n\r\n# B\r\n"
    assert insert(b"# A\n- one", "A", "new") == b"# A\n- one\n- new\n"
    assert insert(b"# A\n# B\n", "A", "new") == b"# A\n\n- new\n\n# B\n"
    assert insert(b"", "", "new") == b"- new\n"


def test_admitted_facts_become_edits_of_their_documents() -> None:
    sheet = Sheet.of([fact("one\n  fact"), fact("other", 2), fact("dropped", 3)])
    for number, path in enumerate([".ai/design.md", ".ai/retry-rules.md", ".ai/design.md"]):
        last = FAIL if number == 2 else PASS
        sheet = answered(sheet, number, PASS, PASS, last).aim(number, Target(path, "Retry"))
    changed, added, routing = admitted(sheet.items, DOCUMENTS)
    assert changed.proposed == DESIGN.replace(b"submit.\n", b"submit.\n- one fact\n")
    assert (added.change, added.proposed) == (Change.ADDED, b"# Retry rules\n\n- other\n")
    assert routing.proposed == DOCUMENTS[".ai/index.md"] + b"| Retry rules | retry-rules.md | |\n"
    without = {path: data for path, data in DOCUMENTS.items() if path != ".ai/index.md"}
    assert len(admitted(sheet.items, without)) == 2


FILE = b"""\
# Rules

Use pnpm,
never npm.

We are currently
refactoring auth.

- one
  goes on
- two
* [x] three\r
"""


def a_file(**outcomes: tuple[Answer, ...]) -> Sheet:
    """The facts of FILE, answered by their first word."""
    sheet = Sheet.of(facts_of_document(FILE))
    for number, item in enumerate(sheet.items):
        sheet = answered(sheet, number, *outcomes.get(item.text.split()[0], ()))
    return sheet


def test_a_file_without_decisions_stays_as_it_is() -> None:
    assert curated(FILE, a_file()) == FILE
    assert curated(FILE, a_file(Use=(PASS, PASS, PASS), two=(PASS, BORDERLINE, PASS))) == FILE


def test_a_dropped_fact_loses_its_lines_and_no_blank_line_is_left_twice() -> None:
    assert curated(FILE, a_file(We=(FAIL,))) == FILE.replace(
        b"We are currently\nrefactoring auth.\n\n", b""
    )
    assert curated(FILE, a_file(one=(FAIL,))) == FILE.replace(b"- one\n  goes on\n", b"")


def test_a_borderline_fact_of_several_lines_becomes_one() -> None:
    assert curated(FILE, a_file(one=(PASS, BORDERLINE, PASS))) == FILE.replace(
        b"- one\n  goes on\n", b"- one goes on\n"
    )


def test_a_reworded_fact_keeps_its_mark() -> None:
    sheet = a_file(three=(PASS, PASS, PASS))
    number = next(n for n, item in enumerate(sheet.items) if item.text == "three")
    assert curated(FILE, sheet.reword(number, "3")).endswith(b"* [x] 3\n")


def test_split_and_merged_facts_stand_where_the_first_stood() -> None:
    sheet = a_file()
    number = next(n for n, item in enumerate(sheet.items) if item.text == "one goes on")
    merged = answered(sheet.merge(number), number, PASS, PASS, PASS)
    assert curated(FILE, merged) == FILE.replace(
        b"- one\n  goes on\n- two\n", b"- one goes on; two\n"
    )
    split = answered(sheet.split(number, ["one", "goes on"]), number, FAIL)
    assert curated(FILE, split) == FILE.replace(b"- one\n  goes on\n", b"- goes on\n")


def test_parts_that_are_all_kept_stay_one_sentence() -> None:
    file = b"It waits; it\nnever kills; it logs.\n"
    sheet = Sheet.of(facts_of_document(file))
    sheet = sheet.split(0, parts(sheet.items[0].text))
    assert [item.text for item in sheet.items] == ["It waits", "it never kills", "it logs."]
    for number in range(3):
        sheet = answered(sheet, number, PASS, PASS, PASS)
    assert curated(file, sheet) == file
    assert curated(file, answered(sheet, 1, FAIL)) == b"It waits; it logs.\n"
    assert curated(file, sheet.reword(1, "it spares")) == b"It waits; it spares; it logs.\n"
    item = b"- It waits; it logs.\n"
    sheet = Sheet.of(facts_of_document(item)).split(0, ["It waits", "It writes."])
    assert curated(item, sheet) == b"- It waits\n- It writes.\n"


LINES = st.lists(
    st.sampled_from(["- a b", "  more", "", "words", "# h", "| r |", "* c", "```"]), max_size=14
)
ANSWERS = st.sampled_from([(), (PASS, PASS, PASS), (PASS, BORDERLINE, PASS), (FAIL,)])


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.data())
def test_lines_of_no_decided_fact_stay_byte_for_byte(
    lines: list[str], eol: str, data: st.DataObject
) -> None:
    before = eol.join(lines).encode()
    sheet = Sheet.of(facts_of_document(before))
    for number in range(len(sheet.items)):
        sheet = answered(sheet, number, *data.draw(ANSWERS))
    after = curated(before, sheet)
    gone = {
        n
        for item in sheet.items
        if item.outcome in (Outcome.DROP, Outcome.ONE_LINE)
        for n in range(item.facts[0].line, item.facts[0].end_line + 1)
    }
    kept = [line for n, line in enumerate(lines, start=1) if n not in gone and line.strip()]
    found = [line for line in after.decode().replace("\r\n", "\n").split("\n") if line.strip()]
    remaining = iter(found)
    assert all(any(line == other for other in remaining) for line in kept)
    if not gone:
        assert after == before
