"""Refusals: the two ways in which a request for a prompt or a message ends without one."""

from __future__ import annotations


class Refusal(Exception):
    """A request that is illegal in the task's state; the message is one sentence for stderr."""


class ContractError(Exception):
    """A contract set that cannot be assembled from; `problems` is the list."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
