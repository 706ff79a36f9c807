"""Desk messages: what the screens of closing out and curating ask of the app; none acts by
itself."""

from __future__ import annotations

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui.messages import Asked


class AskCloseOut(Asked):
    """Open the closeout of a task."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskCurate(Asked):
    """Open the curation of a file, which the person names where `path` is empty."""

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path


class Decided(Asked):
    """Something was decided: keep it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk


class AskStep(Asked):
    """Go to another step of what is under way."""

    def __init__(self, step: str) -> None:
        super().__init__()
        self.step = step


class AskRequest(Asked):
    """Copy the request for a proposal, or choose who is launched with it."""

    def __init__(self, launch: bool = False) -> None:
        super().__init__()
        self.launch = launch


class AskTake(Asked):
    """Take a proposal in; without a source, the person chooses one."""

    def __init__(self, source: Source | None = None) -> None:
        super().__init__()
        self.source = source


class AskPlan(Asked):
    """Plan the closeout with what is decided; the answer is a PlanSheet."""


class AskApply(Asked):
    """Carry the plan out as it was shown, or go on with one that stopped."""


class AskVerify(Asked):
    """Look what holds of the closeout of a task; the answer is Verified."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskUndoCloseout(Asked):
    """Show what would take the closeout of a task back, and do it after a yes."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskCloseoutFollow(Asked):
    """Copy the message that asks the session to complete its closeout."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskRecover(Asked):
    """Finish the interrupted closeout that is shown, or take it back."""

    def __init__(self, task: str, finish: bool) -> None:
        super().__init__()
        self.task = task
        self.finish = finish


class AskWrite(Asked):
    """Write the curated file as it is shown."""
