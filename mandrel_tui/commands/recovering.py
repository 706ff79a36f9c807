"""Recovering: finishes or rolls back a closeout that was interrupted, and takes the last one back,
each after it was shown and agreed to."""

from __future__ import annotations

from argparse import Namespace

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.closing_text import journal_lines, problems, undo_lines
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.workspace import apply, closeout
from mandrel_tui.workspace.apply import left_words
from mandrel_tui.workspace.closeout import Finished
from mandrel_tui.workspace.journal import Journal
from mandrel_tui.workspace.stand import archived_row, known
from mandrel_tui.workspace.traces import traces
from mandrel_tui.workspace.visible import visible
from mandrel_tui.workspace.workspace import Workspace


def recover(found: Workspace, arguments: Namespace) -> int | None:
    """Finishes or rolls back what a journal tells of; None where files alone tell of a closeout
    that did not end, which a plan finishes."""
    opened = closeout.open_closeouts(found)
    for note in opened.notes:
        say(note)
    begun = next((one for one in opened.journals if one.task == arguments.task), None)
    if begun is not None:
        return _resume(found, begun, arguments)
    if arguments.finish and _left(found, arguments.task):
        return None
    known(found, arguments.task)
    raise Failure(f"no closeout of {visible(arguments.task)} was interrupted", REFUSED)


def _left(found: Workspace, name: str) -> bool:
    """Whether files tell of a closeout of the task that did not end; says what they tell."""
    row = archived_row(found, name)
    names = {name, row.name} if row is not None else {name}
    left = [trace for trace in traces(found) if trace.task in names]
    for trace in left:
        say(trace.words)
    return bool(left)


def _resume(found: Workspace, begun: Journal, arguments: Namespace) -> int:
    steps = apply.outlook(found.root, begun)
    verb = "finish" if arguments.finish else "roll back"
    if not arguments.json:
        write_lines(journal_lines(begun, steps))
    what = visible(begun.act)
    _ask(arguments, f"{verb} {what}?")
    if arguments.finish:
        return told(closeout.finish(found, begun), arguments.json)
    return _taken_back(closeout.roll_back(found, begun), arguments, what)


def undo(found: Workspace, arguments: Namespace) -> int:
    """Takes the last closeout of a task back by a revert commit and a restore of its files."""
    inverse = closeout.undo_of(found, arguments.task)
    if not arguments.json:
        write_lines(undo_lines(inverse, closeout.undo_edits(found, inverse)))
    what = visible(inverse.closeout)
    _ask(arguments, f"take {what} back?")
    code = _taken_back(closeout.undo(found, inverse), arguments, what)
    if not inverse.moves:
        say(f"{visible(inverse.task)} stays archived")
    return code


def _ask(arguments: Namespace, question: str) -> None:
    if not arguments.yes and not agreed(question):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)


def _taken_back(finished: Finished, arguments: Namespace, what: str) -> int:
    code = told(finished, arguments.json)
    say(f"{what} is taken back")
    return code


def told(finished: Finished, json: bool, record: Record | None = None) -> int:
    """Says how a closeout ended, as JSON with what is known of its plan; the audit line is data."""
    for line in finished.ended.output.split("\n") if finished.ended.output else ():
        say(f"git: {visible(line)}")
    for words in (left_words(finished.ended.left), finished.note):
        if words:
            say(words)
    for problem in finished.problems:
        say(f"{problem.id}: {problem.detail}")
    commit = finished.ended.commit
    if json:
        ended = {"commit": commit, "audit": finished.audit, "problems": problems(finished.problems)}
        write_json({**(record or {"schema": SCHEMA}), "task": finished.task, **ended})
    elif finished.audit:
        write_lines([visible(finished.audit)])
    say(f"committed {commit[:7]}" if commit else "there was nothing to commit")
    return REFUSED if finished.problems else DONE
