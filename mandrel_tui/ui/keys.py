"""Keys: the live map of actions from which bindings, key row, help and palette are made; it acts on
nothing.

Bindings carry the action's id, so that `App.set_keymap(keymap.overrides)` applies what a person
remapped; the map is checked here, since Textual lets the loser of a clash fall silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from mandrel_tui.ui.actions import ACTIONS, EVERYWHERE, LISTS, SCREENS, Action
from mandrel_tui.ui.key_names import EATEN, shown, spell
from mandrel_tui.ui.layouts import LAYOUTS


@dataclass(frozen=True, slots=True)
class Key:
    """An action as a key row, help or palette shows it: `key` its first key, `keys` all of them;
    `reason` says why it cannot act now."""

    id: str
    key: str
    label: str
    help: str = ""
    reason: str = ""
    keys: str = ""


class KeyMap:
    """Every action with the keys in force."""

    def __init__(
        self,
        actions: Iterable[Action] = ACTIONS,
        faults: Iterable[str] = (),
        letters: Mapping[str, str] | None = None,
    ) -> None:
        """`faults` are the lines about remaps that were refused; `letters` those of a layout."""
        self._latin = {letter: key for key, letter in (letters or {}).items()}
        self.actions = tuple(actions)
        self.faults = tuple(faults)
        self._by_id = {action.id: action for action in self.actions}

    def __getitem__(self, id: str) -> Action:
        """The action of that id; KeyError for an unknown one."""
        return self._by_id[id]

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def latin(self, character: str) -> str:
        """The letter the same physical key has on a US keyboard, for keys read one by one."""
        return self._latin.get(character, character)

    def at(self, *places: str) -> tuple[Action, ...]:
        """The actions that live in these places, in the order of the table."""
        return tuple(action for action in self.actions if not {*places}.isdisjoint(action.places))

    def on(self, screen: str) -> tuple[Action, ...]:
        """All that hold on a screen: its own first, then those of its lists, then everywhere."""
        return (*self.at(screen), *self.at(LISTS), *self.at(EVERYWHERE))

    def bindings(self, *places: str) -> list[Any]:
        """Textual bindings for these places, with ids and tooltips; for `BINDINGS`."""
        from textual.binding import Binding

        return [
            Binding(
                ",".join(action.keys),
                action.name,
                action.label,
                show=False,
                tooltip=action.help,
                id=action.id,
            )
            for action in self.at(*places)
        ]

    @property
    def overrides(self) -> dict[str, str]:
        """What differs from the defaults, for `App.set_keymap`."""
        return {
            action.id: ",".join(action.keys)
            for action in self.actions
            if action.keys != DEFAULTS[action.id].keys
        }

    def shown(self, ids: Iterable[str], why: Callable[[str], str] = lambda id: "") -> list[Key]:
        """These actions as keys to show; `why(id)` is the reason one cannot act, else ''."""
        return [
            Key(action.id, action.key, action.label, action.help, why(action.id), action.shown_keys)
            for action in map(self._by_id.__getitem__, ids)
        ]


DEFAULTS = KeyMap()


def keymap(remaps: Mapping[str, Iterable[str]], layout: str = "", source: str = "") -> KeyMap:
    """The map under remaps (id → keys as written) and a keyboard layout's letters.

    A remap that names no action, no key, an eaten key or a key in use on the same screen is
    refused with one line that begins with `source`; the default stays.
    """
    faults: list[str] = []
    wanted: dict[str, tuple[str, ...]] = {}
    for id, written in remaps.items():
        keys, wrong = _spelt(id, list(written))
        if wrong:
            faults.append(f"{source}keys.{id}: {wrong}; the default stays")
        else:
            wanted[id] = keys
    while clash := _clash(wanted):
        refused, words = clash
        faults.append(f"{source}keys.{refused}: {words}; the default stays")
        del wanted[refused]
    actions = tuple(replace(a, keys=wanted.get(a.id, a.keys)) for a in ACTIONS)
    if layout and layout not in LAYOUTS:
        known = ", ".join(sorted(LAYOUTS))
        faults.append(f"{source}keys.layout: no table for {layout!r}; there are {known}")
    letters = LAYOUTS.get(layout, {})
    return KeyMap(_with_layout(actions, letters), faults, letters)


def _spelt(id: str, written: list[str]) -> tuple[tuple[str, ...], str]:
    if id not in DEFAULTS._by_id:
        return (), "there is no such action"
    if not written:
        return (), "it names no key"
    keys: list[str] = []
    for one in written:
        key = spell(one)
        if key is None:
            return (), f"{one!r} is no key of a terminal"
        if key in EATEN:
            return (), f"{shown(key)} cannot be used: {EATEN[key]}"
        if key.isdigit():
            return (), f"{key} cannot be used: digits are counts"
        keys.append(key)
    return tuple(dict.fromkeys(keys)), ""


def _clash(wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """A remap that shares a key with another action of the same screen, and the words for it."""
    for screen, name in SCREENS.items():
        holder: dict[str, str] = {}
        for action in DEFAULTS.on(screen):
            for key in wanted.get(action.id, action.keys):
                other = holder.setdefault(key, action.id)
                if other != action.id:
                    refused, stays = (other, action.id) if other in wanted else (action.id, other)
                    return refused, f"{shown(key)} is {stays} already ({name})"
    return None


def _with_layout(actions: tuple[Action, ...], letters: Mapping[str, str]) -> tuple[Action, ...]:
    """The actions with the letters the same physical keys have in another layout, where free."""
    used = {key for action in actions for key in action.keys}
    return tuple(
        replace(
            action,
            keys=(
                *action.keys,
                *(letters[k] for k in action.keys if k in letters and letters[k] not in used),
            ),
        )
        for action in actions
    )
