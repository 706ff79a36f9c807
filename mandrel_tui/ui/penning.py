"""Penning: how a text of the human's for a plan gate is written, and kept as a draft meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on

from mandrel_tui.protocol.plan_gate import CONFIRM
from mandrel_tui.ui import gate_jobs
from mandrel_tui.ui.clean import clean
from mandrel_tui.ui.lending import Lending
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import task_words
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.widgets.decision import Decision

REPLY, FEEDBACK, APPROVAL = "plan-reply", "plan-feedback", "plan-approval"


@dataclass
class Penned:
    """A text that is being written for a gate: what it is, for which task, in which dialog."""

    what: str
    task: str
    dialog: Decision


class Penning(Lending):
    """The app's part that has texts written."""

    penned: Penned | None = None

    async def pen(
        self, what: str, name: str, said: str, verb: str, *, optional: bool = False, fault: str = ""
    ) -> str | None:
        """A text of the human's, kept as a draft while it is written; None when it was left."""
        assert self.workspace is not None
        before = await off(gate_jobs.draft, self.workspace, what, name)
        words_of = {REPLY: "the reply", FEEDBACK: "your feedback", APPROVAL: "your answer"}[what]
        dialog = Decision(
            f"{what.replace('-', ' ')}: {task_words(name, self.symbols)}",
            lambda cells: [line(row) for row in clean(said).split("\n") if row.strip()],
            lambda text: f"{words_of}, {len(text.encode('utf-8', 'surrogatepass')):,} bytes",
            state=[line(f"An empty answer says {CONFIRM}.", "quiet")] if optional else (),
            text=before,
            optional=optional,
            verb=verb,
            fault=fault,
        )
        self.penned = Penned(what, name, dialog)
        try:
            answered = await self.push_screen_wait(dialog)
        finally:
            self.penned = None
        left = dialog.draft
        note = await off(gate_jobs.keep_draft, self.workspace, what, name, left)
        if answered is None and left.strip():
            self.result(f"not kept: {note}" if note else "the draft is kept", "quiet")
        return answered.text if answered is not None else None

    @on(Decision.Paused)
    def _pen_paused(self, event: Decision.Paused) -> None:
        penned = self.penned
        if penned is not None and event.decision is penned.dialog:
            self.work("pen", self._keep_penned, penned, event.text, only=True)

    async def _keep_penned(self, penned: Penned, text: str) -> None:
        assert self.workspace is not None
        await off(gate_jobs.keep_draft, self.workspace, penned.what, penned.task, text)
