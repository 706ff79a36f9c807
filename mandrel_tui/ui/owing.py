"""Owing: how the app opens what settles an item of the inbox."""

from __future__ import annotations

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.inbox import Item
from mandrel_tui.ui.desk_messages import AskCloseOut
from mandrel_tui.ui.gate_messages import AskGate
from mandrel_tui.ui.messages import AskNotes, AskSettle, AskTask
from mandrel_tui.ui.present_inbox import has_output, of_index
from mandrel_tui.ui.seat import Seat
from mandrel_tui.ui.session_messages import AskCheck, AskDecide, AskPrinted
from mandrel_tui.ui.triage_messages import AskBlock, AskMend


class Owing(Seat):
    """The app's part that settles what waits for the human."""

    def on_ask_settle(self, event: AskSettle) -> None:
        item = event.item
        if of_index(item):
            self.post_message(AskMend())
        elif not item.task:
            self.post_message(AskNotes())
        elif item.kind == "plan":
            self.post_message(AskGate(item.task))
        elif has_output(item, self._row(item)):
            self.post_message(AskPrinted(item.task))
        elif item.kind == "check":
            self.post_message(AskCheck(item.task))
        elif item.cause == "blockers":
            self.post_message(AskBlock(item.task))
        elif item.kind in ("answer", "rule"):
            self.post_message(AskDecide(item.task))
        elif item.kind == "close":
            self.post_message(AskCloseOut(item.task))
        else:
            tab = "log" if item.cause == REWRITTEN else "flags"
            self.post_message(AskTask(item.task, tab))

    def _row(self, item: Item) -> Row | None:
        board = self.facts.board
        return board.find(item.task) if board is not None else None


REWRITTEN = "log-rewritten"  # the difference is the first row of the log
