"""Launch: the dialog in which agent and place are chosen and what will run is seen; it starts
nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer

from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.line import Line, Pieces, line, size, trim
from mandrel_tui.ui.present_launch import INTO_WORDS, PLACE_KEYS, SAME, Course
from mandrel_tui.ui.widgets.choices import OneOf
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import Called
from mandrel_tui.ui.widgets.lines import Lines

SECOND = 1.0


class Taken(OneOf, inherit_bindings=False):
    """A choice that leaves Enter to the dialog."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right,space", "step(1)", show=False),
    ]


class Place(Taken, inherit_bindings=False):
    """`[h here]  w tmux window  l headless`; a letter chooses at once, the arrows stop at the
    ends."""

    BINDINGS: ClassVar[list[BindingType]] = Taken.BINDINGS

    def row(self, width: int) -> Pieces:
        strong = "accent bold" if self.has_focus else "text bold"
        pieces: list[tuple[str, str]] = []
        for option in self.one_options:
            named = f"{PLACE_KEYS[option]} {self.one_names.get(option, option)}"
            here = option == self.one_value
            pieces.append((f"[{named}]" if here else named, strong if here else "quiet"))
            pieces.append(("  ", "text"))
        kept = trim(pieces[:-1], width, self.symbols.ellipsis)
        return (*kept, (" " * max(width - size(kept), 0), "text"))

    def action_step(self, step: int) -> None:
        at = self.one_options.index(self.one_value) + step
        if 0 <= at < len(self.one_options):
            self.take(self.one_options[at])

    def take(self, option: str) -> None:
        """Choose an option; one that is not there is left."""
        if option in self.one_options and option != self.one_value:
            self.one_value = option
            self.refresh()
            self.post_message(self.Changed())


class Launch(Dialog[bool]):
    """Choices, and below them what they come to. Enter asks for it; whoever opened it says when it
    is under way, and closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "give", show=False),
        Binding("ctrl+o", "give", show=False, id="text.ok"),
    ]
    SCROLLS = "#outlook"
    DEFAULT_CSS = """
    Launch Horizontal { height: 1; }
    Launch .label { width: 14; height: 1; }
    """

    class Chosen(Message):
        """Another course was chosen: what would it come to?"""

        def __init__(self, launch: Launch, course: Course) -> None:
            super().__init__()
            self.launch = launch
            self.course = course

    class Asked(Message):
        """The course that is shown is wanted; no kind of `Chosen`, whose handler would hear it."""

        def __init__(self, launch: Launch) -> None:
            super().__init__()
            self.launch = launch

    def __init__(
        self,
        title: str,
        agents: Sequence[str],
        places: Mapping[str, str],
        course: Course,
        *,
        follows: bool = False,
    ) -> None:
        """`places` are the words for the places there are; with `follows` it is asked into which
        conversation it goes."""
        super().__init__(title)
        self.launch_agents = tuple(agents)
        self.launch_places = dict(places)
        self.launch_follows = follows
        self.launch_first = course
        self.launch_ready = False
        self.launch_busy = ""
        self._launch_seconds = 0
        self._launch_timer: Timer | None = None

    @property
    def beside(self) -> int:
        return 3 + self.launch_follows

    def body(self) -> ComposeResult:
        first = self.launch_first
        yield from self._row("agent", Taken(self.launch_agents, first.agent, {}), "agent")
        places = tuple(self.launch_places)
        yield from self._row("place", Place(places, first.place, self.launch_places), "place")
        if self.launch_follows:
            into = Taken(tuple(INTO_WORDS), first.into, INTO_WORDS)
            yield from self._row("conversation", into, "into")
        yield Lines(id="outlook")
        yield Lines(id="keys")

    def _row(self, label: str, choice: OneOf, id: str) -> Iterable[Horizontal]:
        choice.id = id
        yield Horizontal(Lines([line(label, "quiet")], classes="label"), choice)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#place", OneOf).focus()
        self._ask()

    @property
    def course(self) -> Course:
        """What is chosen now."""
        into = self.query_one("#into", OneOf).one_value if self.launch_follows else SAME
        agent, place = (self.query_one(f"#{name}", OneOf).one_value for name in ("agent", "place"))
        return Course(agent, place, into)

    @on(OneOf.Changed)
    def _changed(self, event: OneOf.Changed) -> None:
        event.stop()
        self._ask()

    def _ask(self) -> None:
        self.launch_ready = False
        self.busy("looking")
        self.post_message(self.Chosen(self, self.course))

    def show(self, lines: Iterable[Line], *, ready: bool) -> None:
        """What the course comes to; `ready` says whether it can go."""
        self.launch_ready = ready
        self.busy("")
        self.query_one("#outlook", Lines).set_lines(lines)
        self.fit()

    def busy(self, doing: str) -> None:
        """Say what is under way, and for how long; empty when nothing is."""
        self.launch_busy, self._launch_seconds = doing, 0
        if self._launch_timer is not None:
            self._launch_timer.stop()
            self._launch_timer = None
        if doing:
            self._launch_timer = self.set_interval(SECOND, self._beat)
        self._tell()

    def _beat(self) -> None:
        self._launch_seconds += 1
        self._tell()

    @property
    def _verb(self) -> str:
        """What ctrl+o does now."""
        if not self.launch_ready and not self.launch_busy:
            return "look again"
        return "send" if self.launch_follows else "launch"

    def _tell(self) -> None:
        keys = (
            ("Enter", "off" if self.launch_busy else "accent bold"),
            (f" {self._verb}   ", "quiet"),
            ("Tab", "accent bold"),
            (" next   ", "quiet"),
            ("Esc", "accent bold"),
            (" back", "quiet"),
        )
        seconds = f", {self._launch_seconds} s" if self._launch_seconds else ""
        busy = ((f"{self.launch_busy}{seconds}", "quiet"),) if self.launch_busy else ()
        self.query_one("#keys", Lines).set_lines([Line(keys, busy)])

    def letters(self) -> Iterable[Key]:
        return (
            Key("", PLACE_KEYS[place], said, keys=PLACE_KEYS[place])
            for place, said in self.launch_places.items()
        )

    def on_key(self, event: events.Key) -> None:
        """A letter chooses a place, whatever has the focus."""
        place = next((p for p, key in PLACE_KEYS.items() if key == event.character), "")
        if place:
            event.stop()
            self.query_one("#place", Place).take(place)

    def called(self) -> Called:
        return {"text.ok": (self._verb, "")}

    def action_give(self) -> None:
        """Ask for the course, once it can go; look again where it cannot."""
        if self.launch_busy:
            return
        if self.launch_ready:
            self.post_message(self.Asked(self))
        else:
            self._ask()

    def action_leave(self) -> None:
        if not self.launch_busy or not self.launch_ready:
            self.dismiss(False)
