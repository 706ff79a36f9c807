"""Closing: how the app answers what the screens of closing out ask: plans, carries out, verifies,
recovers; the work itself is in `closing_jobs.py` and `recovery_jobs.py`, in threads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui import closing_jobs, recovery_jobs
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
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_closed import Verified
from mandrel_tui.ui.present_plan import APPLYING, STOPPED
from mandrel_tui.ui.proposing import Proposing
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.sitting import Sitting
from mandrel_tui.ui.triage_messages import Wrote
from mandrel_tui.ui.widgets.dialog import Choice, Question

LOOKED = 40  # rows of a difference that are shown before a closeout is taken back


class Closing(Proposing):
    """The app's part that closes out."""

    # Planning and doing.

    def on_ask_plan(self, event: AskPlan) -> None:
        sitting = self.sitting
        if sitting is not None and self.workspace is not None:
            self.work(f"plan {sitting.name}", self._plan, sitting, only=True)

    async def _plan(self, sitting: Sitting) -> None:
        assert self.workspace is not None
        made = await off(closing_jobs.plan, self.workspace, sitting.desk, sitting.proposal)
        if not sitting.frozen:
            self._show_plan(sitting, made)

    def _show_plan(self, sitting: Sitting, planning: Planning) -> None:
        sitting.planning = planning
        self.teach(planning.sheet)

    def reread(self) -> None:
        super().reread()
        for sitting in tuple(self.sittings.values()):
            self.desk_changed(sitting)

    def desk_changed(self, sitting: Sitting) -> None:
        """What its plan stands on may have changed."""
        if sitting.planning is not None and not sitting.frozen:
            self.work(f"plan {sitting.name}", self._plan, sitting, only=True)

    def on_ask_apply(self, event: AskApply) -> None:
        sitting = self.sitting
        planning = sitting.planning if sitting is not None else None
        if planning is not None and planning.sheet.stage != APPLYING:
            self.work("apply", self._apply, sitting, planning)

    async def _apply(self, sitting: Sitting, planning: Planning) -> None:
        assert self.workspace is not None
        sheet, sitting.frozen = planning.sheet, True
        tell = partial(self._told, sitting)
        self._show_plan(sitting, replace(planning, sheet=replace(sheet, stage=APPLYING)))
        if sheet.stage == STOPPED:
            done = await off(closing_jobs.go_on, self.workspace, sheet, tell)
        else:
            assert planning.prepared is not None
            done = await off(
                *(closing_jobs.carry_out, self.workspace, planning.prepared),
                *(sitting.desk, sheet, tell),
            )
        await self._applied(sitting, planning, done)

    def _told(self, sitting: Sitting, number: int, path: str) -> None:
        """A step is done; called from the thread that does them."""
        self.call_from_thread(self._tick_off, sitting, path)

    def _tick_off(self, sitting: Sitting, path: str) -> None:
        planning = sitting.planning
        if planning is not None:
            sheet = replace(planning.sheet, done=planning.sheet.done | {path})
            self._show_plan(sitting, replace(planning, sheet=sheet))

    async def _applied(self, sitting: Sitting, planning: Planning, done: Done) -> None:
        """Show how it ended; `planning` is what was carried out."""
        self.read_again()
        if done.stopped is not None:
            written = sitting.planning.sheet.done if sitting.planning is not None else frozenset()
            self._show_plan(sitting, replace(planning, sheet=replace(done.stopped, done=written)))
            self.result(done.stopped.problem, "fail")
        elif done.verified is None:
            sitting.frozen = planning.sheet.stage == STOPPED
            self._show_plan(sitting, planning)
            self.desk_changed(sitting)
            self.result(f"nothing is applied: {done.refused}", "fail")
        else:
            sitting.planning, sitting.verified = None, done.verified
            await self.to_step("verify")
            self.teach(done.verified)
            self.result(_applied_words(done.verified), "fail" if done.verified.failed else "pass")

    # Verifying.

    def on_ask_verify(self, event: AskVerify) -> None:
        if self.workspace is not None:
            self.work("verify", self._verify, event.task, only=True)

    async def _verify(self, task: str) -> None:
        assert self.workspace is not None
        found = await off(closing_jobs.verify, self.workspace, task)
        sitting = self.sittings.get((task, False))
        known = sitting.verified if sitting is not None else None
        if known is not None:
            found = replace(
                found, commit=known.commit, said=known.said, note=known.note, done=known.done
            )
        self.teach(found)

    def on_ask_closeout_follow(self, event: AskCloseoutFollow) -> None:
        if self.workspace is not None:
            self.work("out", self._copy_closeout_follow, event.task)

    async def _copy_closeout_follow(self, task: str) -> None:
        assert self.workspace is not None
        out = await off(closing_jobs.follow, self.workspace, task)
        if out.copied is None:
            self.result(f"nothing is copied: {out.fault}", "you")
            return
        await self.hand_out(out.copied, partial(closing_jobs.record, self.workspace, out))

    # Taking back.

    def on_ask_undo_closeout(self, event: AskUndoCloseout) -> None:
        if self.workspace is not None:
            self.work("undo", self._undo_closeout, event.task, only=True)

    async def _undo_closeout(self, task: str) -> None:
        assert self.workspace is not None
        found = await off(recovery_jobs.undo_of, self.workspace, task)
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
        done = await off(recovery_jobs.undo, self.workspace, found)
        self.read_again()
        if done.verified is None:
            self.result(f"not taken back: {done.refused}", "fail")
            return
        await self.show_mode("board")
        self.teach(Wrote(task))
        self.result(f"{found.journal.closeout} is taken back{_commit_words(done.verified)}")

    # Recovering.

    async def recover_first(self) -> None:
        """Offer to recover what was interrupted, before anything else is done."""
        if self.workspace is None:
            return
        from mandrel_tui.ui.screens.recovery import RecoveryScreen

        found, notes = await off(recovery_jobs.interrupted, self.workspace)
        for note in notes:
            self.result(note, "you")
        if found and not any(isinstance(screen, RecoveryScreen) for screen in self.frames()):
            await self.push_screen(RecoveryScreen(self.facts, found[0]))

    def on_ask_recover(self, event: AskRecover) -> None:
        if self.workspace is not None:
            self.work("recover", self._recover, event.task, event.finish)

    async def _recover(self, task: str, finish: bool) -> None:
        assert self.workspace is not None
        done = await off(recovery_jobs.recover, self.workspace, task, finish)
        self.read_again()
        found, _ = await off(recovery_jobs.interrupted, self.workspace)
        if done.verified is None:
            for one in found:
                self.teach(one)
            what = "finish" if finish else "roll back"
            self.result(f"{what} failed: {done.refused}", "fail")
            return
        await self.pop_screen()
        self.teach(Wrote(task))
        if done.verified.results:
            await self.open_verify(task, done.verified)
        more = done.verified.note
        self.result(
            f"{task}: {_applied_words(done.verified)}"
            if finish
            else f"{task}: rolled back, every file is as it was{f'; {more}' if more else ''}",
            "fail" if done.verified.failed else "pass",
        )
        if found:
            await self.recover_first()


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
