"""Looking messages: what screens ask of the app about what waits on what, what was sent and what a
file once said; none acts by itself."""

from __future__ import annotations

from mandrel_tui.protocol.handover import Handover
from mandrel_tui.ui.messages import Asked
from mandrel_tui.ui.present_history import History, Seen


class AskWaits(Asked):
    """Open what waits on what, at a task where one is named."""

    def __init__(self, task: str = "") -> None:
        super().__init__()
        self.task = task


class AskGraph(Asked):
    """Read what waits on what; the answer is a Graph."""


class AskReadyOnly(Asked):
    """Go to the board and show only what is ready now."""


class AskReceipts(Asked):
    """Open the receipts of a task, of every task where none is named."""

    def __init__(self, task: str = "") -> None:
        super().__init__()
        self.task = task


class AskReceiptList(Asked):
    """Read the receipts of a task, or of every task; the answer is Receipts."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskProof(Asked):
    """Compute the digest of what was handed over again; the answer is a Proof."""

    def __init__(self, handover: Handover) -> None:
        super().__init__()
        self.handover = handover


class AskBytes(Asked):
    """Show the exact bytes of what was handed over, under that name."""

    def __init__(self, handover: Handover, name: str) -> None:
        super().__init__()
        self.handover = handover
        self.name = name


class AskCompare(Asked):
    """Show where two texts that were handed over part; `other` None is what would be assembled
    now."""

    def __init__(self, handover: Handover, other: Handover | None) -> None:
        super().__init__()
        self.handover = handover
        self.other = other


class AskHistory(Asked):
    """Read the versions of a task file that were seen; the answer is a History."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskVersion(Asked):
    """Show how a version differs from an earlier one, None for the first."""

    def __init__(self, history: History, old: Seen | None, new: Seen) -> None:
        super().__init__()
        self.history = history
        self.old = old
        self.new = new


class AskAccept(Asked):
    """Take a log that was rewritten as it is in that version."""

    def __init__(self, task: str, version: Seen) -> None:
        super().__init__()
        self.task = task
        self.version = version


class AskRestore(Asked):
    """Put a version of a task file back, once its difference was shown and agreed to."""

    def __init__(self, task: str, version: Seen) -> None:
        super().__init__()
        self.task = task
        self.version = version
