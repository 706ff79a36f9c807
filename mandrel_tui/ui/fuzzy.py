"""Fuzzy: whether the letters of a query stand in a text in their order, and how well; pure."""

from __future__ import annotations

from collections.abc import Iterable

_EDGES = frozenset(" -_/.:›")


def score(query: str, text: str) -> int:
    """How well a text answers a query, 0 when not at all; case is ignored unless the query has a
    capital. Words of the query are found apart, each in its order."""
    if query == query.lower():
        text = text.lower()
    total = 1
    for word in query.split():
        found = _word(word, text)
        if not found:
            return 0
        total += found
    return total


def _word(word: str, text: str) -> int:
    """A whole word weighs most, at the start of a word of the text more, else letters one by one:
    each next to the last, or at the start of a word, weighs more."""
    at = text.find(word)
    if at >= 0:
        edge = at == 0 or text[at - 1] in _EDGES
        return 20 * len(word) + (20 if edge else 0) + (10 if at == 0 else 0)
    total, last = 0, -1
    for letter in word:
        here = text.find(letter, last + 1)
        if here < 0:
            return 0
        total += 4 if here == last + 1 else 3 if here == 0 or text[here - 1] in _EDGES else 1
        last = here
    return total


def matches(query: str, texts: Iterable[str]) -> list[tuple[int, int]]:
    """`(index, score)` of the texts that answer the query, in their order."""
    return [(i, found) for i, text in enumerate(texts) if (found := score(query, text))]
