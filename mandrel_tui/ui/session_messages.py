"""Session messages: what screens ask of the app about sessions that went out and came back; none
acts by itself."""

from __future__ import annotations

from mandrel_tui.ui import present_checks as checks
from mandrel_tui.ui.messages import Asked
from mandrel_tui.ui.present_launch import Freight


class AskCheck(Asked):
    """Open the checks of the latest session of a task."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskFindings(Asked):
    """Check a session; the answers are Findings, first what the file tells, then all of it."""

    def __init__(self, asked: checks.Asked) -> None:
        super().__init__()
        self.asked = asked


class AskFollow(Asked):
    """Check a session again and copy the follow-up that asks to mend what failed."""

    def __init__(self, asked: checks.Asked) -> None:
        super().__init__()
        self.asked = asked


class AskDecide(Asked):
    """Write what a task's state asks the human for: an answer or a ruling; with `kind`, a message
    of that kind into its open session."""

    def __init__(self, task: str, kind: str = "") -> None:
        super().__init__()
        self.task = task
        self.kind = kind


class AskUnused(Asked):
    """Say that what was copied or saved last was not used: nobody is out with it."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskPrinted(Asked):
    """Show what the agent of the latest session printed."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskLaunch(Asked):
    """Choose agent and place for a prompt, or a message into an open session, and launch it."""

    def __init__(self, freight: Freight) -> None:
        super().__init__()
        self.freight = freight
