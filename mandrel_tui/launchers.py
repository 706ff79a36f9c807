"""Launchers: the table of agents this program comes with, and what the user's settings add to it;
starts none."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mandrel_tui.settings import Settings
from mandrel_tui.settings_file import explain
from mandrel_tui.workspace.launcher import Launcher

TABLE = Path(__file__).parent / "launchers.toml"
_TAKEN = ("clipboard", "file", "stdout")  # what a prompt can be handed to besides agents


class LauncherTable(BaseModel):
    """The keys of one launcher; what they mean stands at the head of launchers.toml."""

    model_config = ConfigDict(extra="forbid", strict=True)

    program: str = Field(min_length=1)
    open: list[str] = Field(default_factory=list)
    resume: list[str] | None = None
    headless: list[str] | None = None
    headless_resume: list[str] | None = Field(None, alias="headless-resume")
    session: list[str] = Field(default_factory=list)
    prompt: list[str] = Field(default_factory=lambda: ["--", "{prompt}"])
    stdin: list[str] | None = None
    sids: str = ""
    conversations: list[str] = Field(default_factory=list)
    marks: list[str] = Field(default_factory=list)

    @field_validator("prompt")
    @classmethod
    def _one_gap(cls, value: list[str]) -> list[str]:
        if value.count("{prompt}") != 1:
            raise ValueError("it must hold {prompt} exactly once, as an argument of its own")
        return value

    @field_validator("sids")
    @classmethod
    def _pattern(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"it is no regular expression: {error}") from None
        return value

    def launcher(self, name: str) -> Launcher:
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in self.model_dump().items()
        }
        return Launcher(name=name, **values)


def load_launchers(own: Mapping[str, Any]) -> tuple[dict[str, Launcher], tuple[str, ...]]:
    """The launchers by name, the user's `own` tables over the bundled ones key by key, and a line
    for each that was left out because of what is wrong with it."""
    bundled = tomllib.loads(TABLE.read_text("utf-8"))
    launchers = {
        name: LauncherTable.model_validate(table).launcher(name) for name, table in bundled.items()
    }
    faults: list[str] = []
    for name, table in own.items():
        try:
            whole = {**bundled.get(name, {}), **table} if isinstance(table, Mapping) else table
            launchers[_free(name)] = LauncherTable.model_validate(whole).launcher(name)
        except ValidationError as error:
            faults += [f"launchers.{name}.{line}; it is left out" for line in explain(error)]
        except ValueError as error:
            faults.append(f"launchers.{name}: {error}; it is left out")
    return launchers, tuple(faults)


def faults_of(settings: Settings) -> tuple[str, ...]:
    """A line for each launcher of the settings that was left out, and for an agent there is not."""
    if not settings.launchers and not settings.agent:
        return ()
    launchers, faults = load_launchers(settings.launchers)
    if settings.agent and settings.agent not in launchers:
        known = ", ".join(launchers)
        faults += (f"agent: there is no {settings.agent!r}; there are {known}",)
    return tuple(f"{settings.source}{fault}" for fault in faults)


def _free(name: str) -> str:
    if name in _TAKEN or not name.isprintable() or not name.strip():
        raise ValueError("no agent can have this name")
    return name
