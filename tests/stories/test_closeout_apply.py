"""Closing a task out, last steps: the plan as file changes, all of it done at once, and verified;
what is interrupted is finished or taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from mandrel_tui.protocol.desk import Source
from mandrel_tui.ui import closing_jobs
from mandrel_tui.ui.desk_messages import AskCloseOut, AskTake
from mandrel_tui.ui.screens.recovery import RecoveryScreen
from mandrel_tui.ui.screens.verify import VerifyScreen
from tests.conftest import git
from tests.stories.closing import DESIGN, FACTS, MAP, TASK, WAITING, close_out, propose, to_close
from tests.stories.seat import Story, seated
from tests.stories.stage import cells

SIZE = (100, 34)
NEW = DESIGN.replace(b"owns its stall detection.", b"owns its own stall detection.")
PROPOSED = {"design.md": NEW, "map.md": MAP + b"| `drain` | internal/drain |\n"}
ARCHIVED = f".ai-tasks/archive/{TASK}.md"


def a_root(root: Path) -> Path:
    to_close(root)
    propose(root, PROPOSED)
    return root


def failing_hook(root: Path) -> Path:
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'gofmt: exit.go is not formatted' >&2\nexit 1\n")
    hook.chmod(0o755)
    return hook


async def planned(story: Story, *decisions: str) -> None:
    """Take the proposal in, decide its hunks with these keys, accept the other task, plan."""
    await close_out(story)
    story.app.post_message(AskTake(Source("folder")))
    await story.until("2 review 0/2")
    await story.press("t", *decisions, "t")
    await story.until("before the first byte")
    await story.until("file change")


async def accept_the_other_task(story: Story) -> None:
    await story.press("G", "a")
    await story.until("✓ accepted")


async def test_a_plan_that_arrives_lifts_the_refusal_for_which_it_was_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, plan, may_plan = a_root(tmp_path / "r"), closing_jobs.plan, Event()

    def slow(*given: Any) -> closing_jobs.Planning:
        may_plan.wait(20)
        return plan(*given)

    monkeypatch.setattr(closing_jobs, "plan", slow)
    async with seated(root, SIZE) as story:
        await close_out(story)
        story.app.post_message(AskTake(Source("folder")))
        await story.until("2 review 0/2")
        await story.press("t", "t")
        await story.until("barrier-timeouts: planning")
        await story.press("ctrl+o")
        await story.until("apply: it is not planned yet")
        may_plan.set()
        await story.until("3 file changes")
        await story.until(lambda: "it is not planned yet" not in story.text)
        assert "2 hunks are undecided" in story.text


def documents(root: Path) -> Iterator[str]:
    listed = git(root, "show", "--format=%s", "--name-status", "HEAD")
    yield from (line for line in listed.split("\n") if line)


async def test_accepting_all_writes_the_proposal_in_one_commit_and_verifies(
    tmp_path: Path,
) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        assert "━ 5 file changes, one commit ━" in story.rows[2]
        assert "~ .ai/design.md" in story.text and "in the commit" in story.text
        assert f"> .ai-tasks/{TASK}.md" in story.text and "to archive/" in story.text
        assert "line 5, row removed" in story.text
        assert "✓ git identity" in story.told
        assert "commit: chore(.ai): absorb barrier-timeouts findings" in story.told
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
        assert "[4 verify]" in story.rows[1]
        assert "✓ the task file is gone from .ai-tasks/" in story.text
        assert "task-not-archived" not in story.text
        await story.press("y")
        await story.until("not copied")
    assert list(documents(root)) == [
        "chore(.ai): absorb barrier-timeouts findings",
        "M\t.ai/design.md",
        "M\t.ai/map.md",
    ]
    text = (root / ".ai/design.md").read_bytes()
    assert b"owns its own stall detection." in text and b"last-updated: 2026-08-22" in text
    assert (root / ARCHIVED).is_file() and not (root / f".ai-tasks/{TASK}.md").exists()
    assert b"status: pending" in (root / f".ai-tasks/{WAITING}.md").read_bytes()
    assert git(root, "status", "--porcelain") == ""


async def test_a_document_that_the_routing_lacks_is_told_before_it_is_written(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    propose(root, {"fifo.md": b"# Fifo\n"})
    async with seated(root, SIZE) as story:
        await close_out(story)
        story.app.post_message(AskTake(Source("folder")))
        await story.until("2 review 0/2")
        await story.press("t", "a")
        await story.until("| fifo.md | Fifo |")
        await story.press("r", "t")
        await story.until("~ .ai/fifo.md has no row in .ai/index.md")


async def test_a_mixture_writes_what_was_accepted_and_nothing_else(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "r", "a")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
    assert (root / ".ai/design.md").read_bytes() == DESIGN
    assert b"internal/drain" in (root / ".ai/map.md").read_bytes()


async def test_rejecting_all_only_archives(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "r", "r")
        assert "no commit: git carries none of it" in story.told
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
    assert (root / ARCHIVED).is_file()
    assert (root / ".ai/design.md").read_bytes() == DESIGN


async def test_admitted_facts_go_the_whole_way_into_memory(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "r", "r", "r", "t", "a", "t")
        await story.until("file change")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
    assert FACTS[0].encode() in (root / ".ai/design.md").read_bytes()


async def test_what_is_undecided_is_named_and_rejected_only_after_a_yes(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a")
        await accept_the_other_task(story)
        assert "1 hunk is undecided in map.md" in story.told
        await story.press("ctrl+o")
        await story.until("not everything is decided")
        await story.until("1 hunk is undecided in map.md.")
        await story.press("enter")
        await story.until(lambda: "Look again" not in story.text)
        assert not (root / ARCHIVED).exists()
        await story.press("ctrl+o")
        await story.until("not everything is decided")
        await story.press("y")
        await story.until("7 of 7 hold")
    assert (root / ".ai/map.md").read_bytes() == MAP


async def test_an_open_reconciliation_dims_apply_and_a_rejected_one_is_found(
    tmp_path: Path,
) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await story.press("ctrl+o")
        await story.until(f"apply: the reconciliation of {WAITING} is undecided")
        await story.press("enter")
        await story.until("blockers: []")
        await story.press("escape", "r")
        await story.until("✗ rejected")
        await story.press("ctrl+o")
        await story.until("1 of 7 does not hold")
        assert "✗ stale-blocker" in story.text


async def test_a_file_that_changes_after_it_was_planned_dims_apply(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await accept_the_other_task(story)
        (root / "notes.txt").write_text("mine")
        await story.press("f5")
        await story.until("✗ tree-clean: ?? notes.txt")
        await story.press("ctrl+o")
        await story.until("apply: tree-clean: ?? notes.txt")
        assert not (root / ARCHIVED).exists()
        (root / "notes.txt").unlink()
        await story.press("f5")
        await story.until("✓ tree clean apart from the proposal")


async def test_a_failing_hook_shows_its_words_and_can_be_tried_again(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    hook = failing_hook(root)
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("gofmt: exit.go is not formatted")
        await story.until("ctrl+o try again")
        await story.press("u")
        await story.until("undo: it is half applied")
        hook.unlink()
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
    assert git(root, "status", "--porcelain") == ""


async def interrupted(root: Path) -> None:
    """Leave a closeout whose commit failed."""
    hook = failing_hook(root)
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("gofmt: exit.go is not formatted")
    hook.unlink()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_an_interrupted_closeout_comes_before_the_board(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    root = a_root(tmp_path / "r")
    await interrupted(root)
    async with seated(root, size, settled=False) as story:
        await story.until("was interrupted, begun at")
        assert isinstance(story.app.screen, RecoveryScreen)
        assert "› ✓ 1 .ai/design.md" in story.text and "new text is in place" in story.text
        assert "◦ 7 commit" in story.text
        assert "only the commit is left" in story.told
        assert set(cells(story.app)) == {size[0]}
        await story.press("d")
        await story.until("owns its own stall detection.")
        await story.press("escape", "escape")
        await story.until("─ next" if size[0] > 60 else "tasks 1")
        assert git(root, "log", "-1", "--format=%s").strip() == "Memory"


async def test_an_interrupted_closeout_is_finished_and_verified(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    await interrupted(root)
    async with seated(root, SIZE, settled=False) as story:
        await story.until("was interrupted")
        await story.press("f")
        await story.until("7 of 7 hold")
        assert isinstance(story.app.screen, VerifyScreen)
    assert next(documents(root)) == "chore(.ai): absorb barrier-timeouts findings"
    assert git(root, "status", "--porcelain") == ""


async def test_what_a_hook_says_while_a_closeout_is_finished_is_said_once(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    await interrupted(root)
    failing_hook(root)
    async with seated(root, (160, 34), settled=False) as story:
        await story.until("was interrupted")
        await story.press("f")
        await story.until("finish failed: git did not commit: ")
        assert story.told.count("gofmt: exit.go is not formatted") == 1


async def test_an_interrupted_closeout_is_taken_back_byte_for_byte(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    before = {p: p.read_bytes() for p in root.rglob("*.md") if ".git/" not in str(p)}
    await interrupted(root)
    async with seated(root, SIZE, settled=False) as story:
        await story.until("was interrupted")
        await story.press("r")
        await story.until("rolled back, every file is as it was")
        await story.until("barrier-timeouts")
    assert {p: p.read_bytes() for p in root.rglob("*.md") if ".git/" not in str(p)} == before
    assert git(root, "status", "--porcelain") == ""


async def test_a_closeout_is_taken_back_by_a_commit_after_its_files_were_shown(
    tmp_path: Path,
) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
        await story.press("u")
        await story.until("take the closeout back?")
        await story.until("-status: pending")
        await story.press("pagedown")
        await story.until(f"+| {TASK} | completed |")
        await story.press("y")
        await story.until("is taken back, commit")
    assert git(root, "log", "-1", "--format=%s").startswith('Revert "chore(.ai): absorb')
    assert (root / f".ai-tasks/{TASK}.md").is_file() and not (root / ARCHIVED).exists()
    assert b"owns its stall detection." in (root / ".ai/design.md").read_bytes()


async def test_undo_on_the_board_offers_the_closeout_before_what_was_written_earlier(
    tmp_path: Path,
) -> None:
    root = a_root(tmp_path / "r")
    before = (root / ".ai-tasks/index.md").read_bytes()
    async with seated(root, SIZE) as story:
        await story.press("n")
        await story.until("━ new task")
        await story.type("Slugs")
        await story.press("ctrl+o")
        await story.until("━ new task 2026-08-22-slugs")
        await story.press("ctrl+o")
        await story.until("u takes it back")
        await planned(story, "a", "a", "t")
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
        await story.press("f2", "u")
        await story.until("take the closeout back?")
        await story.press("y")
        await story.until("is taken back, commit")
        await story.press("u")
        await story.until("━ undo: new task 2026-08-22-slugs")
        await story.press("ctrl+o")
        await story.until(lambda: (root / ".ai-tasks/index.md").read_bytes() == before)
        await story.press("u")
        await story.until("nothing was written in this session that could be undone")


async def closed_by_an_agent(root: Path) -> None:
    """What an agent leaves that closed the task out itself."""
    (root / ".ai/design.md").write_bytes(NEW)
    (root / f".ai-tasks/{TASK}.md").rename(root / ARCHIVED)
    waiting = root / f".ai-tasks/{WAITING}.md"
    text = waiting.read_bytes().replace(b"status: blocked", b"status: pending")
    waiting.write_bytes(text.replace(f"[{TASK}]".encode(), b"[]"))
    git(root, "commit", "--quiet", "-am", "chore(.ai): absorb barrier-timeouts findings")


async def test_a_task_that_an_agent_archived_is_verified_and_its_commit_reviewed(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    await closed_by_an_agent(root)
    async with seated(root, SIZE) as story:
        story.app.post_message(AskCloseOut(TASK))
        await story.until("2 of 7 do not hold")
        assert "✗ index-row-present" in story.text and "✗ audit-line-missing" in story.text
        assert "2 review 1/1 ✓    3 plan    [4 verify]" in story.rows[1]
        await story.press("T", "T")
        await story.until("owns its own stall")
        await story.press("r", "t")
        await story.until("commit: chore(.ai): revise barrier-timeouts findings")
        await story.press("ctrl+o")
        await story.until(lambda: b"owns its stall" in (root / ".ai/design.md").read_bytes())
        await story.until("7 of 7 hold")
        await story.press("T")
        await story.until("plan: the closeout is done")
        await story.press("u")
        await story.until("take the closeout back?")
        await story.press("y")
        await story.until("is taken back, commit")
        assert b"owns its own stall" in (root / ".ai/design.md").read_bytes()
        assert next(documents(root)).startswith('Revert "chore(.ai): revise')


async def test_a_commit_of_an_agent_that_is_accepted_as_it_is_changes_nothing(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    await closed_by_an_agent(root)
    index = root / ".ai-tasks/index.md"
    index.write_bytes(
        f"# Active\n\n| task | status |\n|---|---|\n| {WAITING} | pending |\n".encode()
    )
    async with seated(root, SIZE) as story:
        story.app.post_message(AskCloseOut(TASK))
        await story.until("1 of 7 does not hold")
        await story.press("T")
        await story.until("0 file changes")
        await story.press("ctrl+o")
        await story.until("apply: nothing changes")


async def test_git_that_is_gone_since_the_plan_was_made_is_named_in_its_words(
    tmp_path: Path,
) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await accept_the_other_task(story)
        (root / ".git").rename(tmp_path / "git")
        await story.press("ctrl+o")
        await story.until("it cannot be committed here: no git repository here")
        await story.until("what was read before stays: fatal: not a git repository")
        assert (root / ".ai/design.md").read_bytes() == DESIGN


async def test_a_step_that_cannot_be_gone_to_is_not_opened_by_a_click(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await planned(story, "a", "a")
        place = story.rows[1].index("verify")
        await story.pilot.click(offset=(place, 1))
        await story.until("verify: nothing is applied yet")
        await story.press("T", "T")
        await story.until("[1 facts")
        await story.pilot.click(offset=(story.rows[1].index("verify"), 1))
        await story.until("verify: nothing is applied yet")
        await story.pilot.click(offset=(story.rows[1].index("plan"), 1))
        await story.until("[3 plan]")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_every_row_of_plan_and_verify_fills_the_terminal(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(a_root(tmp_path / "r"), size) as story:
        await close_out(story)
        story.app.post_message(AskTake(Source("folder")))
        await story.until(lambda: story.app.sitting and story.app.sitting.desk.hunks == 2)
        await story.press("t", "a", "a", "t")
        await story.until("file changes")
        assert set(cells(story.app)) == {size[0]}
        await accept_the_other_task(story)
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
        assert set(cells(story.app)) == {size[0]}
        assert len(story.rows) == size[1]


async def test_another_task_is_edited_from_the_plan_and_planned_anew(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await planned(story, "a", "a")
        await story.press("e")
        await story.until("edit: this is no other task")
        await story.press("G", "e")
        await story.until("edit: region-failover")
        await story.press("escape")
        path = root / f".ai-tasks/{WAITING}.md"
        path.write_bytes(path.read_bytes().replace(b"[" + TASK.encode() + b"]", b"[]"))
        await story.until("✓ tasks reconcile")
        await story.press("G", "a")
        await story.until("✓ accepted")


async def test_in_ascii_every_step_is_ascii(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE, symbols="ascii", theme="ansi") as story:
        await close_out(story)
        await story.until(lambda: story.text.isascii())
        await story.press("n", "n")
        assert story.text.isascii()
        story.app.post_message(AskTake(Source("folder")))
        await story.until("2 review 0/2")
        await story.press("t", "a", "a", "t")
        await story.until("file changes")
        await story.press("G", "a")
        await story.until("v accepted")
        assert story.text.isascii()
        await story.press("ctrl+o")
        await story.until("7 of 7 hold")
        assert story.text.isascii()
