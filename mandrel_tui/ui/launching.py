"""Launching: how the app starts agents: in its own terminal, which it gives up and takes back, in
tmux, or headless; the work itself is in `launch_jobs.py`, in threads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rich.text import Text as Styled
from textual import on

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.ui import launch_jobs
from mandrel_tui.ui.handing import not_recorded
from mandrel_tui.ui.launch_jobs import Desk, Ready
from mandrel_tui.ui.lending import Lending, NotLent
from mandrel_tui.ui.line import line
from mandrel_tui.ui.present import capital, words
from mandrel_tui.ui.present_launch import (
    HEADLESS,
    HERE,
    PANE,
    PLACE_WORDS,
    WINDOW,
    Course,
    Freight,
    launch_title,
    outlook_lines,
)
from mandrel_tui.ui.present_session import unsettled_words
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.session_messages import AskLaunch
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.launch import Launch
from mandrel_tui.workspace.files import FileError
from mandrel_tui.workspace.launching import Here
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.terminal_child import Outcome
from mandrel_tui.workspace.workspace import UnknownTask

BACK, END, LEAVE = "back", "end", "leave"


@dataclass
class Start:
    """One launch that is being chosen: what there is, the dialog, and what its course came to."""

    freight: Freight
    desk: Desk
    dialog: Launch
    ready: Ready | None = None


class Launching(Lending):
    """The app's part that launches."""

    starting: Start | None = None
    course: Course | None = None  # the one taken last

    def on_ask_launch(self, event: AskLaunch) -> None:
        if self.workspace is not None and self.starting is None:
            self.work("launch", self._launch, event.freight)

    async def _launch(self, freight: Freight) -> None:
        assert self.workspace is not None
        desk = await off(launch_jobs.desk, self.workspace, self.settings, freight)
        for fault in desk.faults:
            self.result(fault, "you")
        places = {place: said for place, said in PLACE_WORDS.items() if self._can(place, desk)}
        course = self._first_course(freight, desk, tuple(places))
        dialog = Launch(
            launch_title(freight, self.symbols),
            desk.agents,
            places,
            course,
            follows=freight.follows,
        )
        self.starting = start = Start(freight, desk, dialog)
        try:
            if await self.push_screen_wait(dialog) and start.ready is not None:
                await self._go_here(start.ready)
        finally:
            self.starting = None

    def _can(self, place: str, desk: Desk) -> bool:
        """Whether agents can be launched there at all."""
        if place in (WINDOW, PANE):
            return desk.tmux
        return place == HEADLESS or (self._driver is not None and self._driver.can_suspend)

    def _first_course(self, freight: Freight, desk: Desk, places: tuple[str, ...]) -> Course:
        """The course to begin with: the place of the last one, where it is there."""
        before = self.course.place if self.course is not None else desk.place
        last = self.course
        agent = last.agent if last is not None and not freight.follows else desk.agent
        place = before if before in places else places[0]
        return Course(agent if agent in desk.agents else desk.agent, place)

    @on(Launch.Chosen)
    def _chosen(self, event: Launch.Chosen) -> None:
        event.stop()
        if self.starting is not None and event.launch is self.starting.dialog:
            self.work("outlook", self._look_ahead, self.starting, event.course, only=True)

    async def _look_ahead(self, start: Start, course: Course) -> None:
        assert self.workspace is not None
        made = await off(launch_jobs.ready, self.workspace, start.desk.table, start.freight, course)
        before = made.prepared.unsettled if made.prepared is not None else None
        if before is not None and (said := unsettled_words(before, self.clock())):
            questions = (said, *made.outlook.questions)
            made = replace(made, outlook=replace(made.outlook, questions=questions))
        if start.dialog.is_mounted and start.dialog.course == course:
            start.ready = made
            lines = outlook_lines(made.outlook, self.symbols)
            start.dialog.show(lines, ready=made.prepared is not None)

    @on(Launch.Asked)
    def _asked_for(self, event: Launch.Asked) -> None:
        event.stop()
        if self.starting is not None and event.launch is self.starting.dialog:
            self.work("launch now", self._go, self.starting, only=True)

    async def _go(self, start: Start) -> None:
        """Launch what was prepared, after everything doubtful was asked."""
        made = start.ready
        if made is None or made.prepared is None or not await self._sure(made):
            return
        self.course = made.outlook.course
        if self.workspace is not None:
            await off(launch_jobs.remember, self.workspace, self.course)
        if self.course.place == HERE and made.prepared.pane is None:
            start.ready = made
            start.dialog.dismiss(True)
        else:
            await self._go_apart(start, made)

    async def _sure(self, made: Ready) -> bool:
        """Whether it shall go although something makes that doubtful."""
        for question in made.outlook.questions:
            lines = [line(words(f"{capital(question)}.", self.symbols))]
            if not await self.agreed("sure?", lines, "Launch all the same"):
                return False
        return True

    async def _go_apart(self, start: Start, made: Ready) -> None:
        assert self.workspace is not None and made.prepared is not None
        agent = made.outlook.course.agent
        start.dialog.busy(f"starting {agent}")
        course = made.outlook.course
        launched = await off(launch_jobs.apart, self.workspace, made.prepared, course)
        if launched.fault:
            if start.dialog.is_mounted:
                start.dialog.show([line(words(launched.fault, self.symbols), "fail")], ready=False)
            self.result(f"{agent}: {launched.fault}", "fail")
            self.read_again()
            return
        start.dialog.dismiss(False)
        self.read_again()
        note = not_recorded(launched.note)
        said = f"{agent} was launched in {launched.place}"
        if made.prepared.pane is not None:
            said = launched.place
        elif course.place == HEADLESS:
            said = f"{agent} works headless, prints to {launched.place}"
        self.result("; ".join(part for part in (said, note) if part), "you" if note else "text")

    # In this terminal.

    async def _go_here(self, made: Ready) -> None:
        """Give the agent this terminal until it ends, or stops and is not wanted back."""
        assert self.workspace is not None and made.prepared is not None
        here = Here(self.workspace, made.prepared)
        try:
            outcome = await self.lent(here.run)
            while outcome.stopped and not outcome.told:
                chosen = await self._after_stop(here, outcome)
                if chosen == LEAVE:
                    break
                outcome = await self.lent(here.go_on if chosen == BACK else here.end)
        except (NotStarted, NotLent, Refusal, UnknownTask, FileError) as error:
            self.result(f"nothing is launched: {error}", "fail")
            return
        self._tell_end(here, outcome)

    async def _after_stop(self, here: Here, outcome: Outcome) -> str:
        agent, pid = here.prepared.plan.launcher.name, here.child.pid
        lines = [
            line(f"{agent} was {outcome.cause}; it is process {pid}."),
            line("It keeps what it has; while it is stopped it does nothing."),
        ]
        choices = (
            Choice(BACK, "Bring it back", "b"),
            Choice(END, "End it", "e"),
            Choice(LEAVE, "Leave it stopped", "n"),
        )
        answer = await self.push_screen_wait(Question("the agent stopped", lines, choices, BACK))
        return answer or LEAVE

    def _tell_end(self, here: Here, outcome: Outcome) -> None:
        agent = here.prepared.plan.launcher.name
        note = not_recorded(here.recorded.note) if here.recorded is not None else ""
        said = "; ".join(part for part in (f"{agent} {outcome.cause or 'ended'}", note) if part)
        if outcome.told:
            told = Styled(f"told to end by signal {outcome.told}; {said}")
            self.exit(return_code=128 + outcome.told, message=told)
            return
        self.result(said, "text" if outcome.status == 0 and not note else "you")
        self.read_again()
