"""Checking: how the app checks a session that came back and hands out the message that asks to
mend what failed; the work itself is in `check_jobs.py`, in threads."""

from __future__ import annotations

from functools import partial

from mandrel_tui.ui import check_jobs
from mandrel_tui.ui.handing import Handing
from mandrel_tui.ui.present_checks import Asked, with_words
from mandrel_tui.ui.screens.checks import ChecksScreen
from mandrel_tui.ui.screens.exact import ExactScreen
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.session_messages import AskCheck, AskFindings, AskFollow, AskPrinted, AskUnused


class Checking(Handing):
    """The app's part that checks."""

    def on_ask_check(self, event: AskCheck) -> None:
        self.push_screen(ChecksScreen(self.facts, Asked(event.task)))

    def on_ask_unused(self, event: AskUnused) -> None:
        if self.workspace is not None:
            self.work("out", self._take_back, event.task)

    async def _take_back(self, name: str) -> None:
        assert self.workspace is not None
        note = await off(check_jobs.unused, self.workspace, name)
        self.result(note or "nobody is out with it; the receipt stays", "you" if note else "text")
        self.read_again()

    def on_ask_printed(self, event: AskPrinted) -> None:
        if self.workspace is not None:
            self.work("printed", self._show_printed, event.task, only=True)

    async def _show_printed(self, name: str) -> None:
        assert self.workspace is not None
        text = await off(check_jobs.printed, self.workspace, name)
        if text is None:
            self.result("what the agent printed was not captured, or is lost", "you")
        else:
            self.push_screen(ExactScreen(self.facts, "what the agent printed", text))

    def on_ask_findings(self, event: AskFindings) -> None:
        if self.workspace is not None:
            self.work("checks", self._check, event.asked, only=True)

    async def _check(self, asked: Asked) -> None:
        assert self.workspace is not None
        first = await off(check_jobs.begin, self.workspace, asked)
        self.teach(first)
        self.teach(await off(check_jobs.finish, self.workspace, asked))
        self.read_again()

    def on_ask_follow(self, event: AskFollow) -> None:
        if self.workspace is not None:
            self.work("out", self._copy_followup, event.asked)

    async def _copy_followup(self, asked: Asked) -> None:
        assert self.workspace is not None
        made = await off(check_jobs.copy, self.workspace, asked)
        self.teach(made.found)
        if made.copied is None:
            why = (
                with_words(made.found, self.clock()).problem
                or "all checks pass now, there is nothing to mend"
            )
            self.result(f"nothing is copied: {why}", "you")
            return
        await self.hand_out(made.copied, partial(check_jobs.record, self.workspace, made.found))
