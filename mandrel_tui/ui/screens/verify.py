"""VerifyScreen: whether a closeout left everything as it must be; it mends nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui.actions import VERIFY
from mandrel_tui.ui.desk_messages import AskCloseoutFollow, AskUndoCloseout, AskVerify
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopyText, AskMode, Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_closed import (
    Verified,
    verified_end,
    verified_row,
    verified_sentence,
    verified_title,
)
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.session_messages import AskLaunch
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList


class VerifyScreen(StepScreen):
    """The last step of a closeout, and all of one that an agent made."""

    PLACE = VERIFY
    STEP = "verify"
    ROW = (
        "list.copy-id",
        "follow.copy",
        "follow.send",
        "app.undo",
        "app.board",
        "app.back",
        "app.help",
    )
    ACTS = ("list.copy-id", "follow.copy", "follow.send", "app.undo", "tab.prev", "app.board")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(VERIFY)
    CSS_PATH = "verify.tcss"

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        super().__init__(facts, desk, drafts)
        self.found = Verified(desk.name)

    def step_body(self) -> ComposeResult:
        self.rows = RowList(empty="looking", id="results-list")
        self.output = Exact(id="said-text")
        yield Pane(PaneHeader("verify"), self.rows, id="results", classes="pane")
        yield PaneHeader("report", id="report-head")
        yield Lines(id="report")
        yield Pane(PaneHeader("git said"), self.output, id="said", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.focus()
        self.post_message(AskVerify(self.desk.name))

    def learn(self, value: object) -> None:
        super().learn(value)
        if isinstance(value, Verified) and value.task == self.desk.name and self.in_place:
            self.found = value
            self._show()
            self.retell()

    def show(self, facts: Facts) -> None:
        """What is on the board changed: what holds may be another thing now."""
        if self.found.results:
            self.post_message(AskVerify(self.desk.name))

    def _show(self) -> None:
        found, symbols = self.found, self.symbols
        header = self.query_one("#results", Pane).pane_header
        header.set_title(verified_title(found))
        header.set_end((verified_end(found),))
        self.rows.set_empty("" if found.fault else "looking")
        self.rows.set_rows(
            [
                Row(result.id, shown.left, find=shown.text)
                for result in found.results
                for shown in [verified_row(result, symbols)]
            ]
        )
        self.query_one("#report", Lines).set_lines(self._report())
        self.set_class(bool(found.said), "-said")
        self.output.set_text(found.said)

    def _report(self) -> list[Line]:
        found = self.found
        lines = []
        if found.commit:
            lines.append(Line((("commit  ", "quiet"), (found.commit, "text"))))
        if found.audit:
            lines.append(line(words(found.audit, self.symbols)))
        else:
            lines.append(line("No audit line was kept.", "quiet"))
        if found.note:
            lines.append(line(words(found.note, self.symbols), "you"))
        failed = next((r for r in found.results if r.id == self.rows.key and not r.passed), None)
        if failed is not None:
            lines.append(line(words(failed.requirement, self.symbols), "quiet"))
        return lines

    def sentence(self) -> Line:
        return verified_sentence(self.found, self.symbols)

    def labels(self) -> Mapping[str, str]:
        return {**super().labels(), "list.copy-id": "copy audit line", "follow.copy": "ask again"}

    def acts_title(self) -> str:
        return "verify"

    def panes(self) -> Iterable[Widget]:
        return (w for w in (self.rows, self.output) if w in self.focus_chain)

    def why(self, action: str) -> str:
        if action == "list.copy-id":
            return "" if self.found.audit else "no audit line was kept"
        if action in ("follow.copy", "follow.send"):
            return "" if self.found.failed else "nothing is missing"
        if action == "app.undo":
            return "" if self.found.undoable else "no closeout of it is remembered here"
        if action == "tab.prev" and (self.found.done or not self.desk.native):
            return "the closeout is done"
        return super().why(action)

    def action_list_copy_id(self) -> None:
        if not self.refused("list.copy-id"):
            self.post_message(AskCopyText(self.found.audit, "the audit line"))

    def action_follow_copy(self) -> None:
        if not self.refused("follow.copy"):
            self.post_message(AskCloseoutFollow(self.desk.name))

    def action_follow_send(self) -> None:
        if not self.refused("follow.send"):
            self.post_message(AskLaunch(Freight(self.desk.name, kind="closeout-incomplete")))

    def action_app_undo(self) -> None:
        if not self.refused("app.undo"):
            self.post_message(AskUndoCloseout(self.desk.name))

    def action_app_board(self) -> None:
        self.post_message(AskMode("board"))
