"""Sitting: how the app opens a closeout or a curation, keeps every decision at once, and goes from
step to step; the work itself is in `desk_jobs.py`, in threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.desk import Desk, Source
from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.desk_jobs import Opened, Read
from mandrel_tui.ui.desk_messages import (
    AskCloseOut,
    AskCurate,
    AskRequest,
    AskStep,
    AskTake,
    AskWrite,
    Decided,
)
from mandrel_tui.ui.handing import Handing
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present_review import offer_words
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.picker import Picker
from mandrel_tui.ui.widgets.written import Asking, Writing
from mandrel_tui.workspace.curate import file_state
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.state import State

AGAIN = 1.0  # seconds between two looks at a file that is curated


@dataclass
class Sitting:
    """One closeout or curation that is open: its desk as it is now, where its draft is kept and
    under which name, the proposal as it was taken, the file that is curated. A `frozen` one is
    being carried out, or was: it stays as it was decided. `folder` is where an agent lays a
    proposal, `asked` whether one was asked for, `drafts` what was typed into dialogs that were
    left."""

    desk: Desk
    state: State
    name: str
    proposal: Proposal = NOTHING
    path: Path | None = None
    frozen: bool = False
    drafts: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None
    asked: bool = False
    keeping: asyncio.Lock = field(default_factory=asyncio.Lock)


class SittingDown(Handing):
    """The app's part that holds what is decided."""

    sitting: Sitting | None = None

    async def recover_first(self) -> None:
        """Offer to recover what was interrupted."""
        raise NotImplementedError

    def desk_changed(self, desk: Desk) -> None:
        """The desk is another one."""
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
        self.work("looking at the folder", self._keep_looking_for, name, only=True)

    async def open_verify(self, name: str) -> None:
        """Open the last step of a closeout that was recovered."""
        assert self.workspace is not None
        opened = await off(desk_jobs.open_closeout, self.workspace, name)
        await self._sit(opened, self.workspace.state, name, None, "verify")

    def on_ask_curate(self, event: AskCurate) -> None:
        self.work("closeout", self.open_file, event.path, only=True)

    async def open_file(self, path: str) -> None:
        """Open the curation of a file, which the person names where `path` is empty."""
        typed: str | None = path
        if not path:
            said = [line("A memory file: CLAUDE.md, AGENTS.md, any Markdown document.")]
            typed = await self.push_screen_wait(Asking("curate", said, f"{self.start}/"))
        if typed is None:
            return
        place = self.start.joinpath(Path(typed).expanduser())
        opened = await off(desk_jobs.open_file, place)
        await self._sit(opened, file_state(place), str(place), place, "facts")
        self.work("looking at the file", self._keep_looking_at, place, only=True)

    async def _sit(
        self, opened: Opened, state: State, name: str, path: Path | None, first: str
    ) -> None:
        if opened.desk is None:
            self.result(opened.said, "fail")
            return
        self.sitting = Sitting(opened.desk, state, name, opened.proposal, path)
        self.sitting.folder = opened.folder
        await self.push_screen(self._step(first, self.sitting))
        if opened.said:
            self.result(opened.said, "you")

    # Deciding.

    def on_decided(self, event: Decided) -> None:
        if self.sitting is not None:
            self.sitting.desk = event.desk
            self.work("keep", self._keep_desk, self.sitting)

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
        if self.sitting is not None and isinstance(self.screen, StepScreen):
            await self.switch_screen(self._step(step, self.sitting))

    def _step(self, name: str, sitting: Sitting) -> StepScreen:
        return _screens()[name](self.facts, sitting.desk, sitting.drafts)

    # Reading again.

    def reread(self) -> None:
        """What the desk stands on may have changed."""
        sitting = self.sitting
        if sitting is None or sitting.frozen:
            return
        if any(isinstance(screen, StepScreen) for screen in self.frames()):
            self.work("reread", self._reread, sitting, None, only=True)

    async def _keep_looking_at(self, place: Path) -> None:
        """Look at the file that is curated as long as its screens are open."""
        while self.sitting is not None and self.sitting.path == place:
            await asyncio.sleep(AGAIN)
            if not any(isinstance(screen, StepScreen) for screen in self.frames()):
                return
            await self._reread(self.sitting, None)

    async def _keep_looking_for(self, name: str) -> None:
        """Look for a proposal as long as the closeout is open."""
        seen: desk_jobs.Mark | None = None
        while (sitting := self.sitting) is not None and sitting.name == name:
            folder = sitting.folder
            if folder is None or sitting.frozen or sitting.desk.native:
                return
            mark = await off(desk_jobs.mark_of, folder)
            assert self.workspace is not None
            self.teach(
                desk_jobs.waiting(name, folder, self.workspace.root, len(mark), sitting.asked)
            )
            if seen is not None and mark != seen and sitting.desk.source.kind == "folder":
                await self._reread(sitting, None)
            seen = mark
            await asyncio.sleep(AGAIN)
            if not any(isinstance(screen, StepScreen) for screen in self.frames()):
                return

    async def _reread(self, sitting: Sitting, source: Source | None) -> None:
        """The desk on what is read now; where that is refused it stays as it is."""
        read = await off(self._read, sitting, source or sitting.desk.source)
        if read.given is None:
            if source is not None:
                self.result(read.fault, "fail")
            return
        if source is None and read.given == sitting.desk.given:
            return
        desk, reopened = sitting.desk.reread(read.given, source)
        sitting.desk, sitting.proposal = desk, read.proposal
        self.teach(desk)
        self.desk_changed(desk)
        said = desk_jobs.said_of(reopened, read.note)
        if said:
            self.result(said, "you")
        elif source is not None:
            self.result(offer_words(read.given.words or "from the admitted facts", desk))
        await self._keep_desk(sitting)

    def _read(self, sitting: Sitting, source: Source) -> Read:
        if sitting.path is not None:
            return desk_jobs.read_file(sitting.path)
        assert self.workspace is not None
        return desk_jobs.read_closeout(self.workspace, sitting.name, source)

    # Proposals.

    def on_ask_request(self, event: AskRequest) -> None:
        if self.sitting is not None and self.workspace is not None:
            self.work("out", self._request, self.sitting)

    async def _request(self, sitting: Sitting) -> None:
        assert self.workspace is not None
        copied, fault = await off(desk_jobs.request, self.workspace, sitting.desk)
        if copied is None:
            self.result(f"nothing is copied: {fault}", "you")
        else:
            sitting.asked = True
            self.tell_copied(self.deliver(copied))

    def on_ask_take(self, event: AskTake) -> None:
        if self.sitting is not None:
            self.work("take", self._take, self.sitting, event.source, only=True)

    async def _take(self, sitting: Sitting, source: Source | None) -> None:
        chosen = source or await self._choose_source(sitting)
        if chosen is not None:
            await self._reread(sitting, chosen)

    async def _choose_source(self, sitting: Sitting) -> Source | None:
        assert self.workspace is not None
        offers = await off(desk_jobs.sources, self.workspace, sitting.desk)
        picked = await self.push_screen_wait(Picker("take a proposal in", offers))
        if picked is None:
            return None
        if picked in ASKED:
            title, said = ASKED[picked]
            typed = await self.push_screen_wait(Asking(title, [line(said)]))
            return None if typed is None else Source(picked, typed.strip())
        if picked == "diff":
            said = "Paste a reply; the one diff in it counts."
            pasted = await self.push_screen_wait(Writing("a diff", [line(said)], verb="take in"))
            return None if pasted is None else Source("diff", pasted)
        return Source(picked)

    # Writing a curated file.

    def on_ask_write(self, event: AskWrite) -> None:
        if self.sitting is not None and self.sitting.path is not None:
            self.work("write", self._write_file, self.sitting, only=True)

    async def _write_file(self, sitting: Sitting) -> None:
        assert sitting.path is not None
        said, fault = await off(desk_jobs.write_file, sitting.path, sitting.desk)
        if fault:
            self.result(f"nothing is written: {fault}", "fail")
            return
        self.sitting = None
        await self.leave_curation()
        self.result(said, "pass")

    async def leave_curation(self) -> None:
        """Close the screens of a curation that was written."""
        if not self.lowest:
            await self.pop_screen()


ASKED: Mapping[str, tuple[str, str]] = {
    "revision": ("a commit or branch", "What it changes in .ai/ since it left HEAD."),
    "file": ("a folder or diff file", "A folder that mirrors .ai/, or a file with one diff:"),
}


def _screens() -> Mapping[str, type[StepScreen]]:
    """The screen of each step; imported when the first one is opened."""
    from mandrel_tui.ui.screens.closing_plan import ClosingPlanScreen
    from mandrel_tui.ui.screens.facts import FactsScreen
    from mandrel_tui.ui.screens.review import ReviewScreen
    from mandrel_tui.ui.screens.verify import VerifyScreen
    from mandrel_tui.ui.screens.write import WriteScreen

    kinds = (FactsScreen, ReviewScreen, ClosingPlanScreen, VerifyScreen, WriteScreen)
    return {kind.STEP: kind for kind in kinds}
