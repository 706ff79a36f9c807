"""Settings: defaults, then the user's file, then the environment, then flags; it applies none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

FILE = "settings.toml"
SYMBOLS = ("auto", "unicode", "ascii")
_VARIABLES: Mapping[str, str] = {
    "theme": "MANDREL_TUI_THEME",
    "symbols": "MANDREL_TUI_SYMBOLS",
    "layout": "MANDREL_TUI_LAYOUT",
    "editor": "MANDREL_TUI_EDITOR",
    "agent": "MANDREL_TUI_AGENT",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the person chose. `keys` maps an action id to its keys as written, `launchers` the name
    of an agent to its table as written, `agent` is the one to launch; `faults` are lines about
    what was not understood, each saying where, the default being kept."""

    theme: str = "auto"
    symbols: str = "auto"
    layout: str = ""
    editor: str = ""
    agent: str = ""
    launchers: Mapping[str, Any] = field(default_factory=dict)
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    file: Path | None = None
    faults: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """Where the file's faults are, as the start of a line: `settings.toml, ` or nothing."""
        return f"{self.file.name}, " if self.file else ""


def folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The configuration folder; it need not exist."""
    chosen = Path(environ.get("XDG_CONFIG_HOME", ""), "mandrel-tui")
    if chosen.is_absolute():  # a relative one would take orders from whatever folder one is in
        return chosen
    from platformdirs import user_config_path

    try:
        return user_config_path("mandrel-tui", appauthor=False)
    except RuntimeError:  # a user id that the system does not know, and no $HOME
        return Path(os.devnull, "mandrel-tui")


def load(
    environ: Mapping[str, str] = os.environ,
    flags: Mapping[str, str | None] | None = None,
    file: Path | None = None,
) -> Settings:
    """The settings in force; never raises for what a person wrote.

    `file` is the user's file, by default `settings.toml` in `folder()`; a flag of None says
    nothing.
    """
    path = file or folder(environ) / FILE
    settings = Settings() if _absent(path) else _from_file(path)
    default = environ.get("VISUAL") or environ.get("EDITOR") or ""
    settings = replace(settings, editor=settings.editor or default)
    named = {name: environ.get(variable, "") for name, variable in _VARIABLES.items()}
    settings = _over(settings, named, _VARIABLES)
    given = {name: value or "" for name, value in (flags or {}).items()}
    return _over(settings, given, {name: f"--{name}" for name in given})


def _absent(path: Path) -> bool:
    """Whether there is no such file; one that cannot be looked at is there."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _from_file(path: Path) -> Settings:
    from mandrel_tui.settings_file import read_settings

    return read_settings(path)


def _over(settings: Settings, values: Mapping[str, str], named: Mapping[str, str]) -> Settings:
    """The settings with values laid over; an empty one says nothing, a wrong one is a fault."""
    good = {name: value for name, value in values.items() if value}
    wrong: tuple[str, ...] = ()
    if good.get("symbols", SYMBOLS[0]) not in SYMBOLS:
        value = good.pop("symbols")
        wrong = (f"{named['symbols']}: {value!r} is none of {', '.join(SYMBOLS)}",)
    return replace(settings, **good, faults=(*settings.faults, *wrong))  # type: ignore[arg-type]
