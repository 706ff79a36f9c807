"""Overlay: a screen above others that is left with an answer, once; it shows nothing itself."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Overlay(ModalScreen[Answer]):
    """What waits for one answer."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Answer and leave. Keys that were pressed before it left may answer again: Textual would
        then close the screen below, or end the program for want of one."""
        if self not in self.app.screen_stack:
            return AwaitComplete()
        return super().dismiss(result)
