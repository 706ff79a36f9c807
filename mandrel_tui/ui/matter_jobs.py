"""Matter jobs: what the app's workers do about rulings, answers and other messages, off the event
loop, each a function from a workspace to a fact; they touch no widget and no screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mandrel_tui.protocol.banners import blocked_banner, escalation_banner
from mandrel_tui.protocol.copied import Copied
from mandrel_tui.protocol.inbox import asked_by, both_sides
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.ruling import Stage, refuse_unowed, ruling_on
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import latest_sid
from mandrel_tui.protocol.turn import Turn, TurnKind
from mandrel_tui.ui.present_matter import ANSWER, RULING, Matter
from mandrel_tui.workspace import files
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

_FAILURES = (UnknownTask, Refusal, files.FileError)


def matter(workspace: Workspace, name: str, kind: str = "") -> Matter:
    """What there is to write about a task: what its state asks for, or a message of that kind."""
    try:
        task = workspace.active_task(name)
    except _FAILURES as error:
        return Matter(kind or RULING, None, refusal=str(error))
    turn = workspace.turn(task)
    made = _message(workspace, task, turn, kind) if kind else _asked(workspace, task, turn)
    draft = Drafts(workspace.state).load(_draft(made)).value
    text = draft if isinstance(draft, str) else ""
    ruling = made.ruling or made.loose
    return replace(made, draft=text or (ruling.text if ruling is not None else ""))


def _asked(workspace: Workspace, task: Task, turn: Turn) -> Matter:
    """What the state of a task asks the human for."""
    if turn.kind is TurnKind.BLOCKED:
        if turn.waits:
            return Matter(ANSWER, task, turn, refusal=turn.reason)
        return _message(workspace, task, turn, ANSWER)
    ruling = workspace.rulings.in_force(task)
    if turn.escalation is None and ruling is None:
        return Matter(RULING, task, turn, refusal="no answer and no ruling is owed")
    sides = tuple(both_sides(task, turn.escalation)) if turn.escalation is not None else ()
    banner = escalation_banner(task, turn, workspace.contracts())
    last = workspace.rulings.latest(task.name)
    loose = last if last is not None and last.stage(task) is Stage.UNBOUND else None
    return Matter(RULING, task, turn, banner, sides, ruling=ruling, loose=loose)


def _message(workspace: Workspace, task: Task, turn: Turn, kind: str) -> Matter:
    sid = task.asking_sid
    if kind != ANSWER:
        sid = latest_sid(workspace.handovers.trail(task.name), task) or ""
    if not sid:
        asked = "b on the board frees it: no session takes an answer"
        why = asked if kind == ANSWER else "no session of this task is known"
        return Matter(kind, task, turn, refusal=why)
    if kind == ANSWER:
        banner = blocked_banner(task, workspace.contracts())
        return Matter(kind, task, turn, banner, asked_by(task), sid)
    return Matter(kind, task, turn, turn.reason, sid=sid)


def save_draft(workspace: Workspace, made: Matter, text: str) -> str:
    """Keep what was typed so far; why it could not be, empty when it was."""
    drafts = Drafts(workspace.state)
    if not text.strip() or (made.ruling is not None and made.ruling.text == text):
        drafts.end(_draft(made))
        return ""
    return drafts.save(_draft(made), text)


def _draft(made: Matter) -> str:
    """The name of a draft, which no task and no file can have."""
    return f"{made.kind}\0{made.task.name if made.task is not None else ''}"


def give(workspace: Workspace, made: Matter, text: str) -> str:
    """Keep a ruling; why it was not given, empty when it was."""
    assert made.task is not None
    try:
        task = workspace.active_task(made.task.name)
        if workspace.rulings.in_force(task) is None:
            refuse_unowed(task, workspace.turn(task))
        ruling = ruling_on(task, text, workspace.now())
        before = ruling_on(made.task, text, workspace.now())
        if (ruling.position, ruling.sid) != (before.position, before.sid):
            return "another review came meanwhile: it is shown now"
        note = workspace.rulings.give(ruling)
    except _FAILURES as error:
        return str(error)
    if not note:
        Drafts(workspace.state).end(_draft(made))
    return note


def withdraw(workspace: Workspace, made: Matter) -> str:
    """Take a ruling back; why it could not be, empty when it was."""
    assert made.task is not None
    try:
        task = workspace.active_task(made.task.name)
        note = workspace.rulings.withdraw(task, workspace.now())
    except _FAILURES as error:
        return str(error)
    if not note:
        Drafts(workspace.state).end(_draft(made))
    return note


@dataclass(frozen=True, slots=True)
class Composed:
    """A message as it would go out, or why it cannot."""

    data: bytes = b""
    fault: str = ""


def compose(workspace: Workspace, made: Matter, text: str) -> Composed:
    """The exact bytes of the message with that text, from the task as it is now."""
    assert made.task is not None
    try:
        now = workspace.active_task(made.task.name)
        if made.kind == ANSWER and workspace.turn(now).kind is not TurnKind.BLOCKED:
            return Composed(fault="the task is not blocked any more")
        answer = None if made.wordless else text
        return Composed(workspace.followup(now.name, made.kind, answer=answer, sid=made.sid))
    except ContractError as error:
        return Composed(fault="; ".join(error.problems))
    except _FAILURES as error:
        return Composed(fault=str(error))


def copy(workspace: Workspace, made: Matter, data: bytes) -> Copied:
    """Copy a message."""
    assert made.task is not None
    return workspace.copy(data, f"{made.task.name}-{made.kind}")


def record(workspace: Workspace, made: Matter, data: bytes, way: str) -> str:
    """Record a message as copied that way, and forget its draft; what could not be kept, empty when
    all was."""
    assert made.task is not None
    sid = made.sid or None
    note = workspace.hand_followup(
        *(made.task, made.kind, data, "clipboard", "copy", way), sid=sid
    ).note
    Drafts(workspace.state).end(_draft(made))
    return note
