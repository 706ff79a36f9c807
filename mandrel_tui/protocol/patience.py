"""Patience: which lines two versions of a text share, found by the lines that are unique in both;
near linear on any input. It decides nothing about what to do with them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# How deep gaps are searched for lines that are unique within them, and how many comparisons
# difflib, whose cost grows with the square of repeated lines, is trusted with.
_DEPTH = 32
_WORK = 60_000

Line = Hashable
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Changed:
    """One stretch that differs: lines `old_start` to `old_end` became `new_start` to `new_end`,
    counted from 0 with the end left out; one of the two may be empty."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class _Gap:
    """A pair of ranges still to be compared."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    depth: int

    @property
    def empty(self) -> bool:
        return self.old_start >= self.old_end or self.new_start >= self.new_end


def lines_of(data: bytes) -> list[bytes]:
    """The lines of a text with their ends; they end at LF alone, a CR before it being part of the
    end, and the last may have none."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def joined(lines: Iterable[bytes], eol: bytes) -> bytes:
    """Lines as one text; one without an end is given it where another line follows."""
    whole: list[bytes] = []
    for line in lines:
        if whole and not whole[-1].endswith(b"\n"):
            whole[-1] += eol
        whole.append(line)
    return b"".join(whole)


def changes(old: Sequence[Line], new: Sequence[Line]) -> tuple[Changed, ...]:
    """The stretches in which two versions differ, in order, with equal lines between them."""
    found: list[Changed] = []
    i = j = 0
    for x, y in (*common(old, new), (len(old), len(new))):
        if x > i or y > j:
            found.append(Changed(i, x, j, y))
        i, j = x + 1, y + 1
    return tuple(found)


def common(old: Sequence[Line], new: Sequence[Line]) -> list[Pair]:
    """The places (in old, in new) of the lines both versions share, ascending in both."""
    pairs: list[Pair] = []
    gaps = [_Gap(0, len(old), 0, len(new), 0)]
    while gaps:
        gap = _trimmed(old, new, gaps.pop(), pairs)
        if gap.empty:
            continue
        anchors = _unique(old, new, gap) if gap.depth < _DEPTH else []
        if anchors:
            pairs.extend(anchors)
            gaps.extend(_between(gap, anchors))
        else:
            pairs.extend(_without_anchors(old, new, gap))
    return sorted(pairs)


def _trimmed(old: Sequence[Line], new: Sequence[Line], gap: _Gap, pairs: list[Pair]) -> _Gap:
    """What is left of a gap when the equal lines at both its ends are paired."""
    a, b, c, d = gap.old_start, gap.old_end, gap.new_start, gap.new_end
    while a < b and c < d and old[a] == new[c]:
        pairs.append((a, c))
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
        pairs.append((b, d))
    return _Gap(a, b, c, d, gap.depth)


def _unique(old: Sequence[Line], new: Sequence[Line], gap: _Gap) -> list[Pair]:
    """The longest ascending chain of lines that occur once on each side of the gap."""
    ours = Counter(old[i] for i in range(gap.old_start, gap.old_end))
    theirs = Counter(new[j] for j in range(gap.new_start, gap.new_end))
    places = {new[j]: j for j in range(gap.new_start, gap.new_end) if theirs[new[j]] == 1}
    return _ascending(
        (i, places[old[i]])
        for i in range(gap.old_start, gap.old_end)
        if ours[old[i]] == 1 and old[i] in places
    )


def _ascending(pairs: Iterable[Pair]) -> list[Pair]:
    """The longest chain of pairs that ascends on both sides; they come ascending on the first."""
    known = list(pairs)
    ends: list[int] = []  # the smallest second place that ends a chain of each length
    last: list[int] = []  # which pair that is
    before: list[int] = []
    for number, (_, place) in enumerate(known):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [number]
    chain: list[Pair] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(known[number])
        number = before[number]
    chain.reverse()
    return chain


def _between(gap: _Gap, anchors: Sequence[Pair]) -> Iterator[_Gap]:
    a, c = gap.old_start, gap.new_start
    for i, j in (*anchors, (gap.old_end, gap.new_end)):
        yield _Gap(a, i, c, j, gap.depth + 1)
        a, c = i + 1, j + 1


def _without_anchors(old: Sequence[Line], new: Sequence[Line], gap: _Gap) -> list[Pair]:
    """Pairs where no line is unique: by difflib in a small gap, else the n-th occurrence of a line
    on one side with the n-th on the other."""
    ours = old[gap.old_start : gap.old_end]
    theirs = new[gap.new_start : gap.new_end]
    work = _work(ours, theirs)
    if work == 0:
        return []
    if work > _WORK:
        return [(gap.old_start + i, gap.new_start + j) for i, j in _by_occurrence(ours, theirs)]
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return [
        (gap.old_start + a + n, gap.new_start + b + n) for a, b, size in blocks for n in range(size)
    ]


def _work(ours: Sequence[Line], theirs: Sequence[Line]) -> int:
    """How many comparisons difflib may need: its passes times the equal pairs each looks at."""
    counts = Counter(theirs)
    equal = sum(counts[line] for line in ours)
    return (len(ours) + len(theirs) + equal) * min(len(ours), len(theirs), equal)


def _by_occurrence(ours: Sequence[Line], theirs: Sequence[Line]) -> list[Pair]:
    places: defaultdict[Line, list[int]] = defaultdict(list)
    for j, line in enumerate(theirs):
        places[line].append(j)
    seen: Counter[Line] = Counter()
    pairs: list[Pair] = []
    for i, line in enumerate(ours):
        if seen[line] < len(places.get(line, ())):
            pairs.append((i, places[line][seen[line]]))
        seen[line] += 1
    return _ascending(pairs)
