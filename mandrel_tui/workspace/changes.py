"""Changes: planned edits made in a repository, exactly as they were shown or not at all, and what
of one session can be undone again; it plans none."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mandrel_tui.protocol.diff import touched
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.index_edit import Step
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.triage import Planned, TriagePlan
from mandrel_tui.workspace import files
from mandrel_tui.workspace.closeout_records import ClosedRecords
from mandrel_tui.workspace.files import FileError, NotRead, StaleFile
from mandrel_tui.workspace.state import State
from mandrel_tui.workspace.visible import shown

# How long other writers of the index are given way to.
PATIENCE = 5.0
_PAUSE = 0.01


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of one plan: the edits as they were written, and, where not all were, why the
    next one was not and the paths that were left as they are. `note` says what could not be
    locked; `closeout` names the task that was closed out instead."""

    what: str
    done: tuple[Edit, ...]
    why: str = ""
    left: tuple[str, ...] = ()
    note: str = ""
    closeout: str = ""

    @property
    def undo(self) -> TriagePlan:
        """What takes it back, exactly as it was written."""
        inverse = tuple(Planned(edit.inverse) for edit in reversed(self.done))
        return TriagePlan(f"undo: {self.what}", inverse)

    @property
    def ok(self) -> bool:
        return not self.why

    @property
    def words(self) -> str:
        """One line: what was written, and exactly what was not."""
        written = ", ".join(edit.path for edit in self.done)
        if self.ok:
            return f"wrote {written}" if written else "nothing was left to write"
        after = f"; {', '.join(self.left)} unchanged" if self.done else ""
        return (
            f"{f'wrote {written}, but ' if written else 'nothing was written: '}{self.why}{after}"
        )


@dataclass
class Changes:
    """The changes of one session in the repository at `root`, the latest last."""

    root: Path
    state: State
    _applied: list[Applied] = field(default_factory=list)

    def apply(self, plan: TriagePlan) -> Applied:
        """Makes every change of a plan, or says which were not made and why; nothing is written
        when one of them is stale from the start."""
        applied = self._make(plan)
        if applied.done:
            self._applied.append(applied)
        return applied

    def closed_out(self, task: str) -> None:
        """Remembers a closeout in the order of the changes."""
        self._applied.append(Applied(f"close out {task}", (), closeout=task))

    def latest(self) -> Applied | None:
        """The latest change that can be undone now, None where there is none: what moved on since
        is passed over."""
        return next(filter(self._undoable, reversed(self._applied)), None)

    @property
    def moved(self) -> str:
        """The files of the latest change, for where `latest` finds none that can be undone."""
        return ", ".join(edit.path for edit in self._applied[-1].done) if self._applied else ""

    def undo(self, latest: Applied) -> Applied:
        """Undoes what `latest` gave exactly; refused whole where a file of it is no longer what was
        written."""
        undone = self._make(latest.undo)
        if undone.ok:
            self._applied.remove(latest)
        return undone

    def _undoable(self, applied: Applied) -> bool:
        if applied.closeout:
            return ClosedRecords(self.state).last(applied.closeout) is not None
        return all(self._holds(edit) for edit in applied.done)

    def _holds(self, edit: Edit) -> bool:
        """Whether a file is still what was written."""
        try:
            return _content(self.root / edit.path) == edit.after
        except NotRead:
            return False

    def _make(self, plan: TriagePlan) -> Applied:
        planned = [one for one in plan.files if one.edit.before != one.edit.after]
        try:
            with self.state.locked() as note:
                self._refuse_stale(planned)
                return self._write_all(plan.what, planned, note)
        except FileError as error:
            return Applied(plan.what, (), str(error), _paths(planned))

    def _refuse_stale(self, planned: Sequence[Planned]) -> None:
        """Raises StaleFile unless every file without a step is what the plan was made on."""
        for one in planned:
            if one.step is None and _content(self.root / one.edit.path) != one.edit.before:
                raise StaleFile(f"{one.edit.path} changed since it was read")

    def _write_all(self, what: str, planned: Sequence[Planned], note: str) -> Applied:
        done: list[Edit] = []
        for place, one in enumerate(planned):
            try:
                done += self._write(one)
            except (FileError, Refusal) as error:
                return Applied(what, tuple(done), str(error), _paths(planned[place:]), note)
        return Applied(what, tuple(done), note=note)

    def _write(self, planned: Planned) -> tuple[Edit, ...]:
        """Writes one file; the edit as it was made, none where it was so already."""
        edit, step = planned.edit, planned.step
        end = time.monotonic() + PATIENCE
        while edit.before != edit.after:
            try:
                self._put(edit)
                return (edit,)
            except StaleFile:
                if step is None or time.monotonic() >= end:
                    raise
            time.sleep(_PAUSE)
            edit = self._again(planned.edit, step)
        return ()

    def _put(self, edit: Edit) -> None:
        target = self.root / edit.path
        if edit.after is not None:
            files.write_atomic(target, edit.after, edit.before)
        elif edit.before is not None:
            files.remove(target, edit.before)

    def _again(self, agreed: Edit, step: Step) -> Edit:
        """The step on what the index holds now; raises StaleFile where it would change other lines
        than those that were agreed to."""
        now = files.read(self.root / agreed.path).data
        edit = Edit(agreed.path, now, step.on(now))
        if edit.after == now:
            return edit
        if touched(now, edit.after or b"") != touched(agreed.before or b"", agreed.after or b""):
            raise StaleFile(f"{agreed.path} changed, and the change would be another one now")
        return edit


def _content(path: Path) -> bytes | None:
    """What a file holds, None where there is none; raises NotRead."""
    try:
        return files.read(path).data
    except NotRead as error:
        if error.reason == "not there":
            return None
        raise


def _paths(planned: Sequence[Planned]) -> tuple[str, ...]:
    return tuple(shown(one.edit.path) for one in planned)
