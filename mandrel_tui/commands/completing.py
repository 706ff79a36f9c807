"""Completing: the scripts that teach a shell the commands, and the hidden command they ask; it
reads names and titles only, and never fails where a person is typing."""

from __future__ import annotations

import argparse
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from mandrel_tui.commands.failure import DONE
from mandrel_tui.commands.output import write, write_lines
from mandrel_tui.workspace.visible import visible

# Each script gives the words up to the cursor, the unfinished one last, and lets the shell offer
# files where nothing is printed.
_SCRIPTS = {
    "bash": """\
_mandrel_tui() {
    local IFS=$'\\n'
    COMPREPLY=($(mandrel-tui __complete plain "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _mandrel_tui mandrel-tui
""",
    "zsh": """\
#compdef mandrel-tui
_mandrel_tui() {
    local -a found
    found=("${(@f)$(mandrel-tui __complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found" ]]; then _describe -V 'mandrel-tui' found; else _files; fi
}
if [[ "$funcstack[1]" = _mandrel_tui ]]; then
    _mandrel_tui "$@"
else
    compdef _mandrel_tui mandrel-tui
fi
""",
    "fish": """\
function __mandrel_tui
    set -l words (commandline -opc) (commandline -ct)
    mandrel-tui __complete fish $words[2..] 2>/dev/null
end
complete -c mandrel-tui -f -n 'test -n "$(__mandrel_tui)"' -a '(__mandrel_tui)'
""",
}
_TITLE_READ = 16 * 1024
_LONGEST_TITLE = 60

Offer = tuple[str, str]


def run_completion(arguments: Namespace) -> int:
    """Prints the script of a shell."""
    write(_SCRIPTS[arguments.shell].encode())
    return DONE


def complete(words: Sequence[str]) -> int:
    """Prints what may stand at the last of the words, in the style that is the first of them."""
    style, *typed = words or ("plain",)
    offers = _offers(typed[:-1], typed[-1] if typed else "")
    write_lines(_STYLES.get(style, _plain)(*offer) for offer in offers)
    return DONE


def _plain(value: str, title: str) -> str:
    return value


def _zsh(value: str, title: str) -> str:
    name = value.replace("\\", "\\\\").replace(":", "\\:")
    return f"{name}:{title}" if title else name


def _fish(value: str, title: str) -> str:
    return f"{value}\t{title}" if title else value


_STYLES = {"plain": _plain, "zsh": _zsh, "fish": _fish}


def _offers(before: Sequence[str], current: str) -> Iterator[Offer]:
    """What fits behind the words before the cursor and begins with the unfinished one."""
    from mandrel_tui.commands.parser import build_parser

    found = _Position(build_parser()).after(before)
    for value, title in found.offers(current):
        if value.startswith(current) and value.isprintable():
            yield value, visible(title)


class _Position:
    """How far the words before the cursor have come in the command line."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser
        self.places = 0
        self.waiting: argparse.Action | None = None
        self.repository: str | None = None

    def after(self, words: Sequence[str]) -> _Position:
        for word in words:
            self._take(word)
        return self

    def _take(self, word: str) -> None:
        if self.waiting is not None and word == "=":
            return  # bash hands over `--option=value` as three words
        if self.waiting is not None:
            if self.waiting.dest == "repo":
                self.repository = word
            self.waiting = None
        elif word.startswith("-"):
            name, _, value = word.partition("=")
            option = self.parser._option_string_actions.get(name)
            self.waiting = option if option is not None and option.nargs != 0 else None
            if value and self.waiting is not None:
                self._take(value)
        elif word in self._commands():
            self.parser = self._commands()[word]
        else:
            self.places += 1

    def _commands(self) -> dict[str, argparse.ArgumentParser]:
        groups = (a for a in self.parser._actions if isinstance(a, argparse._SubParsersAction))
        return next((group.choices for group in groups), {})

    def offers(self, current: str) -> Iterator[Offer]:
        if self.waiting is not None:
            yield from _choices(self.waiting)
        elif current.startswith("-"):
            yield from self._options()
        elif self._commands():
            from mandrel_tui.commands.table import COMMANDS

            yield from ((command.name, command.summary) for command in COMMANDS)
        else:
            yield from self._positional()

    def _options(self) -> Iterator[Offer]:
        for action in self.parser._actions:
            for option in action.option_strings:
                if option.startswith("--"):
                    yield option, action.help or ""

    def _positional(self) -> Iterator[Offer]:
        places = [action for action in self.parser._actions if not action.option_strings]
        if self.places >= len(places):
            return
        action = places[self.places]
        yield from _tasks(self.repository) if action.dest == "task" else _choices(action)


def _choices(action: argparse.Action) -> Iterator[Offer]:
    yield from ((str(choice), "") for choice in action.choices or ())


def _tasks(repository: str | None) -> Iterator[Offer]:
    """The active tasks with their titles; none where there is no repository."""
    from mandrel_tui.workspace.listing import list_store
    from mandrel_tui.workspace.roots import STORE, RootError, find_root

    try:
        start = Path.cwd() if repository is None else Path(repository)
        found = find_root(start, explicit=repository is not None)
    except (RootError, OSError):
        return
    for file in list_store(found.root / STORE).files:
        yield file.name, _title(file.path)


def _title(path: Path) -> str:
    """The first heading of a task file, from its first lines alone."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            text = file.read(_TITLE_READ).decode("utf-8", "replace")
    except OSError:
        return ""
    titles = (line[2:].strip() for line in text.split("\n") if line.startswith("# "))
    return next(titles, "")[:_LONGEST_TITLE]
