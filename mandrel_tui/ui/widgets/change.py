"""Change: the dialog that shows the exact difference a write would make; it acts on nothing but its
answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from mandrel_tui.ui.line import Line
from mandrel_tui.ui.widgets.dialog import Dialog
from mandrel_tui.ui.widgets.dialog_keys import Called
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.lines import Lines

SAID = 5  # rows of the words above at most
LEAST = 14  # rows of the diff, where the terminal has them


class Change(Dialog[bool]):
    """Words, then the diff; ctrl+o writes it, Esc does not."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+o", "give", show=False, id="text.ok")]
    SCROLLS = "Exact"
    # Lines of a difference are not to be wrapped where there is room.
    HIGHEST, WIDEST = 32, 120
    DEFAULT_CSS = """
    Change > Vertical { width: 100%; max-width: 120; }
    Change #said { max-height: 5; }
    """

    def __init__(
        self,
        title: str,
        said: Iterable[Line],
        diff: Iterable[str],
        roles: Mapping[int, str],
        *,
        verb: str = "write",
        leave: str = "back",
    ) -> None:
        """`roles` gives the lines of the diff, counted from 0, their role."""
        super().__init__(title)
        self.change_said = tuple(said)
        self.change_diff = tuple(diff)
        self.change_roles = roles
        self.change_verb = verb
        self.change_leave = leave

    @property
    def beside(self) -> int:
        return min(self.rows_of("#said"), SAID) + self.rows_of("#keys")

    def body(self) -> ComposeResult:
        yield Lines(self.change_said, id="said")
        yield Exact(id="diff")
        keys = (
            ("ctrl+o", "accent bold"),
            (f" {self.change_verb}   ", "quiet"),
            ("Esc", "accent bold"),
            (f" {self.change_leave}", "quiet"),
        )
        many = f"{len(self.change_diff):,} lines"
        yield Lines([Line(keys, ((many, "quiet"),))], id="keys")

    def on_mount(self) -> None:
        super().on_mount()
        diff = self.query_one(Exact)
        diff.styles.height = max(len(self.change_diff), LEAST)
        diff.set_text("\n".join(self.change_diff), top=True, roles=self.change_roles)
        diff.focus()

    def called(self) -> Called:
        return {"text.ok": (self.change_verb, "")}

    def action_give(self) -> None:
        """Answer yes."""
        self.dismiss(True)

    def action_leave(self) -> None:
        self.dismiss(False)
