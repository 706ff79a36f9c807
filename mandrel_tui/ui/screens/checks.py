"""ChecksScreen: whether a session kept its word: each check with its evidence, what it was judged
by, and the message that asks to mend what failed; it checks nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.board import Row as BoardRow
from mandrel_tui.protocol.board import slug
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.ui.actions import CHECKS
from mandrel_tui.ui.blank import Blank, Values
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.menus import HAND
from mandrel_tui.ui.messages import AskCopy, AskCopyText, AskTask, Facts
from mandrel_tui.ui.present import clock, words
from mandrel_tui.ui.present_checks import (
    BEFORE_STATUS,
    Asked,
    Findings,
    basis_line,
    basis_title,
    findings_count,
    findings_sentence,
    findings_title,
    given_of,
    message_title,
    next_text,
    no_next,
    with_words,
)
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.present_matter import MESSAGE, message_offers, nothing_owed
from mandrel_tui.ui.session_messages import AskDecide, AskFindings, AskFollow, AskLaunch
from mandrel_tui.ui.widgets.check_list import CheckList
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.form import Filled, Form
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.picker import Offer

FOLLOWS = ("follow.copy", "follow.send")


class ChecksScreen(Frame):
    """The checks of one session, as they came out when they were made."""

    PLACE = CHECKS
    ROW = (
        "follow.copy",
        "follow.send",
        "task.check",
        "list.open",
        "check.before",
        "task.answer",
        "list.copy-id",
        "app.actions",
        "app.back",
        "app.help",
    )
    ACTS = ("follow.copy", "task.check", "list.open", "check.before", "task.answer", "list.copy-id")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(CHECKS)
    CSS_PATH = "checks.tcss"

    def __init__(self, facts: Facts, asked: Asked) -> None:
        super().__init__(facts)
        self.asked = asked
        self.found = Findings(asked)
        self.moved = ""  # when the file changed after it was checked

    def body(self) -> ComposeResult:
        self.checks = CheckList(id="checks-list")
        self.message = Exact(id="message-text")
        yield Pane(PaneHeader("checks"), self.checks, id="checks", classes="pane")
        yield PaneHeader("before", id="before-head")
        yield Lines(id="before")
        yield Pane(PaneHeader("follow-up"), self.message, id="message", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.checks.focus()
        self._check()

    @property
    def name(self) -> str:
        """The task, as short as can be."""
        return slug(self.asked.task)

    @property
    def row(self) -> BoardRow | None:
        """The board's row of the task, None where it is not active."""
        board = self.facts.board
        found = board.find(self.asked.task) if board is not None else None
        return found if found is not None and not found.archived else None

    def show(self, facts: Facts) -> None:
        row = self.row
        seen = self.found.task
        if not self.found.whole or seen is None or self.moved or row is None or row.task is None:
            return
        if row.task.sha256 != seen.sha256:
            self.moved = f"changed at {clock(self.moment)}, v again"
            self._title()

    def laid_out(self) -> None:
        if self.is_mounted:
            self._fill()

    # Checking.

    def _check(self) -> None:
        self.moved = ""
        self.found = replace(self.found, whole=False)
        self._fill()
        self.post_message(AskFindings(self.asked))

    def learn(self, value: object) -> None:
        if not isinstance(value, Findings) or value.asked != self.asked:
            return
        done = value.whole and not self.found.whole
        self.found = with_words(value, self.moment)
        self._fill()
        if done and self.checks.cursor == 0:
            self.checks.go_to_failure()
        self.retell()

    def _fill(self) -> None:
        found = self.found
        self._title()
        self.checks.show_findings(found)
        now = self.moment
        head = self.query_one("#before-head", PaneHeader)
        head.set_title(basis_title(found, self.symbols, now))
        self.query_one("#before", Lines).set_lines([basis_line(found, self.symbols)])
        pane = self.query_one("#message", Pane)
        pane.pane_header.set_title(message_title(found, self.symbols))
        text = found.message.decode("utf-8", "surrogateescape") or next_text(found)
        self.message.set_text(text, top=True)

    def _title(self) -> None:
        header = self.query_one("#checks", Pane).pane_header
        header.set_title(findings_title(self.found, self.name, self.symbols))
        header.set_end(((self.moved, "you"),) if self.moved else (findings_count(self.found),))

    @on(CheckList.Evidence)
    def _evidence(self, event: CheckList.Evidence) -> None:
        """Open the evidence: the line of the task file, or all that git said."""
        event.stop()
        if event.line is not None:
            self.post_message(AskTask(self.asked.task, "raw", event.line))
            return
        lines = [line(words(text, self.symbols)) for text in event.said.split("\n")]
        self.app.push_screen(Question("evidence", lines, [Choice("close", "Close")], "close"))

    # Actions.

    def why(self, action: str) -> str:
        found = self.found
        if action in (*FOLLOWS, "list.copy-id", "list.open") and found.report is None:
            return found.problem or "it is not checked yet"
        if action == "task.answer":
            return nothing_owed(self.row) if self.row is not None else "the task is not active"
        if action in FOLLOWS and not found.whole:
            return "git is still asked"
        if action in FOLLOWS and found.exhausted:
            return "three follow-ups did not help, so it is your call; F8 copies one all the same"
        if action in FOLLOWS and found.passed:
            return words(no_next(found, self._ruled), self.symbols)
        return ""

    @property
    def _ruled(self) -> bool:
        """Whether the ruling that the turn waits for was given."""
        return self.row is not None and self.row.ruled

    def sentence(self) -> Line:
        return findings_sentence(self.found, self.name, self.symbols, self._ruled)

    def labels(self) -> Mapping[str, str]:
        """When all pass there is nothing to send to the session: the next one is launched."""
        launch = {"follow.send": "launch"} if self.found.passed else {}
        return {**super().labels(), **launch}

    def acts_title(self) -> str:
        return words(self.name, self.symbols)

    def by_hand(self) -> Iterable[Offer]:
        if self.found.exhausted:
            note = "Three did not help; this would be one more of the same."
            yield Offer(f"{HAND}follow", "follow-up all the same", note=note, group="by hand")
        for name, label, note in message_offers(self.row):
            yield Offer(HAND + name, label, note=note, group="to its session")

    def chosen_by_hand(self, name: str) -> None:
        if name == "follow":
            self.post_message(AskFollow(self.asked))
        else:
            self.post_message(AskDecide(self.asked.task, name.removeprefix(MESSAGE)))

    def panes(self) -> Iterable[Widget]:
        return (self.checks, self.message)

    def action_task_check(self) -> None:
        self._check()

    def action_follow_send(self) -> None:
        report = self.found.report
        if self.refused("follow.send") or report is None:
            return
        name = self.asked.task
        if self.found.passed:
            freight = Freight(name, PromptRequest(name))
        else:
            freight = Freight(name, kind=report.followup, sid=report.sid, given=self.asked.given)
        self.post_message(AskLaunch(freight))

    def action_task_answer(self) -> None:
        if not self.refused("task.answer"):
            self.post_message(AskDecide(self.asked.task))

    def action_follow_copy(self) -> None:
        if self.refused("follow.copy"):
            return
        if self.found.passed:
            self.post_message(AskCopy(PromptRequest(self.asked.task)))
        else:
            self.post_message(AskFollow(self.asked))

    def action_list_copy_id(self) -> None:
        report = self.found.report
        if not self.refused("list.copy-id") and report is not None:
            self.post_message(AskCopyText(report.sid, "the sid"))

    def action_check_before(self) -> None:
        """Let the human say what held before the session."""
        said = [line("Empty means: as it is recorded, or inferred.", "quiet")]
        form = Form(
            f"before: {self.name}",
            said,
            list(self._blanks()),
            verb="check",
            leave="leaves",
            fault=self._fault,
        )
        self.ask(form, self._given)

    def _blanks(self) -> Iterator[Blank]:
        given = self.asked.given
        report = self.found.report
        est = given.est_before
        before = self.found.absent.before if self.found.absent is not None else ""
        yield Blank("sid", "session", self.asked.sid or (report.sid if report else before))
        yield Blank("role", "role", given.role or "", ("", "dev", "review"), ("as recorded",))
        status = given.status_before or ""
        yield Blank("status", "status", status, ("", *BEFORE_STATUS), ("as recorded",))
        yield Blank("estimate", "estimate", f"{est[0]}/{est[1]}" if est is not None else "")
        rem = {True: "yes", False: "no", None: ""}[given.remediation]
        yield Blank("remediation", "remediation", rem, ("", "yes", "no"), ("as recorded",))

    def _fault(self, values: Values) -> str:
        found = given_of(values, self.asked)
        return found if isinstance(found, str) else ""

    def _given(self, filled: Filled) -> None:
        found = given_of(filled.values, self.asked)
        if isinstance(found, Asked):
            self.asked = found
            self.found = replace(Findings(found))
            self._fill()
            self._check()
