"""Curating a memory file without the rest of Mandrel: what a newcomer can do first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from mandrel_tui.settings import Settings
from mandrel_tui.ui.app import MandrelApp
from mandrel_tui.workspace.curate import open_file
from tests.conftest import ROOT, git
from tests.stories.seat import NOW, Story, a_repository, seated
from tests.stories.stage import cells

TEXT = b"""# Rules

- use pnpm, never npm
- we are currently refactoring auth
- this project uses PostgreSQL 14 with pgbouncer in front of it; prepared
  statements are off because of transaction pooling.

Sessions are stored in Redis.
"""


def a_folder(root: Path, text: bytes = TEXT) -> Path:
    root.mkdir()
    (root / "CLAUDE.md").write_bytes(text)
    git(root, "init", "--quiet")
    return root


@asynccontextmanager
async def curating(root: Path, size: tuple[int, int] = (100, 30)) -> AsyncIterator[Story]:
    """The first screen of a folder without tasks, and its first choice taken."""
    app = MandrelApp(root, explicit=True, settings=Settings(theme="dark"), clock=lambda: NOW)
    async with app.run_test(size=size, notifications=True) as pilot:
        story = Story(app, pilot)
        await story.until("› Curate CLAUDE.md three tests a fact, nothing else")
        await story.press("enter")
        await story.until("curate CLAUDE.md")
        yield story


async def test_the_first_screen_offers_the_memory_file_first(tmp_path: Path) -> None:
    async with curating(a_folder(tmp_path / "r"), (80, 24)) as story:
        assert "[1 facts 0/4]    2 review    3 write" in story.rows[1]
        assert "━ facts 1 to 4 of 4: 56 → 56 tokens ━" in story.rows[2]
        assert story.rows[3].startswith("›  1  line 3    use pnpm, never npm")
        assert "target" not in story.text
        await story.press("d")
        await story.until("target: a file is curated by its own facts alone")


async def test_facts_are_removed_reviewed_and_written(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "r")
    async with curating(root) as story:
        await story.press("a", "a", "a", "r", "n")
        await story.until("✗ ◦ ◦ remove")
        await story.press("t")
        await story.until("why hunk 1: fact 2, line 4")
        await story.press("a", "t")
        await story.until("bytes 225 → 189 (36 fewer) tokens 56 → 47 (9 fewer)")
        await story.press("ctrl+o")
        await story.until("2 facts are undecided.")
        await story.press("y")
        await story.until("wrote CLAUDE.md, 9 tokens fewer; u takes it back; the old text: /")
        await story.until("no tasks here yet")
    assert (root / "CLAUDE.md").read_bytes() == TEXT.replace(
        b"- we are currently refactoring auth\n", b""
    )
    assert open_file(root / "CLAUDE.md").sheet.undecided == (0, 1, 2)


async def written(story: Story) -> None:
    """Remove the first fact and write the file, whatever else is undecided."""
    await story.press("r")
    await story.until("[1 facts 1/4]")
    await story.press("t")
    await story.until("why hunk 1")
    await story.press("a", "t")
    await story.until("ctrl+o write")
    await story.press("ctrl+o")
    await story.until("3 facts are undecided.")
    await story.press("y")
    await story.until("wrote CLAUDE.md")


async def test_a_written_file_is_taken_back_and_its_old_text_is_kept(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    (root / "CLAUDE.md").write_bytes(TEXT)
    async with curating(root) as story:
        await written(story)
        assert b"pnpm" not in (root / "CLAUDE.md").read_bytes()
        said = story.app.results.rows[-1].text
        assert Path(said.partition("the old text: ")[2]).read_bytes() == TEXT
        await story.until("no tasks here yet")
        await story.press("u")
        await story.until("━ undo: curate CLAUDE.md")
        await story.until("+- use pnpm, never npm")
        await story.press("ctrl+o")
        await story.until(lambda: "━ undo: " not in story.text)
        assert (root / "CLAUDE.md").read_bytes() == TEXT
        await story.press("u")
        await story.until("nothing was written in this session that could be undone")


async def test_a_written_file_that_changed_since_is_not_taken_back(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    path = root / "CLAUDE.md"
    path.write_bytes(TEXT)
    async with seated(root) as story:
        await story.press("m")
        await story.until("━ curate a memory file")
        await story.until("› CLAUDE.md")
        await story.press("enter")
        await story.until("[1 facts 0/4]")
        await written(story)
        await story.press("u")
        await story.until("━ undo: curate CLAUDE.md")
        path.write_bytes(b"mine\n")
        await story.press("ctrl+o")
        await story.until("nothing was written: CLAUDE.md changed since it was read")
        await story.until(lambda: "━ undo: " not in story.text)
        await story.press("u")
        await story.until("CLAUDE.md changed since it was written here: u takes nothing back")
        assert path.read_bytes() == b"mine\n"


async def test_a_written_file_says_that_git_has_its_old_text(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "r")
    git(root, "add", "CLAUDE.md")
    git(root, "commit", "--quiet", "--message", "Rules")
    async with curating(root) as story:
        await story.press("n", "r", "t", "a", "t")
        await story.until("[3 write]")
        await story.press("ctrl+o", "y")
        await story.until("tokens fewer; u takes it back; git has the old text")


async def test_a_hunk_tells_its_own_size_beside_that_of_the_file(tmp_path: Path) -> None:
    async with curating(a_folder(tmp_path / "r")) as story:
        await story.until("[1 facts 0/4]")
        await story.press("n", "r", "n", "r", "t")
        await story.until("why hunk 1: fact 2, line 4")
        await story.until("this hunk 9 tokens fewer the file 17 tokens fewer")
        await story.press("n")
        await story.until("this hunk 7 tokens fewer the file 17 tokens fewer")


async def test_nothing_is_written_before_something_is_accepted(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "r")
    async with curating(root) as story:
        await story.press("r", "t", "t")
        await story.until("Nothing of it is accepted: the file stays as it is.")
        await story.press("ctrl+o")
        await story.until("write: nothing of it is accepted")
    assert (root / "CLAUDE.md").read_bytes() == TEXT


async def test_a_curation_is_taken_up_where_it_was_left(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "r")
    async with curating(root) as story:
        await story.press("r", "r")
        await story.until("facts 2/4")
        await story.until(lambda: open_file(root / "CLAUDE.md").sheet.undecided == (2, 3))
    async with curating(root) as story:
        await story.until("facts 2/4")
        assert story.rows[5].startswith("›  3  line 5")


async def test_after_an_outside_change_facts_match_by_text_and_the_rest_is_open(
    tmp_path: Path,
) -> None:
    root = a_folder(tmp_path / "r")
    async with curating(root) as story:
        await story.press("r", "r")
        await story.until("facts 2/4")
        changed = TEXT.replace(b"never npm", b"not npm").replace(b"# Rules", b"# All rules\n\nHi.")
        (root / "CLAUDE.md").write_bytes(changed)
        await story.until('open again, since they changed: fact "use pnpm, never npm"')
        assert "facts 1/5" in story.rows[1]
        await story.press("t")
        await story.until("hunk 1 of 1")
        assert "we are currently refactoring auth" in story.text


async def test_a_file_that_changes_before_it_is_written_is_not_overwritten(
    tmp_path: Path,
) -> None:
    root = a_folder(tmp_path / "r")
    async with curating(root) as story:
        await story.press("r", "r", "r", "r", "t", "A", "t")
        await story.until("bytes 225 →")
        (root / "CLAUDE.md").write_bytes(TEXT + b"- mine\n")
        await story.press("ctrl+o")
        await story.until(lambda: "nothing is written" in story.told or "undecided" in story.told)
    assert (root / "CLAUDE.md").read_bytes() == TEXT + b"- mine\n"


async def test_the_lines_that_load_the_protocol_are_offered_to_nobody_and_stay(
    tmp_path: Path,
) -> None:
    loader = (ROOT / "contracts/templates/loader-claude.md").read_bytes()
    root = a_folder(tmp_path / "r", TEXT + b"\n" + loader)
    async with curating(root) as story:
        assert "[1 facts 0/4]" in story.rows[1]
        await story.press("r", "t", "a", "t", "ctrl+o")
        await story.until("3 facts are undecided.")
        await story.press("y")
        await story.until("wrote CLAUDE.md")
    assert (root / "CLAUDE.md").read_bytes().endswith(b"\n\n" + loader)


async def test_a_file_without_facts_says_so(tmp_path: Path) -> None:
    async with curating(a_folder(tmp_path / "r", b"# Rules\n")) as story:
        await story.until("No facts in CLAUDE.md.")


async def test_line_ends_and_encoding_mark_stay(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r\n")
    root = a_folder(tmp_path / "r", text)
    async with curating(root) as story:
        await story.press("n", "r", "t", "a", "t")
        await story.until("bytes")
        await story.press("ctrl+o")
        await story.until("not everything is decided")
        await story.press("y")
        await story.until("tokens fewer")
    gone = b"- we are currently refactoring auth\r\n"
    assert (root / "CLAUDE.md").read_bytes() == text.replace(gone, b"")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_every_row_fills_the_terminal_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with curating(a_folder(tmp_path / "r"), size) as story:
        for key in ("r", "t", "a", "t"):
            await story.press(key)
            assert set(cells(story.app)) == {size[0]}
            assert len(story.rows) == size[1]


async def test_a_memory_file_is_curated_from_a_board_with_tasks(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / "CLAUDE.md").write_bytes(TEXT)
    async with seated(root) as story:
        await story.press(":", *"curate", "enter")
        await story.until("━ curate a memory file")
        await story.until("› CLAUDE.md")
        assert "another file" in story.text
        await story.press("enter")
        await story.until("[1 facts 0/4]")
        await written(story)
        await story.until(lambda: story.board is story.top)
        await story.press("m")
        await story.until("━ curate a memory file")
        await story.press(*"NOTES")
        await story.until("› another file")
        await story.press("enter")
        await story.until("━ curate ━")
        await story.type("README.md")
        await story.press("enter")
        await story.until("not there")
    assert b"pnpm" not in (root / "CLAUDE.md").read_bytes()


async def test_facts_of_two_sections_are_merged_only_when_that_is_wanted(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "r", b"# Rules\n\n- use pnpm.\n\n# Tests\n\n- Run tests.\n- all\n")
    async with curating(root) as story:
        await story.until("[1 facts 0/3]")
        await story.press("m")
        await story.until("━ merge: facts 1 and 2")
        await story.until("Rules")
        await story.press("n", "m", "y")
        await story.until("[1 facts 0/2]")
        assert "use pnpm. Run tests." in story.text
