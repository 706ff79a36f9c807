"""Fuzzy find: the letters of a query in their order, whole words before scattered letters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.fuzzy import matches, score

TITLES = ["submit-retry-loop", "barrier-timeouts", "stall-detection", "fifo-drain [b x]"]


def best(query: str) -> str:
    return max(TITLES, key=lambda title: score(query, title))


def test_letters_are_found_in_their_order() -> None:
    assert score("srl", "submit-retry-loop")
    assert not score("lrs", "submit-retry-loop")


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


def test_brackets_are_letters_like_others() -> None:
    assert best("[b") == "fifo-drain [b x]"


def test_matches_keep_the_order_of_the_texts() -> None:
    assert [at for at, _ in matches("i", TITLES)] == [0, 1, 2, 3]


@given(st.text(max_size=12), st.text(max_size=40))
def test_a_text_always_answers_a_part_of_itself(query: str, text: str) -> None:
    assert score(query, text.lower() + query + text) or query != query.strip() or not query.split()


@given(st.text(alphabet="ab ", max_size=6), st.text(alphabet="abc ", max_size=12))
def test_a_text_answers_exactly_when_it_holds_the_letters_of_each_word(query, text) -> None:
    def holds(word: str) -> bool:
        rest = iter(text)
        return all(letter in rest for letter in word)

    assert bool(score(query, text)) == all(map(holds, query.split()))
