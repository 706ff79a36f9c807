"""Origins: from which task a line of memory came and why it was let in, as closeouts are remembered
and as git tells; changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mandrel_tui.protocol.admission import Item, recorded
from mandrel_tui.protocol.behind import behind
from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.proposal import Hunk
from mandrel_tui.workspace import git_objects
from mandrel_tui.workspace.closeout_records import Closed, ClosedRecords
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.git_commit import path_in
from mandrel_tui.workspace.journal import FileStep
from mandrel_tui.workspace.traces import names_alone

if TYPE_CHECKING:
    from mandrel_tui.workspace.workspace import Workspace

FOLDER = ".ai/"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line came from: its `text`, the `task` that brought it (empty where nothing tells),
    the commit and when that was (UTC), what the commit says of itself where no closeout is
    remembered, and the facts behind it as they were decided."""

    text: str
    task: str = ""
    commit: str = ""
    at: str = ""
    subject: str = ""
    items: tuple[Item, ...] = ()


def origin(workspace: Workspace, path: str, number: int) -> Origin:
    """The origin of a line (from 1) of a file of the repository; raises files.NotRead, and
    IndexError for a line that is not there."""
    line = lines_of(read(path_in(workspace.root, path)).data)[number - 1]
    text = line.decode("utf-8", "replace").strip()
    found = max(_bringing(workspace, line), key=lambda closed: closed.at, default=None)
    if found is None:
        return _by_git(workspace, path, number, text)
    items = recorded(found.remembered.get("sheet"))
    admitted = [item for item in items if item.admitted]
    near = behind(Hunk(0, 0, (), (line,)), admitted)
    return Origin(text, found.task, found.commit or "", found.at, items=near)


def _bringing(workspace: Workspace, line: bytes) -> Iterator[Closed]:
    """The closeouts that stand and put the line into memory, in whichever document."""
    records = ClosedRecords(workspace.state)
    for task in records.records.tasks():
        yield from (closed for closed in records.standing(task) if _brought(closed, line.strip()))


def _brought(closed: Closed, line: bytes) -> bool:
    steps = closed.journal.steps if closed.journal is not None else ()
    texts = [s for s in steps if isinstance(s, FileStep) and s.path.startswith(FOLDER)]
    before = {bare.strip() for step in texts for bare in lines_of(step.base or b"")}
    after = {bare.strip() for step in texts for bare in lines_of(step.after or b"")}
    return line in after - before


def _by_git(workspace: Workspace, path: str, number: int, text: str) -> Origin:
    """What the commit that wrote the line says: the archived task it names, if one alone."""
    blamed = git_objects.blame(workspace.git, path, number)
    if blamed is None:
        return Origin(text)
    commit, subject, at = blamed
    rows = [row for row in workspace.archived_rows() if names_alone(subject, row.slug)]
    return Origin(text, rows[0].name if len(rows) == 1 else "", commit, at, subject)
