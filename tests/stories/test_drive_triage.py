"""Triage by keyboard: a form, the exact difference, the write, and taking it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.settings import Settings
from tests.builders import a_task
from tests.stories.seat import TASKS, Story, a_repository, seated
from tests.stories.stage import cells

LABELS = "2026-08-21-metrics-labels"
CACHE = "2026-08-20-idempotency-cache"
NOTES = "2026-08-16-notes-from-standup"
RETRY = "2026-08-17-submit-retry-loop"
NEW = "2026-08-22-workers-end-in-their-turn"
INDEX = (
    "# Active tasks\n\n| Task | Status | Title |\n|---|---|---|\n"
    f"| {LABELS} | pending | Every series carries its region |\n"
)
ROUTING = (
    "| Document | For |\n|---|---|\n| modules.md | which module owns what |\n"
    "| design.md | always |\n"
)


def with_index(root: Path) -> Path:
    """The repository with an index and a routing table."""
    (root / ".ai-tasks/index.md").write_text(INDEX)
    return root


def at(root: Path, name: str) -> Path:
    return root / f".ai-tasks/{name}.md"


async def go(story: Story, name: str) -> None:
    story.board.tasks.go(name)
    await story.until(lambda: story.board.row is not None and story.board.row.name == name)


async def test_a_new_task_is_shown_with_its_row_before_it_is_written_and_undone(
    tmp_path: Path,
) -> None:
    root = with_index(a_repository(tmp_path / "r"))
    async with seated(root, (120, 40)) as story:
        await story.press("n")
        await story.until("━ new task")
        await story.press("ctrl+o")
        await story.until("a task needs a title")
        await story.type("Workers end in their turn")
        await story.press("tab")
        await story.type("Steps leave in order.")
        await story.press("ctrl+o")
        await story.until(f"━ new task {NEW}")
        await story.press("pagedown")
        await story.until("+Steps leave in order.")
        assert not at(root, NEW).exists()
        await story.press("escape")
        await story.until("━ new task ━")
        assert "Workers end in their turn" in story.text
        await story.press("ctrl+o")
        await story.until(f"━ new task {NEW}")
        assert "has a title like it" not in story.text
        await story.press("end")
        await story.until(f"+| {NEW} | pending | Workers end in their turn |")
        await story.press("ctrl+o")
        await story.until("u takes it back: wrote .ai-tasks/")
        assert at(root, NEW).read_text().endswith("\n## Session log\n")
        assert (root / ".ai-tasks/index.md").read_text() == (
            INDEX + f"| {NEW} | pending | Workers end in their turn |\n"
        )
        await story.until(lambda: story.board.tasks.key == NEW)
        await story.press("u")
        await story.until(f"━ undo: new task {NEW}")
        await story.press("ctrl+o")
        await story.until(lambda: not at(root, NEW).exists())
        assert (root / ".ai-tasks/index.md").read_text() == INDEX
        await story.press("u")
        await story.until("nothing was written in this session that could be undone")


async def test_a_draft_of_a_task_outlives_the_form_and_the_program(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await story.press("n")
        await story.until("━ new task")
        await story.type("Half a wish")
        await story.press("escape")
        await story.until("the draft is kept; n goes on")
    async with seated(root) as story:
        await story.press("n")
        await story.until("Half a wish")


async def test_a_title_like_another_and_too_many_sessions_are_said(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await story.press("n")
        await story.until("━ new task")
        await story.type("Every series carries its region")
        await story.press("tab", "tab", "tab", "tab")
        await story.press("ctrl+u")
        await story.type("7")
        await story.press("ctrl+o")
        await story.until(f"~ {LABELS} has a title like it")
        await story.until("~ 7 sessions: over 5 the work is split into tasks")


async def test_prefetch_is_chosen_from_the_routing_without_eager_documents(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai").mkdir()
    (root / ".ai/index.md").write_text(ROUTING)
    (root / ".ai/modules.md").write_text("# Modules\n")
    async with seated(root, (120, 40)) as story:
        await story.press("n")
        await story.until("━ new task")
        await story.type("A wish")
        await story.press(*["tab"] * 5)
        await story.until("[ ] .ai/modules.md which module owns what")
        assert ".ai/design.md" not in story.text
        await story.press("enter")
        await story.until("[x] .ai/modules.md")
        await story.press("ctrl+o")
        await story.until("+prefetch: [.ai/modules.md]")


async def test_a_completed_task_is_not_asked_what_blocks_it(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await go(story, "2026-08-11-barrier-timeouts")
        await story.press("b")
        await story.until("block: it is completed: only its closeout is left")


async def test_an_edit_changes_only_its_bytes_and_the_row(tmp_path: Path) -> None:
    root = with_index(a_repository(tmp_path / "r"))
    before = at(root, LABELS).read_bytes()
    async with seated(root, (120, 40)) as story:
        await go(story, LABELS)
        await story.press("e")
        await story.until("━ edit: metrics-labels")
        await story.press("ctrl+o")
        await story.until("nothing is to be changed")
        await story.press("right", "tab", "ctrl+u")
        await story.type("1/4")
        await story.press("ctrl+o")
        await story.until("+session-est: 1/4")
        assert "-status: pending" in story.text and "+status: in_progress" in story.text
        await story.press("ctrl+o")
        await story.until("u takes it back")
        after = before.replace(b"status: pending", b"status: in_progress")
        assert at(root, LABELS).read_bytes() == after.replace(b"0/3", b"1/4")
        assert "| in_progress |" in (root / ".ai-tasks/index.md").read_text()


async def test_a_value_that_is_none_is_refused_with_what_was_typed_kept(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await go(story, LABELS)
        await story.press("e")
        await story.until("━ edit: metrics-labels")
        await story.press("tab", "ctrl+u")
        await story.type("many")
        await story.press("ctrl+o")
        await story.until("`many` is no estimate")
        assert "session-est many" in " ".join(story.text.split())


async def test_a_file_that_changed_since_it_was_shown_is_not_written(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await go(story, LABELS)
        await story.press("e")
        await story.until("━ edit: metrics-labels")
        await story.press("right", "ctrl+o")
        await story.until("+status: in_progress")
        theirs = a_task(id=LABELS, status="pending", title="Theirs")
        at(root, LABELS).write_bytes(theirs)
        await story.press("ctrl+o")
        await story.until("nothing was written: .ai-tasks/2026-08-21-metrics-labels.md changed")
        assert at(root, LABELS).read_bytes() == theirs


async def test_a_whole_task_is_edited_in_the_persons_editor_and_shown_first(
    tmp_path: Path,
) -> None:
    root, script = a_repository(tmp_path / "r"), tmp_path / "editor"
    script.write_text('#!/bin/sh\nsed -i "s/One thing/One other thing/" "$1"\n')
    script.chmod(0o755)
    async with seated(root, (120, 40)) as story:
        story.app.settings = Settings(editor=str(script))
        await go(story, LABELS)
        await story.press("e")
        await story.until("━ edit: metrics-labels")
        await story.press("ctrl+t")
        await story.until("+- One other thing.")
        assert b"One thing" in at(root, LABELS).read_bytes()
        await story.press("escape")
        await story.until("the edited text is kept as")
        await story.press("e")
        await story.until("━ edit: metrics-labels")
        await story.press("ctrl+t")
        await story.until("+- One other thing.")
        await story.press("ctrl+o")
        await story.until("u takes it back")
        assert b"One other thing" in at(root, LABELS).read_bytes()


async def test_a_task_without_readable_fields_goes_to_the_editor_at_once(tmp_path: Path) -> None:
    root, script = a_repository(tmp_path / "r", {"notes": b"# Notes\n"}), tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf -- "---\\nid: notes\\nstatus: pending\\n---\\n" > "$1"\n')
    script.chmod(0o755)
    async with seated(root, (120, 40)) as story:
        story.app.settings = Settings(editor=str(script))
        await go(story, "notes")
        await story.press("e")
        await story.until("+status: pending")
        await story.press("ctrl+o")
        await story.until("u takes it back")


async def test_without_an_editor_it_says_where_one_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(a_repository(tmp_path / "r", {"notes": b"# Notes\n"})) as story:
        story.app.settings = Settings(editor="")
        await go(story, "notes")
        await story.press("e")
        await story.until("there is no editor: neither $VISUAL nor $EDITOR is set")


async def test_a_task_is_blocked_by_a_question_or_by_another_task(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await go(story, LABELS)
        await story.press("b")
        await story.until("━ block: metrics-labels")
        await story.press("ctrl+o")
        await story.until("say what the task waits for")
        await story.type("Ten, or twenty?")
        await story.press("ctrl+o")
        await story.until("+blockers: [external:Ten, or twenty?]")
        await story.press("ctrl+o")
        await story.until("!answer")
        await go(story, RETRY)
        await story.press("b")
        await story.until("━ block: submit-retry-loop")
        await story.press("tab", "end", "enter", "ctrl+o")
        await story.until(f"+blockers: [{LABELS}]")
        await story.press("ctrl+o")
        await story.until("waits")


async def test_a_freed_task_returns_to_what_it_was(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        await go(story, CACHE)
        await story.press("b")
        await story.until("━ blocked: idempotency-cache")
        await story.press("enter")
        await story.until("━ free: idempotency-cache")
        assert "[x] may the server mark a decision executed?" in story.text
        await story.press("enter", "ctrl+o")
        await story.until("nothing is ticked")
        await story.press("enter", "ctrl+o")
        await story.until("+blockers: []")
        await story.press("ctrl+o")
        await story.until("u takes it back")
        expected = TASKS[CACHE].replace(b"status: blocked", b"status: pending")
        question = b"[external:may the server mark a decision executed?]"
        assert at(root, CACHE).read_bytes() == expected.replace(question, b"[]")


async def test_the_index_is_corrected_one_row_at_a_time_from_the_notes(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai-tasks/index.md").write_text(INDEX + "| gone | pending | Gone |\n")
    async with seated(root, (120, 40)) as story:
        await story.press("end")
        await story.until("What is said of no one task")
        await story.press("e")
        await story.until("━ correct the index")
        await story.until("remove the row of gone, which has no file")
        await story.press("enter")
        await story.until("-| gone | pending | Gone |")
        await story.press("ctrl+o")
        await story.until(lambda: "gone" not in (root / ".ai-tasks/index.md").read_text())
        await story.until("add a row for 2026-08-11-barrier-timeouts")
        await story.press("escape")


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (120, 40)])
async def test_forms_and_differences_fit_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with seated(a_repository(tmp_path / "r"), size) as story:
        await story.press("n")
        await story.until("━ new task")
        assert set(cells(story.app)) == {size[0]}
        box = [row for row in story.rows if set(row) & set("┏┃┗")]
        assert len(box) <= min(18, size[1]) and "┗" in box[-1]
        await story.type("A wish")
        await story.press("ctrl+o")
        await story.until("ctrl+o write")
        assert set(cells(story.app)) == {size[0]}
        box = [row for row in story.rows if set(row) & set("┏┃┗")]
        assert len(box[-1].strip()) == size[0] and len(box) <= size[1]
