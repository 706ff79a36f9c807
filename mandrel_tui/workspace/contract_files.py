"""Contract files: which contract set serves a repository, read as it lies; changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from mandrel_tui.protocol.contracts import (
    TEXTS,
    Contracts,
    Source,
    declared,
    fragment_problems,
    missing_texts,
)
from mandrel_tui.protocol.fragments import STANDING_IN
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.native import is_native

PROTOCOL = ".ai-protocol"
FRAGMENT_FOLDERS = (".mandrel/orchestrator/prompts", ".cursor/orchestrator/prompts")
LOCK = ".ai-deploy-lock.json"
MISSING = "missing"
SKILLS = (".claude/skills/ai-sync-v2/SKILL.md", f"{PROTOCOL}/workflow/skills/closeout.md")


@dataclass(frozen=True, slots=True)
class _Found:
    """One half of a set as it lies in a folder: the texts read, and why others were not."""

    folder: str
    bundled: bool
    sources: Mapping[str, Source]
    unread: Mapping[str, str] = field(default_factory=dict)

    def reasons(self, names: Iterable[str]) -> tuple[str, ...]:
        """A line for each of these names that says why it is not there."""
        return tuple(f"{self.folder}/{name}.md: {self.unread[name]}" for name in names)


def load_contracts(root: Path, bundle: Path) -> Contracts:
    """The contracts in force for the repository at `root`, an absolute path; `bundle` is the
    shipped `contracts` folder. Whatever cannot be read becomes a problem or a note, never an error.
    """
    lock, notes = _lock(root)
    texts = _texts(root, bundle, lock)
    fragments = _fragments(root, bundle, lock)
    wanting = missing_texts(texts.sources, texts.bundled)
    spare = (n for n, why in texts.unread.items() if n not in wanting and why != MISSING)
    problems = (
        *texts.reasons(wanting),
        *fragments.reasons(fragments.unread),
        *fragment_problems(fragments.sources),
    )
    return Contracts(
        texts=texts.sources,
        fragments=fragments.sources,
        texts_bundled=texts.bundled,
        fragments_bundled=fragments.bundled,
        native=is_native(root),
        skill_path=_skill(root, bundle, texts.bundled),
        problems=problems,
        notes=(*notes, *texts.reasons(spare)),
        contracts_dir=str(bundle) if texts.bundled else PROTOCOL,
    )


def lost(bundle: Path) -> tuple[str, ...]:
    """The files that the shipped set should have and has not."""
    names = (*TEXTS, *(f"prompts/{name}" for name in declared(standing_in=True)))
    return tuple(f"contracts/{name}.md" for name in names if not _is_plain(bundle / f"{name}.md"))


def _texts(root: Path, bundle: Path, lock: Mapping[str, str]) -> _Found:
    if _exists(root / PROTOCOL / "protocols"):
        return _read(root / PROTOCOL, PROTOCOL, TEXTS, lock)
    return _read(bundle, "contracts", TEXTS)


def _fragments(root: Path, bundle: Path, lock: Mapping[str, str]) -> _Found:
    for folder in FRAGMENT_FOLDERS:
        if _exists(root / folder):
            standing_in = any(_exists(root / folder / f"{name}.md") for name in STANDING_IN)
            return _read(root / folder, folder, declared(standing_in), lock)
    return _read(bundle / "prompts", "contracts/prompts", declared(standing_in=True))


def _read(
    folder: Path, shown: str, names: Iterable[str], lock: Mapping[str, str] | None = None
) -> _Found:
    """The named texts of a folder; without a `lock` they are the bundle's, which has no receipt."""
    sources: dict[str, Source] = {}
    unread: dict[str, str] = {}
    for name in names:
        path, place = f"{shown}/{name}.md", folder / f"{name}.md"
        try:
            content = read(place).data
        except NotRead as why:
            unread[name] = why.reason if _exists(place) else MISSING
        else:
            equal = None if lock is None else _compared(content, lock.get(path))
            sources[name] = Source(path, content, lock is None, equal)
    return _Found(shown, lock is None, sources, unread)


def _compared(content: bytes, digest: str | None) -> str | None:
    if digest is None:
        return None
    return "equal" if sha256(content).hexdigest() == digest.lower() else "differs"


def _lock(root: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """The receipt's digests by path, and a note where there is one that cannot be used."""
    if not _exists(root / LOCK):
        return {}, ()
    try:
        return _digests(json.loads(read(root / LOCK).data)), ()
    except (NotRead, ValueError, RecursionError) as why:
        reason = why.reason if isinstance(why, NotRead) else "not the JSON of a deployment receipt"
        return {}, (f"{LOCK}: {reason}; no text was compared with it",)


def _digests(receipt: object) -> Mapping[str, str]:
    files = receipt.get("deployed_files") if isinstance(receipt, dict) else None
    if not isinstance(files, list):
        raise ValueError("no list of deployed files")
    rows = [row for row in files if isinstance(row, dict)]
    pairs = ((row.get("target_relative_path"), row.get("canonical_sha256")) for row in rows)
    return {p: d for p, d in pairs if isinstance(p, str) and isinstance(d, str)}


def _skill(root: Path, bundle: Path, texts_bundled: bool) -> str | None:
    """The absolute path of the closeout procedure that an agent is sent to."""
    places = [root / skill for skill in SKILLS]
    if texts_bundled:
        places.append(bundle / "workflow/skills/closeout.md")
    return next((str(place) for place in places if _is_plain(place)), None)


def _exists(path: Path) -> bool:
    """Whether a name is taken, if only by a dangling link; true where the system will not say."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_plain(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
