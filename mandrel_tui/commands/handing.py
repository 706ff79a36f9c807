"""Handing over: `prompt` and `followup`; their data is exact bytes, everything else is said."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import is_terminal, say, write, write_lines
from mandrel_tui.commands.repository import failures, path_of, workspace
from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.copied import NOWHERE, Copied
from mandrel_tui.protocol.handover import RESUMPTION
from mandrel_tui.protocol.kinds import ROLES
from mandrel_tui.protocol.prompt import Prompt, PromptRequest
from mandrel_tui.protocol.standing import Standing
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.trail import CLOSING, FOLLOWUPS, VIOLATIONS, addressee
from mandrel_tui.workspace.files import read, reason
from mandrel_tui.workspace.store import Store
from mandrel_tui.workspace.visible import visible
from mandrel_tui.workspace.workspace import Workspace

_NOW = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
# What a terminal would obey; line feeds, tabs and carriage returns before them it may.
_ORDERS = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)")


def run_prompt(arguments: Namespace) -> int:
    """Prints, copies or saves the prompt of a task's next session."""
    if arguments.plan_answer is not None and arguments.plan_file is None:
        raise Failure("--plan-answer needs --plan-file")
    found = workspace(arguments)
    kind, mode = ROLES.get(arguments.kind, (arguments.kind, None))
    request = PromptRequest(
        task=arguments.task,
        kind=kind,
        mode=mode,
        form=arguments.form,
        sid=arguments.sid,
        now=_time(arguments.now),
        ruling=arguments.ruling,
        without_ruling=arguments.without_ruling,
        plan=None if arguments.plan_file is None else _plan(arguments.plan_file),
        plan_answer="confirm" if arguments.plan_answer is None else arguments.plan_answer,
    )
    with failures():
        prompt = found.prompt(request)
        warn(prompt, found.contracts())
        return _deliver(found, prompt, arguments)


def run_followup(arguments: Namespace) -> int:
    """Prints a message for a session that is already open."""
    found = workspace(arguments)
    with failures():
        task = found.task(arguments.task)
        data = found.followup(task.name, arguments.kind, answer=arguments.answer, sid=arguments.sid)
        if arguments.kind == RESUMPTION:
            _say_unasked(found, arguments.task)
        if arguments.kind == CLOSING:
            _say_unfinished(task)
        print_exact(data)
        if arguments.kind in VIOLATIONS:
            _count(found, task, arguments.kind, data, arguments.sid)
    return DONE


def _count(found: Workspace, task: Task, kind: str, data: bytes, sid: str | None) -> None:
    """Keeps a message that asks to mend what failed as handed over, and says the how-manieth; one
    for nobody is only printed."""
    trail = found.handovers.trail(task.name)
    if not (sid or trail.live or addressee(kind, trail, task)):
        say("nobody is known to take it, so nothing is recorded as out; --sid names a session")
        return
    made = found.hand_followup(task, kind, data, "stdout", "print", sid=sid)
    if made.note:
        say(f"not counted: {made.note}")
        return
    count, whose = found.handovers.trail(task.name).followups, made.handover.sid or "nobody known"
    if count > FOLLOWUPS:
        say(f"follow-up {count} to {visible(whose)}: {FOLLOWUPS} did not help, it is your call")
    else:
        say(f"follow-up {count} of {FOLLOWUPS} to {visible(whose)}")


def _say_unasked(found: Workspace, name: str) -> None:
    """Say where no session waits for an answer; the message is the same whatever the file says."""
    turn = found.turn(found.active_task(name))
    if "answer" not in turn.legal or turn.waits:
        say(f"{visible(name)} waits for no answer: {visible(turn.reason)}")


def _say_unfinished(task: Task) -> None:
    """Says where there is no closeout to complete; the message is the same all the same."""
    if task.status is not Status.COMPLETED:
        say(f"{visible(task.name)} is {visible(task.status_text) or 'off-schema'}, not completed")


def _time(text: str | None) -> str:
    """The time of the claim as it is written into the prompt; empty for the clock."""
    if text is None:
        return ""
    try:
        if _NOW.fullmatch(text):
            datetime.fromisoformat(text)
            return text
    except ValueError:
        pass
    raise Failure(f"--now {text}: a UTC time is written YYYY-MM-DDTHH:MM:SSZ")


def _plan(argument: str) -> str:
    """The text of a plan file, or of standard input for `-`; raises Failure."""
    if argument == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    else:
        with failures():
            data = read(path_of(argument)).data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{argument}: byte {error.start} is not UTF-8") from None


def warn(prompt: Prompt, contracts: Contracts) -> None:
    """Says what is odd about a prompt, and which bundled texts it is made from."""
    for warning in prompt.warnings:
        say(warning)
    halves = {"contract texts": contracts.texts_bundled, "fragments": contracts.fragments_bundled}
    bundled = [half for half, is_bundled in halves.items() if is_bundled]
    if bundled and any(part.bundled for part in prompt.parts):
        say(f"the bundled {' and '.join(bundled)} are in use: the repository has none")


def _deliver(found: Workspace, prompt: Prompt, arguments: Namespace) -> int:
    if arguments.output is not None:
        _save(found.store, prompt.data, arguments.output)
        _record(found, prompt, "file", "file", str(path_of(arguments.output).absolute()))
    if arguments.copy:
        copied = _copy(found.copy(prompt.data, prompt.task))
        if copied.way == NOWHERE:
            return REFUSED
        if arguments.output is None:
            _record(found, prompt, "clipboard", "copy", copied.way)
    elif arguments.output is None:
        print_exact(prompt.data)
    return DONE


def _record(found: Workspace, prompt: Prompt, launcher: str, way: str, place: str) -> None:
    """Keeps what went out, so that it can be told and checked when the session is back."""
    made = found.hand_over(prompt, launcher, way, place)
    if made.note:
        say(f"not recorded as out: {made.note}")
    if made.beside is not None:
        say_unsettled(made.beside)
    if made.unplanned:
        say("its plan is not approved, so this goes without one")


def say_unsettled(before: Standing) -> None:
    """Says what becomes of the session whose place another one takes."""
    if before.out:
        say(f"already {before.sentence}")
    else:
        task = before.handover.task
        say(f"the session before {visible(before.sentence)}; `check {task}` checks it")


def _copy(copied: Copied) -> Copied:
    """Says what became of a copy; the terminal is asked last, and only when there is one."""
    if copied.osc52:
        copied = _through_terminal(copied)
    say(copied.sentence)
    if copied.file and copied.file not in copied.sentence:
        say(f"the file is {copied.file}")
    for more in (copied.note, copied.warning):
        if more:
            say(more)
    return copied


def _through_terminal(copied: Copied) -> Copied:
    try:
        with Path("/dev/tty").open("wb", buffering=0) as terminal:
            terminal.write(copied.osc52)
    except OSError:
        return copied.not_sent("there is no terminal to ask")
    return copied


def _save(store: Store, data: bytes, argument: str) -> None:
    path = path_of(argument)
    if store.is_place(path):
        raise Failure(f"{argument} is a place for tasks: a prompt would take it", REFUSED)
    try:
        path.write_bytes(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(f"{argument}: {reason(path, error)}") from None
    say(f"wrote {len(data):,} bytes, sha256 {sha256(data).hexdigest()}, to {argument}")


def print_exact(data: bytes) -> None:
    """The exact bytes; a terminal is shown pictures of what it would obey, and told so."""
    text = data.decode("utf-8", "replace")
    if not is_terminal(sys.stdout) or not _ORDERS.search(text):
        write(data)
        return
    lines = text.replace("\r\n", "\n").split("\n")
    write_lines(visible(line.replace("\t", "    ")) for line in lines)
    say("control characters are shown as pictures here; a pipe or --output gives the exact bytes")
