"""The tables of README.md that the code knows better: diagnostics, commands, keys.

`python -m tests.house.readme_tables` writes them into README.md between their marker lines.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from mandrel_tui.commands.parser import build_parser
from mandrel_tui.commands.table import COMMANDS
from mandrel_tui.protocol.diagnostics import RULES, Severity
from mandrel_tui.ui.actions import ACTIONS, SCREENS

README = Path(__file__).resolve().parents[2] / "README.md"

_SIGNS = {Severity.STOP: "stops the turn", Severity.WARN: "marked", Severity.NOTE: "shown"}
_PLACE = "<!-- table: {} -->"


def diagnostics() -> Iterator[str]:
    yield "| id | effect | what is wrong | what to do |"
    yield "|---|---|---|---|"
    for rule in RULES.values():
        yield _row(f"`{rule.id}`", _SIGNS[rule.severity], rule.meaning, rule.hint)


def commands() -> Iterator[str]:
    yield "| command | does |"
    yield "|---|---|"
    children = subcommands(build_parser())
    for command in COMMANDS:
        yield _row(f"`{usage(children[command.name])}`", command.summary)


def usage(parser: argparse.ArgumentParser) -> str:
    """A command with its arguments on one line, without what every command takes."""
    words = " ".join(parser.format_usage().split()).removeprefix("usage: mandrel-tui ")
    return words.replace("[-h] ", "").replace(" [-C DIR]", "").replace("[-C DIR] ", "")


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    groups = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return next(groups).choices


def keys() -> Iterator[str]:
    yield "| key | where | does | id |"
    yield "|---|---|---|---|"
    for action in ACTIONS:
        where = ", ".join(SCREENS.get(place, place) for place in action.places)
        yield _row(action.shown_keys, where, action.help, f"`{action.id}`")


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


TABLES = {"commands": commands, "keys": keys, "diagnostics": diagnostics}


def with_tables(text: str) -> str:
    """The page with each table between its two marker lines made anew."""
    for name, table in TABLES.items():
        text = _replaced(text, _PLACE.format(name), table())
    return text


def _replaced(text: str, mark: str, lines: Iterable[str]) -> str:
    pattern = re.compile(f"{re.escape(mark)}\n.*?{re.escape(mark)}\n", re.DOTALL)
    assert pattern.search(text), f"README.md has no two lines {mark}"
    table = "".join(f"{line}\n" for line in lines)
    return pattern.sub(lambda _: f"{mark}\n{table}{mark}\n", text)


if __name__ == "__main__":
    README.write_bytes(with_tables(README.read_bytes().decode("utf-8")).encode())
