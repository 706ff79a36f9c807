"""The copies under tests/ are those of the folder they were taken from, where that is at hand."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ORIGINALS = TESTS.parent.parent / "shared"
# What the program does so far: cases of other kinds are about parts it does not have.
KINDS = {"enc", "yaml", "md", "width", "render", "clip", "locale", "git", "path", "watch", "sem"}
KINDS |= {"scale", "time", "a11y", "launch", "conc", "patch", "crash", "gitcfg"}


def kind(case: Path) -> str:
    """The kind of a case: what its name begins with."""
    return case.name.partition("-")[0]


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


def test_every_case_of_a_kind_in_use_is_among_the_copies() -> None:
    if not (ORIGINALS / "cases").is_dir():
        pytest.skip("there is nothing to compare tests/cases with")
    copies = {path.name for path in (TESTS / "cases").iterdir() if path.is_dir()}
    originals = {path.parent for path in (ORIGINALS / "cases").glob("*/case.md")}
    assert copies == {case.name for case in originals if kind(case) in KINDS}


def test_the_scripts_of_the_cases_can_be_run_as_they_lie_there() -> None:
    scripts = [*(TESTS / "cases").glob("*/*.sh"), TESTS / "cases/verify.sh"]
    assert len(scripts) > 30
    assert [path for path in scripts if not os.access(path, os.X_OK)] == []


def test_git_converts_no_line_ending_of_a_copy() -> None:
    if not (TESTS.parent / ".git").exists():
        pytest.skip("not in a checkout")
    paths = [path for name in ("golden", "cases") for path in (TESTS / name).rglob("*.md")]
    answers = subprocess.run(
        ["git", "-c", "safe.directory=*", "check-attr", "-z", "--stdin", "text"],
        cwd=TESTS,
        input=b"\0".join(os.fsencode(path) for path in paths),
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")[2::3]
    assert len(answers) == len(paths)
    assert set(answers) == {b"unset"}
