"""Closing a task out, second step: every hunk is decided, old left and new right."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from mandrel_tui.protocol.desk import Source
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Decision, Review
from mandrel_tui.ui.desk_messages import AskTake
from mandrel_tui.ui.screens.review import ReviewScreen
from tests.conftest import git
from tests.stories.closing import DESIGN, INDEX, MAP, MEMORY, close_out, propose, to_close
from tests.stories.seat import Story, seated
from tests.stories.stage import cells

SIZE = (120, 40)
NEW = (
    DESIGN.replace(b"owns its stall detection.", b"owns its own stall detection.").replace(
        b"retries with the same decision id.\n  The server drops the second one.",
        b"returns to the main loop.\n  Rejected: the same decision id again.",
    )
    + b"- A step already in the local fifo wins over a resync.\n"
    + b"- We are currently moving the drain to region 2.\n"
)
FIFO = b"# Fifo\n\n- One queue.\n"
PROPOSED = {"design.md": NEW, "fifo.md": FIFO, "map.md": MAP + b"| `drain` | internal/drain |\n"}


def a_root(root: Path, proposed: dict[str, bytes] | None = None) -> Path:
    """A task to close out, its proposal; the routing names the new document already."""
    to_close(root)
    (root / ".ai/index.md").write_bytes(INDEX + b"| fifo.md | the order of the queue |\n")
    git(root, "commit", "--quiet", "--all", "--message", "Route the fifo")
    propose(root, PROPOSED if proposed is None else proposed)
    return root


async def reviewing(story: Story, source: Source | None = None) -> ReviewScreen:
    """Take the proposal in and go to its review."""
    await close_out(story)
    story.app.post_message(AskTake(source or Source("folder")))
    await story.until(lambda: story.app.sitting and story.app.sitting.desk.source.kind != "facts")
    await story.press("t")
    await story.until(
        lambda: isinstance(story.app.screen, ReviewScreen) and story.app.screen.review
    )
    await story.pilot.pause()
    assert isinstance(story.app.screen, ReviewScreen)
    return story.app.screen


def reviews(story: Story) -> tuple[Review, ...]:
    assert story.app.sitting is not None
    return story.app.sitting.desk.reviews


async def test_the_review_stands_side_by_side_with_what_is_behind_it(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await reviewing(story)
        assert "[2 review 0/5]" in story.rows[1]
        assert story.rows[2].startswith("› design.md ?3   92 → ")
        assert "+ fifo.md ?1" in story.rows[2] and "map.md ?1" in story.rows[2]
        head = git(tmp_path / "r", "rev-parse", "--short=7", "HEAD").strip()
        assert f"━ old: .ai/design.md at {head} ━" in story.rows[3]
        assert "━ new: the proposal folder ━" in story.rows[3] and "3 hunks ━" in story.rows[3]
        assert "┃ ? ┃━ undecided   a accept   r reject   e edit" in story.text
        await story.press("n")
        await story.until("why hunk 2: fact 1, entry 1, 08-20, 7c1e09aa, Done")
        assert "routing no change   map row `submit` names this section" in story.text
        assert "tokens under its limit" in story.text


async def test_a_decision_goes_on_to_the_next_open_hunk_and_document(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        screen = await reviewing(story)
        await story.press("a", "r", "a")
        await story.until("+ fifo.md")
        assert reviews(story)[0].decisions == (ACCEPT, REJECT, ACCEPT)
        assert screen.review is not None and screen.review.document.path == ".ai/fifo.md"
        await story.press("r", "a")
        await story.until("every hunk is decided; t goes to plan")
        assert "[2 review 5/5 ✓]" in story.rows[1]


async def test_a_whole_document_is_decided_at_once_as_far_as_it_is_open(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await reviewing(story)
        await story.press("r", "A")
        await story.until("2 hunks of design.md accepted")
        assert reviews(story)[0].decisions == (REJECT, ACCEPT, ACCEPT)
        await story.press("R")
        await story.until("1 hunk of fifo.md rejected")


async def test_decisions_are_taken_back(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await reviewing(story)
        await story.press("A", "u")
        await story.until("taken back: 3 hunks of design.md accepted")
        assert reviews(story)[0].decisions == (None, None, None)


async def test_what_is_taken_back_is_gone_to(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        screen = await reviewing(story)
        await story.press("n", "r", "N", "N")
        await story.until("━ old: .ai/map.md at ")
        await story.press("u")
        await story.until("taken back: hunk 2 of design.md rejected")
        assert screen.review is not None and screen.review.document.path == ".ai/design.md"
        assert screen.diff.diff_hunk == 1


async def test_a_hunk_is_split_where_its_facts_begin(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await reviewing(story)
        await story.press("s")
        await story.until("split: this hunk is one fact")
        await story.press("p", "s")
        await story.until("hunk 3 of 4")
        await story.press("a", "r")
        assert reviews(story)[0].decisions == (None, None, ACCEPT, REJECT)


async def test_a_hunk_is_edited_and_its_lines_end_as_the_document_s_do(tmp_path: Path) -> None:
    crlf = {name: data.replace(b"\n", b"\r\n") for name, data in PROPOSED.items()}
    memory = {name: data.replace(b"\n", b"\r\n") for name, data in MEMORY.items()}
    root = to_close(tmp_path / "r", memory=memory)
    propose(root, crlf)
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("e")
        await story.until("edit: hunk 1")
        area = story.app.screen.query_one(TextArea)
        assert area.text == "- The module family owns its own stall detection."
        area.load_text("- Mine.\n- And more.")
        await story.press("ctrl+o")
        await story.until("edited")
        assert reviews(story)[0].decisions[0] == Decision(True, b"- Mine.\r\n- And more.\r\n")
        assert "+   9 - Mine." in story.text


@pytest.mark.parametrize(("text", "decision"), [("new", ACCEPT), ("old", REJECT)])
async def test_an_edit_that_gives_one_side_is_that_decision(
    tmp_path: Path, text: str, decision: Decision
) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        await reviewing(story)
        await story.press("e")
        await story.until("edit: hunk 1")
        if text == "old":
            area = story.app.screen.query_one(TextArea)
            area.load_text("- The module family owns its stall detection.")
        await story.press("ctrl+o")
        await story.until(lambda: reviews(story)[0].decisions[0] == decision)


async def test_text_a_terminal_would_obey_is_shown_and_edited_as_pictures(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r", {"design.md": DESIGN + b"- \x1b]0;x\x07[/red]\n"})
    async with seated(root, SIZE) as story:
        await reviewing(story)
        assert "[/red]" in story.text and "\x1b" not in story.text
        await story.press("e")
        await story.until("edit: hunk 1")
        assert "\x1b" not in story.text
        await story.press("ctrl+o")
        await story.until(lambda: reviews(story)[0].decisions == (ACCEPT,))


async def test_a_hunk_out_of_sight_is_shown_before_it_is_decided(tmp_path: Path) -> None:
    many = DESIGN + b"\n".join(b"- fact %d" % n for n in range(200)) + b"\n"
    root = to_close(tmp_path / "r", memory={**MEMORY, ".ai/design.md": many})
    propose(root, {"design.md": many.replace(b"fact 0\n", b"fact zero\n")})
    async with seated(root, SIZE) as story:
        screen = await reviewing(story)
        await story.press("f", "G")
        assert not screen.diff.in_sight
        await story.press("a")
        await story.until("hunk 1 was out of sight; press again")
        assert reviews(story)[0].open
        await story.press("a")
        await story.until(lambda: not reviews(story)[0].open)


async def test_crossing_100_columns_keeps_hunk_and_decisions(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        screen = await reviewing(story)
        await story.press("a", "r")
        await story.pilot.resize_terminal(80, 24)
        await story.until("━ hunk 3 of 3, undecided ━")
        assert screen.diff.diff_hunk == 2
        assert set(cells(story.app)) == {80}
        await story.press("o")
        await story.until("layout: side by side needs 100 columns")
        await story.pilot.resize_terminal(120, 40)
        await story.until("┃ ? ┃━ undecided")
        assert "│ ✗ │" in story.text
        await story.press("o")
        await story.until("━ hunk 3 of 3, undecided ━")


async def test_documents_are_gone_through_and_listed(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE) as story:
        screen = await reviewing(story)
        await story.press("N")
        await story.until("━ old: .ai/fifo.md is not there ━")
        await story.press("P", "P")
        await story.until("━ old: .ai/map.md at ")
        await story.press("d")
        await story.until("documents")
        await story.press("up", "up", "enter")
        await story.until("━ old: .ai/design.md at ")
        await story.pilot.resize_terminal(200, 50)
        await story.until("─ documents 3 ─")
        assert screen.documents.key == ".ai/design.md"


async def test_a_base_that_moves_opens_its_hunks_again_and_names_them(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("a", "a", "a")
        await story.until(lambda: not reviews(story)[0].open)
        moved = DESIGN.replace(b"owns its stall detection", b"owns stall detection")
        (root / ".ai/design.md").write_bytes(moved)
        await story.until("open again, since they changed: 1 of .ai/design.md")
        assert reviews(story)[0].decisions == (None, ACCEPT, ACCEPT)
        await story.press("P")
        await story.until("- The module family owns stall detection.")
        assert "━ old: .ai/design.md as it is here ━" in story.rows[3]


async def test_a_proposal_that_cannot_be_read_any_more_is_named_and_stays(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("a")
        (wrong,) = root.glob(".ai-tasks/proposals/*/fifo.md")
        wrong.unlink()
        wrong.symlink_to(root / ".ai/map.md")
        await story.until("what was read before stays: ")
        assert reviews(story)[0].decisions[0] is ACCEPT and len(reviews(story)) == 3
        wrong.unlink()
        await story.until(lambda: len(reviews(story)) == 2)


async def test_decisions_are_taken_back_after_a_base_moved(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("a", "r")
        await story.until("review 2/5")
        moved = DESIGN.replace(b"owns its stall detection", b"owns stall detection")
        (root / ".ai/design.md").write_bytes(moved)
        await story.until("open again, since they changed: 1 of .ai/design.md")
        await story.press("u")
        await story.until("taken back: hunk 2 of design.md rejected")
        assert reviews(story)[0].decisions == (None, None, None)
        await story.press("u")
        await story.until("undo: what was decided is open again already")


async def test_the_edits_of_the_working_tree_are_reviewed_like_a_proposal(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    (root / ".ai/design.md").write_bytes(NEW)
    async with seated(root, SIZE) as story:
        await reviewing(story, Source("worktree"))
        assert "━ new: the edits of the working tree ━" in story.rows[3]
        assert "92 → " in story.rows[2]


async def test_a_commit_elsewhere_is_reviewed_like_a_proposal(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    git(root, "switch", "--quiet", "-c", "memory")
    (root / ".ai/design.md").write_bytes(NEW)
    git(root, "commit", "--quiet", "-am", "Memory")
    git(root, "switch", "--quiet", "main")
    async with seated(root, SIZE) as story:
        await reviewing(story, Source("revision", "memory"))
        assert "━ new: memory (" in story.rows[3]


async def test_a_reply_with_one_diff_is_reviewed_and_one_that_does_not_apply_is_refused(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    (root / ".ai/design.md").write_bytes(NEW)
    diff = git(root, "diff")
    git(root, "checkout", "--quiet", ".")
    async with seated(root, SIZE) as story:
        await reviewing(story, Source("diff", f"Here it is:\n\n```diff\n{diff}```\n"))
        assert "━ new: a diff ━" in story.rows[3]
        story.app.post_message(AskTake(Source("diff", diff.replace("owns its stall", "owned"))))
        await story.until("a diff is not taken")
        assert len(reviews(story)) == 1


async def test_a_document_over_its_limit_becomes_a_folder_under_the_same_review(
    tmp_path: Path,
) -> None:
    large = DESIGN + b"\n## Queues\n\n" + b"- A queue keeps the order of what it was given.\n" * 300
    root = to_close(tmp_path / "r", memory={**MEMORY, ".ai/design.md": large})
    propose(root, {"design.md": large + b"- One more.\n"})
    async with seated(root, SIZE) as story:
        screen = await reviewing(story)
        await story.press("a")
        await story.until("over its limit; U: folder")
        await story.press("U")
        await story.until("design.md as a folder")
        assert "[x] Queues" in story.text and "[ ] Retry" in story.text
        await story.press("up", "up", "space", "end", "enter")
        await story.until("design.md becomes a folder, 2 sections of it documents")
        await story.until("it becomes .ai/design/index.md; now it is .ai/design.md")
        paths = [review.document.path for review in reviews(story)]
        assert sorted(paths) == [
            ".ai/design/fifo.md",
            ".ai/design/index.md",
            ".ai/design/queues.md",
            ".ai/index.md",
            ".ai/map.md",
        ]
        await story.press("u")
        await story.until("taken back: .ai/design.md becomes a folder")
        assert [r.decisions for r in reviews(story)] == [(ACCEPT,)]
        await story.press("U", "enter")
        await story.until("design.md becomes a folder, 1 section")
        for _ in reviews(story):
            await story.press("A")
        await story.until("[2 review 5/5 ✓]")
        await story.press("t")
        await story.until("+ .ai/design/queues.md")
        await story.press("end", "up", "a", "ctrl+o")
        await story.until("7 of 7 hold")
    assert not (root / ".ai/design.md").exists()
    assert b"- One more.\n" in (root / ".ai/design/queues.md").read_bytes()
    assert b"design/index.md" in (root / ".ai/index.md").read_bytes()
    assert screen.desk.folders == {".ai/design.md": ("Queues",)}


async def test_what_has_no_folder_form_says_so(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    propose(root, {"map.md": MAP + b"| `x` | y |\n"})
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("U")
        await story.until("folder: .ai/map.md has no folder form")


async def test_a_proposal_that_changes_nothing_says_so(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r", {"design.md": DESIGN})
    async with seated(root, SIZE) as story:
        await close_out(story)
        story.app.post_message(AskTake(Source("folder")))
        await story.until("the proposal folder: 0 documents, 0 hunks")
        await story.press("t")
        await story.until("The proposal changes nothing. t goes to archive only.")
        await story.press("a")
        await story.until("accept: there is nothing to review")


async def test_admitted_facts_are_reviewed_where_they_were_put(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "t")
        await story.until("━ new: from 1 admitted fact ━")
        assert "+  16 - Rejected: retry with the same decision id." in story.text
        await story.until("why hunk 1: fact 1")
        await story.press("a", "T")
        await story.until("1 facts 1/4")


async def test_decisions_survive_a_restart(tmp_path: Path) -> None:
    root = a_root(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await reviewing(story)
        await story.press("p", "s", "a", "n", "n", "r")
        await story.until("[2 review 2/6]")
        before = reviews(story)
        await story.pilot.pause(0.3)
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.until("2 review 2/6")
        assert reviews(story) == before


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (99, 30), (120, 40), (200, 50), (50, 12)])
async def test_every_row_fills_the_terminal_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(a_root(tmp_path / "r"), size) as story:
        await reviewing(story)
        await story.press("a", "r")
        assert set(cells(story.app)) == {size[0]}
        assert len(story.rows) == size[1]


async def test_in_ascii_every_row_is_ascii(tmp_path: Path) -> None:
    async with seated(a_root(tmp_path / "r"), SIZE, symbols="ascii", theme="ansi") as story:
        await reviewing(story)
        await story.press("a", "r")
        assert story.text.isascii()
        assert "| v |" in story.text and "| x |" in story.text
