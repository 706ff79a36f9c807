"""Closing: how the app answers what the screens of closing out ask: plans, carries out, verifies,
recovers; the work itself is in `closing_jobs.py`, in threads."""

from __future__ import annotations

from dataclasses import replace

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui import closing_jobs
from mandrel_tui.ui.closing_jobs import Done, Planning
from mandrel_tui.ui.desk_messages import (
    AskApply,
    AskCloseoutFollow,
    AskPlan,
    AskRecover,
    AskUndoCloseout,
    AskVerify,
)
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import counted, words
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.present_plan import APPLYING, PLANNED, STOPPED
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.sitting import Sitting, SittingDown
from mandrel_tui.ui.triage_messages import Wrote
from mandrel_tui.ui.widgets.dialog import Choice, Question

LOOKED = 40  # rows of a difference that are shown before a closeout is taken back


class Closing(SittingDown):
    """The app's part that closes out."""

    planning: Planning | None = None

    # Planning and doing.

    def on_ask_plan(self, event: AskPlan) -> None:
        if self.sitting is not None and self.workspace is not None:
            self.work("plan", self._plan, self.sitting, only=True)

    async def _plan(self, sitting: Sitting) -> None:
        assert self.workspace is not None
        made = await off(closing_jobs.plan, self.workspace, sitting.desk, sitting.proposal)
        if self.planning is None or self.planning.sheet.stage == PLANNED:
            self.planning = made
            self.teach(made.sheet)

    def reread(self) -> None:
        super().reread()
        self.replan()

    def replan(self) -> None:
        """What a plan stands on may have changed."""
        if self.planning is not None and self.planning.sheet.stage == PLANNED:
            self.post_message(AskPlan())

    def on_ask_apply(self, event: AskApply) -> None:
        if self.planning is not None and self.planning.sheet.stage != APPLYING:
            self.work("apply", self._apply, self.planning)

    async def _apply(self, planning: Planning) -> None:
        assert self.workspace is not None and self.sitting is not None
        again = planning.sheet.stage == STOPPED
        self.sitting.frozen = True
        self._show_plan(replace(planning, sheet=replace(planning.sheet, stage=APPLYING)))
        sheet = planning.sheet
        if again:
            done = await off(closing_jobs.go_on, self.workspace, sheet, self._told)
        else:
            assert planning.prepared is not None
            done = await off(
                closing_jobs.carry_out,
                self.workspace,
                planning.prepared,
                self.sitting.desk,
                sheet,
                self._told,
            )
        await self._applied(planning, done)

    def _told(self, number: int, path: str) -> None:
        """A step is done; called from the thread that does them."""
        self.call_from_thread(self._tick_off, path)

    def _tick_off(self, path: str) -> None:
        if self.planning is not None:
            sheet = self.planning.sheet
            self._show_plan(replace(self.planning, sheet=replace(sheet, done=sheet.done | {path})))

    def _show_plan(self, planning: Planning) -> None:
        self.planning = planning
        self.teach(planning.sheet)

    async def _applied(self, planning: Planning, done: Done) -> None:
        assert self.planning is not None and self.sitting is not None
        self.read_again()
        if done.stopped is not None:
            stopped = replace(done.stopped, done=self.planning.sheet.done)
            self._show_plan(replace(planning, sheet=stopped))
            self.result(done.stopped.problem, "fail")
        elif done.verified is None:
            self.sitting.frozen = planning.sheet.stage == STOPPED
            self._show_plan(planning)
            self.replan()
            self.result(f"nothing is applied: {done.refused}", "fail")
        else:
            self.planning, self.verified = None, done.verified
            await self.to_step("verify")
            self.teach(done.verified)
            self.result(_applied_words(done.verified), "fail" if done.verified.failed else "pass")

    # Verifying.

    verified: Verified | None = None

    def on_ask_verify(self, event: AskVerify) -> None:
        if self.workspace is not None:
            self.work("verify", self._verify, event.task, only=True)

    async def _verify(self, task: str) -> None:
        assert self.workspace is not None
        found = await off(closing_jobs.verify, self.workspace, task)
        known = self.verified
        if known is not None and known.task == task:
            found = replace(found, commit=known.commit, said=known.said, note=known.note)
        self.teach(found)

    def on_ask_closeout_follow(self, event: AskCloseoutFollow) -> None:
        if self.workspace is not None:
            self.work("out", self._copy_closeout_follow, event.task)

    async def _copy_closeout_follow(self, task: str) -> None:
        assert self.workspace is not None
        copied, fault = await off(closing_jobs.follow, self.workspace, task)
        if copied is None:
            self.result(f"nothing is copied: {fault}", "you")
        else:
            self.tell_copied(self.deliver(copied))

    # Taking back.

    def on_ask_undo_closeout(self, event: AskUndoCloseout) -> None:
        if self.workspace is not None:
            self.work("undo", self._undo_closeout, event.task, only=True)

    async def _undo_closeout(self, task: str) -> None:
        assert self.workspace is not None
        found = await off(closing_jobs.undo_of, self.workspace, task)
        if found.journal is None:
            self.result(f"it cannot be taken back: {found.fault}", "you")
            return
        said = [line(f"A commit takes it back; {counted(len(found.edits), 'file')} change:")]
        for edit in found.edits:
            rows = edit.diff[:LOOKED]
            said += [line(words(row, self.symbols), _row_role(row)) for row in rows]
            left = len(edit.diff) - len(rows)
            said += [line(f"{counted(left, 'more row')}", "quiet")] if left else []
        choices = (Choice("leave", "Leave it", "n"), Choice("undo", "Take it back", "y"))
        asked = Question("take the closeout back?", said, choices, "leave")
        if await self.push_screen_wait(asked) != "undo":
            return
        done = await off(closing_jobs.undo, self.workspace, found)
        self.verified = None
        self.read_again()
        if done.verified is None:
            self.result(f"not taken back: {done.refused}", "fail")
            return
        await self.show_mode("board")
        self.teach(Wrote(task))
        self.result(f"the closeout of {task} is taken back{_commit_words(done.verified)}")

    # Recovering.

    async def recover_first(self) -> None:
        """Offer to recover what was interrupted, before anything else is done."""
        if self.workspace is None:
            return
        from mandrel_tui.ui.screens.recovery import RecoveryScreen

        found, notes = await off(closing_jobs.interrupted, self.workspace)
        for note in notes:
            self.result(note, "you")
        if found and not any(isinstance(screen, RecoveryScreen) for screen in self.frames()):
            await self.push_screen(RecoveryScreen(self.facts, found[0]))

    def on_ask_recover(self, event: AskRecover) -> None:
        if self.workspace is not None:
            self.work("recover", self._recover, event.task, event.finish)

    async def _recover(self, task: str, finish: bool) -> None:
        assert self.workspace is not None
        done = await off(closing_jobs.recover, self.workspace, task, finish)
        self.read_again()
        found, _ = await off(closing_jobs.interrupted, self.workspace)
        if done.verified is None:
            for one in found:
                self.teach(one)
            what = "finish" if finish else "roll back"
            self.result(f"{what} failed: {done.refused}", "fail")
            return
        await self.pop_screen()
        self.teach(Wrote(task))
        if done.verified.results:
            self.verified = done.verified
            await self.open_verify(task)
        more = done.verified.note
        self.result(
            f"{task}: {_applied_words(done.verified)}"
            if finish
            else f"{task}: rolled back, every file is as it was{f'; {more}' if more else ''}",
            "fail" if done.verified.failed else "pass",
        )
        if found:
            await self.recover_first()

    def desk_changed(self, desk: Desk) -> None:
        """The desk is another one."""
        self.replan()


def _applied_words(found: Verified) -> str:
    """`closed out, commit 4f21c9a; 7 of 7 hold`."""
    total, failed = len(found.results), len(found.failed)
    holds = f"{total - failed} of {total} hold" if total else "done"
    note = f"; {found.note}" if found.note else ""
    return f"closed out{_commit_words(found)}; {holds}{note}"


def _commit_words(found: Verified) -> str:
    return f", commit {found.commit}" if found.commit else ""


def _row_role(row: str) -> str:
    return "pass" if row.startswith("+") else "fail" if row.startswith("-") else "quiet"
