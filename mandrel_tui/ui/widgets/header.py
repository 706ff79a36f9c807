"""PaneHeader: the one-row line above a pane, with its title or tabs and a word at its right end; it
holds no content of the pane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.reactive import reactive

from mandrel_tui.ui.line import Pieces, plain, size, trim
from mandrel_tui.ui.widgets.bars import OneRow

LEAST = 4  # cells that are left of the words before tabs


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of a pane: `name` is its id, `label` what is shown."""

    name: str
    label: str


class PaneHeader(OneRow):
    """`━ tasks 9 ━━━ by status ━` when its pane has focus, thin else; with tabs
    `─ [task]  log 6  raw ──`. A title stands before the tabs."""

    heavy: reactive[bool] = reactive(False)

    class TabPressed(Message):
        """A tab was clicked."""

        def __init__(self, header: PaneHeader, name: str) -> None:
            super().__init__()
            self.header = header
            self.name = name

        @property
        def control(self) -> PaneHeader:
            return self.header

    def __init__(
        self,
        title: str = "",
        *,
        end: str = "",
        tabs: Iterable[Tab] = (),
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """The first title is what the pane holds, whatever later ones say of it."""
        super().__init__(id=id, classes=classes)
        self.head_noun = self.head_title = title
        self.head_end: Pieces = ((end, "quiet"),) if end else ()
        self.head_tabs = tuple(tabs)
        self.head_tab = self.head_tabs[0].name if self.head_tabs else ""
        self.head_find = ""

    @property
    def noun(self) -> str:
        """What the pane holds, without how many: `tasks`; where it has tabs, its title or the
        current tab, `log` of `log 6`."""
        tab = next((tab.label for tab in self.head_tabs if tab.name == self.head_tab), "")
        named = self.head_noun or self.head_title or tab
        return named.split(",")[0].rstrip(" 0123456789")

    def set_title(self, title: str) -> None:
        """The words at the left."""
        if title != self.head_title:
            self.head_title = title
            self.refresh()

    def set_find(self, words: str) -> None:
        """The words of a find that stays, in the place of the title; none when it ends."""
        if words != self.head_find:
            self.head_find = words
            self.refresh()

    def set_end(self, end: str | Pieces) -> None:
        """The words at the right end."""
        pieces = (((end, "quiet"),) if end else ()) if isinstance(end, str) else end
        pieces = tuple(piece for piece in pieces if piece[0])
        if pieces != self.head_end:
            self.head_end = pieces
            self.refresh()

    def set_tabs(self, tabs: Iterable[Tab], current: str | None = None) -> None:
        """The tabs, and which is current."""
        new = tuple(tabs)
        names = [tab.name for tab in new]
        tab = current or (self.head_tab if self.head_tab in names else (names or [""])[0])
        if (new, tab) != (self.head_tabs, self.head_tab):
            self.head_tabs, self.head_tab = new, tab
            self.refresh()

    def row(self, width: int) -> Pieces:
        symbols = self.symbols
        rule, role = (symbols.heavy, "accent") if self.heavy else (symbols.thin, "line")
        end = ((" ", "text"), *self.head_end, (" ", "text"), (rule, role)) if self.head_end else ()
        words = self._words()
        start = ((rule + " ", role), *words, (" ", "text")) if words else ()
        room = width - size(end)
        if room < 8 or (self.head_tabs and size(start) > room):
            end, room = (), width
        left = trim(start, room, symbols.ellipsis)
        return (*left, (rule * (room - size(left)), role), *end)

    def tab_at(self, x: int) -> str:
        """The name of the tab under a column; empty when there is none."""
        at = 2 + (size(((self._head_words, ""),)) + 3 if self._head_words else 0)
        for tab in self.head_tabs:
            cells = size(((self._label(tab), ""),))
            if at <= x < at + cells:
                return tab.name
            at += cells + 2
        return ""

    def on_click(self, event: events.Click) -> None:
        if name := self.tab_at(event.x):
            event.stop()
            self.post_message(self.TabPressed(self, name))

    @property
    def _head_words(self) -> str:
        """The words at the left; before tabs they give way, so that no tab is out of reach."""
        words = self.head_find or self.head_title
        if not words or not self.head_tabs or not self.size.width:
            return words
        tabs = sum(size(((self._label(tab), ""),)) + 2 for tab in self.head_tabs)
        room = max(self.size.width - tabs - 4, LEAST)
        return plain(trim(((words, ""),), room, self.symbols.ellipsis))

    def _words(self) -> Pieces:
        strong = "accent bold" if self.heavy else "quiet"
        words: list[tuple[str, str]] = []
        if self._head_words:
            words.append((self._head_words, strong))
        for at, tab in enumerate(self.head_tabs):
            gap = "" if not words else "   " if at == 0 else "  "
            role = strong if tab.name == self.head_tab else "quiet"
            words += [(gap, "text"), (self._label(tab), role)]
        return tuple(words)

    def _label(self, tab: Tab) -> str:
        return f"[{tab.label}]" if tab.name == self.head_tab else tab.label
