"""Reading: `board`, `show` and `next`; they only look, and end well whatever they see."""

from __future__ import annotations

from argparse import Namespace

from mandrel_tui.commands import records, text
from mandrel_tui.commands.failure import DONE
from mandrel_tui.commands.output import columns, write_json, write_lines
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.protocol.board import Row, row_of
from mandrel_tui.protocol.reading import unreadable_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.files import NotRead
from mandrel_tui.workspace.roots import ARCHIVE
from mandrel_tui.workspace.workspace import Workspace


def run_board(arguments: Namespace) -> int:
    """Lists the tasks, those of one group when it is named."""
    found = workspace(arguments)
    board = found.board(archived=arguments.archived)
    rows = [row for row in board.rows if arguments.status in (None, row.group)]
    if arguments.json:
        write_json([records.row_record(row) for row in rows])
    else:
        write_lines(text.board_lines(found.root, rows, board.notes, columns()))
    return DONE


def run_next(arguments: Namespace) -> int:
    """Says the turn of one task, or of all that are active."""
    found = workspace(arguments)
    if arguments.task is None:
        rows = found.board().active
        if arguments.json:
            write_json([records.turn_record(row, row.turn) for row in rows if row.turn])
        else:
            write_lines(text.turns_lines(found.root, rows, columns()))
        return DONE
    row, _ = _one(found, arguments.task)
    if arguments.json:
        write_json(records.turn_record(row, row.turn))
    else:
        write_lines(text.turn_lines(row))
    return DONE


def run_show(arguments: Namespace) -> int:
    """Shows one task, active or archived, as it is parsed."""
    found = workspace(arguments)
    row, task = _one(found, arguments.task)
    if arguments.json:
        write_json(records.task_record(row, task))
    else:
        write_lines(text.task_lines(row, task))
    return DONE


def _one(found: Workspace, name: str) -> tuple[Row, Task]:
    """A task with its row on the board, which carries what comparing the files found too."""
    row = found.board().find(name)
    if row is not None and row.task is not None:
        return row, row.task
    with failures():
        task = _archived(found, name)
    archived = (r for r in found.board(archived=True).archived if r.name == name)
    return next(archived, row_of(task, archived=True)), task


def _archived(found: Workspace, name: str) -> Task:
    """The archived task; one whose file cannot be read says so itself."""
    try:
        return found.task(name)
    except NotRead as error:
        return unreadable_task(name, f"{ARCHIVE}/{name}.md", error.reason)
