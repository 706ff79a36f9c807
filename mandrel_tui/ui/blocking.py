"""Blocking: how the app blocks a task and frees it again; the work itself is in `triage_jobs.py`,
in threads."""

from __future__ import annotations

from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.ui import triage_jobs
from mandrel_tui.ui.blank import Values
from mandrel_tui.ui.drafting import Drafting
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import task_words
from mandrel_tui.ui.present_draft import (
    answered,
    block_blanks,
    block_fault,
    block_reason,
    unblock_blanks,
    unblock_fault,
)
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triage_messages import AskBlock
from mandrel_tui.ui.widgets.form import Form
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.workspace import triage


class Blocking(Drafting):
    """The app's part that blocks and frees."""

    def on_ask_block(self, event: AskBlock) -> None:
        if self.workspace is not None:
            self.work("triage", self._block_or_free, event.task)

    async def _block_or_free(self, name: str) -> None:
        assert self.workspace is not None
        file = await off(triage_jobs.task_file, self.workspace, name)
        if isinstance(file, str):
            self.result(file, "fail")
            return
        if not file.task.blockers and file.task.status is not Status.BLOCKED:
            await self._block(file.task)
            return
        offers = (
            Offer("free", "free it", note="What is over no longer blocks it."),
            Offer("more", "block it by something else too"),
        )
        title = f"blocked: {task_words(name, self.symbols)}"
        chosen = await self.push_screen_wait(Picker(title, offers))
        if chosen is not None:
            await (self._free if chosen == "free" else self._block)(file.task)

    async def _block(self, task: Task) -> None:
        workspace = self.workspace
        assert workspace is not None
        others = await off(triage_jobs.others, workspace, task.name)

        def make(values: Values | None, fault: str) -> Form:
            said = [line("A question, an event outside, or another task.", "quiet")]
            title = f"block: {task_words(task.name, self.symbols)}"
            blanks = list(block_blanks(others, values))
            return Form(
                *(title, said, blanks), verb="show", leave="leaves", said=fault, fault=block_fault
            )

        await self.fill_in(
            make,
            lambda values: triage.plan_block(workspace, task.name, block_reason(values)),
            task.name,
        )

    async def _free(self, task: Task) -> None:
        workspace = self.workspace
        assert workspace is not None

        def make(values: Values | None, fault: str) -> Form:
            said = [line("With none left it returns to the status it had.", "quiet")]
            title = f"free: {task_words(task.name, self.symbols)}"
            blanks = list(unblock_blanks(task, values))
            check = unblock_fault if task.blockers else lambda values: ""
            return Form(
                *(title, said, blanks), verb="show", leave="leaves", said=fault, fault=check
            )

        await self.fill_in(
            make,
            lambda values: triage.plan_unblock(workspace, task.name, answered(task, values)),
            task.name,
        )
