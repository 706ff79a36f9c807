"""Present a desk: the steps of a closeout or a curation, its facts and tests, as lines of text and
role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mandrel_tui.protocol.admission import LINE, TESTS, Answer, Item, Outcome
from mandrel_tui.protocol.admission_hints import hints
from mandrel_tui.protocol.behind import untold
from mandrel_tui.protocol.board import Row, slug
from mandrel_tui.protocol.candidates import Fact
from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.task import Status
from mandrel_tui.protocol.turn import TurnKind
from mandrel_tui.ui.clean import cut_middle, pad
from mandrel_tui.ui.line import Line, Piece, Pieces, line
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.symbols import Symbols

CLOSEOUT = ("facts", "review", "plan", "verify")
CURATION = ("facts", "review", "write")
CLOSED = ("review", "plan", "verify")
ENDS = "c s l  outcome"
TEST = 17  # cells of a test's name
SOURCE = 12
OUTCOME = 9
FOLDER = 32
NAMED = 20  # cells of a name in a sentence


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, how far it is (`5/9`), and the mark of one that is done."""

    name: str
    count: str = ""
    mark: str = ""

    @property
    def number(self) -> int:
        """Its place, the same whether or not those before it are there."""
        names = CLOSEOUT if self.name in CLOSEOUT else CURATION
        return names.index(self.name) + 1

    @property
    def label(self) -> str:
        return " ".join(part for part in (self.name, self.count, self.mark) if part)


@dataclass(frozen=True, slots=True)
class Waiting:
    """What lies in the folder an agent lays a proposal into: how many documents; `asked` where a
    request was copied or launched, `ended` how the agent that was launched ended."""

    task: str
    folder: str
    documents: int = 0
    asked: bool = False
    ended: str = ""


def waiting_words(found: Waiting, symbols: Symbols) -> str:
    """`waiting for .ai-tasks/proposals/…, 0 files`; empty where nothing is to be said."""
    if found.documents:
        return f"{counted(found.documents, 'file')} in the proposal folder, i takes them in"
    folder = cut_middle(words(found.folder, symbols), FOLDER, symbols.ellipsis)
    if found.asked and found.ended:
        return f"{words(found.ended, symbols)}, and 0 files are in {folder}"
    return f"waiting for {folder}, 0 files" if found.asked else ""


def next_line(desk: Desk, said: str, symbols: Symbols) -> Line:
    """`next  close out barrier-timeouts: 4 facts are undecided`; a long name leaves room."""
    (verb, _), (name, _) = desk_title(desk, symbols)
    return line(f"next  {verb}{cut_middle(name, NAMED, symbols.ellipsis)}: {said}", "quiet")


def desk_title(desk: Desk, symbols: Symbols) -> Pieces:
    """`close out barrier-timeouts`, `curate CLAUDE.md`."""
    name = desk.name if desk.file else slug(desk.name)
    verb = "curate " if desk.file else "close out "
    return ((verb, "quiet"), (words(name, symbols), "text bold"))


def steps_of(desk: Desk, symbols: Symbols) -> tuple[Step, ...]:
    """The steps with how far they are."""
    facts, hunks = len(desk.sheet.items), desk.hunks
    counts = {"facts": (desk.facts_done, facts), "review": (desk.hunks_done, hunks)}
    return tuple(_step(name, *counts.get(name, (0, 0)), symbols) for name in names_of(desk))


def names_of(desk: Desk) -> tuple[str, ...]:
    """The names of the steps in their order."""
    return CURATION if desk.file else CLOSED if desk.native else CLOSEOUT


def _step(name: str, done: int, total: int, symbols: Symbols) -> Step:
    if not total:
        return Step(name)
    return Step(name, f"{done}/{total}", symbols.ok if done == total else "")


def no_block(row: Row) -> str:
    """Why a task can be neither blocked nor freed; empty where it can."""
    task = row.task
    if task is None or task.status is not Status.COMPLETED or task.blockers:
        return ""
    return "it is completed: only its closeout is left"


def no_closeout(row: Row) -> str:
    """Why a task cannot be closed out, or an archived one not be verified; empty where it can."""
    if row.unread is not None:
        return "it cannot be read"
    if row.archived or (row.turn is not None and row.turn.kind is TurnKind.CLOSEOUT):
        return ""
    return f"it is {row.status_text or 'without status'}: only a completed task is closed out"


# Facts.


def facts_title(desk: Desk, first: int, last: int, symbols: Symbols) -> str:
    """`facts 2 to 7 of 9: keep 3, one line 1, drop 1`; of a file, what becomes of its size."""
    total = len(desk.sheet.items)
    shown = f"facts {first} to {last} of {total}" if total else "facts"
    if desk.file:
        before, after = curated_tokens(desk)
        return f"{shown}: {number(before)} {symbols.arrow} {number(after)} tokens"
    counts = [f"{outcome_words(o, desk)} {n}" for o in Outcome if (n := desk.sheet.count(o))]
    return shown + (f": {', '.join(counts)}" if counts else "")


def curated_tokens(desk: Desk) -> tuple[int, int]:
    """The tokens of a file before and after what is decided of its facts."""
    before = desk.given.texts[desk.name]
    after = next((r.document.proposed for r in desk.reviews), before)
    return len(before) // 4, len(after or b"") // 4


def outcome_words(outcome: Outcome, desk: Desk) -> str:
    """What becomes of a fact, in the words of a closeout or of a curation."""
    return "remove" if desk.file and outcome is Outcome.DROP else outcome.value


def fact_row(desk: Desk, at: int, symbols: Symbols) -> Line:
    """One fact: its number, where it comes from, its words; its marks and outcome."""
    item = desk.sheet.items[at]
    digits = max(len(str(len(desk.sheet.items))), 2)
    source = pad(source_words(item), SOURCE if not desk.file else SOURCE - 2)
    left = (
        (f"{at + 1:>{digits}}  ", "quiet"),
        (source, "quiet"),
        (words(item.text, symbols), "text"),
    )
    outcome = outcome_words(item.outcome, desk) if item.outcome is not None else ""
    role = "quiet" if item.outcome is Outcome.DROP else "text"
    return Line(left, (*_marks(item, symbols), ("  ", "text"), (pad(outcome, OUTCOME), role)))


def source_words(item: Item) -> str:
    """`e4 Done`, `line 44`; with a plus where several facts were merged."""
    more = "+" if len(item.facts) > 1 else ""
    source = item.facts[0].source
    if source is None:
        return f"line {item.line}{more}"
    return f"e{source.entry} {source.field}{more}"


def mark(item: Item, test: int, symbols: Symbols) -> Piece:
    """The mark of one test of a fact."""
    answer = item.answers[test]
    if answer is None:
        settled = item.outcome is not None
        return (symbols.none, "quiet") if settled else (symbols.unknown, "you")
    return {
        Answer.PASS: (symbols.ok, "pass"),
        Answer.BORDERLINE: (symbols.mild, "you"),
        Answer.FAIL: (symbols.fail, "fail"),
    }[answer]


def _marks(item: Item, symbols: Symbols) -> Pieces:
    one, two, three = (mark(item, test, symbols) for test in range(3))
    return (one, (" ", "text"), two, (" ", "text"), three)


def fact_title(desk: Desk, at: int) -> str:
    """`fact 6, entry 4, 08-20, 7c1e09aa, line 71`."""
    item = desk.sheet.items[at]
    return f"fact {at + 1}, {'; '.join(map(place_words, item.facts))}"


def place_words(fact: Fact, *, lined: bool = True) -> str:
    """Where a fact stands: in a log its entry, and the field in place of the line."""
    line = f"lines {fact.line} to {fact.end_line}"
    line = f"line {fact.line}" if fact.line == fact.end_line else line
    source = fact.source
    if source is None:
        return line
    place = line if lined else source.field
    return f"entry {source.entry}, {source.date[5:]}, {source.sid[:8]}, {place}"


def fact_lines(item: Item, symbols: Symbols) -> Iterator[Line]:
    """The fact in full."""
    for above in item.facts[0].above:
        yield line(words(above, symbols), "quiet")
    yield line(words(item.text, symbols))


def test_lines(desk: Desk, item: Item, test: int, symbols: Symbols) -> Iterator[Line]:
    """The three tests with the one asked now, hints and target."""
    for place in range(len(TESTS)):
        yield _test_line(item, place, place == test, symbols)
    yield from _hints(item, test, symbols)
    if item.too_long:
        said = f"one line: {len(item.text)} characters, {LINE} still read as one; e rewords"
        yield line(said, "you")
    target = target_words(desk, item, symbols)
    if target:
        yield Line((("target  ", "quiet"), (target, "text")), (), 8)


def _test_line(item: Item, test: int, here: bool, symbols: Symbols) -> Line:
    """One test with its question; the one asked now has the cursor, and behind it its answer."""
    asked, sign = TESTS[test], mark(item, test, symbols)
    answered = item.answers[test] is not None or item.outcome is not None
    first = (symbols.cursor, "accent bold") if here else sign if answered else (" ", "text")
    name = (pad(asked.name, TEST), "accent bold" if here else "text")
    again = (sign, (" ", "text")) if here and answered else ()
    return Line((first, (" ", "text"), name, *again, (asked.question, "quiet")), (), TEST + 2)


def _hints(item: Item, test: int, symbols: Symbols) -> Iterator[Line]:
    """What the wording suggests: about the test asked now, and in general."""
    asked = TESTS[test].id if 0 <= test < len(TESTS) else ""
    found = [hint.words for hint in hints(item.text) if hint.test in ("", asked)]
    if found:
        said = words("; ".join(found), symbols)
        yield Line((("hint    ", "quiet"), (said, "text")), (), 8)


def target_words(desk: Desk, item: Item, symbols: Symbols) -> str:
    """`design.md › Retry`: where the fact goes, or would go; empty for one that goes nowhere."""
    if desk.file or item.outcome is Outcome.DROP:
        return ""
    target = item.target or desk.offers(item)[0]
    name = words(target.path.removeprefix(".ai/"), symbols)
    section = f" {symbols.cursor} {words(target.section, symbols)}" if target.section else ""
    return name + section


def left_out_words(desk: Desk) -> str:
    """`2 kept facts are in no hunk of the proposal`; empty without a proposal, or such facts."""
    if desk.native or desk.file or desk.source.kind == FACTS:
        return ""
    hunks = (hunk for review in desk.reviews for hunk in review.hunks)
    count = len(untold(desk.sheet.admitted, hunks))
    told = f"{counted(count, 'kept fact')} {'is' if count == 1 else 'are'}"
    return f"{told} in no hunk of the proposal" if count else ""


def undecided_words(desk: Desk) -> str:
    """`4 facts are undecided`."""
    count = len(desk.sheet.undecided)
    return f"{counted(count, 'fact')} {'is' if count == 1 else 'are'} undecided"
