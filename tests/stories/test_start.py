"""The first screen: a folder without tasks, and the ways on from it."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from mandrel_tui.ui import places
from mandrel_tui.ui.screens.start import StartScreen
from tests.builders import a_task
from tests.conftest import git
from tests.stories.seat import a_repository, seated


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A committed repository without anything of Mandrel."""
    root = tmp_path / "service"
    root.mkdir()
    (root / "CLAUDE.md").write_bytes(b"x" * 4000)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "First")
    return root


async def test_it_says_what_was_looked_for_and_what_was_found(bare: Path) -> None:
    async with seated(bare, settled=False) as story:
        await story.until("looked for .ai-tasks/ .ai/ .ai-protocol/")
        await story.until("found CLAUDE.md, 1,000 tokens")
        assert "› Curate CLAUDE.md" in story.text
        assert "Set up Mandrel here   shows the file list first" in story.text
        assert not (bare / ".ai-tasks").exists()


async def test_keys_typed_before_it_is_seen_choose_nothing(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, may_look = places.look, Event()

    def slowly(start: Path, *, explicit: bool) -> places.Looked:
        may_look.wait()
        return look(start, explicit=explicit)

    monkeypatch.setattr(places, "look", slowly)
    async with seated(bare, settled=False) as story:
        await story.press("j", "enter")
        may_look.set()
        await story.until("› Curate CLAUDE.md")
        assert "nothing is written yet" not in story.told
        await story.press("j", "enter")
        await story.until("nothing is written yet")


async def test_setting_up_shows_its_files_first_and_then_opens_the_board(bare: Path) -> None:
    async with seated(bare, settled=False) as story:
        await story.until("Set up Mandrel here")
        await story.press("j", "enter")
        await story.until("set up Mandrel here: ")
        await story.until("nothing is written yet")
        await story.until("# Conduct")
        assert not (bare / ".ai-tasks").exists()
        await story.press("ctrl+o")
        await story.until("add the loader block too?")
        assert "Without it a session knows them from its prompt alone." in story.told
        await story.press("f")
        await story.until("files written; commit them, then n drafts the first task")
        await story.until("No active task.")
        assert (bare / ".ai-protocol" / "protocols" / "review.md").is_file()
        assert (bare / "CLAUDE.md").read_bytes() == b"x" * 4000


async def test_setting_up_writes_nothing_until_it_is_confirmed(bare: Path) -> None:
    async with seated(bare, settled=False) as story:
        await story.until("Set up Mandrel here")
        await story.press("ctrl+o")
        await story.until("choose what to set up first")
        await story.press("j", "enter")
        await story.until("nothing is written yet")
        await story.press("ctrl+o")
        await story.until("[ Nothing n ]")
        await story.press("enter", "escape")
        await story.until("looked for")
        assert sorted(p.name for p in bare.iterdir()) == [".git", "CLAUDE.md"]


async def test_when_tasks_appear_the_board_opens(bare: Path) -> None:
    async with seated(bare, settled=False) as story:
        await story.until("when tasks appear here, the board opens")
        (bare / ".ai-tasks").mkdir()
        (bare / ".ai-tasks" / "a.md").write_bytes(a_task(id="a", status="pending", title="New"))
        await story.until("tasks 1")
        await story.until("dev, advancement rule 7")


async def test_the_sample_opens_from_here(bare: Path) -> None:
    async with seated(bare, settled=False) as story:
        await story.until("Open the sample")
        await story.press("j", "j", "enter")
        await story.until("the sample is in")
        await story.until("tasks 9")


async def test_another_folder_opens_from_here(bare: Path, tmp_path: Path) -> None:
    other = a_repository(tmp_path / "other")
    async with seated(bare, settled=False) as story:
        await story.until("Open another folder")
        await story.press("j", "j", "j", "enter")
        await story.until("The folder of a repository:")
        await story.type(str(other))
        await story.press("enter")
        await story.until("tasks 7")


async def test_a_linked_worktree_offers_the_store_of_the_main_checkout(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "main")
    tree = tmp_path / "tree"
    git(root, "worktree", "add", "--quiet", str(tree), "-b", "feature")
    async with seated(tree, settled=False) as story:
        await story.until("a linked worktree of")
        await story.until("7 tasks")
        assert not (tree / ".ai-tasks").exists()
        await story.press("enter")
        await story.until("tasks 7")
        assert story.app.workspace is not None and story.app.workspace.root == root


async def test_inside_a_git_folder_nothing_can_be_set_up(bare: Path) -> None:
    async with seated(bare / ".git", settled=False) as story:
        await story.until("is inside a git folder")
        assert "Set up Mandrel here" not in story.text
        assert isinstance(story.top, StartScreen)


async def test_a_real_deployment_is_never_set_up_again(bare: Path) -> None:
    (bare / ".ai-protocol" / "protocols").mkdir(parents=True)
    (bare / ".ai-protocol" / "protocols" / "conduct.md").write_text("theirs")
    async with seated(bare, settled=False) as story:
        await story.until("Set up Mandrel here")
        await story.press("j", "enter")
        await story.until("nothing is set up: ")
        assert (bare / ".ai-protocol" / "protocols" / "conduct.md").read_text() == "theirs"
