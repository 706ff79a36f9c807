"""Sitting: a closeout or curation that is open, how the app keeps every decision on it at once and
reads it again; the work itself is in `desk_jobs.py`, in threads."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.closing_jobs import Planning
from mandrel_tui.ui.desk_jobs import Read
from mandrel_tui.ui.desk_messages import Decided
from mandrel_tui.ui.handing import Handing
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.present_review import offer_words
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.state import State

AGAIN = 1.0  # seconds between two looks at what is not watched


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


class Sittings(Handing):
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

    def desk_changed(self, sitting: Sitting) -> None:
        """Its desk is another one."""
        raise NotImplementedError

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
