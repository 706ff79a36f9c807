"""The parts of the app: each answers for itself, none hides what another, or Textual, keeps."""

from __future__ import annotations

from textual.app import App

from mandrel_tui.ui.app import MandrelApp

MEANT = {"_handle_exception"}  # of Textual, and replaced on purpose
MADE = ("__", "_css", "_decorated", "_merged", "_inherit", "_reactives", "_computes", "_default")


def private(kind: type) -> set[str]:
    """The names a class keeps to itself, and what it answers; not what Python and Textual make."""
    return {
        name
        for name in vars(kind)
        if name.startswith(("_", "on_ask_", "action_")) and not name.startswith(MADE)
    }


def parts() -> list[type]:
    """The classes the app is made of."""
    return [kind for kind in MandrelApp.__mro__ if kind.__module__.startswith("mandrel_tui.")]


def test_no_part_hides_what_another_keeps_or_answers() -> None:
    found: dict[str, list[str]] = {}
    for kind in parts():
        for name in private(kind):
            found.setdefault(name, []).append(kind.__name__)
    assert len(found) > 50
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_no_part_hides_what_textual_keeps() -> None:
    hidden = {name for kind in parts() for name in private(kind) if hasattr(App, name)}
    assert hidden - {name for name in hidden if name.startswith("action_")} == MEANT
