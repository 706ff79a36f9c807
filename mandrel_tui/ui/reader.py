"""Reader: reads the repository when asked and when it changes, in threads, and tells what it
learnt; it decides nothing and touches no widget."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock

from mandrel_tui.protocol.board import Board
from mandrel_tui.protocol.inbox import Item, inbox
from mandrel_tui.protocol.snapshot import Gauge
from mandrel_tui.protocol.tree import Tree
from mandrel_tui.protocol.watching import Watching
from mandrel_tui.ui.present import number
from mandrel_tui.workspace.fingerprint import Fingerprint, fingerprint
from mandrel_tui.workspace.sessions import marks
from mandrel_tui.workspace.watch import Watch
from mandrel_tui.workspace.workspace import Workspace

LONG = 0.5  # seconds from which a reading says how far it is
BEAT = 0.25  # seconds between two words about it
AROUND = 3.0  # seconds between two questions to git, each of which costs a child
SHARE = 20  # and at most a twentieth of the time is spent on them


@dataclass(frozen=True, slots=True)
class Told:
    """One thing the reader learnt; None where it says nothing.

    A board comes with the `items` of its inbox; `reading` is the progress of a reading, `trouble`
    why one failed.
    """

    board: Board | None = None
    items: tuple[Item, ...] = ()
    tree: Tree | None = None
    gauge: Gauge | None = None
    watching: Watching | None = None
    reading: str | None = None
    trouble: str = ""


class Reader:
    """Reads until it is stopped; `tell` is called from its threads."""

    def __init__(self, workspace: Workspace, tell: Callable[[Told], None]) -> None:
        self.workspace = workspace
        self.archived = False
        self._tell = tell
        self._stop = Event()
        self._one = Lock()
        self._around: tuple[Tree, Gauge] | None = None
        self._marks: frozenset[tuple[str, int, int]] = frozenset()
        self._begun = self._said = 0.0
        self._trouble = ""

    def stop(self) -> None:
        """End soon, and tell nothing more."""
        self._stop.set()

    def tell(self, told: Told) -> None:
        """Tell, unless nobody listens any more."""
        if not self._stop.is_set():
            self._tell(told)

    def watch(self) -> None:
        """Read now, and again after every change, until stopped."""
        watch = Watch(self.workspace.root, lambda state: self.tell(Told(watching=state)))
        since = self._fingerprint()
        self.read()
        self.tell(Told(watching=watch.state))
        for _ in watch.changes(self._stop, since):
            self.read()

    def look_around(self) -> None:
        """Ask git again and again, until stopped: what differs from HEAD is not watched, nor what
        is recorded of sessions outside the repository."""
        pause = AROUND
        while not self._stop.wait(pause):
            begun = time.monotonic()
            if marks(self.workspace) != self._marks:
                self.read()
            with self._one:
                self._surroundings()
            pause = max(AROUND, SHARE * (time.monotonic() - begun))

    def read(self) -> None:
        """Read everything now."""
        with self._one:
            if self._stop.is_set():
                return
            self._begun = time.monotonic()
            self._marks = marks(self.workspace)
            try:
                board = self.workspace.board(archived=self.archived, progress=self._progress)
                items = inbox(board)
            except Exception as error:  # whatever it is, the old board stays on the screen
                self.tell(Told(reading="", trouble=f"reading failed: {error}"))
                return
            self.tell(Told(board=board, items=items, reading=""))
            self._surroundings()

    def _fingerprint(self) -> Fingerprint | None:
        try:
            return fingerprint(self.workspace.root)
        except OSError:
            return None  # the watch says why

    def _progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._begun > LONG and now - self._said > BEAT:
            self._said = now
            self.tell(Told(reading=f"reading {number(done)} of {number(total)}"))

    def _surroundings(self) -> None:
        """Tree and memory, told where they are others than before; while the root is gone they
        stay as they were known last."""
        if self._stop.is_set() or not self.workspace.root.is_dir():
            return
        try:
            around = (self.workspace.tree(self._stop), self.workspace.gauge(self._stop))
        except Exception as error:  # as above, but it is asked again and again: said once
            trouble = f"looking around failed: {error}"
            if trouble != self._trouble:
                self.tell(Told(trouble=trouble))
            self._trouble = trouble
            return
        self._trouble = ""
        if around != self._around and self.workspace.root.is_dir():  # else git saw it half gone
            self._around = around
            self.tell(Told(tree=around[0], gauge=around[1]))
