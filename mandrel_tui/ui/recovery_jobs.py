"""Recovery jobs: what was interrupted, finishing it and taking closeouts back, each a function from
a workspace to a fact for a screen; they touch no widget and no screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.ui.closing_jobs import FAULTS, Done, journal_of, verified
from mandrel_tui.ui.present_closed import Interrupted, Recovery, Verified
from mandrel_tui.workspace import closeout, files
from mandrel_tui.workspace.apply import Stopped, left_words, made, outlook
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.git_commit import path_in
from mandrel_tui.workspace.journal import Journal
from mandrel_tui.workspace.state import Busy
from mandrel_tui.workspace.steps import Outlook, Stage
from mandrel_tui.workspace.visible import first_words
from mandrel_tui.workspace.workspace import Workspace

PATIENCE = 1.0  # seconds; whoever only keeps a record has let go by then


def interrupted(workspace: Workspace) -> tuple[tuple[Interrupted, ...], tuple[str, ...]]:
    """The closeouts that did not end, unless another process is at one; and remarks."""
    try:
        with workspace.state.locked(PATIENCE):
            opened = closeout.open_closeouts(workspace)
    except Busy:
        return (), ("a closeout is under way in another process",)
    found = tuple(_interrupted(workspace, journal) for journal in opened.journals)
    return tuple(replace(one, more=len(found) - 1) for one in found), opened.notes


def _interrupted(workspace: Workspace, journal: Journal) -> Interrupted:
    steps = tuple(_recovery(workspace, step) for step in outlook(workspace.root, journal))
    return Interrupted(
        journal.task,
        journal.started,
        steps,
        journal.message.partition("\n")[0] if journal.committed else "",
        made(workspace.git, journal) is not None,
        undo=journal.undo,
    )


def _recovery(workspace: Workspace, seen: Outlook) -> Recovery:
    step = seen.step
    try:
        now = files.read(path_in(workspace.root, step.path)).data
    except files.NotRead:
        now = None
    edit = Edit(step.path, step.before, step.after)
    done = seen.stage is Stage.DONE
    said = seen.words or _step_words(edit, done)
    conflict = seen.stage is Stage.CONFLICT
    return Recovery(step.path, done, said, edit, now, conflict)


def _step_words(edit: Edit, done: bool) -> str:
    if edit.after is None:
        return "is gone" if done else "is still here"
    if edit.before is None:
        return "new file is in place" if done else "is not written yet"
    return "new text is in place" if done else "has its old text"


def recover(workspace: Workspace, task: str, finish: bool) -> Done:
    """Finish an interrupted closeout, or take it back."""
    begun = journal_of(workspace, task)
    if begun is None:
        return Done(refused="its journal is gone: nothing is left to do")
    try:
        act = closeout.finish if finish else closeout.roll_back
        finished = act(workspace, begun)
    except Stopped as error:
        told = first_words(error.output.encode("utf-8", "replace"))
        more = f"; git said: {error.output}" if told and told not in str(error) else ""
        return Done(refused=f"{error}{more}")
    except FAULTS as error:
        return Done(refused=str(error))
    if finish and not begun.undo:
        Drafts(workspace.state).end(task)
        return Done(verified(workspace, finished))
    note = left_words(finished.ended.left)
    return Done(Verified(task, note=note or finished.note))


@dataclass(frozen=True, slots=True)
class Undo:
    """What would take a closeout back: the edits it makes; or why it cannot be."""

    edits: tuple[Edit, ...] = ()
    journal: Journal | None = None
    fault: str = ""


def undo_of(workspace: Workspace, task: str) -> Undo:
    """What would take the closeout of a task back."""
    try:
        found = closeout.undo_of(workspace, task)
        edits = closeout.undo_edits(workspace, found)
    except FAULTS as error:
        return Undo(fault=str(error))
    return Undo(edits, found)


def undo(workspace: Workspace, found: Undo) -> Done:
    """Take the closeout back by a revert commit and a restore of its files."""
    assert found.journal is not None
    try:
        finished = closeout.undo(workspace, found.journal)
    except (Stopped, *FAULTS) as error:
        return Done(refused=str(error))
    return Done(Verified(finished.task, commit=(finished.ended.commit or "")[:7]))
