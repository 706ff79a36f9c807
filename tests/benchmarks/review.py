"""A review of a long document: laying it out, scrolling it, deciding its hunks; in this process,
and as a person sees it in a pseudo-terminal."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from mandrel_tui.protocol.proposal import ACCEPT, Document, Review
from mandrel_tui.ui import theme
from mandrel_tui.ui.symbols import UNICODE
from mandrel_tui.ui.widgets.diff import Diff
from tests.benchmarks.terminal import Screen

LINES, EVERY = 2000, 10
ROOT = Path(__file__).resolve().parents[2]
WORDS = "the client returns to the main loop and the cache cannot tell executed from confirmed"


def a_review(lines: int = LINES, every: int = EVERY) -> Review:
    """A document of that many lines, every tenth of which the proposal changes."""
    old = [f"- fact {n}: {WORDS}" for n in range(lines)]
    new = [
        line.replace("returns", "goes back") if n % every == 0 else line
        for n, line in enumerate(old)
    ]
    sides = ("".join(f"{line}\n" for line in side).encode() for side in (old, new))
    return Review.of(Document(".ai/design.md", *sides))


class Reviewing(App[None]):
    """One diff on a bare screen: `a` accepts, `n` goes on, `f` shows the whole document."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept"),
        Binding("n", "next"),
        Binding("f", "whole"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self.symbols = UNICODE
        self.review = review
        self.diff = Diff()
        theme.register(self)
        self.theme = theme.DEFAULT

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return theme.variable_defaults()

    def compose(self) -> ComposeResult:
        yield self.diff

    def on_mount(self) -> None:
        self.diff.focus()
        self.call_after_refresh(self.diff.show_review, self.review, hunk=0)

    def action_accept(self) -> None:
        self.review = self.review.decide(self.diff.diff_hunk, ACCEPT)
        self.diff.show_review(self.review)

    def action_next(self) -> None:
        self.diff.go_hunk(self.diff.diff_hunk + 1)

    def action_whole(self) -> None:
        self.diff.toggle_whole()


def spent(act: Callable[[], object], times: int = 9) -> float:
    """The median milliseconds an act takes."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        taken.append(1e3 * (time.perf_counter() - start))
    return statistics.median(taken)


async def in_process() -> dict[str, float]:
    """What each step costs, in milliseconds."""
    review = a_review()
    app = Reviewing(review)
    diff = app.diff
    found = {"compare both texts into hunks": spent(a_review)}
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        first = [review]

        def anew() -> None:
            first[0] = a_review()
            diff.show_review(first[0], hunk=0)

        found["compare and show another one"] = spent(anew)
        found["decide a hunk"] = spent(lambda: diff.show_review(first[0].decide(5, ACCEPT)))
        found["whole document, or back"] = spent(diff.toggle_whole)
        found["wrap or pan"] = spent(diff.toggle_wrap)
        hunks = iter(range(1, 190))
        found["next hunk"] = spent(lambda: diff.go_hunk(next(hunks)))
        found["paint a page of 39 rows"] = spent(
            lambda: [diff.render_line(row) for row in range(39)]
        )
    return found


def in_terminal(environ: dict[str, str]) -> dict[str, float]:
    """From a key to its first byte in a terminal of 120×40, in milliseconds."""
    code = "from tests.benchmarks.review import Reviewing, a_review; Reviewing(a_review()).run()"
    screen = Screen([sys.executable, "-c", code], {**environ, "PYTHONPATH": str(ROOT)})
    screen.until(b"undecided")
    screen.settle()
    keys = {"one row down": b"j", "a page down": b"\x1b[6~", "accept": b"a", "next hunk": b"n"}
    found = {
        name: 1e3 * statistics.median(screen.key(key) for _ in range(15))
        for name, key in keys.items()
    }
    found["whole document"] = 1e3 * screen.key(b"f")
    screen.close()
    return found


def report(environ: dict[str, str]) -> None:
    """Prints both."""
    print(f"a review of {LINES:,} lines, {LINES // EVERY} hunks, 120×40; ms, median of 9")
    for name, cost in asyncio.run(in_process()).items():
        print(f"  {name:32} {cost:7.1f} ms")
    print("  from a key to paint in a terminal, median of 15")
    for name, cost in in_terminal(environ).items():
        print(f"  {name:32} {cost:7.1f} ms")
