"""Present a launch: what would be started, with what and why not, as lines of text and role; it
starts nothing and touches no widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.returned import Given
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import number, task_words, words
from mandrel_tui.ui.symbols import Symbols

HERE, WINDOW, PANE, HEADLESS = "here", "window", "pane", "headless"
PLACE_WORDS: Mapping[str, str] = {
    HERE: "here",
    WINDOW: "tmux window",
    PANE: "pane",
    HEADLESS: "headless",
}
PLACE_KEYS: Mapping[str, str] = {HERE: "h", WINDOW: "w", PANE: "p", HEADLESS: "l"}
SAME, FRESH = "same", "fresh"
INTO_WORDS: Mapping[str, str] = {SAME: "the same", FRESH: "a new one"}


@dataclass(frozen=True, slots=True)
class Freight:
    """What is to be launched: the prompt of a `request`, the exact `data` of another text of that
    `kind` that opens a session, or a follow-up of that `kind` into the session `sid` of `task`, by
    default the latest, with the `answer` it carries, or what checks find by what is `given`."""

    task: str
    request: PromptRequest | None = None
    kind: str = ""
    answer: str | None = None
    sid: str = ""
    given: Given = field(default_factory=Given)
    data: bytes | None = None

    @property
    def follows(self) -> bool:
        """Whether it goes into a conversation that exists."""
        return self.request is None and self.data is None


@dataclass(frozen=True, slots=True)
class Course:
    """What was chosen: the agent, the place, and, of a follow-up, into which conversation."""

    agent: str
    place: str
    into: str = SAME


@dataclass(frozen=True, slots=True)
class Outlook:
    """How a course would go: the argument list as it will run, what is asked first, what is only
    said; `fault` says why it cannot go at all."""

    course: Course
    arguments: str = ""
    folder: str = ""
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    fault: str = ""


def launch_title(freight: Freight, symbols: Symbols) -> str:
    """`launch: fifo-drain`; `launch: fifo-drain, proposal`; `send: fifo-drain, violation-fix`."""
    name = task_words(freight.task, symbols)
    what = f", {freight.kind}" if freight.kind else ""
    return f"{'send' if freight.follows else 'launch'}: {name}{what}"


def outlook_lines(outlook: Outlook, symbols: Symbols) -> list[Line]:
    """What a person should see before it goes."""
    if outlook.fault:
        return [line(words(outlook.fault, symbols), "fail")]
    told = [
        line("runs", "quiet"),
        Line(((f"  {words(outlook.arguments, symbols)}", "text"),), (), 4),
        line(f"in {words(outlook.folder, symbols)}", "quiet"),
    ]
    told += [line(f"{symbols.owe} {words(text, symbols)}", "you") for text in outlook.questions]
    told += [line(f"{symbols.mild} {words(text, symbols)}", "quiet") for text in outlook.notes]
    if outlook.left_out:
        names = words(", ".join(outlook.left_out), symbols)
        many = f"{number(len(outlook.left_out))} variables are" if outlook.left_out[1:] else "is"
        said = f"{names} {many} kept from it" if many == "is" else f"{many} kept from it: {names}"
        told.append(line(said, "quiet"))
    return told
