"""Workspace: the one door to a repository; reads, assembles and keeps, and shows nothing."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from mandrel_tui.protocol.board import Board, Row
from mandrel_tui.protocol.contracts import ContractError, Contracts
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.facts import Facts, inferred, resumed
from mandrel_tui.protocol.followup import Message, followup, needs
from mandrel_tui.protocol.postchecks import CheckResult, Evidence, run_checks
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, Refusal, assemble, wants_sid
from mandrel_tui.protocol.snapshot import Gauge
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.tree import Tree, TreeKind
from mandrel_tui.protocol.turn import Turn, turn_of
from mandrel_tui.workspace import clipboard, files
from mandrel_tui.workspace.archive import FOLDER as ARCHIVE
from mandrel_tui.workspace.archive import VERSION, Progress, archived_rows
from mandrel_tui.workspace.clipboard import Copied
from mandrel_tui.workspace.contract_files import load_contracts
from mandrel_tui.workspace.git import Git
from mandrel_tui.workspace.listing import Listing
from mandrel_tui.workspace.roots import find_root
from mandrel_tui.workspace.state import Kept, State
from mandrel_tui.workspace.store import TASKS, Store


class UnknownTask(Exception):
    """A name that is no task's; the message offers names that are near."""


def utc_now() -> datetime:
    """The time now in UTC."""
    return datetime.now(UTC)


@dataclass
class Workspace:
    """One repository: its store, git, contracts and the state kept about it elsewhere.

    `bundle` is the shipped `contracts` folder; `clock` gives the time now in UTC.
    """

    root: Path
    bundle: Path
    clock: Callable[[], datetime] = utc_now
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
        return Git(self.root)

    def now(self) -> str:
        """The clock as `YYYY-MM-DDTHH:MM:SSZ`."""
        return self.clock().strftime("%Y-%m-%dT%H:%M:%SZ")

    def board(self, *, archived: bool = False, progress: Progress | None = None) -> Board:
        """Everything read now; rows of archived tasks are left out unless asked for."""
        listing, archive = self.store.listing(), self.store.archive_listing()
        active = self.store.active(listing, progress)
        rows = self._archived(archive, progress)
        around = Surroundings(
            index=self.store.index(),
            documents=self.store.documents(),
            now=self.now(),
            notes=self.store.notes(listing, archive),
        )
        board = build_board(active, rows, around)
        return board if archived else replace(board, rows=board.active)

    def _archived(self, archive: Listing, progress: Progress | None) -> tuple[Row, ...]:
        cached = self.state.load_cache(VERSION)
        rows, kept = archived_rows(archive.files, cached, progress)
        if kept != cached:
            self.state.save_cache(VERSION, kept, time.time_ns())
        return rows

    def task(self, name: str) -> Task:
        """The task of exactly that file name as its file is now, active first then archived;
        raises UnknownTask, and files.NotRead where its file cannot be read."""
        for listing, folder in self._folders():
            for file in listing.files:
                if file.name == name:
                    return self.store.read(file, folder)
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
        names = [file.name for listing, _ in self._folders() for file in listing.files]
        stem = name.removesuffix(".md").rpartition("/")[2]
        close = [n for n in names if n == stem or n.endswith(f"-{stem}")]
        if not close:
            from difflib import get_close_matches

            close = get_close_matches(name, names, 3, 0.6)
        offer = f"; did you mean {', '.join(close[:3])}?" if close else ""
        return f"no task is named {name} in {self.root / TASKS}{offer}"

    def turn(self, task: Task) -> Turn:
        """The turn of a task among the tasks that are active now."""
        names = frozenset(file.name for file in self.store.listing().files)
        if any(b not in names and not b.startswith("external:") for b in task.blockers):
            names |= {t.id for t in self.store.active(self.store.listing()) if t.id}
        return turn_of(task, names)

    def contracts(self) -> Contracts:
        """The contract set in force now."""
        return load_contracts(self.root, self.bundle)

    def prompt(self, request: PromptRequest) -> Prompt:
        """The prompt of a request, from the task as it is now; raises UnknownTask, Refusal,
        ContractError and files.NotRead."""
        task = self.active_task(request.task)
        turn, contracts = self.turn(task), self.contracts()
        if not request.now:
            request = replace(request, now=self.now())
        if wants_sid(request, turn, contracts):
            request = replace(request, sid=str(uuid.uuid4()))
        others = sum(file.name != task.name for file in self.store.listing().files)
        return assemble(request, task, turn, contracts, others)

    def followup(self, name: str, kind: str, *, answer: str | None, sid: str | None) -> bytes:
        """The exact bytes of a midflight message; one that names problems runs the checks.

        Without `sid` it is that of the claim. Raises as `prompt` does.
        """
        task = self.active_task(name)
        sid = sid or task.claimed_sid or None
        message = Message(kind, answer=answer, sid=sid, task=name)
        wanted = needs(kind)
        if {"problems", "role", "mode"} & wanted:
            facts = self._facts(task, kind, sid)
            mode = "remediation" if facts.remediation else "advancement"
            mode = "review" if facts.role == "review" else mode
            message = replace(message, role=facts.role, mode=mode)
            if "problems" in wanted:
                failed = (r for r in self.checks(task, facts) if not r.passed)
                message = replace(message, problems=tuple(r.problem for r in failed))
        return followup(message, self.contracts())

    def _facts(self, task: Task, kind: str, sid: str | None) -> Facts:
        if kind == "blocked-violation" and sid:
            return resumed(task, sid)
        facts = inferred(task, sid) if sid else None
        if facts is not None:
            return facts
        turn = self.turn(task)
        return Facts(turn.role or "dev", sid, task.status_text, None, task.remediation)

    def checks(self, task: Task, facts: Facts) -> tuple[CheckResult, ...]:
        """What must hold when a session returns, looked at now."""
        contracts = self.contracts()
        if contracts.problems:
            raise ContractError(contracts.problems)
        return run_checks(task, facts, self.evidence(), contracts.requirements())

    def evidence(self) -> Evidence:
        """What git says of the working tree now."""
        tree = self.tree()
        known = tree.kind is TreeKind.GIT
        status = tree.porcelain if known else None
        return Evidence(status, tree.words, tree.kind is not TreeKind.NONE)

    def tree(self) -> Tree:
        """The state of the working tree now."""
        return self.git.tree()

    def gauge(self) -> Gauge:
        """How full the eager memory is now."""
        from mandrel_tui.workspace.snapshot_files import read_gauge

        return read_gauge(self.root)

    def keep(self, data: bytes, stem: str) -> Kept:
        """A private file that holds the bytes, or why there is none."""
        return self.state.keep(data, stem)

    def copy(self, data: bytes, stem: str = "prompt") -> Copied:
        """Copies to the first clipboard that answers; the bytes also lie in a private file."""
        return clipboard.copy(data, self.keep(data, stem))

    def write_copy(self, path: Path, data: bytes) -> None:
        """Writes bytes to a file that does not exist yet; raises files.NotWritten."""
        files.write_atomic(path, data, None)
