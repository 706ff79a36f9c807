"""A repository in which a task waits to be closed out, with memory and a log of facts."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

from tests.builders import a_task, review, work
from tests.conftest import git
from tests.stories.seat import Story, a_repository

TASK = "2026-08-11-barrier-timeouts"
WAITING = "2026-08-18-region-failover"
CLOCK = "2026-08-22T14:31:00Z"

FACTS = (
    "Rejected: retry with the same decision id. The idempotency cache cannot tell executed from "
    "confirmed until the server separates them.",
    "A step that is already in the local fifo wins over a resync.",
    "Currently moving the drain to region 2.",
)
LOG = (
    work(
        "7c1e09aa-1",
        done="".join(f"\n  - {fact}" for fact in FACTS),
        open="none",
        next=None,
        before="pending",
        after="final_review",
        date="2026-08-20",
    ),
    review(
        "7c1e09aa-1",
        "0e77c1d4-1",
        before="final_review",
        after="completed",
        findings="a barrier may fire twice after a reconnect",
        date="2026-08-21",
    ),
)
DESIGN = b"""---
last-updated: 2026-08-01
verified-against: 4f21c9a
---
# Design

## Stall detection

- The module family owns its stall detection.

## Retry

- On a barrier timeout the client retries with the same decision id.
  The server drops the second one.
- The resync reads the newest emitted step and catches up with an empty decision.

## Fifo

- The drain keeps its order.
"""
INDEX = b"""# Index

| document | read it when |
|---|---|
| design.md | something must stay as it is |
| map.md | a place is sought |
"""
MAP = b"""# Map

| name | where |
|---|---|
| `submit` | internal/submit, see design.md Retry |
| `fifo` | internal/fifo |
"""
STORE_INDEX = f"""# Active

| task | status |
|---|---|
| {TASK} | completed |
| {WAITING} | blocked |
""".encode()
TASKS = {
    TASK: a_task(
        *LOG,
        id=TASK,
        status="completed",
        est="3/3",
        claimed_by="0e77c1d4-1@2026-08-21T09:00:00Z",
        title="A barrier that waits too long says for whom",
    ),
    WAITING: a_task(
        id=WAITING,
        status="blocked",
        est="0/2",
        blockers=f"[{TASK}]",
        title="A region takes over",
    ),
}
MEMORY = {".ai/design.md": DESIGN, ".ai/index.md": INDEX, ".ai/map.md": MAP}


def to_close(
    root: Path, tasks: dict[str, bytes] | None = None, memory: dict[str, bytes] | None = None
) -> Path:
    """The committed repository; git ignores its store."""
    a_repository(root, TASKS if tasks is None else tasks)
    for name, data in (MEMORY if memory is None else memory).items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (root / ".ai-tasks/index.md").write_bytes(STORE_INDEX)
    git(root, "add", ".")
    when = {"GIT_AUTHOR_DATE": "2026-08-22T09:30:00Z", "GIT_COMMITTER_DATE": "2026-08-22T09:30:00Z"}
    with patch.dict(os.environ, when):
        git(root, "commit", "--quiet", "-m", "Memory")
    return root


def propose(root: Path, documents: dict[str, bytes]) -> None:
    """Lay a proposal where an agent lays it."""
    for name, data in documents.items():
        place = root / ".ai-tasks/proposals" / TASK / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


async def close_out(story: Story, task: str = TASK) -> None:
    """Open the closeout of a task from the board."""
    await story.until(lambda: story.board.tasks.go(task))
    await story.until(lambda: story.board.row is not None)
    await story.press("x")
    await story.until(lambda: story.app.sitting is not None)
    await story.until("close out")
