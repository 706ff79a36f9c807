"""Plan gate: which part of a reply becomes the plan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.plan import DROPPED, KEPT, NO_HEADING, NOTHING_TO_KEEP, adopt

PLAN = "## Goal / Acceptance\nOld."
HEADING = "## Goal / Acceptance"


def test_a_reply_is_taken_from_its_heading_to_its_end() -> None:
    adopted = adopt(f"{HEADING}\nDo it.\n\n## Confirmed Facts\nNone\n\n \t\r\n")
    assert adopted.text == f"{HEADING}\nDo it.\n\n## Confirmed Facts\nNone"
    assert adopted.replaced and adopted.warnings == ()


def test_text_above_the_heading_is_dropped_with_a_warning() -> None:
    adopted = adopt(f"I read the code.\n\n{HEADING}\nDo it.")
    assert adopted.text == f"{HEADING}\nDo it."
    assert adopted.warnings == (DROPPED,)


@pytest.mark.parametrize("heading", ["## goal / acceptance", "## GOAL / ACCEPTANCE", f"{HEADING} "])
def test_the_heading_counts_in_any_letter_case(heading: str) -> None:
    assert adopt(f"{heading}\nNew.", PLAN).text == f"{heading}\nNew."


def test_the_first_heading_counts() -> None:
    assert adopt(f"{HEADING}\nA\n{HEADING}\nB").text == f"{HEADING}\nA\n{HEADING}\nB"


@pytest.mark.parametrize(
    "line",
    ["### Goal / Acceptance", "## Goal", f"text {HEADING}", f"> {HEADING}", f"{HEADING} criteria"],
)
def test_another_line_is_no_heading(line: str) -> None:
    assert adopt(f"{line}\nx", PLAN).warnings == (KEPT,)


def test_a_reply_that_says_unchanged_keeps_the_plan_even_when_it_quotes_the_heading() -> None:
    adopted = adopt(f"As before:\n{HEADING}\nOld, quoted.\n\nPLAN-REPORT: unchanged\n", PLAN)
    assert adopted.text == PLAN
    assert not adopted.replaced and adopted.warnings == ()


def test_unchanged_must_stand_alone_on_its_line() -> None:
    adopted = adopt(f"{HEADING}\nI do not say PLAN-REPORT: unchanged here.", PLAN)
    assert adopted.replaced


def test_a_reply_with_the_heading_replaces_the_plan_whole() -> None:
    assert adopt(f"{HEADING}\nNew.", PLAN).text == f"{HEADING}\nNew."


def test_a_later_reply_without_heading_keeps_the_plan_with_a_warning() -> None:
    adopted = adopt("Good question: yes.", PLAN)
    assert (adopted.text, adopted.replaced, adopted.warnings) == (PLAN, False, (KEPT,))


def test_a_first_reply_without_heading_is_taken_whole_with_a_warning() -> None:
    adopted = adopt("\n\nJust do it. \n")
    assert (adopted.text, adopted.warnings) == ("Just do it.", (NO_HEADING,))


def test_a_first_reply_cannot_keep_what_there_never_was() -> None:
    adopted = adopt("PLAN-REPORT: unchanged")
    assert adopted.replaced
    assert adopted.warnings == (NOTHING_TO_KEEP, NO_HEADING)


def test_windows_line_ends_stay_inside_the_plan() -> None:
    reply = f"Hello\r\n{HEADING}\r\nDo it.\r\nThen test.\r\n"
    assert adopt(reply).text == f"{HEADING}\r\nDo it.\r\nThen test."
    assert not adopt("PLAN-REPORT: unchanged\r\n", PLAN).replaced


@given(st.text(max_size=80))
def test_only_outer_blanks_of_a_plan_are_ever_cut(text: str) -> None:
    reply = f"{HEADING}\n{text}"
    assert adopt(reply).text == reply.rstrip(" \t\r\n")
    assert adopt(adopt(reply).text).text == adopt(reply).text
