"""Menus: the dialogs every screen has, made from the live key map: help, palette, actions, places,
results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.widget import Widget

from mandrel_tui.ui.actions import EVERYWHERE, LISTS, MODES, SCREENS
from mandrel_tui.ui.ground import Ground
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import AskMode, Result, Results
from mandrel_tui.ui.present import clock, words
from mandrel_tui.ui.widgets.dialog import Choice as GoChoice
from mandrel_tui.ui.widgets.dialog import Question
from mandrel_tui.ui.widgets.go import Go
from mandrel_tui.ui.widgets.help import Help, actions, palette
from mandrel_tui.ui.widgets.picker import Offer

HAND = "hand "  # begins the name of what is chosen by hand


class Menus(Ground):
    """A screen with its menus."""

    def panes(self) -> Iterable[Widget]:
        """What `g` and a digit put the focus on, in reading order."""
        return (widget for widget in self.focus_chain if isinstance(widget, Widget))

    def _pane_of(self, widget: Widget | None) -> Widget | None:
        node: Any = widget
        while node is not None and not node.has_class("pane"):
            node = node.parent
        return node if isinstance(node, Widget) else None

    def action_app_help(self) -> None:
        places = {SCREENS.get(self.PLACE, "here"): self.PLACE, "lists and texts": LISTS}
        sections = [
            (name, self.shown_keys(a.id for a in self.keys.at(place)))
            for name, place in {**places, "everywhere": EVERYWHERE}.items()
        ]
        self.app.push_screen(Help(f"keys: {SCREENS.get(self.PLACE, 'here')}", sections))

    def action_app_palette(self) -> None:
        known = self.shown_keys(action.id for action in self.keys.on(self.PLACE))
        self.ask(palette(known), self.run_key)

    def action_app_actions(self) -> None:
        keys = self.shown_keys(self.ACTS)
        self.ask(actions(self.acts_title(), keys, self.by_hand()), self._act)

    async def _act(self, name: str) -> None:
        if name.startswith(HAND):
            self.chosen_by_hand(name.removeprefix(HAND))
        else:
            await self.run_key(name)

    def acts_title(self) -> str:
        """What the actions menu is about."""
        return "acts"

    def by_hand(self) -> Iterable[Offer]:
        """What else can be chosen, its names beginning with HAND; refused things say why."""
        return ()

    def chosen_by_hand(self, name: str) -> None:
        """One of these was chosen."""

    def action_app_go(self) -> None:
        panes = [
            GoChoice(f"pane {at}", self.pane_name(widget), str(at))
            for at, widget in enumerate(self.panes(), start=1)
        ]
        places = [GoChoice(mode, mode, letter) for mode, letter in MODES.items()]
        places.append(GoChoice("results", "results", "l"))
        self.ask(Go([*places, *panes, GoChoice("top", "top", "g")], self.keys.latin), self._go)

    def pane_name(self, widget: Widget) -> str:
        """What a pane is called in the row of places."""
        pane = self._pane_of(widget)
        return str(pane.id or "pane") if pane is not None else "pane"

    async def _go(self, name: str) -> None:
        if name in MODES:
            self.post_message(AskMode(name))
        elif name == "results":
            self._show_results()
        elif name == "top":
            await self.run_key("list.top")
        else:
            list(self.panes())[int(name.split()[1]) - 1].focus()

    def _show_results(self) -> None:
        told = [
            line(f"{clock(r.at)}  {words(r.text, self.symbols)}", r.role)
            for r in reversed(self.results())
        ]
        none = [line("Nothing has been done yet.", "quiet")]
        self.app.push_screen(
            Question("results", told or none, [GoChoice("close", "Close")], "close")
        )

    def results(self) -> tuple[Result, ...]:
        """All results so far."""
        kept: Results = getattr(self.app, "results", Results())
        return kept.rows
