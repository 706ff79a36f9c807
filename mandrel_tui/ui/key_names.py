"""Key names: how a key is spelt for Textual, shown on the screen and written by a person, and which
never arrive; it binds none."""

from __future__ import annotations

from collections.abc import Mapping

# Eaten by tmux, screen, flow control, or the same byte as Tab, Enter, Esc; digits are counts.
EATEN: Mapping[str, str] = {
    "ctrl+a": "screen takes it",
    "ctrl+b": "tmux takes it",
    "ctrl+s": "flow control takes it",
    "ctrl+q": "flow control takes it",
    "ctrl+c": "it is the interrupt key",
    "ctrl+z": "it suspends the program",
    "ctrl+i": "a terminal sends it for Tab",
    "ctrl+m": "a terminal sends it for Enter",
    "ctrl+j": "a terminal sends it for Enter",
    "ctrl+[": "a terminal sends it for Esc",
    "ctrl+h": "some terminals send it for Backspace",
    "ctrl+enter": "a terminal sends it for Enter",
    "shift+enter": "a terminal sends it for Enter",
    "alt+enter": "a terminal sends it for Enter",
    "f10": "many desktops take it",
    "f11": "many desktops take it",
}

_SHOWN: Mapping[str, str] = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "shift+tab": "shift+Tab",
    "pagedown": "PgDn",
    "pageup": "PgUp",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "comma": ",",
    "insert": "Ins",
    "delete": "Del",
    "backspace": "Backspace",
}
_SPELT: Mapping[str, str] = {
    **{name.lower(): key for key, name in _SHOWN.items()},
    "esc": "escape",
    "return": "enter",
    "pgdown": "pagedown",
    "page-down": "pagedown",
    "page-up": "pageup",
    "del": "delete",
    "ins": "insert",
    "question": "?",
    "question_mark": "?",
    "colon": ":",
    "slash": "/",
    "semicolon": ";",
    "backtab": "shift+tab",
}
_NAMED = frozenset((*_SHOWN, *(f"f{n}" for n in range(1, 13))))
_MODIFIERS = ("ctrl", "alt", "shift")


def shown(key: str) -> str:
    """A key as written on the screen: `pagedown` is `PgDn`, `f2` is `F2`."""
    return _SHOWN.get(key) or (key.upper() if len(key) > 1 and key[0] == "f" else key)


def spell(written: str) -> str | None:
    """A key a person wrote, in Textual's spelling; None when no terminal has such a key."""
    if len(written) == 1:
        return "comma" if written == "," else written if written.isprintable() else None
    lower = _SPELT.get(written.lower(), written.lower())
    if lower in _NAMED or len(lower) == 1:
        return lower
    *modifiers, key = lower.split("+")
    key = _SPELT.get(key, key)
    known = len(key) == 1 and key.isalnum() and key.isascii()
    if not modifiers or any(m not in _MODIFIERS for m in modifiers) or not (known or key in _NAMED):
        return None
    if modifiers == ["shift"] and known:
        return key.upper() if key.isalpha() else None
    return "+".join([*sorted(set(modifiers), key=_MODIFIERS.index), key])
