"""Gate messages: what screens ask of the app about plans; none acts by itself."""

from __future__ import annotations

from mandrel_tui.ui.messages import Asked


class AskGate(Asked):
    """Open the plan gate of a task."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskReply(AskGate):
    """Take in a reply of the plan session."""


class AskFeedback(AskGate):
    """Write feedback to the last reply, and hand it out."""


class AskApprove(AskGate):
    """Approve the plan as it stands."""


class AskWithdraw(AskGate):
    """Take an approval back, or feedback to which no reply came."""


class AskAgain(AskGate):
    """Copy the message of this round once more."""
