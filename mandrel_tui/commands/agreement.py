"""Agreement: the yes of the person at the terminal, without which nothing is written."""

from __future__ import annotations

import sys

from mandrel_tui.commands.output import is_terminal


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes; without one, no."""
    if not is_terminal(sys.stdin) or not is_terminal(sys.stderr):
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
