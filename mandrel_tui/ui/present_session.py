"""Present a session: where it was sent, since when, and where it stands now, as words and lines of
text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.copied import TERMINAL, TMUX
from mandrel_tui.protocol.handover import Delivery, Handover
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.standing import HandoverState, Standing
from mandrel_tui.protocol.turn import Mode
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import (
    MODE_WORDS,
    age,
    capital,
    clock,
    number,
    short_names,
    task_words,
    turn_title,
    words,
)
from mandrel_tui.ui.symbols import Symbols

UNUSED, OUTPUT = "unused", "output"
_KINDS = {"plan": "plan", "closeout": "close out"}


def local(stamp: str, now: datetime) -> str:
    """A UTC stamp in the zone of the person: `14:02`, or `08-21 14:02` of another day; as typed
    where it is no time."""
    try:
        then = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    then = (then if then.tzinfo else then.replace(tzinfo=UTC)).astimezone(now.tzinfo)
    return clock(then) if then.date() == now.date() else f"{then:%m-%d} {clock(then)}"


def where_words(delivery: Delivery, symbols: Symbols) -> str:
    """How a text left: `copied to the tmux buffer`, `claude in tmux window 3`."""
    place, launcher = words(delivery.place, symbols), words(delivery.launcher, symbols)
    if delivery.way == "copy":
        ways = {TMUX: "copied to the tmux buffer", TERMINAL: "sent to the terminal"}
        return ways.get(place, f"copied with {place}" if place else "copied")
    if delivery.way == "file":
        return f"saved as {place}"
    if delivery.way == "print":
        return "printed"
    said = {"here": "in this terminal", "headless": "headless"}
    return f"{launcher} {said.get(delivery.way) or f'in {place}'}"


def session_offers(row: Row) -> Iterator[tuple[str, str, str]]:
    """What can be said or seen of the session of a task: name, label, note."""
    standing = row.handover
    if standing is None:
        return
    way = standing.handover.delivery.way
    if standing.out and standing.handover.delivery.by_hand:
        note = "What was copied or saved went nowhere: nobody is out with it."
        yield UNUSED, "it was not used", note
    if way == "headless":
        yield OUTPUT, "what the agent printed", "The output that was captured."


def session_title(handover: Handover) -> str:
    """What the session is, `review, final gate`; a follow-up by its own name."""
    if handover.opens and handover.mode is not None:
        return MODE_WORDS[Mode(handover.mode)]
    return _KINDS.get(handover.kind, handover.kind)


def session_role(standing: Standing) -> str:
    """The role of who acts next."""
    if standing.yours:
        return "you"
    return "review" if standing.handover.role == "review" else "dev"


def out_sentence(rows: Iterable[Row], symbols: Symbols, now: datetime) -> str:
    """Who is out, the latest first: `fifo-drain since 14:02, claude in tmux window 3`; empty where
    nobody is."""
    out = [(row.handover.since, row) for row in rows if row.handover and row.handover.out]
    if not out:
        return ""
    row = max(out, key=lambda pair: pair[0])[1]
    assert row.handover is not None
    name = words(short_names(row.name for row in rows)[row.name], symbols)
    since = local(row.handover.since, now)
    more = f"; and {len(out) - 1} more" if len(out) > 1 else ""
    return f"{name} since {since}, {where_words(row.handover.handover.delivery, symbols)}{more}"


def session_card(row: Row, symbols: Symbols, now: datetime) -> list[Line]:
    """The next card of a task whose session is out, or came back and waits to be looked at."""
    standing = row.handover
    assert standing is not None
    sent = standing.handover
    told = {
        HandoverState.OUT: _out,
        HandoverState.RETURNED: _returned,
        HandoverState.FAILED: _failed,
    }[standing.state](standing, symbols, now)
    size = f"{number(sent.size)} bytes, sha {sent.sha256[:8]}"
    where = f"{where_words(sent.delivery, symbols)}, {local(sent.delivery.at, now)}; {size}."
    return [
        line(told[0], f"{session_role(standing)} bold"),
        *(line(text) for text in told[1:] if text),
        *_left_behind(row),
        *_turn_then(row),
        line(capital(where), "quiet"),
    ]


def _left_behind(row: Row) -> Iterator[Line]:
    """What a session that failed left: its claim, and what its agent printed."""
    standing = row.handover
    if standing is None or standing.state is not HandoverState.FAILED:
        return
    if row.task is not None and standing.sid and row.task.claimed_sid == standing.sid:
        yield line("Its claim stays in the file until the next session claims the task.")
    if standing.handover.delivery.way == "headless":
        yield line("Space shows what the agent printed.")


def _turn_then(row: Row) -> Iterator[Line]:
    """Whose turn it is once the session that is back is settled."""
    standing, turn = row.handover, row.turn
    if standing is None or standing.out or turn is None:
        return
    rule = f", rule {turn.rule}" if turn.rule is not None else ""
    yield line(f"By the file the turn is {turn_title(turn)}{rule}.")


def unsettled_words(standing: Standing, now: datetime) -> str:
    """What is lost of a session that came back when another takes its place; empty of one that is
    out."""
    if standing.out:
        return ""
    back = f"the session that came back at {local(standing.since, now)}"
    if standing.failing and standing.checked is not None:
        failed = ", ".join(standing.checked.failed)
        return f"{back} does not meet {failed}: v shows what to send it"
    return f"{back} is not checked: v checks it"


def settling_words(standing: Standing) -> str:
    """What is owed of a session that came back, in a few words; empty where nothing is."""
    if standing.unchecked:
        return "the session that came back is not checked"
    return "the checks of the session that came back fail" if standing.failing else ""


def beside_words(beside: Standing | None, unplanned: bool, now: datetime) -> str:
    """What a prompt that just went out goes beside or without; empty where that is nothing."""
    out = beside is not None and beside.out
    since = f"out already since {local(beside.since, now)}" if beside and out else ""
    told = (since, "its plan is not approved" if unplanned else "")
    return ", ".join(filter(None, told))


def _out(standing: Standing, symbols: Symbols, now: datetime) -> tuple[str, ...]:
    since = age(standing.since, now).text
    title = f"out{f' {since}' if since else ''}: {session_title(standing.handover)}"
    if standing.handover.kind == "plan":
        return title, "It writes nothing: its reply comes to you. Space opens the plan gate."
    return title, "You owe nothing until it is back."


def _returned(standing: Standing, symbols: Symbols, now: datetime) -> tuple[str, ...]:
    back = f"returned {local(standing.since, now)}"
    if standing.exhausted:
        return f"{back}: your call", f"{standing.followups} follow-ups are used up."
    if standing.failing:
        assert standing.checked is not None
        failed = counted(len(standing.checked.failed), "check")
        fail = "fails" if len(standing.checked.failed) == 1 else "fail"
        return f"{back}: {failed} {fail}", ", ".join(standing.checked.failed) + "."
    seen = "the file changed since it was checked" if standing.stale else standing.words
    return f"{back}, unchecked", f"{_sentence(seen, symbols)} v runs the checks."


def _failed(standing: Standing, symbols: Symbols, now: datetime) -> tuple[str, ...]:
    said = _sentence(standing.ended, symbols)
    return f"failed {local(standing.since, now)}", f"{said} Nothing is out."


def _sentence(text: str, symbols: Symbols) -> str:
    shown = words(text, symbols)
    return f"{capital(shown)}."


def came_back(before: Board, now: Board) -> tuple[Row, ...]:
    """The rows whose session was out before and is no more, but for those that a person took back:
    nothing was recorded or written of these."""
    out = {row.name: row for row in before.active if row.handover is not None and row.handover.out}
    return tuple(
        row
        for row in now.active
        if row.name in out
        and (row.task != out[row.name].task if row.handover is None else not row.handover.out)
    )


def back_sentence(row: Row, symbols: Symbols) -> str:
    """What to say when a session was just seen to have come back; what shows it stands on the card,
    where it changes with a file that is written in several steps."""
    name = task_words(row.name, symbols)
    standing = row.handover
    if standing is None:
        title = turn_title(row.turn) if row.turn is not None else ""
        return f"{name}: {title}"
    if standing.state is HandoverState.FAILED:
        return f"{name} failed: {words(standing.words, symbols)}"
    return f"{name} returned, unchecked; v runs the checks"
