"""Planning: how the app holds the plan gate: takes replies in, hands feedback out, approves; the
work itself is in `gate_jobs.py`, in threads."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from mandrel_tui.protocol.plan_gate import CONFIRM, Gate
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui import gate_jobs
from mandrel_tui.ui.gate_jobs import Stand
from mandrel_tui.ui.gate_messages import (
    AskAgain,
    AskApprove,
    AskFeedback,
    AskGate,
    AskReply,
    AskWithdraw,
)
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import AskCopy, AskPrompt
from mandrel_tui.ui.penning import APPROVAL, FEEDBACK, REPLY, Penning
from mandrel_tui.ui.present import task_words
from mandrel_tui.ui.present_gate import adoption_lines
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.screens.gate import GateScreen
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.session_messages import AskLaunch
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.showing import LAUNCH, Showing
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.typed import typed_path
from mandrel_tui.workspace.visible import shown

CHANGE = "What the plan session is to change."
APPROVES = "Your words go with report {} and change nothing in it; what should change is feedback."
PASTE, FILE, PRINTED = "paste", "file", "printed"


class Planning(Penning):
    """The app's part that holds the plan gate."""

    def on_ask_gate(self, event: AskGate) -> None:
        self.push_screen(GateScreen(self.facts, event.task))

    async def _stand(self, name: str) -> Stand:
        assert self.workspace is not None
        stand = await off(gate_jobs.stand, self.workspace, name)
        if stand.fault:
            self.result(f"{name}: {stand.fault}", "you")
        return stand

    async def _keep_gate(self, gate: Gate, what: str | None, said: str) -> None:
        """Keep a gate, forget the draft it came from, if from any, and show it."""
        assert self.workspace is not None
        note = await off(gate_jobs.keep, self.workspace, gate)
        if not note and what is not None:
            await off(gate_jobs.keep_draft, self.workspace, what, gate.task, "")
        self.result(f"not kept: {note}" if note else said, "fail" if note else "text")
        self.read_again()

    # A reply comes in.

    def on_ask_reply(self, event: AskReply) -> None:
        if self.workspace is not None:
            self.work("gate", self._take_reply, event.task)

    async def _take_reply(self, name: str) -> None:
        stand = await self._stand(name)
        if stand.gate is None:
            return
        offers = [
            Offer(PASTE, "paste or write it"),
            Offer(FILE, "from a file", note="A path; what it would become is shown first."),
        ]
        if stand.printed is not None:
            offers.insert(0, Offer(PRINTED, "what the session printed", note=shown(stand.printed)))
        source = await self.push_screen_wait(Picker("take the reply in", offers))
        while source is not None:
            text = await self._reply_from(source, name, stand)
            if text is None or await self._adopt(name, text):
                return

    async def _reply_from(self, source: str, name: str, stand: Stand) -> str | None:
        """The text of a reply; None when it was left, or cannot be read."""
        if source == PASTE:
            said = "The whole reply of the plan session; what of it becomes the plan is shown next."
            return await self.pen(REPLY, name, said, "show")
        if source == FILE:
            return await self._reply_typed()
        assert stand.printed is not None
        read = await off(gate_jobs.read, stand.printed)
        if read.fault:
            self.result(read.fault, "fail")
            return None
        return read.text

    async def _reply_typed(self) -> str | None:
        """The text of the file whose path is typed, asked for until it can be read."""
        typed, fault = f"{Path.cwd()}/", ""
        said = [line("The file that holds it:")]
        while True:
            asked = await self.push_screen_wait(Asking("the reply", said, typed, fault=fault))
            if asked is None:
                return None
            typed = asked
            read = await off(gate_jobs.read, typed_path(Path.cwd(), typed))
            if not read.fault:
                return read.text
            fault = read.fault

    async def _adopt(self, name: str, text: str) -> bool:
        """Show what a reply would become, and keep it when that is wanted."""
        assert self.workspace is not None
        stand = await self._stand(name)
        if stand.gate is None:
            return True
        gate, now = stand.gate, self.workspace.now()
        made = gate_jobs.after(gate.with_reply, text, now)
        if made.gate is None:
            self.result(made.fault, "you")
            return True
        plan = made.gate.plan.encode("utf-8", "surrogatepass")
        title = f"adopt: {task_words(name, self.symbols)}"
        ask = Showing(title, plan, adoption_lines(made.gate, self.symbols), ways=("adopt",))
        if await self.push_screen_wait(ask) is None:
            return False
        await self._keep_gate(made.gate, REPLY, "the reply is taken in")
        return True

    # Feedback goes out.

    def on_ask_feedback(self, event: AskFeedback) -> None:
        if self.workspace is not None:
            self.work("gate", self._give_feedback, event.task)

    async def _give_feedback(self, name: str) -> None:
        workspace = self.workspace
        assert workspace is not None
        fault = ""
        while True:
            stand = await self._stand(name)
            if stand.gate is None:
                return
            said = f"{stand.banner}\n{CHANGE}"
            text = await self.pen(FEEDBACK, name, said, "show", fault=fault)
            if text is None:
                return
            gate, now = stand.gate, workspace.now()
            made = gate_jobs.after(gate.with_feedback, text, now)
            composed = await off(gate_jobs.compose, workspace, name, text)
            fault = made.fault or composed.fault
            if made.gate is None or not composed.data:
                continue
            if await self._hand_feedback(made.gate, stand, text, composed.data):
                return

    async def _hand_feedback(self, gate: Gate, stand: Stand, text: str, data: bytes) -> bool:
        """Show the exact message, and hand it out when that is wanted."""
        title = f"feedback: {task_words(gate.task, self.symbols)}"
        way = await self.push_screen_wait(Showing(title, data))
        if way is None:
            return False
        if way == LAUNCH:
            await self._keep_gate(gate, FEEDBACK, "your feedback is kept")
            freight = Freight(gate.task, kind=gate_jobs.KIND, answer=text)
            self.post_message(AskLaunch(freight))
        elif await self._copy_feedback(gate, stand, data):
            await self._keep_gate(gate, FEEDBACK, "your feedback is out")
        return True

    async def _copy_feedback(self, gate: Gate, stand: Stand, data: bytes) -> bool:
        assert self.workspace is not None and stand.task is not None
        copied = await off(gate_jobs.copy, self.workspace, gate.task, data)
        record = partial(gate_jobs.record, self.workspace, stand.task, data)
        return await self.hand_out(copied, record)

    def on_ask_again(self, event: AskAgain) -> None:
        if self.workspace is not None:
            self.work("gate", self._copy_again, event.task)

    async def _copy_again(self, name: str) -> None:
        """This round's message: the plan prompt, or the feedback that is out."""
        assert self.workspace is not None
        stand = await self._stand(name)
        if stand.gate is None:
            return
        text = gate_jobs.last_feedback(stand.gate)
        if not text:
            self.post_message(AskCopy(PromptRequest(name, "plan")))
            return
        composed = await off(gate_jobs.compose, self.workspace, name, text)
        if composed.fault:
            self.result(composed.fault, "you")
        else:
            await self._copy_feedback(stand.gate, stand, composed.data)

    # The act.

    def on_ask_approve(self, event: AskApprove) -> None:
        if self.workspace is not None:
            self.work("gate", self._approve, event.task)

    async def _approve(self, name: str) -> None:
        workspace = self.workspace
        assert workspace is not None
        stand = await self._stand(name)
        if stand.gate is None or stand.task is None or not await self._for_now(stand):
            return
        number = stand.gate.latest and stand.gate.latest.number
        said = f"{stand.banner}\n{APPROVES.format(number)}"
        answer = await self.pen(APPROVAL, name, said, "approve", optional=True)
        if answer is None:
            return
        gate, now = stand.gate, workspace.now()
        made = gate_jobs.after(gate.approved, answer or CONFIRM, now)
        if made.gate is None:
            self.result(made.fault, "you")
            return
        await self._keep_gate(made.gate, APPROVAL, "approved: the next dev prompt carries the plan")
        self.post_message(AskPrompt(PromptRequest(name, "dev")))

    async def _for_now(self, stand: Stand) -> bool:
        """Whether a plan for another state of the task shall be approved."""
        assert stand.gate is not None and stand.task is not None
        if stand.gate.same(stand.task):
            return True
        lines = [line("The task changed since the plan was asked for."), line("Approve it still?")]
        return await self.agreed("the plan is for another state", lines, "Go on")

    def on_ask_withdraw(self, event: AskWithdraw) -> None:
        if self.workspace is not None:
            self.work("gate", self._withdraw, event.task)

    async def _withdraw(self, name: str) -> None:
        assert self.workspace is not None
        gate = (await self._stand(name)).gate
        if gate is None or gate.withdrawn() == gate:
            return
        if gate.approval is not None:
            await self._keep_gate(gate.withdrawn(), APPROVAL, "the approval is withdrawn")
            return
        text = gate_jobs.last_feedback(gate)
        note = await off(gate_jobs.keep_draft, self.workspace, FEEDBACK, name, text)
        if note:
            self.result(f"nothing is withdrawn: {note}", "fail")
            return
        said = "your feedback is withdrawn; e begins with its text"
        await self._keep_gate(gate.withdrawn(), None, said)
