"""Ground: what every screen stands on: what the app decides once, and its actions as the live key
map has them; it shows nothing itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from textual.screen import Screen

from mandrel_tui.ui.actions import EVERYWHERE
from mandrel_tui.ui.keys import DEFAULTS, Key, KeyMap
from mandrel_tui.ui.messages import Say
from mandrel_tui.ui.symbols import UNICODE, Symbols


class Ground(Screen[None]):
    """A screen that knows its actions; `PLACE` names its keys, `ACTS` are those on the focused
    thing."""

    PLACE: ClassVar[str] = EVERYWHERE
    ACTS: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.ground_refusal = "", ""  # the action that was refused last, and what was said

    @property
    def symbols(self) -> Symbols:
        """The table the app chose."""
        chosen: Symbols = getattr(self.app, "symbols", UNICODE)
        return chosen

    @property
    def moment(self) -> datetime:
        """Now, in the zone of the person."""
        moment: datetime = getattr(self.app, "clock", datetime.now)()
        return moment

    @property
    def keys(self) -> KeyMap:
        """The keys in force."""
        keys: KeyMap = getattr(self.app, "keys", DEFAULTS)
        return keys

    def why(self, action: str) -> str:
        """Why an action cannot act now; empty when it can."""
        return ""

    def shown_keys(self, ids: Iterable[str]) -> list[Key]:
        """These actions with the words they have here, and why one cannot act."""
        named = self.labels()
        keys = self.keys.shown(ids, self.why)
        return [replace(key, label=named.get(key.id, key.label)) for key in keys]

    def labels(self) -> Mapping[str, str]:
        """What actions that live in several places are called here."""
        return {}

    def say(self, text: str, role: str = "text") -> None:
        """A line for the result row."""
        self.post_message(Say(text, role))

    def refused(self, action: str) -> bool:
        """Say why an action cannot act, if it cannot."""
        said = self._refusal(action)
        if said:
            self.ground_refusal = action, said
            self.say(said, "you")
        return bool(said)

    def _refusal(self, action: str) -> str:
        why = self.why(action)
        return f"{self.labels().get(action, self.keys[action].label)}: {why}" if why else ""

    def lifted(self, text: str) -> bool:
        """Whether a line is the last refusal, and its reason holds no longer."""
        action, said = self.ground_refusal
        return bool(action) and text == said and self._refusal(action) != said

    async def run_key(self, action: str) -> None:
        """Do an action by its id, as its key would, for the focused thing."""
        focused = self.focused
        node: Any = focused if focused is not None else self
        while node is not None:
            if hasattr(node, f"action_{self.keys[action].name}"):
                await node.run_action(self.keys[action].name)
                return
            node = node.parent

    def ask(self, dialog: Screen[Any], then: Callable[[Any], Awaitable[None] | None]) -> None:
        """Show a dialog and go on with its answer, if it has one."""

        async def answered() -> None:
            answer = await self.app.push_screen_wait(dialog)
            if answer is not None:
                again = then(answer)
                if again is not None:
                    await again

        self.run_worker(answered(), group="dialog", exit_on_error=False)
