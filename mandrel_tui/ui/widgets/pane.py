"""Pane: a header line over a view, with the find of that view; it knows no content."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget

from mandrel_tui.ui.clean import label
from mandrel_tui.ui.widgets.find import FindField
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.view import Found, View


class Pane(Vertical):
    """One pane: its header is heavy while anything in it has focus, and turns into the find field
    when its view is asked to find."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "end_find", show=False, id="app.back")
    ]
    DEFAULT_CSS = "Pane { height: 1fr; width: 1fr; }"

    def __init__(
        self,
        header: PaneHeader,
        *bodies: Widget,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`bodies` stand under each other; one that is not wanted has `display: none`."""
        super().__init__(id=id, classes=classes)
        self.pane_header = header
        self.pane_bodies = bodies
        self.pane_find = FindField()
        self.pane_query = ""
        self._pane_view: View | None = None

    def compose(self) -> ComposeResult:
        yield self.pane_header
        yield self.pane_find
        yield from self.pane_bodies

    @property
    def finding(self) -> bool:
        """Whether a find is typed or kept."""
        return bool(self.pane_query) or self.pane_find.has_class("-open")

    # A blur may arrive after the focus it made way for, so neither is taken at its word.
    def on_descendant_focus(self) -> None:
        self.pane_header.heavy = self.has_focus_within

    def on_descendant_blur(self) -> None:
        self.pane_header.heavy = self.has_focus_within

    @on(View.FindAsked)
    def _find_asked(self, event: View.FindAsked) -> None:
        event.stop()
        self._pane_view = event.view
        self.pane_header.display = False
        self.pane_find.open(self.pane_query)
        self._tell(event.view.find(self.pane_query))

    @on(FindField.Changed)
    def _find_changed(self, event: FindField.Changed) -> None:
        event.stop()
        self._ask(event.text)

    @on(FindField.Kept)
    def _find_kept(self, event: FindField.Kept) -> None:
        event.stop()
        self._shut()

    @on(FindField.Closed)
    def _find_closed(self, event: FindField.Closed) -> None:
        event.stop()
        self.action_end_find()

    @on(View.Refound)
    def _refound(self, event: View.Refound) -> None:
        event.stop()
        if event.view is self._pane_view:
            self._tell(event.found)

    @on(FindField.Moved)
    def _find_moved(self, event: FindField.Moved) -> None:
        event.stop()
        if self._pane_view is not None:
            self._tell(self._pane_view.find_next(event.step))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.finding if action == "end_find" else True

    def action_end_find(self) -> None:
        """Forget the find and give the view its focus back."""
        self._ask("")
        self._shut()

    def _ask(self, text: str) -> None:
        self.pane_query = text
        if self._pane_view is not None:
            self._tell(self._pane_view.find(text))

    def _tell(self, found: Found) -> None:
        header = self.pane_header
        words = f"{header.noun} {found.words} /"
        self.pane_find.set_words(f"{header.symbols.heavy} {words}")
        header.set_find(words + label(self.pane_query) if self.pane_query else "")

    def _shut(self) -> None:
        self.pane_find.close()
        self.pane_header.display = True
        if self._pane_view is not None:
            self._pane_view.focus()
