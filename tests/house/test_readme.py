"""README.md says what the code says: commands, flags, keys, diagnostics, how to run and test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mandrel_tui.commands.parser import build_parser
from mandrel_tui.commands.table import COMMANDS
from mandrel_tui.protocol.diagnostics import RULES
from mandrel_tui.settings import load
from mandrel_tui.ui import keys
from tests.conftest import ROOT
from tests.house.readme_tables import README, subcommands, with_tables

TEXT = README.read_text("utf-8")


def test_the_tables_of_the_page_are_those_of_the_code() -> None:
    assert with_tables(TEXT) == TEXT, "run python -m tests.house.readme_tables"


def test_every_diagnostic_is_listed_once() -> None:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (?:stops the turn|marked|shown) ", TEXT, re.MULTILINE)
    assert sorted(rows) == sorted(RULES)


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_flag_of_a_command_is_in_its_row(command: str) -> None:
    row = next(line for line in TEXT.split("\n") if line.startswith(f"| `{command}"))
    actions = subcommands(build_parser())[command]._actions
    flags = {max(a.option_strings, key=len) for a in actions if a.option_strings}
    assert all(flag in row for flag in flags - {"--help", "--repo"})


def test_the_flags_of_every_command_are_explained() -> None:
    assert all(flag in TEXT for flag in ("--repo", "--help", "--version"))


def test_the_checks_run_the_commands_of_the_page() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    install, tests = blocks[0].strip(), blocks[1].strip()
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert install.removesuffix(" && .venv/bin/mandrel-tui demo") in script
    assert "mandrel-tui demo" in script
    assert tests in script


def test_the_settings_of_the_page_are_understood(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    file = tmp_path / "settings.toml"
    file.write_text(example, "utf-8")
    settings = load({}, file=file)
    keymap = keys.keymap(settings.keys, settings.layout, settings.source)
    assert (settings.faults, keymap.faults) == ((), ())


def test_every_folder_the_page_names_is_there() -> None:
    named = re.findall(r"`((?:contracts|themes|tests|\.ci)/[a-z/]*)`", TEXT)
    assert {"contracts/", "themes/"} <= set(named)
    assert all((ROOT / path).exists() for path in named)


def test_no_command_is_promised_that_is_not_there() -> None:
    there = {command.name for command in COMMANDS}
    used = set(re.findall(r"mandrel-tui ([a-z]+)", TEXT))
    assert used <= there | {"is"}, sorted(used - there)


def test_the_licence_is_the_one_that_is_named() -> None:
    licence = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in licence
    assert "Apache-2.0" in TEXT
    assert Path(README).name == "README.md"
