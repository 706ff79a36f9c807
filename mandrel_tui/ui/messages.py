"""Messages: what screens ask of the app, and the values the app gives them; none acts by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from textual.message import Message

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.inbox import Item
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.line import Pieces


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the repository at one moment; None and '' where it is not known yet.

    `items` is the inbox of the board.
    `tree` and `gauge` are ready pieces of the top bar with tips beside them; `watch` says how
    changes are noticed; `reading` is the progress of a reading under way; `changed` maps the tasks
    that changed since the start to when it was noticed; `last` is the task used last time.
    """

    name: str
    path: str
    board: Board | None = None
    items: tuple[Item, ...] = ()
    tree: Pieces = ()
    tree_tip: str = ""
    gauge: Pieces = ()
    gauge_tip: str = ""
    watch: Pieces = ()
    reading: str = ""
    changed: Mapping[str, datetime] = field(default_factory=dict)
    last: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one deed: a line with its role, and when."""

    at: datetime
    text: str
    role: str = "text"


@dataclass(frozen=True, slots=True)
class Results:
    """What came of all deeds so far, the latest last."""

    rows: tuple[Result, ...] = ()

    def add(self, result: Result) -> Results:
        """With one more; old ones are forgotten after two hundred."""
        return Results((*self.rows[-199:], result))


@dataclass(frozen=True, slots=True)
class Offer:
    """A store elsewhere that could be meant: its path and what is in it."""

    path: str
    words: str


@dataclass(frozen=True, slots=True)
class Place:
    """A folder without tasks: what was looked for and what was found, each with a few words; the
    stores that could be meant; the memory files that can be curated; `fault` says why nothing can
    be set up here."""

    path: str
    looked: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    note: str = ""
    offers: tuple[Offer, ...] = ()
    memory: tuple[str, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What setting up would write: `files` and `loaders` as (path, words) and the text of each
    change; `refusal` says why nothing would be written."""

    files: tuple[tuple[str, str], ...] = ()
    loaders: tuple[tuple[str, str], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    refusal: str = ""


class Asked(Message):
    """A screen asks the app for something."""


class AskReload(Asked):
    """Read everything again."""


class AskMode(Asked):
    """Go to a mode, `board` or `inbox`; from a screen of that mode, to its list."""

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode


class AskNotes(Asked):
    """Go to what the board says of no one task."""


class AskSettle(Asked):
    """Open the screen that settles an item of the inbox."""

    def __init__(self, item: Item) -> None:
        super().__init__()
        self.item = item


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
    """What would be copied for a task; the answer is `take_ready` of the screens."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskTask(Asked):
    """Open a task in full, on a tab of it, with `line` on that line of its file."""

    def __init__(self, task: str, tab: str = "task", line: int | None = None) -> None:
        super().__init__()
        self.task = task
        self.tab = tab
        self.line = line


class AskPrompt(Asked):
    """Open the prompt of a request."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskSheet(Asked):
    """Assemble a request; the answer is `take_sheet` of the screens."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskCopy(Asked):
    """Re-read the task, assemble the request, copy it."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskSave(Asked):
    """As AskCopy, into a file the person names."""

    def __init__(self, request: PromptRequest) -> None:
        super().__init__()
        self.request = request


class AskCopyText(Asked):
    """Copy a short exact text; `what` names it."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text = text
        self.what = what


class AskRead(Asked):
    """Read one task now, archived ones too; the answer is `take_task` of the screens."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class Used(Asked):
    """A task was used: the next start begins with it."""

    def __init__(self, task: str) -> None:
        super().__init__()
        self.task = task


class AskLook(Asked):
    """Look again whether there are tasks."""


class AskFolder(Asked):
    """Open another folder, which the person names, or the one of an offer."""

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path


class AskSample(Asked):
    """Make the sample repository in a scratch folder and open it."""


class AskSetUp(Asked):
    """Plan setting up Mandrel here; the answer is `take_planned`. With `write`, do it."""

    def __init__(self, write: bool = False, loader: bool = False) -> None:
        super().__init__()
        self.write = write
        self.loader = loader


class AskEditor(Asked):
    """Write a text in the person's editor, under a file name; `take` gets it back, `fail` the line
    that says why it did not come to that."""

    def __init__(
        self,
        text: str,
        file: str,
        take: Callable[[str], None],
        fail: Callable[[str], None] = lambda said: None,
    ) -> None:
        super().__init__()
        self.text = text
        self.file = file
        self.take = take
        self.fail = fail


class Say(Asked):
    """Put a line into the result row."""

    def __init__(self, text: str, role: str = "text") -> None:
        super().__init__()
        self.text = text
        self.role = role
