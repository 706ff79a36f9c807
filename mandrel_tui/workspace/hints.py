"""Hints: events of the system that say when to look again, where `watchfiles` is installed.

They are never the truth: a file system may deliver none, or lose some.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from mandrel_tui.workspace.fingerprint import is_noise

_QUIET_MS, _LONGEST_MS, _IDLE_MS = 50, 200, 300


@dataclass
class Hints:
    """A thread that calls `tell` for every batch of events below the folders, and once when it is
    `ready` or has ended; `failure` then says on one line why no events come."""

    folders: Sequence[Path]
    tell: Callable[[], None]
    ready: bool = False
    failure: str = ""
    _stop: Event = field(default_factory=Event)

    def start(self) -> Hints:
        Thread(target=self._run, name="file events", daemon=True).start()
        return self

    def stop(self) -> None:
        """Ends the thread, without waiting for it."""
        self._stop.set()

    def _run(self) -> None:
        try:
            self._listen()
            self.failure = "file events ended"
        except ImportError:
            self.failure = "watchfiles is not installed"
        except Exception as error:
            self.failure = f"no file events: {error or type(error).__name__}"
        if not self._stop.is_set():
            self.tell()

    def _listen(self) -> None:
        from watchfiles import watch

        batches = watch(
            *(os.path.realpath(folder) for folder in self.folders),
            watch_filter=lambda _, path: not is_noise(Path(path).name or path),
            debounce=_LONGEST_MS,
            step=_QUIET_MS,
            rust_timeout=_IDLE_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
            force_polling=False,
            ignore_permission_denied=True,
        )
        for batch in batches:
            if batch or not self.ready:
                self.ready = True
                self.tell()
