"""Looking: how the app shows what waits on what, what was sent and what a file once said; the work
itself is in `looking_jobs.py`, in threads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mandrel_tui.protocol.handover import Handover
from mandrel_tui.ui import history_jobs, looking_jobs, triage_jobs
from mandrel_tui.ui.looking_messages import (
    AskAccept,
    AskBytes,
    AskCompare,
    AskGraph,
    AskHistory,
    AskProof,
    AskReadyOnly,
    AskReceiptList,
    AskReceipts,
    AskRestore,
    AskVersion,
    AskWaits,
)
from mandrel_tui.ui.present import number, task_words, words
from mandrel_tui.ui.present_draft import diff_roles
from mandrel_tui.ui.present_history import Seen, version_lines, version_name
from mandrel_tui.ui.present_receipts import Proof, compared_lines, text_name
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.exact import ExactScreen
from mandrel_tui.ui.screens.receipts import ReceiptsScreen
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

    # What was handed over.

    def on_ask_receipts(self, event: AskReceipts) -> None:
        self.push_screen(ReceiptsScreen(self.facts, event.task))

    def on_ask_receipt_list(self, event: AskReceiptList) -> None:
        if self.workspace is not None:
            self.work("receipts", self._receipts, event.task, only=True)

    async def _receipts(self, task: str) -> None:
        assert self.workspace is not None
        self.teach(await off(looking_jobs.receipts, self.workspace, task))

    def on_ask_proof(self, event: AskProof) -> None:
        if self.workspace is not None:
            self.work("proof", self._prove, event.handover, only=True)

    async def _prove(self, handover: Handover) -> None:
        assert self.workspace is not None
        data = await off(looking_jobs.sent, self.workspace, handover)
        self.teach(Proof(handover.id, data is not None, self.clock()))

    def on_ask_bytes(self, event: AskBytes) -> None:
        if self.workspace is not None:
            self.work("bytes", self._show_bytes, event.handover, event.name)

    async def _show_bytes(self, handover: Handover, name: str) -> None:
        assert self.workspace is not None
        data = await off(looking_jobs.sent, self.workspace, handover)
        if data is None:
            self.result(looking_jobs.LOST.format(name), "fail")
            return
        end = f"{number(len(data))} bytes, sha {handover.sha256[:8]}"
        text = data.decode("utf-8", "surrogateescape")
        self.push_screen(ExactScreen(self.facts, name, text, end=end))

    def on_ask_compare(self, event: AskCompare) -> None:
        if self.workspace is not None:
            self.work("bytes", self._compare, event.handover, event.other)

    async def _compare(self, one: Handover, other: Handover | None) -> None:
        assert self.workspace is not None
        if other is not None and other.delivery.at < one.delivery.at:
            one, other = other, one
        name = text_name(one, self.symbols, self.clock())
        against = text_name(other, self.symbols, self.clock()) if other else "assembled now"
        found = await off(looking_jobs.compared, self.workspace, one, other, (name, against))
        if found.fault:
            self.result(f"not compared: {words(found.fault, self.symbols)}", "you")
            return
        said = compared_lines(found)
        text, roles = "\n".join(found.diff), diff_roles(found.diff)
        self.push_screen(ExactScreen(self.facts, "compare", text, said=said, roles=roles))

    # What a file once said.

    def on_ask_history(self, event: AskHistory) -> None:
        if self.workspace is not None:
            self.work("history", self._history, event.task, only=True)

    async def _history(self, name: str) -> None:
        assert self.workspace is not None
        self.teach(await off(history_jobs.history, self.workspace, name))

    def on_ask_version(self, event: AskVersion) -> None:
        if self.workspace is not None:
            self.work("bytes", self._show_version, event.history.task, event.old, event.new)

    async def _show_version(self, name: str, old: Seen | None, new: Seen) -> None:
        assert self.workspace is not None
        digests = (old.sha256 if old is not None else "", new.sha256)
        diff = await off(history_jobs.difference, self.workspace, name, *digests)
        if isinstance(diff, str):
            self.result(diff, "fail")
            return
        said = version_lines(old, new, self.symbols, self.clock())
        title = f"history: {task_words(name, self.symbols)}"
        text, roles = "\n".join(diff), diff_roles(diff)
        self.push_screen(ExactScreen(self.facts, title, text, said=said, roles=roles))

    def on_ask_accept(self, event: AskAccept) -> None:
        if self.workspace is not None:
            self.work("history", self._accept, event.task, event.version)

    async def _accept(self, name: str, version: Seen) -> None:
        """Take a rewritten log as it is, and look for its alarm no more."""
        assert self.workspace is not None
        fault = await off(history_jobs.accept, self.workspace, name, version.sha256)
        said = f"not taken: {fault}" if fault else "the log is taken as it is now"
        self.result(said, "fail" if fault else "text")
        await self._history(name)
        self.read_again()

    def on_ask_restore(self, event: AskRestore) -> None:
        if self.workspace is not None:
            self.work("triage", self._restore, event.task, event.version)

    async def _restore(self, name: str, version: Seen) -> None:
        """Show what putting a version back would change, and write it after a yes."""
        assert self.workspace is not None
        what = f"restore {name} to {version_name(version, self.clock())}"
        plan = partial(history_jobs.restore, self.workspace, name, version.sha256, what)
        made = await off(triage_jobs.planned, plan)
        if made.plan is None:
            self.result(f"not restored: {words(made.fault, self.symbols)}", "you")
        elif await self.plan_wanted(made.plan):
            await self.write_plan(made.plan, name)
