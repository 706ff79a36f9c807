"""Gate jobs: what the app's workers do about plans, off the event loop, each a function from a
workspace to a fact; they touch no widget and no screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.protocol.banners import plan_banner
from mandrel_tui.protocol.copied import Copied
from mandrel_tui.protocol.handover import PLAN_FEEDBACK, Handover
from mandrel_tui.protocol.plan_gate import FEEDBACK, Gate
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import plan_sid
from mandrel_tui.workspace import files
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

KIND = PLAN_FEEDBACK
_FAILURES = (UnknownTask, Refusal, files.FileError)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a gate stands: the gate, the task it is for, the sid of the plan session, what the
    contract set says of it; `fault` says why there is none."""

    gate: Gate | None = None
    task: Task | None = None
    sid: str = ""
    banner: str = ""
    printed: Path | None = None
    fault: str = ""


def stand(workspace: Workspace, name: str) -> Stand:
    """The gate a reply to a task's plan session belongs to."""
    try:
        task = workspace.active_task(name)
        trail = workspace.handovers.trail(name)
        asked = _asked(trail.live)
        gate = workspace.plans.at(task, asked, workspace.now())
        sid = plan_sid(trail) or ""
        banner = plan_banner(gate, sid, workspace.contracts())
        return Stand(gate, task, sid, banner, _printed(workspace, trail.live))
    except ContractError as error:
        return Stand(fault="; ".join(error.problems))
    except _FAILURES as error:
        return Stand(fault=str(error))


def _asked(handovers: tuple[Handover, ...]) -> Handover | None:
    return next((one for one in reversed(handovers) if one.kind == "plan"), None)


def _printed(workspace: Workspace, handovers: tuple[Handover, ...]) -> Path | None:
    """What the plan session printed last, where it ran with its output captured."""
    mine = (one for one in reversed(handovers) if one.kind in ("plan", KIND))
    last = next(mine, None)
    if last is None or last.delivery.way != "headless":
        return None
    path = LaunchFiles(workspace.state).output(last.id)
    return path if path.exists() else None


@dataclass(frozen=True, slots=True)
class Text:
    """A text that was read, or why it was not."""

    text: str = ""
    fault: str = ""


def read(path: Path) -> Text:
    """The text of a file."""
    try:
        return Text(files.read(path).data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Text(fault=f"{path}: byte {error.start} is not UTF-8")
    except files.FileError as error:
        return Text(fault=str(error))


@dataclass(frozen=True, slots=True)
class Next:
    """A gate as it would be after an act, or why the act is none."""

    gate: Gate | None = None
    fault: str = ""


def after(act: Callable[..., Gate], *words: str) -> Next:
    """What an act of a gate makes of it."""
    try:
        return Next(act(*words))
    except Refusal as refusal:
        return Next(fault=str(refusal))


def keep(workspace: Workspace, gate: Gate) -> str:
    """Keep a gate; why it could not be, empty when it was."""
    return workspace.plans.keep(gate)


@dataclass(frozen=True, slots=True)
class Composed:
    """A feedback message as it would go out, or why it cannot."""

    data: bytes = b""
    fault: str = ""


def compose(workspace: Workspace, name: str, text: str) -> Composed:
    """The exact bytes of feedback with that text."""
    try:
        return Composed(workspace.followup(name, KIND, answer=text, sid=None))
    except ContractError as error:
        return Composed(fault="; ".join(error.problems))
    except _FAILURES as error:
        return Composed(fault=str(error))


def copy(workspace: Workspace, name: str, data: bytes) -> Copied:
    """Copy feedback."""
    return workspace.copy(data, f"{name}-{KIND}")


def record(workspace: Workspace, task: Task, data: bytes, way: str) -> str:
    """Record feedback that was copied as handed over; what could not be kept."""
    return workspace.hand_followup(task, KIND, data, "clipboard", "copy", way).note


def last_feedback(gate: Gate) -> str:
    """The feedback that is out; empty where a reply came since."""
    last = gate.steps[-1:] or ()
    return last[0].text if last and last[0].kind == FEEDBACK else ""


def draft(workspace: Workspace, what: str, name: str) -> str:
    """What was typed before and not used."""
    value = Drafts(workspace.state).load(f"{what}\0{name}").value
    return value if isinstance(value, str) else ""


def keep_draft(workspace: Workspace, what: str, name: str, text: str) -> str:
    """Keep what was typed; why it could not be, empty when it was."""
    drafts = Drafts(workspace.state)
    if text.strip():
        return drafts.save(f"{what}\0{name}", text)
    drafts.end(f"{what}\0{name}")
    return ""
