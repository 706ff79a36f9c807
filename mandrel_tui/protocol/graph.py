"""Graph: which active task waits for what, and which could be worked on now; changes nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.circles import aliases, circles
from mandrel_tui.protocol.task import EXTERNAL
from mandrel_tui.protocol.turn import TurnKind


class WaitKind(StrEnum):
    """What a blocker is: an active task, the task itself, an archived one, something outside, or
    nothing that is known."""

    TASK = "task"
    ITSELF = "itself"
    ARCHIVED = "archived"
    EXTERNAL = "external"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Wait:
    """One blocker as it is written; `task` is the name of the active task it means, None for any
    other; `circle` says that this task waits back."""

    blocker: str
    kind: WaitKind
    task: str | None = None
    circle: bool = False

    @property
    def odd(self) -> bool:
        """Whether it can never be over by itself: somebody must correct the list."""
        return self.circle or self.kind in (WaitKind.ITSELF, WaitKind.ARCHIVED, WaitKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Node:
    """One active task: what it waits for, who waits for it, and how many steps of waiting lie
    before it; a task in a circle, or behind one, has the most."""

    row: Row
    waits: tuple[Wait, ...]
    waited_by: tuple[str, ...]
    steps: int

    @property
    def ready(self) -> bool:
        return is_ready(self.row)

    @property
    def circle(self) -> bool:
        return any(wait.circle for wait in self.waits)


@dataclass(frozen=True, slots=True)
class Graph:
    """All active tasks: the ready ones first, then by steps and name."""

    nodes: tuple[Node, ...]

    @property
    def ready(self) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.ready)


def is_ready(row: Row) -> bool:
    """Whether a session can go out now: a dev or review turn that waits for nobody, and no session
    of the task is out."""
    turn = row.turn
    sent = (TurnKind.DEV, TurnKind.REVIEW, *((TurnKind.RULING,) if row.ruled else ()))
    out = row.handover is not None and row.handover.out
    return turn is not None and turn.kind in sent and not row.yours and not out


def graph_of(board: Board) -> Graph:
    """The graph of a board's active rows; its archived rows tell which blockers are archived."""
    rows = board.active
    named = aliases(rows)
    archived = {name for row in board.archived for name in (row.name, row.id) if name}
    rings = {name: ring for ring in circles(rows) for name in ring}
    waits = {row.name: tuple(_waits(row, named, archived, rings)) for row in rows}
    waited_by: dict[str, list[str]] = defaultdict(list)
    for name, found in waits.items():
        for task in dict.fromkeys(w.task for w in found if w.kind is WaitKind.TASK and w.task):
            waited_by[task].append(name)
    steps = _steps(waits, waited_by)
    nodes = [
        Node(row, waits[row.name], tuple(waited_by[row.name]), steps[row.name]) for row in rows
    ]
    nodes.sort(key=lambda node: (not node.ready, node.steps, node.row.name))
    return Graph(tuple(nodes))


def _waits(
    row: Row, named: Mapping[str, str], archived: Set[str], rings: Mapping[str, Set[str]]
) -> Iterable[Wait]:
    for blocker in row.blockers:
        task = named.get(blocker)
        if blocker.startswith(EXTERNAL):
            yield Wait(blocker, WaitKind.EXTERNAL)
        elif blocker in (row.name, row.id):
            yield Wait(blocker, WaitKind.ITSELF, row.name)
        elif task is not None:
            yield Wait(blocker, WaitKind.TASK, task, task in rings.get(row.name, ()))
        else:
            kind = WaitKind.ARCHIVED if blocker in archived else WaitKind.UNKNOWN
            yield Wait(blocker, kind)


def _steps(
    waits: Mapping[str, Sequence[Wait]], waited_by: Mapping[str, Sequence[str]]
) -> dict[str, int]:
    """How long the longest chain of tasks before each is; one more than any of these where a chain
    has no beginning."""
    left = {
        name: len({wait.task for wait in found if wait.kind is WaitKind.TASK})
        for name, found in waits.items()
    }
    steps: dict[str, int] = {}
    level, number = [name for name, count in left.items() if count == 0], 0
    while level:
        steps |= dict.fromkeys(level, number)
        freed = []
        for name in (after for done in level for after in waited_by.get(done, ())):
            left[name] -= 1
            if left[name] == 0:
                freed.append(name)
        level, number = freed, number + 1
    return {name: steps.get(name, number) for name in waits}
