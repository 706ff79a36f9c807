"""MandrelApp: the only holder of a workspace; it owns the reader and the workers, and turns what
they learn into facts for the screens."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from mandrel_tui import settings as configuration
from mandrel_tui.launchers import faults_of
from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.tree import TreeKind
from mandrel_tui.resources import bundled
from mandrel_tui.ui import jobs, theme
from mandrel_tui.ui.answers import Answers
from mandrel_tui.ui.checking import Checking
from mandrel_tui.ui.closing import Closing
from mandrel_tui.ui.deciding import Deciding
from mandrel_tui.ui.founding import Founding
from mandrel_tui.ui.launching import Launching
from mandrel_tui.ui.looking import Looking
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.owing import Owing
from mandrel_tui.ui.planning import Planning
from mandrel_tui.ui.present_session import back_sentence, came_back
from mandrel_tui.ui.present_top import gauge_pieces, tree_pieces, watching_pieces
from mandrel_tui.ui.reader import Reader, Told
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triaging import Triaging
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

TICK = 20.0  # seconds after which ages are drawn again


LEAVING = 15.0  # seconds that leaving may take; a step of a closeout that is cut short is recovered


def end_within(seconds: float, code: int) -> None:
    """End the process with this exit code by then, whatever its threads wait for."""
    last = threading.Timer(seconds, os._exit, (code,))
    last.daemon = True
    last.start()


class MandrelApp(
    Answers,
    Checking,
    Launching,
    Planning,
    Deciding,
    Looking,
    Triaging,
    Owing,
    Closing,
    Founding,
    inherit_bindings=False,
):
    """The terminal seat of one repository."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False),
        Binding("ctrl+z", "suspend", show=False),
    ]

    # Life.

    def on_load(self) -> None:
        self._obey_signals()  # before the terminal is taken

    def on_mount(self) -> None:
        faults = [*self.settings.faults, *self.keys.faults]
        faults += theme.register(self, configuration.folder() / "themes")
        self._dress(faults)
        self.set_keymap(self.keys.overrides)
        self.set_interval(TICK, self._tick)
        self.work("settings", self._tell_faults, faults)
        self.work("look", self._begin)

    async def _begin(self) -> None:
        await self.look(self.start, self.explicit)
        if self.curate is not None:
            await self.open_file(str(self.curate))

    async def _tell_faults(self, faults: list[str]) -> None:
        """Tell each fault of the settings, and where all of them stand: the row shows one, cut."""
        faults += await off(faults_of, self.settings)
        for fault in faults:
            self.result(fault, "you")
        if faults:
            lists = "lists them" if len(faults) > 1 else "shows it"
            said = f"{counted(len(faults), 'fault')} in the settings, g l {lists}"
            self.result(f"{said}: {faults[0]}", "you")

    def _dress(self, faults: list[str]) -> None:
        """Put on the theme; an unknown one is a fault and leaves the default."""
        wanted = "ansi" if self.colourless else theme.choose(self.settings.theme, os.environ)
        if wanted not in self.available_themes:
            known = ", ".join(sorted(theme.shipped()))
            faults.append(f"{self.settings.source}theme: there is no {wanted!r}; there are {known}")
            wanted = theme.DEFAULT
        self.theme = wanted

    def _obey_signals(self) -> None:
        """Leave in order, so that the terminal is given back as it was."""
        loop = asyncio.get_running_loop()
        for number in (signal.Signals(n) for n in (1, 3, 15) if n in set(signal.Signals)):
            # Windows lets nobody handle them here, and tests run off the main thread.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._told_to_leave, 128 + number)

    def _told_to_leave(self, code: int) -> None:
        self.exit(return_code=code)
        # Of a terminal that is gone nobody takes the last bytes: the driver would wait for ever.
        end_within(LEAVING, code)

    def on_unmount(self) -> None:
        if self.reader is not None:
            self.reader.stop()

    def action_interrupt(self) -> None:
        """Ctrl+C ends nothing by mistake."""
        self.result("q quits")

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            for screen in self.frames():
                screen.key_pressed()
        await super().on_event(event)

    def _tick(self) -> None:
        for screen in self.frames():
            screen.tick()

    # The repository.

    async def open(self, root: Path) -> None:
        """Work on a repository that has tasks."""
        if self.reader is not None:
            self.reader.stop()
        self.workspace = Workspace(root, bundled("contracts"), self.clock_utc, self.trying)
        last = await off(jobs.remembered, self.workspace)
        self.facts = Facts(root.name, shown(root), reading="reading", last=last)
        self.sids = {}
        reader = Reader(self.workspace, lambda told: self.call_from_thread(self.told, reader, told))
        self.reader = reader
        await self.begin_modes()
        for job in (reader.watch, reader.look_around):
            self.run_worker(job, thread=True, group="reader", exit_on_error=False)
        await self.recover_first()

    def clock_utc(self) -> datetime:
        """Now, in UTC."""
        return self.clock().astimezone(UTC)

    def told(self, reader: Reader, told: Told) -> None:
        """The reader learnt something; one that was replaced is not listened to."""
        if reader is not self.reader:
            return
        facts = self.facts
        if told.reading is not None:
            facts = replace(facts, reading=told.reading)
        if told.tree is not None:
            facts = replace(
                facts, tree=tree_pieces(told.tree, self.symbols), tree_tip=told.tree.words
            )
        if told.gauge is not None:
            tip = "; ".join(told.gauge.troubles)
            facts = replace(facts, gauge=gauge_pieces(told.gauge, self.symbols), gauge_tip=tip)
        if told.watching is not None:
            facts = replace(facts, watch=watching_pieces(told.watching, self.symbols))
        if told.board is not None:
            facts = replace(self._with_board(facts, told.board), items=told.items)
            self.reread()
        self.tell(facts)
        if told.trouble:
            self.result(told.trouble, "fail")
        if told.tree is not None and told.tree.kind is TreeKind.UNKNOWN:
            self.result(f"git does not answer: {told.tree.words}", "you")

    def _with_board(self, facts: Facts, board: Board) -> Facts:
        """The facts with a board, and with the tasks that are not as they were before."""
        if facts.board is None:
            return replace(facts, board=board)
        old = {row.name: _version(row) for row in facts.board.active}
        new = {row.name: _version(row) for row in board.active}
        moved = {name: self.clock() for name in new if old.get(name) != new[name]}
        for name in sorted(old.keys() - new.keys()):
            self.tell_left(name)
        for row in came_back(facts.board, board):
            role = "fail" if row.word == "failed" else "you" if row.yours else "text"
            self.result(back_sentence(row, self.symbols), role)
        return replace(facts, board=board, changed={**facts.changed, **moved})


def _version(row: Row) -> str:
    """What tells two readings of a task file apart."""
    return row.task.sha256 if row.task is not None else row.status_text
