"""What holds on every screen: keys, help, palette, actions, going, results, the mouse."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from mandrel_tui.ui import reader
from mandrel_tui.ui.actions import BOARD, PROMPT, START
from mandrel_tui.ui.app import MandrelApp
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.screens.board import BoardScreen
from mandrel_tui.ui.screens.prompt import PromptScreen
from mandrel_tui.ui.screens.start import StartScreen
from mandrel_tui.ui.screens.task import TaskScreen
from mandrel_tui.ui.widgets.bars import KeyRow
from mandrel_tui.ui.widgets.view import View
from tests.builders import a_task
from tests.stories.seat import Story, a_repository, seated

SCREENS = {BoardScreen: BOARD, TaskScreen: BOARD, PromptScreen: PROMPT, StartScreen: START}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda kind: kind.__name__)
def test_every_action_of_a_screen_can_be_done_there(screen: type) -> None:
    for action in DEFAULTS.on(SCREENS[screen]):
        held = (screen, View)
        assert any(hasattr(kind, f"action_{action.name}") for kind in held), action.id


@pytest.mark.parametrize("screen", SCREENS, ids=lambda kind: kind.__name__)
def test_key_row_and_actions_menu_name_actions_of_the_screen(screen: type) -> None:
    known = {action.id for action in DEFAULTS.on(SCREENS[screen])}
    assert {*screen.ROW, *screen.ACTS} <= known


async def test_help_tells_the_keys_of_the_screen_and_why_one_cannot_act(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (80, 40)) as story:
        await story.press("home", "question_mark")
        await story.until("keys: board and task")
        await story.until("cannot: no task is chosen")
        await story.press("escape")
        await story.until("tasks 7")


@pytest.mark.parametrize("small", [(30, 8), (36, 6), (50, 12)])
async def test_a_pane_that_was_hidden_has_the_focus_again_when_it_is_shown(
    tmp_path: Path, small: tuple[int, int]
) -> None:
    async with seated(a_repository(tmp_path / "r"), (80, 24)) as story:
        await story.press("home", "j")
        before = story.board.tasks.key
        await story.pilot.resize_terminal(*small)
        await story.pilot.resize_terminal(80, 24)
        await story.until("━ tasks 7 ━")
        await story.press("j")
        assert story.board.tasks.has_focus and story.board.tasks.key != before


async def test_another_pane_has_the_focus_while_its_pane_is_not_shown(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        story.board.log_view.entries.focus()
        await story.until("━ log")
        await story.pilot.resize_terminal(80, 24)
        await story.until("━ tasks 7 ━")
        await story.pilot.resize_terminal(120, 40)
        await story.until("━ log")
        assert story.board.log_view.entries.has_focus


async def test_help_that_does_not_fit_says_how_much_lies_below(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (80, 24)) as story:
        await story.press("question_mark")
        await story.until(" more below ")
        await story.press("G")
        await story.until(lambda: "more below" not in story.text and "keys: board" in story.text)
        await story.press("home")
        await story.until(" more below ")


async def test_the_palette_does_an_action_by_name(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("f9")
        await story.until("palette")
        await story.type("filter")
        await story.press("enter")
        await story.until("filter and sort")


async def test_the_actions_menu_offers_legal_roles_and_says_why_others_are_not(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r"), (80, 40)) as story:
        story.board.tasks.go("2026-08-21-metrics-labels")
        await story.until("rule 7")
        await story.press("space")
        await story.until("┏━ metrics-labels")
        await story.press("G")
        await _up_to(story, "prompt: review")
        await story.until("cannot: No session has written here yet")
        await _up_to(story, "prompt: dev, advancement")
        await story.press("enter")
        await story.until("prompt: metrics-labels, dev, advancement")


async def _up_to(story: Story, row: str) -> None:
    """Moves up in a menu to the row of that name."""
    for _ in range(20):
        if f"› {row}" in story.text:
            return
        await story.press("k")
    raise AssertionError(f"no row {row} above")


async def test_go_names_places_and_panes(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("g")
        await story.until("1 tasks 2 detail g top")
        await story.press("2")
        await story.until(lambda: story.app.focused is story.board.task_view.task_prose)
        await story.press("g", "1")
        await story.until(lambda: story.app.focused is story.board.tasks)


async def test_results_stay_until_a_key_and_can_be_listed(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("y")
        await story.until("not copied")
        await story.press("j")
        await story.until(lambda: "not copied" not in story.text)
        await story.press("g", "l")
        await story.until("14:31 not copied")


async def test_what_is_wrong_with_the_configuration_is_told_until_a_key(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), theme="velvet") as story:
        await story.until("theme: there is no 'velvet'")
        await story.press("t")
        await story.until(lambda: "velvet" not in story.text)
        await story.press("enter")
        await story.until("claimed by")
        assert "velvet" not in story.text


async def test_a_key_in_the_key_row_is_a_button(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.pilot.click("KeyRow", offset=(story.rows[-1].index("help"), 0))
        await story.until("keys: board")


async def test_under_a_dialog_the_keys_of_the_screen_are_dimmed(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        bar = story.board.query_one(KeyRow)

        def lit() -> bool:
            return any(role != "off" for spot in bar.bar_left for _, role in spot.pieces)

        assert lit()
        await story.press("space")
        await story.until("┏━ barrier-timeouts")
        await story.until(lambda: not lit())
        await story.press("question_mark")
        await story.until("┏━ keys: barrier-timeouts")
        assert "Enter choose" in story.told.replace("  ", " ")
        await story.press("escape", "escape")
        await story.until(lit)


async def test_a_click_selects_and_a_double_click_opens(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        row = next(at for at, text in enumerate(story.rows) if "fifo-drain" in text)
        await story.pilot.click(offset=(10, row))
        await story.until("› 1/3 fifo-drain")
        await story.pilot.click(offset=(10, row), times=2)
        await story.until("━ fifo-drain")


async def test_exactly_one_header_is_heavy_wherever_the_focus_goes(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r"), (120, 40)) as story:
        for _ in range(4):
            await story.pilot.pause(0.05)
            assert sum(text.count("━━━") > 0 for text in story.text.split("│")) == 1
            await story.press("tab")


async def test_escape_never_leaves_the_program_and_q_does(tmp_path: Path) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        await story.press("enter")
        await story.until("━ barrier-timeouts")
        await story.press("q")
        await story.until("tasks 7")
        await story.press("escape", "escape")
        assert story.app.is_running
        await story.press("ctrl+c")
        await story.until("q quits")
        await story.press("q")
        await story.until(lambda: story.app.return_code == 0)


async def test_an_outside_change_is_shown_and_the_cursor_stays(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "r")
    async with seated(root, (120, 40)) as story:
        story.board.tasks.go("2026-08-19-fifo-drain")
        await story.until("rule 7")
        name = "2026-08-19-fifo-drain"
        (root / ".ai-tasks" / f"{name}.md").write_bytes(a_task(id=name, status="pending"))
        await story.until("changed 14:31")
        await story.until("› 1/3 ▰▱▱ fifo-drain")
        assert "pending 2" in story.told


async def test_a_store_that_cannot_be_looked_at_says_stale_and_keeps_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, looks = a_repository(tmp_path / "r"), list[int]()
    monkeypatch.setattr(reader, "AROUND", 0.05)
    monkeypatch.setattr(reader, "marks", lambda workspace: looks.append(0) or frozenset())
    async with seated(root) as story:
        root.rename(tmp_path / "elsewhere")
        await story.until("! stale since")
        seen = len(looks)
        await story.until(lambda: len(looks) > seen + 2)  # it looked around meanwhile
        assert "submit-retry-loop" in story.text
        assert "✓ clean" in story.rows[0] and "no git" not in story.rows[0]
        (tmp_path / "elsewhere").rename(root)
        await story.until(lambda: "stale" not in story.text)


async def test_no_git_is_said_and_is_never_taken_as_clean(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    (root / ".ai-tasks").mkdir(parents=True)
    (root / ".ai-tasks" / "a.md").write_bytes(a_task(id="a", status="pending"))
    async with seated(root) as story:
        assert "no git" in story.rows[0]
        assert "clean" not in story.rows[0]
        await story.until("dev, advancement rule 7")


async def test_five_hundred_tasks_are_rows_and_not_widgets(tmp_path: Path) -> None:
    tasks = {f"t-{n:04}": a_task(id=f"t-{n:04}", status="pending") for n in range(500)}
    root = a_repository(tmp_path / "r", tasks)
    old = root / ".ai-tasks" / "archive"
    for n in range(1000):
        (old / f"old-{n:04}.md").write_bytes(a_task(id=f"old-{n:04}", status="completed"))
    async with seated(root, (120, 40)) as story:
        await story.until("tasks 500")
        widgets = len(story.app.screen.query("*"))
        assert widgets < 60
        await story.press("f", "G", "k", "k", "k", "k", "space", "escape")
        await story.until("tasks 1,501")
        await story.press("G")
        await story.until("› 1/3 ▰▱▱ old-0999")
        assert len(story.app.screen.query("*")) == widgets


async def test_a_screen_that_opens_while_the_program_leaves_changes_no_exit_code(
    tmp_path: Path,
) -> None:
    async with seated(a_repository(tmp_path / "r")) as story:
        story.app.exit(return_code=143)
        story.app.push_screen(BoardScreen(story.app.facts))
        await asyncio.sleep(0.1)
    assert story.app.return_code == 143


async def test_signals_are_obeyed_before_the_terminal_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(MandrelApp, "_obey_signals", lambda app: steps.append("signals"))
    monkeypatch.setattr(MandrelApp, "on_mount", lambda app: steps.append("mounted"))
    start = HeadlessDriver.start_application_mode

    def taken(driver: HeadlessDriver) -> None:
        steps.append("taken")
        start(driver)

    monkeypatch.setattr(HeadlessDriver, "start_application_mode", taken)
    async with seated(a_repository(tmp_path / "r"), settled=False):
        assert steps == ["signals", "taken", "mounted"]
