"""Closing: how the app answers what the screens of closing out and curating ask; the work itself is
in `desk_jobs.py`, in threads."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.desk_jobs import Opened, Read
from mandrel_tui.ui.desk_messages import AskCloseOut, AskCurate, AskStep, AskTake, Decided
from mandrel_tui.ui.line import line
from mandrel_tui.ui.seat import Seat, off
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.curate import file_state
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.state import State


@dataclass
class Sitting:
    """One closeout or curation that is open: its desk as it is now, where its draft is kept and
    under which name, the proposal as it was taken, the file that is curated."""

    desk: Desk
    state: State
    name: str
    proposal: Proposal = NOTHING
    path: Path | None = None
    keeping: asyncio.Lock = field(default_factory=asyncio.Lock)


class Closing(Seat):
    """The app's part that closes out and curates."""

    sitting: Sitting | None = None

    # Opening.

    def on_ask_close_out(self, event: AskCloseOut) -> None:
        if self.workspace is not None:
            self.work("closeout", self._open_closeout, event.task, only=True)

    async def _open_closeout(self, name: str) -> None:
        assert self.workspace is not None
        opened = await off(desk_jobs.open_closeout, self.workspace, name)
        await self._sit(opened, self.workspace.state, name, None)

    def on_ask_curate(self, event: AskCurate) -> None:
        self.work("closeout", self._open_file, event.path, only=True)

    async def _open_file(self, path: str) -> None:
        typed: str | None = path
        if not path:
            said = [line("A memory file: CLAUDE.md, AGENTS.md, any Markdown document.")]
            typed = await self.push_screen_wait(Asking("curate", said, f"{self.start}/"))
        if typed is None:
            return
        place = self.start.joinpath(Path(typed).expanduser())
        opened = await off(desk_jobs.open_file, place)
        await self._sit(opened, file_state(place), str(place), place)

    async def _sit(self, opened: Opened, state: State, name: str, path: Path | None) -> None:
        if opened.desk is None:
            self.result(opened.said, "fail")
            return
        self.sitting = Sitting(opened.desk, state, name, opened.proposal, path)
        await self.push_screen(self._step("facts", opened.desk))
        if opened.said:
            self.result(opened.said, "you")

    # Deciding.

    def on_decided(self, event: Decided) -> None:
        if self.sitting is not None:
            self.sitting.desk = event.desk
            self.work("keep", self._keep, self.sitting)

    async def _keep(self, sitting: Sitting) -> None:
        """Keep the latest decisions; one after another, so that an older one never comes last."""
        async with sitting.keeping:
            note = await off(desk_jobs.keep, sitting.state, sitting.name, sitting.desk)
        if note:
            self.result(note, "fail")

    # Going from step to step.

    def on_ask_step(self, event: AskStep) -> None:
        if self.sitting is not None and isinstance(self.screen, StepScreen):
            self.work("step", self._to_step, event.step)

    async def _to_step(self, step: str) -> None:
        assert self.sitting is not None
        await self.switch_screen(self._step(step, self.sitting.desk))

    def _step(self, name: str, desk: Desk) -> StepScreen:
        from mandrel_tui.ui.screens.facts import FactsScreen
        from mandrel_tui.ui.screens.review import ReviewScreen

        return {"facts": FactsScreen, "review": ReviewScreen}[name](self.facts, desk)

    # Reading again.

    def reread(self) -> None:
        """What the desk stands on may have changed."""
        if self.sitting is not None and any(isinstance(s, StepScreen) for s in self.frames()):
            self.work("reread", self._reread, self.sitting, None, only=True)

    def on_ask_take(self, event: AskTake) -> None:
        if self.sitting is not None and event.source is not None:
            self.work("reread", self._reread, self.sitting, event.source, only=True)

    async def _reread(self, sitting: Sitting, source: Source | None) -> None:
        """The desk on what is read now; where that is refused it stays as it is."""
        read = await off(self._read, sitting, source or sitting.desk.source)
        if read.given is None:
            self.result(read.fault, "fail")
            return
        if source is None and read.given == sitting.desk.given:
            return
        desk, reopened = sitting.desk.reread(read.given, source)
        sitting.desk, sitting.proposal = desk, read.proposal
        for screen in self.frames():
            if isinstance(screen, StepScreen):
                screen.take_desk(desk)
        said = desk_jobs.said_of(reopened, read.note)
        if said:
            self.result(said, "you")
        await self._keep(sitting)

    def _read(self, sitting: Sitting, source: Source) -> Read:
        if sitting.path is not None:
            return desk_jobs.read_file(sitting.path)
        assert self.workspace is not None
        return desk_jobs.read_closeout(self.workspace, sitting.name, source)
