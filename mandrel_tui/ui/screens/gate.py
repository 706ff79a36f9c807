"""GateScreen: the plan gate of one task: the rounds, the report or its difference, and the one act
that approves; it decides nothing itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from mandrel_tui.protocol.board import Row as BoardRow
from mandrel_tui.protocol.plan_gate import Gate
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.actions import GATE
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.gate_messages import AskAgain, AskApprove, AskFeedback, AskReply, AskWithdraw
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.menus import HAND
from mandrel_tui.ui.messages import AskCopyText, AskPrompt, Facts
from mandrel_tui.ui.present import task_words
from mandrel_tui.ui.present_draft import diff_roles
from mandrel_tui.ui.present_gate import (
    PROMPT,
    Round,
    against,
    foot_lines,
    no_plan,
    round_row,
    rounds_of,
    warning_lines,
)
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.session_messages import AskLaunch
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer
from mandrel_tui.ui.widgets.prose import Prose
from mandrel_tui.ui.widgets.rows import Row, RowList


class GateScreen(Frame):
    """The plan of one task in the making."""

    PLACE = GATE
    ROW = (
        "plan.reply",
        "plan.feedback",
        "plan.copy",
        "plan.approve",
        "plan.diff",
        "task.launch",
        "app.actions",
        "app.back",
        "app.help",
    )
    ACTS = (
        "plan.approve",
        "plan.reply",
        "plan.feedback",
        "plan.copy",
        "task.launch",
        "plan.diff",
        "list.copy-id",
    )
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(GATE)
    CSS_PATH = "gate.tcss"

    def __init__(self, facts: Facts, name: str) -> None:
        super().__init__(facts)
        self.task_name = name
        self.differs = False
        self._gate_seen = -1  # how many rounds were there when it was shown last

    def body(self) -> ComposeResult:
        self.rounds = RowList(id="rounds-list")
        self.report = Prose(id="report")
        self.diff = Exact(id="report-diff")
        yield PaneHeader("plan gate", id="gate-head")
        with Horizontal(id="gate"):
            yield Pane(
                PaneHeader("revisions"),
                self.rounds,
                Lines(id="warnings"),
                id="rounds",
                classes="pane",
            )
            yield Pane(PaneHeader("report"), self.report, self.diff, id="text", classes="pane")
        yield Lines(id="foot")

    def on_mount(self) -> None:
        super().on_mount()
        self.rounds.focus()

    @property
    def row(self) -> BoardRow | None:
        """The board's row of the task."""
        board = self.facts.board
        found = board.find(self.task_name) if board is not None else None
        return found if found is not None and not found.archived else None

    @property
    def gate(self) -> Gate | None:
        """The gate as it is kept."""
        return self.row.gate if self.row is not None else None

    @property
    def current(self) -> Round | None:
        """The round under the cursor."""
        key = self.rounds.key
        return next((one for one in rounds_of(self.gate) if one.key == key), None)

    def show(self, facts: Facts) -> None:
        gate, now = self.gate, self.moment
        name = task_words(self.task_name, self.symbols)
        told = len(gate.revisions) if gate is not None else 0
        title = f"plan gate: {name}" + (f", round {told}" if told else "")
        self.query_one("#gate-head", PaneHeader).set_title(title)
        found = rounds_of(gate)
        rows = [Row(PROMPT, (("the plan prompt", "text"),))]
        for one in found:
            made = round_row(one, self.symbols, now)
            rows.append(Row(one.key, made.left, made.right, find=made.text))
        newest = found[-1].key if found and len(found) != self._gate_seen else None
        self._gate_seen = len(found)
        self.rounds.set_rows(rows, key=newest)
        self.query_one("#foot", Lines).set_lines(foot_lines(gate, self.row, self.symbols, now))
        self._show_text()

    @on(RowList.Highlighted, "#rounds-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_text()
        self.retell()

    @on(RowList.Opened, "#rounds-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.key == PROMPT:
            self.post_message(AskPrompt(PromptRequest(self.task_name, "plan")))
        else:
            (self.diff if self.diff.display else self.report).focus()

    def _show_text(self) -> None:
        """The report of the round in hand, or its difference to the one it replaced."""
        one, gate = self.current, self.gate
        warnings = warning_lines(one, self.symbols, self.moment)
        self.query_one("#warnings", Lines).set_lines(warnings)
        header = self.query_one("#text", Pane).pane_header
        lines: tuple[str, ...] = ()
        title, text = "the plan prompt", "Enter shows the prompt; c copies it, l launches it."
        if one is not None and one.revision is None:
            title, text = "your feedback", one.step.text
        elif one is not None and one.revision is not None and gate is not None:
            title, text = f"report {one.revision.number}", one.revision.adopted.text
            if self.differs:
                lines, against_title = against(gate, gate.revisions.index(one.revision))
                title = against_title or f"{title}, nothing to compare with"
        header.set_title(title)
        header.set_end("d report" if self.differs else "d diff")
        self.report.display, self.diff.display = not lines, bool(lines)
        self.diff.set_text("\n".join(lines), top=True, roles=diff_roles(lines))
        self.report.set_text(text, top=True)

    # Actions.

    def why(self, action: str) -> str:
        if not action.startswith(("plan.", "task.")) or action == "plan.diff":
            return ""
        gate = self.gate
        barred = no_plan(self.row)
        if barred:
            return barred
        if gate is not None and gate.approval is not None:
            return "the plan is approved; Space withdraws that"
        return self._why_now(action, gate)

    def _why_now(self, action: str, gate: Gate | None) -> str:
        waits = gate is not None and gate.waits
        if action == "plan.feedback" and not waits:
            return "no reply waits for feedback"
        if action == "plan.approve" and (gate is None or not gate.plan):
            return "there is no plan yet"
        if action == "plan.approve" and not waits:
            return "your feedback is out; its reply comes first, or Space withdraws it"
        if action in ("plan.copy", "task.launch") and waits:
            return "a reply waits: e writes feedback, a approves"
        return ""

    def sentence(self) -> Line:
        name = task_words(self.task_name, self.symbols)
        gate = self.gate
        if gate is not None and gate.approval is not None:
            return line(f"next  {name}: the dev prompt, which carries this plan", "quiet")
        if gate is not None and gate.waits and gate.latest is not None:
            number = gate.latest.number
            return line(f"next  {name}: your approval or feedback on report {number}", "quiet")
        return line(f"next  {name}: {'the reply' if gate is not None else 'the plan'}", "quiet")

    def acts_title(self) -> str:
        return task_words(self.task_name, self.symbols)

    def by_hand(self) -> Iterable[Offer]:
        gate = self.gate
        if gate is not None and gate.approval is not None:
            note = "The next dev prompt does not carry the plan then."
            yield Offer(f"{HAND}withdraw", "withdraw the approval", note=note, group="by hand")
        elif gate is not None and gate.steps and not gate.waits:
            note = "The report before it waits for you again; what was sent is not called back."
            yield Offer(f"{HAND}withdraw", "withdraw your feedback", note=note, group="by hand")

    def chosen_by_hand(self, name: str) -> None:
        if name == "withdraw":
            self.post_message(AskWithdraw(self.task_name))

    def panes(self) -> Iterable[Widget]:
        return (self.rounds, self.diff if self.diff.display else self.report)

    def action_plan_reply(self) -> None:
        if not self.refused("plan.reply"):
            self.post_message(AskReply(self.task_name))

    def action_plan_feedback(self) -> None:
        if not self.refused("plan.feedback"):
            self.post_message(AskFeedback(self.task_name))

    def action_plan_copy(self) -> None:
        if not self.refused("plan.copy"):
            self.post_message(AskAgain(self.task_name))

    def action_plan_approve(self) -> None:
        if not self.refused("plan.approve"):
            self.post_message(AskApprove(self.task_name))

    def action_plan_diff(self) -> None:
        self.differs = not self.differs
        self._show_text()

    def action_task_launch(self) -> None:
        if self.refused("task.launch"):
            return
        gate = self.gate
        feedback = gate.steps[-1].text if gate is not None and gate.steps else ""
        request = PromptRequest(self.task_name, "plan")
        freight = Freight(self.task_name, request)
        if feedback:
            freight = Freight(self.task_name, kind="plan-feedback", answer=feedback)
        self.post_message(AskLaunch(freight))

    def action_list_copy_id(self) -> None:
        self.post_message(AskCopyText(self.task_name, "the id"))
