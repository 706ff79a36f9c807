"""Proposing: how the app asks for a proposal and takes one in, from where the person says; the work
itself is in `desk_jobs.py`, in threads."""

from __future__ import annotations

from collections.abc import Mapping

from mandrel_tui.protocol.desk import FACTS, Source
from mandrel_tui.protocol.kinds import PROPOSAL
from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui import desk_jobs
from mandrel_tui.ui.desk_messages import AskRequest, AskTake
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present_launch import Freight
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.session_messages import AskLaunch
from mandrel_tui.ui.sitting import Sitting
from mandrel_tui.ui.sitting_down import SittingDown
from mandrel_tui.ui.widgets.picker import Picker
from mandrel_tui.ui.widgets.written import Asking, Writing

ASKED: Mapping[str, tuple[str, str]] = {
    "revision": ("a commit or branch", "What it changes in .ai/ since it left HEAD."),
    "file": ("a folder or diff file", "A folder that mirrors .ai/, or a file with one diff:"),
}


class Proposing(SittingDown):
    """The app's part that takes proposals in."""

    def on_ask_request(self, event: AskRequest) -> None:
        sitting = self.sitting
        if sitting is not None and self.workspace is not None:
            self.work("out", self._request, sitting, event.launch)

    async def _request(self, sitting: Sitting, launch: bool) -> None:
        assert self.workspace is not None
        data, fault = await off(desk_jobs.request, self.workspace, sitting.desk)
        if data is None:
            self.result(f"nothing is {'launched' if launch else 'copied'}: {fault}", "you")
        elif launch:
            self.post_message(AskLaunch(Freight(sitting.name, kind=PROPOSAL, data=data)))
        else:
            copied = await off(self.workspace.copy, data, f"{sitting.name}-{PROPOSAL}")
            sitting.asked = True
            self.tell_copied(self.deliver(copied))

    def on_ask_take(self, event: AskTake) -> None:
        sitting = self.sitting
        if sitting is not None:
            self.work("take", self._take, sitting, event.source, only=True)

    async def _take(self, sitting: Sitting, source: Source | None) -> None:
        chosen = source or await self._choose_source(sitting)
        if chosen is None or not await self._without_facts(sitting, chosen):
            return
        while chosen is not None:
            fault = await self.read_desk(sitting, chosen)
            again = bool(fault) and source is None and chosen.kind in ASKED
            chosen = await self._type_source(chosen.kind, chosen.named, fault) if again else None

    async def _without_facts(self, sitting: Sitting, chosen: Source) -> bool:
        """Whether a proposal shall be reviewed in the place of the facts that are kept."""
        desk = sitting.desk
        kept = len(desk.sheet.admitted)
        if not kept or desk.source.kind != FACTS or chosen.kind == FACTS:
            return True
        said = (
            f"{counted(kept, 'kept fact')} {'is' if kept == 1 else 'are'} left out then: memory "
            f"gets what the proposal has of {'it' if kept == 1 else 'them'}.",
            "i takes the admitted facts in its place again.",
        )
        return await self.agreed("the proposal alone?", [line(row) for row in said], "Take it in")

    async def _choose_source(self, sitting: Sitting) -> Source | None:
        assert self.workspace is not None
        offers = await off(desk_jobs.sources, self.workspace, sitting.desk)
        picked = await self.push_screen_wait(Picker("take a proposal in", offers))
        if picked is None:
            return None
        if picked in ASKED:
            start = f"{self.workspace.root}/" if picked == "file" else ""
            return await self._type_source(picked, start)
        if picked == "diff":
            said = "Paste a reply; the one diff in it counts."
            pasted = await self.push_screen_wait(Writing("a diff", [line(said)], verb="take in"))
            return None if pasted is None else Source("diff", pasted)
        return Source(picked)

    async def _type_source(self, kind: str, typed: str, fault: str = "") -> Source | None:
        """A place that is typed; `fault` says why the last one came to nothing."""
        title, said = ASKED[kind]
        asked = await self.push_screen_wait(Asking(title, [line(said)], typed, fault=fault))
        return None if asked is None else Source(kind, asked.strip())
