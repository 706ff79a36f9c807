"""Triaging: how the app keeps the list of tasks in order: forms, the exact difference, the write,
and taking it back; the work itself is in `triage_jobs.py`, in threads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.ui import triage_jobs
from mandrel_tui.ui.blank import Values
from mandrel_tui.ui.desk_messages import AskUndoCloseout
from mandrel_tui.ui.lending import Lending, NotLent
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import short_names, words
from mandrel_tui.ui.present_draft import (
    answered,
    block_blanks,
    block_fault,
    block_reason,
    changed_values,
    diff_roles,
    draft_of,
    edit_blanks,
    new_blanks,
    new_fault,
    new_words,
    plan_lines,
    unblock_blanks,
    unblock_fault,
)
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triage_messages import AskBlock, AskEdit, AskMend, AskNew, AskUndo, Wrote
from mandrel_tui.ui.widgets.change import Change
from mandrel_tui.ui.widgets.form import EDITOR, Form
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.workspace import editor, triage
from mandrel_tui.workspace.store import TASKS


class Triaging(Lending):
    """The app's part that keeps the list of tasks."""

    # One form, one difference, one write.

    async def _through(
        self,
        make: Callable[[Values | None, str], Form],
        plan: Callable[[Values], TriagePlan],
        task: str = "",
        whole: Callable[[], Awaitable[None]] | None = None,
    ) -> Values | None:
        """Ask with a form until what it says was written, or the human left; then what was typed.

        `make(values, fault)` makes the form with what was typed and why that came to nothing;
        `whole` edits all of it elsewhere; `task` is where the list goes then.
        """
        values, fault = None, ""
        while True:
            form = make(values, fault)
            filled = await self.push_screen_wait(form)
            if filled is None:
                return form.values
            if filled.act == EDITOR and whole is not None:
                await whole()
                return None
            values = filled.values
            made = await off(triage_jobs.planned, partial(plan, values))
            fault = made.fault
            if made.plan is not None and await self._shown(made.plan):
                await self._written(made.plan, task or _new_name(made.plan))
                return None

    async def _shown(self, plan: TriagePlan) -> bool:
        """Whether the human, who sees the exact difference, wants it written."""
        said = plan_lines(plan, self.symbols)
        title = words(plan.what, self.symbols)
        shown = Change(title, said, plan.diff, diff_roles(plan.diff))
        return await self.push_screen_wait(shown)

    async def _written(self, plan: TriagePlan, task: str = "") -> bool:
        """Write a plan that was shown, and say what came of it."""
        assert self.workspace is not None
        applied = await off(triage_jobs.apply, self.workspace, plan)
        note = f"; {applied.note}" if applied.note else ""
        undo = "; u takes it back" if applied.done else ""
        self.result(f"{applied.words}{note}{undo}", "text" if applied.ok else "fail")
        self.teach(Wrote(task))
        self.read_again()
        return applied.ok

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

        left = await self._through(
            make, lambda values: triage.plan_new(workspace, draft_of(values))
        )
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
            title = f"edit: {self._short(task.name)}"
            return Form(title, said, blanks, verb="show", leave="leaves", said=fault, whole=True)

        await self._through(
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
        made = await off(triage_jobs.planned, partial(triage.plan_text, file, after))
        if made.plan is None:
            self.result(made.fault, "you")
        elif not await self._shown(made.plan) or not await self._written(made.plan, name):
            self.result(await off(triage_jobs.kept, workspace, after, name), "you")

    # Blocking and freeing.

    def on_ask_block(self, event: AskBlock) -> None:
        if self.workspace is not None:
            self.work("triage", self._block_or_free, event.task)

    async def _block_or_free(self, name: str) -> None:
        assert self.workspace is not None
        file = await off(triage_jobs.task_file, self.workspace, name)
        if isinstance(file, str):
            self.result(file, "fail")
            return
        if not file.task.blockers and file.task.status is not Status.BLOCKED:
            await self._block(file.task)
            return
        offers = (
            Offer("free", "free it", note="What is over no longer blocks it."),
            Offer("more", "block it by something else too"),
        )
        chosen = await self.push_screen_wait(Picker(f"blocked: {self._short(name)}", offers))
        if chosen is not None:
            await (self._free if chosen == "free" else self._block)(file.task)

    async def _block(self, task: Task) -> None:
        workspace = self.workspace
        assert workspace is not None
        others = await off(triage_jobs.others, workspace, task.name)

        def make(values: Values | None, fault: str) -> Form:
            said = [line("A question, an event outside, or another task.", "quiet")]
            title, blanks = f"block: {self._short(task.name)}", list(block_blanks(others, values))
            return Form(
                *(title, said, blanks), verb="show", leave="leaves", said=fault, fault=block_fault
            )

        await self._through(
            make,
            lambda values: triage.plan_block(workspace, task.name, block_reason(values)),
            task.name,
        )

    async def _free(self, task: Task) -> None:
        workspace = self.workspace
        assert workspace is not None

        def make(values: Values | None, fault: str) -> Form:
            said = [line("With none left it returns to the status it had.", "quiet")]
            title, blanks = f"free: {self._short(task.name)}", list(unblock_blanks(task, values))
            check = unblock_fault if task.blockers else lambda values: ""
            return Form(
                *(title, said, blanks), verb="show", leave="leaves", said=fault, fault=check
            )

        await self._through(
            make,
            lambda values: triage.plan_unblock(workspace, task.name, answered(task, values)),
            task.name,
        )

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
            if await self._shown(plan) and not await self._written(plan):
                return

    def on_ask_undo(self, event: AskUndo) -> None:
        if self.workspace is not None:
            self.work("triage", self._undo)

    async def _undo(self) -> None:
        assert self.workspace is not None
        latest = await off(triage_jobs.latest, self.workspace)
        if latest is None:
            self.result("nothing was written in this session that could be undone", "you")
        elif latest.closeout:
            self.post_message(AskUndoCloseout(latest.closeout))
        elif await self._shown(latest.undo):
            undone = await off(triage_jobs.undo, self.workspace, latest)
            self.result(undone.words, "text" if undone.ok else "fail")
            self.read_again()

    def _short(self, name: str) -> str:
        return words(short_names([name])[name], self.symbols)


def _new_name(plan: TriagePlan) -> str:
    """The task a plan makes; empty where it makes none."""
    made = next((one.edit.path for one in plan.files if one.edit.before is None), "")
    return made.removeprefix(f"{TASKS}/").removesuffix(".md") if made.endswith(".md") else ""
