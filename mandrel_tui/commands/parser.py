"""Parser: a command line read by the table of commands; it runs none of them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NoReturn

from mandrel_tui import __version__
from mandrel_tui.commands.failure import Failure
from mandrel_tui.commands.output import PROGRAM
from mandrel_tui.commands.table import BY_NAME, COMMANDS

_EPILOG = """\
Without a command, and with a folder alone, the terminal UI opens. Data goes to standard output,
messages to standard error. Exit codes: 0 done, 1 illegal or not confirmed, 2 wrong use, unknown
task or no repository, 130 interrupted."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message.replace(chr(10), ' ')} (see {self.prog} --help)")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, or that of one command alone, which is quicker to make."""
    parser = _Parser(
        prog=PROGRAM,
        description="The terminal seat of the human who drives the Mandrel protocol by hand.",
        epilog=_EPILOG,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    _repository(parser, default=None)
    # Named, since argparse would else format a usage line to find its own name.
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog=PROGRAM
    )
    for command in COMMANDS if only is None else (BY_NAME[only],):
        child = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[:1].upper()}{command.summary[1:]}.",
            allow_abbrev=False,
        )
        command.add(child)
        _repository(child, default=argparse.SUPPRESS)
    return parser


def _repository(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "-C",
        "--repo",
        metavar="DIR",
        default=default,
        help="the repository; default: found from here",
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The arguments of one command; without a command it is `open`. Raises Failure."""
    given, command = _with_command(arguments)
    return build_parser(command).parse_args(given)


def _with_command(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """The arguments with `open` where no command is named, and the command; None where the whole
    program is asked about."""
    place = 0
    while place < len(arguments) and arguments[place].startswith("-") and arguments[place] != "--":
        if arguments[place] in ("-h", "--help", "--version"):
            return list(arguments), None
        place += 2 if arguments[place] in ("-C", "--repo") else 1
    if place > len(arguments):
        return list(arguments), None  # the option at the end lacks its value
    if place < len(arguments) and arguments[place] in BY_NAME:
        return list(arguments), arguments[place]
    return [*arguments[:place], "open", *arguments[place:]], "open"
