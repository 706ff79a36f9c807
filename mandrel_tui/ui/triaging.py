"""Triaging: how the app keeps the list of tasks in order: new ones, edits, the index, and taking
back; the work itself is in `triage_jobs.py`, in threads."""

from __future__ import annotations

from functools import partial

from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.ui import triage_jobs
from mandrel_tui.ui.blank import Values
from mandrel_tui.ui.blocking import Blocking
from mandrel_tui.ui.desk_messages import AskUndoCloseout
from mandrel_tui.ui.lending import NotLent
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import task_words, words
from mandrel_tui.ui.present_draft import (
    changed_values,
    draft_of,
    edit_blanks,
    new_blanks,
    new_fault,
    new_words,
)
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triage_messages import AskEdit, AskMend, AskNew, AskUndo
from mandrel_tui.ui.widgets.form import Form
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.workspace import editor, triage


class Triaging(Blocking):
    """The app's part that keeps the list of tasks."""

    # A new task.

    def on_ask_new(self, event: AskNew) -> None:
        if self.workspace is not None:
            self.work("triage", self._new)

    async def _new(self) -> None:
        workspace = self.workspace
        assert workspace is not None
        store = await off(triage_jobs.store, workspace)
        if isinstance(store, str):
            self.result(store, "fail")
            return
        before = await off(triage_jobs.draft, workspace)

        def make(values: Values | None, fault: str) -> Form:
            return Form(
                "new task",
                new_words(),
                list(new_blanks(store, before if values is None else values)),
                verb="show",
                fault=new_fault,
                said=fault,
                changed=lambda now: self.work("draft", self._keep_draft, now, only=True),
            )

        left = await self.fill_in(make, lambda values: triage.plan_new(workspace, draft_of(values)))
        if left is None:
            await off(triage_jobs.end_draft, workspace)
        elif left.get("title", "").strip() or left.get("goal", "").strip():
            note = await off(triage_jobs.keep_draft, workspace, left)
            self.result(f"not kept: {note}" if note else "the draft is kept; n goes on", "quiet")

    async def _keep_draft(self, values: Values) -> None:
        assert self.workspace is not None
        await off(triage_jobs.keep_draft, self.workspace, values)

    # An edit.

    def on_ask_edit(self, event: AskEdit) -> None:
        if self.workspace is not None:
            self.work("triage", self._edit_task, event.task)

    async def _edit_task(self, name: str) -> None:
        workspace = self.workspace
        assert workspace is not None
        file = await off(triage_jobs.task_file, workspace, name)
        if isinstance(file, str):
            self.result(file, "fail")
        elif not any(field.key == "status" for field in file.task.fields):
            await self._edit_text(file)
        else:
            await self._edit_fields(file)

    async def _edit_fields(self, file: TaskFile) -> None:
        workspace, task = self.workspace, file.task
        assert workspace is not None

        def make(values: Values | None, fault: str) -> Form:
            said = [line("Only the changed bytes are written; empty removes a line.", "quiet")]
            blanks = list(edit_blanks(task, values))
            title = f"edit: {task_words(task.name, self.symbols)}"
            return Form(title, said, blanks, verb="show", leave="leaves", said=fault, whole=True)

        await self.fill_in(
            make,
            lambda values: triage.plan_edit(workspace, task.name, changed_values(task, values)),
            task.name,
            partial(self._edit_text, file),
        )

    async def _edit_text(self, file: TaskFile) -> None:
        """The whole file in the person's editor; what comes back is shown before it is written."""
        workspace, name = self.workspace, file.task.name
        assert workspace is not None
        command = self.settings.editor
        edit = partial(editor.edited, file.data, f"{name}.md", command, cwd=workspace.root)
        try:
            after = await self.lent(edit)
        except (editor.EditorError, NotLent) as error:
            self.result(str(error), "fail")
            return
        made = await off(triage_jobs.planned, partial(triage.plan_text, workspace, file, after))
        if made.plan is None:
            self.result(made.fault, "you")
        elif not await self.plan_wanted(made.plan) or not await self.write_plan(made.plan, name):
            self.result(await off(triage_jobs.kept, workspace, after, name), "you")

    # The index, and taking back.

    def on_ask_mend(self, event: AskMend) -> None:
        if self.workspace is not None:
            self.work("triage", self._mend)

    async def _mend(self) -> None:
        """Offer each correction of the index by itself, until none is left or wanted."""
        assert self.workspace is not None
        while True:
            found = await off(triage_jobs.repairs, self.workspace)
            if isinstance(found, str):
                self.result(found, "fail")
                return
            if not found:
                self.result("the index agrees with the files")
                return
            offers = [Offer(str(at), words(p.what, self.symbols)) for at, p in enumerate(found)]
            chosen = await self.push_screen_wait(Picker("correct the index", offers))
            if chosen is None:
                return
            plan = found[int(chosen)]
            if await self.plan_wanted(plan) and not await self.write_plan(plan):
                return

    def on_ask_undo(self, event: AskUndo) -> None:
        self.work("triage", self._undo)

    async def _undo(self) -> None:
        changes = self.changes
        latest = await off(changes.latest)
        if latest is None:
            changes = self.own_changes  # made before there was a board
            latest = await off(changes.latest)
        if latest is None:
            moved = words(self.changes.moved or changes.moved, self.symbols)
            why = f"{moved} changed since it was written here: u takes nothing back"
            none = "nothing was written in this session that could be undone"
            self.result(why if moved else none, "you")
        elif latest.closeout:
            self.post_message(AskUndoCloseout(latest.closeout))
        elif await self.plan_wanted(latest.undo):
            undone = await off(triage_jobs.undo, self.workspace, changes, latest)
            self.result(undone.words, "text" if undone.ok else "fail")
            self.read_again()
