"""Snapshot files: reads the eager documents of a repository for the gauge; changes nothing."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from mandrel_tui.protocol.snapshot import FOLDER, NAMES, Gauge, Presence, gauge
from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.git import Git, GitError


def read_gauge(root: Path, stop: Event | None = None) -> Gauge:
    """The gauge of the memory below `root` as it is now.

    Git is asked only where a document is missing, whether it is merely not checked out; once `stop`
    is set its answer is not waited for.
    """
    texts: dict[str, bytes] = {}
    faults: dict[str, str] = {}
    for name in NAMES:
        try:
            texts[name] = read(root / FOLDER / name).data
        except NotRead as error:
            if error.reason != "not there":
                faults[name] = error.reason
    found = gauge(texts, faults)
    missing = any(d.presence is Presence.MISSING for d in found.documents)
    skipped = _not_checked_out(Git(root, stop=stop)) if missing else frozenset()
    return gauge(texts, faults, skipped - texts.keys() - faults.keys()) if skipped else found


def _not_checked_out(git: Git) -> frozenset[str]:
    if gitdir.nearest(git.root) is None:
        return frozenset()
    try:
        names = git.skipped(FOLDER)
    except GitError:
        return frozenset()
    inside = (name.decode("utf-8", "replace").removeprefix(f"{FOLDER}/") for name in names)
    return frozenset(inside) & frozenset(NAMES)
