"""Returns: checks a session that came back, or verifies the closeout it was, by what files and git
say now; mends nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

from mandrel_tui.protocol.cautions import Aside, warnings
from mandrel_tui.protocol.handover import RESUMPTION
from mandrel_tui.protocol.intent import Replanned, replanned
from mandrel_tui.protocol.postchecks import TREE, Evidence, run_checks
from mandrel_tui.protocol.refusal import ContractError, NoSession
from mandrel_tui.protocol.returned import Given, Report, judge
from mandrel_tui.protocol.rewriting import Rewritten, rewritten
from mandrel_tui.protocol.standing import standing
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import Checked, Trail, latest_sid, sessions_of
from mandrel_tui.protocol.verify_closeout import Remains, verify
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.assembly import checks, evidence
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.git import GitError
from mandrel_tui.workspace.launch_files import LaunchFiles
from mandrel_tui.workspace.workspace import Workspace

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z")


def check(workspace: Workspace, name: str, sid: str | None, given: Given) -> Report:
    """The report on the session `sid` of a task, by default the latest one; what it finds is kept
    with the handover. Raises as `Workspace.prompt` does."""
    task, trail, sid = _meant(workspace, name, sid)
    if _is_archived(task):
        report = closed(workspace, task, sid, trail)
    else:
        report = _session(workspace, task, sid, trail, given)
    return _kept(workspace, task, trail, report)


def begun(workspace: Workspace, name: str, sid: str | None, given: Given) -> Report:
    """What the task file alone tells of a session, before git is asked: without the check of the
    tree, without warnings, kept nowhere. Raises as `check` does."""
    task, trail, sid = _meant(workspace, name, sid)
    if _is_archived(task):
        return Report(task.name, sid, None, ())
    judged = judge(task, trail, sid, given, workspace.turn(task))
    contracts = workspace.contracts()
    if contracts.problems:
        raise ContractError(contracts.problems)
    results = run_checks(task, judged.facts, Evidence(None), contracts.requirements())
    return Report(task.name, sid, judged, tuple(r for r in results if r.id != TREE))


def _meant(workspace: Workspace, name: str, sid: str | None) -> tuple[Task, Trail, str]:
    """A task with what is recorded of it, and the sid of the session that is meant."""
    task = workspace.task(name)
    trail = workspace.handovers.trail(name)
    sid = sid or latest_sid(trail, task) or (task.claimed_sid if _is_archived(task) else "")
    if not sid:
        if not trail.live:
            raise NoSession(name)
        before = task.entries[-1].sid if task.entries else task.claimed_sid
        raise NoSession(name, trail.live[-1].delivery.at, before)
    return task, trail, sid


def _is_archived(task: Task) -> bool:
    return task.path.startswith(f"{ARCHIVE}/")


def _session(workspace: Workspace, task: Task, sid: str, trail: Trail, given: Given) -> Report:
    judged = judge(task, trail, sid, given, workspace.turn(task))
    results = checks(workspace, task, judged.facts)
    aside = replace(
        _aside(workspace, task, sid, trail),
        ruling=workspace.rulings.latest(task.name),
        absent=_absent(trail, task, sid),
    )
    told = warnings(task, judged.facts, aside)
    return Report(task.name, sid, judged, results, told)


def _absent(trail: Trail, task: Task, sid: str) -> str:
    """That nothing shows that the session is back, and which one was before it; empty where
    something does."""
    found = standing(trail, task)
    if found is None or found.sid != sid:
        return ""
    if found.handover.kind == RESUMPTION:
        since = task.entries[trail.base(found.handover).entries :]
        wrote = any(entry.sid == sid for entry in since)
        return "" if wrote else "no entry since your answer"
    if not found.out or any(entry.sid == sid for entry in task.entries):
        return ""
    before = f"; the one before is {task.entries[-1].sid}" if task.entries else ""
    return f"nothing shows that it is back: it may still be at work{before}"


def closed(workspace: Workspace, task: Task, sid: str, trail: Trail) -> Report:
    """The verification of a task's closeout."""
    return Report(task.name, sid, None, verify(remains(workspace, task, _said(workspace, trail))))


def _kept(workspace: Workspace, task: Task, trail: Trail, report: Report) -> Report:
    """The report with the handover it is about, and kept with that."""
    latest = trail.live[-1] if trail.live else None
    if latest is None:
        return report
    own = sessions_of(trail, task, report.sid)
    if report.judged is not None and trail.sessions[-1] not in own:
        return report
    failed = tuple(result.id for result in report.failed)
    result = Checked(latest.id, workspace.now(), task.sha256, failed)
    note = workspace.handovers.checked(task.name, result)
    return replace(report, handover=latest, followups=trail.followups, note=note)


def remains(workspace: Workspace, task: Task, report: str | None) -> Remains:
    """What lies in the repository now of a task that was closed out."""
    active = workspace.store.active(workspace.store.listing())
    archived = workspace.archived_names()
    return Remains(
        task=task.name,
        names=frozenset(name for name in (task.name, task.id) if name),
        active=active,
        copies=archived,
        archived=archived,
        index=workspace.store.index(),
        report=report,
        evidence=evidence(workspace),
    )


def _said(workspace: Workspace, trail: Trail) -> str | None:
    """What the closeout's own session printed, where it ran with its output captured."""
    for handover in reversed(trail.handovers):
        if handover.kind in ("closeout", "closeout-incomplete"):
            try:
                path = LaunchFiles(workspace.state).output(handover.id)
                return read(path).data.decode("utf-8", "replace")
            except NotRead:
                continue
    return None


def _aside(workspace: Workspace, task: Task, sid: str, trail: Trail) -> Aside:
    """What git and the versions of the task file tell of the session's time."""
    own = sessions_of(trail, task, sid)
    if not own:
        span = _claimed(task, sid), _written(task, sid) or workspace.now()
        return Aside(
            _memory_commits(workspace, *span),
            _rewritten(workspace, task, ""),
            _replanned(task, _unwritten(workspace, task, sid)),
        )
    first = own[-1][0]
    begun = (session[0].delivery.at for session in trail.sessions)
    later = min((at for at in begun if at > first.delivery.at), default=workspace.now())
    span = first.delivery.at, later
    then = workspace.versions.task(task, first.then.sha256)
    return Aside(
        _memory_commits(workspace, *span),
        _rewritten(workspace, task, first.then.sha256),
        _replanned(task, then),
    )


def _replanned(task: Task, then: Task | None) -> tuple[Replanned, ...]:
    """What of the plan changed unsaid since that version."""
    return () if then is None else replanned(then, task)


def _unwritten(workspace: Workspace, task: Task, sid: str) -> Task | None:
    """The last version that was seen before the session wrote an entry; None without one."""
    for version in reversed(workspace.versions.of(task.name)):
        then = workspace.versions.task(task, version.sha256)
        if then is not None and all(entry.sid != sid for entry in then.entries):
            return then
    return None


def _claimed(task: Task, sid: str) -> str:
    """When the session claimed the task; empty where that cannot be told."""
    own = task.claimed_sid == sid and _STAMP.fullmatch(task.claimed_at)
    return task.claimed_at if own else ""


def _written(task: Task, sid: str) -> str:
    """When the session had written its last entry in every time zone; empty where that cannot be
    told."""
    dates = [entry.date for entry in task.entries if entry.sid == sid]
    try:
        day = date.fromisoformat(dates[-1][:10]) if dates else None
        return "" if day is None else f"{day + timedelta(days=2)}T00:00:00Z"
    except (ValueError, OverflowError):
        return ""


def _memory_commits(workspace: Workspace, since: str, until: str) -> tuple[str, ...]:
    """The commits of that time that touch the memory, but for those that closeouts made from here:
    they are no session's."""
    if not since:
        return ()
    try:
        found = workspace.git.commits(".ai", _second_after(since), until)
    except GitError:
        return ()  # the check of the tree says what git said
    own = ClosedRecords(workspace.state).commits() if found else ()
    return tuple(commit for commit in found if commit not in own)


def _second_after(stamp: str) -> str:
    """A commit of the very second in which a session began was there before it."""
    try:
        return (datetime.fromisoformat(stamp) + timedelta(seconds=1)).isoformat()
    except (ValueError, OverflowError):
        return stamp


def _rewritten(workspace: Workspace, task: Task, earlier: str) -> Rewritten:
    """What the log no longer says of that version, by default the last one that said all."""
    latest = workspace.versions.latest(task.name)
    earlier = earlier or (latest.against if latest else "")
    then = workspace.versions.task(task, earlier) if earlier else None
    return Rewritten() if then is None else rewritten(then, task)
