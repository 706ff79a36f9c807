"""Launching: starts the agent that a prepared text goes to, and records what left; nothing is
recorded of an agent that never started."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.handover import Delivery
from mandrel_tui.protocol.trail import Ending
from mandrel_tui.workspace import process, sessions, tmux
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import PASTE, STDIN, TMUX
from mandrel_tui.workspace.prepared import Prepared, refuse_meanwhile
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.terminal_child import Outcome, TerminalChild
from mandrel_tui.workspace.tmux import Pane
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

STARTS = 10.0  # seconds an attendant has to start the agent
AT_ONCE = 1.5  # an agent that fails so soon has not started to work
PASTES = 20.0  # seconds an agent has to show that it takes a paste
_ATTENDANT = Path(__file__).with_name("attendant.py")


@dataclass
class Here:
    """An agent that is given this terminal, behind descriptor `fd`."""

    workspace: Workspace
    prepared: Prepared
    fd: int = 0
    recorded: sessions.Recorded | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        made = self.prepared.plan
        self.child = TerminalChild(made.argv, cwd=made.cwd, environ=made.environ, fd=self.fd)

    def run(self) -> Outcome:
        """Launches and waits until the agent ends or stops; raises NotStarted and Refusal."""
        refuse_meanwhile(self.workspace, self.prepared)
        return self._told(self.child.run(self._started))

    def go_on(self) -> Outcome:
        """Brings an agent back that stopped."""
        return self._told(self.child.go_on())

    def end(self) -> Outcome:
        """Ends an agent that stopped."""
        return self._told(self.child.end())

    def _started(self) -> None:
        self.recorded = _record(self.workspace, self.prepared, sessions.new_id(), "")

    def _told(self, outcome: Outcome) -> Outcome:
        if self.recorded is not None and outcome.status is not None:
            id, now = self.recorded.handover.id, self.workspace.now()
            ending = Ending(id, now, outcome.status, outcome.cause)
            self.workspace.handovers.ended(self.prepared.task.name, ending)
        return outcome


@dataclass(frozen=True, slots=True)
class Apart:
    """An agent that was launched outside this terminal; `place` says where, `output` is the file of
    what it prints; `cause` says on one line why it failed at once, empty while it works."""

    recorded: sessions.Recorded
    place: str
    output: Path | None = None
    cause: str = ""


def launch_apart(workspace: Workspace, prepared: Prepared, *, split: bool = False) -> Apart:
    """Launches in tmux or headless; raises NotStarted and Refusal, and then nothing is out."""
    refuse_meanwhile(workspace, prepared)
    if prepared.pane is not None:
        tmux.paste(prepared.pane, prepared.data)
        recorded = _record(workspace, prepared, sessions.new_id(), prepared.pane.place)
        return Apart(recorded, f"pasted into {prepared.pane.place}; press Enter there")
    launch = _Launch(workspace, prepared, sessions.new_id())
    if prepared.plan.place == TMUX:
        return launch.in_tmux(split)
    return launch.headless()


@dataclass(frozen=True, slots=True)
class _Launch:
    """One launch that an attendant carries out."""

    workspace: Workspace
    prepared: Prepared
    id: str

    @property
    def files(self) -> LaunchFiles:
        return LaunchFiles(self.workspace.state)

    def in_tmux(self, split: bool) -> Apart:
        made = self.prepared.plan
        environ = {_text(name): _text(value) for name, value in made.environ.items()}
        self._order(environ, stdin=None, output=None)
        name = f"{made.launcher.name} {self.prepared.task.name}"
        try:
            pane = tmux.open_pane(self._attendant(), name, split=split)
            self._await_start()
        except NotStarted:
            self.files.remove(self.id)
            raise
        if made.route == PASTE:
            self._paste(pane)
        recorded = _record(self.workspace, self.prepared, self.id, pane.place)
        cause = self._failed()
        if cause:
            cause = _last_words(tmux.text(pane), cause)
            tmux.close(pane)
        place = f"{pane.place}{'; press Enter there' if made.route == PASTE else ''}"
        return Apart(recorded, place, cause=cause)

    def headless(self) -> Apart:
        made, files = self.prepared.plan, self.files
        stdin = ""
        if made.route == STDIN:
            stdin = str(files.prompt(self.id))
            self._write(files.prompt(self.id), self.prepared.data)
        output = files.output(self.id)
        self._order(None, stdin, str(output))
        try:
            self._start()
            self._await_start()
        except NotStarted:
            files.remove(self.id)
            raise
        recorded = _record(self.workspace, self.prepared, self.id, str(output))
        cause = self._failed()
        return Apart(recorded, str(output), output, cause and _last_words(_printed(output), cause))

    def _start(self) -> None:
        argv, made = self._attendant(), self.prepared.plan
        try:
            process.start_apart(argv, cwd=made.cwd, env=made.environ)
        except (OSError, ValueError) as error:
            raise NotStarted(process.not_started(argv[0], made.cwd, None, error)) from None

    def _attendant(self) -> list[str]:
        return [sys.executable, "-I", str(_ATTENDANT), str(self.files.order(self.id))]

    def _order(self, environ: dict[str, str] | None, stdin: str | None, output: str | None) -> None:
        made = self.prepared.plan
        order = {
            "argv": [_text(part) for part in made.argv],
            "cwd": str(made.cwd),
            "environ": environ,
            "stdin": stdin,
            "output": output,
            "result": str(self.files.result(self.id)),
        }
        self._write(self.files.order(self.id), json.dumps(order).encode())

    def _write(self, path: Path, data: bytes) -> None:
        note = self.files.write(path, data)
        if note:
            raise NotStarted(f"an agent outside this terminal needs the state folder: {note}")

    def _await_start(self) -> None:
        """Waits until the attendant tells that the agent runs; raises NotStarted."""
        end = time.monotonic() + STARTS
        while not (progress := self.files.progress(self.id)).started:
            name = shown(self.prepared.plan.program)
            if progress.ended:
                raise NotStarted(f"{name} cannot be started: {progress.cause}")
            if time.monotonic() > end:
                raise NotStarted(f"{name} was not started within {STARTS:g} s")
            time.sleep(0.02)

    def _failed(self) -> str:
        """Why the agent failed at once; empty while it works, and when it ended well."""
        end = time.monotonic() + AT_ONCE
        while time.monotonic() < end:
            progress = self.files.progress(self.id)
            if progress.ended:
                return progress.cause
            time.sleep(0.02)
        return ""

    def _paste(self, pane: Pane) -> None:
        try:
            if not tmux.ready(pane, PASTES):
                raise NotStarted("the agent shows nothing that could take the prompt")
            tmux.paste(pane, self.prepared.data)
        except NotStarted:
            tmux.close(pane)
            raise


def _text(part: str | bytes) -> str:
    """An argument or variable as the text that stands for its bytes in an order."""
    return os.fsencode(part).decode("utf-8", "surrogateescape")


def _record(workspace: Workspace, prepared: Prepared, id: str, place: str) -> sessions.Recorded:
    made = prepared.plan
    delivery = Delivery(workspace.now(), made.launcher.name, made.place, place)
    if prepared.prompt is not None:
        return sessions.hand_over(workspace, prepared.prompt, delivery, id)
    return sessions.hand_followup(
        *(workspace, prepared.task, prepared.kind, prepared.data, delivery, id),
        prepared.sid,
        prepared.facts,
    )


def _printed(output: Path) -> str:
    try:
        return read(output).data.decode("utf-8", "replace")
    except NotRead:
        return ""


def _last_words(text: str, cause: str) -> str:
    """The cause with the last line the agent printed, on one line."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    own = [line for line in lines if not line.endswith("Enter closes this window.")]
    return f"{cause}: {shown(own[-1])[:300]}" if own else cause
