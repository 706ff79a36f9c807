"""Looking: how the app shows what waits on what, what was sent and what a file once said; the work
itself is in `looking_jobs.py`, in threads."""

from __future__ import annotations

from dataclasses import replace

from mandrel_tui.ui import looking_jobs
from mandrel_tui.ui.looking_messages import AskGraph, AskReadyOnly, AskWaits
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.waits import WaitsScreen
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triaging import Triaging


class Looking(Triaging):
    """The app's part that shows what lies behind the board."""

    # What waits on what.

    def on_ask_waits(self, event: AskWaits) -> None:
        self.push_screen(WaitsScreen(self.facts, event.task))

    def on_ask_graph(self, event: AskGraph) -> None:
        if self.workspace is not None:
            self.work("graph", self._graph, only=True)

    async def _graph(self) -> None:
        assert self.workspace is not None
        found = await off(looking_jobs.graph, self.workspace)
        if isinstance(found, str):
            self.result(found, "fail")
        else:
            self.teach(found)

    def on_ask_ready_only(self, event: AskReadyOnly) -> None:
        self.work("go", self._ready_only)

    async def _ready_only(self) -> None:
        if self.current_mode != "board":
            await self.show_mode("board")
        board = await self.show_mode("board")
        if isinstance(board, BoardScreen):
            board.narrow(replace(board.choice, ready=True, owed=False, statuses=frozenset()))
            self.result("only what is ready now is shown; f shows all again")
