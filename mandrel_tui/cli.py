"""The command line: takes the arguments, runs one command, and turns every end of it into an exit
code and at most one line of words; it knows no command's work."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; its exit code."""
    try:
        return _ended(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return _reader_gone()


def _ended(arguments: list[str]) -> int:
    from mandrel_tui.commands.failure import WRONG, Failure
    from mandrel_tui.commands.output import prepare_streams, say

    prepare_streams()
    try:
        return _run([_as_utf8(argument) for argument in arguments])
    except Failure as failure:
        say(str(failure))
        return failure.code
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        place = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        say(f"{place}{error.strerror or error}")
        return WRONG
    except Exception as error:
        say(_unexpected(error))
        return WRONG


def _run(arguments: list[str]) -> int:
    from importlib import import_module

    if arguments[:1] == ["__complete"]:
        from mandrel_tui.commands.completing import complete

        return complete(arguments[1:])
    from mandrel_tui.commands.parser import parse
    from mandrel_tui.commands.table import BY_NAME
    from mandrel_tui.workspace.visible import name_of

    parsed = parse(arguments)
    if getattr(parsed, "task", None):
        parsed.task = name_of(parsed.task)  # as tasks are named
    if parsed.command not in ("open", "demo"):
        gc.disable()  # the process ends before collecting would pay
    module = import_module(f"mandrel_tui.commands.{BY_NAME[parsed.command].module}")
    return int(getattr(module, f"run_{parsed.command}")(parsed))


def _as_utf8(argument: str) -> str:
    """An argument as the UTF-8 it was typed in, whatever the locale made of it."""
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def _reader_gone() -> int:
    """Whoever read the output has seen enough; nothing is flushed into the closed pipe again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _unexpected(error: Exception) -> str:
    """Writes down where an error that nobody expected arose; the line that says so."""
    import traceback
    from pathlib import Path

    from mandrel_tui.workspace.state import State

    report = "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace")
    kept = State.of(Path.cwd()).keep(report, "unexpected-error")
    where = f"; details in {kept.path}" if kept.path is not None else f"; {kept.note}"
    return f"unexpected {type(error).__name__}: {error}{where}"
