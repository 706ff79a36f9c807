"""Go: the row that waits for the key after `g`; it goes nowhere itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual import events
from textual.app import ComposeResult

from mandrel_tui.ui.widgets.bars import Bar, Spot
from mandrel_tui.ui.widgets.dialog import Choice
from mandrel_tui.ui.widgets.overlay import Overlay


class Go(Overlay[str | None]):
    """The places one can go to, each with its key, in the last row; the answer is the name of the
    one whose key is pressed or clicked, None for any other key."""

    DEFAULT_CSS = "Go { background: transparent; } Go Bar { dock: bottom; }"

    def __init__(
        self, places: Iterable[Choice], latin: Callable[[str], str] = lambda key: key
    ) -> None:
        """`latin` gives the letter of the same physical key where a layout is not Latin."""
        super().__init__()
        self.go_places = tuple(places)
        self.go_latin = latin

    def compose(self) -> ComposeResult:
        yield Bar()

    def on_mount(self) -> None:
        caps = (
            Spot(((p.key, "accent bold"), (f" {p.label}", "quiet")), p.name) for p in self.go_places
        )
        self.query_one(Bar).set_spots([Spot((("go", "text bold"),)), *caps])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        pressed = self.go_latin(event.character or "")
        self.dismiss(next((p.name for p in self.go_places if p.key == pressed), None))

    def on_bar_pressed(self, event: Bar.Pressed) -> None:
        event.stop()
        self.dismiss(event.name)
