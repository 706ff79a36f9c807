"""Output: the two streams of a command; data is UTF-8 whatever the locale, and no character of a
file reaches a terminal as an order to it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

from mandrel_tui.commands.failure import Failure
from mandrel_tui.workspace.visible import visible

PROGRAM = "mandrel-tui"
_STYLES = {"bold": "1", "quiet": "2", "you": "33", "fail": "31", "pass": "32"}
# What is exact in JSON but would act on a terminal, or show as nothing, is written as an escape.
_ESCAPED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)


def prepare_streams() -> None:
    """Makes both streams UTF-8; what still cannot be written becomes an escape, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def write(data: bytes) -> None:
    """Exactly these bytes on standard output."""
    if sys.stdout is None:
        raise Failure("standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Lines of text for people, one visible line each."""
    write("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def write_json(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """An object over several lines, or a list with one element a line."""
    if isinstance(value, Mapping):
        text = _json(value, indent=2)
    else:
        text = "[\n" + ",\n".join(_json(element) for element in value) + "\n]" if value else "[]"
    write(f"{text}\n".encode())


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def _json(value: object, indent: int | None = None) -> str:
    text = (
        _ENCODE(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent)
    )
    if text.isascii() and "\x7f" not in text:
        return text
    return _ESCAPED.sub(lambda found: json.dumps(found[0])[1:-1], text)


def say(message: str) -> None:
    """One line on standard error; where nobody can read it, nothing."""
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"{PROGRAM}: {visible(message)}", file=sys.stderr, flush=True)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sits behind a stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def columns() -> int | None:
    """The width of the terminal that standard output is, None where it is none."""
    if not is_terminal(sys.stdout):
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except OSError:
        return None


def painted(text: str, style: str) -> str:
    """The text in a style of the table, bare unless standard output is a terminal with colour."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if _coloured() and style in _STYLES else text


def _coloured() -> bool:
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    return is_terminal(sys.stdout) and not dumb and not os.environ.get("NO_COLOR")
