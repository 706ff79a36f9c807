"""Present a review: documents with what is decided of them, and what stands behind a hunk, as lines
of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Sequence

from mandrel_tui.protocol.admission import TESTS, Item
from mandrel_tui.protocol.behind import (
    added,
    behind,
    map_words,
    routing_words,
    size_of,
    within,
)
from mandrel_tui.protocol.desk import FACTS, Desk
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.proposal import Change, Review
from mandrel_tui.protocol.routing import INDEX
from mandrel_tui.protocol.upgrade import fault
from mandrel_tui.ui.line import Line, Piece, Pieces, line, plain, size
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.present_desk import mark, outcome_words, place_words
from mandrel_tui.ui.row import Row
from mandrel_tui.ui.symbols import Symbols

TEST_WORDS = {"cost": "cost", "stability": "stability", "leverage": "leverage"}
GAP = ("      ", "text")


def short_path(path: str, symbols: Symbols) -> str:
    """A document without the folder of the memory."""
    return words(path.removeprefix(".ai/"), symbols)


def old_words(desk: Desk, review: Review, symbols: Symbols) -> str:
    """`.ai/design.md at 4f21c9a`: what stands on the old side."""
    document = review.document
    base = "is not there" if document.base is None else desk.given.base
    return f"{words(document.origin or document.path, symbols)} {base}".rstrip()


def document_pieces(review: Review, symbols: Symbols, *, here: bool = False) -> Pieces:
    """`+ fifo.md ✓1 ✗1 ?2`: whether it comes, goes or moves, its name, what is decided."""
    signs = {Change.ADDED: ("+ ", "pass"), Change.REMOVED: ("- ", "fail")}
    signs[Change.RENAMED] = (f"{symbols.mild} ", "you")
    sign = signs.get(review.document.change)
    name = (short_path(review.document.path, symbols), "text bold" if here else "text")
    return (*((sign,) if sign else ()), name, *decided_pieces(review, symbols))


def decided_pieces(review: Review, symbols: Symbols) -> Pieces:
    """` ✓1 ✗1 ?2`, without what there is none of."""
    counts = (
        (review.count(True), symbols.ok, "pass"),
        (review.count(False), symbols.fail, "fail"),
        (len(review.open), symbols.unknown, "you"),
    )
    return tuple((f" {sign}{count}", role) for count, sign, role in counts if count)


def size_pieces(review: Review, symbols: Symbols) -> Pieces:
    """`2,412 → 2,538 of 3,000`; one over its limit in its colour; one outside memory has none."""
    found = size_of(review)
    said = f"{number(found.before)} {symbols.arrow} {number(found.after)}"
    if not review.document.path.startswith(".ai/"):
        return ((f"{said} tokens", "quiet"),)
    return ((said, "quiet"), (f" of {number(found.limit)}", "fail" if found.over else "quiet"))


def document_row(review: Review, symbols: Symbols) -> Row:
    """A document in a list: what is decided of it, and its size."""
    path = review.document.path
    right = (*size_pieces(review, symbols), (" ", "text"))
    return Row(path, document_pieces(review, symbols), right, path)


def documents_title(desk: Desk) -> str:
    """`documents 4`."""
    return f"documents {len(desk.reviews)}" if desk.reviews else "documents"


def document_words(review: Review, symbols: Symbols) -> tuple[str, str]:
    """What is decided of a document, and its size, in words."""
    return plain(decided_pieces(review, symbols)), plain(size_pieces(review, symbols))


def bar_pieces(desk: Desk, at: int, symbols: Symbols, width: int) -> Line:
    """All documents in one row where there is room, else the one in hand and which it is."""
    if not desk.reviews:
        return line(f" {nothing_words(desk)}", "quiet")
    whole: Pieces = ()
    for place, review in enumerate(desk.reviews):
        here = place == at
        sign: Piece = (f"{symbols.cursor} " if here else "  ", "accent bold")
        gap = (GAP,) if whole else ()
        whole = (*whole, *gap, sign, *document_pieces(review, symbols, here=here))
        if here:
            whole = (*whole, ("   ", "text"), *size_pieces(review, symbols))
    if size(whole) <= width:
        return Line(whole)
    review, many = desk.reviews[at], counted(len(desk.reviews), "document")
    name = ((f"{symbols.cursor} ", "accent bold"), *document_pieces(review, symbols, here=True))
    sized = (*name, ("   ", "text"), *size_pieces(review, symbols))
    long, short = f"{at + 1} of {many}, N/P ", f"{at + 1} of {len(desk.reviews)}, N/P "
    for shown, end in ((sized, long), (sized, short), (name, short)):
        if size(shown) + len(end) < width:
            break
    return Line(shown, ((end, "quiet"),))


def nothing_words(desk: Desk) -> str:
    """Why there is nothing to review."""
    if desk.file:
        return "No fact is removed or reworded yet."
    if desk.source.kind == FACTS:
        return "No fact is admitted. t goes to archive only."
    if desk.native:
        return "No commit tells of a change of memory."
    return "The proposal changes nothing. t goes to archive only."


def items_behind(desk: Desk, review: Review, hunk: int) -> tuple[Item, ...]:
    """The facts that stand behind a hunk, the likeliest first."""
    if desk.file:
        return within(review.hunks[hunk], desk.sheet.items)
    return behind(review.hunks[hunk], desk.sheet.items)


def why_title(desk: Desk, hunk: int, items: Sequence[Item]) -> str:
    """`why hunk 3: fact 6, entry 4, 08-20, 7c1e09aa, Done`."""
    if not items:
        return f"why hunk {hunk + 1}"
    at = desk.sheet.items.index(items[0])
    more = f", and {len(items) - 1} more" if len(items) > 1 else ""
    place = place_words(items[0].facts[0], lined=False)
    return f"why hunk {hunk + 1}: fact {at + 1}, {place}{more}"


def why_end(desk: Desk, items: Sequence[Item], symbols: Symbols, *, wide: bool) -> Pieces:
    """`cost ✓  stability ✓  leverage ✓  keep`, the marks alone where it is narrow."""
    if not items:
        return ()
    item = items[0]
    pieces: list[Piece] = []
    for place, test in enumerate(TESTS):
        name = f"{TEST_WORDS[test.id]} " if wide else ""
        pieces += [(name, "quiet"), mark(item, place, symbols), ("  " if wide else " ", "text")]
    outcome = outcome_words(item.outcome, desk) if item.outcome else "undecided"
    return (*pieces, (outcome, "text"))


def why_lines(
    desk: Desk, review: Review, hunk: int, items: Sequence[Item], symbols: Symbols, *, wide: bool
) -> list[Line]:
    """The fact behind a hunk, and what it means for routing, map and size; in one row each where it
    is not `wide`."""
    none = "No fact of the log shares its words." if not desk.file else "It stands in no fact."
    said = line(words(items[0].text, symbols)) if items else line(none, "quiet")
    if desk.file:
        own = added(review.hunks[hunk])
        sizes = (("this hunk", more_words(own)), ("the file", more_words(size_of(review).grown)))
        return [said, _labelled(*sizes)]
    row = map_words(review, review.hunks[hunk], desk.given.texts)
    index = next((r for r in desk.reviews if r.document.path == INDEX), None)
    impact = (
        ("routing", routing_words(review, desk.given.texts, index)),
        ("map", words(row if wide else row.partition(" names ")[0], symbols)),
        ("size" if wide else "", limit_words(review)),
    )
    # Where a row is cut at its end, what is wrong comes first.
    first = not wide and size_of(review).over
    return [said, _labelled(*(reversed(impact) if first else impact))]


def limit_words(review: Review) -> str:
    """`462 tokens under its limit`; of one over it the key that helps, where one does."""
    found = size_of(review)
    left = found.limit - found.after
    said = f"{counted(abs(left), 'token')} {'under' if left >= 0 else 'over'} its limit"
    return f"{said}; U: folder" if found.over and not fault(review.document.path) else said


def _labelled(*pairs: tuple[str, str]) -> Line:
    pieces: list[Piece] = []
    for label, text in pairs:
        gap = "   " if pieces else ""
        pieces += [(f"{gap}{label} " if label else gap, "quiet"), (text, "text")]
    return Line(tuple(pieces))


def more_words(tokens: int) -> str:
    """`9 tokens fewer`, of those a text has more."""
    return f"{counted(abs(tokens), 'token')} {'more' if tokens > 0 else 'fewer'}"


def open_words(desk: Desk, symbols: Symbols) -> str:
    """`3 hunks are undecided, 2 in design.md, 1 in fifo.md`."""
    left = desk.undecided
    total = sum(count for _, count in left)
    verb = "is" if total == 1 else "are"
    if len(left) == 1:
        where = short_path(left[0][0], symbols)
        return f"{counted(total, 'hunk')} {verb} undecided in {where}"
    places = ", ".join(f"{count} in {short_path(path, symbols)}" for path, count in left)
    return f"{counted(total, 'hunk')} {verb} undecided, {places}"


def offer_words(source: str, desk: Desk) -> str:
    """What was taken in, in a sentence."""
    count, hunks = len(desk.reviews), desk.hunks
    return f"{source}: {counted(count, 'document')}, {counted(hunks, 'hunk')}"
