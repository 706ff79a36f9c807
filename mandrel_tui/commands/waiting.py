"""Waiting: `graph`; what waits on what, and what a session could be sent for now."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from mandrel_tui.commands.failure import DONE
from mandrel_tui.commands.output import painted, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA
from mandrel_tui.commands.repository import workspace
from mandrel_tui.protocol.graph import Graph, Node, Wait, WaitKind
from mandrel_tui.workspace import triage
from mandrel_tui.workspace.visible import visible

_FLAGS = {
    WaitKind.ITSELF: "which is this task",
    WaitKind.ARCHIVED: "which is archived",
    WaitKind.UNKNOWN: "which is no task",
}


def run_graph(arguments: Namespace) -> int:
    """Lists the active tasks, the ready ones first, each with what it waits for."""
    graph = triage.graph(workspace(arguments))
    if arguments.json:
        write_json([_record(node) for node in graph.nodes])
    else:
        write_lines(_lines(graph))
    return DONE


def _record(node: Node) -> dict[str, Any]:
    turn = node.row.turn
    return {
        "schema": SCHEMA,
        "task": node.row.name,
        "status": node.row.status,
        "title": node.row.title,
        "turn": turn and turn.kind,
        "ready": node.ready,
        "steps": node.steps,
        "waits_for": [
            {"blocker": w.blocker, "kind": w.kind, "task": w.task, "circle": w.circle}
            for w in node.waits
        ],
        "waited_by": node.waited_by,
    }


def _lines(graph: Graph) -> Iterator[str]:
    waiting = len(graph.nodes) - len(graph.ready)
    yield f"{len(graph.ready)} ready now, {waiting} not"
    for node in graph.nodes:
        word = painted("ready", "pass") if node.ready else "     "
        yield f"{word} {visible(node.row.name)}  {node.row.word}"
        yield from (_wait_line(wait) for wait in node.waits)


def _wait_line(wait: Wait) -> str:
    if wait.kind is WaitKind.EXTERNAL:
        return f"{'':8}asks: {visible(wait.blocker.removeprefix('external:').strip())}"
    flag = "which waits for it" if wait.circle else _FLAGS.get(wait.kind, "")
    mark = painted("!", "fail") if wait.odd else " "
    line = f"{'':6}{mark} waits for {visible(wait.blocker)}"
    return f"{line}, {flag}" if flag else line
