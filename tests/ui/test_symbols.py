"""Symbols: two tables that say the same, one of them in ASCII."""

from __future__ import annotations

from dataclasses import fields

import pytest
from rich.cells import cell_len

from mandrel_tui.protocol.kinds import GROUPS
from mandrel_tui.ui.symbols import ASCII, UNICODE, Symbols, choose


@pytest.mark.parametrize("table", [UNICODE, ASCII])
def test_every_mark_is_one_cell_wide(table: Symbols) -> None:
    many = {"name", "ellipsis", "arrow", "box"}
    wide = {f.name for f in fields(table) if cell_len(getattr(table, f.name)) != 1}
    assert wide - many == set()


def test_the_ascii_table_is_ascii() -> None:
    assert all(getattr(ASCII, field.name).isascii() for field in fields(ASCII))


@pytest.mark.parametrize("table", [UNICODE, ASCII])
def test_the_marks_of_states_and_verdicts_differ_without_colour(table: Symbols) -> None:
    assert len(set(table.status.values())) == len(table.status)
    marks = [table.ok, table.fail, table.mild, table.unknown, table.none, table.owe]
    assert len(set(marks)) == len(marks)


def test_every_board_group_has_a_mark() -> None:
    assert set(UNICODE.status) == set(GROUPS)


def test_a_gauge_is_as_long_as_asked_and_never_empty_above_nothing() -> None:
    assert UNICODE.gauge(0.61, 8) == ("▰▰▰▰▰", "▱▱▱")
    assert UNICODE.gauge(0.001, 8) == ("▰", "▱" * 7)
    assert UNICODE.gauge(0, 8) == ("", "▱" * 8)
    assert UNICODE.gauge(1.4, 8) == ("▰" * 8, "")


@pytest.mark.parametrize(
    ("setting", "environ", "platform", "chosen"),
    [
        ("auto", {"LANG": "en_GB.UTF-8"}, "linux", UNICODE),
        ("auto", {"LANG": "C.utf8"}, "linux", UNICODE),
        ("auto", {"LANG": "C"}, "linux", ASCII),
        ("auto", {}, "linux", ASCII),
        ("auto", {"LANG": "en_GB.UTF-8", "LC_ALL": "POSIX"}, "linux", ASCII),
        ("auto", {"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, "linux", UNICODE),
        ("auto", {}, "win32", UNICODE),
        ("auto", {}, "darwin", UNICODE),
        ("ascii", {"LANG": "en_GB.UTF-8"}, "linux", ASCII),
        ("unicode", {"LANG": "C"}, "linux", UNICODE),
    ],
)
def test_ascii_is_drawn_where_the_locale_writes_no_utf8(setting, environ, platform, chosen) -> None:
    assert choose(setting, environ, platform) is chosen
