"""Answers: how the app answers what screens ask of it; the work itself is in `jobs.py`, in
threads, and the app tells what came of it."""

from __future__ import annotations

from pathlib import Path

from mandrel_tui.protocol.copied import NOWHERE
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui import jobs
from mandrel_tui.ui.handing import Handing, not_recorded
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import (
    AskArchived,
    AskCopy,
    AskCopyText,
    AskLeave,
    AskMode,
    AskNotes,
    AskPrompt,
    AskRead,
    AskReady,
    AskReload,
    AskSave,
    AskSheet,
    AskTask,
    Say,
    Used,
)
from mandrel_tui.ui.present import capital, words
from mandrel_tui.ui.present_board import Ready
from mandrel_tui.ui.present_session import beside_words, unsettled_words
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.prompt import PromptScreen
from mandrel_tui.ui.screens.task import TaskScreen
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.sessions import Recorded
from mandrel_tui.workspace.typed import typed_path
from mandrel_tui.workspace.visible import shown


class Answers(Handing):
    """The app's part that answers."""

    # Where to.

    def on_ask_mode(self, event: AskMode) -> None:
        self.work("go", self._to_mode, event.mode)

    async def _to_mode(self, mode: str) -> None:
        if self.workspace is not None:
            await self.show_mode(mode)

    def on_ask_notes(self, event: AskNotes) -> None:
        self.work("go", self._to_notes)

    async def _to_notes(self) -> None:
        if self.current_mode != "board":
            await self.show_mode("board")
        board = await self.show_mode("board")
        if isinstance(board, BoardScreen):
            board.show_notes()

    async def on_ask_leave(self, event: AskLeave) -> None:
        if not self.lowest:
            await self.pop_screen()
        elif event.quit:
            self.exit(0)

    def on_ask_task(self, event: AskTask) -> None:
        self.push_screen(TaskScreen(self.facts, event.task, event.tab, event.line))
        self.on_ask_read(AskRead(event.task))

    def on_ask_prompt(self, event: AskPrompt) -> None:
        self.push_screen(PromptScreen(self.facts, event.request))

    # Reading.

    def on_ask_reload(self, event: AskReload) -> None:
        self.read_again()

    def on_ask_archived(self, event: AskArchived) -> None:
        if self.reader is not None:
            self.reader.archived = event.archived
        self.read_again()

    def on_ask_read(self, event: AskRead) -> None:
        if self.workspace is not None:
            self.work("task", self._read_task, event.task, only=True)

    async def _read_task(self, name: str) -> None:
        assert self.workspace is not None
        task, fault = await off(jobs.task, self.workspace, name)
        for screen in self.frames():
            screen.take_task(name, task, fault)

    def on_ask_ready(self, event: AskReady) -> None:
        if self.workspace is not None:
            self.work("ready", self._make_ready, event.task, only=True)

    async def _make_ready(self, name: str) -> None:
        assert self.workspace is not None
        made = await off(jobs.sheet, self.workspace, PromptRequest(name), self.sids)
        ready = Ready(name, made.prompt, "; ".join(made.problems))
        for screen in self.frames():
            screen.take_ready(ready)

    def on_ask_sheet(self, event: AskSheet) -> None:
        if self.workspace is not None:
            self.work("sheet", self._make_sheet, event.request, only=True)

    async def _make_sheet(self, request: PromptRequest) -> None:
        assert self.workspace is not None
        made = await off(jobs.sheet, self.workspace, request, self.sids)
        for screen in self.frames():
            screen.take_sheet(made)

    # Handing out.

    def on_ask_copy(self, event: AskCopy) -> None:
        if self.workspace is not None:
            self.work("out", self._copy_prompt, event.request)

    async def _copy_prompt(self, request: PromptRequest, sure: bool = False) -> None:
        assert self.workspace is not None
        outcome = await off(jobs.copy, self.workspace, request, self.sids, sure=sure)
        if outcome.doubtful:
            if await self._is_sure(outcome, "Copy it all the same"):
                await self._copy_prompt(request, sure=True)
        elif outcome.copied is not None:
            await self._record_copy(outcome)
        else:
            self.result(outcome.said, outcome.role)
        self._went_out(outcome)

    async def _record_copy(self, outcome: jobs.Outcome) -> None:
        """Say how the copy went, and record what went out."""
        assert self.workspace is not None and outcome.copied is not None
        copied, prompt, note, beside = self.deliver(outcome.copied), outcome.sheet.prompt, "", ""
        if copied.way != NOWHERE and prompt is not None:
            made = await off(jobs.record, self.workspace, prompt, copied.way)
            note, beside = made.note, beside_words(made.beside, made.unplanned, self.clock())
            self.read_again()
        self.tell_copied(copied, not_recorded(note), beside)

    async def _is_sure(self, outcome: jobs.Outcome, yes: str) -> bool:
        """Whether it may go out although something makes that doubtful."""
        if outcome.unsettled is not None:
            said = unsettled_words(outcome.unsettled, self.clock())
            lines = [line(words(f"{capital(said)}.", self.symbols))]
            if not await self.agreed("sure?", lines, yes):
                return False
        return not outcome.differing or await self._is_any_text(outcome.differing, yes)

    async def _is_any_text(self, paths: tuple[str, ...], yes: str) -> bool:
        """Whether a text that is not the deployed one may go out."""
        lines = [
            line("These texts are not as .ai-deploy-lock.json lists them:"),
            *(line(path, "fail") for path in paths),
        ]
        return await self.agreed("contract differs from the receipt", lines, yes)

    def _went_out(self, outcome: jobs.Outcome) -> None:
        """What went out, or would have, is what the screens show."""
        made = outcome.sheet
        ready = Ready(made.request.task, made.prompt, "; ".join(made.problems))
        for screen in self.frames():
            screen.take_sheet(made)
            if made.request == PromptRequest(made.request.task):
                screen.take_ready(ready)

    def on_ask_save(self, event: AskSave) -> None:
        if self.workspace is not None:
            self.work("out", self._save_prompt, event.request)

    async def _save_prompt(self, request: PromptRequest) -> None:
        assert self.workspace is not None
        said = [line("Write the exact bytes to this file; nothing is added.")]
        start = str(typed_path(Path(), f"~/{request.task}.md"))
        typed = await self.push_screen_wait(Asking("save the prompt", said, start))
        if typed is None:
            return
        path = typed_path(self.start, typed)
        over = sure = False
        while True:
            outcome = await off(
                jobs.save, self.workspace, request, self.sids, path, over=over, sure=sure
            )
            if outcome.doubtful:
                sure = await self._is_sure(outcome, "Save it all the same")
            elif outcome.exists:
                over = await self._is_over(path)
            else:
                more = self._more(outcome.recorded)
                said_all = "; ".join(filter(None, (outcome.said, *more)))
                self.result(said_all, "you" if more else outcome.role)
                if outcome.role == "text":
                    self.read_again()
            if not ((outcome.doubtful and sure) or (outcome.exists and over)):
                break
        self._went_out(outcome)

    def _more(self, made: Recorded | None) -> tuple[str, ...]:
        """What is to be said of a prompt that was recorded as out."""
        if made is None:
            return ()
        beside = beside_words(made.beside, made.unplanned, self.clock())
        return tuple(filter(None, (beside, not_recorded(made.note))))

    async def _is_over(self, path: Path) -> bool:
        lines = [line(f"{shown(path)} is there already.")]
        return await self.agreed("the file exists", lines, "Replace it")

    def on_ask_copy_text(self, event: AskCopyText) -> None:
        if self.workspace is not None:
            self.work("out", self._copy_text, event.text, event.what)

    async def _copy_text(self, text: str, what: str) -> None:
        assert self.workspace is not None
        data = text.encode("utf-8", "surrogateescape")
        copied = await off(self.workspace.copy, data, what.replace(" ", "-"))
        self.tell_copied(self.deliver(copied))

    def on_used(self, event: Used) -> None:
        if self.workspace is not None:
            self.work("used", self._remember, event.task, only=True)

    async def _remember(self, name: str) -> None:
        assert self.workspace is not None
        await off(jobs.remember, self.workspace, name)

    def tell_left(self, name: str) -> None:
        """Say what became of a task that is no longer on the board."""
        self.work("left", self._tell_where, name)

    async def _tell_where(self, name: str) -> None:
        assert self.workspace is not None
        where = await off(jobs.whereabouts, self.workspace, name)
        self.result(f"{name} left the board: {where}")

    def on_say(self, event: Say) -> None:
        self.result(event.text, event.role)
