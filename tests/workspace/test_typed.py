"""Typed paths: below the start, below a home, and of a home that nobody has."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.workspace.typed import typed_path

START = Path("/start")


def test_a_typed_path_is_below_the_start_unless_it_says_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/nowhere/somebody")
    assert typed_path(START, "a/b.md") == Path("/start/a/b.md")
    assert typed_path(START, "/a/b.md") == Path("/a/b.md")
    assert typed_path(START, "~/b.md") == Path("/nowhere/somebody/b.md")


def test_the_home_of_a_user_there_is_not_stays_as_it_was_typed() -> None:
    assert typed_path(START, "~no-such-user/b.md") == Path("/start/~no-such-user/b.md")
