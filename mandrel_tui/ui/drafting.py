"""Drafting: how what a form says becomes an exact difference, and after a look at it a write; the
work itself is in `triage_jobs.py`, in threads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.ui import triage_jobs
from mandrel_tui.ui.blank import Values
from mandrel_tui.ui.lending import Lending
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_draft import diff_roles, plan_lines
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.triage_messages import Wrote
from mandrel_tui.ui.widgets.change import Change
from mandrel_tui.ui.widgets.form import EDITOR, Form
from mandrel_tui.workspace.store import TASKS


class Drafting(Lending):
    """The app's part that writes what was shown."""

    async def fill_in(
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
            if made.plan is not None and await self.plan_wanted(made.plan):
                await self.write_plan(made.plan, task or _new_name(made.plan))
                return None

    async def plan_wanted(self, plan: TriagePlan) -> bool:
        """Whether the human, who sees the exact difference, wants it written."""
        said = plan_lines(plan, self.symbols)
        title = words(plan.what, self.symbols)
        shown = Change(title, said, plan.diff, diff_roles(plan.diff))
        return await self.push_screen_wait(shown)

    async def write_plan(self, plan: TriagePlan, task: str = "") -> bool:
        """Write a plan that was shown, and say what came of it."""
        assert self.workspace is not None
        applied = await off(triage_jobs.apply, self.workspace, plan)
        note = f"; {applied.note}" if applied.note else ""
        undo = "u takes it back: " if applied.done else ""  # first: the paths may be cut
        self.result(f"{undo}{applied.words}{note}", "text" if applied.ok else "fail")
        self.teach(Wrote(task))
        self.read_again()
        return applied.ok


def _new_name(plan: TriagePlan) -> str:
    """The task a plan makes; empty where it makes none."""
    made = next((one.edit.path for one in plan.files if one.edit.before is None), "")
    return made.removeprefix(f"{TASKS}/").removesuffix(".md") if made.endswith(".md") else ""
