"""Present the inbox: its rows, and all it takes to decide the item under the cursor, as lines of
text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import Row, slug
from mandrel_tui.protocol.inbox import KINDS, Item
from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui.clean import clean, head, pad, width
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import age, number, short_names, words
from mandrel_tui.ui.symbols import Symbols

KIND = max(map(len, KINDS)) + 2
NAME = 20  # cells of a task's name at most, where the row is narrow
STORE, INDEX = "the folder", "the index"  # whose an item is that is of no one task
KIND_ROLES: Mapping[str, str] = {
    "invalid": "fail",
    "answer": "you",
    "rule": "you",
    "plan": "you",
    "check": "you",
    "close": "pass",
    "drift": "quiet",
}
KIND_WORDS: Mapping[str, str] = {
    "invalid": "files nobody can act on",
    "answer": "questions of blocked sessions",
    "rule": "disputes, spent budgets, stalls",
    "plan": "plans that wait for approval or feedback",
    "check": "sessions that came back, or failed",
    "close": "finished tasks to absorb and archive",
    "drift": "files that contradict each other",
}
_OPENS: Mapping[str, str] = {
    "answer": "answer",
    "rule": "rule",
    "plan": "plan gate",
    "check": "check",
    "close": "close out",
}
_UNASKED = "No session waits for an answer: Enter frees the task, or blocks it by something else."
FAILED = "failed"
_SETTLES: Mapping[str, str] = {
    "answer": "The session that asked goes on with your answer.",
    "rule": "The next prompt waits for your ruling.",
    "plan": "Only an explicit act approves it.",
    "check": "What the session declared is not taken for done until it is checked.",
    "drift": "Nothing is stopped by this; it misleads whoever reads the files.",
}


@dataclass(frozen=True, slots=True)
class Columns:
    """What the rows of one list share: the name each task is shown by, and its cells."""

    names: Mapping[str, str]
    cells: int


def columns(items: Iterable[Item], cells: int) -> Columns:
    """The columns of these items in rows of so many cells."""
    names = short_names(item.task for item in items if item.task)
    widest = max((width(name) for name in names.values()), default=0)
    return Columns(names, min(max(widest, len(STORE)), max(cells // 4, NAME)))


def key_of(item: Item) -> str:
    """What tells an item from all others, whatever else about it changes."""
    return f"{item.kind}\0{item.task or whose(item)}"


def of_index(item: Item) -> bool:
    """Whether an item is of the index, which is corrected and not looked at."""
    return not item.task and item.cause.startswith("index-")


def has_output(item: Item, row: Row | None) -> bool:
    """Whether an item is of an agent that failed and whose output was captured."""
    sent = row.handover.handover if row is not None and row.handover is not None else None
    return item.cause == FAILED and sent is not None and sent.delivery.way == "headless"


def opens(item: Item, row: Row | None) -> str:
    """What Enter does with an item, in a word or two."""
    if has_output(item, row):
        return "output"
    if of_index(item):
        return "correct"
    return "free" if item.cause == "blockers" else _OPENS.get(item.kind, "look")


def whose(item: Item) -> str:
    """The short name of an item's task, or what else it is of."""
    if item.task:
        return slug(item.task)
    return INDEX if of_index(item) else STORE


def inbox_row(item: Item, shared: Columns, symbols: Symbols, now: datetime) -> Line:
    """`! rule     stall-detection     group b3aa90fe: 3 rounds, 2 allowed      5h`."""
    name = words(shared.names.get(item.task) or whose(item), symbols)
    room = shared.cells
    cut = name if width(name) <= room else head(name, room - 1) + symbols.ellipsis
    left = (
        (f"{symbols.owe} ", "you"),
        (pad(item.kind, KIND), KIND_ROLES[item.kind]),
        (pad(cut, room + 2), "text"),
        (words(item.words, symbols), "text"),
    )
    found = age(item.since, now)
    return Line(left, ((pad("~" if found.odd else found.text, 4, right=True) + " ", "quiet"),))


def inbox_title(shown: Sequence[Item], items: Sequence[Item], kinds: Iterable[str]) -> str:
    """`inbox 5, oldest first`; `inbox 2 of 5, rule, answer`."""
    narrowed = [kind for kind in KINDS if kind in kinds]
    count = number(len(items))
    if narrowed:
        count = f"{number(len(shown))} of {count}"
    return ", ".join((f"inbox {count}", *(narrowed or ("oldest first",))))


def empty_inbox(rows: Iterable[Row], narrowed: bool) -> str:
    """What stands in an inbox without rows."""
    if narrowed:
        return "Nothing of that kind. f changes the filter."
    out = sum(row.handover is not None and row.handover.out for row in rows)
    are = "is" if out == 1 else "are"
    return "You owe nothing." + (f" {counted(out, 'session')} {are} out." if out else "")


def detail(item: Item, row: Row | None, symbols: Symbols) -> list[Line]:
    """All it takes to decide an item: what it is, every side as written with its source, and what
    it holds up."""
    out = [line(words(item.words, symbols), "text bold")]
    for side in item.sides:
        place = f", line {side.line}" if side.line is not None else ""
        out.append(line(words(f"{side.title}{place}", symbols), "quiet"))
        text = clean(side.text, ascii=symbols.ascii)
        out += [Line(((f"  {part}", "text"),), (), 2) for part in text.split("\n")]
    if item.cause == FAILED:
        shows = " Enter shows what the agent printed." if has_output(item, row) else ""
        return [*out, line(f"Nothing was declared, and nothing is out.{shows}", "quiet")]
    if not item.sides and row is not None and row.turn is not None:
        out.append(line(words(row.turn.reason, symbols)))
    settles = _UNASKED if item.cause == "blockers" else _SETTLES.get(item.kind)
    return [*out, line(settles, "quiet")] if settles else out
