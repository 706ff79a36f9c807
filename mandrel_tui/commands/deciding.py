"""Deciding: `inbox` and `rule`; what waits for the human, and what the human ruled."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator

from mandrel_tui.commands.failure import DONE, Failure
from mandrel_tui.commands.output import painted, say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.protocol.inbox import Item, count, inbox
from mandrel_tui.protocol.ruling import Ruling, Stage, refuse_unowed, ruling_on
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Turn
from mandrel_tui.workspace.visible import visible
from mandrel_tui.workspace.workspace import Workspace

_STAGES = {
    Stage.GIVEN: "given, not yet in the log",
    Stage.DELIVERED: "delivered; dev prompts carry it until another review",
    Stage.PAST: "past: another review followed",
    Stage.UNBOUND: "bound to a review entry that is no longer where it was; give it again",
}


def run_inbox(arguments: Namespace) -> int:
    """Lists what waits for the human, oldest first."""
    items = inbox(workspace(arguments).board())
    if arguments.json:
        write_json([_item_record(item) for item in items])
    else:
        write_lines(_inbox_lines(items))
    return DONE


def _item_record(item: Item) -> Record:
    sides = [{"title": side.title, "text": side.text, "line": side.line} for side in item.sides]
    return {
        "schema": SCHEMA,
        "kind": item.kind,
        "task": item.task or None,
        "cause": item.cause,
        "words": item.words,
        "since": item.since,
        "sides": sides,
    }


def _inbox_lines(items: tuple[Item, ...]) -> Iterator[str]:
    if not items:
        yield "You owe nothing."
        return
    counted = ", ".join(f"{number} {kind}" for kind, number in count(items).items())
    yield f"{len(items)} in the inbox: {counted}"
    for item in items:
        yield ""
        kind = painted(f"{item.kind:7}", "you")
        since = f"  {visible(item.since)}" if item.since else ""
        yield f"{kind} {visible(item.task) or '(the store)'}{since}"
        yield f"        {visible(item.words)}"
        for side in item.sides:
            yield f"        {visible(side.title)}:"
            yield from (f"          {visible(line)}".rstrip() for line in side.text.split("\n"))


def run_rule(arguments: Namespace) -> int:
    """Gives, shows or withdraws the ruling of a task."""
    found = workspace(arguments)
    with failures():
        task = found.active_task(arguments.task)
        turn = found.turn(task)
        if arguments.withdraw:
            _kept(found.rulings.withdraw(task, found.now()))
        elif arguments.text is not None:
            _give(found, task, turn, _typed(arguments.text))
    ruling = found.rulings.latest(task.name)
    if arguments.json:
        write_json(_ruling_record(task, turn, ruling))
    elif arguments.withdraw:
        say("the ruling is withdrawn")
    elif arguments.text is not None:
        say("the ruling is given; the next prompt carries it")
    else:
        write_lines(_ruling_lines(task, turn, ruling))
    return DONE


def _typed(text: str) -> str:
    """The ruling's text, from standard input for `-`; raises Failure."""
    if text != "-":
        return text
    data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"standard input: byte {error.start} is not UTF-8") from None


def _give(found: Workspace, task: Task, turn: Turn, text: str) -> None:
    if found.rulings.in_force(task) is None:
        refuse_unowed(task, turn)
    _kept(found.rulings.give(ruling_on(task, text, found.now())))


def _kept(note: str) -> None:
    if note:
        raise Failure(note)


def _ruling_record(task: Task, turn: Turn, ruling: Ruling | None) -> Record:
    record: Record = {
        "schema": SCHEMA,
        "task": task.name,
        "escalation": turn.escalation,
        "state": None if ruling is None else ruling.stage(task),
        "text": None if ruling is None else ruling.text,
        "given": None if ruling is None else ruling.at,
    }
    review = None if ruling is None or ruling.position is None else ruling
    return {**record, "review": review and {"position": review.position, "sid": review.sid}}


def _ruling_lines(task: Task, turn: Turn, ruling: Ruling | None) -> Iterator[str]:
    owed = turn.escalation is not None and (ruling is None or not ruling.in_force(task))
    if ruling is not None:
        place = "" if ruling.position is None else f" on entry {ruling.position + 1}"
        by = f", review {visible(ruling.sid)}" if ruling.sid else ""
        yield f"given {ruling.at}{place}{by}: {_STAGES[ruling.stage(task)]}"
        yield from (f"  {visible(line)}".rstrip() for line in ruling.text.split("\n"))
    if owed:
        yield f"you owe {visible(turn.owes)}"
    elif ruling is None:
        yield "no ruling was given, and none is owed"
