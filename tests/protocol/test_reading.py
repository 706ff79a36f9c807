"""Reading one task file: what counts, what is quoted, what is lost never."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mandrel_tui.protocol.frontmatter import list_items
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Estimate, Status, Task, Verdict
from tests.builders import a_task, review, work

NAME = "2026-03-02-a-task"


def read(data: bytes) -> Task:
    return read_task(data, NAME, f".ai-tasks/{NAME}.md")


def rules(task: Task) -> set[str]:
    return {d.rule for d in task.diagnostics}


def sids(task: Task) -> list[str]:
    return [entry.sid for entry in task.entries]


def test_a_sound_file_says_all_it_says() -> None:
    task = read(a_task(work(), review(verdict="changes-requested", findings="F1: loses a row")))
    assert (task.status, task.estimate, task.title) == (
        Status.IN_PROGRESS,
        Estimate(1, 3),
        "A task",
    )
    dev, rev = task.entries
    assert (dev.date, dev.sid, dev.before, dev.after) == (
        "2026-03-02",
        "dev-1",
        "pending",
        "in_progress",
    )
    assert (rev.review_of, rev.verdict, rev.group) == (
        "dev-1",
        Verdict.CHANGES_REQUESTED,
        "dev-1",
    )
    assert rev.get("Findings") == "F1: loses a row"
    assert [s.title for s in task.sections] == ["Goal", "Scope", "Acceptance"]


def test_a_byte_order_mark_and_crlf_change_nothing_but_offsets() -> None:
    plain = read(a_task(work(), review(), claimed_by="dev-1@2026-03-02T09:00:00Z"))
    data = b"\xef\xbb\xbf" + a_task(
        work(), review(), claimed_by="dev-1@2026-03-02T09:00:00Z", eol="\r\n"
    )
    task = read(data)
    assert (task.diagnostics, sids(task), task.title) == ((), sids(plain), plain.title)
    assert [e.fields for e in task.entries] == [e.fields for e in plain.entries]
    assert [(e.line, e.end_line) for e in task.entries] == [
        (e.line, e.end_line) for e in plain.entries
    ]
    for field in task.fields:
        assert data[field.start : field.end].decode() == field.value


@pytest.mark.parametrize(
    ("typed", "items"),
    [
        ("[]", ()),
        ("[a, b]", ("a", "b")),
        (
            "[external:awaiting API spec, 2026-01-02-x]",
            ("external:awaiting API spec", "2026-01-02-x"),
        ),
        (
            "[external:use A, or B? see issue #42]   # asked",
            ("external:use A, or B? see issue #42",),
        ),
        ("[external:see [1], external:x]", ("external:see [1]", "external:x")),
        ("[external:a,b]", ("external:a", "b")),
        (
            "[external:legal, finance and ops must sign]",
            ("external:legal, finance and ops must sign",),
        ),
        ("[\"a, b\", 'c # d', e]", ("a, b", "c # d", "e")),
        ("[external:Range [b + gives three]", ("external:Range [b + gives three",)),
        ("[external:Handle [/] in paths]", ("external:Handle [/] in paths",)),
        ("[external:on 2026-01-02, then]", ("external:on 2026-01-02, then",)),
        ("[external:waiting: reply due Friday]", ("external:waiting: reply due Friday",)),
        ("['external:a, b', \"2026-01-02-x\", c]", ("external:a, b", "2026-01-02-x", "c")),
        ("[external:a, or b, '2026-01-02-x']", ("external:a, or b", "2026-01-02-x")),
        ('[external:a, "external:b, c"]', ("external:a", "external:b, c")),
        (f"[external:a,{' ' * 60_000}b]", (f"external:a,{' ' * 60_000}b",)),
    ],
)
def test_a_blockers_list_keeps_every_word(typed: str, items: tuple[str, ...]) -> None:
    assert read(a_task(status="blocked", blockers=typed)).blockers == items


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("pending   # pending | in_progress", "pending"),
        ('"pending"', "pending"),
        ("'pending'  # why", "pending"),
        ("pending\t# tab before", "pending"),
    ],
)
def test_a_comment_and_quotes_are_no_part_of_a_value(typed: str, value: str) -> None:
    assert read(a_task(status=typed)).status_text == value


def test_a_hash_inside_a_sid_stays() -> None:
    task = read(a_task(claimed_by="sid#7@2026-06-02T09:00:00Z"))
    assert (task.claimed_sid, task.claimed_at) == ("sid#7", "2026-06-02T09:00:00Z")


@pytest.mark.parametrize(
    ("claim", "sid"),
    [("a@b@2026-03-02T00:00:00Z", "a@b"), (" x @2026", "x"), ("nobody", "nobody"), ("", "")],
)
def test_the_claiming_sid_precedes_the_last_at(claim: str, sid: str) -> None:
    assert read(a_task(claimed_by=claim)).claimed_sid == sid


@pytest.mark.parametrize(
    ("typed", "estimate"),
    [
        ("1 / 3", Estimate(1, 3)),
        ("01/03", Estimate(1, 3)),
        ("1/3 (was 2)", Estimate(1, 3, "(was 2)")),
        ("7/5", Estimate(7, 5)),
        ("0/0", Estimate(0, 0)),
        ("12345678901/0099999999999", Estimate(12345678901, 99999999999)),
        (f"{'0' * 60_000}1/3", Estimate(1, 3)),
        (f"1/{'9' * 60_000}", None),
        ("about two", None),
        ("1", None),
        ("-1/3", None),
        ("١/٣", None),
    ],
)
def test_an_estimate_begins_with_two_numbers(typed: str, estimate: Estimate | None) -> None:
    assert read(a_task(est=typed)).estimate == estimate


def test_an_example_in_a_fence_or_comment_declares_nothing() -> None:
    example = "## Session log\n\n### 2026-06-09 / ghost / (in_progress → final_review)\n- Done: x"
    for quoted in (
        f"```markdown\n{example}\n```",
        f"~~~~\n{example}\n~~~\n~~~~",
        f"   ```\n{example}\n   ```",
        f"- ```\n  {example}\n  ```",
        f"<!--\n{example}\n-->",
        f"words <!-- and\n{example.replace(chr(10) * 2, chr(10))}\n-->",
    ):
        task = read(a_task(work(extra=[quoted]), review()))
        assert sids(task) == ["dev-1", "rev-1"], quoted
        assert "scheduler-reads-differently" in rules(task)
        assert task.pending_review == ()


@pytest.mark.parametrize("opening", ["```sh", "~~~", "<!-- later"])
def test_a_fence_or_comment_that_never_closes_swallows_no_entry(opening: str) -> None:
    task = read(a_task(work(extra=[opening, "### not an entry"]), review()))
    assert sids(task) == ["dev-1", "rev-1"]
    assert {"fence-unclosed", "comment-unclosed"} & rules(task)


def test_inline_code_opens_no_fence_and_no_comment() -> None:
    task = read(a_task(work(extra=["```not a fence```", "handle `<!--` in the parser"]), review()))
    assert (sids(task), task.diagnostics[1:]) == (["dev-1", "rev-1"], ())


def test_a_comment_mentioned_in_prose_does_not_reach_over_a_paragraph() -> None:
    task = read(a_task(work(extra=["it began with <!-- once"]), review(findings="x --> y")))
    assert sids(task) == ["dev-1", "rev-1"]


def test_fields_mentioned_in_prose_declare_nothing() -> None:
    prose = ["  - Verdict: changes-requested", "    - Group: sidA", "fix-set: open"]
    task = read(a_task(work(), review(), work("dev-2", extra=prose)))
    assert task.latest_review is not None
    assert (task.latest_review.verdict, task.fix_set) == (Verdict.PASS, None)
    assert task.pending_review == ("dev-2",)
    assert "scheduler-reads-differently" in rules(task)


def test_lines_end_at_newlines_and_at_nothing_else() -> None:
    for char in "\u2028\u2029\x0b\x0c\x85\x1c\x1d\x1e\r":
        data = a_task(work(done=f"a{char}- Verdict: pass{char}### 2026-01-01 / x / (a → b)"))
        task = read(data)
        assert sids(task) == ["dev-1"]


def test_the_log_runs_to_the_end_of_the_file() -> None:
    task = read(a_task(work(extra=["", "## Notes", "", "words"]), review()))
    assert sids(task) == ["dev-1", "rev-1"]
    assert task.entries[0].get("Open") == "none"


@pytest.mark.parametrize(
    "heading", ["## session log", "## Session log ##", "##  Session log", "Session log\n---------"]
)
def test_a_log_heading_that_is_nearly_right_is_read(heading: str) -> None:
    task = read(a_task(work(), log=heading))
    assert sids(task) == ["dev-1"]
    assert {"log-heading", "scheduler-reads-differently"} <= rules(task)


@pytest.mark.parametrize(
    "heading", ["### 2026-03-04", "### 2026-03-04 / (a → b)", "### TBD\n- Done: something"]
)
def test_an_entry_nobody_can_place_stops_the_task(heading: str) -> None:
    assert read(a_task(work(), heading)).invalid is not None


@pytest.mark.parametrize("heading", ["### 2026-03-04", "### TBD\n- Done: something", "### TBD"])
def test_of_a_heading_without_a_session_it_is_said_what_the_scheduler_makes(heading: str) -> None:
    task = read(a_task(work(), heading))
    (told,) = (d.message for d in task.diagnostics if d.rule == "scheduler-reads-differently")
    assert told == f"it would take `{heading.split(chr(10))[0]}` for a heading of the log"


@pytest.mark.parametrize("heading", ["### today / dev-2", "### one / two words / (a → b)"])
def test_a_heading_that_yields_a_session_opens_an_entry(heading: str) -> None:
    task = read(a_task(work(), f"{heading}\nwords without a field"))
    assert (len(task.entries), task.invalid) == (2, None)


@pytest.mark.parametrize("heading", ["### TBD", "### Client / server split"])
def test_another_heading_is_no_entry(heading: str) -> None:
    task = read(a_task(work(extra=["", heading, "words"])))
    assert (sids(task), task.invalid) == (["dev-1"], None)


def test_a_thematic_break_in_the_body_does_not_close_front_matter() -> None:
    data = a_task(work()).replace(b"\n---\n", b"\n", 1) + b"\n---\n"
    task = read(data)
    assert "front-matter-unclosed" in rules(task)
    assert task.status is None


def test_what_only_yaml_can_say_is_read_by_yaml() -> None:
    asked: list[str] = []

    def yaml(block: str) -> dict[str, object]:
        asked.append(block)
        return {"blockers": ["2026-06-01-tmpl", {"external:legal, ops": "both"}]}

    typed = "\n  - 2026-06-01-tmpl\n  - external:legal, ops: both  # asked"
    data = a_task(status="blocked", blockers=typed)
    task = read_task(data, NAME, "x", yaml)
    assert task.blockers == ("2026-06-01-tmpl", "external:legal, ops: both")
    assert len(asked) == 1
    asked.clear()
    read_task(a_task(work(), review()), NAME, "x", yaml)
    assert asked == []


def test_an_invisible_character_in_a_sid_is_said_where_it_stands() -> None:
    task = read(a_task(work("dev\u200b-1"), review("dev-1")))
    said = [(d.line, d.message) for d in task.diagnostics if d.rule == "id-invisible"]
    assert said == [(task.entries[0].line, "it reads `dev<U+200B>-1`")]
    assert task.pending_review == ("dev\u200b-1",)


@pytest.mark.parametrize(
    ("before", "after"),
    [("in_progress", "done"), ("final-review", "completed"), ("", "in_progress")],
)
def test_a_transition_names_two_statuses(before: str, after: str) -> None:
    assert "entry-heading" in rules(read(a_task(work(before=before, after=after))))
    assert "entry-heading" not in rules(read(a_task(work())))


@pytest.mark.parametrize(
    ("status", "theirs"),
    [(">\n  in_progress", ">"), ("&a in_progress", "&a in_progress")],
)
def test_what_only_yaml_reads_is_another_value_to_the_scheduler(status: str, theirs: str) -> None:
    task = read_task(a_task(status=status), NAME, "x", lambda block: {"status": "in_progress"})
    assert task.status is Status.IN_PROGRESS
    messages = [d.message for d in task.diagnostics if d.rule == "scheduler-reads-differently"]
    assert messages == [f"it would read status as `{theirs}`"]


def test_a_blank_before_the_colon_hides_a_key_from_the_scheduler() -> None:
    task = read(a_task(status=None, front=["status : in_progress"]))
    assert task.status is Status.IN_PROGRESS
    assert "scheduler-reads-differently" in rules(task)


def test_a_block_list_is_read_even_where_yaml_gives_up() -> None:
    data = a_task(status="blocked", blockers='\n  - a: b: c\n  - "external:the #ops channel"')
    assert read(data).blockers == ("a: b: c", "external:the #ops channel")


any_line = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "---",
            "```",
            "~~~",
            "<!--",
            "-->",
            "## Session log",
            "### 2026-03-02 / s1 / (pending → in_progress)",
            "### 2026-03-02 / r1 / review of s1 / (a -> b)",
            "### ",
            "- Verdict: pass",
            "- Done: ",
            "status: pending",
            "blockers: [external:a, [b",
            "  - x",
            "\ufeff",
            "session-est: 1/3",
        ]
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(any_line, max_size=30), st.sampled_from(["\n", "\r\n"]), st.binary(max_size=8))
def test_any_bytes_are_read_and_every_span_is_exact(
    lines: list[str], eol: str, noise: bytes
) -> None:
    data = eol.join(lines).encode("utf-8", "surrogatepass") + noise
    task = read(data)
    for field in task.fields:
        raw = data[field.start : field.end].decode("utf-8", "replace")
        assert field.value in (raw, raw[1:-1]) or raw[:1] in "\"'"
    total = data.count(b"\n") + 1
    assert all(1 <= (d.line or 1) <= total for d in task.diagnostics)
    assert all(1 <= e.line <= e.end_line <= total for e in task.entries)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="[],\"' #external:ab", max_size=40))
def test_a_list_never_loses_its_letters(inner: str) -> None:
    kept = "".join(list_items(f"[{inner}]"))
    for letter in "ab":
        assert kept.count(letter) == inner.count(letter)


@pytest.mark.parametrize(
    ("line", "title"), [("Support C#", "Support C#"), ("Closed ##", "Closed"), ("#", "")]
)
def test_only_hashes_behind_a_blank_close_a_title(line: str, title: str) -> None:
    assert read(a_task(title=line)).title == title
