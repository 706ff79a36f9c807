"""The settings file as a person wrote it: checked key by key, a wrong one named and left out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mandrel_tui.settings import Settings


class SettingsFile(BaseModel):
    """The keys of settings.toml."""

    model_config = ConfigDict(extra="forbid", strict=True)

    theme: str = Field("auto", min_length=1)
    symbols: Literal["auto", "unicode", "ascii"] = "auto"
    editor: str = ""
    agent: str = ""
    launchers: dict[str, Any] = Field(default_factory=dict)
    keys: dict[str, Any] = Field(default_factory=dict)


def explain(error: ValidationError) -> list[str]:
    """One line for each thing wrong: the key, then what is wrong with it."""
    return [
        printable(f"{'.'.join(map(str, one['loc']))}: {_words(one['type'], one['msg'])}")
        for one in error.errors()
    ]


def printable(text: str) -> str:
    """The text with what no terminal should get shown as U+FFFD."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _words(kind: str, message: str) -> str:
    known = {
        "extra_forbidden": "there is no such key",
        "missing": "it is missing",
        "string_pattern_mismatch": "no colour of this kind of theme",
    }
    return known.get(kind) or message[:1].lower() + message[1:]


def read_table(path: Path) -> dict[str, Any]:
    """The table of a TOML file; raises OSError or ValueError, and opens nothing but a file."""
    if not path.is_file():
        raise ValueError("it is no file")
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_settings(path: Path) -> Settings:
    """The settings of one file with a fault for each key that was left out; never raises."""
    try:
        table = read_table(path)
    except (OSError, ValueError) as error:
        fault = printable(f"{path.name}: {error}; the defaults are used")
        return Settings(file=path, faults=(fault,))
    model, faults = _validated(table)
    keys, wrong = _keys(model.keys)
    layout = model.keys.get("layout", "")
    if not isinstance(layout, str):
        wrong.append("keys.layout: a layout is a name in quotes")
        layout = ""
    return Settings(
        theme=model.theme,
        symbols=model.symbols,
        layout=layout,
        agent=model.agent,
        launchers=model.launchers,
        editor=model.editor,
        keys=keys,
        file=path,
        faults=tuple(
            printable(f"{path.name}, {line}; the default is kept") for line in (*faults, *wrong)
        ),
    )


def _validated(table: dict[str, Any]) -> tuple[SettingsFile, list[str]]:
    """The model of what is right in a table, and a line for each key that is not."""
    try:
        return SettingsFile.model_validate(table), []
    except ValidationError as error:
        bad = {str(one["loc"][0]) for one in error.errors()}
        rest = {key: value for key, value in table.items() if key not in bad}
        return SettingsFile.model_validate(rest), explain(error)


def _keys(table: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Action ids with their keys; `board.filter = "f"` and `"board.filter" = "f"` are the same."""
    keys: dict[str, tuple[str, ...]] = {}
    wrong: list[str] = []
    for id, value in _flat(table):
        if id == "layout":
            continue
        written = [value] if isinstance(value, str) else value
        if isinstance(written, list) and all(isinstance(one, str) for one in written):
            keys[id] = tuple(key for one in written for key in _split(one))
        else:
            wrong.append(f"keys.{id}: a key is a name in quotes, or a list of such names")
    return keys, wrong


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _split(written: str) -> list[str]:
    """The keys of one string, apart by spaces or commas; a lone comma is a key."""
    return [","] if written.strip() == "," else written.replace(",", " ").split()
