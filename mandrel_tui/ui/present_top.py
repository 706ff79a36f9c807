"""Present the top bar: tree and memory as pieces of text and role; it touches no widget."""

from __future__ import annotations

from mandrel_tui.protocol.snapshot import CEILING, Gauge, Level
from mandrel_tui.protocol.tree import Tree, TreeKind
from mandrel_tui.protocol.watching import Noticing, Watching
from mandrel_tui.ui.line import Pieces
from mandrel_tui.ui.present import words
from mandrel_tui.ui.symbols import Symbols

BAR = 8  # cells of the memory bar
_LEVELS = {Level.OK: "accent", Level.AMBER: "you", Level.RED: "fail"}


def tree_pieces(tree: Tree, symbols: Symbols) -> Pieces:
    """`main 4f21c9a  ` and `✓ clean`, with what else must be known before acting here."""
    place = words(tree.place, symbols)
    marks = "".join(f"  {words(mark, symbols)}" for mark in tree.marks)
    state = tree.state.replace("✓", symbols.ok).replace("✗", symbols.fail)
    role = "pass" if tree.clean else "fail" if tree.entries else "quiet"
    if tree.kind is TreeKind.UNKNOWN:
        role = "you"
    return ((f"{place}  " if place else "", "quiet"), (state, role), (marks, "you"))


def gauge_pieces(gauge: Gauge, symbols: Symbols) -> Pieces:
    """`memory `, bar and ` 61%`; the bar only where there is a memory with one reading."""
    role = _LEVELS[gauge.level]
    if not gauge.here or gauge.ambiguous:
        return (("memory", "quiet"), (f" {gauge.words}", role if gauge.here else "quiet"))
    full, empty = symbols.gauge(min(gauge.tokens / CEILING, 1), BAR)
    strong = "text" if gauge.level is Level.OK else role
    return (("memory", "quiet"), (f" {full}", role), (empty, "quiet"), (f" {gauge.words}", strong))


def watching_pieces(watching: Watching, symbols: Symbols) -> Pieces:
    """`live`, `every 2 s`, `! stale since 14:02`."""
    stale = watching.kind is Noticing.STALE
    return ((words(watching.words, symbols), "you" if stale else "quiet"),)
