"""Curating: `curate` walks a memory file fact by fact through the three tests, keeps every answer,
shows what it would become, and writes it after a yes; on a terminal it opens the UI on it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.opening import has_terminal, open_at
from mandrel_tui.commands.output import is_terminal, painted, say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.commands.repository import failures, path_of
from mandrel_tui.protocol.admission import TESTS, Answer, Item, Outcome, Sheet
from mandrel_tui.protocol.admission_hints import hints
from mandrel_tui.protocol.housekeeping import tokens
from mandrel_tui.protocol.legible import counted
from mandrel_tui.workspace import curate
from mandrel_tui.workspace.curate import Curation
from mandrel_tui.workspace.visible import shown, visible

_ANSWERS = {"a": Answer.PASS, "b": Answer.BORDERLINE, "r": Answer.FAIL}
_SIGNS = {Answer.PASS: "pass", Answer.BORDERLINE: "borderline", Answer.FAIL: "fail", None: "?"}
_WORDS = {Outcome.KEEP: "keep", Outcome.ONE_LINE: "one line", Outcome.DROP: "remove", None: "open"}
_HELP = (
    "a pass, b borderline, r fail: one letter a test; e TEXT rewords, s A | B splits, m merges "
    "with the next, n skips, u undoes, q leaves"
)


def run_curate(arguments: Namespace) -> int:
    """Walks one file; without answers it only says what is in it."""
    with failures():
        found = curate.open_file(path_of(arguments.file))
    if not (arguments.json or arguments.yes) and has_terminal():
        return open_at(found.path.parent, explicit=False, curate=found.path)
    _say_found(found)
    if arguments.json:
        write_json(_record(found))
        return DONE
    walk = _Walk(found)
    walk.run()
    return _end(walk.curation, arguments.yes)


def _say_found(found: Curation) -> None:
    if found.note:
        say(found.note)
    for words in found.reopened:
        say(f"open again, since it changed: {words}")
    if not found.sheet.items:
        say(f"no facts in {shown(found.path)}")


def _end(found: Curation, yes: bool) -> int:
    """Shows what the file would become, and writes it after a yes."""
    write_lines(_summary(found))
    after = found.after
    if after == found.data:
        if found.sheet.undecided:
            left = counted(len(found.sheet.undecided), "undecided fact")
            raise Failure(f"nothing was written: {left}", REFUSED)
        say("nothing changes")
        return DONE
    write_lines(visible(line) for line in found.edit.diff)
    if not yes and not agreed(f"write {shown(found.path)}?"):
        raise Failure("nothing was written; --yes writes without asking, answers are kept", REFUSED)
    with failures():
        curate.write(found)
    say(f"wrote {shown(found.path)}: {_size(found)}")
    return DONE


def _summary(found: Curation) -> Iterator[str]:
    sheet = found.sheet
    counts = ", ".join(f"{_WORDS[outcome]} {sheet.count(outcome)}" for outcome in Outcome)
    facts = counted(len(sheet.items), "fact")
    yield f"{shown(found.path)}: {facts}; {counts}, open {len(sheet.undecided)}"
    yield _size(found)


def _size(found: Curation) -> str:
    before, after = len(found.data), len(found.after)
    return (
        f"{before:,} -> {after:,} bytes, {tokens(found.data):,} -> {tokens(found.after):,} tokens"
    )


@dataclass
class _Walk:
    """The walk over one file: the curation as it is now, and what stood there before each step."""

    curation: Curation

    def __post_init__(self) -> None:
        self.past: list[Sheet] = []
        self.skipped: set[int] = set()

    def run(self) -> None:
        """Asks for every open fact until none is left or nobody answers."""
        while (number := self._next()) is not None:
            write_lines(_fact_lines(self.curation.sheet, number))
            line = _answer()
            if line is None or line.strip() == "q":
                return
            self._take(number, line.rstrip("\r\n"))

    def _next(self) -> int | None:
        open_ones = self.curation.sheet.undecided
        return next((number for number in open_ones if number not in self.skipped), None)

    def _take(self, number: int, line: str) -> None:
        letter, _, rest = line.strip().partition(" ")
        if letter == "u":
            self._undo()
        elif letter == "n":
            self.skipped.add(number)
        elif letter in _CHANGES:
            self._put(_CHANGES[letter](self.curation.sheet, number, rest.strip()))
        elif letter and not rest and set(letter) <= _ANSWERS.keys():
            self._put(_answered(self.curation.sheet, number, letter))
        else:
            say(_HELP)

    def _put(self, sheet: Sheet) -> None:
        self.past.append(self.curation.sheet)
        self._keep(sheet)

    def _undo(self) -> None:
        self.skipped.clear()
        if self.past:
            self._keep(self.past.pop())

    def _keep(self, sheet: Sheet) -> None:
        self.curation = self.curation.decided(sheet)
        note = curate.keep(self.curation)
        if note:
            say(note)


def _answered(sheet: Sheet, number: int, letters: str) -> Sheet:
    """The next open tests of a fact answered, one letter each; a fail settles it."""
    for letter in letters:
        test = sheet.items[number].next_test
        if test is None:
            break
        sheet = sheet.answer(number, test, _ANSWERS[letter])
    return sheet


_CHANGES: dict[str, Callable[[Sheet, int, str], Sheet]] = {
    "e": lambda sheet, number, text: sheet.reword(number, text) if text else sheet,
    "s": lambda sheet, number, text: sheet.split(number, text.split("|")),
    "m": lambda sheet, number, text: sheet.merge(number),
}


def _answer() -> str | None:
    """One line of answers, None where nobody answers."""
    if sys.stdin is None:
        return None
    if is_terminal(sys.stdin):
        print("a/b/r, or ? ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() or None


def _fact_lines(sheet: Sheet, number: int) -> Iterator[str]:
    """One fact with its place, its tests and the hints."""
    item = sheet.items[number]
    above = f"  {visible(' > '.join(item.facts[0].above))}" if item.facts[0].above else ""
    yield painted(f"fact {number + 1} of {len(sheet.items)}, {_lines(item)}{above}", "bold")
    yield f"  {visible(item.text)}"
    for test, answer in zip(TESTS, item.answers, strict=True):
        yield f"  {_SIGNS[answer]:10}  {test.name}: {test.question}"
    for hint in hints(item.text):
        yield f"  hint        {hint.words}"


def _lines(item: Item) -> str:
    first, last = item.facts[0].line, item.facts[-1].end_line
    return f"line {first}" if first == last else f"lines {first} to {last}"


def _record(found: Curation) -> Record:
    facts = [
        {
            "line": item.facts[0].line,
            "end_line": item.facts[-1].end_line,
            "text": item.text,
            "answers": dict(zip((test.id for test in TESTS), item.answers, strict=True)),
            "outcome": item.outcome,
            "hints": [{"test": hint.test, "words": hint.words} for hint in hints(item.text)],
        }
        for item in found.sheet.items
    ]
    sizes = {"bytes_before": len(found.data), "bytes_after": len(found.after)}
    return {"schema": SCHEMA, "file": str(found.path), "facts": facts, **sizes}
