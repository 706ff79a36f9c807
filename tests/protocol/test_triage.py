"""Blocking, unblocking and editing a task: what is written, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.index_edit import AddRow
from mandrel_tui.protocol.index_rows import Told
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Status
from mandrel_tui.protocol.triage import (
    TriagePlan,
    block,
    edit,
    edited_text,
    status_before,
    unblock,
)
from tests.builders import a_task, review, work

NAME = "2026-03-02-a-task"
INDEX = (
    b"| id | title | status | session-est | blockers |\n|---|---|---|---|---|\n"
    b"| 2026-03-02-a-task | A task | in_progress | 1/3 | [] |\n"
    b"| 2026-03-02-a-task-2 | Another | in_progress | 1/3 | [] |\n"
)


def read(data: bytes) -> TaskFile:
    return TaskFile.read(data, NAME, f".ai-tasks/{NAME}.md")


def changed(plan: TriagePlan) -> list[str]:
    """The changed lines of all files, as the diff shows them."""
    return [line for line in plan.diff if line[0] in "+-" and line[:3] not in ("+++", "---")]


def after(plan: TriagePlan) -> TaskFile:
    data = plan.files[0].edit.after
    assert data is not None
    return read(data)


def test_a_task_is_blocked_by_a_question_and_its_row_tells_so() -> None:
    plan = block(read(a_task(work())), "which port, 80 or 8080?", INDEX)
    assert changed(plan) == [
        "-status: in_progress",
        "+status: blocked",
        "-blockers: []",
        "+blockers: [external:which port, 80 or 8080?]",
        "-| 2026-03-02-a-task | A task | in_progress | 1/3 | [] |",
        "+| 2026-03-02-a-task | A task | blocked | 1/3 | [external:which port, 80 or 8080?] |",
    ]
    assert (plan.what, plan.cautions) == (f"block {NAME}", ())


def test_a_further_reason_is_added_to_those_that_are_there() -> None:
    file = read(a_task(status="blocked", blockers="[ 2026-01-01-x ]  # waits"))
    assert changed(block(file, "a second, too", None)) == [
        "-blockers: [ 2026-01-01-x ]  # waits",
        "+blockers: [ 2026-01-01-x, external:a second, too ]  # waits",
    ]


def test_a_task_waits_for_another_task_by_its_name() -> None:
    active = frozenset({NAME, "2026-01-01-x"})
    plan = block(read(a_task()), "2026-01-01-x", None, active)
    assert after(plan).task.blockers == ("2026-01-01-x",)
    asked = block(read(a_task()), "external:2026-01-01-x", None, active)
    assert after(asked).task.blockers == ("external:2026-01-01-x",)
    with pytest.raises(Refusal, match="itself"):
        block(read(a_task()), NAME, None, active)


WORDS = st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="#")


@given(st.text(WORDS, max_size=30))
def test_any_reason_reads_back_as_it_was_given(reason: str) -> None:
    text = reason.removeprefix("external:").strip()
    assume(text and text != NAME)
    assert after(block(read(a_task()), reason, None)).task.blockers == (f"external:{text}",)


@pytest.mark.parametrize(
    ("data", "reason", "words"),
    [
        (a_task(), "  ", "reason is empty"),
        (a_task(), "two\nlines", r"U\+000A"),
        (a_task(), "ten, or twenty? [x] #3", "ends a value at `#`: say it without"),
        (a_task(status="completed"), "x", "completed"),
        (a_task(status="blocked", blockers="[external:x]"), "x", "already"),
        (a_task(status="paused"), "x", "`paused` is no status; edit the file first"),
        (b"# nothing\n", "x", "edit the file first"),
    ],
)
def test_what_cannot_be_blocked_is_refused(data: bytes, reason: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        block(read(data), reason, None)


@pytest.mark.parametrize(
    ("entries", "claim", "status"),
    [
        ((work(), work("dev-2", before="in_progress", after="blocked")), "s@t", "in_progress"),
        ((work(), review(before="final_review", after="blocked")), "s@t", "final_review"),
        ((work(before="pending", after="blocked"),), "s@t", "pending"),
        ((work(), work("dev-2", before="in_progress", after="final_review")), None, "final_review"),
        ((work(before="?", after="blocked"),), None, "in_progress"),
        ((), "s@t", "in_progress"),
        ((), None, "pending"),
    ],
)
def test_an_unblocked_task_returns_to_the_status_it_had(
    entries: tuple[str, ...], claim: str | None, status: str
) -> None:
    data = a_task(*entries, status="blocked", blockers="[external:a, b]", claimed_by=claim)
    file = read(data)
    assert status_before(file.task) == status
    assert (
        changed(unblock(file, None))
        == [
            "-status: blocked",
            f"+status: {status}",
            "-blockers: [external:a, b]",
            "+blockers: []",
        ]
        or status == "blocked"
    )


def test_one_answer_leaves_the_other_questions() -> None:
    file = read(a_task(status="blocked", blockers="[external:one, external:two]"))
    plan = unblock(file, None, ("external:one",))
    assert changed(plan) == [
        "-blockers: [external:one, external:two]",
        "+blockers: [external:two]",
    ]
    last = unblock(after(plan), None, ("external:two",))
    assert after(last).task.status is Status.IN_PROGRESS


def test_blockers_of_a_task_that_is_not_blocked_are_emptied() -> None:
    plan = unblock(read(a_task(blockers="[x]")), None)
    assert changed(plan) == ["-blockers: [x]", "+blockers: []"]


def test_a_task_that_is_not_blocked_cannot_be_unblocked() -> None:
    with pytest.raises(Refusal, match="not blocked: it is in_progress"):
        unblock(read(a_task()), None)
    with pytest.raises(Refusal, match="not blocked by y"):
        unblock(read(a_task(status="blocked", blockers="[x]")), None, ("y",))


@given(st.text("ab,[]\"' :|`", min_size=1, max_size=12).filter(str.strip))
def test_blocking_is_read_alike_by_everyone_and_unblocking_leaves_no_trace(reason: str) -> None:
    data = a_task(work())
    blocked = block(read(data), reason, INDEX)
    assert not [d for d in after(blocked).task.diagnostics if d.marks]
    assert after(unblock(after(blocked), blocked.files[1].edit.after)).data == data
    assert unblock(after(blocked), blocked.files[1].edit.after).files[1].edit.after == INDEX


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ({"status": "pending"}, ["-status: in_progress", "+status: pending"]),
        ({"session-est": "2/4"}, ["-session-est: 1/3", "+session-est: 2/4"]),
        ({"prefetch": "a.md, .ai/b.md"}, ["-prefetch: []", "+prefetch: [.ai/a.md, .ai/b.md]"]),
        ({"prefetch": "[a.md]"}, ["-prefetch: []", "+prefetch: [.ai/a.md]"]),
        ({"fix-set": "open"}, ["+fix-set: open"]),
        ({"claimed-by": ""}, ["-claimed-by: dev-1@2026-03-02T09:00:00Z"]),
        ({"owner": "me"}, ["-owner: you", "+owner: me"]),
        ({"owner": ""}, ["-owner: you"]),
        ({"id": NAME, "owner": "me"}, ["-owner: you", "+owner: me"]),
    ],
)
def test_a_field_is_edited_alone(typed: dict[str, str], lines: list[str]) -> None:
    file = read(a_task(prefetch="[]", front=["owner: you"]))
    assert changed(edit(file, typed, None)) == lines


def test_what_a_task_prefetches_already_stays_as_it_is_written() -> None:
    file = read(a_task(prefetch="[modules.md, map.md]"))
    plan = edit(file, {"prefetch": "modules.md, map.md, b.md"}, None, frozenset({".ai/b.md"}))
    assert changed(plan)[-1] == "+prefetch: [modules.md, map.md, .ai/b.md]"


def test_an_edited_field_is_told_in_the_row_too() -> None:
    plan = edit(read(a_task()), {"session-est": "2/5", "claimed-by": ""}, INDEX)
    assert changed(plan)[-2:] == [
        "-| 2026-03-02-a-task | A task | in_progress | 1/3 | [] |",
        "+| 2026-03-02-a-task | A task | in_progress | 2/5 | [] |",
    ]


def test_an_index_that_cannot_be_written_stops_no_edit_and_is_said() -> None:
    damaged = b"<<<<<<< HEAD\n" + INDEX
    plan = edit(read(a_task()), {"status": "pending"}, damaged)
    assert [planned.edit.path for planned in plan.files] == [f".ai-tasks/{NAME}.md"]
    assert "damaged" in plan.cautions[0]


def test_what_the_file_would_be_diagnosed_for_is_said_before() -> None:
    plan = edit(read(a_task()), {"session-est": "4/3"}, None)
    assert len(plan.cautions) == 1
    assert "4" in plan.cautions[0]


def test_an_off_schema_task_can_be_edited_into_the_schema() -> None:
    plan = edit(read(a_task(status="paused")), {"status": "pending"}, None)
    assert after(plan).task.status is Status.PENDING


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({}, "nothing"),
        ({"status": "in_progress"}, "says so already"),
        ({"status": "done"}, "no status: pending, in_progress"),
        ({"status": ""}, "cannot be empty"),
        ({"session-est": "three"}, "done/total"),
        ({"id": "other"}, "the id is the file name"),
        ({"fix-set": "closed"}, "fix-set is `open` or removed"),
        ({"prefetch": "../x.md"}, "does not lie in .ai/"),
        ({"prefetch": "map.md"}, "loads always"),
        ({"stauts": "pending"}, "no key of a task"),
        ({"claimed-by": "a\x1bb"}, r"U\+001B"),
        ({"claimed-by": "a#b"}, "say it without"),
        ({"blockers": "[external:ten #3]"}, "say it without"),
    ],
)
def test_what_a_key_cannot_hold_is_refused(typed: dict[str, str], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        edit(read(a_task()), typed, None)


def test_a_blocker_that_is_there_may_stay_as_it_is() -> None:
    file = read(a_task(status="blocked", blockers="[external:ten #3]"))
    plan = edit(file, {"blockers": "[external:ten #3, external:more]"}, None)
    assert after(plan).task.blockers == ("external:ten #3", "external:more")


def test_a_text_from_an_editor_is_taken_as_it_is() -> None:
    data = a_task()
    plan = edited_text(read(data), data + b"\n\xff")
    assert plan.files[0].edit.after == data + b"\n\xff"
    assert any("0xff" in caution for caution in plan.cautions)
    with pytest.raises(Refusal, match="not changed"):
        edited_text(read(data), data)


def test_the_row_of_a_task_whose_id_differs_is_found_by_either() -> None:
    file = read(a_task(id="other-id"))
    index = AddRow(Told(("other-id",), "T", "in_progress", "1/3")).on(b"# Active tasks\n")
    assert len(block(file, "why", index).files) == 2
