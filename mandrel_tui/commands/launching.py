"""Launching: `launch`; the next prompt into an agent's own program, here, in tmux or headless."""

from __future__ import annotations

import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.handing import print_exact, say_unsettled, warn
from mandrel_tui.commands.output import is_terminal, say
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.launchers import load_launchers
from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.protocol.trail import Ending
from mandrel_tui.settings import load
from mandrel_tui.workspace import sessions
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import HEADLESS, HERE
from mandrel_tui.workspace.launching import Apart, Here, launch_apart
from mandrel_tui.workspace.prepared import Prepared, Table, prepare
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.terminal_child import Outcome
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

DEFAULT = "claude"
_LOOKS = 0.1  # seconds between two looks at a headless agent


def run_launch(arguments: Namespace) -> int:
    """Launches an agent with the prompt of a task's next session."""
    found, place = workspace(arguments), arguments.where
    agent, table = _table(arguments.agent)
    if place == HERE and not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise Failure("there is no terminal here; --where tmux or headless needs none")
    request = PromptRequest(
        arguments.task,
        form="headless" if place == HEADLESS else "interactive",
        ruling=arguments.ruling,
        without_ruling=arguments.without_ruling,
    )
    with _failures():
        ready = prepare(found, table, request, agent, place)
        _confirm(found, ready, arguments.yes)
        if place == HERE:
            return _here(found, ready)
        apart = launch_apart(found, ready)
        _unkept(apart.recorded)
        return _headless(found, ready, apart) if place == HEADLESS else _in_tmux(agent, apart)


def _table(named: str | None) -> tuple[str, Table]:
    """The agent to launch and the table it stands in; raises Failure."""
    settings = load()
    launchers, faults = load_launchers(settings.launchers)
    for fault in (*settings.faults, *(f"{settings.source}{fault}" for fault in faults)):
        say(fault)
    agent = named or settings.agent or DEFAULT
    if agent not in launchers:
        raise Failure(f"no launcher is named {agent}; there are {', '.join(launchers)}")
    return agent, Table(launchers, os.environ)


@contextmanager
def _failures() -> Iterator[None]:
    with failures():
        try:
            yield
        except NotStarted as fault:
            raise Failure(str(fault), REFUSED) from None


def _confirm(found: Workspace, ready: Prepared, yes: bool) -> None:
    """Says how the agent will run, and asks what makes that doubtful; raises Failure."""
    if ready.prompt is not None:
        warn(ready.prompt, found.contracts())
    say(ready.plan.line)
    if ready.plan.left_out:
        say(f"left out of its environment: {', '.join(ready.plan.left_out)}")
    if ready.unsettled is not None and not ready.unsettled.out:
        say_unsettled(ready.unsettled)
    for question in ready.questions:
        if yes:
            say(question)
        elif not agreed(f"{question}. Launch all the same?"):
            words = "nothing was launched; --yes launches all the same"
            raise Failure(f"{question}; {words}", REFUSED)


def _unkept(recorded: sessions.Recorded | None) -> None:
    if recorded is not None and recorded.note:
        say(f"not recorded as out: {recorded.note}")


def _here(found: Workspace, ready: Prepared) -> int:
    here = Here(found, ready)
    outcome = here.run()
    while outcome.stopped:
        outcome = _after_stop(here, outcome)
    _unkept(here.recorded)
    if outcome.told:
        say(f"told to end by signal {outcome.told}; {_end_words(ready, outcome)}")
        return 128 + outcome.told
    say(_end_words(ready, outcome))
    _say_shown(found, ready)
    return DONE if outcome.status == 0 else REFUSED


def _after_stop(here: Here, outcome: Outcome) -> Outcome:
    """Asks what becomes of a stopped agent, and does it."""
    name, pid = here.prepared.plan.launcher.name, here.child.pid
    question = f"{name} is {outcome.cause}, process {pid}. Enter brings it back, e ends it: "
    print(question, end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    return here.end() if not answer or answer.strip().lower() == "e" else here.go_on()


def _end_words(ready: Prepared, outcome: Outcome) -> str:
    return f"{ready.plan.launcher.name} {outcome.cause or 'ended'}"


def _in_tmux(agent: str, apart: Apart) -> int:
    if apart.cause:
        raise Failure(f"{agent}: {apart.cause}", REFUSED)
    say(f"{agent} is out in {apart.place}")
    return DONE


def _headless(found: Workspace, ready: Prepared, apart: Apart) -> int:
    """Waits for the agent and prints what it printed; interrupted, it leaves the agent at work."""
    assert apart.output is not None
    name = ready.plan.launcher.name
    say(f"{name} works headless; its output goes to {shown(apart.output)}")
    try:
        ending = _awaited(found, apart)
    except KeyboardInterrupt:
        say(f"{name} works on; `receipts {ready.task.name}` tells of it")
        raise
    print_exact(_output(apart.output))
    say(f"{name} {ending.cause or 'ended'}")
    _say_shown(found, ready)
    return DONE if ending.status == 0 else REFUSED


def _awaited(found: Workspace, apart: Apart) -> Ending:
    files = LaunchFiles(found.state)
    while (ending := files.ending(apart.recorded.handover.id)) is None:
        time.sleep(_LOOKS)
    return ending


def _output(path: Path) -> bytes:
    with failures():
        return read(path).data


def _say_shown(found: Workspace, ready: Prepared) -> None:
    """What the task file shows of the session that ended."""
    with failures():
        task = found.task(ready.task.name)
    if task.path.startswith(f"{ARCHIVE}/"):
        say(f"archived; `check {task.name}` verifies the closeout")
        return
    standing = sessions.stands(found, task)
    if standing is not None and standing.unchecked:
        say(f"returned, unchecked: {standing.words}; `check {task.name}` checks it")
