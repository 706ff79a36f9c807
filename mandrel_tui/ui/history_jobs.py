"""History jobs: what the app's workers read of the versions of a task file, and the plan that puts
one back, off the event loop; they touch no widget and no screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mandrel_tui.protocol.diff import unified
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.revision import revision
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.ui.present_history import History, Seen
from mandrel_tui.workspace import triage
from mandrel_tui.workspace.versions import Version
from mandrel_tui.workspace.workspace import Workspace
from mandrel_tui.workspace.yaml_reader import read_yaml

LOST = "the kept bytes of that version are lost or are others"


def history(workspace: Workspace, name: str) -> History:
    """The versions of a task file that were seen."""
    versions = workspace.versions.of(name)
    last = versions[-1] if versions else None
    alarm, against = (last.words, last.against) if last is not None else ("", "")
    return History(name, tuple(_seen(workspace, name, versions)), alarm, against)


def _seen(workspace: Workspace, name: str, versions: tuple[Version, ...]) -> Iterator[Seen]:
    earlier: Task | None = None
    for place, version in enumerate(versions, start=1):
        data = workspace.versions.bytes_of(version.sha256)
        # Where it lies now makes no difference to what it said.
        task = read_task(data, name, name, read_yaml) if data is not None else None
        words = _words(earlier, task, place)
        rewrote = words.startswith("earlier entries")
        yield Seen(place, version.sha256, version.at, version.size, words, rewrote)
        earlier = task


def _words(earlier: Task | None, task: Task | None, place: int) -> str:
    if task is None:
        return LOST
    if earlier is None and place > 1:
        return "after a version that is lost"
    return revision(earlier, task)


def difference(workspace: Workspace, name: str, old: str, new: str) -> tuple[str, ...] | str:
    """How two versions differ, by their digests, as lines; an empty `old` is no file; a sentence
    where one of them is lost."""
    texts = [workspace.versions.bytes_of(digest) if digest else None for digest in (old, new)]
    if (old and texts[0] is None) or texts[1] is None:
        return LOST
    return unified(f"{name}.md", *texts)


def accept(workspace: Workspace, name: str, digest: str) -> str:
    """Take a rewritten log as the version with that digest has it; why that came to nothing, empty
    when it did not."""
    last = workspace.versions.latest(name)
    if last is None or last.sha256 != digest:
        return "the file changed meanwhile: look at the difference again"
    return workspace.versions.accept(name, workspace.now())


def restore(workspace: Workspace, name: str, digest: str, what: str) -> TriagePlan:
    """The active task file as it was in a version; raises UnknownTask, Refusal and
    files.FileError."""
    file = triage.task_file(workspace, name)
    data = workspace.versions.bytes_of(digest)
    if data is None:
        raise Refusal(LOST)
    if data == file.data:
        raise Refusal("the file is that version already")
    return replace(triage.plan_text(workspace, file, data), what=what)
