"""Looking messages: what screens ask of the app about what waits on what, what was sent and what a
file once said; none acts by itself."""

from __future__ import annotations

from mandrel_tui.ui.messages import Asked


class AskWaits(Asked):
    """Open what waits on what, at a task where one is named."""

    def __init__(self, task: str = "") -> None:
        super().__init__()
        self.task = task


class AskGraph(Asked):
    """Read what waits on what; the answer is a Graph."""


class AskReadyOnly(Asked):
    """Go to the board and show only what is ready now."""
