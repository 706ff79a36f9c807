"""Fuzzy find: the letters of a query in their order, whole words before scattered letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.fuzzy import score

TITLES = ["submit-retry-loop", "barrier-timeouts", "stall-detection", "fifo-drain [b x]"]


def best(query: str) -> str:
    return max(TITLES, key=lambda title: score(query, title))


@pytest.mark.parametrize("query", ["srl", "subret", "rtry", "sbmt", "ubmit", "y-l", "srloop"])
def test_letters_are_found_in_their_order_in_neighbouring_words(query: str) -> None:
    assert score(query, "submit-retry-loop")


@pytest.mark.parametrize("query", ["lrs", "bt", "sl p", "ot", "swt"])
def test_letters_scattered_anywhere_are_no_answer(query: str) -> None:
    assert not score(query, "submit-retry-loop, which stops and tells whom it waits for")


def test_no_split_of_the_letters_is_missed() -> None:
    assert score("abc", "ab-bc")


def test_a_whole_word_is_better_than_its_letters_apart() -> None:
    assert score("retry", "submit-retry-loop") > score("retry", "r-e-t-r-y")


def test_the_start_of_a_word_is_better_than_its_middle() -> None:
    assert score("time", "barrier-timeouts") > score("time", "sometimes")
    assert best("de") == "stall-detection"


def test_words_are_found_whatever_their_order() -> None:
    assert score("loop submit", "submit-retry-loop")


def test_case_counts_only_when_it_is_typed() -> None:
    assert score("submit", "Submit")
    assert not score("SUBMIT", "submit")


def test_a_long_word_answers_only_as_it_stands() -> None:
    word = "ab" * 500_000
    assert score(word, f"see {word}") > 0
    assert score(word, "a b " * 500) == 0


def test_brackets_are_letters_like_others() -> None:
    assert best("[b") == "fifo-drain [b x]"


def test_one_letter_answers_wherever_it_stands() -> None:
    assert all(score("i", title) for title in TITLES)


@given(st.text(max_size=12), st.text(max_size=40))
def test_a_text_always_answers_a_part_of_itself(query: str, text: str) -> None:
    assert score(query, text.lower() + query + text) or query != query.strip() or not query.split()


@given(st.text(alphabet="abc ", max_size=6), st.text(alphabet="abc -", max_size=14))
def test_a_text_that_answers_holds_the_letters_of_each_word_in_order(query, text) -> None:
    def holds(word: str) -> bool:
        rest = iter(text)
        return all(letter in rest for letter in word)

    assert not score(query, text) or all(map(holds, query.split()))


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=4), min_size=1, max_size=5))
def test_the_initials_of_neighbouring_words_answer(words: list[str]) -> None:
    assert score("".join(word[0] for word in words), "x " + "-".join(words) + " x")
