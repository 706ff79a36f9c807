"""Messages: what screens ask of the app, and the values the app gives them; none acts by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from textual.message import Message

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.line import Pieces


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the repository at one moment; None and '' where it is not known yet.

    `place` and `gauge` are ready pieces of the top bar; `watch` says how changes are noticed;
    `reading` is the progress of a reading under way, `read_at` when the board was read.
    """

    name: str
    path: str
    board: Board | None = None
    place: Pieces = ()
    gauge: Pieces = ()
    watch: Pieces = ()
    reading: str = ""
    read_at: datetime | None = None
    changed: frozenset[str] = frozenset()
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one deed: a line with its role, and when."""

    at: datetime
    text: str
    role: str = "text"


@dataclass(frozen=True, slots=True)
class Results:
    """What came of all deeds so far, the latest last."""

    rows: tuple[Result, ...] = field(default=())

    def add(self, result: Result) -> Results:
        """With one more; old ones are forgotten after two hundred."""
        return Results((*self.rows[-199:], result))


class Asked(Message):
    """A screen asks the app for something."""


class AskReload(Asked):
    """Read everything again."""


class AskBoard(Asked):
    """Go to the board; with `owed`, narrowed to the tasks in which the human owes something."""

    def __init__(self, owed: bool = False) -> None:
        super().__init__()
        self.owed = owed


class AskLeave(Asked):
    """Leave the screen that asks; from the lowest one, and only with `quit`, the program."""

    def __init__(self, quit: bool = False) -> None:
        super().__init__()
        self.quit = quit


class AskArchived(Asked):
    """Read the archive too, or no longer."""

    def __init__(self, archived: bool) -> None:
        super().__init__()
        self.archived = archived


class AskReady(Asked):
    """What would be copied for a task; the answer is `take_ready` of the screen that asks."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskTask(Asked):
    """Open a task in full, on a tab of it."""

    def __init__(self, task: str, tab: str = "task") -> None:
        super().__init__()
        self.task = task
        self.tab = tab


class AskPrompt(Asked):
    """Open the prompt of a request."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskSheet(Asked):
    """Assemble a request; the answer is `take_sheet` of the screen that asks."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskCopy(Asked):
    """Re-read the task, assemble the request, copy it; `sure` after a shown difference."""

    def __init__(self, request: PromptRequest, sure: bool = False) -> None:
        super().__init__()
        self.request = request
        self.sure = sure


class AskSave(Asked):
    """As AskCopy, into a file; `over` an existing one only when that was confirmed."""

    def __init__(
        self, request: PromptRequest, path: str, *, over: bool = False, sure: bool = False
    ) -> None:
        super().__init__()
        self.request = request
        self.path = path
        self.over = over
        self.sure = sure


class AskCopyText(Asked):
    """Copy a short exact text; `what` names it."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text = text
        self.what = what


class Say(Asked):
    """Put a line into the result row."""

    def __init__(self, text: str, role: str = "text") -> None:
        super().__init__()
        self.text = text
        self.role = role
