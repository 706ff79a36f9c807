"""The copies under tests/ are those of the folder they were taken from, where that is at hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ORIGINALS = TESTS.parent.parent / "shared"


def contents(folder: Path) -> dict[str, bytes | str | None]:
    """Everything below a folder by its path: file bytes, link targets, None for a folder."""
    found: dict[str, bytes | str | None] = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            if path.is_symlink():
                content: bytes | str | None = str(path.readlink())
            else:
                content = None if path.is_dir() else path.read_bytes()
            found[path.relative_to(folder).as_posix()] = content
    return found


@pytest.mark.parametrize("name", ["golden", "cases"])
def test_a_copy_is_equal_byte_for_byte_to_its_original(name: str) -> None:
    if not (ORIGINALS / name).is_dir() or not (TESTS / name).is_dir():
        pytest.skip(f"there is nothing to compare tests/{name} with")
    copies, originals = contents(TESTS / name), contents(ORIGINALS / name)
    assert copies == {path: originals.get(path) for path in copies}
    if name == "golden":
        assert copies.keys() == originals.keys()


def test_the_golden_copy_holds_its_hidden_folders_and_its_odd_bytes() -> None:
    workspace = TESTS / "golden/workspace"
    assert (workspace / ".mandrel/orchestrator/prompts/entry/sid-line.md").is_file()
    assert (workspace / ".claude/skills/ai-sync-v2/SKILL.md").is_file()
    assert not (workspace / ".ai-protocol/protocols/review.md").read_bytes().endswith(b"\n")
    assert b"\r" not in (workspace / ".ai-protocol/protocols/plan.md").read_bytes()
    assert len(list((workspace / ".ai-tasks").glob("*.md"))) == 52
