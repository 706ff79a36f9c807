"""Present the graph: the tasks with what each waits for, as rows of text and role; it asks no clock
and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.graph import Graph, Node, Wait, WaitKind
from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui.line import Line, Pieces, line
from mandrel_tui.ui.present import TURN_ROLES, number, short_names, words
from mandrel_tui.ui.row import Row
from mandrel_tui.ui.symbols import Symbols

READY, WAITING = "ready now", "not ready"
_FLAGS: Mapping[WaitKind, str] = {
    WaitKind.ITSELF: "which is this task",
    WaitKind.ARCHIVED: "which is archived",
    WaitKind.UNKNOWN: "which is no task",
}
_REMEDIES: Mapping[WaitKind, str] = {
    WaitKind.ITSELF: "It can never be over: b in the task frees it of that.",
    WaitKind.ARCHIVED: "It is over already: b in the task frees it of that.",
    WaitKind.UNKNOWN: "Nothing of that name is here: e in the task corrects it, b frees it.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """What a row stands for: a task, or one of the things it waits for."""

    node: Node
    wait: Wait | None = None

    @property
    def opens(self) -> str:
        """The task it opens: the one that is waited for where that is active, else its own."""
        task = self.wait.task if self.wait is not None else None
        return task or self.node.row.name


def places(graph: Graph) -> dict[str, Place]:
    """What each row but the heads stands for, by key, in their order."""
    found: dict[str, Place] = {}
    for node in graph.nodes:
        found[node.row.name] = Place(node)
        for at, wait in enumerate(node.waits):
            found[f"{node.row.name}\0{at}"] = Place(node, wait)
    return found


def graph_rows(graph: Graph, symbols: Symbols) -> Iterator[Row]:
    """The rows: those that are ready now, then the others, each under a head."""
    names = short_names(node.row.name for node in graph.nodes)
    ready = len(graph.ready)
    counts = {READY: ready, WAITING: len(graph.nodes) - ready}
    head = ""
    for key, place in places(graph).items():
        group = READY if place.node.ready else WAITING
        if group != head:
            head = group
            role = "pass" if group == READY else "quiet"
            yield Row(f"\0{group}", ((f"{group} {number(counts[group])}", role),), head=True)
        yield _row(key, place, names, symbols)


def _row(key: str, place: Place, names: Mapping[str, str], symbols: Symbols) -> Row:
    if place.wait is not None:
        return _wait_row(key, place.node, place.wait, names, symbols)
    node = place.node
    mark, role = (symbols.owe, "fail") if any(w.odd for w in node.waits) else (" ", "text")
    name = words(names[node.row.name], symbols)
    many = len(node.waited_by)
    after = f"   {number(many)} wait{'s' if many == 1 else ''} for it" if many else ""
    word = (symbols.owe if node.row.yours else "") + node.row.word
    left = ((f"{mark} ", role), (name, "text"), (after, "quiet"))
    right = ((f"{word} ", TURN_ROLES.get(node.row.word, "text")),)
    return Row(key, left, right, find=f"{node.row.name} {node.row.title}")


def _wait_row(key: str, node: Node, wait: Wait, names: Mapping[str, str], symbols: Symbols) -> Row:
    mark, role = (symbols.owe, "fail") if wait.odd else (symbols.wrapped, "quiet")
    left = ((f"    {mark} ", role), (wait_words(wait, names, symbols), "quiet"))
    return Row(key, left, find=f"{node.row.name} {wait.blocker}")


def wait_words(wait: Wait, names: Mapping[str, str], symbols: Symbols) -> str:
    """`waits for fifo-drain, which waits for it`; `asks: may the server …?`."""
    if wait.kind is WaitKind.EXTERNAL:
        return f"asks: {words(wait.blocker.removeprefix('external:').strip(), symbols)}"
    flag = "which waits for it" if wait.circle else _FLAGS.get(wait.kind, "")
    what = words(names.get(wait.task or "", wait.blocker), symbols)
    return f"waits for {what}" + (f", {flag}" if flag else "")


def graph_title(graph: Graph) -> str:
    """`waits on 7, 2 ready now`."""
    return f"waits on {number(len(graph.nodes))}, {number(len(graph.ready))} ready now"


def graph_end(graph: Graph, symbols: Symbols) -> Pieces:
    """How many blockers can never be over by themselves; empty for none."""
    odd = sum(wait.odd for node in graph.nodes for wait in node.waits)
    said = f"{counted(odd, 'blocker')} to correct"
    return ((f"{symbols.owe} ", "fail"), (said, "quiet")) if odd else ()


def place_lines(place: Place, graph: Graph, symbols: Symbols) -> list[Line]:
    """What is said of the row under the cursor."""
    names = short_names(node.row.name for node in graph.nodes)
    if place.wait is not None:
        return _wait_lines(place.wait, names, symbols)
    node = place.node
    turn = node.row.turn
    said = [line(words(node.row.title or node.row.name, symbols), "text bold")]
    if turn is not None:
        said.append(line(words(turn.reason, symbols)))
    if node.waited_by:
        waiting = ", ".join(words(names[name], symbols) for name in node.waited_by)
        said.append(line(f"It holds up {waiting}.", "quiet"))
    return said


def _wait_lines(wait: Wait, names: Mapping[str, str], symbols: Symbols) -> list[Line]:
    said = [line(wait_words(wait, names, symbols), "text bold")]
    if wait.circle:
        said.append(line("They wait for each other: b in one of them frees it."))
    elif wait.kind in _REMEDIES:
        said.append(line(_REMEDIES[wait.kind]))
    elif wait.kind is WaitKind.EXTERNAL:
        remedy = "Only you know when it is over: a in the task answers, b frees it."
        said.append(line(remedy))
    else:
        said.append(line("It is over when that task is archived, or b says so.", "quiet"))
    return said
