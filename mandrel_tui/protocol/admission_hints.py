"""Hints: what the wording of a fact says about the three admission tests; words, never answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Characters. What is longer is no fact yet, and a hint must not keep a key waiting.
_READ = 4096


@dataclass(frozen=True, slots=True)
class Hint:
    """One remark: the test it is about (empty for none) and the words to show."""

    test: str
    words: str


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})\b", re.IGNORECASE)


_PASSING = _any(
    *("currently", "for now", "for the moment", "at the moment", "right now", "used to"),
    *("temporar(?:y|ily)", "so far", "as of", "no longer", "not yet", "today", "yesterday"),
    *("recently", "these days", "this (?:week|month|quarter|sprint)", "until then", "in progress"),
    *("is being", "are being", "we are (?:still )?\\w+ing", "previously"),
)
_DATED = re.compile(
    r"\b(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.\d{4}|Q[1-4] \d{4}"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,4})\b"
)
_SIGNATURE = re.compile(
    r"(?:(?:def|fn|func|function|class|public|private|static|async|export)\s+)*"
    r"[`\w.:]+(?:<[^>]*>)?\s*\([^()]*\)`?(?:\s*(?:->|=>|:)\s*[^.]*)?[.;`]*"
)
_PATH = re.compile(r"`?[\w.~-]*(?:/[\w.*-]+)+`?|`?[\w-]+\.[a-z]{1,5}`?")
_DEFAULT = _any(
    "defaults? to", "default (?:value )?is", "the default of", "by default (?:it )?is", "default:"
)
_SEEN = re.compile(
    r"\b(?:uses?|using|is (?:written|built) in|runs? on|is based on|built with|stored in|"
    r"depends on|requires?|is deployed (?:on|with)|tests? (?:run|are run) with)\s+(?:the\s+)?"
    r"[`*]*[A-Z][\w.+#-]*"
)
_COUNT = r"\d+ [^\W\d][\w-]*"
_SETTLED = r"F\d+ [\w-]+"
_COUNTS = re.compile(rf"(?:{_COUNT}|{_SETTLED})(?:(?:[,;]| and) (?:{_COUNT}|{_SETTLED}))*[.;]?")
_PARTS = re.compile(r"(?<=[.;])\s+")
_REASON = _any(
    *("because", "since", "so that", "therefore", "otherwise", "due to", "in order to"),
)
_PREFERRED: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "a rejected alternative: prefer to keep",
        _any("reject(?:ed|s)?", "instead of", "rather than", "decided against", "ruled out"),
    ),
    (
        "an intentional omission: prefer to keep",
        _any("deliberate(?:ly)?", "on purpose", "intentional(?:ly)?", "left out", "by design"),
    ),
    (
        "an invariant: prefer to keep",
        _any("must(?: not|n't)?", "never", "always", "invariant", "guarantee[sd]?", "only ever"),
    ),
    (
        "an anti-pattern: prefer to keep",
        _any("do not", "don't", "avoid", "pitfall", "anti-pattern", "trap", "breaks (?:when|if)"),
    ),
    (
        "a coupling: prefer to keep",
        _any(
            "coupled",
            "together with",
            "in step with",
            "whoever changes",
            "also has to",
            "relies on",
        ),
    ),
    (
        "vocabulary: prefer to keep",
        _any("means", "is called", "stands for", "we call", "refers to"),
    ),
    (
        "a dispatch path: prefer to keep",
        _any("dispatch(?:es|ed)?", "is handled by", "reaches", "is routed", "goes through"),
    ),
)


def hints(text: str) -> tuple[Hint, ...]:
    """What its beginning suggests, in the order of the tests, what to prefer last."""
    text = text[:_READ]
    if _COUNTS.fullmatch(text.strip()):
        return (Hint("", "it only counts or ticks off findings: a clear fail in every test"),)
    found = [*_stability(text), *_cost(text), *_leverage(text)]
    found += [Hint("", words) for words, pattern in _PREFERRED if pattern.search(text)]
    if _two_halves(text):
        found.append(Hint("", "split it: one part is found at once, another gives a reason"))
    order = {"cost": 0, "stability": 1, "leverage": 2, "": 3}
    return tuple(sorted(found, key=lambda hint: order[hint.test]))


def _stability(text: str) -> list[Hint]:
    passing, dated = _PASSING.search(text), _DATED.search(text)
    if passing:
        return [Hint("stability", f"“{passing[0]}” tells of a passing state")]
    return [Hint("stability", f"“{dated[0]}” dates it")] if dated else []


def _cost(text: str) -> list[Hint]:
    bare = text.strip(" `.")
    if _SIGNATURE.fullmatch(bare):
        return [Hint("cost", "a bare signature: the code says it")]
    if _DEFAULT.search(text) and not _REASON.search(text):
        return [Hint("cost", "a default value: the code says it")]
    words = bare.split()
    paths = sum(_PATH.fullmatch(word.strip(",;:()")) is not None for word in words)
    if paths > 1 and paths * 2 > len(words):
        return [Hint("cost", "a list of files: a search finds them")]
    return []


def _leverage(text: str) -> list[Hint]:
    if _SEEN.search(text) and not _REASON.search(text):
        return [Hint("leverage", "seen the moment it matters")]
    return []


def parts(text: str) -> tuple[str, ...]:
    """The parts a fact may be split into, as its punctuation suggests."""
    return tuple(part.rstrip(";") for part in _PARTS.split(text) if part)


def _two_halves(text: str) -> bool:
    """Whether one part says what anyone sees and another why."""
    found = _PARTS.split(text)
    seen = [bool(_SEEN.search(part) or _DEFAULT.search(part)) for part in found]
    reason = [bool(_REASON.search(part)) for part in found]
    return (
        len(found) > 1 and any(seen) and any(r and not s for r, s in zip(reason, seen, strict=True))
    )
