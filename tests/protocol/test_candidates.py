"""Facts of logs and of memory files: discrete, in order, each with its lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.candidates import Fact, facts_of_document, facts_of_log
from mandrel_tui.protocol.paragraphs import Kind
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work


def a_read(*entries: str, eol: str = "\n") -> Task:
    return read_task(a_task(*entries, eol=eol), "2026-03-02-a-task", ".ai-tasks/x.md")


def texts(facts: tuple[Fact, ...]) -> list[str]:
    return [fact.text for fact in facts]


LOG = (
    work("dev-1", done="drain.go moved into fifo/", open="none"),
    review("dev-1", "rev-1", findings="\n  1. a barrier may fire twice\n  2. dead code"),
    work(
        "dev-2",
        done="one step\n  - a local step wins\n    over a resync\n  - rejected:\n"
        "    - retry with the same id\n    - a cache",
        open="whether the server separates them",
    ),
)


def test_every_entry_gives_its_done_open_and_findings_in_order() -> None:
    assert texts(facts_of_log(a_read(*LOG))) == [
        "drain.go moved into fifo/",
        "a barrier may fire twice",
        "dead code",
        "one step",
        "a local step wins over a resync",
        "retry with the same id",
        "a cache",
        "whether the server separates them",
    ]


def test_each_fact_knows_its_entry_field_and_lines() -> None:
    task = a_read(*LOG)
    lines = task.text.split("\n")
    facts = facts_of_log(task)
    sources = [f.source for f in facts if f.source]
    assert [(s.entry, s.sid, s.field) for s in sources][:4] == [
        (1, "dev-1", "Done"),
        (2, "rev-1", "Findings"),
        (2, "rev-1", "Findings"),
        (3, "dev-2", "Done"),
    ]
    for fact in facts:
        assert fact.text.split()[0] in lines[fact.line - 1]
        assert fact.text.split()[-1] in lines[fact.end_line - 1]


def test_what_only_introduces_a_list_is_said_above_its_items() -> None:
    facts = facts_of_log(a_read(*LOG))
    assert [fact.above for fact in facts if fact.text in ("a cache", "a local step wins over")] == [
        ("rejected:",)
    ]


def test_line_ends_make_no_difference_to_the_facts() -> None:
    assert facts_of_log(a_read(*LOG, eol="\r\n")) == facts_of_log(a_read(*LOG))


def test_nothing_said_is_no_fact() -> None:
    for word in ("none", "None.", "n/a", "-", "nothing left", "no findings", ""):
        assert facts_of_log(a_read(work(done=word, open=word))) == ()


def test_paragraphs_are_facts_of_their_own_and_code_belongs_to_the_one_before() -> None:
    entry = work(done="first\n\n  second goes\n  on\n\n  ```\n  - make\n  ```", open="none")
    facts = facts_of_log(a_read(entry))
    assert texts(facts) == ["first", "second goes on ``` - make ```"]


def test_other_fields_give_no_facts_and_a_quoted_one_is_no_field() -> None:
    extra = ["```", "- Done: quoted", "```"]
    entry = work(done="a fact", plan_slice="2", next="the rest", open="a question", extra=extra)
    assert texts(facts_of_log(a_read(entry))) == ["a fact", "a question ``` - Done: quoted ```"]


DOCUMENT = b"""\
---
last-updated: 2026-01-01
---
# Rules

@AGENTS.md

Use pnpm,
never npm.

Setext
------

* one
  goes on

  a paragraph in it
    1. nested
+ [ ] todo

| a | b |
|---|---|
| x | y |

Allowed:

- first
- second
***
<!-- a comment
- not this -->
> quoted words

```sh
- not this
```
[link]: https://example.invalid
"""


def test_a_document_gives_items_paragraphs_rows_and_code() -> None:
    facts = facts_of_document(DOCUMENT)
    assert [(f.kind, f.line, f.end_line, f.text) for f in facts] == [
        (Kind.PARAGRAPH, 8, 9, "Use pnpm, never npm."),
        (Kind.ITEM, 14, 15, "one goes on"),
        (Kind.PARAGRAPH, 17, 17, "a paragraph in it"),
        (Kind.ITEM, 18, 18, "nested"),
        (Kind.ITEM, 19, 19, "todo"),
        (Kind.ROW, 23, 23, "| x | y |"),
        (Kind.ITEM, 27, 27, "first"),
        (Kind.ITEM, 28, 28, "second"),
        (Kind.PARAGRAPH, 32, 32, "quoted words"),
        (Kind.CODE, 34, 36, "```sh - not this ```"),
    ]


def test_the_marked_lines_that_load_the_protocol_are_no_facts() -> None:
    loader = "<!-- mandrel: begin -->\n## How\n\nEvery session.\n\n- x\n<!-- mandrel: end -->\n"
    crlf = f"- own\n\n{loader}\n- more\n".replace("\n", "\r\n")
    assert texts(facts_of_document(crlf.encode())) == ["own", "more"]
    open_ = loader.replace("end -->", "x -->")
    assert texts(facts_of_document(f"- own\n\n{open_}".encode())) == ["own", "Every session.", "x"]


def test_a_fact_of_a_document_knows_what_stands_above_it_and_before_its_words() -> None:
    facts = {fact.text: fact for fact in facts_of_document(DOCUMENT)}
    assert facts["Use pnpm, never npm."].above == ("Rules",)
    assert facts["nested"].above == ("one goes on",)
    assert facts["second"].above == ("Allowed:",)
    assert facts["todo"].prefix == "+ [ ] "
    assert facts["quoted words"].prefix == "> "


LINE = st.sampled_from(
    [
        "a b",
        "- c",
        "  - d",
        "    e",
        "1. f",
        "",
        "# g",
        "---",
        "```",
        "| h |",
        "|-|",
        "<!-- i",
        "-->",
    ]
)


@given(st.lists(LINE, max_size=25), st.sampled_from(["\n", "\r\n"]))
def test_facts_ascend_and_never_share_a_line(lines: list[str], eol: str) -> None:
    facts = facts_of_document(eol.join(lines).encode())
    taken = [n for fact in facts for n in range(fact.line, fact.end_line + 1)]
    assert taken == sorted(set(taken))
    assert all(fact.text and 1 <= fact.line <= fact.end_line <= len(lines) for fact in facts)


def test_a_quotation_of_nothing_is_no_fact() -> None:
    assert facts_of_document(b">\n\n> \n\n> one thing holds\n") == facts_of_document(
        b"\n\n\n\n> one thing holds\n"
    )


@given(st.binary(max_size=80))
def test_any_bytes_give_facts(data: bytes) -> None:
    for fact in facts_of_document(data):
        assert fact.key
