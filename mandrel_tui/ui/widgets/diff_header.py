"""DiffHeader: the line above a diff, which names what stands on each side; it holds no content."""

from __future__ import annotations

from mandrel_tui.ui.line import Pieces, size, trim
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.header import PaneHeader


class DiffHeader(PaneHeader):
    """`━ old: .ai/design.md at 4f21c9a ━━━┯━━━┯━ new: proposal of 10:14 ━━━ 4 hunks ━` where both
    sides stand beside each other, else one title."""

    def __init__(self, diff: Diff, title: str = "", *, id: str | None = None) -> None:
        super().__init__(title, id=id)
        self.head_diff = diff
        self.head_sides = ("", "")

    def on_mount(self) -> None:
        self.watch(self.head_diff, "virtual_size", self._laid_out, init=False)

    def _laid_out(self) -> None:
        self.refresh()

    def set_sides(self, old: str, new: str) -> None:
        """What stands on the left and on the right."""
        if (old, new) != self.head_sides:
            self.head_sides = (old, new)
            self.refresh()

    def row(self, width: int) -> Pieces:
        halves = self.head_diff.halves
        if halves is None or self.head_find or not any(self.head_sides):
            return super().row(width)
        symbols = self.symbols
        rule, role = (symbols.heavy, "accent") if self.heavy else (symbols.thin, "line")
        tee = symbols.heavy_tee if self.heavy else symbols.tee
        rail = ((f"{tee}{rule * 3}{tee}", role),)
        old, new = self.head_sides
        left = self._named(f"old: {old}", halves[0], ())
        return (*left, *rail, *self._named(f"new: {new}", width - size((*left, *rail)), self._end))

    @property
    def _end(self) -> Pieces:
        return ((" ", "text"), *self.head_end, (" ", "text")) if self.head_end else ()

    def _named(self, words: str, cells: int, end: Pieces) -> Pieces:
        rule, role = (self.symbols.heavy, "accent") if self.heavy else (self.symbols.thin, "line")
        strong = "accent bold" if self.heavy else "quiet"
        tail = (*end, (rule, role)) if end else ()
        start = ((f"{rule} ", role), (words, strong), (" ", "text"))
        kept = trim(start, cells - size(tail), self.symbols.ellipsis)
        return (*kept, (rule * (cells - size(kept) - size(tail)), role), *tail)
