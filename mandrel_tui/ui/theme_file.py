"""A theme file as a person wrote it: checked name by name; it registers nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, create_model

from mandrel_tui.settings_file import explain, printable, read_table
from mandrel_tui.ui.line import ROLES
from mandrel_tui.ui.theme import GROUNDS, Palette, palette

_SIXTEEN = "black|red|green|yellow|blue|magenta|cyan|white"
_WORD = rf"(default|(bright_)?({_SIXTEEN})|bold|dim|underline|reverse)"
Hex = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
Words = Annotated[str, StringConstraints(pattern=rf"^{_WORD}( {_WORD})*$")]
_STRICT = ConfigDict(extra="forbid")


def _names(names: tuple[str, ...], kind: Any) -> type[BaseModel]:
    fields: dict[str, Any] = dict.fromkeys(names, (kind, ...))
    return create_model("Names", __config__=_STRICT, **fields)


def _model(ansi: bool) -> type[BaseModel]:
    kind = Words if ansi else Hex
    fields: dict[str, Any] = {
        "dark": (bool, ...),
        "ansi": (bool, False),
        "cursor-roles": (bool, not ansi),
        "roles": (_names(ROLES, kind), Field()),
        "grounds": (_names(GROUNDS, kind), Field()),
    }
    return create_model("ThemeFile", __config__=_STRICT, **fields)


def read_theme(path: Path) -> tuple[Palette | None, list[str]]:
    """The palette of one file, or None and one line for each thing wrong in it."""
    try:
        table = read_table(path)
        model = _model(table.get("ansi") is True).model_validate(table)
    except ValidationError as error:  # before ValueError, which it is
        return None, [f"{path}, {line}; the theme is left out" for line in explain(error)]
    except (OSError, ValueError) as error:
        return None, [printable(f"{path}: {error}; the theme is left out")]
    return palette(path.stem, model.model_dump()), []
