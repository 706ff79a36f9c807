"""Check jobs: what the app's workers do about a session that came back, off the event loop, each a
function from a workspace to a fact; they touch no widget and no screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mandrel_tui.protocol.copied import Copied
from mandrel_tui.protocol.followup import Message, followup
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.refusal import ContractError, NoSession, Refusal
from mandrel_tui.protocol.returned import Report
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import sessions_of
from mandrel_tui.ui.present_checks import Asked, Findings
from mandrel_tui.workspace import files
from mandrel_tui.workspace.followups import said
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.launcher import HEADLESS
from mandrel_tui.workspace.returns import begun
from mandrel_tui.workspace.workspace import UnknownTask, Workspace


def begin(workspace: Workspace, asked: Asked) -> Findings:
    """What the task file alone tells, before git is asked."""
    try:
        report = begun(workspace, asked.task, asked.sid or None, asked.given)
    except ContractError as error:
        return Findings(asked, problem="; ".join(error.problems))
    except (UnknownTask, Refusal, files.FileError) as error:
        return _unmade(asked, error)
    return _found(workspace, asked, report)


def finish(workspace: Workspace, asked: Asked) -> Findings:
    """Everything that is checked, with git's answer, and kept."""
    try:
        report = workspace.check(asked.task, asked.sid or None, asked.given)
        made = _found(workspace, asked, report)
        failed = not report.passed
        return replace(made, whole=True, message=message(workspace, report) if failed else b"")
    except ContractError as error:
        return Findings(asked, whole=True, problem="; ".join(error.problems))
    except (UnknownTask, Refusal, files.FileError) as error:
        return replace(_unmade(asked, error), whole=True)


def _unmade(asked: Asked, error: Exception) -> Findings:
    absent = error if isinstance(error, NoSession) else None
    return Findings(asked, problem=str(error), absent=absent)


def _found(workspace: Workspace, asked: Asked, report: Report) -> Findings:
    task = workspace.task(asked.task)
    turn = workspace.turn(task) if report.judged is not None else None
    return Findings(asked, report, task=task, turn=turn, sent=_opening(workspace, task, report))


def _opening(workspace: Workspace, task: Task, report: Report) -> Handover | None:
    """The prompt that opened the session."""
    own = sessions_of(workspace.handovers.trail(report.task), task, report.sid)
    return own[-1][0] if own else None


def message(workspace: Workspace, report: Report) -> bytes:
    """The follow-up that asks to mend what failed; raises Refusal and ContractError."""
    problems = tuple(result.problem for result in report.failed)
    made = Message(report.followup, problems=problems, sid=report.sid, task=report.task)
    return followup(made, workspace.contracts())


def unused(workspace: Workspace, name: str) -> str:
    """Say of the last text that it was not used; why that could not be kept, empty when it was."""
    live = workspace.handovers.trail(name).live
    return workspace.handovers.unused(live[-1], workspace.now()) if live else ""


def printed(workspace: Workspace, name: str) -> str | None:
    """What the agent of the latest session printed; None where it was not captured."""
    live = workspace.handovers.trail(name).live
    if not live or live[-1].delivery.way != HEADLESS:
        return None
    try:
        path = LaunchFiles(workspace.state).output(live[-1].id)
        return files.read(path).data.decode("utf-8", "surrogateescape")
    except files.FileError:
        return None


@dataclass(frozen=True, slots=True)
class Mended:
    """How copying a follow-up went: the findings made for it, the copy, or None where there was
    nothing to copy."""

    found: Findings
    copied: Copied | None = None


def copy(workspace: Workspace, asked: Asked) -> Mended:
    """Check again and copy the follow-up that asks to mend what fails now."""
    found = finish(workspace, asked)
    if not found.message:
        return Mended(found)
    assert found.report is not None
    stem = f"{asked.task}-{found.report.followup}"
    return Mended(found, workspace.copy(found.message, stem))


def record(workspace: Workspace, found: Findings, way: str) -> str:
    """Record a follow-up as copied that way; what could not be kept, empty when all was."""
    task: Task | None = found.task
    assert task is not None and found.report is not None
    kind, sid = found.report.followup, found.report.sid
    facts = said(workspace, task, sid, found.asked.given)
    return workspace.hand_followup(
        *(task, kind, found.message, "clipboard", "copy", way), sid=sid, facts=facts
    ).note
