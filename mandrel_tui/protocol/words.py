"""Words: how alike two lines are, and which words of them changed; text in, numbers out."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from mandrel_tui.protocol.patience import common

LONGEST = 2_000  # of a line, in characters, that is compared word by word
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Span = tuple[int, int]


@lru_cache(maxsize=4096)
def marks(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The stretches of each line that the other lacks, as character offsets; a line longer than
    LONGEST, or with nothing in common but blanks and marks, is one stretch."""
    if max(len(old), len(new)) > LONGEST or not alike(old, new):
        return _whole(old), _whole(new)
    ours, theirs = _WORDS.findall(old), _WORDS.findall(new)
    pairs = common(ours, theirs)
    return _left(ours, {i for i, _ in pairs}), _left(theirs, {j for _, j in pairs})


def alike(old: str, new: str) -> float:
    """The share of words that two lines have in common, from 0 to 1."""
    if max(len(old), len(new)) > LONGEST:
        return float(old == new)
    ours, theirs = (Counter(re.findall(r"\w+", line)) for line in (old, new))
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else float(old.strip() == new.strip())


def _whole(line: str) -> tuple[Span, ...]:
    return ((0, len(line)),) if line else ()


def _left(words: list[str], kept: set[int]) -> tuple[Span, ...]:
    """The words that are not kept, neighbours joined; a blank between two of them joins them."""
    spans: list[Span] = []
    place = 0
    for number, word in enumerate(words):
        end = place + len(word)
        if number not in kept or _between(words, kept, number):
            joins = bool(spans) and spans[-1][1] == place
            spans[-1:] = [(spans[-1][0], end)] if joins else [*spans[-1:], (place, end)]
        place = end
    return tuple(spans)


def _between(words: list[str], kept: set[int], number: int) -> bool:
    """Whether a word is only a blank between two that changed."""
    inner = 0 < number < len(words) - 1
    return inner and words[number].isspace() and not {number - 1, number + 1} & kept
