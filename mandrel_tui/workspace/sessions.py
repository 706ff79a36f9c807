"""Sessions: what is recorded of a repository's sessions, joined with its task files as they are
now; assembles and sends nothing."""

from __future__ import annotations

import os
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mandrel_tui.protocol.board import Row
from mandrel_tui.protocol.task import Task
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.archive import Progress
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.listing import Listing
from mandrel_tui.workspace.records import HANDOVERS, PLANS, RULINGS, Records
from mandrel_tui.workspace.store import TASKS
from mandrel_tui.workspace.workspace import Workspace

# A store of which nothing went out yet is read without what judges hand-overs.
if TYPE_CHECKING:
    from mandrel_tui.protocol.facts import Facts
    from mandrel_tui.protocol.handover import Delivery, Handover
    from mandrel_tui.protocol.prompt import Prompt
    from mandrel_tui.protocol.standing import Standing
    from mandrel_tui.protocol.trail import Trail

# A command that only looks keeps the versions of a store of ordinary size; a larger one waits for
# somebody who has the time.
OBSERVED = 256


@dataclass(frozen=True, slots=True)
class Recorded:
    """A text that left; `note` says what of it could not be kept, empty when all was. `beside` is a
    session of the task that was out or not checked yet, `unplanned` whether a plan is in the making
    that it goes without."""

    handover: Handover
    note: str = ""
    beside: Standing | None = None
    unplanned: bool = False


def observe(workspace: Workspace, task: Task, path: Path) -> str:
    """Keeps a task file as it was read; why it could not be kept, empty when it is."""
    try:
        return workspace.versions.saw(task, lambda: read(path).data, workspace.now())
    except NotRead:
        return ""  # gone since: the next look tells


def seen(workspace: Workspace, tasks: Sequence[Task], listing: Listing) -> dict[str, str]:
    """Keeps the listed files of a store of ordinary size, and says which logs were rewritten; of a
    larger one only as far as that is known already."""
    names = [task.name for task in tasks]
    if len(tasks) > OBSERVED:
        return workspace.versions.alarms(filter(workspace.versions.knows, names))
    for task, file in zip(tasks, listing.files, strict=True):
        observe(workspace, task, file.path)
    return workspace.versions.alarms(names)


def back_up(workspace: Workspace, progress: Progress | None = None) -> str:
    """Keeps every task file as it is now, of the archive those of which there is no version yet;
    why one could not be kept, empty when all are."""
    note = ""
    store, versions = workspace.store, workspace.versions
    active, archive = store.listing(), store.archive_listing()
    kept = frozenset(versions.records.some(file.name for file in archive.files))
    files = [(file, TASKS) for file in active.files]
    files += [(file, ARCHIVE) for file in archive.files if file.name not in kept]
    for number, (file, folder) in enumerate(files, start=1):
        try:
            note = observe(workspace, store.read(file, folder), file.path) or note
        except NotRead:
            continue
        if progress is not None and number % 50 == 0:
            progress(number, len(files))
    return note


def with_sessions(workspace: Workspace, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows, active ones with where their latest session stands, their ruling and their plan
    gate in force."""
    names = [row.name for row in rows if not row.archived]
    sent = frozenset(Records(workspace.state, HANDOVERS).some(names))
    ruled = frozenset(Records(workspace.state, RULINGS).some(names))
    planned = frozenset(Records(workspace.state, PLANS).some(names))
    if not sent and not ruled and not planned:
        return rows
    joined = sent | ruled | planned
    return tuple(
        _joined(workspace, row, row.task, sent, ruled, planned)
        if row.task is not None and row.name in joined
        else row
        for row in rows
    )


def _joined(
    workspace: Workspace, row: Row, task: Task, sent: Set[str], ruled: Set[str], planned: Set[str]
) -> Row:
    gate = workspace.plans.in_force(task) if row.name in planned else None
    standing = stands(workspace, task) if row.name in sent else None
    ruling = workspace.rulings.in_force(task) if row.name in ruled else None
    return replace(row, handover=standing, ruling=ruling, gate=gate)


def stands(workspace: Workspace, task: Task, trail: Trail | None = None) -> Standing | None:
    """Where the latest session of a task stands."""
    from mandrel_tui.protocol.handover import PLAN, PLAN_FEEDBACK
    from mandrel_tui.protocol.standing import standing

    trail = workspace.handovers.trail(task.name) if trail is None else trail
    version = workspace.versions.latest(task.name)
    seen = version.at if version is not None and version.sha256 == task.sha256 else ""
    found = standing(trail, task, seen)
    if found is None or found.handover.kind not in (PLAN, PLAN_FEEDBACK):
        return found
    # A plan session is over when its plan is approved: nobody waits for it any more.
    gate = workspace.plans.in_force(task)
    return None if gate is not None and gate.approval is not None else found


def unsettled(workspace: Workspace, task: Task) -> Standing | None:
    """Where the latest session of a task stands while it is out, not checked or not mended."""
    standing = stands(workspace, task)
    return standing if standing is not None and standing.unsettled else None


def unplanned(workspace: Workspace, task: Task, kind: str) -> bool:
    """Whether a session of that kind would work while a plan waits for approval."""
    gate = workspace.plans.in_force(task) if kind == "dev" else None
    return gate is not None and bool(gate.steps) and gate.approval is None


def marks(workspace: Workspace) -> frozenset[tuple[str, int, int]]:
    """What tells two states of all records about sessions apart, without reading them: the files
    with their times and sizes, and the launched agents that are still watched."""
    from mandrel_tui.workspace.launch_files import unlocked

    found: set[tuple[str, int, int]] = set()
    for name in (HANDOVERS, RULINGS, PLANS, "launches"):
        folder = workspace.state.folder / name
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                known = entry.stat(follow_symlinks=False)
                held = entry.name.endswith(".result") and not unlocked(Path(entry.path))
                size = -1 if held else known.st_size
                found.add((f"{name}/{entry.name}", known.st_mtime_ns, size))
    return frozenset(found)


def hand_over(workspace: Workspace, prompt: Prompt, delivery: Delivery, id: str) -> Recorded:
    """Records an assembled prompt as delivered, and the ruling it carries as given."""
    task = prompt.made_from
    assert task is not None
    from mandrel_tui.protocol.handover import prompt_handover
    from mandrel_tui.protocol.ruling import ruling_on

    beside, alone = unsettled(workspace, task), unplanned(workspace, task, prompt.kind)
    handover = prompt_handover(prompt, delivery, id)
    note = workspace.handovers.record(handover, prompt.data)
    if prompt.ruling is not None:
        note = workspace.rulings.give(ruling_on(task, prompt.ruling, delivery.at)) or note
    return Recorded(handover, note, beside, alone)


def hand_followup(
    workspace: Workspace,
    task: Task,
    kind: str,
    data: bytes,
    delivery: Delivery,
    id: str,
    sid: str | None = None,
    facts: Facts | None = None,
) -> Recorded:
    """Records a follow-up as delivered; `task` is what was read before it left, `sid` the session
    it went to, by default the latest, `facts` what the human said of the time before."""
    trail = workspace.handovers.trail(task.name)
    from mandrel_tui.protocol.trail import followup_handover

    handover = followup_handover(kind, data, task, trail, delivery, id, sid, facts)
    return Recorded(handover, workspace.handovers.record(handover, data))


def new_id() -> str:
    """A fresh id of a handover."""
    return os.urandom(6).hex()
