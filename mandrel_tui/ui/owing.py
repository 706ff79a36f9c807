"""Owing: how the app opens what settles an item of the inbox."""

from __future__ import annotations

from mandrel_tui.ui.desk_messages import AskCloseOut
from mandrel_tui.ui.gate_messages import AskGate
from mandrel_tui.ui.messages import AskNotes, AskSettle, AskTask
from mandrel_tui.ui.present_inbox import of_index
from mandrel_tui.ui.seat import Seat
from mandrel_tui.ui.session_messages import AskCheck, AskDecide
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


REWRITTEN = "log-rewritten"  # the difference is the first row of the log
