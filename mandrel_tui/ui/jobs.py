"""Jobs: what the app's workers do off the event loop, each a function from a workspace to a fact;
they touch no widget and no screen."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from mandrel_tui.protocol.copied import Copied
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, wants_sid
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.standing import Standing
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Turn
from mandrel_tui.ui.present import number
from mandrel_tui.ui.present_prompt import Sheet, differing, refusal
from mandrel_tui.workspace import files, sessions
from mandrel_tui.workspace.sessions import Recorded
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

Sids = MutableMapping[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a copy or a save ended: the prompt as it went out, what is to be said in which role.

    `recorded` is what went out; `differing` are contract texts that must be confirmed first,
    `unsettled` is the session that came back and would lose its checks; `exists` is a file that is
    there already: in all three cases nothing has been done yet.
    """

    sheet: Sheet
    said: str = ""
    role: str = "text"
    copied: Copied | None = None
    recorded: Recorded | None = None
    differing: tuple[str, ...] = ()
    unsettled: Standing | None = None
    exists: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether it must be confirmed first."""
        return bool(self.differing) or self.unsettled is not None


def sheet(workspace: Workspace, request: PromptRequest, sids: Sids) -> Sheet:
    """The request assembled from the task as its file is now, or why it is not.

    `sids` remembers the session id chosen for each task, so that what is shown is what is copied.
    """
    try:
        task = workspace.active_task(request.task)
    except (UnknownTask, Refusal, files.FileError) as error:
        return Sheet(request, problems=(str(error),))
    turn = workspace.turn(task)
    try:
        prompt = workspace.prompt(_with_sid(workspace, request, task, turn, sids))
    except ContractError as error:
        return Sheet(request, task, turn, problems=error.problems)
    except (UnknownTask, Refusal, files.FileError) as error:
        return Sheet(request, task, turn, problems=(refusal(turn, str(error)),))
    return Sheet(request, task, turn, prompt)


def _with_sid(
    workspace: Workspace, request: PromptRequest, task: Task, turn: Turn, sids: Sids
) -> PromptRequest:
    """The request with a sid where no hook will tell one: the same until a session has used it."""
    if not wants_sid(request, turn, workspace.contracts()):
        return request
    used = {entry.sid for entry in task.entries} | {task.claimed_sid}
    if sids.get(task.name) in (None, *used):
        sids[task.name] = str(uuid4())
    return replace(request, sid=sids[task.name])


def copy(workspace: Workspace, request: PromptRequest, sids: Sids, *, sure: bool) -> Outcome:
    """Assemble again and copy; asks first where a contract text is not the deployed one, and where
    a session came back and is not checked."""
    made = sheet(workspace, request, sids)
    held = _held(workspace, made, "nothing is copied", sure)
    if held is not None or made.prompt is None:
        return held or Outcome(made)
    return Outcome(made, copied=workspace.copy(made.prompt.data, _stem(made)))


def save(
    workspace: Workspace,
    request: PromptRequest,
    sids: Sids,
    path: Path,
    *,
    over: bool,
    sure: bool,
) -> Outcome:
    """Assemble again and write to a file; asks first as `copy` does, and before it replaces one."""
    made = sheet(workspace, request, sids)
    held = _held(workspace, made, "nothing is saved", sure)
    if held is not None or made.prompt is None:
        return held or Outcome(made)
    fault = _no_place(workspace, path)
    if fault:
        return Outcome(made, f"nothing is saved: {fault}", "fail")
    try:
        before = files.read(path).data if path.exists() else None
        if before is not None and not over:
            return Outcome(made, exists=True)
        files.write_atomic(path, made.prompt.data, before)
    except (files.FileError, OSError) as error:
        return Outcome(made, f"nothing is saved: {error}", "fail")
    size = number(len(made.prompt.data))
    said = f"saved {size} bytes as {shown(path)}, sha {made.prompt.sha256[:8]}"
    recorded = workspace.hand_over(made.prompt, "file", "file", str(path))
    return Outcome(made, said, recorded=recorded)


def _no_place(workspace: Workspace, path: Path) -> str:
    """Why no prompt is saved there; empty where one may be."""
    if workspace.store.is_place(path):
        return f"a prompt would take the place of a task: {shown(path)}"
    return "" if path.parent.is_dir() else f"the folder is not there: {shown(path.parent)}"


def record(workspace: Workspace, prompt: Prompt, way: str) -> Recorded:
    """Record a prompt that was copied as handed over."""
    return workspace.hand_over(prompt, "clipboard", "copy", way)


def _held(workspace: Workspace, made: Sheet, what: str, sure: bool) -> Outcome | None:
    """Why nothing is done yet; None when the prompt may go out."""
    if made.prompt is None:
        how = "; p shows it" if len(made.problems) > 1 else ""
        how = "; p shows the prompt, there a gives it" if made.ruling_owed else how
        return Outcome(made, f"{what}: {made.why}{how}", "you")
    if sure or made.task is None:
        return None
    before = sessions.unsettled(workspace, made.task)
    back = before if before is not None and not before.out else None
    asked = Outcome(made, differing=differing(made.prompt), unsettled=back)
    return asked if asked.doubtful else None


def _stem(made: Sheet) -> str:
    assert made.prompt is not None
    return f"{made.prompt.task}-{made.prompt.kind}"


def whereabouts(workspace: Workspace, name: str) -> str:
    """What became of a task that left the board."""
    try:
        path = workspace.task(name).path
    except UnknownTask:
        return "its file is gone"
    except files.FileError as error:
        return str(error)
    return "archived" if "/archive/" in path else "back"


def task(workspace: Workspace, name: str) -> tuple[Task | None, str]:
    """One task read now, or why it cannot be."""
    try:
        return workspace.task(name), ""
    except (UnknownTask, files.FileError) as error:
        return None, str(error)


def remember(workspace: Workspace, name: str) -> None:
    """Begin with this task next time."""
    workspace.state.save("place", {"task": name})


def remembered(workspace: Workspace) -> str:
    """The task used last time; empty when none is known."""
    value = workspace.state.load("place").value
    name = value.get("task") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""
