"""Handing: how a text leaves by the clipboard and is told, and how what changed by it is read
again; it makes no text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.timer import Timer

from mandrel_tui.protocol.copied import NOWHERE, Copied
from mandrel_tui.ui.seat import Seat, off
from mandrel_tui.workspace.changes import Changes
from mandrel_tui.workspace.curate import folder_state

SLOW = 0.5  # seconds after which a clipboard that has not answered is named


class Handing(Seat):
    """The app's part that hands out."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.slow_copy: Timer | None = None
        self.own_changes = Changes(self.start, folder_state(self.start))

    @property
    def changes(self) -> Changes:
        """What was written and can be taken back: in the repository, or before there is one."""
        return self.own_changes if self.workspace is None else self.workspace.changes

    def trying(self, way: str) -> None:
        """A way to the clipboard is tried; called from the thread that tries it."""
        self.call_from_thread(self._await_way, way)

    def _await_way(self, way: str) -> None:
        self._no_longer_slow()
        self.slow_copy = self.set_timer(
            SLOW, lambda: self.result(f"copying: {way} has not answered yet", "quiet")
        )

    def _no_longer_slow(self) -> None:
        if self.slow_copy is not None:
            self.slow_copy.stop()

    def deliver(self, copied: Copied) -> Copied:
        """Do what is left to do of a copy; the copy as it is then."""
        self._no_longer_slow()
        return self._to_terminal(copied) if copied.osc52 else copied

    def tell_copied(self, copied: Copied, note: str = "", first: str = "") -> None:
        """Say what is known of a copy, in one line: a second one would hide the first. What stands
        `first` is never cut."""
        more = [words for words in (copied.warning, note or copied.note) if words]
        role = "text" if copied.checked and not more and not first else "you"
        self.result("; ".join(filter(None, (first, copied.sentence, *more))), role)

    async def hand_out(self, copy: Copied, record: Callable[[str], str]) -> bool:
        """Deliver a copy, record it unless it went nowhere, and say how that went; whether it is
        out. `record` gives what could not be kept of a copy that went that way."""
        copied, note = self.deliver(copy), ""
        out = copied.way != NOWHERE
        if out:
            note = await off(record, copied.way)
        self.tell_copied(copied, not_recorded(note))
        self.read_again()
        return out

    def _to_terminal(self, copied: Copied) -> Copied:
        driver = self._driver
        if driver is None or driver.is_headless:
            return copied.not_sent("there is no terminal")
        driver.write(copied.osc52.decode("ascii"))
        return copied

    def read_again(self) -> None:
        """Read everything now."""
        if self.reader is not None:
            self.run_worker(self.reader.read, thread=True, group="read", exit_on_error=False)


def not_recorded(note: str) -> str:
    """What could not be recorded, in words; empty when all was."""
    return f"not recorded: {note}" if note else ""
