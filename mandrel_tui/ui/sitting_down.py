"""Sitting down: how the app opens a closeout or a curation, goes from step to step, and writes a
curated file; the work itself is in `desk_jobs.py`, in threads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.desk_jobs import Opened
from mandrel_tui.ui.desk_messages import AskCloseOut, AskCurate, AskStep, AskWrite
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.sitting import Sitting, Sittings
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.curate import file_state
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.typed import typed_path

OTHER = "\0"  # no path


class SittingDown(Sittings):
    """The app's part that opens what is decided."""

    async def recover_first(self) -> None:
        """Offer to recover what was interrupted."""
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
        offers.append(Offer(OTHER, "another file", note="You name its path.", stays=True))
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
        state = await off(file_state, place)
        await self._sit(opened, state, str(place), place, "facts")

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

    # Writing a curated file.

    def on_ask_write(self, event: AskWrite) -> None:
        sitting = self.sitting
        if sitting is not None and sitting.path is not None:
            self.work("write", self._write_file, sitting, only=True)

    async def _write_file(self, sitting: Sitting) -> None:
        assert sitting.path is not None
        said, fault = await off(desk_jobs.write_file, sitting.path, sitting.desk, self.changes)
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
