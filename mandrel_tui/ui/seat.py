"""Seat: what every part of the app stands on: settings, clock, symbols, keys, the workspace, and
the ways down to the screens; it reads and decides nothing."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from textual.app import App
from textual.worker import Worker, WorkerState

from mandrel_tui import settings as configuration
from mandrel_tui.ui import symbols, theme
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import keymap
from mandrel_tui.ui.messages import Facts, Result, Results
from mandrel_tui.ui.reader import Reader
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

Fact = TypeVar("Fact")


def here() -> datetime:
    """Now, in the zone of the person."""
    return datetime.now().astimezone()


async def off(job: Callable[..., Fact], *arguments: Any, **named: Any) -> Fact:
    """The job's fact, the job done off the event loop."""
    return await asyncio.to_thread(partial(job, *arguments, **named))


class Seat(App[int], inherit_bindings=False):
    """The state of the app and its ways down to the screens."""

    def __init__(
        self,
        start: Path,
        *,
        explicit: bool = False,
        settings: configuration.Settings | None = None,
        clock: Callable[[], datetime] = here,
    ) -> None:
        """`explicit` takes `start` itself for the root; `clock` gives an aware time."""
        self.colourless = theme.no_colour(os.environ)
        # None asks the theme; False would change the terminal's own colours of an ANSI one.
        super().__init__(ansi_color=True if self.colourless else None)
        self.start, self.explicit = start, explicit
        self.settings = settings or configuration.load()
        self.clock = clock
        self.symbols = symbols.choose(self.settings.symbols, os.environ, sys.platform)
        self.keys = keymap(self.settings.keys, self.settings.layout, self.settings.source)
        self.workspace: Workspace | None = None
        self.reader: Reader | None = None
        self.facts = Facts(start.name, shown(start))
        self.results = Results()
        self.sids: dict[str, str] = {}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return theme.variable_defaults()

    def work(
        self, group: str, doing: Callable[..., Awaitable[None]], *arguments: Any, only: bool = False
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

    def frames(self) -> Iterator[Frame]:
        """The screens that take facts, from below."""
        yield from (screen for screen in self.screen_stack if isinstance(screen, Frame))

    def result(self, text: str, role: str = "text") -> None:
        """Tell what came of a deed."""
        made = Result(self.clock(), text, role)
        self.results = self.results.add(made)
        for screen in self.frames():
            screen.take_result(made)

    def tell(self, facts: Facts) -> None:
        """Give all screens new facts."""
        self.facts = facts
        for screen in self.frames():
            screen.take(facts)

    async def show_board(self) -> BoardScreen:
        """The board, all above it closed."""
        for screen in self.screen_stack:
            if isinstance(screen, BoardScreen):
                while self.screen is not screen:
                    await self.pop_screen()
                return screen
        board = BoardScreen(self.facts)
        await self.replace_all(board)
        return board

    async def replace_all(self, screen: Frame) -> None:
        """One screen instead of all there are."""
        while len(self.screen_stack) > 2:
            await self.pop_screen()
        if len(self.screen_stack) == 2:
            await self.switch_screen(screen)
        else:
            await self.push_screen(screen)
