"""A repository in which one task waits to be closed out, another waits for it, and the memory has
documents; with the task store ignored by git, or tracked."""

from __future__ import annotations

from pathlib import Path

from mandrel_tui.resources import bundled
from mandrel_tui.workspace.workspace import Workspace
from tests.builders import a_task, review, work
from tests.conftest import git

DONE, WAITING, CALM = "2026-03-02-done", "2026-03-03-waiting", "2026-03-04-calm"
DESIGN = (
    b"---\nlast-updated: 2026-01-01\nverified-against: none\n---\n\n# Design\n\n"
    b"- one fact about design\n"
)
INDEX = (
    "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
    f"| {DONE} | A \\| pipe | completed |\n| {WAITING} | Waits for {DONE} | blocked |\n"
    f"| {CALM} | Calm | pending |\n"
).encode()
ROUTING = b"# Routing\n\n| Document | File |\n|---|---|\n| Design | design.md |\n| Map | map.md |\n"
DIFF = (
    b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -6,3 +6,4 @@\n # Design\n \n"
    b" - one fact about design\n+- admitted fact\n"
)


def task_bytes(name: str, status: str, *entries: str, blockers: str = "[]") -> bytes:
    return a_task(*entries, id=name, status=status, blockers=blockers, prefetch="[]")


def a_repository(top: Path, *, tracked: bool = False) -> Path:
    """A committed repository with a clean tree."""
    memory, store = top / ".ai", top / ".ai-tasks"
    (store / "archive").mkdir(parents=True)
    memory.mkdir()
    (memory / "design.md").write_bytes(DESIGN)
    (memory / "map.md").write_bytes(b"# Map\n")
    (memory / "index.md").write_bytes(ROUTING)
    (top / "app.py").write_bytes(b"pass\n")
    (top / ".gitignore").write_bytes(b"" if tracked else b".ai-tasks/\n")
    entries = (work(after="final_review"), review(before="final_review", after="completed"))
    blocked = work(before="in_progress", after="blocked", sid="dev-9")
    (store / f"{DONE}.md").write_bytes(task_bytes(DONE, "completed", *entries))
    waiting = task_bytes(WAITING, "blocked", blocked, blockers=f"[{DONE}]  # soon")
    (store / f"{WAITING}.md").write_bytes(waiting)
    (store / f"{CALM}.md").write_bytes(task_bytes(CALM, "pending"))
    (store / "archive/2026-01-01-older.md").write_bytes(task_bytes("2026-01-01-older", "completed"))
    (store / "index.md").write_bytes(INDEX)
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "--message", "Begin")
    return top


def a_workspace(top: Path) -> Workspace:
    return Workspace(top, bundled("contracts"))


def contents(top: Path) -> dict[str, bytes]:
    """Every file of a repository but git's own, by path."""
    files = (path for path in top.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in files}
