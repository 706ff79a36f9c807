"""Refusals: the two ways in which a request for a prompt or a message ends without one."""

from __future__ import annotations


class Refusal(Exception):
    """A request that is illegal in the task's state; the message is one sentence for stderr."""


class NoSession(Refusal):
    """There is no session of the task that could be checked; `since` (UTC) is when the one that
    shows nothing yet went out, empty where none is out; `before` is the sid of the session that was
    at work before, empty where none is known."""

    def __init__(self, task: str, since: str = "", before: str = "") -> None:
        unseen = f"not back: no claim and no entry since {since}" if since else ""
        named = f"--sid {before} checks the one before" if before else "name one (--sid)"
        super().__init__(f"{task}: {unseen or 'no session is known'}; {named}")
        self.since, self.before = since, before


class ContractError(Exception):
    """A contract set that cannot be assembled from; `problems` is the list."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
