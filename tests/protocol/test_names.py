"""Names that are near to a name no task has."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.names import near

NAMES = ("2026-08-25-submit-retry-loop", "2026-08-25-stall", "2026-08-26-stall", "notes")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("submit-retry-loop", NAMES[:1]),
        (".ai-tasks/2026-08-25-STALL.md", NAMES[1:2]),
        ("stall", NAMES[1:3]),
        ("25-submit", NAMES[:1]),
        ("retry", NAMES[:1]),
        ("notse", NAMES[3:]),
        ("25", ()),
        ("", ()),
        ("nothing-like-it", ()),
    ],
)
def test_what_may_be_meant_by_a_name_that_is_none(typed: str, meant: tuple[str, ...]) -> None:
    assert near(typed, NAMES) == meant


def test_at_most_three_are_offered() -> None:
    assert len(near("task", [f"2026-08-2{n}-task" for n in range(9)])) == 3
