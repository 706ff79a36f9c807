"""What waits on what, and what is ready now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.board import Board, row_of
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.graph import Graph, Node, graph_of, is_ready
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work


def task(name: str, blockers: str = "", **keys: str) -> Task:
    """A pending task, or one that is blocked by what is given."""
    status = keys.pop("status", "blocked" if blockers else "pending")
    data = a_task(id=keys.pop("id", name), status=status, blockers=f"[{blockers}]", **keys)
    return read_task(data, name, f".ai-tasks/{name}.md")


def board(*tasks: Task, archived: tuple[str, ...] = ()) -> Board:
    rows = [row_of(task(name, id=f"id-{name}"), archived=True) for name in archived]
    return build_board(tasks, rows, Surroundings())


def node(graph: Graph, name: str) -> Node:
    return next(node for node in graph.nodes if node.row.name == name)


def test_ready_tasks_come_first_then_those_with_the_fewest_steps_before_them() -> None:
    graph = graph_of(
        board(task("a", "c"), task("b", "external:which?"), task("c", "d, e"), task("d"), task("e"))
    )
    assert [(n.row.name, n.ready, n.steps) for n in graph.nodes] == [
        ("d", True, 0),
        ("e", True, 0),
        ("b", False, 0),
        ("c", False, 1),
        ("a", False, 2),
    ]
    assert [n.row.name for n in graph.ready] == ["d", "e"]
    assert node(graph, "d").waited_by == ("c",)
    assert [(w.blocker, w.kind, w.task) for w in node(graph, "c").waits] == [
        ("d", "task", "d"),
        ("e", "task", "e"),
    ]


def test_odd_blockers_are_told_apart() -> None:
    graph = graph_of(board(task("a", "a, old, id-old, gone, external:why"), archived=("old",)))
    assert [(w.kind, w.odd) for w in node(graph, "a").waits] == [
        ("itself", True),
        ("archived", True),
        ("archived", True),
        ("unknown", True),
        ("external", False),
    ]
    assert node(graph, "a").steps == 0


def test_a_circle_is_flagged_and_what_waits_behind_it_is_not() -> None:
    graph = graph_of(board(task("a", "b"), task("b", "c"), task("c", "b"), task("d")))
    assert {n.row.name: n.circle for n in graph.nodes} == {
        "d": False,
        "a": False,
        "b": True,
        "c": True,
    }
    assert [n.steps for n in graph.nodes] == [0, 1, 1, 1]


def test_a_task_is_known_by_its_id_and_its_name() -> None:
    graph = graph_of(board(task("file", id="2026-id"), task("a", "2026-id, file")))
    assert [w.task for w in node(graph, "a").waits] == ["file", "file"]
    assert node(graph, "file").waited_by == ("a",)


DISPUTE = review(verdict="changes-requested", dispute="the second barrier")


@pytest.mark.parametrize(
    ("entries", "status", "ready"),
    [
        ((), "pending", True),
        ((work(),), "in_progress", True),
        ((work(), review()), "in_progress", True),
        ((work(), DISPUTE), "in_progress", False),
        ((work(), review()), "final_review", False),
        ((work(),), "completed", False),
        ((work(),), "blocked", False),
        ((), "paused", False),
    ],
)
def test_ready_is_what_a_session_can_be_sent_for_now(
    entries: tuple[str, ...], status: str, ready: bool
) -> None:
    data = a_task(*entries, status=status, blockers="[external:x]" if status == "blocked" else "[]")
    (row,) = board(read_task(data, "2026-03-02-a-task", "x")).rows
    assert is_ready(row) is ready


NAMES = st.sampled_from("abcdef")


@given(st.dictionaries(NAMES, st.sets(NAMES, max_size=4)))
def test_every_task_appears_once_and_behind_what_it_waits_for(edges: dict[str, set[str]]) -> None:
    graph = graph_of(board(*(task(name, ", ".join(sorted(by))) for name, by in edges.items())))
    assert sorted(n.row.name for n in graph.nodes) == sorted(edges)
    most = max((n.steps for n in graph.nodes), default=0)
    for found in graph.nodes:
        for wait in found.waits:
            if wait.kind == "task":
                before = node(graph, wait.task or "")
                assert found.row.name in before.waited_by
                assert before.steps < found.steps or (before.steps == found.steps == most)


def test_a_long_chain_costs_no_recursion() -> None:
    count = 3000
    graph = graph_of(
        board(task("t0000"), *(task(f"t{n:04}", f"t{n - 1:04}") for n in range(1, count)))
    )
    assert graph.nodes[-1].steps == count - 1
