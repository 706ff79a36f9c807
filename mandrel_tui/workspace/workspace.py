"""Workspace: the one door to a repository; reads, assembles and keeps, and shows nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import EXTERNAL, Task
from mandrel_tui.protocol.turn import Turn, turn_of
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.archive import VERSION, Progress, archived_rows
from mandrel_tui.workspace.listing import Listing
from mandrel_tui.workspace.roots import find_root
from mandrel_tui.workspace.state import Kept, State
from mandrel_tui.workspace.store import TASKS, Store

# Assembling, git and the clipboard are loaded by those who ask for them: looking at a board is
# what most commands do, and they should not wait for the rest.
if TYPE_CHECKING:
    from threading import Event

    from mandrel_tui.protocol.contracts import Contracts
    from mandrel_tui.protocol.copied import Copied
    from mandrel_tui.protocol.facts import Facts
    from mandrel_tui.protocol.postchecks import CheckResult
    from mandrel_tui.protocol.prompt import Prompt, PromptRequest
    from mandrel_tui.protocol.returned import Given, Report
    from mandrel_tui.protocol.snapshot import Gauge
    from mandrel_tui.protocol.tree import Tree
    from mandrel_tui.workspace.changes import Changes
    from mandrel_tui.workspace.git import Git
    from mandrel_tui.workspace.handovers import Handovers
    from mandrel_tui.workspace.plans import Plans
    from mandrel_tui.workspace.rulings import Rulings
    from mandrel_tui.workspace.sessions import Recorded
    from mandrel_tui.workspace.versions import Versions


class UnknownTask(Exception):
    """A name that is no task's; the message offers names that are near."""


def utc_now() -> datetime:
    """The time now in UTC."""
    return datetime.now(UTC)


@dataclass
class Workspace:
    """One repository: its store, git, contracts and the state kept about it elsewhere.

    `bundle` is the shipped `contracts` folder; `clock` gives the time now in UTC; `trying` hears
    the name of each way to the clipboard before it is tried.
    """

    root: Path
    bundle: Path
    clock: Callable[[], datetime] = utc_now
    trying: Callable[[str], None] = field(default=lambda way: None, repr=False)
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = Store(self.root)

    @classmethod
    def find(cls, start: Path, bundle: Path, *, explicit: bool = False) -> Workspace:
        """The workspace of the repository around `start`, or of exactly `start`; raises
        RootError."""
        return cls(find_root(start, explicit=explicit).root, bundle)

    @cached_property
    def state(self) -> State:
        return State.of(self.root)

    @property
    def git(self) -> Git:
        from mandrel_tui.workspace.git import Git

        return Git(self.root)

    @property
    def handovers(self) -> Handovers:
        """What went out to sessions."""
        from mandrel_tui.workspace.handovers import Handovers

        return Handovers(self.state)

    @property
    def rulings(self) -> Rulings:
        """What the human decided on escalations."""
        from mandrel_tui.workspace.rulings import Rulings

        return Rulings(self.state)

    @property
    def plans(self) -> Plans:
        """What was said at plan gates, and what was approved."""
        from mandrel_tui.workspace.plans import Plans

        return Plans(self.state)

    @cached_property
    def versions(self) -> Versions:
        """The versions of task files that were seen."""
        from mandrel_tui.workspace.versions import Versions

        return Versions(self.state)

    @cached_property
    def changes(self) -> Changes:
        """What this program wrote into the repository, to be undone while it runs."""
        from mandrel_tui.workspace.changes import Changes

        return Changes(self.root, self.state)

    def now(self) -> str:
        """The clock as `YYYY-MM-DDTHH:MM:SSZ`."""
        return self.clock().strftime("%Y-%m-%dT%H:%M:%SZ")

    def board(self, *, archived: bool = False, progress: Progress | None = None) -> Board:
        """Everything read now; rows of archived tasks are left out unless asked for."""
        from mandrel_tui.workspace import sessions

        listing, archive = self.store.listing(), self.store.archive_listing()
        active = self.store.active(listing, progress)
        rows = self._archived(archive, progress)
        around = Surroundings(
            index=self.store.index(),
            documents=self.store.documents(),
            now=self.now(),
            notes=self.store.notes(listing, archive),
            rewritten=sessions.seen(self, active, listing),
        )
        board = build_board(active, rows, around)
        board = replace(board, rows=sessions.with_sessions(self, board.rows))
        return board if archived else replace(board, rows=board.active)

    def _archived(self, archive: Listing, progress: Progress | None) -> tuple[Row, ...]:
        cached = self.state.load_cache(VERSION)
        rows, kept = archived_rows(archive.files, cached, progress)
        if kept != cached:
            self.state.save_cache(VERSION, kept, time.time_ns())
        return rows

    def archived_rows(self) -> tuple[Row, ...]:
        """The archived tasks."""
        return self._archived(self.store.archive_listing(), None)

    def archived_names(self) -> frozenset[str]:
        """Every name and id in the archive."""
        rows = self.archived_rows()
        return frozenset(name for row in rows for name in (row.name, row.id) if name)

    def back_up(self, progress: Progress | None = None) -> str:
        """Keeps every task file, archived ones too, outside the repository; why one could not be
        kept, empty when all are. It may take seconds where it has not been done before."""
        from mandrel_tui.workspace import sessions

        return sessions.back_up(self, progress)

    def task(self, name: str) -> Task:
        """The task of exactly that file name as its file is now, active first then archived;
        raises UnknownTask, and files.NotRead where its file cannot be read."""
        from mandrel_tui.workspace import sessions

        for listing, folder in self._folders():
            for file in listing.files:
                if file.name == name:
                    task = self.store.read(file, folder)
                    sessions.observe(self, task, file.path)
                    return task
        raise UnknownTask(self._unknown(name))

    def active_task(self, name: str) -> Task:
        """As `task`, for what makes sense only while a task is active; raises Refusal."""
        task = self.task(name)
        if task.path.startswith(f"{ARCHIVE}/"):
            raise Refusal(f"{name} is archived: nothing is next for it")
        return task

    def _folders(self) -> tuple[tuple[Listing, str], ...]:
        return (self.store.listing(), TASKS), (self.store.archive_listing(), ARCHIVE)

    def _unknown(self, name: str) -> str:
        from mandrel_tui.protocol.names import near
        from mandrel_tui.workspace.visible import shown

        names = [file.name for listing, _ in self._folders() for file in listing.files]
        close = near(name, names)
        offer = f"; did you mean {', '.join(close)}?" if close else ""
        with_id = [t.name for t in self.store.active(self.store.listing()) if t.id == name]
        if with_id:
            offer = f"; that is the id of {', '.join(with_id)}, and names are file names"
        return f"no task is named {name} in {shown(self.root / TASKS)}{offer}"

    def turn(self, task: Task) -> Turn:
        """The turn of a task among the tasks that are active now."""
        names = frozenset(file.name for file in self.store.listing().files)
        if any(b not in names and not b.startswith(EXTERNAL) for b in task.blockers):
            names |= {t.id for t in self.store.active(self.store.listing()) if t.id}
        return turn_of(task, names)

    def contracts(self) -> Contracts:
        """The contract set in force now."""
        from mandrel_tui.workspace.contract_files import load_contracts

        return load_contracts(self.root, self.bundle)

    def prompt(self, request: PromptRequest) -> Prompt:
        """The prompt of a request, from the task as it is now; raises UnknownTask, Refusal,
        ContractError and files.NotRead."""
        from mandrel_tui.workspace import assembly

        return assembly.prompt(self, request)

    def followup(
        self,
        name: str,
        kind: str,
        *,
        answer: str | None,
        sid: str | None,
        given: Given | None = None,
    ) -> bytes:
        """The exact bytes of a midflight message; one that names problems runs the checks.

        Without `sid` it is that of the latest session; `given` is as of `check`. Raises as `prompt`
        does.
        """
        from mandrel_tui.protocol.returned import Given
        from mandrel_tui.workspace.followups import message

        return message(self, name, kind, answer=answer, sid=sid, given=given or Given())

    def checks(self, task: Task, facts: Facts) -> tuple[CheckResult, ...]:
        """What must hold when a session returns, looked at now; raises ContractError."""
        from mandrel_tui.workspace import assembly

        return assembly.checks(self, task, facts)

    def check(self, name: str, sid: str | None = None, given: Given | None = None) -> Report:
        """What came of the session `sid` of a task, by default the latest one, kept with what it
        was handed; `given` is what the human says of the time before. Raises as `prompt` does."""
        from mandrel_tui.protocol.returned import Given
        from mandrel_tui.workspace.returns import check

        return check(self, name, sid, given or Given())

    def hand_over(self, prompt: Prompt, launcher: str, way: str, place: str = "") -> Recorded:
        """Records an assembled prompt as delivered now, and the ruling it carries as given; the
        values are those of `Delivery`."""
        from mandrel_tui.protocol.handover import Delivery
        from mandrel_tui.workspace import sessions

        delivery = Delivery(self.now(), launcher, way, place)
        return sessions.hand_over(self, prompt, delivery, sessions.new_id())

    def hand_followup(
        self,
        task: Task,
        kind: str,
        data: bytes,
        launcher: str,
        way: str,
        place: str = "",
        sid: str | None = None,
        facts: Facts | None = None,
    ) -> Recorded:
        """Records a follow-up as delivered now; `task` is what was read before it left, `sid` the
        session it went into, by default the latest, `facts` what the human said of the time
        before."""
        from mandrel_tui.protocol.handover import Delivery
        from mandrel_tui.workspace import sessions

        delivery = Delivery(self.now(), launcher, way, place)
        id = sessions.new_id()
        return sessions.hand_followup(self, task, kind, data, delivery, id, sid, facts)

    def tree(self, stop: Event | None = None) -> Tree:
        """The state of the working tree now; git is not waited for once `stop` is set."""
        from mandrel_tui.workspace.git import Git

        return Git(self.root, stop=stop).tree()

    def gauge(self, stop: Event | None = None) -> Gauge:
        """How full the eager memory is now; git is not waited for once `stop` is set."""
        from mandrel_tui.workspace.snapshot_files import read_gauge

        return read_gauge(self.root, stop)

    def keep(self, data: bytes, stem: str) -> Kept:
        """A private file that holds the bytes, or why there is none."""
        return self.state.keep(data, stem)

    def copy(self, data: bytes, stem: str = "prompt") -> Copied:
        """Copies to the first clipboard that answers; the bytes also lie in a private file."""
        from mandrel_tui.workspace import clipboard

        return clipboard.copy(data, self.keep(data, stem), progress=self.trying)
