"""Prepared: a prompt or follow-up with the way it will get to an agent, settled before anything is
done; starts nothing."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import PLAN, PLAN_FEEDBACK, Handover
from mandrel_tui.protocol.prompt import Prompt, PromptRequest
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.requests import takes_sid
from mandrel_tui.protocol.returned import Given
from mandrel_tui.protocol.standing import Standing
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.trail import addressee, latest_sid
from mandrel_tui.workspace import sessions, tmux
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import HEADLESS, PASTE, TMUX, Launcher, Plan, conversation, plan
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.tmux import Pane
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import Workspace

QUIET = 1.0  # seconds without a write after which a task file counts as written to its end
PATIENCE = 5.0


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text for one session and how it will get there; nothing has been done yet.

    `kind` is that of the prompt or follow-up; `task` is what it was made from; `pane` is the open
    one that a follow-up is pasted into; `questions` are what the human is asked first, `notes` what
    is only said; `unsettled` is where the session before stands while it is not settled; `facts`
    are what the human said of the time before the session.
    """

    kind: str
    task: Task
    data: bytes
    sid: str | None
    plan: Plan
    prompt: Prompt | None = None
    pane: Pane | None = None
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unsettled: Standing | None = None
    facts: Facts | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The launchers there are, and the environment this program runs in."""

    launchers: Mapping[str, Launcher]
    environ: Mapping[str, str] = field(repr=False)

    def plan(
        self, name: str, place: str, data: bytes, cwd: Path, sid: str | None, resume: bool
    ) -> Plan:
        """How that agent would be started; raises NotStarted."""
        marks = {mark for launcher in self.launchers.values() for mark in launcher.marks}
        return plan(
            self.find(name),
            place,
            data,
            cwd,
            sid=sid,
            resume=resume,
            environ=self.environ,
            marks=marks,
        )

    def find(self, name: str) -> Launcher:
        """The launcher of that name; raises NotStarted."""
        if name not in self.launchers:
            known = ", ".join(self.launchers)
            raise NotStarted(f"no launcher is named {name}; there are {known}")
        return self.launchers[name]


def prepare(
    workspace: Workspace, table: Table, request: PromptRequest, agent: str, place: str
) -> Prepared:
    """The prompt of a request and how it gets to an agent; waits for a task file that is being
    written. Raises as `Workspace.prompt` does, and NotStarted."""
    launcher = table.find(agent)
    _await_quiet(workspace, request.task)
    task = workspace.active_task(request.task)
    sid = request.sid or (str(uuid.uuid4()) if launcher.session else None)
    if sid is not None and takes_sid(request, workspace.turn(task)):
        request = replace(request, sid=sid)
    prompt = workspace.prompt(request)
    sid = prompt.sid or sid
    made = prompt.made_from or task
    before = sessions.unsettled(workspace, made)
    return Prepared(
        kind=prompt.kind,
        task=made,
        data=prompt.data,
        sid=sid,
        plan=table.plan(agent, place, prompt.data, workspace.root, sid, resume=False),
        prompt=replace(prompt, sid=sid),
        questions=tuple(_questions(workspace, made, prompt.kind, before)),
        notes=prompt.warnings,
        unsettled=before,
    )


def prepare_followup(
    workspace: Workspace,
    table: Table,
    name: str,
    kind: str,
    answer: str | None,
    agent: str,
    place: str,
    *,
    sid: str | None = None,
    given: Given | None = None,
    fresh: bool = False,
) -> Prepared:
    """A follow-up and how it gets into the conversation `sid`, by default the latest, or with
    `fresh` into a new one; `given` is as of `Workspace.check`. Raises as `prepare` does."""
    launcher = table.find(agent)
    _await_quiet(workspace, name)
    task = workspace.task(name)
    trail = workspace.handovers.trail(name)
    sid = sid or addressee(kind, trail, task)
    data = workspace.followup(name, kind, answer=answer, sid=sid, given=given)
    if fresh:
        sid = str(uuid.uuid4()) if launcher.session else None
        made = table.plan(agent, place, data, workspace.root, sid, resume=False)
        return Prepared(kind, task, data, sid, made)
    at_work = trail.live and latest_sid(trail, task) == sid
    if kind == PLAN_FEEDBACK:
        at_work = at_work and trail.sessions[-1][0].kind == PLAN
    launched = _running(workspace, trail.sessions[-1]) if at_work else None
    if launched is not None:
        pane, own = _pane_of(launched), launched.delivery.launcher
        agent = own if own in table.launchers else agent
        made = table.plan(agent, TMUX, data, workspace.root, None, resume=False)
        said = (f"the conversation is open in {pane.place}",)
        return Prepared(kind, task, data, sid, replace(made, route=PASTE), pane=pane, notes=said)
    folder, notes = _folder(workspace, table, launcher, sid)
    made = table.plan(agent, place, data, folder, sid, resume=True)
    return Prepared(kind, task, data, sid, made, notes=notes)


def _folder(
    workspace: Workspace, table: Table, launcher: Launcher, sid: str | None
) -> tuple[Path, tuple[str, ...]]:
    """The folder a conversation must be resumed in, and what is said of it."""
    begun = conversation(launcher, sid, table.environ) if sid else None
    if begun is None or begun.folder is None or begun.folder == workspace.root:
        return workspace.root, ()
    if begun.gone:
        raise NotStarted(
            f"the conversation {sid} was begun in {shown(begun.folder)}, which is gone; "
            "only a new session can be given this"
        )
    return begun.folder, (f"it is resumed in {shown(begun.folder)}, where it was begun",)


def _running(workspace: Workspace, session: tuple[Handover, ...]) -> Handover | None:
    """The launch of the session whose agent has not ended; None without one."""
    files = LaunchFiles(workspace.state)
    apart = (text for text in reversed(session) if text.delivery.way in (TMUX, HEADLESS))
    last = next((text for text in apart if files.progress(text.id).started), None)
    return last if last is not None and files.ending(last.id) is None else None


def _pane_of(launched: Handover) -> Pane:
    """The pane in which an agent runs; raises NotStarted where it works on without one."""
    pane = tmux.pane_in(launched.delivery.place)
    if pane is None or not tmux.lives(pane):
        raise NotStarted(f"{launched.delivery.launcher} still works on it")
    return pane


def _questions(workspace: Workspace, task: Task, kind: str, standing: Standing | None) -> list[str]:
    """What makes it doubtful that a new session should begin now."""
    found = []
    sid, working = task.claimed_sid, task.status in (Status.IN_PROGRESS, Status.FINAL_REVIEW)
    if sid and working and not any(entry.sid == sid for entry in task.entries):
        since = f" at {task.claimed_at}" if task.claimed_at else ""
        found.append(f"{sid} claimed it{since} and has written no entry: a session may be at work")
    if standing is not None and standing.out:
        who = "a session" if standing.handover.delivery.by_hand else standing.launcher
        found.append(f"{who} has been out with it since {standing.since}")
    if sessions.unplanned(workspace, task, kind):
        found.append("its plan is not approved, so it goes without one")
    return found


def _await_quiet(workspace: Workspace, name: str) -> None:
    """Waits until nobody has written to the task file for a moment; raises Refusal."""
    path = next((f.path for f in workspace.store.listing().files if f.name == name), None)
    if path is None:
        return
    end = time.monotonic() + PATIENCE
    last, since = _state(path), 0.0
    while last is not None and time.time() - last[1] / 1e9 < QUIET and since < QUIET:
        if time.monotonic() > end:
            raise Refusal(f"{name} is being written to: launch when it has been quiet for a second")
        time.sleep(0.05)
        now = _state(path)
        last, since = now, since + 0.05 if now == last else 0.0


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def refuse_meanwhile(workspace: Workspace, prepared: Prepared) -> None:
    """Raises Refusal when the task is no longer what the text was made from."""
    now = workspace.task(prepared.task.name)
    if now.sha256 != prepared.task.sha256:
        claimed = now.claimed_by != prepared.task.claimed_by
        how = f": claimed by {now.claimed_by or 'nobody'}" if claimed else ""
        raise Refusal(f"{now.name} changed since it was read{how}; look at it again")
