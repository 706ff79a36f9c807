"""Fuzzy: whether a text answers a query typed in a hurry, and how well; pure.

A word of the query answers where it stands as it is, or where its letters stand in their order in
neighbouring words, beginning each of them: `srl` and `subret` answer `submit-retry-loop`. Letters
anywhere would make nearly every title answer.
"""

from __future__ import annotations

import re
from functools import lru_cache

_EDGE = r"\s\-_/.:,›"
_WORD = re.compile(rf"[^{_EDGE}]+")
_HURRY = 32  # letters: nobody types a longer word as the letters of others


def score(query: str, text: str) -> int:
    """How well a text answers a query, 0 when not at all; case is ignored unless the query has a
    capital. Words of the query are found apart, in any order."""
    if query == query.lower():
        text = text.lower()
    total = 1
    for word in query.split():
        found = _whole(word, text)
        if not found and len(word) <= _HURRY and (place := _pattern(word).search(text)):
            found = _letters(word, place[0])
        if not found:
            return 0
        total += found
    return total


def _whole(word: str, text: str) -> int:
    """A word as it is: best at the start of the text, then at the start of a word."""
    at = text.find(word)
    if at < 0:
        return 0
    start = at == 0 or not _WORD.match(text, at - 1)
    return 20 * len(word) + (20 if start else 0) + (10 if at == 0 else 0)


@lru_cache(32)
def _pattern(word: str) -> re.Pattern[str]:
    """Where the letters of a word stand: most texts have no such place, which is told at once."""
    first, *others = map(re.escape, word)
    steps = (f"(?:[^{_EDGE}{c}]*+{c}|[^{_EDGE}]*+[{_EDGE}]++{c})" for c in others)
    return re.compile(f"(?<![^{_EDGE}]){first}" + "".join(steps))


def _letters(word: str, text: str) -> int:
    """Letters in neighbouring words; one next to the last, or at the start of a word, weighs more
    than one further on."""
    best = 0
    before: dict[int, int] = {0: 0}  # letters used up to the word before → their weight
    for found in _WORD.findall(text):
        here: dict[int, int] = {}
        for used, weight in before.items():
            if found[0] == word[used]:
                _use(word, used, found, weight, here)
        best = max(best, here.pop(len(word), 0))
        before = {**here, 0: 0}
    return best


def _use(word: str, used: int, found: str, weight: int, here: dict[int, int]) -> None:
    """Note in `here` how far the letters go in one word of the text, with their weight."""
    at = 0
    weight += 3
    here[used + 1] = max(here.get(used + 1, 0), weight)
    for count, letter in enumerate(word[used + 1 :], used + 2):
        next_at = found.find(letter, at + 1)
        if next_at < 0:
            return
        weight += 4 if next_at == at + 1 else 1
        at = next_at
        here[count] = max(here.get(count, 0), weight)
