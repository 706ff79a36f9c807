"""Launch jobs: what the app's workers do to start agents, off the event loop, each a function from
a workspace to a fact; they touch no widget and no screen."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from mandrel_tui.launchers import load_launchers
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.settings import Settings
from mandrel_tui.ui.present_launch import FRESH, HEADLESS, HERE, PANE, Course, Freight, Outlook
from mandrel_tui.ui.present_prompt import differing, refusal
from mandrel_tui.workspace import asking, files, launcher, tmux
from mandrel_tui.workspace.followups import said
from mandrel_tui.workspace.launching import launch_apart
from mandrel_tui.workspace.prepared import Prepared, Table, prepare, prepare_followup
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.visible import shown
from mandrel_tui.workspace.workspace import UnknownTask, Workspace

DEFAULT = "claude"
LAST = "launch"  # the name of what is remembered
_PLACES = {HERE: launcher.HERE, HEADLESS: launcher.HEADLESS}
_FAILURES = (NotStarted, UnknownTask, Refusal, files.FileError)


@dataclass(frozen=True, slots=True)
class Desk:
    """The agents there are, the one to begin with, whether this program runs in tmux, a line for
    each launcher of the settings that was left out, and the place launched in last, if known."""

    table: Table
    agents: tuple[str, ...]
    agent: str
    tmux: bool
    faults: tuple[str, ...] = ()
    place: str = ""


def desk(workspace: Workspace, settings: Settings, freight: Freight) -> Desk:
    """What there is to launch with; a follow-up begins with the agent of its session."""
    launchers, faults = load_launchers(settings.launchers)
    agent = settings.agent or DEFAULT
    if freight.follows:
        texts = reversed(workspace.handovers.trail(freight.task).live)
        before = (text.delivery.launcher for text in texts)
        agent = next((name for name in before if name in launchers), agent)
    if agent not in launchers:
        agent = settings.agent if settings.agent in launchers else next(iter(launchers))
    lines = tuple(f"{settings.source}{fault}" for fault in faults)
    table, inside = Table(launchers, os.environ), tmux.inside(os.environ)
    return Desk(table, tuple(launchers), agent, inside, lines, _last_place(workspace))


def _last_place(workspace: Workspace) -> str:
    value = workspace.state.load(LAST).value
    place = value.get("place") if isinstance(value, dict) else None
    return place if isinstance(place, str) else ""


def remember(workspace: Workspace, course: Course) -> None:
    """Begin at this place next time, also after a restart."""
    workspace.state.save(LAST, {"place": course.place})


@dataclass(frozen=True, slots=True)
class Ready:
    """A freight that is settled for a course, or an outlook that says why it is not."""

    outlook: Outlook
    prepared: Prepared | None = None


def ready(workspace: Workspace, table: Table, freight: Freight, course: Course) -> Ready:
    """How the freight would get to the agent, from the task as it is now; nothing is done."""
    try:
        made = _prepared(workspace, table, freight, course)
    except ContractError as error:
        return Ready(Outlook(course, fault="; ".join(error.problems)))
    except Refusal as error:
        return Ready(Outlook(course, fault=_refused(workspace, freight, str(error))))
    except _FAILURES as error:
        return Ready(Outlook(course, fault=str(error)))
    wrong = differing(made.prompt) if made.prompt is not None else ()
    texts = f"{', '.join(wrong)} is not as .ai-deploy-lock.json lists it" if wrong else ""
    outlook = Outlook(
        course=course,
        arguments=made.plan.line,
        folder=shown(made.plan.cwd),
        questions=(*made.questions, *((texts,) if texts else ())),
        notes=(*made.notes, *_other_form(freight, made)),
        left_out=made.plan.left_out,
    )
    return Ready(outlook, made)


def _refused(workspace: Workspace, freight: Freight, said: str) -> str:
    """Why a prompt is refused, in the words of the screens; else what was said."""
    if freight.request is None:
        return said
    try:
        task = workspace.active_task(freight.task)
    except _FAILURES:
        return said
    if workspace.rulings.in_force(task) is not None:
        return said
    turn = workspace.turn(task)
    owed = turn.escalation is not None and "ruling" in turn.owes
    return refusal(turn, said) + ("; a gives it" if owed else "")


def _other_form(freight: Freight, made: Prepared) -> tuple[str, ...]:
    """That the prompt goes in another form than was asked for."""
    asked = freight.request.form if freight.request is not None else ""
    form = made.prompt.form if made.prompt is not None else asked
    return (f"it goes in the {form} form, not the {asked} one",) if form != asked else ()


def _prepared(workspace: Workspace, table: Table, freight: Freight, course: Course) -> Prepared:
    place = _PLACES.get(course.place, launcher.TMUX)
    request = freight.request
    if freight.data is not None:
        return asking.prepare(workspace, table, freight.task, freight.data, course.agent, place)
    if request is None:
        made = prepare_followup(
            *(workspace, table, freight.task, freight.kind, freight.answer, course.agent, place),
            sid=freight.sid or None,
            given=freight.given,
            fresh=course.into == FRESH,
        )
        return replace(made, facts=said(workspace, made.task, made.sid, freight.given))
    if place == launcher.HEADLESS and request.form == "interactive":
        request = replace(request, form="headless")
    return prepare(workspace, table, request, course.agent, place)


@dataclass(frozen=True, slots=True)
class Launched:
    """What came of a launch outside this terminal: where it is, or why it failed; `note` says what
    could not be kept."""

    place: str = ""
    fault: str = ""
    note: str = ""


def apart(workspace: Workspace, prepared: Prepared, course: Course) -> Launched:
    """Launch in tmux or headless."""
    try:
        made = launch_apart(workspace, prepared, split=course.place == PANE)
    except _FAILURES as error:
        return Launched(fault=str(error))
    return Launched(made.place, made.cause, made.recorded.note)
