"""Native substrate: whether a repository's own hooks or loader bring the protocol to a session."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from mandrel_tui.protocol.snapshot import LOADERS
from mandrel_tui.workspace.files import NotRead, read

# One of LOADERS brings the protocol when it names the contracts.
RULE_FOLDERS = (".cursor/rules",)
LOADED = b".ai-protocol/"

# Settings that may run something at the start of a session, and the event that does it. Other
# tools use start hooks too: one counts when it, or the script it runs, names what it must bring.
HOOKS = (
    (".claude/settings.json", "SessionStart"),
    (".claude/settings.local.json", "SessionStart"),
    (".cursor/hooks.json", "sessionStart"),
)
BROUGHT = (b".ai-protocol", b".ai-tasks", b".ai/", b".mandrel/")
_PROJECT = ("$CLAUDE_PROJECT_DIR/", "${CLAUDE_PROJECT_DIR}/")


def is_native(root: Path) -> bool:
    """Whether start hooks or a loader of the protocol are found in the repository."""
    return any(LOADED in _content(path) for path in _loaders(root)) or any(
        _brings(command, root) for command in _start_commands(root)
    )


def _loaders(root: Path) -> Iterator[Path]:
    yield from (root / name for name in LOADERS)
    for folder in RULE_FOLDERS:
        try:
            yield from sorted((root / folder).iterdir())
        except OSError:
            continue


def _start_commands(root: Path) -> Iterator[str]:
    for name, event in HOOKS:
        try:
            settings = json.loads(_content(root / name) or b"null")
        except (ValueError, RecursionError):
            continue
        hooks = settings.get("hooks") if isinstance(settings, dict) else None
        yield from _commands(hooks.get(event) if isinstance(hooks, dict) else None)


def _commands(groups: object) -> Iterator[str]:
    """The commands of one event, which stand in its groups or one level below them."""
    for group in _tables(groups):
        for hook in (group, *_tables(group.get("hooks"))):
            command = hook.get("command")
            if isinstance(command, str):
                yield command


def _tables(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _brings(command: str, root: Path) -> bool:
    if _names_protocol(command.encode("utf-8", "replace")):
        return True
    return any(_names_protocol(_content(script)) for script in _scripts(command, root))


def _names_protocol(text: bytes) -> bool:
    return any(mark in text for mark in BROUGHT)


def _scripts(command: str, root: Path) -> Iterator[Path]:
    """The files of the repository that a hook's command line names."""
    for project in _PROJECT:
        command = command.replace(project, "")
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    paths = (root / word for word in words if not word.startswith("-"))
    yield from (path for path in paths if path.is_relative_to(root))


def _content(path: Path) -> bytes:
    try:
        return read(path).data
    except (NotRead, ValueError):
        return b""
