"""Theme: colour roles by name, read from one TOML a theme, as Textual themes and as styles for
pieces of text; it decides no layout."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from textual.app import App
from textual.theme import Theme

from mandrel_tui.resources import bundled

GROUNDS = (
    "page",
    "card",
    "bar",
    "cursor",
    "cursor-text",
    "add",
    "add-word",
    "del",
    "del-word",
)
DEFAULT = "dark"

# The variable of the stylesheet that carries a role or a ground. `role-…` carries the same in the
# words of the theme file, for text that is drawn without the stylesheet.
VARIABLES: Mapping[str, str] = {
    "text": "foreground",
    "quiet": "quiet",
    "accent": "accent",
    "dev": "primary",
    "review": "secondary",
    "you": "warning",
    "pass": "success",
    "fail": "error",
    "line": "line",
    "page": "background",
    "card": "surface",
    "bar": "panel",
    "cursor": "block-cursor-background",
    "cursor-text": "block-cursor-foreground",
    "add": "add-bg",
    "add-word": "add-word",
    "del": "del-bg",
    "del-word": "del-word",
}
ATTRIBUTES = frozenset(("bold", "dim", "underline", "strike", "reverse", "italic"))


@dataclass(frozen=True, slots=True)
class Palette:
    """One theme file: `colours` maps each of ROLES and GROUNDS to `#rrggbb` or ANSI words."""

    name: str
    dark: bool
    ansi: bool
    cursor_roles: bool
    colours: Mapping[str, str]

    @property
    def variables(self) -> dict[str, str]:
        """Every variable of the stylesheet this theme sets, as CSS colours."""
        css = {VARIABLES[name]: self._css(name) for name in VARIABLES}
        words = {f"role-{name}": value for name, value in self.colours.items()}
        extra = _ANSI_VARIABLES if self.ansi else {}
        return {
            **css,
            **words,
            "cursor-roles": str(self.cursor_roles).lower(),
            "border": css["accent"],
            "border-blurred": css["line"],
            "text": css["foreground"],
            "block-cursor-text-style": "reverse" if self.ansi else "none",
            "block-cursor-blurred-background": css["panel"],
            "block-cursor-blurred-foreground": css["foreground"],
            "block-hover-background": css["panel"],
            "input-cursor-background": css["foreground"],
            "input-cursor-foreground": css["background"],
            "input-cursor-text-style": "reverse" if self.ansi else "none",
            "scrollbar": css["line"],
            "scrollbar-hover": css["accent"],
            "scrollbar-active": css["accent"],
            "scrollbar-background": css["background"],
            "scrollbar-background-hover": css["background"],
            "scrollbar-background-active": css["background"],
            "scrollbar-corner-color": css["background"],
            **extra,
        }

    def _css(self, name: str) -> str:
        value = self.colours[name]
        if not self.ansi:
            return value
        named = next((w for w in value.split() if w not in ATTRIBUTES), "default")
        return f"ansi_{named}"


# Textual's own screen rules name the first two; cursors and selections are reversed text, never a
# colour that may vanish.
_ANSI_VARIABLES: Mapping[str, str] = {
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_white",
    "input-selection-background": "ansi_default",
    "input-selection-foreground": "ansi_default",
    "screen-selection-background": "ansi_white",
    "screen-selection-foreground": "ansi_black",
}


def palette(name: str, table: Mapping[str, Any]) -> Palette:
    """The palette of a theme file's table; KeyError where a name is missing."""
    named = {**table["roles"], **table["grounds"]}
    colours = {key: str(named[key]) for key in VARIABLES}
    return Palette(name, table["dark"], table["ansi"], table["cursor-roles"], colours)


@cache
def shipped() -> Mapping[str, Palette]:
    """The themes that come with the program, by name."""
    return {
        path.stem: palette(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(bundled("themes").glob("*.toml"))
    }


def textual_theme(shown: Palette) -> Theme:
    """The palette as a theme Textual can register."""
    css = shown.variables
    return Theme(
        name=shown.name,
        primary=css["primary"],
        secondary=css["secondary"],
        warning=css["warning"],
        error=css["error"],
        success=css["success"],
        accent=css["accent"],
        foreground=css["foreground"],
        background=css["background"],
        surface=css["surface"],
        panel=css["panel"],
        dark=shown.dark,
        ansi=shown.ansi,
        variables=css,
    )


def variable_defaults() -> dict[str, str]:
    """What `App.get_theme_variable_defaults` returns, so that a stylesheet with our own variables
    works under every other theme too."""
    own = ("quiet", "line", "add-bg", "add-word", "del-bg", "del-word")
    variables = shipped()[DEFAULT].variables
    return {name: variables[name] for name in own}


def choose(setting: str, environ: Mapping[str, str]) -> str:
    """The theme for a setting: `auto` is `light` where `COLORFGBG` tells a light ground."""
    if setting != "auto":
        return setting
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else DEFAULT


def no_colour(environ: MutableMapping[str, str]) -> bool:
    """Whether `NO_COLOR` asks for no colour. An empty one is removed: it asks for nothing, and
    Textual would take it for set.

    Call it before the App is made; then `App(ansi_color=True)` with the theme `ansi` sends no
    colour code at all.
    """
    if environ.get("NO_COLOR") == "":
        del environ["NO_COLOR"]
    return "NO_COLOR" in environ


def user_themes(folder: Path) -> tuple[dict[str, Palette], list[str]]:
    """The themes of a configuration folder by name, and one line for each file left out."""
    try:
        if not folder.is_dir():
            return {}, []
    except OSError as error:
        return {}, [f"{folder}: {error.strerror}; its themes are left out"]
    from mandrel_tui.ui.theme_file import read_theme

    found: dict[str, Palette] = {}
    faults: list[str] = []
    for path in sorted(folder.glob("*.toml")):
        made, said = read_theme(path)
        faults += said
        if made is not None:
            found[made.name] = made
    return found, faults


def register(app: App[Any], folder: Path | None = None) -> list[str]:
    """Give the app every shipped theme and those of a folder, which may replace them; the lines
    say which file was left out and why."""
    own, faults = user_themes(folder) if folder else ({}, [])
    for made in {**shipped(), **own}.values():
        app.register_theme(textual_theme(made))
    return faults
