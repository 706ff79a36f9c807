"""The words all screens share: ages, numbers, names and sids."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui.present import age, short_names, sid_words, words
from mandrel_tui.ui.symbols import ASCII, UNICODE

NOW = datetime(2026, 8, 22, 14, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stamp", "shown"),
    [
        ("2026-08-22T14:22:00Z", "9m"),
        ("2026-08-22T14:31:00Z", "0m"),
        ("2026-08-22T14:35:00Z", "0m"),
        ("2026-08-22T12:31:00Z", "2h"),
        ("2026-08-22T12:31:00", "2h"),
        ("2026-08-22T14:31:00+02:00", "2h"),
        ("2026-08-21T14:30:00Z", "1d"),
        ("2026-08-20", "2d"),
        ("2026-08-22", "0d"),
        ("2026-08-23", "0d"),
        ("2022-08-22", "4y"),
        ("", ""),
    ],
)
def test_an_age_is_one_number_and_a_letter(stamp: str, shown: str) -> None:
    assert age(stamp, NOW).text == shown
    assert age(stamp, NOW).odd == ""


@pytest.mark.parametrize(
    ("stamp", "odd"),
    [
        ("2026-08-24", "in the future"),
        ("2099-01-01T00:00:00Z", "in the future"),
        ("0001-01-01", "too long ago"),
        ("1970-01-01T00:00:00Z", "too long ago"),
        ("yesterday", "not a time"),
        ("2026-13-45", "not a time"),
        ("9999-12-31T23:59:59-23:59", "in the future"),
    ],
)
def test_a_stamp_that_cannot_be_true_has_no_age_and_says_why(stamp: str, odd: str) -> None:
    assert age(stamp, NOW).text == ""
    assert age(stamp, NOW).odd == odd


@pytest.mark.parametrize("hours", [-12, 0, 14])
def test_ages_are_right_in_any_zone(hours: int) -> None:
    here = NOW.astimezone(timezone(timedelta(hours=hours)))
    assert age("2026-08-22T12:31:00Z", here).text == "2h"
    assert age("2026-08-20", here).text == "2d"


def test_names_lose_their_date_only_while_that_leaves_them_apart() -> None:
    shown = short_names(["2026-08-17-retry", "2026-08-11-drain", "2026-08-12-drain", "plain"])
    assert shown == {
        "2026-08-17-retry": "retry",
        "2026-08-11-drain": "2026-08-11-drain",
        "2026-08-12-drain": "2026-08-12-drain",
        "plain": "plain",
    }


def test_sids_are_eight_characters_and_sixteen_where_two_begin_alike() -> None:
    shown = sid_words(["7c1e09aa-1111-2", "7c1e09aa-2222-2", "9b02f4d1-aaaa"], UNICODE)
    assert list(shown.values()) == ["7c1e09aa-1111-2", "7c1e09aa-2222-2", "9b02f4d1"]


def test_text_of_a_file_becomes_one_line_that_no_terminal_obeys() -> None:
    assert words("a\x1b[31mb\r\nc\u202ed", UNICODE) == "a␛[31mb c\ufffdd"
    assert words("a\x1bb", ASCII) == "a^[b"


def test_numbers_are_grouped_and_nouns_follow_them() -> None:
    assert counted(1, "task") == "1 task"
    assert counted(1030, "task") == "1,030 tasks"
