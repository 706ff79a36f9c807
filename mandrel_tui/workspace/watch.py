"""Watch: notices changes made outside by comparing fingerprints; events only make it look sooner.

It is a blocking generator for a thread, and ends soon after `stop` is set.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from mandrel_tui.protocol.watching import Noticing, Watching
from mandrel_tui.workspace.files import reason
from mandrel_tui.workspace.fingerprint import WATCHED, Fingerprint, Mark, fingerprint, skeleton
from mandrel_tui.workspace.hints import Hints


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to look, in seconds.

    `tick`: how soon `stop` and events are noticed; `glance`: at the few marks of folders and single
    files; `poll`: at everything, without events, and `safety` with them; `quiet`: how long a burst
    must have ended, and `burst` how long it may last; `late`: how long events may be outstanding
    before they are no longer relied on. The first step of `poll` is taken of which looking takes at
    most one part in `share`, else the last.
    """

    tick: float = 0.1
    glance: float = 0.4
    poll: tuple[float, ...] = (0.5, 1.0, 2.0)
    safety: float = 2.0
    quiet: float = 0.12
    burst: float = 0.4
    late: float = 1.0
    share: float = 10.0


@dataclass(frozen=True, slots=True)
class Changed:
    """What changed outside: paths below the root, git's own as `.git/…`, and the state now."""

    paths: frozenset[str]
    fingerprint: Fingerprint

    def below(self, folder: str) -> bool:
        """Whether anything in or at that folder or file changed."""
        return any(_within(path, folder) for path in self.paths)


@dataclass
class Watch:
    """The watching of one repository, for one thread.

    `told` is called in that thread with every new state of the watching itself.
    """

    root: Path
    told: Callable[[Watching], None] = lambda watching: None
    events: bool = True
    pace: Pace = Pace()
    state: Watching = field(default=Watching(Noticing.POLLING, every=0.5), init=False)
    _seen: Fingerprint = field(default_factory=Fingerprint, init=False, repr=False)
    _bones: dict[str, Mark] = field(default_factory=dict, init=False, repr=False)
    _hint: Event = field(default_factory=Event, init=False, repr=False)
    _hints: Hints | None = field(default=None, init=False, repr=False)
    _lost: str = field(default="", init=False)
    _cost: float = field(default=0.0, init=False)
    _looked: float = field(default=0.0, init=False)
    _glanced: float = field(default=0.0, init=False)
    _outstanding: float | None = field(default=None, init=False)
    _asked: bool = field(default=False, init=False)

    def changes(self, stop: Event, since: Fingerprint | None = None) -> Iterator[Changed]:
        """Yields after every burst of changes since `since`, or since now, until `stop` is set."""
        self._bones = skeleton(self.root)
        self._seen = since or self._look() or Fingerprint()
        self._asked = since is not None
        self._listen()
        try:
            while not stop.is_set():
                changed = self._changed(stop)
                if changed is not None:
                    yield changed
        finally:
            self._silence()

    def _changed(self, stop: Event) -> Changed | None:
        """Waits one tick; what changed, when it was time to look and something had."""
        self._hear(self._hint.wait(self.pace.tick))
        self._glance()
        asked, now = self._asked, time.monotonic()
        pause = self._cost * self.pace.share if asked else self._interval
        if now - self._looked < pause:
            return None
        self._asked = False
        found = self._look()
        if found is None or found == self._seen:
            return None
        if not asked:
            self._miss(self._seen.changed(found))
        found = self._settled(found, stop)
        paths, self._seen = self._seen.changed(found), found
        return Changed(paths, found) if paths else None

    def _hear(self, hinted: bool) -> None:
        """Takes note of an event, of one that is overdue, and of the end of all."""
        if hinted:
            self._hint.clear()
            self._asked, self._outstanding = True, None
        since = self._outstanding
        if self._hints is not None and self._hints.failure:
            self._lose(self._hints.failure)
        elif since is not None and time.monotonic() - since > self.pace.late:
            self._lose("this file system reports no events")
        self._tell(self._usual)

    def _glance(self) -> None:
        """Looks at folders and single files alone, which no event may report."""
        now = time.monotonic()
        if now - self._glanced < self.pace.glance:
            return
        self._glanced = now
        last, self._bones = self._bones, skeleton(self.root)
        self._asked = self._asked or last != self._bones
        if any(last.get(name) != self._bones.get(name) for name in WATCHED):
            self._listen()

    def _look(self) -> Fingerprint | None:
        """Everything as it is now; None, and stale, where it cannot be looked at."""
        start = time.monotonic()
        try:
            found = fingerprint(self.root)
        except OSError as error:
            since = self.state.since or time.strftime("%H:%M")
            self._tell(Watching(Noticing.STALE, since=since, reason=reason(self.root, error)))
            return None
        finally:
            self._looked = time.monotonic()
            self._cost += (self._looked - start - self._cost) / 4
        if self.state.kind is Noticing.STALE:
            self._tell(self._usual, recovered=True)
        return found

    def _settled(self, found: Fingerprint, stop: Event) -> Fingerprint:
        """The state after the burst to which a change belongs."""
        end = time.monotonic() + self.pace.burst
        while time.monotonic() < end and not stop.wait(self.pace.quiet):
            later = self._look()
            if later is None or later == found:
                break
            found = later
        return found

    def _miss(self, paths: frozenset[str]) -> None:
        """Takes note of changes that an event should have reported."""
        known = [name for name in WATCHED if name in self._bones]
        heard = any(_within(path, folder) for path in paths for folder in known)
        if heard and self.state.kind is Noticing.LIVE and self._outstanding is None:
            self._outstanding = time.monotonic()

    def _listen(self) -> None:
        """Asks for events of the folders that there are now."""
        self._silence()
        self._outstanding = None
        folders = [self.root / name for name in WATCHED if name in self._bones]
        if self.events and folders and not self._lost:
            self._hints = Hints(folders, self._hint.set).start()

    def _silence(self) -> None:
        if self._hints is not None:
            self._hints.stop()
            self._hints = None

    def _lose(self, why: str) -> None:
        self._lost, self._outstanding = why, None
        self._silence()

    @property
    def _interval(self) -> float:
        return self._every if self.state.kind is Noticing.POLLING else self.pace.safety

    @property
    def _every(self) -> float:
        steps = self.pace.poll
        return next((step for step in steps if step >= self._cost * self.pace.share), steps[-1])

    @property
    def _usual(self) -> Watching:
        """How changes are noticed while looking works."""
        if self._hints is not None and self._hints.ready:
            return Watching(Noticing.LIVE)
        return Watching(Noticing.POLLING, every=self._every, reason=self._lost)

    def _tell(self, state: Watching, *, recovered: bool = False) -> None:
        stale = self.state.kind is Noticing.STALE and state.kind is not Noticing.STALE
        if state == self.state or (stale and not recovered):
            return
        self.state = state
        self.told(state)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
