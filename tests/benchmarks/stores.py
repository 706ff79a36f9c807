"""Stores of a chosen size for benchmarks: realistic task files, reviewed in rounds."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.builders import a_task, review, work

STATUSES = ("pending", "in_progress", "final_review", "blocked")
DONE = "Moved the drain into its own file; rejected: a cache, since nothing repeats. " * 6


def make_store(folder: Path, active: int, archived: int, size: int) -> None:
    """A git repository with so many tasks, each of about `size` bytes, old enough to be settled."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / ".gitignore").write_text(".ai-tasks/\n")
    store = folder / ".ai-tasks"
    (store / "archive").mkdir(parents=True)
    rows = []
    for number in range(active):
        name = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}-active-{number:04}"
        status = STATUSES[number % 4]
        rows.append(f"| {name} | Task {number} | {status} |")
        _write(store / f"{name}.md", name, status, size)
    for number in range(archived):
        name = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}-done-{number:04}"
        _write(store / "archive" / f"{name}.md", name, "completed", size)
    table = "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
    (store / "index.md").write_text(table + "\n".join(rows) + "\n")


def _write(path: Path, name: str, status: str, size: int) -> None:
    entries: list[str] = []
    rounds = max(1, size // 1400)
    for number in range(rounds):
        dev, rev, day = f"{name}-dev-{number}", f"{name}-rev-{number}", f"2026-03-{number + 1:02}"
        entries.append(work(dev, done=DONE, date=day))
        entries.append(review(dev, rev, findings=DONE, date=day))
    if status == "pending":
        entries = entries[:-1]
    blockers = "[external:which limit, 10 or 20?]" if status == "blocked" else "[]"
    data = a_task(
        *entries,
        id=name,
        status=status,
        title=f"Task {name}",
        blockers=blockers,
        claimed_by="dev-1@2026-03-02T09:00:00Z",
    )
    path.write_bytes(data)
    os.utime(path, (1_767_225_600, 1_767_225_600))
