"""Dialog keys: the keys that act in a dialog at this moment, made from its live bindings; they act
on nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from textual.binding import ActiveBinding
from textual.keys import key_to_character
from textual.screen import Screen
from textual.widgets import Input, TextArea

from mandrel_tui.ui.key_names import shown
from mandrel_tui.ui.keys import Key, KeyMap

Called = Mapping[str, tuple[str, str]]
HIDDEN = ("", "")
NOT_HERE: Called = dict.fromkeys(("list.open", "list.find", "list.left", "list.right"), HIDDEN)


def acting(dialog: Screen[Any], keys: KeyMap, called: Called) -> Iterator[Key]:
    """The keys of what has the focus, then those of the dialog, each once. `called` are the label
    and the sentence of an action by its id where it does not do here what it does elsewhere,
    HIDDEN where it does nothing. What edits the text of a field is left out."""
    grouped: dict[str, list[str]] = {}
    told: dict[str, ActiveBinding] = {}
    for key, active in dialog.active_bindings.items():
        if not isinstance(active.node, Input | TextArea):
            name = active.binding.id or active.binding.action
            grouped.setdefault(name, []).append(_written(key))
            told.setdefault(name, active)
    for name, names in grouped.items():
        label, sentence = _words(told[name], keys, {**NOT_HERE, **called})
        if label:
            yield Key(name, names[0], label, sentence, keys=" ".join(names))


def _words(active: ActiveBinding, keys: KeyMap, called: Called) -> tuple[str, str]:
    id = active.binding.id
    if not id:  # Textual's own have no tooltip
        return (active.binding.description, active.tooltip) if active.tooltip else HIDDEN
    return called.get(id) or (keys[id].label, keys[id].help)


def _written(key: str) -> str:
    """A key as it is shown: Textual names those of signs, `question_mark`."""
    name = shown(key)
    return (key_to_character(key) or name) if name == key else name
