"""Present receipts: what was handed over, the proof of its bytes, and where two texts part, as
lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.difference import Difference
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.trail import Ending
from mandrel_tui.ui.clean import head, pad, width
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import number, short_names, sid_words, task_words, words
from mandrel_tui.ui.present_prompt import digest
from mandrel_tui.ui.present_session import local, session_title, where_words
from mandrel_tui.ui.row import Row
from mandrel_tui.ui.symbols import Symbols

TITLE = len("review, final gate") + 2
WAYS = 84  # cells from which a row has room for the way a text left


@dataclass(frozen=True, slots=True)
class Receipt:
    """One text that was handed over, how its program ended where that is known, and whether a
    person said since that it was not used."""

    handover: Handover
    ending: Ending | None = None
    unused: bool = False


@dataclass(frozen=True, slots=True)
class Receipts:
    """All of one task, or of every task where `task` is empty, the latest first."""

    task: str
    rows: tuple[Receipt, ...]

    def find(self, id: str) -> Receipt | None:
        """The receipt of that id."""
        return next((row for row in self.rows if row.handover.id == id), None)


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether the kept bytes of a handover have its digest, computed again at that moment."""

    handover: str
    proved: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts beside each other: their names, where they part and their difference as lines;
    `fault` says why they could not be compared."""

    old: str = ""
    new: str = ""
    difference: Difference | None = None
    diff: tuple[str, ...] = ()
    sizes: tuple[int, int] = (0, 0)
    fault: str = ""


def receipt_rows(found: Receipts, symbols: Symbols, now: datetime, cells: int) -> Iterator[Row]:
    """`08-21 14:02  fifo-drain  dev, advancement   14,212  3f9c01ab`."""
    sent = [receipt.handover for receipt in found.rows]
    names = {task: words(name, symbols) for task, name in _names(sent).items()}
    times = [local(one.delivery.at, now) for one in sent]
    room = min(_widest(names.values()), max(cells // 3, 12))
    sizes = [number(one.size) for one in sent]
    for one, at, size in zip(sent, times, sizes, strict=True):
        name = names[one.task]
        cut = name if width(name) <= room else head(name, room - 1) + symbols.ellipsis
        title, way = session_title(one), where_words(one.delivery, symbols)
        left = (
            (pad(at, _widest(times) + 2), "quiet"),
            *(((pad(cut, room + 2), "text"),) if not found.task else ()),
            (pad(title, TITLE), "review" if one.role == "review" else "dev"),
            (way if cells >= WAYS else "", "quiet"),
        )
        right = ((f"{pad(size, _widest(sizes), right=True)}  {one.sha256[:8]} ", "quiet"),)
        find = f"{one.task} {one.kind} {one.sid or ''} {one.sha256}"
        yield Row(one.id, left, right, find=find)


def _names(sent: Iterable[Handover]) -> dict[str, str]:
    return short_names(one.task for one in sent)


def _widest(texts: Iterable[str]) -> int:
    return max(map(width, texts), default=0)


def receipts_title(found: Receipts, symbols: Symbols) -> str:
    """`receipts 3 of fifo-drain`; `receipts 12`."""
    count = f"receipts {number(len(found.rows))}"
    return f"{count} of {task_words(found.task, symbols)}" if found.task else count


def empty_receipts(found: Receipts) -> str:
    """What stands in a list without receipts."""
    more = " f shows those of every task." if found.task else ""
    return f"Nothing was handed over.{more}"


def receipt_lines(
    receipt: Receipt, proof: Proof | None, symbols: Symbols, now: datetime
) -> list[Line]:
    """All that is recorded of a text, and its proof."""
    one = receipt.handover
    where = where_words(one.delivery, symbols)
    form = f", {one.form}" if one.form else ""
    sid = f"   session {sid_words([one.sid], symbols)[one.sid]}" if one.sid else ""
    said = [
        Line(
            ((session_title(one), "text bold"), (f"{form}   {where}", "text"), (sid, "quiet")),
        ),
        line(f"{number(one.size)} bytes   sha256 {digest(one.sha256, symbols)}"),
        proof_line(proof, symbols, now),
    ]
    if receipt.unused:
        said.append(line("taken back: it was not used", "quiet"))
    if receipt.ending is not None and receipt.ending.cause:
        cause = words(receipt.ending.cause, symbols)
        said.append(Line(((f"{symbols.fail} ", "fail"), (cause, "text"))))
    return said


def proof_line(proof: Proof | None, symbols: Symbols, now: datetime) -> Line:
    """What computing the digest again came to."""
    if proof is None:
        return line("proof   the digest is computed again", "quiet")
    at = local(proof.at.isoformat(), now)
    if proof.proved:
        mark, said = (symbols.ok, "pass"), f" the kept bytes have this digest, computed again {at}"
    else:
        mark, said = (symbols.fail, "fail"), f" the kept bytes are lost or are others, read {at}"
    return Line((("proof   ", "quiet"), mark, (said, "text")))


def text_name(one: Handover, symbols: Symbols, now: datetime) -> str:
    """What a text is called where it is compared: `fifo-drain, dev, advancement, 14:02`."""
    name = task_words(one.task, symbols)
    return f"{name}, {session_title(one)}, {local(one.delivery.at, now)}"


def compared_lines(found: Compared) -> list[Line]:
    """The names of both texts, and the first byte that differs."""
    sides = (("- ", found.old, "fail"), ("+ ", found.new, "pass"))
    said = [
        Line(((sign, role), (name, "text")), ((f"{number(size)} bytes", "quiet"),))
        for (sign, name, role), size in zip(sides, found.sizes, strict=True)
    ]
    apart = found.difference
    if apart is None:
        return [*said, line("They are the same, byte for byte.", "pass")]
    place = f"byte {number(apart.at + 1)}, line {number(apart.line)}, column {number(apart.column)}"
    return [
        *said,
        line(f"The first byte that differs: {place}", "text bold"),
        line(f"- {_bytes_words(apart.old)}", "fail"),
        line(f"+ {_bytes_words(apart.new)}", "pass"),
    ]


def _bytes_words(data: bytes) -> str:
    """Bytes as ASCII, `\\n` and the like spelt; the end of a text by that name."""
    return repr(data)[2:-1] if data else "the end of the text"


def labels(task: str, held: str) -> Mapping[str, str]:
    """What keys are called that live in several places, or widen and narrow the list."""
    shown = "all tasks" if task or not held else "one task"
    return {"receipts.all": shown, "list.copy-id": "copy digest"}


def newest_first(receipts: Iterable[Receipt]) -> tuple[Receipt, ...]:
    """The latest first; of one moment the one recorded last."""
    kept = sorted(receipts, key=lambda receipt: receipt.handover.delivery.at)
    return tuple(reversed(kept))
