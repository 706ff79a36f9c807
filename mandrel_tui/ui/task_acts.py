"""Task acts: what can be done with the task in hand, the same on the board, in its own screen and
in the inbox; it does nothing itself but ask."""

from __future__ import annotations

from collections.abc import Iterable

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.desk_messages import AskCloseOut, AskCurate
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.gate_messages import AskGate
from mandrel_tui.ui.looking_messages import AskReceipts, AskWaits
from mandrel_tui.ui.menus import HAND
from mandrel_tui.ui.messages import AskCopy, AskPrompt, Used
from mandrel_tui.ui.present import task_words, words
from mandrel_tui.ui.present_desk import no_block, no_closeout
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.present_matter import MESSAGE, message_offers, nothing_owed
from mandrel_tui.ui.present_prompt import ROLE_KINDS, ROLE_WORDS
from mandrel_tui.ui.present_session import OUTPUT, UNUSED, session_offers
from mandrel_tui.ui.session_messages import AskCheck, AskDecide, AskLaunch, AskPrinted, AskUnused
from mandrel_tui.ui.triage_messages import AskBlock, AskEdit, AskNew, AskUndo
from mandrel_tui.ui.widgets.picker import Offer

TASK_ACTS = (
    "task.copy-prompt",
    "task.prompt",
    "task.launch",
    "task.check",
    "task.answer",
    "task.closeout",
    "task.edit",
    "task.block",
)
FREE = ("task.new", "task.graph", "task.receipts")  # what needs no task


class TaskActs(Frame):
    """A screen with a task in hand."""

    @property
    def acted(self) -> Row | None:
        """The task in hand; None for none."""
        raise NotImplementedError

    @property
    def no_task(self) -> str:
        """Why there is no task in hand."""
        return "no task is chosen"

    def why(self, action: str) -> str:
        if not action.startswith("task.") or action in FREE:
            return ""
        row = self.acted
        if row is None:
            return self.no_task
        if action == "task.closeout":
            return no_closeout(row)
        if row.archived:
            return "" if action == "task.check" else f"{self.short_name(row)} is archived"
        if row.unread is not None:
            return f"{self.short_name(row)} cannot be read"
        if action == "task.block":
            return no_block(row)
        return nothing_owed(row) if action == "task.answer" else ""

    def short_name(self, row: Row) -> str:
        """The name of a task without its date."""
        return task_words(row.name, self.symbols)

    def _use(self, action: str) -> str:
        """The task to act on, which counts as used; empty, and said why, where it cannot be."""
        row = self.acted
        if self.refused(action) or row is None:
            return ""
        self.post_message(Used(row.name))
        return row.name

    def action_task_copy_prompt(self) -> None:
        if name := self._use("task.copy-prompt"):
            self.post_message(AskCopy(PromptRequest(name)))

    def action_task_prompt(self) -> None:
        if name := self._use("task.prompt"):
            self.post_message(AskPrompt(PromptRequest(name)))

    def action_task_launch(self) -> None:
        if name := self._use("task.launch"):
            self.post_message(AskLaunch(Freight(name, PromptRequest(name))))

    def action_task_check(self) -> None:
        if name := self._use("task.check"):
            self.post_message(AskCheck(name))

    def action_task_answer(self) -> None:
        if name := self._use("task.answer"):
            self.post_message(AskDecide(name))

    def action_task_closeout(self) -> None:
        if name := self._use("task.closeout"):
            self.post_message(AskCloseOut(name))

    def action_task_new(self) -> None:
        self.post_message(AskNew())

    def action_task_edit(self) -> None:
        if name := self._use("task.edit"):
            self.post_message(AskEdit(name))

    def action_task_block(self) -> None:
        if name := self._use("task.block"):
            self.post_message(AskBlock(name))

    def action_task_graph(self) -> None:
        row = self.acted
        self.post_message(AskWaits(row.name if row is not None else ""))

    def action_task_receipts(self) -> None:
        row = self.acted
        self.post_message(AskReceipts(row.name if row is not None else ""))

    def action_board_curate(self) -> None:
        self.post_message(AskCurate(""))

    def action_app_undo(self) -> None:
        self.post_message(AskUndo())

    def by_hand(self) -> Iterable[Offer]:
        row = self.acted
        if row is None or row.turn is None:
            return
        state, legal = words(row.turn.reason, self.symbols), row.turn.legal
        for role in sorted(ROLE_WORDS, key=lambda role: role not in legal):
            reason = "" if role in legal else state
            label = "plan gate" if role == "plan" else f"prompt: {ROLE_WORDS[role]}"
            yield Offer(HAND + role, label, reason=reason, group="by hand")
        for name, label, note in session_offers(row):
            yield Offer(HAND + name, label, note=note, group="its session")
        for name, label, note in message_offers(row):
            yield Offer(HAND + name, label, note=note, group="to its session")

    def chosen_by_hand(self, name: str) -> None:
        row = self.acted
        if row is None:
            return
        asked = {"plan": AskGate, UNUSED: AskUnused, OUTPUT: AskPrinted}.get(name)
        if asked is not None:
            self.post_message(asked(row.name))
        elif name.startswith(MESSAGE):
            self.post_message(AskDecide(row.name, name.removeprefix(MESSAGE)))
        else:
            self.post_message(AskPrompt(PromptRequest(row.name, ROLE_KINDS[name])))
