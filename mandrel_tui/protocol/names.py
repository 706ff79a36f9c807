"""Names: which tasks a person may have meant by a name that is none; it reads nothing."""

from __future__ import annotations

from collections.abc import Iterable

MOST = 3  # names that are offered
_LEAST = 3  # letters of a part that says something


def near(typed: str, names: Iterable[str]) -> tuple[str, ...]:
    """At most three names: those that are it but for folder, suffix, date or letter case, else
    those it is a part of, else those that are spelled nearly so."""
    known = tuple(names)
    stem = typed.rpartition("/")[2].casefold().removesuffix(".md")
    folded = {name: name.casefold() for name in known}
    same = [n for n, f in folded.items() if f == stem or f.endswith(f"-{stem}")]
    if not same and len(stem) >= _LEAST:
        same = [n for n, f in folded.items() if stem in f]
    if not same:
        from difflib import get_close_matches

        same = get_close_matches(typed, known, MOST, 0.6)
    return tuple(same[:MOST])
