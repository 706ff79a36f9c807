"""Present a matter: what the human is asked to write, with all it takes to decide it, as lines of
text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.inbox import Side
from mandrel_tui.protocol.ruling import Ruling, Stage
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Turn, TurnKind
from mandrel_tui.ui.clean import clean
from mandrel_tui.ui.line import Line, line, trim
from mandrel_tui.ui.present import sid_words, task_words, words
from mandrel_tui.ui.present_session import local
from mandrel_tui.ui.symbols import Symbols

RULING = "ruling"  # the one matter that is no message into an open session
ANSWER = "blocked-resume"
KIND_WORDS: Mapping[str, str] = {
    RULING: "ruling",
    ANSWER: "answer",
    "human-instruction": "instruction",
    "answered-continue": "answer and go on",
    "run-error-retry": "retry after an error",
    "wrapup": "wrap up",
}
# What can be said to a session that is open, beside what its state asks for.
MESSAGES: Mapping[str, str] = {
    "human-instruction": "What it shall do beside, or instead of, what it does.",
    "answered-continue": "It asked something in its conversation and waits.",
    "run-error-retry": "Its run broke off; it goes on from what the files say.",
    "wrapup": "Its context is full: it notes where it stands and ends.",
}
MESSAGE = "message "  # begins the name of what is said by hand
WORDLESS = frozenset({"wrapup"})  # messages without a text of the human's own


def nothing_owed(row: Row) -> str:
    """Why there is nothing to answer and nothing to rule on; empty when there is."""
    turn = row.turn
    if turn is None:
        return "nothing waits for an answer"
    if turn.kind is TurnKind.BLOCKED:
        return turn.reason if turn.waits else ""
    owed = turn.escalation is not None or row.ruling is not None
    return "" if owed else "no answer and no ruling is owed"


def message_offers(row: Row | None) -> Iterator[tuple[str, str, str]]:
    """What can be said by hand to the session of a task that is known: name, label, note."""
    if row is None or row.task is None or row.turn is None or row.turn.kind is TurnKind.INVALID:
        return
    if row.handover.sid if row.handover is not None else row.task.claimed_sid:
        for kind, note in MESSAGES.items():
            yield MESSAGE + kind, f"message: {KIND_WORDS[kind]}", note


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing to be written: `kind` is RULING or that of a message into the session `sid`.

    `banner` and `sides` are what it is decided on; `ruling` is the one in force, `loose` one whose
    review is gone from the log, `draft` what was typed before; `refusal` says why nothing can be
    written, empty when something can.
    """

    kind: str
    task: Task | None
    turn: Turn | None = None
    banner: str = ""
    sides: tuple[Side, ...] = ()
    sid: str = ""
    ruling: Ruling | None = None
    loose: Ruling | None = None
    draft: str = ""
    refusal: str = ""

    @property
    def wordless(self) -> bool:
        """Whether the message has no place for a text."""
        return self.kind in WORDLESS


def matter_title(matter: Matter, symbols: Symbols) -> str:
    """`ruling: stall-detection`."""
    name = matter.task.name if matter.task is not None else ""
    return f"{KIND_WORDS[matter.kind]}: {task_words(name, symbols)}"


def matter_lines(matter: Matter, cells: int, symbols: Symbols) -> list[Line]:
    """The banner, then every side verbatim under a line that names its source; what the banner
    says already is not said twice."""
    out = [line(text) for text in clean(matter.banner, ascii=symbols.ascii).split("\n") if text]
    for side in matter.sides:
        if side.text.strip() and side.text.strip() in matter.banner:
            continue
        place = f", line {side.line}" if side.line is not None else ""
        out.append(_rule(words(f"{side.title}{place}", symbols), cells, symbols))
        out += [line(text) for text in clean(side.text, ascii=symbols.ascii).split("\n")]
    return out


def _rule(title: str, cells: int, symbols: Symbols) -> Line:
    """`─ review 0e77c1d4, entry 7, Findings, line 41 ────`."""
    start = ((f"{symbols.thin} ", "line"), (f"{title} ", "quiet"))
    kept = trim((*start, (symbols.thin * cells, "line")), cells, "")
    return Line(kept)


def matter_state(matter: Matter, symbols: Symbols, now: datetime) -> list[Line]:
    """What becomes of the text, and what stands already."""
    if matter.kind != RULING:
        sid = sid_words([matter.sid], symbols)[matter.sid]
        what = f"{matter.kind} for the same conversation {sid}"
        return [line(f"{what}; shown first.", "quiet")]
    stalled = matter.turn is not None and matter.turn.kind is TurnKind.RULING
    goes = "review" if stalled else "dev"
    if matter.loose is not None:
        at = local(matter.loose.at, now)
        return [line(f"given {at} on a review that is gone: give it again", "you")]
    if matter.ruling is None or matter.task is None:
        return [line(f"Stored, and goes out with the next {goes} prompt.", "quiet")]
    delivered = matter.ruling.stage(matter.task) is Stage.DELIVERED
    state = "in the log; fresh prompts carry it" if delivered else "not yet in the log"
    return [line(f"given {local(matter.ruling.at, now)}, {state}", "pass")]


def own_title(matter: Matter, text: str) -> str:
    """`your ruling, 50 bytes`."""
    size = len(text.encode("utf-8", "surrogatepass"))
    what = KIND_WORDS[matter.kind] if matter.kind in (RULING, ANSWER) else "words"
    return f"your {what}, {size:,} bytes"


def changed_line(before: Task, now: Task, at: str) -> Iterable[Line]:
    """What is said when the task is another than the one this was asked about."""
    if before.sha256 != now.sha256:
        yield line(f"The task changed at {at}: close this and look again.", "you")
