"""Seat: what every part of the app stands on: settings, clock, symbols, keys, the workspace, and
the ways down to the screens; it reads and decides nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from textual import events
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from mandrel_tui import settings as configuration
from mandrel_tui.ui import symbols, theme
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import keymap
from mandrel_tui.ui.keystrokes import Keystrokes
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.messages import Facts, Result, Results
from mandrel_tui.ui.reader import Reader
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.inbox import InboxScreen
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.overlay import Overlay
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

Fact = TypeVar("Fact")
MODES: Mapping[str, type[Frame]] = {"board": BoardScreen, "inbox": InboxScreen}
BETWEEN = "between"  # the mode in sight while the others are made anew


def here() -> datetime:
    """Now, in the zone of the person."""
    return datetime.now().astimezone()


async def off(job: Callable[..., Fact], *arguments: Any, **named: Any) -> Fact:
    """The job's fact, the job done off the event loop."""
    return await asyncio.to_thread(partial(job, *arguments, **named))


class Seat(Keystrokes, inherit_bindings=False):
    """The state of the app and its ways down to the screens."""

    AWAITED = frozenset({"sheet"})  # a prompt that is not assembled yet refuses to be saved

    def __init__(
        self,
        start: Path,
        *,
        explicit: bool = False,
        settings: configuration.Settings | None = None,
        clock: Callable[[], datetime] = here,
        curate: Path | None = None,
    ) -> None:
        """`explicit` takes `start` itself for the root; `clock` gives an aware time; `curate` is a
        file to be opened above all."""
        self.colourless = theme.no_colour(os.environ)
        # None asks the theme; False would change the terminal's own colours of an ANSI one.
        super().__init__(ansi_color=True if self.colourless else None)
        self.start, self.explicit = start, explicit
        self.curate = curate
        self.settings = settings or configuration.load()
        self.clock = clock
        self.symbols = symbols.choose(self.settings.symbols, os.environ, sys.platform)
        self.keys = keymap(self.settings.keys, self.settings.layout, self.settings.source)
        self.workspace: Workspace | None = None
        self.reader: Reader | None = None
        self.facts = Facts(start.name, shown(start))
        self.results = Results()
        self.unread: Result | None = None
        self.sids: dict[str, str] = {}

    @property
    def blind(self) -> bool:
        """Before the first screen, and while the board is first read: the cursor has no row."""
        if not self.screen_stack:
            return False
        if isinstance(self.screen, BoardScreen | InboxScreen):
            return self.facts.board is None and bool(self.facts.reading)
        return not isinstance(self.screen, Frame | Overlay)

    @property
    def meant(self) -> bool:
        return bool(self.screen_stack) and isinstance(self.screen, BoardScreen)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self.unread = None
        await super().on_event(event)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return theme.variable_defaults()

    def work(
        self, group: str, doing: Callable[..., Awaitable[Any]], *arguments: Any, only: bool = False
    ) -> None:
        """Start a deed that nothing waits for; with `only` an earlier one of its group is
        dropped."""
        self.run_worker(
            partial(doing, *arguments), group=group, exclusive=only, exit_on_error=False
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A deed that failed is a line in the result row, never the end of the program."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.result(f"{type(error).__name__}: {error}", "fail")

    def _handle_exception(self, error: Exception) -> None:
        """Once the program leaves, Textual mounts nothing more: that a screen then misses its
        widgets is no fault, and must not replace the exit code."""
        if not (self._exit and isinstance(error, NoMatches)):
            super()._handle_exception(error)

    def frames(self) -> Iterator[Frame]:
        """The screens that take facts, from below, those of the mode in sight last."""
        hidden = (stack for mode, stack in self._screen_stacks.items() if mode != self.current_mode)
        for stack in (*hidden, self.screen_stack):
            yield from (screen for screen in stack if isinstance(screen, Frame))

    @property
    def lowest(self) -> bool:
        """Whether nothing stands above the list of the mode in sight, or the first screen."""
        below = 1 if self.current_mode in MODES else 2
        return len(self.screen_stack) <= below

    async def agreed(self, title: str, said: Sequence[Line], yes: str) -> bool:
        """Whether the person says yes to a question; leaving it is the safe answer."""
        choices = (Choice("no", "Leave it", "n"), Choice("yes", yes, "y"))
        return await self.push_screen_wait(Question(title, said, choices, "no")) == "yes"

    def result(self, text: str, role: str = "text") -> None:
        """Tell what came of a deed, to screens that are yet to come too, until a key is pressed."""
        self.unread = made = Result(self.clock(), text, role)
        self.results = self.results.add(made)
        for screen in self.frames():
            screen.take_result(made)

    def tell(self, facts: Facts) -> None:
        """Give all screens new facts."""
        self.facts = facts
        for screen in self.frames():
            screen.take(facts)

    def teach(self, value: object) -> None:
        """Give all screens a value that one of them asked for."""
        for screen in self.frames():
            screen.learn(value)

    async def begin_modes(self) -> None:
        """Show the board of what is open now, no screen of anything else left in any mode."""
        if self.current_mode in MODES:
            self.add_mode(BETWEEN, Screen)
            await self.switch_mode(BETWEEN)
        for mode, screen in MODES.items():
            if mode in self._modes:
                await self.remove_mode(mode)
            self.add_mode(mode, partial(self._first, screen))
        await self.switch_mode("board")
        if BETWEEN in self._modes:
            await self.remove_mode(BETWEEN)

    def _first(self, screen: type[Frame]) -> Frame:
        return screen(self.facts)

    async def show_mode(self, mode: str) -> Frame:
        """The list of a mode. Another mode comes back as it was left; in the mode in sight all
        above the list is closed."""
        if mode != self.current_mode:
            await self.switch_mode(mode)
        else:
            while not self.lowest:
                await self.pop_screen()
        first = self.screen_stack[0]
        assert isinstance(first, Frame)
        return first

    async def replace_all(self, screen: Frame) -> None:
        """One screen instead of all there are, before there are modes."""
        while len(self.screen_stack) > 2:
            await self.pop_screen()
        if len(self.screen_stack) == 2:
            await self.switch_screen(screen)
        else:
            await self.push_screen(screen)
