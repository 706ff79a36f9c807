"""Sitting: how the app opens a closeout or a curation, keeps every decision at once, and goes from
step to step; the work itself is in `desk_jobs.py`, in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.closing_jobs import Planning
from mandrel_tui.ui.desk_jobs import Opened, Read
from mandrel_tui.ui.desk_messages import (
    AskCloseOut,
    AskCurate,
    AskStep,
    AskWrite,
    Decided,
)
from mandrel_tui.ui.handing import Handing
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.present_review import offer_words
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.curate import file_state
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.typed import typed_path

AGAIN = 1.0  # seconds between two looks at what is not watched
OTHER = "\0"  # no path


@dataclass
class Sitting:
    """One closeout or curation that is open: its desk as it is now, where its draft is kept and
    under which name, the proposal as it was taken, the file that is curated. A `frozen` one is
    being carried out, or was: it stays as it was decided. `folder` is where an agent lays a
    proposal, `asked` whether one was asked for, `drafts` what was typed into dialogs that were
    left; `unread` is why what it stands on cannot be read any more; `planning` is the plan as it
    was shown, `verified` what came of it."""

    desk: Desk
    state: State
    name: str
    proposal: Proposal = NOTHING
    path: Path | None = None
    frozen: bool = False
    drafts: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None
    asked: bool = False
    unread: str = ""
    planning: Planning | None = None
    verified: Verified | None = None
    keeping: asyncio.Lock = field(default_factory=asyncio.Lock)


class SittingDown(Handing):
    """The app's part that holds what is decided; each mode may have a closeout of its own open."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.sittings: dict[tuple[str, bool], Sitting] = {}

    @property
    def sitting(self) -> Sitting | None:
        """What the screen in sight, below any dialog, decides."""
        steps = (s for s in reversed(self.screen_stack) if isinstance(s, StepScreen))
        screen = next(steps, None)
        return self.sitting_of(screen.desk) if screen is not None else None

    def sitting_of(self, desk: Desk) -> Sitting | None:
        """What a desk belongs to; None once it is closed."""
        return self.sittings.get((desk.name, desk.file))

    def is_open(self, sitting: Sitting) -> bool:
        """Whether a screen of it is open; what is not is forgotten."""
        name = (sitting.desk.name, sitting.desk.file)
        steps = (screen for screen in self.frames() if isinstance(screen, StepScreen))
        there = any((screen.desk.name, screen.desk.file) == name for screen in steps)
        if not there and self.sittings.get(name) is sitting:
            del self.sittings[name]
        return there and self.sittings.get(name) is sitting

    async def recover_first(self) -> None:
        """Offer to recover what was interrupted."""
        raise NotImplementedError

    def desk_changed(self, sitting: Sitting) -> None:
        """Its desk is another one."""
        raise NotImplementedError

    # Opening.

    def on_ask_close_out(self, event: AskCloseOut) -> None:
        if self.workspace is not None:
            self.work("closeout", self._open_closeout, event.task, only=True)

    async def _open_closeout(self, name: str) -> None:
        assert self.workspace is not None
        opened = await off(desk_jobs.open_closeout, self.workspace, name)
        first = "verify" if opened.archived else "facts"
        await self._sit(opened, self.workspace.state, name, None, first)
        await self.recover_first()

    async def open_verify(self, name: str, found: Verified) -> None:
        """Open the last step of a closeout that was recovered."""
        assert self.workspace is not None
        opened = await off(desk_jobs.open_closeout, self.workspace, name)
        await self._sit(opened, self.workspace.state, name, None, "verify")
        sitting = self.sittings.get((name, False))
        if sitting is not None:
            sitting.verified = found

    def on_ask_curate(self, event: AskCurate) -> None:
        if event.path:
            self.work("closeout", self.open_file, event.path, only=True)
        else:
            self.work("closeout", self._choose, only=True)

    async def _choose(self) -> None:
        """Have a memory file of the repository chosen, or another one named; then curate it."""
        base = self.workspace.root if self.workspace is not None else self.start
        known = await off(desk_jobs.memory_files, base)
        offers = [Offer(str(base / path), words(path, self.symbols)) for path in known]
        offers.append(Offer(OTHER, "another file"))
        chosen = await self.push_screen_wait(Picker("curate a memory file", offers, find=True))
        if chosen is not None:
            await self.open_file(chosen.removeprefix(OTHER))

    async def open_file(self, path: str) -> None:
        """Open the curation of a file, which the person names where `path` is empty."""
        typed, fault = path or f"{self.start}/", ""
        said = [line("A memory file: CLAUDE.md, AGENTS.md, any Markdown document.")]
        while True:
            if not path:
                asked = await self.push_screen_wait(Asking("curate", said, typed, fault=fault))
                if asked is None:
                    return
                typed = asked
            place = typed_path(self.start, typed)
            opened = await off(desk_jobs.open_file, place)
            if path or opened.desk is not None:
                break
            fault = opened.said
        await self._sit(opened, file_state(place), str(place), place, "facts")

    async def _sit(
        self, opened: Opened, state: State, name: str, path: Path | None, first: str
    ) -> None:
        if opened.desk is None:
            self.result(opened.said, "fail")
            return
        sitting = Sitting(opened.desk, state, name, opened.proposal, path, folder=opened.folder)
        self.sittings[opened.desk.name, opened.desk.file] = sitting
        await self.push_screen(self._step(first, sitting))
        self.work("sitting", self._look_after, sitting)
        if opened.said:
            self.result(opened.said, "you")

    # Deciding.

    def on_decided(self, event: Decided) -> None:
        sitting, desk = self.sitting_of(event.desk), event.desk
        if sitting is None:
            return
        if desk.given is not sitting.desk.given:
            # It was decided on what was read before: the same on what was read since.
            desk, _ = desk.reread(sitting.desk.given, sitting.desk.source)
            self.teach(desk)
        sitting.desk = desk
        self.work("keep", self._keep_desk, sitting)

    async def _keep_desk(self, sitting: Sitting) -> None:
        """Keep the latest decisions; one after another, so that an older one never comes last."""
        async with sitting.keeping:
            note = await off(desk_jobs.keep, sitting.state, sitting.name, sitting.desk)
        if note:
            self.result(note, "fail")

    # Going from step to step.

    def on_ask_step(self, event: AskStep) -> None:
        self.work("step", self.to_step, event.step)

    async def to_step(self, step: str) -> None:
        """Show another step in the place of the one in sight."""
        sitting = self.sitting
        if sitting is not None and isinstance(self.screen, StepScreen):
            await self.switch_screen(self._step(step, sitting))

    def _step(self, name: str, sitting: Sitting) -> StepScreen:
        return _screens()[name](self.facts, sitting.desk, sitting.drafts)

    # Reading again.

    def reread(self) -> None:
        """What the desks stand on may have changed."""
        for sitting in tuple(self.sittings.values()):
            if self.is_open(sitting) and not sitting.frozen:
                self.work(f"reread {sitting.name}", self.read_desk, sitting, None, only=True)

    async def _look_after(self, sitting: Sitting) -> None:
        """Look at what is not watched as long as it is open: the file that is curated, or the
        folder an agent lays a proposal into."""
        seen: desk_jobs.Mark | None = None
        while self.is_open(sitting) and not sitting.frozen:
            if sitting.path is not None:
                await self.read_desk(sitting, None)
            elif sitting.folder is not None and not sitting.desk.native:
                seen = await self._look_for(sitting, sitting.folder, seen)
            await asyncio.sleep(AGAIN)

    async def _look_for(
        self, sitting: Sitting, folder: Path, seen: desk_jobs.Mark | None
    ) -> desk_jobs.Mark:
        """Tell what lies in the folder; a proposal that was taken from it is read again."""
        assert self.workspace is not None
        mark = await off(desk_jobs.mark_of, folder)
        told = (sitting.name, folder, len(mark), sitting.asked)
        self.teach(await off(desk_jobs.waiting, self.workspace, *told))
        if seen is not None and mark != seen and sitting.desk.source.kind == "folder":
            await self.read_desk(sitting, None)
        return mark

    async def read_desk(self, sitting: Sitting, source: Source | None) -> str:
        """The desk on what is read now; where that is refused it stays as it is, and says so. Why
        it was refused, empty when it was not."""
        read = await off(self._read, sitting, source or sitting.desk.source)
        known, sitting.unread = sitting.unread, read.fault if source is None else ""
        if read.given is None:
            if source is not None:
                self.result(read.fault, "fail")
            elif read.fault != known and self.is_open(sitting) and not sitting.frozen:
                self.result(f"what was read before stays: {read.fault}", "fail")
            return read.fault
        if source is None and read.given == sitting.desk.given:
            return ""
        desk, reopened = sitting.desk.reread(read.given, source)
        sitting.desk, sitting.proposal = desk, read.proposal
        self.teach(desk)
        self.desk_changed(sitting)
        said = desk_jobs.said_of(reopened, read.note)
        if said:
            self.result(said, "you")
        elif source is not None:
            self.result(offer_words(read.given.words or "from the admitted facts", desk))
        await self._keep_desk(sitting)
        return ""

    def _read(self, sitting: Sitting, source: Source) -> Read:
        if sitting.path is not None:
            return desk_jobs.read_file(sitting.path)
        assert self.workspace is not None
        return desk_jobs.read_closeout(self.workspace, sitting.name, source)

    # Writing a curated file.

    def on_ask_write(self, event: AskWrite) -> None:
        sitting = self.sitting
        if sitting is not None and sitting.path is not None:
            self.work("write", self._write_file, sitting, only=True)

    async def _write_file(self, sitting: Sitting) -> None:
        assert sitting.path is not None
        said, fault = await off(desk_jobs.write_file, sitting.path, sitting.desk)
        if fault:
            self.result(f"nothing is written: {fault}", "fail")
            return
        del self.sittings[sitting.desk.name, sitting.desk.file]
        await self.pop_screen()
        self.result(said, "pass")


def _screens() -> Mapping[str, type[StepScreen]]:
    """The screen of each step; imported when the first one is opened."""
    from mandrel_tui.ui.screens.closing_plan import ClosingPlanScreen
    from mandrel_tui.ui.screens.facts import FactsScreen
    from mandrel_tui.ui.screens.review import ReviewScreen
    from mandrel_tui.ui.screens.verify import VerifyScreen
    from mandrel_tui.ui.screens.write import WriteScreen

    kinds = (FactsScreen, ReviewScreen, ClosingPlanScreen, VerifyScreen, WriteScreen)
    return {kind.STEP: kind for kind in kinds}
