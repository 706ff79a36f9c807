"""ReceiptsScreen: what was handed over, when, which way, and the proof of its bytes; it reads
nothing and sends nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widget import Widget

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.ui.actions import RECEIPTS
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.looking_messages import AskBytes, AskCompare, AskProof, AskReceiptList
from mandrel_tui.ui.messages import AskCopyText, Facts
from mandrel_tui.ui.present_receipts import (
    Proof,
    Receipt,
    Receipts,
    empty_receipts,
    labels,
    receipt_lines,
    receipt_rows,
    receipts_title,
    text_name,
)
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import RowList

NOW = "now"  # the name of the offer to compare with what would be assembled now
SETTLE = 0.06  # seconds the cursor rests before a digest is computed again


class ReceiptsScreen(Frame):
    """The receipts of one task, or of all."""

    PLACE = RECEIPTS
    ROW = (
        "list.open",
        "receipts.compare",
        "receipts.all",
        "list.find",
        "list.copy-id",
        "app.back",
        "app.help",
    )
    ACTS = ("list.open", "receipts.compare", "receipts.all", "list.copy-id")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(RECEIPTS)
    CSS_PATH = "receipts.tcss"

    def __init__(self, facts: Facts, task: str = "") -> None:
        """`task` is the one it begins with, empty for all."""
        super().__init__(facts)
        self.receipts_held = self.receipts_task = task
        self.receipts = Receipts(task, ())
        self.proof: Proof | None = None
        self._receipts_board: Board | None = None
        self._receipts_timer: Timer | None = None

    def body(self) -> ComposeResult:
        self.rows = RowList(id="receipt-list")
        self.said = Lines(id="receipt-said")
        yield Pane(PaneHeader("receipts"), self.rows, id="receipts", classes="pane")
        yield PaneHeader("what went out", id="receipt-head")
        yield self.said

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.focus()
        self._ask()

    def show(self, facts: Facts) -> None:
        if facts.board is not self._receipts_board and self._receipts_board is not None:
            self._ask()
        self._receipts_board = facts.board

    def _ask(self) -> None:
        self.post_message(AskReceiptList(self.receipts_task))

    def learn(self, value: object) -> None:
        if isinstance(value, Receipts) and value.task == self.receipts_task:
            self.receipts = value
            self.rows.set_empty(empty_receipts(value))
            self._show_list()
            self._settle()
        elif isinstance(value, Proof) and value.handover == self.rows.key:
            self.proof = value
            self._show_receipt()

    def laid_out(self) -> None:
        if self.is_mounted:
            self._show_list()

    def tick(self) -> None:
        self._show_list()

    def _show_list(self) -> None:
        header = self.query_one("#receipts", Pane).pane_header
        header.set_title(receipts_title(self.receipts, self.symbols))
        cells = self.size.width
        self.rows.set_rows(list(receipt_rows(self.receipts, self.symbols, self.moment, cells)))

    @property
    def receipt(self) -> Receipt | None:
        """The one under the cursor."""
        return self.receipts.find(self.rows.key)

    @on(RowList.Highlighted, "#receipt-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        if self._receipts_timer is not None:
            self._receipts_timer.stop()
        self._receipts_timer = self.set_timer(SETTLE, self._settle)

    def _settle(self) -> None:
        """The cursor rests: the digest of its row is computed again."""
        self.proof = None
        self._show_receipt()
        receipt = self.receipt
        if receipt is not None:
            self.post_message(AskProof(receipt.handover))

    def _show_receipt(self) -> None:
        receipt = self.receipt
        self.query_one("#receipt-head").display = self.said.display = receipt is not None
        if receipt is not None:
            self.said.set_lines(receipt_lines(receipt, self.proof, self.symbols, self.moment))
        self.retell()

    @on(RowList.Opened, "#receipt-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        receipt = self.receipt
        if receipt is not None:
            name = text_name(receipt.handover, self.symbols, self.moment)
            self.post_message(AskBytes(receipt.handover, name))

    # Actions.

    def why(self, action: str) -> str:
        if action == "receipts.all":
            return "" if self.receipts_held else "these are those of every task"
        if action in ("list.open", "receipts.compare", "list.copy-id") and self.receipt is None:
            return "nothing was handed over"
        return ""

    def labels(self) -> Mapping[str, str]:
        return labels(self.receipts_task, self.receipts_held)

    def action_receipts_all(self) -> None:
        if not self.refused("receipts.all"):
            self.receipts_task = "" if self.receipts_task else self.receipts_held
            self._ask()

    def action_receipts_compare(self) -> None:
        receipt = self.receipt
        if self.refused("receipts.compare") or receipt is None:
            return
        one = receipt.handover
        known = self.receipts

        def chosen(name: str) -> None:
            other = known.find(name) if name != NOW else None
            self.post_message(AskCompare(one, other.handover if other is not None else None))

        self.ask(Picker("compare with", self._offers(one)), chosen)

    def _offers(self, one: Handover) -> Iterator[Offer]:
        """What a text can be compared with: what would be assembled now, then other receipts,
        those of its task first."""
        reason = "" if one.opens else "a message is not assembled again"
        form = "in its form" if one.form else "of all forms the nearest"
        note = f"Of its kind, with its sid and its time; {form}."
        yield Offer(NOW, "what would be assembled now", note=note, reason=reason)
        others = [row.handover for row in self.receipts.rows if row.handover.id != one.id]
        for other in sorted(others, key=lambda each: each.task != one.task):
            name = text_name(other, self.symbols, self.moment)
            yield Offer(other.id, name, other.sha256[:8], group="receipts")

    def action_list_copy_id(self) -> None:
        receipt = self.receipt
        if receipt is not None:
            self.post_message(AskCopyText(receipt.handover.sha256, "the digest"))

    def acts_title(self) -> str:
        receipt = self.receipt
        if receipt is None:
            return "receipts"
        return text_name(receipt.handover, self.symbols, self.moment)

    def panes(self) -> Iterable[Widget]:
        return (self.rows,)
