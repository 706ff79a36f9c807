"""The board as lines: rows, group headers, the next card."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from mandrel_tui.protocol.board import Board, Row, row_of
from mandrel_tui.protocol.diagnostics import diagnostic
from mandrel_tui.protocol.prompt import Part, Prompt
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Estimate
from mandrel_tui.protocol.turn import turn_of
from mandrel_tui.ui.line import Line, fit, plain
from mandrel_tui.ui.listing import Choice, listing
from mandrel_tui.ui.present_board import (
    Ready,
    board_row,
    card,
    columns,
    estimate_bar,
    group_line,
    list_counts,
    list_title,
)
from mandrel_tui.ui.present_prompt import refusal
from mandrel_tui.ui.symbols import ASCII, UNICODE
from tests.builders import a_task, review, work

NOW = datetime(2026, 8, 22, 14, 31, tzinfo=UTC)


def a_row(name: str, *entries: str, **keys: Any) -> Row:
    path = f".ai-tasks/{name}.md"
    task = read_task(a_task(*entries, id=name, **keys), name, path)
    return row_of(task, turn=turn_of(task))


def shown(made: Line, cells: int) -> str:
    return plain(fit(made, cells))


GATE = a_row(
    "2026-08-17-submit-retry-loop",
    work("7c1e09aa-1", after="in_progress"),
    work("9b02f4d1-1", before="in_progress", after="final_review"),
    status="final_review",
    est="2/2",
    claimed_by="9b02f4d1-1@2026-08-22T12:31:00Z",
)


def test_a_row_names_estimate_task_and_turn() -> None:
    assert shown(board_row(GATE, columns([GATE]), UNICODE), 36) == (
        "2/2 submit-retry-loop       gate    "
    )


def test_a_wide_row_adds_the_estimate_bar_and_the_age() -> None:
    assert shown(board_row(GATE, columns([GATE]), UNICODE, NOW, aged=True), 48) == (
        "2/2 ▰▰   submit-retry-loop          gate     2h "
    )


def test_the_name_gives_way_first_and_marks_and_turn_never() -> None:
    flag = diagnostic("estimate-over", GATE.path, 3, "4/3")
    row = replace(GATE, name="2026-08-17-" + "a-very-long-name-" * 6, diagnostics=(flag,))
    assert shown(board_row(row, columns([row]), UNICODE), 36) == (
        "2/2 a-very-long-name-a… ⚑1  gate    "
    )


def test_a_wide_character_is_never_halved() -> None:
    row = replace(GATE, name="2026-06-01-把重试循环改为先返回主循环")
    for cells in range(20, 60):
        made = board_row(row, columns([row]), UNICODE)
        assert sum(2 if ord(c) > 0x2E80 else 1 for c in shown(made, cells)) == cells


def test_what_you_owe_has_a_mark_and_a_word() -> None:
    blocked = a_row("b", status="blocked", blockers="[external:what now?]")
    assert "!answer" in board_row(blocked, columns([blocked]), UNICODE).text
    closed = a_row("c", work(), review(), status="completed")
    assert "!close" in board_row(closed, columns([closed]), UNICODE).text
    waits = a_row("d", status="pending")
    assert " dev" in board_row(waits, columns([waits]), UNICODE).text


def test_an_unreadable_task_is_a_row_with_its_reason() -> None:
    row = replace(
        GATE,
        name="sec-audit",
        status=None,
        estimate=None,
        turn=None,
        task=None,
        diagnostics=(
            diagnostic("unreadable", ".ai-tasks/sec-audit.md", None, "permission denied"),
        ),
    )
    text = shown(board_row(row, columns([row]), UNICODE), 57)
    assert text.startswith("-/- sec-audit  permission denied")
    assert text.rstrip().endswith("!unread")
    assert [made.text for made in card(row, UNICODE, now=NOW)] == [
        "cannot be read",
        "permission denied. To do: restore access to the file.",
    ]


@pytest.mark.parametrize(
    ("done", "total", "bar"),
    [
        (0, 3, "▱▱▱ "),
        (1, 3, "▰▱▱ "),
        (2, 2, "▰▰  "),
        (4, 3, "▰▰▰!"),
        (1, 40, "▰▱▱▱"),
        (39, 40, "▰▰▰▱"),
        (0, 0, "    "),
        (7, 5, "▰▰▰!"),
    ],
)
def test_the_estimate_bar_is_never_full_before_the_end(done: int, total: int, bar: str) -> None:
    assert estimate_bar(Estimate(done, total), UNICODE) == bar


def test_ascii_symbols_draw_the_same_in_ascii() -> None:
    text = shown(board_row(GATE, columns([GATE]), ASCII, NOW, aged=True), 48)
    assert text.isascii()
    assert estimate_bar(Estimate(1, 3), ASCII) == "#.. "


def test_groups_go_from_nearest_to_done_to_farthest() -> None:
    rows = (a_row("p", status="pending"), a_row("x", status="nonsense"), GATE)
    found = listing(Board(rows), Choice())
    assert [group_line(group, UNICODE).text for group in found.groups] == [
        "◕ final_review 1",
        "◦ pending 1",
        "! off-schema 1",
    ]
    assert plain(list_counts(found, UNICODE)) == "◕1 ◦1 !1 "


def test_the_title_of_the_list_says_what_is_left_out() -> None:
    board = Board((GATE, a_row("p", status="pending")))
    assert list_title(listing(board, Choice()), board, Choice()) == "tasks 2"
    choice = Choice(statuses=frozenset({"pending"}))
    assert list_title(listing(board, choice), board, choice) == "tasks 1 of 2, pending"


def a_prompt(size: int) -> Prompt:
    part = Part("entry/x", "x.md", False, b"x" * size)
    return Prompt("t", "review", "interactive", "review", "final-gate", None, (part,))


def test_the_card_says_turn_rule_reason_debt_and_what_copying_does() -> None:
    lines = card(GATE, UNICODE, Ready(GATE.name, a_prompt(14212)), now=NOW)
    assert [made.text for made in lines] == [
        "review, final gaterule 4",
        "2 dev sessions are not reviewed yet: 7c1e09aa, 9b02f4d1.",
        "You owe nothing. c copies 14,212 bytes.",
    ]
    assert lines[0].left == (("review, final gate", "review bold"),)


def test_the_card_tells_a_change_just_noticed() -> None:
    assert card(GATE, UNICODE, now=NOW, changed="14:31")[0].right == (
        ("changed 14:31  rule 4", "quiet"),
    )


def test_the_card_promises_no_copy_that_would_be_refused() -> None:
    row = a_row("b", status="blocked", blockers="[external:what now?]")
    said = card(row, UNICODE, Ready("b", None, "no legal prompt"), now=NOW)[-1].text
    assert said == "You owe an answer. c copies nothing before that."
    mine = a_row("b", status="blocked", blockers="[external:what now?]", claimed_by=None)
    assert card(mine, UNICODE, now=NOW)[-1].text == (
        "You owe an answer: b frees the task, no session takes an answer."
    )
    free = card(GATE, UNICODE, Ready("b", None, "contracts are incomplete"), now=NOW)[-1].text
    assert free == "You owe nothing. c copies nothing now: contracts are incomplete."


def test_the_card_says_once_why_nothing_is_copied() -> None:
    row = a_row("b", status="blocked", blockers="[2026-08-01-other]")
    assert row.task is not None
    turn = turn_of(row.task, frozenset({"2026-08-01-other"}))
    ready = Ready("b", None, refusal(turn, "no legal prompt"))
    lines = card(replace(row, turn=turn), UNICODE, ready, now=NOW)
    assert [made.text for made in lines[1:]] == [
        "It waits for 2026-08-01-other; nobody owes an answer.",
        "You owe nothing. c copies nothing now.",
    ]


def test_sorting_stays_inside_the_groups() -> None:
    old = a_row("a-old", work(date="2026-08-01"), review(date="2026-08-02"), est="0/1")
    new = a_row("b-new", work(date="2026-08-19"), review(date="2026-08-20"), est="0/5")
    rows = Board((old, new, GATE))
    assert [r.name for r in listing(rows, Choice(sort="name")).rows][1:] == ["a-old", "b-new"]
    assert [r.name for r in listing(rows, Choice(sort="age")).rows][1:] == ["b-new", "a-old"]
    assert [r.name for r in listing(rows, Choice(sort="estimate")).rows][1:] == ["a-old", "b-new"]


def test_owed_and_ready_narrow_the_list() -> None:
    ready = a_row("r", status="pending")
    owed = a_row("o", status="blocked", blockers="[external:x]")
    board = Board((ready, owed))
    assert [r.name for r in listing(board, Choice(owed=True)).rows] == ["o"]
    assert [r.name for r in listing(board, Choice(ready=True)).rows] == ["r"]
