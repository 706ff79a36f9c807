"""Admission: the three tests a fact must pass to enter memory, answered by a person, and the sheet
that keeps the answers; it never answers itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mandrel_tui.protocol.candidates import Fact, Source

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
LINE = 160  # characters that still read as one line


class Answer(StrEnum):
    """How a fact does in one test."""

    PASS = "pass"
    BORDERLINE = "borderline"
    FAIL = "fail"


class Outcome(StrEnum):
    """What becomes of a fact."""

    KEEP = "keep"
    ONE_LINE = "one line"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Test:
    """One admission test."""

    id: str
    name: str
    question: str

    __test__ = False


TESTS = (
    Test("cost", "derivation cost", "several files, cross-module reasoning or history?"),
    Test("stability", "stability", "true across iterations?"),
    Test("leverage", "leverage", "does it change the next action?"),
)
OPEN: tuple[None, ...] = (None,) * len(TESTS)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a fact goes: a document's path and the title of a section in it, empty for its end."""

    path: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate: the facts it is made of (several when merged), its wording, the answers in the
    order of TESTS, where it goes, and why, in a person's own words."""

    facts: tuple[Fact, ...]
    text: str
    answers: tuple[Answer | None, ...] = OPEN
    target: Target | None = None
    reason: str = ""

    @property
    def outcome(self) -> Outcome | None:
        """What the answers give; None while a test is open. A fail settles it."""
        if Answer.FAIL in self.answers:
            return Outcome.DROP
        if None in self.answers:
            return None
        return Outcome.ONE_LINE if Answer.BORDERLINE in self.answers else Outcome.KEEP

    @property
    def admitted(self) -> bool:
        return self.outcome in (Outcome.KEEP, Outcome.ONE_LINE)

    @property
    def next_test(self) -> int | None:
        """The first test that is still to be answered."""
        return None if self.outcome else self.answers.index(None)

    @property
    def too_long(self) -> bool:
        """Whether it should be one line and is longer."""
        return self.outcome is Outcome.ONE_LINE and len(self.text) > LINE

    @property
    def whole(self) -> bool:
        """Whether it still is one fact in the words of its file."""
        return len(self.facts) == 1 and self.text == self.facts[0].text

    @property
    def line(self) -> int:
        return self.facts[0].line


@dataclass(frozen=True, slots=True)
class Sheet:
    """The candidates in order, as far as they are decided; every change gives another sheet."""

    items: tuple[Item, ...]

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> Sheet:
        return cls(tuple(Item((fact,), fact.text) for fact in facts))

    @property
    def undecided(self) -> tuple[int, ...]:
        return tuple(n for n, item in enumerate(self.items) if item.outcome is None)

    @property
    def admitted(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.admitted)

    def count(self, outcome: Outcome) -> int:
        return sum(item.outcome is outcome for item in self.items)

    def change(self, number: int, item: Item) -> Sheet:
        return self._put(number, 1, [item])

    def answer(self, number: int, test: int, answer: Answer | None) -> Sheet:
        """The sheet with one test of one item answered, or open again."""
        answers = self.items[number].answers
        answered = (*answers[:test], answer, *answers[test + 1 :])
        return self.change(number, replace(self.items[number], answers=answered))

    def reword(self, number: int, text: str) -> Sheet:
        return self.change(number, replace(self.items[number], text=text.strip()))

    def aim(self, number: int, target: Target | None) -> Sheet:
        return self.change(number, replace(self.items[number], target=target))

    def split(self, number: int, texts: Sequence[str]) -> Sheet:
        """The item as several, which are open; blank parts are none."""
        item = self.items[number]
        parts = [text.strip() for text in texts if text.strip()]
        fresh = [replace(item, text=text, answers=OPEN) for text in parts]
        return self._put(number, 1, fresh) if len(fresh) > 1 else self

    def merge(self, number: int) -> Sheet:
        """The item and the one behind it as one, which is open."""
        if number + 1 >= len(self.items):
            return self
        first, second = self.items[number], self.items[number + 1]
        facts = tuple(dict.fromkeys((*first.facts, *second.facts)))
        end = "." if second.text[:1].isupper() else ";"
        text = f"{first.text.rstrip('.;')}{end} {second.text}"
        merged = Item(facts, text, target=first.target or second.target, reason=first.reason)
        return self._put(number, 2, [merged])

    def _put(self, number: int, count: int, items: Sequence[Item]) -> Sheet:
        return Sheet((*self.items[:number], *items, *self.items[number + count :]))


def record(sheet: Sheet) -> list[Json]:
    """The sheet as JSON values: every item, the words it is made of, and all that was decided."""
    return [
        {
            "facts": [_source(fact) for fact in item.facts],
            "text": item.text,
            "answers": dict(zip((test.id for test in TESTS), item.answers, strict=True)),
            "outcome": item.outcome,
            "target": [item.target.path, item.target.section] if item.target else None,
            "reason": item.reason,
        }
        for item in sheet.items
    ]


def _source(fact: Fact) -> dict[str, Json]:
    source = fact.source
    told: dict[str, Json] = (
        {} if source is None else {"entry": source.entry, "sid": source.sid, "field": source.field}
    )
    return {"text": fact.key, "line": fact.line, **told}


def recorded(value: object) -> tuple[Item, ...]:
    """The items that `record` kept, as they were decided, each fact with where it stood then."""
    rows = value if isinstance(value, list) else []
    kept = ((row, _row(row)) for row in rows if isinstance(row, dict))
    return tuple(
        replace(read.item, facts=tuple(map(_fact, row["facts"]))) for row, read in kept if read
    )


def _fact(told: Mapping[str, object]) -> Fact:
    text, line, entry = str(told["text"]), int(str(told["line"])), told.get("entry")
    place = str(told.get("sid") or ""), str(told.get("field") or "")
    source = Source(entry, "", *place) if isinstance(entry, int) else None
    return Fact(text, line, line, source=source)


@dataclass(frozen=True, slots=True)
class Resumed:
    """A sheet taken up again: what was decided for words that are still there; `reopened` are the
    words of facts that are no longer, whose decisions are gone."""

    sheet: Sheet
    reopened: tuple[str, ...] = ()


def resume(facts: Sequence[Fact], recorded: object) -> Resumed:
    """The sheet of the facts as they are now with what `record` kept of an earlier one, matched by
    words; anything that is no such record counts as none."""
    stock: defaultdict[str, list[int]] = defaultdict(list)
    for place in reversed(range(len(facts))):
        stock[facts[place].key].append(place)
    placed: list[tuple[int, Item]] = []
    taken: dict[tuple[str, int], int] = {}
    lost: list[str] = []
    for row in _rows(recorded):
        places = _places(row, stock, taken)
        if places is None:
            lost += [key for key, _ in row.keys]
        else:
            item = replace(row.item, facts=tuple(facts[place] for place in places))
            placed.append((min(places), item))
    used = set(taken.values())
    placed += [
        (place, Item((fact,), fact.text)) for place, fact in enumerate(facts) if place not in used
    ]
    items = tuple(item for _, item in sorted(placed, key=lambda pair: pair[0]))
    return Resumed(Sheet(items), tuple(dict.fromkeys(lost)))


@dataclass(frozen=True, slots=True)
class _Row:
    """One recorded item: the words of its facts with the line they stood at, and the decisions."""

    keys: tuple[tuple[str, int], ...]
    item: Item


def _places(
    row: _Row, stock: Mapping[str, list[int]], taken: dict[tuple[str, int], int]
) -> list[int] | None:
    """Where the facts of a recorded item are now; None where one is gone. Parts of one fact, which
    were recorded with the same words and line, share it."""
    needed = Counter(key for key, line in row.keys if (key, line) not in taken)
    if any(len(stock.get(key, ())) < count for key, count in needed.items()):
        return None
    for key in row.keys:
        if key not in taken:
            taken[key] = stock[key[0]].pop()
    return [taken[key] for key in row.keys]


def _rows(recorded: object) -> Iterator[_Row]:
    for value in recorded if isinstance(recorded, list) else ():
        row = _row(value) if isinstance(value, dict) else None
        if row is not None:
            yield row


def _row(value: Mapping[str, object]) -> _Row | None:
    facts, text, answers = value.get("facts"), value.get("text"), value.get("answers")
    if not (isinstance(facts, list) and facts and isinstance(text, str)):
        return None
    keys = tuple(_key(fact) for fact in facts)
    if not isinstance(answers, dict) or None in keys:
        return None
    item = Item(
        (),
        text,
        tuple(_answer(answers.get(test.id)) for test in TESTS),
        _target(value.get("target")),
        str(value.get("reason") or ""),
    )
    return _Row(tuple(key for key in keys if key is not None), item)


def _key(fact: object) -> tuple[str, int] | None:
    if not isinstance(fact, dict):
        return None
    text, line = fact.get("text"), fact.get("line")
    return (text, line) if isinstance(text, str) and isinstance(line, int) else None


def _answer(value: object) -> Answer | None:
    return next((answer for answer in Answer if answer == value), None)


def _target(value: object) -> Target | None:
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value):
        return Target(value[0], value[1])
    return None
