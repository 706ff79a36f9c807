"""A task as lines: entries, fields, timelines, diagnostics, text."""

from datetime import UTC, datetime
from typing import Any

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.line import fit, plain, wrapped
from mandrel_tui.ui.present_groups import timelines
from mandrel_tui.ui.present_task import (
    claim_words,
    diagnostic_rows,
    entry_kind,
    entry_row,
    entry_title,
    facts,
    field_lines,
    task_sids,
    task_text,
)
from mandrel_tui.ui.symbols import ASCII, UNICODE
from tests.builders import a_task, review, work

NOW = datetime(2026, 8, 22, 14, 31, tzinfo=UTC)


def a_read_task(*entries: str, **keys: Any) -> Task:
    return read_task(a_task(*entries, **keys), "2026-03-02-a-task", ".ai-tasks/x.md")


LOOP = a_read_task(
    work("2fd0713c-1", date="2026-08-18"),
    review("2fd0713c-1", "a81b55e0-1", verdict="changes-requested", date="2026-08-18"),
    work("5e9a0c11-1", before="in_progress", date="2026-08-19"),
    review("5e9a0c11-1", "c07d2f9b-1", group="2fd0713c-1", date="2026-08-19"),
    work("7c1e09aa-1", before="in_progress", date="2026-08-20"),
    work("9b02f4d1-1", before="in_progress", after="final_review", date="2026-08-21"),
    status="final_review",
    claimed_by="9b02f4d1-1@2026-08-22T12:31:00Z",
)


def rows(task: Task, cells: int = 76) -> list[str]:
    sids = task_sids(task, UNICODE)
    made = (entry_row(task, at, sids, UNICODE, NOW) for at in range(len(task.entries)))
    return [plain(fit(one, cells)) for one in made]


def test_entries_stand_in_file_order_with_what_their_heading_declares() -> None:
    assert rows(LOOP) == [
        "1  08-18  2fd0713c  dev     pending → in_progress                         4d",
        "2  08-18  a81b55e0  review  of 2fd0713c                      ✗ changes    4d",
        "3  08-19  5e9a0c11  fix     in_progress                                   3d",
        "4  08-19  c07d2f9b  review  of 5e9a0c11                      ✓ pass       3d",
        "5  08-20  7c1e09aa  dev     in_progress                      ? open       2d",
        "6  08-21  9b02f4d1  dev     in_progress → final_review       ? open       1d",
    ]


def test_a_group_is_a_timeline_with_the_rounds_it_used() -> None:
    made = [plain(fit(one, 76)) for one in timelines(LOOP, task_sids(LOOP, UNICODE), 76, UNICODE)]
    assert made == [
        "2fd0713c   w1 ── ✗2 ── w3 ── ✓4                             1 of 2   settled",
        "no group   w5 ── w6 ── ?                                  waits for a review",
    ]


def test_the_round_that_spends_the_budget_and_a_dispute_are_marked() -> None:
    entries = [work("dev-1")]
    for number in (1, 2, 3):
        changes = {"verdict": "changes-requested", "group": "dev-1"}
        entries.append(review(f"dev-{number}", f"rev-{number}", **changes))
        if number < 3:
            entries.append(work(f"dev-{number + 1}", before="in_progress"))
    task = a_read_task(*entries)
    line = timelines(task, task_sids(task, UNICODE), 90, UNICODE)[0]
    assert line.text == "dev-1   w1 ── ✗2 ── w3 ── ✗4 ── w5 ── ✗6 !3 of 2   spent"
    disputed = a_read_task(work("dev-1"), review("dev-1", "rev-1", dispute="F1 is deliberate"))
    line = timelines(disputed, task_sids(disputed, UNICODE), 90, UNICODE)[0]
    assert line.text == "dev-1   w1 ── ✓2⚑0 of 2   disputed"


def test_a_timeline_too_long_loses_its_earliest_entries() -> None:
    entries = [work("dev-0")]
    for number in range(30):
        entries.append(review(f"dev-{number}", f"rev-{number}", verdict="pass", group="dev-0"))
        entries.append(work(f"dev-{number + 1}", before="in_progress"))
    task = a_read_task(*entries)
    made = timelines(task, task_sids(task, UNICODE), 60, UNICODE)
    for one in made:
        text = plain(fit(one, 60))
        assert len(text) == 60
    first = plain(fit(made[0], 60))
    assert first.startswith("dev-0      … ── ")
    assert "✓60" in first


def test_fields_are_wrapped_beside_their_names() -> None:
    task = a_read_task(work("dev-1", done="one two three four five six seven eight"))
    lines = field_lines(task.entries[0], 30, UNICODE)
    made = [row.text for one in lines for row in wrapped(one, 30)]
    assert made == [
        "Done   one two three four five",
        "       six seven eight",
        "Next   The other slice.",
        "Open   none",
    ]


def test_an_entry_says_on_which_lines_it_stands() -> None:
    entry = LOOP.entries[0]
    assert entry_title(LOOP, 0) == f"entry 1, lines {entry.line} to {entry.end_line}"


def test_a_review_without_a_verdict_is_no_pass() -> None:
    task = a_read_task(work("dev-1"), review("dev-1", verdict=None))
    assert "? none" in rows(task)[1]
    assert entry_kind(task, 1) == "review"


def test_a_claim_tells_its_time_and_marks_one_that_cannot_be() -> None:
    assert claim_words(LOOP, UNICODE, NOW) == "claimed by 9b02f4d1 since 12:31Z"
    odd = a_read_task(claimed_by="s@2099-01-01T00:00:00Z")
    said = claim_words(odd, UNICODE, NOW)
    assert said == "claimed by s since 2099-01-01T00:00:00Z ~ in the future"
    old = a_read_task(claimed_by="s@2026-08-20T12:31:00Z")
    assert claim_words(old, UNICODE, NOW) == "claimed by s since 2026-08-20"


def test_the_text_of_a_task_is_its_sections_as_written() -> None:
    task = a_read_task(work(), title="Handle [/] in paths", goal="[red]not red[/red] \x1b[31m")
    text = task_text(task, UNICODE, NOW)
    assert text.startswith("# Handle \\[\\/\\] in paths\n\n2026\\-03\\-02\\-a\\-task\\\n")
    assert "[red]not red[/red] ␛[31m" in text
    assert "## Session log" not in text


def test_the_facts_name_what_blocks_the_task() -> None:
    task = a_read_task(blockers="[external:may I?, 2026-03-01-other]", status="blocked")
    said = facts(task, UNICODE, NOW)
    assert said[0] == "2026-03-02-a-task"
    assert "blockers: external:may I?, 2026-03-01-other" in said


def test_a_diagnostic_says_where_what_and_the_remedy() -> None:
    task = read_task(b"---\nid: x\n", "x", ".ai-tasks/x.md")
    first = diagnostic_rows(task.diagnostics, UNICODE)[0].text
    assert first.startswith("✗ 1   front-matter-unclosed: ")
    assert "add --- after line" in first


def test_everything_of_ours_is_ascii_where_symbols_are() -> None:
    sids = task_sids(LOOP, ASCII)
    made = [entry_row(LOOP, at, sids, ASCII, NOW).text for at in range(len(LOOP.entries))]
    made += [one.text for one in timelines(LOOP, sids, 76, ASCII)]
    assert all(text.isascii() for text in made)
