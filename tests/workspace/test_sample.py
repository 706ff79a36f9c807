"""The sample repository shows every state, looks alive at any hour, and is the same each time."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import turn_of
from mandrel_tui.resources import bundled
from mandrel_tui.workspace.sample import SampleError, make
from mandrel_tui.workspace.setup import SNAPSHOT
from tests.conftest import git

NOON = datetime(2026, 8, 22, 12, 30, tzinfo=UTC)
AFTER_MIDNIGHT = datetime(2026, 3, 1, 0, 4, tzinfo=UTC)


def made(root: Path, now: datetime = NOON) -> Path:
    sample = make(root, bundled("contracts"), now)
    assert sample.no_history == ""
    return sample.root


def tasks(root: Path, folder: str = ".ai-tasks") -> list[Task]:
    files = sorted((root / folder).glob("2*.md"))
    return [read_task(f.read_bytes(), f.stem, f"{folder}/{f.name}") for f in files]


def test_the_sample_has_a_task_at_every_turn(tmp_path: Path) -> None:
    active = tasks(made(tmp_path / "sample"))
    names = frozenset(task.name for task in active)
    words = sorted(turn_of(task, names).word for task in active)
    assert " ".join(words) == "answer close dev fix gate invalid review rule waits"


@pytest.mark.parametrize("now", [NOON, AFTER_MIDNIGHT])
def test_only_two_tasks_of_the_sample_are_marked(tmp_path: Path, now: datetime) -> None:
    root = made(tmp_path / "sample", now)
    marked = {t.name[11:] for t in tasks(root) if any(d.marks for d in t.diagnostics)}
    assert marked == {"stall-detection", "notes-from-standup"}
    assert not [d for t in tasks(root, ".ai-tasks/archive") for d in t.diagnostics]


def test_the_sample_is_dated_by_the_clock_it_is_given(tmp_path: Path) -> None:
    root = made(tmp_path / "sample")
    task = next(t for t in tasks(root) if t.name == "2026-08-17-submit-retry-loop")
    assert task.id == task.name
    assert task.claimed_at == "2026-08-22T10:30:00Z"
    assert [e.date for e in task.entries][-1] == "2026-08-22"


def test_no_mark_of_the_sample_is_left_unfilled(tmp_path: Path) -> None:
    root = made(tmp_path / "sample")
    files = [root / name for name in git(root, "ls-files").split()]
    files += (root / ".ai-tasks").rglob("*.md")
    mark = re.compile(rb"%(\d+[dhm]d?|sid:.*|head)%")
    assert not [file for file in files if mark.search(file.read_bytes())]


def test_the_memory_of_the_sample_fills_61_percent_of_the_ceiling(tmp_path: Path) -> None:
    root = made(tmp_path / "sample")
    tokens = [(root / f".ai/{name}.md").stat().st_size // 4 for name in SNAPSHOT]
    assert round(100 * sum(tokens) / 16_500) == 61
    assert max(tokens) < 3_000


def test_the_history_of_the_sample_grows_splits_once_and_ends_clean(tmp_path: Path) -> None:
    root = made(tmp_path / "sample")
    commits = git(root, "rev-list", "--reverse", "HEAD", "--", ".ai/design.md").split()
    sizes = [int(git(root, "cat-file", "-s", f"{c}:.ai/design.md")) for c in commits]
    splits = [after < before * 0.75 for before, after in pairwise(sizes)]
    assert splits.count(True) == 1
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "ls-files", ".ai-tasks") == ""
    assert git(root, "fsck", "--strict") == ""


def test_a_document_of_the_sample_names_the_commit_before_its_own(tmp_path: Path) -> None:
    root = made(tmp_path / "sample")
    changed = git(root, "log", "-1", "--format=%P", "--", ".ai/design.md").strip()
    assert f"verified-against: {changed}\n" in (root / ".ai/design.md").read_text("utf-8")


def test_the_sample_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = made(tmp_path / "one"), made(tmp_path / "two")
    assert git(first, "rev-parse", "HEAD") == git(second, "rev-parse", "HEAD")
    assert digest(first) == digest(second)


def digest(root: Path) -> str:
    files = sorted(p for p in root.rglob("*") if p.is_file() and ".git/" not in f"{p}/")
    total = hashlib.sha256()
    for file in files:
        total.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()


def test_a_folder_with_anything_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    with pytest.raises(SampleError, match="not empty"):
        make(tmp_path, bundled("contracts"), NOON)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_without_git_the_sample_has_no_history_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    sample = make(tmp_path / "sample", bundled("contracts"), NOON)
    assert "git" in sample.no_history
    assert len(tasks(sample.root)) == 9
    assert (sample.root / ".ai/index.md").is_file()
