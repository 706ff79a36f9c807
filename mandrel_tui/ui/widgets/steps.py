"""Steps: the row that says what is under way and how far each of its steps is; it takes none."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.message import Message

from mandrel_tui.ui.line import Line, Pieces, fit, size
from mandrel_tui.ui.present_desk import Step
from mandrel_tui.ui.widgets.bars import OneRow

WIDE, NARROW = 4, 2  # cells between steps
LEAST = 16  # cells of what is under way


class Steps(OneRow):
    """`close out barrier-timeouts     [1 facts 5/9]    2 review    3 plan    4 verify`; without
    numbers where there is less room, the current step alone where there is little. What is under
    way is cut before a step is left out."""

    class Pressed(Message):
        """A step was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.step_title: Pieces = ()
        self.step_list: tuple[Step, ...] = ()
        self.step_current = ""

    def set_steps(self, title: Pieces, steps: Iterable[Step], current: str) -> None:
        """What is under way, its steps, and which is current."""
        new = (title, tuple(steps), current)
        if new != (self.step_title, self.step_list, self.step_current):
            self.step_title, self.step_list, self.step_current = new
            self.refresh()

    def row(self, width: int) -> Pieces:
        right: Pieces = ()
        for at, (text, step) in enumerate(self._shown(width)):
            gap = " " * (self._gap(width) if at else 0)
            strong = "accent bold" if step.name == self.step_current else "quiet"
            right = (*right, (gap, "text"), (text, strong))
        left = ((" ", "text"), *self.step_title)
        return fit(Line(left, (*right, (" ", "text"))), width, self.symbols.ellipsis)

    def on_click(self, event: events.Click) -> None:
        shown, gap = self._shown(self.size.width), self._gap(self.size.width)
        at = self.size.width - 1 - self._cells(shown, gap)
        for text, step in shown:
            if at <= event.x < at + len(text):
                event.stop()
                self.post_message(self.Pressed(step.name))
            at += len(text) + gap

    def _shown(self, width: int) -> list[tuple[str, Step]]:
        if self._gap(width) == WIDE:
            return self._labelled(True)
        found = self._labelled(False)
        if self._cells(found, NARROW) + LEAST <= width:
            return found
        return [(text, step) for text, step in self._labelled(True) if self._here(step)]

    def _gap(self, width: int) -> int:
        room = width - size(self.step_title) - 2 - WIDE
        return WIDE if self._cells(self._labelled(True), WIDE) <= room else NARROW

    def _labelled(self, numbered: bool) -> list[tuple[str, Step]]:
        return [(self._text(step, numbered), step) for step in self.step_list]

    def _here(self, step: Step) -> bool:
        return step.name == self.step_current

    def _text(self, step: Step, numbered: bool) -> str:
        text = f"{step.number} {step.label}" if numbered else step.label
        return f"[{text}]" if self._here(step) else text

    def _cells(self, shown: Iterable[tuple[str, Step]], gap: int) -> int:
        sizes = [len(text) for text, _ in shown]
        return sum(sizes) + gap * max(len(sizes) - 1, 0)
