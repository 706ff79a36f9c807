"""Present the board: its rows, group headers, the next card and the top bar as lines of text and
role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.prompt import Prompt
from mandrel_tui.protocol.ruling import Stage
from mandrel_tui.protocol.task import Estimate
from mandrel_tui.protocol.turn import Turn, TurnKind
from mandrel_tui.ui.clean import pad, width
from mandrel_tui.ui.line import Line, Piece, line
from mandrel_tui.ui.listing import Choice, Group, Listing
from mandrel_tui.ui.present import (
    GROUP_ROLES,
    TURN_ROLES,
    age,
    number,
    short_names,
    turn_role,
    turn_title,
    words,
)
from mandrel_tui.ui.present_gate import approved_words, plan_card, plan_waits
from mandrel_tui.ui.present_session import local, session_card, session_role
from mandrel_tui.ui.symbols import Symbols

BAR = 4  # cells of the estimate bar
TURN = 8  # cells of the turn, `!invalid` being the longest


@dataclass(frozen=True, slots=True)
class Columns:
    """What the rows of one list share: cells of the estimate, and the name a task is shown by."""

    estimate: int
    names: Mapping[str, str]


def columns(rows: Iterable[Row]) -> Columns:
    """The columns of these rows."""
    kept = tuple(rows)
    return Columns(
        max((width(estimate_text(row)) for row in kept), default=3),
        short_names(row.name for row in kept),
    )


def estimate_text(row: Row) -> str:
    """`1/3`, or `-/-` where the estimate cannot be read."""
    return f"{row.estimate.done}/{row.estimate.total}" if row.estimate is not None else "-/-"


def estimate_bar(estimate: Estimate | None, symbols: Symbols) -> str:
    """Sessions done of all in four cells at most, `!` behind more than were planned."""
    if estimate is None:
        return " " * BAR
    if estimate.over:
        return pad(symbols.full * min(max(estimate.total, 1), BAR - 1) + symbols.owe, BAR)
    cells = min(estimate.total, BAR)
    share = estimate.done / estimate.total if estimate.total else 0
    full, empty = symbols.gauge(share, cells)
    if estimate.done < estimate.total and not empty and cells:
        full, empty = full[:-1], symbols.empty
    return pad(full + empty, BAR)


def turn_pieces(row: Row, symbols: Symbols, now: datetime | None = None) -> tuple[Piece, ...]:
    """`!close`, `gate`, `out 38m`: the mark of what you owe and the word, in eight cells."""
    word = row.word
    mark = symbols.owe if row.yours or row.unread is not None else " "
    role, shown = TURN_ROLES.get(word, "text"), word
    if word in ("out", "plan") and row.handover is not None:
        role = session_role(row.handover)
        since = age(row.handover.since, now).text if now is not None else ""
        shown = f"{word} {since}" if len(word) + 1 + len(since) < TURN else word
    return ((mark, "you"), (pad(shown, TURN - 1), role))


def board_row(
    row: Row,
    shared: Columns,
    symbols: Symbols,
    now: datetime | None = None,
    *,
    aged: bool = False,
    mark: bool = False,
) -> Line:
    """One task: estimate, name, flags, turn, since when a session of it is out; with `aged` also
    the estimate bar and the age; with `mark` its status in front, for lists without group
    headers."""
    left: list[Piece] = []
    if mark:
        left.append((symbols.status[row.group] + " ", GROUP_ROLES[row.group]))
    left.append((pad(estimate_text(row), shared.estimate) + " ", "quiet"))
    if aged and not mark:
        left.append((estimate_bar(row.estimate, symbols) + " ", "quiet"))
    left.append((words(shared.names.get(row.name, row.name), symbols), "text"))
    if row.unread is not None:
        left.append(("  " + words(row.unread.message, symbols), "quiet"))
    ended = _age(row, now if aged else None)
    return Line(tuple(left), (*_flags(row, symbols), *turn_pieces(row, symbols, now), *ended))


def _flags(row: Row, symbols: Symbols) -> tuple[Piece, ...]:
    return ((f"{symbols.flag}{row.flags} ", "fail"),) if row.flags else ()


def _age(row: Row, now: datetime | None) -> tuple[Piece, ...]:
    if now is None:
        return ((" ", "text"),)
    found = age(row.activity, now)
    return ((pad("~" if found.odd else found.text, 4, right=True) + " ", "quiet"),)


def group_line(group: Group, symbols: Symbols) -> Line:
    """`✓ completed 1`."""
    mark = symbols.status.get(group.name, symbols.ok)
    return Line(
        (
            (mark + " ", GROUP_ROLES.get(group.name, "quiet")),
            (group.name, "text bold"),
            (f" {number(len(group.rows))}", "quiet"),
        )
    )


def group_card(group: Group, folded: bool) -> list[Line]:
    """The next card where the cursor is on the head of a group."""
    yours = sum(row.yours for row in group.rows)
    waits = f", {number(yours)} waiting for you" if yours else ""
    fold = "unfolds" if folded else "folds"
    return [
        line(f"heading of {group.name}", "quiet bold"),
        line(f"{counted(len(group.rows), 'task')}{waits}. Enter {fold} them."),
    ]


def list_title(listing: Listing, board: Board, choice: Choice) -> str:
    """`tasks 9`; `tasks 2 of 9, pending`; `tasks 10, 1 cannot be read`."""
    shown, total = len(listing.rows), listing.total
    count = number(shown) if shown == total else f"{number(shown)} of {number(total)}"
    narrowed = "".join(f", {word}" for word in choice.narrowed)
    unread = sum(row.unread is not None for row in board.active)
    return f"tasks {count}{narrowed}" + (f", {number(unread)} cannot be read" if unread else "")


def list_counts(listing: Listing, symbols: Symbols) -> tuple[Piece, ...]:
    """`✓1 ◕2 ◔2`: the groups of a list that has no room for their headers."""
    out: list[Piece] = []
    for group in listing.groups:
        mark = symbols.status.get(group.name)
        if mark is not None:
            out += [(mark, GROUP_ROLES[group.name]), (f"{number(len(group.rows))} ", "quiet")]
    return tuple(out)


def notes_line(board: Board, symbols: Symbols) -> Line:
    """The row at the end of the list that stands for what is said of no one task."""
    mark = symbols.fail if any(note.stops for note in board.notes) else symbols.mild
    said = counted(len(board.notes), "note") + " on the folder and its index"
    return Line(((f"{mark} ", "you"), (said, "quiet")))


@dataclass(frozen=True, slots=True)
class Ready:
    """What `c` would do for one task: a prompt it copies, or the sentence with which it refuses."""

    task: str
    prompt: Prompt | None = None
    refusal: str = ""


def card(
    row: Row,
    symbols: Symbols,
    ready: Ready | None = None,
    *,
    now: datetime,
    wide: bool = False,
    changed: str = "",
) -> list[Line]:
    """The next card, a line each to be wrapped: turn and rule, why, what you owe and what `c`
    does, or where its session stands; `changed` is the time of a change just noticed."""
    turn = row.turn
    if row.unread is not None:
        said = f"{row.unread.message}. To do: {row.unread.hint}."
        return [line("cannot be read", "fail bold"), line(words(said, symbols))]
    if turn is None:
        return [line("archived", "quiet bold"), line("Nothing is next: its work is done.")]
    rule = f"rule {turn.rule}" if turn.rule is not None else ""
    right = "  ".join(text for text in (f"changed {changed}" if changed else "", rule) if text)
    if plan_waits(row):
        return plan_card(row)
    if row.handover is not None and row.handover.word:
        return session_card(row, symbols, now)
    return [
        line(turn_title(turn), f"{turn_role(turn)} bold", right),
        line(words(turn.reason, symbols)),
        *_ruled(row, symbols, now),
        *((line(planned, "pass"),) if (planned := approved_words(row, now)) else ()),
        line(debt_text(row, turn, ready, symbols, wide=wide)),
    ]


def _ruled(row: Row, symbols: Symbols, now: datetime) -> tuple[Line, ...]:
    """The ruling that the next prompt carries."""
    if row.ruling is None or not row.ruled:
        return ()
    given = f"{ruling_words(row, now)}: "
    return (Line(((given, "pass"), (words(row.ruling.text, symbols), "text"))),)


def ruling_words(row: Row, now: datetime) -> str:
    """`ruling given 14:40, not yet in the log`; empty without one in force."""
    if row.ruling is None or row.task is None:
        return ""
    delivered = row.ruling.stage(row.task) is Stage.DELIVERED
    state = "in the log, fresh prompts carry it again" if delivered else "not yet in the log"
    return f"ruling given {local(row.ruling.at, now)}, {state}"


def debt_text(
    row: Row, turn: Turn, ready: Ready | None, symbols: Symbols, *, wide: bool = False
) -> str:
    """What you owe, and what `c` copies or why it copies nothing."""
    owes = turn.owes and not row.ruled
    owed = f"You owe {_debt(row, turn, symbols)}." if owes else "You owe nothing."
    if ready is None:
        return owed
    if ready.prompt is None:
        said = "" if ready.refusal == turn.reason else f": {words(ready.refusal, symbols)}"
        return f"{owed} c copies nothing {'before that' if owes else f'now{said}'}."
    prompt = ready.prompt
    more = f", {number(prompt.tokens)} tokens, sha {prompt.sha256[:8]}" if wide else ""
    return f"{owed} c copies {number(len(prompt.data))} bytes{more}."


def _debt(row: Row, turn: Turn, symbols: Symbols) -> str:
    owes = words(turn.owes, symbols)
    if turn.kind is TurnKind.INVALID:
        return f"a repair: {owes}"
    task = row.task
    if turn.kind is TurnKind.BLOCKED and task is not None and task.asked and not task.asking_sid:
        return f"{owes}: b frees the task, no session takes an answer"
    return owes


def card_sentence(row: Row, symbols: Symbols, name: str, now: datetime) -> str:
    """The next card as one line: `next  task: turn; why`."""
    if row.turn is None:
        return f"next  {words(name, symbols)}: {'cannot be read' if row.unread else 'archived'}"
    if plan_waits(row):
        title, why = (made.text for made in plan_card(row)[:2])
    elif row.handover is not None and row.handover.word:
        title, why = (made.text for made in session_card(row, symbols, now)[:2])
    else:
        title, why = turn_title(row.turn), words(row.turn.reason, symbols)
    return f"next  {words(name, symbols)}: {title}; {why}"
