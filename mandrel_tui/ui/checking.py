"""Checking: how the app checks a session that came back and hands out the message that asks to
mend what failed; the work itself is in `check_jobs.py`, in threads."""

from __future__ import annotations

from mandrel_tui.protocol.copied import NOWHERE, Copied
from mandrel_tui.ui import check_jobs
from mandrel_tui.ui.present_checks import Asked
from mandrel_tui.ui.screens.checks import ChecksScreen
from mandrel_tui.ui.seat import Seat, off
from mandrel_tui.ui.session_messages import AskCheck, AskFindings, AskFollow


class Checking(Seat):
    """The app's part that checks."""

    def deliver(self, copied: Copied) -> Copied:
        """Do what is left to do of a copy; the copy as it is then."""
        raise NotImplementedError

    def tell_copied(self, copied: Copied, note: str = "") -> None:
        """Say what is known of a copy, and what else is to be known."""
        raise NotImplementedError

    def read_again(self) -> None:
        """Read everything now."""
        raise NotImplementedError

    def on_ask_check(self, event: AskCheck) -> None:
        self.push_screen(ChecksScreen(self.facts, Asked(event.task)))

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
            why = made.found.problem or "all checks pass now, there is nothing to mend"
            self.result(f"nothing is copied: {why}", "you")
            return
        copied, note = self.deliver(made.copied), ""
        if copied.way != NOWHERE:
            note = await off(
                check_jobs.record, self.workspace, made.found, "clipboard", "copy", copied.way
            )
        self.tell_copied(copied, f"not recorded: {note}" if note else "")
        self.read_again()
