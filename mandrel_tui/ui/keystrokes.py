"""Keystrokes: lets a key act before the next one is given to what has the focus; it knows no key's
meaning.

Textual gives a key to whatever has the focus as it arrives, and the focus moves only after several
messages. Of keys that arrive together, all but the first would act where the first one was typed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

# What a key brings about: its binding, the question that the binding asks of a pane or of the app,
# and the focus on what this one shows.
PASSES = 3
WORKER_TURNS = 3  # of the event loop, until a worker that a key started has shown its dialog
PATIENCE = 2.0  # seconds after which the next key is given whatever the last one does
GLANCE = 0.005  # seconds between two looks at work that goes on
AT_ONCE = frozenset({"escape", "ctrl+c", "q"})  # what leaves waits for nothing


class Keystrokes(App[int], inherit_bindings=False):
    """An app whose keys and pastes act one after another, in the order they were typed in;
    `AWAITED` are the groups of work that decide what a key may do."""

    AWAITED: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._strokes: deque[events.Key | events.Paste] = deque()
        self._striking: asyncio.Task[None] | None = None

    @property
    def blind(self) -> bool:
        """Whether what a key acts on is not there yet."""
        return False

    @property
    def meant(self) -> bool:
        """Whether keys that were typed blind were meant for what is there now."""
        return True

    async def on_event(self, event: events.Event) -> None:
        leaves = self.blind and getattr(event, "key", "") in AT_ONCE
        if leaves or not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
        elif self.blind or self._striking is not None:
            self._strokes.append(event)
            self._striking = self._striking or asyncio.create_task(self._strike_rest())
        else:
            await super().on_event(event)
            self._striking = asyncio.create_task(self._strike_rest())

    async def _strike_rest(self) -> None:
        try:
            if self.blind:
                await self._seen()
            await self._acted()
            while self._strokes:
                self.call_later(super().on_event, self._strokes.popleft())
                await self._acted()
        finally:
            self._striking = None

    async def _seen(self) -> None:
        """Wait until there is something to act on, and drop the keys that were not meant for it."""
        while self.blind and self.is_running:
            await asyncio.sleep(GLANCE)
        if not self.meant:
            self._strokes.clear()

    async def _acted(self) -> None:
        """Wait until the last key has come up to the app, and what it asked for has the focus."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await _idle(self)
                for _ in range(PASSES):
                    for _ in range(WORKER_TURNS):
                        await asyncio.sleep(0)
                    for pump in self._way_up():
                        await _idle(pump)
                while any(w.is_running and w.group in self.AWAITED for w in self.workers):
                    await asyncio.sleep(GLANCE)

    def _way_up(self) -> list[MessagePump]:
        """What has the focus, all that holds it, and the app."""
        if not self.screen_stack:
            return [self]
        inmost = self.focused or self.screen
        return [*(node for node in inmost.ancestors_with_self if node is not self), self]


async def _idle(pump: MessagePump) -> None:
    """Wait until a pump has handled all that has been posted to it."""
    passed = asyncio.Event()
    if pump.call_later(passed.set):
        await passed.wait()
