"""Launcher: how one agent is started, and what becomes of a prompt, a folder and an environment on
the way to it; starts nothing."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from mandrel_tui.protocol.kinds import PLACES
from mandrel_tui.workspace.programs import NotStarted, find_program
from mandrel_tui.workspace.visible import shown, visible

HERE, TMUX, HEADLESS = PLACES
ARGUMENT, STDIN, PASTE = ("argument", "stdin", "paste")
# One argument of a program on Linux, its final NUL not counted.
ARGUMENT_LIMIT = 128 * 1024 - 1
NO_SID = "the id of its conversation is not known"
_SID, _PROMPT = "{sid}", "{prompt}"
_CONVERSATION_HEAD = 64 * 1024
# Where git would look for another repository than the one it is started in.
_GIT_PLACES = frozenset(
    f"GIT_{name}"
    for name in (
        *("DIR", "WORK_TREE", "IMPLICIT_WORK_TREE", "INDEX_FILE", "COMMON_DIR", "PREFIX"),
        *("OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "NAMESPACE", "GRAFT_FILE"),
        *("SHALLOW_FILE", "REPLACE_REF_BASE", "CONFIG", "CONFIG_PARAMETERS"),
    )
)


@dataclass(frozen=True, slots=True)
class Launcher:
    """One row of the table of launchers: argument lists with the gaps `{sid}` and `{prompt}`.

    None stands for what the agent cannot do; `sids` is the pattern of the ids its conversations
    have, empty where any may be one; `conversations` are file patterns, `marks` names of variables.
    """

    name: str
    program: str
    open: tuple[str, ...] | None = ()
    resume: tuple[str, ...] | None = None
    headless: tuple[str, ...] | None = None
    headless_resume: tuple[str, ...] | None = None
    session: tuple[str, ...] = ()
    prompt: tuple[str, ...] = ("--", _PROMPT)
    stdin: tuple[str, ...] | None = None
    sids: str = ""
    conversations: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()

    def arguments(self, place: str, sid: str | None, *, resume: bool) -> tuple[str, ...]:
        """What stands before the prompt; raises NotStarted for what the agent cannot do."""
        headless = place == HEADLESS
        begin = self.headless if headless else self.open
        again = self.headless_resume if headless else self.resume
        chosen = again if resume else begin
        if chosen is None:
            what = "resume a conversation" if resume else "start"
            where = " headless" if headless else " in a terminal"
            raise NotStarted(f"{self.name} cannot {what}{where}: its launcher has no such form")
        if resume and sid is None:
            raise NotStarted(f"{NO_SID}: copy the text and paste it there")
        if resume and self.sids and not re.fullmatch(self.sids, sid or "", re.ASCII):
            raise NotStarted(
                f"{visible(sid or '')} is the id of no {self.name} conversation: copy the text and "
                "paste it where its session is"
            )
        named = self.session if sid is not None and not resume else ()
        return tuple(part.replace(_SID, _argument(sid or "")) for part in (*chosen, *named))


def _argument(sid: str) -> str:
    """The sid as an argument; raises NotStarted for one that an agent would take for an option."""
    if sid.startswith("-") or not sid.isprintable() or any(c.isspace() for c in sid):
        raise NotStarted(f"the session id {visible(sid)} is none that an agent could be given")
    return sid


@dataclass(frozen=True, slots=True)
class Plan:
    """How an agent will be started: `data` are the exact bytes of the prompt, which go as an
    `argument`, on `stdin` or by `paste`; `left_out` are the variables it will not see."""

    launcher: Launcher
    place: str
    program: Path
    arguments: tuple[str, ...]
    data: bytes
    route: str
    cwd: Path
    environ: Mapping[str, str]
    left_out: tuple[str, ...] = ()

    @property
    def argv(self) -> tuple[str | bytes, ...]:
        """The argument list, the prompt in it as bytes."""
        return (str(self.program), *self.arguments, *self._tail(self.data))

    @property
    def line(self) -> str:
        """The argument list as a person reads it, the prompt by its size."""
        size = f"<prompt, {len(self.data):,} bytes>"
        quoted = [shlex.quote(visible(part)) for part in (self.program.name, *self.arguments)]
        tail = [size if isinstance(part, bytes) else part for part in self._tail(self.data)]
        route = {STDIN: f" < {size}", PASTE: f" and {size} pasted"}.get(self.route, "")
        return " ".join([*quoted, *tail]) + route

    def _tail(self, data: bytes) -> Iterator[str | bytes]:
        if self.route == ARGUMENT:
            yield from (data if part == _PROMPT else part for part in self.launcher.prompt)
        elif self.route == STDIN:
            yield from self.launcher.stdin or ()


def plan(
    launcher: Launcher,
    place: str,
    data: bytes,
    cwd: Path,
    *,
    sid: str | None,
    resume: bool,
    environ: Mapping[str, str],
    marks: Iterable[str],
) -> Plan:
    """How the prompt gets to the agent; raises NotStarted where it cannot, before anything is done.

    `marks` are those of all launchers, since any of them may be around this program.
    """
    kept, left_out = clean_environment(environ, marks)
    return Plan(
        launcher=launcher,
        place=place,
        program=find_program(launcher.program, kept),
        arguments=launcher.arguments(place, sid, resume=resume),
        data=data,
        route=_route(launcher, place, data),
        cwd=_folder(cwd),
        environ=kept,
        left_out=left_out,
    )


def _route(launcher: Launcher, place: str, data: bytes) -> str:
    if len(data) <= ARGUMENT_LIMIT and b"\0" not in data:
        return ARGUMENT
    if place == HEADLESS and launcher.stdin is not None:
        return STDIN
    if place == TMUX:
        return PASTE
    why = f"it has {len(data):,} bytes and one argument holds {ARGUMENT_LIMIT:,}"
    if b"\0" in data:
        why = "it holds a NUL byte, which no argument can"
    reads = f"{launcher.name} reads none from standard input {_WHERE[place]}"
    raise NotStarted(f"the prompt reaches no agent so: {why}, and {reads}")


_WHERE = {HERE: "in a terminal (tmux takes it by paste)", HEADLESS: "headless"}


def _folder(cwd: Path) -> Path:
    if not cwd.is_dir():
        raise NotStarted(f"the folder {shown(cwd)} is not there")
    return cwd


def clean_environment(
    environ: Mapping[str, str], marks: Iterable[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The environment without git's places and the marks of an outer agent session, and the names
    of what was left out."""
    unwanted = _GIT_PLACES | frozenset(marks)
    kept = {name: value for name, value in environ.items() if name not in unwanted}
    return kept, tuple(sorted(environ.keys() & unwanted))


@dataclass(frozen=True, slots=True)
class Conversation:
    """What an agent's own files tell of a conversation: the folder it was begun in, None where
    they do not say."""

    folder: Path | None = None

    @property
    def gone(self) -> bool:
        """Whether that folder is no longer there, so that the agent cannot resume it."""
        return self.folder is not None and not self.folder.is_dir()


def conversation(launcher: Launcher, sid: str, environ: Mapping[str, str]) -> Conversation:
    """Where the conversation with that id was begun, as far as it is told."""
    for pattern in launcher.conversations:
        for path in _matches(pattern, sid, environ):
            folder = _first_cwd(path)
            if folder is not None:
                return Conversation(folder)
    return Conversation()


def _matches(pattern: str, sid: str, environ: Mapping[str, str]) -> list[Path]:
    """The files of a pattern below `~`, `$VARIABLE` or `/`; none where that is not known."""
    first, _, rest = pattern.partition("/")
    start = {"~": environ.get("HOME", ""), "": "/"}.get(first) or environ.get(first[1:], "")
    return sorted(Path(start).glob(rest.replace(_SID, escape(sid)))) if start else []


def _first_cwd(path: Path) -> Path | None:
    try:
        with path.open("rb") as file:
            lines: Sequence[bytes] = file.read(_CONVERSATION_HEAD).split(b"\n")
    except OSError:
        return None
    for line in lines:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("cwd"), str):
            return Path(os.fsdecode(value["cwd"].encode("utf-8", "surrogateescape")))
    return None
