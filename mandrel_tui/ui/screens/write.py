"""WriteScreen: what a curated file becomes, as one difference, before it is written; it writes
nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.ui.actions import CLOSING
from mandrel_tui.ui.desk_messages import AskWrite
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import AskCopyText
from mandrel_tui.ui.present import capital, number, words
from mandrel_tui.ui.present_desk import next_line, undecided_words
from mandrel_tui.ui.present_review import open_words
from mandrel_tui.ui.step import StepScreen
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.file_diff import FileDiff
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines


class WriteScreen(StepScreen):
    """The third step of a curation: one difference, then it is written."""

    PLACE = CLOSING
    STEP = "write"
    ROW = ("text.ok", "tab.prev", "app.undo", "list.find", "app.back", "app.help")
    ACTS = ("text.ok", "tab.prev", "app.undo")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(CLOSING)
    CSS_PATH = "write.tcss"

    def step_body(self) -> ComposeResult:
        self.file = FileDiff(id="difference")
        yield self.file
        yield PaneHeader("size", id="size-head")
        yield Lines(id="size")

    def on_mount(self) -> None:
        super().on_mount()
        self.file.diff.focus()

    @property
    def texts(self) -> tuple[bytes, bytes]:
        """The file before and after what was accepted."""
        before = self.desk.given.texts[self.desk.name]
        after = next((review.text for review in self.desk.reviews), before)
        return before, after if after is not None else before

    def show_desk(self) -> None:
        before, after = self.texts
        name = words(self.desk.name, self.symbols)
        sides = (f"{name}, now", "as it will be")
        empty = "Nothing of it is accepted: the file stays as it is."
        self.file.show_file(name, before, after, sides, empty=empty)
        self.query_one("#size", Lines).set_lines([self._sizes(before, after)])

    def _sizes(self, before: bytes, after: bytes) -> Line:
        arrow = self.symbols.arrow
        pieces = []
        for label, cut in (("bytes", 1), ("tokens", 4)):
            then, now = len(before) // cut, len(after) // cut
            pieces.append((f"{label} ", "quiet"))
            pieces.append((f"{number(then)} {arrow} {number(now)}", "text"))
            fewer = "fewer" if then >= now else "more"
            pieces.append((f" ({number(abs(then - now))} {fewer})   ", "quiet"))
        return Line(tuple(pieces))

    def sentence(self) -> Line:
        left = self._left()
        return next_line(self.desk, "; ".join(left) or "nothing is written yet", self.symbols)

    def _left(self) -> list[str]:
        left = [open_words(self.desk, self.symbols)] if self.desk.undecided else []
        return [*left, *([undecided_words(self.desk)] if self.desk.sheet.undecided else [])]

    def labels(self) -> Mapping[str, str]:
        return {**super().labels(), "text.ok": "write"}

    def panes(self) -> Iterable[Widget]:
        return (self.file.diff,)

    def why(self, action: str) -> str:
        if action == "text.ok":
            before, after = self.texts
            return "" if before != after else "nothing of it is accepted"
        if action.startswith("apply."):
            return "there is no other task here"
        return super().why(action)

    def action_text_ok(self) -> None:
        if self.refused("text.ok"):
            return
        left = self._left()
        if not left:
            self.post_message(AskWrite())
            return
        said = [*(line(f"{capital(words)}.") for words in left)]
        said.append(line("What is undecided stays as it is."))
        choices = (Choice("leave", "Look again", "n"), Choice("write", "Write it", "y"))
        self.ask(Question("not everything is decided", said, choices, "leave"), self._sure)

    def _sure(self, answer: str) -> None:
        if answer == "write":
            self.post_message(AskWrite())

    def action_list_copy_id(self) -> None:
        self.post_message(AskCopyText(self.desk.name, "the path"))

    def action_apply_accept(self) -> None:
        self.refused("apply.accept")

    def action_apply_reject(self) -> None:
        self.refused("apply.reject")

    def action_apply_edit(self) -> None:
        self.refused("apply.edit")
