"""The board: what is next, for every task, as a person sees it."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from mandrel_tui.protocol.board import Board
from mandrel_tui.settings import Settings
from mandrel_tui.ui.app import MandrelApp
from mandrel_tui.workspace.workspace import Workspace
from tests.builders import a_task
from tests.stories.seat import NOW, TASKS, Story, a_repository, seated
from tests.stories.stage import cells


async def test_the_board_says_what_is_next_and_what_copying_would_do(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "ledger-sync")) as story:
        await story.press("j", "j")
        await story.until("review, final gate rule 4")
        await story.until("You owe nothing. c copies")
        assert story.rows[0].startswith(" ledger-sync  main ")
        assert "inbox 4" in story.rows[0]
        assert story.rows[1].startswith("━ tasks 7 ━")
        assert "› 2/2 submit-retry-loop       gate" in story.text
        assert "Submit stops spinning on a failed apply" in story.told


async def test_the_cursor_begins_where_you_owe_something(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        assert "› 3/3 barrier-timeouts       !close" in story.text


async def test_keys_typed_before_the_board_is_read_act_on_the_board_as_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, may_read = Workspace.board, Event()

    def slowly(workspace: Workspace, **named: Any) -> Board:
        may_read.wait()
        return read(workspace, **named)

    monkeypatch.setattr(Workspace, "board", slowly)
    async with seated(a_repository(tmp_path / "r"), settled=False) as story:
        await story.press("home", "j", "j", "j", "p")
        await story.until("reading")
        may_read.set()
        await story.until("prompt: submit-retry-loop")


async def test_what_leaves_does_not_wait_for_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_read = Event()
    monkeypatch.setattr(Workspace, "board", lambda workspace, **named: may_read.wait())
    async with seated(a_repository(tmp_path / "r"), settled=False) as story:
        await story.press("j", "x")
        await story.until("reading")
        await story.press("q")
        await story.until(lambda: story.app.return_code == 0)
        may_read.set()


async def test_the_next_start_begins_with_the_task_used_last(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await story.press("G", "k", "k", "enter")
        await story.until("━ metrics-labels")
        await story.until(lambda: not story.app.workers._workers or _kept(story))
    async with seated(root) as story:
        await story.until("› 0/3 metrics-labels")


def _kept(story: object) -> bool:
    return any(Path.home().rglob("place.json"))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (170, 50), (61, 20), (50, 12)])
async def test_every_row_fills_the_terminal_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    tasks = {
        **TASKS,
        "2026-06-01-把重试循环改为先返回主循环再由停滞分支处理": a_task(title="宽" * 60),
    }
    async with seated(a_repository(tmp_path / "r", tasks), size) as story:
        await story.press("G")
        await story.until(lambda: story.board.row is not None)
        assert set(cells(story.app)) == {size[0]}
        assert len(story.rows) == size[1]


async def test_under_24_rows_every_task_has_a_mark_and_the_header_counts(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (60, 20)) as story:
        assert "✓1 ◕1 ◔2 ⊘1 ◦1 !1" in story.rows[1]
        assert "› ✓ 3/3 barrier-timeouts" in story.text
        await story.until("close out rule 1")


async def test_a_small_terminal_shows_the_card_alone_and_a_smaller_one_a_sentence(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r"), (50, 12)) as story:
        await story.until("next: barrier-timeouts")
        await story.press("j")
        await story.until("next: submit-retry-loop")
        await story.pilot.resize_terminal(36, 6)
        await story.until("36×6 is too small. 40×8 shows the next card.")
        await story.pilot.resize_terminal(80, 24)
        await story.until("› 2/2 submit-retry-loop")


async def test_a_wide_board_adds_bar_and_age_and_a_tall_one_the_log(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await story.press("j", "j")
        await story.until("─ log 6")
        assert "2/2 ▰▰   submit-retry-loop          gate     2h" in story.text
        assert "group 2fd0713c   w1 ── ✗2 ── w3 ── ✓4" in story.text
        assert "4/3 ▰▰▰! stall-detection" in story.text


async def test_an_invalid_task_shows_its_diagnostics_and_turns_nothing(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("G")
        await story.until("The front matter is never closed")
        await story.until("✗ 1")
        assert "[flags " in story.text
        await story.press("c")
        await story.until("nothing is copied")


async def test_an_empty_board_says_so_and_how_to_see_archived_tasks(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r", {})) as story:
        await story.until("No active task. n new task, f show archived.")
        await story.press("f", "G", "k", "k", "k", "k", "space", "escape")
        await story.until("archived 1")
        await story.until("Nothing is next: its work is done.")
        await story.until("Long done")


async def test_the_first_task_that_appears_is_the_one_in_hand(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r", {})
    async with seated(root) as story:
        (root / ".ai-tasks" / "new.md").write_bytes(a_task(id="new", status="pending"))
        await story.until("tasks 1")
        await story.until("dev, advancement")
        assert story.board.tasks.key == "new"


async def test_the_card_says_when_a_row_is_a_heading(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("home")
        await story.until("heading of completed 1 task, 1 waiting for you. Enter folds them.")
        await story.press("enter")
        await story.until("Enter unfolds them.")
        await story.press("c")
        await story.until("copy: no task is chosen")


async def test_of_a_heading_no_tab_of_a_task_says_anything(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        await story.press("t")
        await story.until("[flags 1]")
        await story.press("home")
        await story.until("heading of completed")
        await story.until("─ [task] ─")
        assert "Nothing is wrong" not in story.told
        assert "No session has written here yet." not in story.told
        await story.press("j")
        await story.until("[flags 1]")


async def test_a_filter_that_does_not_fit_says_how_much_lies_below(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (60, 20)) as story:
        await story.press("f")
        await story.until("2 more below")
        assert "┃  ─ only these" in story.text  # no row to choose, without colours too
        await story.press("G")
        await story.until("[ ] estimate")
        assert "more below" not in story.text
        await story.pilot.resize_terminal(80, 40)
        await story.press("home")
        await story.until("show all active tasks")
        assert "more below" not in story.text


async def test_several_faults_in_the_settings_are_counted_and_listed(tmp_path: Path) -> None:
    faults = ("settings.toml, theme: no such", "settings.toml, symbols: no such")
    root, settings = a_repository(tmp_path / "r"), Settings(symbols="unicode", faults=faults)
    app = MandrelApp(root, explicit=True, settings=settings, clock=lambda: NOW)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        story = Story(app, pilot)
        await story.until(f"2 faults in the settings, g l lists them: {faults[0]}"[:70])
        await story.press("g", "l")
        await story.until(faults[1])
        assert faults[0] in story.told


async def test_one_fault_in_the_settings_says_where_all_of_it_stands(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    fault = "settings.toml: Illegal character (at line 1, column 10); the defaults are used"
    settings = Settings(symbols="unicode", faults=(fault,))
    app = MandrelApp(root, explicit=True, settings=settings, clock=lambda: NOW)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        story = Story(app, pilot)
        await story.until("1 fault in the settings, g l shows it: settings.toml: Illegal")
        await story.press("g", "l")
        await story.until("the defaults are used")


async def test_an_agent_and_a_launcher_there_are_not_are_told_at_the_start(tmp_path: Path) -> None:
    chosen = {"symbols": "unicode", "agent": "nobody", "launchers": {"mine": {"opens": []}}}
    root = a_repository(tmp_path / "r")
    app = MandrelApp(root, explicit=True, settings=Settings(**chosen), clock=lambda: NOW)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        story = Story(app, pilot)
        await story.until("faults in the settings, g l lists them: launchers.mine.")
        await story.until("tasks 7")
        await story.press("g", "l")
        await story.until("agent: there is no 'nobody'; there are claude")


async def test_owed_by_you_narrows_the_board(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f")
        await story.until("owed by you")
        await story.press(*"jjjjjjj", "enter", "escape")
        await story.until("tasks 4 of 7, owed by you")
        assert "metrics-labels" not in story.text


async def test_a_find_narrows_the_list_and_says_how_far(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("slash")
        await story.type("drain")
        await story.until("tasks 1 of 7 /drain")
        assert "› 1/3 fifo-drain" in story.text
        await story.press("enter", "escape")
        await story.until("━ tasks 7")


async def test_a_find_in_a_narrowed_list_names_the_list(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f")
        await story.until("filter and sort")
        await story.press("enter", "escape")
        await story.until("tasks 1 of 7, completed")
        await story.press("slash")
        await story.type("sta")
        await story.until("━ tasks 0 of 1 /sta")


async def test_a_folded_group_stays_folded_when_the_board_is_read_again(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root) as story:
        await story.press("left")
        await story.until(lambda: "barrier-timeouts" not in story.board.tasks.rows[0].key)
        (root / ".ai-tasks" / "new.md").write_bytes(a_task(id="new", status="pending"))
        await story.until("tasks 8")
        assert "3/3 barrier-timeouts" not in story.text


async def test_brackets_escapes_and_markup_are_shown_as_typed(tmp_path: Path) -> None:
    titles = ["Handle [/] in paths", "[red]not red[/red] and [bold", "[@click=app.quit]press me[/]"]
    tasks = {
        f"b-{at}": a_task(
            id=f"b-{at}", title=title, status="blocked", blockers=f"[external:{title}]"
        )
        for at, title in enumerate(titles)
    }
    tasks["esc"] = a_task(id="esc", title="\x1b]52;c;aGk=\x07 \x1b[2J \x9b31m", status="pending")
    async with seated(a_repository(tmp_path / "r", tasks), (120, 40)) as story:
        for title in titles:
            await story.until(title)
            await story.press("j")
        await story.press("j", "j")
        await story.until("␛]52;c;aGk=␇")
        assert "\x1b" not in story.text


async def test_notes_on_the_folder_are_a_row_at_the_end(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    (root / ".ai-tasks" / "near.MD").write_bytes(a_task())
    async with seated(root) as story:
        await story.press("G")
        await story.until("1 note on the folder and its index")
        await story.until("not-read")
        await story.press("enter")
        await story.until(lambda: story.app.focused is story.board.notes.flags)


async def test_nothing_but_ascii_is_drawn_with_ascii_symbols(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40), symbols="ascii") as story:
        await story.until("c copies")
        assert story.text.isascii(), [c for c in story.text if not c.isascii()]


async def test_a_pane_can_be_shown_alone(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("tab", "z")
        await story.until(lambda: "tasks 7" not in story.text)
        assert "[task]" in story.text
        await story.press("escape")
        await story.until("tasks 7")
