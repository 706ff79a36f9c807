"""Deciding: how the app asks the human for rulings, answers and other messages, and gives them on;
the work itself is in `matter_jobs.py`, in threads."""

from __future__ import annotations

from functools import partial

from textual import on

from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui import matter_jobs
from mandrel_tui.ui.lending import Lending
from mandrel_tui.ui.messages import AskPrompt, Facts
from mandrel_tui.ui.present import clock, task_words
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.present_matter import (
    RULING,
    Matter,
    changed_line,
    matter_lines,
    matter_state,
    matter_title,
    own_title,
)
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.session_messages import AskDecide, AskLaunch
from mandrel_tui.ui.widgets.decision import Answered, Decision
from mandrel_tui.ui.widgets.picker import Offer
from mandrel_tui.ui.widgets.showing import LAUNCH, Showing

WITHDRAW, WITHOUT = "withdraw", "without"


class Deciding(Lending):
    """The app's part that asks for decisions."""

    deciding: tuple[Matter, Decision] | None = None

    def on_ask_decide(self, event: AskDecide) -> None:
        if self.workspace is not None:
            self.work("decide", self._decide, event.task, event.kind)

    async def _decide(self, name: str, kind: str) -> None:
        """Ask until something came of it or the human left; what was typed is kept."""
        assert self.workspace is not None
        fault, text = "", None
        while True:
            matter = await off(matter_jobs.matter, self.workspace, name, kind)
            if matter.refusal or matter.task is None:
                self.result(f"{task_words(name, self.symbols)}: {matter.refusal}", "you")
                return
            answered = await self._asked(matter, fault, text)
            if answered is None:
                return
            fault, text = await self._done(matter, answered), answered.text
            if not fault:
                return

    async def _asked(self, matter: Matter, fault: str, text: str | None) -> Answered | None:
        assert self.workspace is not None
        dialog = Decision(
            matter_title(matter, self.symbols),
            lambda cells: matter_lines(matter, cells, self.symbols),
            partial(own_title, matter),
            state=matter_state(matter, self.symbols, self.clock()),
            text=matter.draft if text is None else text,
            wordless=matter.wordless,
            verb="give" if matter.kind == RULING else "show",
            acts=list(_acts(matter)),
            fault=fault,
        )
        self.deciding = (matter, dialog)
        try:
            answered = await self.push_screen_wait(dialog)
        finally:
            self.deciding = None
        if not matter.wordless:
            note = await off(matter_jobs.save_draft, self.workspace, matter, dialog.draft)
            if answered is None and dialog.draft.strip() and dialog.draft != _given(matter):
                self.result(f"not kept: {note}" if note else "the draft is kept", "quiet")
        return answered

    async def _done(self, matter: Matter, answered: Answered) -> str:
        """Do what was decided; why it came to nothing, empty when it did not."""
        assert self.workspace is not None and matter.task is not None
        if answered.act == WITHOUT:
            self.post_message(AskPrompt(PromptRequest(matter.task.name, without_ruling=True)))
            return ""
        if answered.act == WITHDRAW:
            return await self._ruled(
                matter, await off(matter_jobs.withdraw, self.workspace, matter)
            )
        if matter.kind == RULING:
            fault = await off(matter_jobs.give, self.workspace, matter, answered.text)
            return await self._ruled(matter, fault, "given: it goes out with the next prompt")
        return await self._send(matter, answered.text)

    async def _ruled(self, matter: Matter, fault: str, said: str = "withdrawn") -> str:
        if not fault:
            self.result(f"the ruling is {said}")
            self.read_again()
        return fault

    async def _send(self, matter: Matter, text: str) -> str:
        """Show the exact message, and copy or launch it when that is wanted."""
        assert self.workspace is not None and matter.task is not None
        composed = await off(matter_jobs.compose, self.workspace, matter, text)
        if composed.fault:
            return composed.fault
        way = await self.push_screen_wait(
            Showing(matter_title(matter, self.symbols), composed.data)
        )
        if way is None:
            return " "  # back to the text
        if way == LAUNCH:
            name, answer = matter.task.name, None if matter.wordless else text
            freight = Freight(name, kind=matter.kind, answer=answer, sid=matter.sid)
            self.post_message(AskLaunch(freight))
            return ""
        copied = await off(matter_jobs.copy, self.workspace, matter, composed.data)
        record = partial(matter_jobs.record, self.workspace, matter, composed.data)
        await self.hand_out(copied, record)
        return ""

    # While a dialog is open.

    @on(Decision.Paused)
    def _paused(self, event: Decision.Paused) -> None:
        deciding = self.deciding
        if deciding is not None and event.decision is deciding[1]:
            self.work("draft", self._keep, deciding[0], event.text, only=True)

    async def _keep(self, matter: Matter, text: str) -> None:
        assert self.workspace is not None
        await off(matter_jobs.save_draft, self.workspace, matter, text)

    def tell(self, facts: Facts) -> None:
        super().tell(facts)
        if self.deciding is None or facts.board is None:
            return
        matter, dialog = self.deciding
        row = facts.board.find(matter.task.name) if matter.task is not None else None
        if matter.task is not None and row is not None and row.task is not None:
            dialog.note(list(changed_line(matter.task, row.task, clock(self.clock()))))


def _given(matter: Matter) -> str:
    return matter.ruling.text if matter.ruling is not None else ""


def _acts(matter: Matter) -> list[Offer]:
    """What else can be decided about a ruling."""
    if matter.kind != RULING:
        return []
    if matter.ruling is not None:
        note = "It is owed again then. Possible until a session worked by it."
        return [Offer(WITHDRAW, "withdraw the ruling", note=note)]
    note = "The next session gets the open findings and nothing that binds it."
    return [Offer(WITHOUT, "the prompt without a ruling", note=note)]
