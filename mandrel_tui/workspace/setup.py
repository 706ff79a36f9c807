"""Setup: what a repository without Mandrel is given, as file changes that can be shown first; it
never replaces a file that is there, and never touches a real deployment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os.path import lexists
from pathlib import Path

from mandrel_tui.protocol.contracts import TEXTS, declared
from mandrel_tui.protocol.placeholders import encoded, fill, gaps
from mandrel_tui.workspace.blocks import add_block
from mandrel_tui.workspace.contract_files import FRAGMENT_FOLDERS, LOCK, PROTOCOL, SKILLS
from mandrel_tui.workspace.files import NotRead, read, write_atomic
from mandrel_tui.workspace.visible import shown

SNAPSHOT = ("index", "map", "overview", "architecture", "design", "conventions")
ARCHIVE = ".ai-tasks/archive"
SKILL = SKILLS[0]
LOADERS = {"AGENTS.md": "loader-agents.md", "CLAUDE.md": "loader-claude.md"}
_FRAGMENTS = FRAGMENT_FOLDERS[0]


class SetupRefused(Exception):
    """Nothing is laid here; the message says what stands in the way."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file to write: its path relative to the root, its bytes now (None: there is none yet)
    and then."""

    path: str
    before: bytes | None
    after: bytes

    @property
    def is_new(self) -> bool:
        return self.before is None


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """What setting up would write, in this order: `files`, the `loaders` when they are wanted, and
    the `receipt` last, so that an interrupted run is told from a finished one.

    `laid` are files that an interrupted run has left complete; `kept` are others that are there
    already and stay as they are; `notes` say in a sentence what is left out and why.
    """

    root: Path
    files: tuple[FileChange, ...]
    loaders: tuple[FileChange, ...]
    receipt: tuple[FileChange, ...]
    laid: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def changes(self, *, loader: bool) -> tuple[FileChange, ...]:
        """All of it in the order of writing, with or without the loader blocks."""
        return (*self.files, *(self.loaders if loader else ()), *self.receipt)


def plan_setup(root: Path, contracts: Path, *, today: str, head: str | None) -> SetupPlan:
    """What a folder lacks; `contracts` is the bundled set, `today` a UTC date, `head` the id of
    HEAD or None. Reads only. Raises SetupRefused over a deployment that is not this one."""
    deployed = deployment(contracts)
    files: list[FileChange] = []
    laid: list[str] = []
    kept: list[str] = []
    for path, data in deployed.items():
        found = _read(root, path)
        if found is None:
            files.append(FileChange(path, None, data))
        else:
            (laid if found == data else kept).append(path)
    receipt = _receipt(root, deployed, kept)
    _refuse_a_deployment(root, laid, kept, receipt)
    forms = _folder_forms(root)
    memory, there = _memory(root, contracts, {"today": today, "head": head or "none"}, forms)
    ignored, note = _block(root, ".gitignore", contracts / "templates/gitignore")
    loaders, notes = _loaders(root, contracts, forms)
    plan = SetupPlan(
        root,
        files=(*files, *memory, *ignored),
        loaders=loaders,
        receipt=receipt,
        laid=tuple(laid),
        kept=(*kept, *there),
        notes=(*note, *notes),
    )
    if not plan.changes(loader=True):
        raise SetupRefused(f"{shown(root)} is set up already: nothing is left to lay")
    return plan


def carry_out(plan: SetupPlan, *, loader: bool) -> None:
    """Writes the plan file by file, each atomically; raises NotWritten, and what was written until
    then is what the next plan finds laid."""
    (plan.root / ARCHIVE).mkdir(parents=True, exist_ok=True)
    for change in plan.changes(loader=loader):
        write_atomic(plan.root / change.path, change.after, change.before)


def deployment(contracts: Path) -> dict[str, bytes]:
    """The texts of the bundled set by the path they have in a repository."""
    texts = {f"{PROTOCOL}/{name}.md": contracts / f"{name}.md" for name in TEXTS}
    fragments = {
        f"{_FRAGMENTS}/{name}.md": contracts / "prompts" / f"{name}.md"
        for name in declared(standing_in=True)
    }
    skill = {SKILL: contracts / "skills/ai-sync-v2/SKILL.md"}
    return {path: file.read_bytes() for path, file in (texts | fragments | skill).items()}


def receipt_of(deployed: Mapping[str, bytes]) -> bytes:
    """The receipt that names each laid file with its digest."""
    rows = [
        {"target_relative_path": path, "canonical_sha256": sha256(data).hexdigest()}
        for path, data in deployed.items()
    ]
    return (json.dumps({"deployed_files": rows}, indent=2) + "\n").encode()


def _receipt(root: Path, deployed: Mapping[str, bytes], kept: list[str]) -> tuple[FileChange, ...]:
    """The receipt still to be written; nothing when exactly this one is there."""
    after = receipt_of({path: data for path, data in deployed.items() if path not in kept})
    before = _read(root, LOCK)
    return () if before == after else (FileChange(LOCK, before, after),)


def _refuse_a_deployment(
    root: Path, laid: list[str], kept: list[str], receipt: tuple[FileChange, ...]
) -> None:
    """An interrupted run has left only files that equal the bundled ones, and no receipt."""
    folders = (f"{PROTOCOL}/protocols", *FRAGMENT_FOLDERS)
    foreign = [path for path in kept if path.startswith((PROTOCOL, _FRAGMENTS))]
    if any(change.before is not None for change in receipt):
        raise SetupRefused(f"{LOCK} is there already: nothing is laid over a deployment")
    for folder in folders:
        ours = any(path.startswith(f"{folder}/") for path in laid)
        if lexists(root / folder) and (foreign or not ours):
            why = f"; {foreign[0]} is not the bundled text" if foreign else ""
            raise SetupRefused(f"{folder} is there already: nothing is laid over a deployment{why}")
    if foreign:
        raise SetupRefused(f"{foreign[0]} is there already and is not the bundled text")


def _folder_forms(root: Path) -> dict[bytes, bytes]:
    """The documents that are there as folders, by the file name they would have else."""
    return {
        f"{name}.md".encode(): f"{name}/index.md".encode()
        for name in SNAPSHOT
        if name != "index" and lexists(root / f".ai/{name}/index.md")
    }


def _pointed(text: bytes, forms: Mapping[bytes, bytes]) -> bytes:
    """A template whose names of documents are those of the forms they have."""
    for plain, folder in forms.items():
        text = text.replace(plain, folder)
    return text


def _memory(
    root: Path, contracts: Path, values: Mapping[str, str], forms: Mapping[bytes, bytes]
) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The documents of an empty snapshot and the empty active list; and which are there already."""
    templates = contracts / "templates"
    wanted = {
        _pointed(f".ai/{name}.md".encode(), forms).decode(): templates / f"ai/{name}.md"
        for name in SNAPSHOT
    }
    wanted[".ai-tasks/index.md"] = templates / "ai-tasks/index.md"
    known = {name: encoded(value) for name, value in {**values, "project": root.name}.items()}
    there = tuple(path for path in wanted if lexists(root / path))
    made = []
    for path, template in wanted.items():
        text = template.read_bytes()
        if path not in there:
            filled = fill(_pointed(text, forms), {name: known[name] for name in gaps(text)})
            made.append(FileChange(path, None, filled))
    return tuple(made), there


def _loaders(
    root: Path, contracts: Path, forms: Mapping[bytes, bytes]
) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The loader blocks; a file that only points at the other one needs none of its own."""
    changes: list[FileChange] = []
    notes: list[str] = []
    for path, template in LOADERS.items():
        if path == "CLAUDE.md" and _is_agents_file(root):
            continue
        change, note = _block(root, path, contracts / "templates" / template, forms)
        changes += change
        notes += note
    return tuple(changes), tuple(notes)


def _is_agents_file(root: Path) -> bool:
    """Whether CLAUDE.md is a link to AGENTS.md or imports it."""
    claude, agents = root / "CLAUDE.md", root / "AGENTS.md"
    if claude.exists() and agents.exists() and claude.samefile(agents):
        return True
    return b"@AGENTS.md" in (_read(root, "CLAUDE.md") or b"").split()


def _block(
    root: Path, path: str, template: Path, forms: Mapping[bytes, bytes] | None = None
) -> tuple[tuple[FileChange, ...], tuple[str, ...]]:
    """The change that adds a marked block to a file; or the note why it is left alone."""
    try:
        before = _read(root, path)
        after = add_block(before, _pointed(template.read_bytes(), forms or {}))
    except (SetupRefused, ValueError) as why:
        return (), (f"{path} is left alone: {why}",)
    return (() if after == before else (FileChange(path, before, after),)), ()


def _read(root: Path, path: str) -> bytes | None:
    """A file's bytes, None without one; SetupRefused where something else stands in its place."""
    for parent in _parents(path):
        if lexists(root / parent) and not (root / parent).is_dir():
            raise SetupRefused(f"{shown(root / parent)} is no folder")
    if not lexists(root / path):
        return None
    try:
        return read(root / path).data
    except NotRead as why:
        raise SetupRefused(str(why)) from None


def _parents(path: str) -> Iterator[str]:
    parts = path.split("/")[:-1]
    yield from ("/".join(parts[: end + 1]) for end in range(len(parts)))
