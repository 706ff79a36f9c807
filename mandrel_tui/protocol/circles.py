"""Circles: tasks that wait for each other, found in the blockers of active tasks; judges none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol


class Waiting(Protocol):
    """What is known of a task: a row of the board or the task itself."""

    @property
    def name(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def blockers(self) -> tuple[str, ...]: ...


def aliases(tasks: Iterable[Waiting]) -> dict[str, str]:
    """The name of the task that each id or name means; a name is stronger than an id."""
    known = tuple(tasks)
    return {task.id: task.name for task in known if task.id} | {t.name: t.name for t in known}


def in_circles(tasks: Sequence[Waiting]) -> frozenset[str]:
    """Names of tasks that are part of a circle of at least two."""
    return frozenset(name for circle in circles(tasks) for name in circle)


def circles(tasks: Sequence[Waiting]) -> tuple[frozenset[str], ...]:
    """The groups of at least two tasks in which each waits, over others or not, for each other."""
    named = aliases(tasks)
    waits = {
        t.name: {named[b] for b in t.blockers if b in named} - {t.name} for t in tasks if t.blockers
    }
    return tuple(frozenset(part) for part in _components(waits) if len(part) > 1)


def _components(edges: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected components of a graph: two depth-first walks, the second against the
    edges in the reverse order of the first."""
    reverse: dict[str, set[str]] = defaultdict(set)
    for node, ends in edges.items():
        for end in ends:
            reverse[end].add(node)
    order = list(_finished(edges, edges, set()))
    placed: set[str] = set()
    for node in reversed(order):
        if node not in placed:
            yield list(_finished((node,), reverse, placed))


def _finished(roots: Iterable[str], edges: Mapping[str, set[str]], seen: set[str]) -> Iterator[str]:
    """Nodes reachable from the roots and not yet seen, each after all it leads to."""
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges.get(root, ())))]
        while stack:
            node, ends = stack[-1]
            fresh = next((end for end in ends if end not in seen), None)
            if fresh is None:
                stack.pop()
                yield node
            else:
                seen.add(fresh)
                stack.append((fresh, iter(edges.get(fresh, ()))))
