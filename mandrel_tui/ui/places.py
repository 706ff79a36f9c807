"""Places: what the app finds where it is started, and what it lays there when asked; they touch no
widget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path
from tempfile import mkdtemp

from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.tree import Tree
from mandrel_tui.resources import bundled
from mandrel_tui.ui.messages import Offer, Place, Planned
from mandrel_tui.ui.present import number
from mandrel_tui.workspace import files
from mandrel_tui.workspace.git import Git
from mandrel_tui.workspace.listing import list_store
from mandrel_tui.workspace.roots import MEMORY, PROTOCOL, STORE, Found, RootError, find_root
from mandrel_tui.workspace.sample import SampleError, make
from mandrel_tui.workspace.setup import (
    FileChange,
    SetupPlan,
    SetupRefused,
    carry_out,
    plan_setup,
)
from mandrel_tui.workspace.visible import shown, visible


@dataclass(frozen=True, slots=True)
class Looked:
    """What is at a place: the root of a repository with tasks, or the place as it is told."""

    root: Path | None
    place: Place


def look(start: Path, *, explicit: bool) -> Looked:
    """What is around `start`, or at exactly `start`."""
    try:
        found = find_root(start, explicit=explicit)
    except RootError as error:
        return Looked(None, Place(shown(start), offers=_offers(error.offers), fault=str(error)))
    return Looked(found.root if found.has_tasks else None, _place(found))


def root_of(start: Path, *, explicit: bool) -> Path:
    """The folder that would be set up; raises RootError where there is none."""
    return find_root(start, explicit=explicit).root


def tree(start: Path, *, explicit: bool) -> Tree | None:
    """The working tree around `start`; None where there is no root."""
    try:
        return Git(find_root(start, explicit=explicit).root).tree()
    except RootError:
        return None


def _place(found: Found) -> Place:
    there = [
        *([f"{MEMORY}/"] if found.has_memory else []),
        *([f"{PROTOCOL}/"] if found.has_protocol else []),
        *(f"{name}, {_tokens(found.root / name)}" for name in found.memory_files),
    ]
    return Place(
        shown(found.root),
        looked=(f"{STORE}/", f"{MEMORY}/", f"{PROTOCOL}/"),
        found=tuple(there),
        note=found.git_note,
        offers=_offers(found.offers),
        memory=found.memory_files,
    )


def _tokens(path: Path) -> str:
    try:
        return counted(path.stat().st_size // 4, "token")
    except OSError:
        return "unreadable"


def _offers(roots: tuple[Path, ...]) -> tuple[Offer, ...]:
    return tuple(Offer(str(root), _tasks(root)) for root in roots)


def _tasks(root: Path) -> str:
    listing = list_store(root / STORE)
    return listing.problem or counted(len(listing.files), "task")


def planned(root: Path, now: datetime) -> Planned:
    """What setting up would write, every change as a text to look at."""
    try:
        plan = _plan(root, now)
    except SetupRefused as refusal:
        return Planned(refusal=str(refusal))
    laid = (*plan.files, *plan.receipt)
    changes = (*laid, *plan.loaders)
    return Planned(
        tuple((visible(c.path), _words(c)) for c in laid),
        tuple((visible(c.path), "loader block") for c in plan.loaders),
        {visible(c.path): _text(c) for c in changes},
        plan.notes,
    )


def set_up(root: Path, now: datetime, *, loader: bool) -> tuple[str, bool]:
    """Write what is lacking now; what to say of it, and whether it was done."""
    try:
        plan = _plan(root, now)
        carry_out(plan, loader=loader)
    except (SetupRefused, files.FileError, OSError) as error:
        return f"not all is set up: {error}", False
    many = counted(len(plan.changes(loader=loader)), "file")
    first = "commit them, then " if Git(root).run("rev-parse", "--git-dir").ok else ""
    return f"set up: {many} written; {first}n drafts the first task", True


def _plan(root: Path, now: datetime) -> SetupPlan:
    head = Git(root).run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    name = head.stdout.decode("ascii", "replace").strip() if head.ok else None
    today = f"{now.astimezone(UTC):%Y-%m-%d}"
    return plan_setup(root, bundled("contracts"), today=today, head=name)


def _words(change: FileChange) -> str:
    return f"new, {number(len(change.after))} bytes" if change.is_new else "changed"


def _text(change: FileChange) -> str:
    """A new file as it will be, a changed one as a diff."""
    after = change.after.decode("utf-8", "replace")
    if change.before is None:
        return after
    before = change.before.decode("utf-8", "replace")
    return "\n".join(_diff(before, after, change.path))


def _diff(before: str, after: str, path: str) -> Iterator[str]:
    old, new = before.split("\n"), after.split("\n")
    yield from unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm="")


def make_sample(now: datetime) -> tuple[Path | None, str]:
    """The sample in a new scratch folder, and what to say of it."""
    try:
        sample = make(Path(mkdtemp(prefix="ledger-sync-")), bundled("contracts"), now)
    except (SampleError, OSError) as error:
        return None, f"no sample: {error}"
    history = f", without history: {sample.no_history}" if sample.no_history else ""
    return sample.root, f"the sample is in {shown(sample.root)}{history}"
