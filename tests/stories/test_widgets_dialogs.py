"""Dialogs: a box of at most 60×18 that scrolls inside, focuses what is harmless, answers once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from mandrel_tui.ui.actions import BOARD, EVERYWHERE, LISTS
from mandrel_tui.ui.blank import Blank
from mandrel_tui.ui.keys import DEFAULTS, keymap
from mandrel_tui.ui.line import line
from mandrel_tui.ui.symbols import ASCII
from mandrel_tui.ui.widgets.change import Change
from mandrel_tui.ui.widgets.decision import Decision
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.form import Form
from mandrel_tui.ui.widgets.go import Go
from mandrel_tui.ui.widgets.help import Help, actions, palette
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.picker import Offer, Picker
from mandrel_tui.ui.widgets.rows import RowList
from mandrel_tui.ui.widgets.showing import Showing
from mandrel_tui.ui.widgets.written import Asking, Writing
from tests.stories.stage import Stage, cells, screen

SIZE = (80, 24)
REASON = {"task.prompt": "the task is blocked by a question"}


def why(id: str) -> str:
    return REASON.get(id, "")


async def asked(pilot: Pilot[Any], dialog: Screen[Any]) -> list[Any]:
    """Put a dialog on the screen; the list gets its answer."""
    answers: list[Any] = []
    await pilot.app.push_screen(dialog, answers.append)
    await pilot.pause()
    return answers


def box(app: Stage) -> tuple[int, int]:
    """The width and height of the box on the screen."""
    rows = [text for text in screen(app) if set(text) & set("┏┃┗")]
    return len(rows[0].strip()), len(rows)


def question(words: int = 6) -> Question:
    return Question(
        "copy [/x]: submit-retry-loop",
        [line("The prompt differs from the receipt. " * words)],
        [Choice("copy", "Copy anyway", "c"), Choice("leave", "Leave it")],
        safe="leave",
    )


async def test_a_question_focuses_the_harmless_button() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, question())
        assert "[ Leave it ]" in "".join(screen(app))
        assert "━ copy [/x]: submit-retry-loop ━" in "".join(screen(app))
        await pilot.press("enter")
        assert answers == ["leave"]


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["escape"], None), (["c"], "copy"), (["left", "enter"], "copy"), (["tab", "space"], "copy")],
)
async def test_a_question_is_answered_once(keys: list[str], answer: str | None) -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, question())
        await pilot.press(*keys)
        await pilot.pause()
        assert answers == [answer]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_an_empty_text_is_said_above_it_and_the_keys_stay_on_one_row(
    size: tuple[int, int],
) -> None:
    app = Stage()
    async with app.run_test(size=size, notifications=True) as pilot:
        answers = await asked(pilot, Writing("wording", [line("Words above. " * 90)]))
        rows = screen(app)
        keys = [row for row in rows if "ctrl+o give" in row]
        assert len(keys) == 1 and "Esc keeps the draft" in keys[0]
        assert any("your text, 0 bytes" in r and "empty text gives nothing" in r for r in rows)
        assert box(app) == (60, 18)
        await pilot.press("ctrl+o", "x", "ctrl+o")
        assert answers == ["x"]


@pytest.mark.parametrize(("dialog", "key"), [(lambda: question(), "c"), (lambda: Go(PLACES), "b")])
async def test_keys_that_arrive_after_the_answer_leave_the_screens_below(
    dialog: Callable[[], Screen[Any]], key: str
) -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        below: Screen[None] = Screen()
        await app.push_screen(below)
        answers = await asked(pilot, dialog())
        for _ in range(4):
            app.screen.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        assert app.screen is below
        assert len(answers) == 1


async def test_a_button_is_clicked() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, question())
        row = next(n for n, text in enumerate(screen(app)) if "Copy anyway" in text)
        await pilot.click(offset=(screen(app)[row].index("Copy"), row))
        await pilot.pause()
        assert answers == ["copy"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 16), (40, 8)])
async def test_a_long_dialog_is_at_most_60_by_18_and_scrolls_inside(size: tuple[int, int]) -> None:
    app = Stage()
    async with app.run_test(size=size, notifications=True) as pilot:
        await asked(pilot, question(60))
        width, height = box(app)
        assert width == min(60, size[0])
        assert height == min(18, size[1])
        assert cells(app) == [size[0]] * size[1]
        before = screen(app)
        await pilot.press("down")
        await pilot.pause()
        assert screen(app) != before
        assert "[ Leave it ]" in "".join(screen(app))


@pytest.mark.parametrize("theme", ["dark", "light", "contrast", "ansi", "textual-dark", "nord"])
async def test_dialogs_say_the_same_under_every_theme(theme: str) -> None:
    said: list[list[str]] = []
    for name in (theme, "dark"):
        app = Stage(theme=name)
        async with app.run_test(size=SIZE, notifications=True) as pilot:
            for dialog in (question(), Help("help", sections()), every(), Go(PLACES)):
                await asked(pilot, dialog)
                said.append(screen(app))
                await pilot.press("escape")
                await pilot.pause()
    assert said[:4] == said[4:]


async def test_a_dialog_is_drawn_in_ascii_where_asked() -> None:
    app = Stage(symbols=ASCII)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        for dialog in (question(40), every(), Help("help", sections())):
            await asked(pilot, dialog)
            assert all(text.isascii() for text in screen(app))
            await pilot.press("escape")


def sections(keys: Any = DEFAULTS) -> list[tuple[str, Any]]:
    return [
        ("board", keys.shown([a.id for a in keys.at(BOARD)], why)),
        ("lists", keys.shown([a.id for a in keys.at(LISTS)], why)),
        ("everywhere", keys.shown([a.id for a in keys.at(EVERYWHERE)], why)),
    ]


async def test_help_names_every_key_of_the_screen_and_why_one_cannot_act() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await asked(pilot, Help("help: board", sections()))
        shown = "\n".join(screen(app))
        assert "c            copy          Assemble the next prompt" in shown
        assert "cannot: the task is blocked" in shown
        lines = app.screen.query_one(Lines)
        words = " ".join(row.text for row in lines.lines)
        for action in DEFAULTS.on(BOARD):
            assert action.shown_keys in words
            assert action.help in words or action.id in REASON
        await pilot.press("G")
        await pilot.pause()
        assert "Copy the exact id" in "\n".join(screen(app))


async def test_help_shows_the_keys_in_force() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await asked(pilot, Help("help", sections(keymap({"board.filter": ["F", "f4"]}, "ru"))))
        assert any("F F4 А" in text and "filter" in text for text in screen(app))


@pytest.mark.parametrize("size", [(80, 24), (60, 16), (40, 8)])
async def test_help_and_palette_fit_every_terminal(size: tuple[int, int]) -> None:
    app = Stage()
    async with app.run_test(size=size, notifications=True) as pilot:
        for dialog, most in ((Help("help: board", sections()), 18), (every(), 26)):
            await asked(pilot, dialog)
            width, height = box(app)
            assert width <= min(60, size[0]) and height <= min(most, size[1])
            assert "┗" in "".join(screen(app)) and "┏" in "".join(screen(app))
            assert cells(app) == [size[0]] * size[1]
            await pilot.press("escape")


async def test_escape_leaves_help() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, Help("help", sections()))
        await pilot.press("escape")
        await pilot.pause()
        assert answers == [None]


def every() -> Picker:
    return palette(DEFAULTS.shown([action.id for action in DEFAULTS], why))


async def test_the_palette_finds_an_action_by_its_letters() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, every())
        await pilot.press(*"filt")
        await pilot.pause()
        assert any("› filter" in text and " f " in text for text in screen(app))
        await pilot.press("enter")
        await pilot.pause()
        assert answers == ["board.filter"]


async def test_the_palette_does_not_choose_what_cannot_act_but_says_why() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, every())
        await pilot.press(*"prompt", "enter")
        await pilot.pause()
        assert answers == []
        assert "cannot: the task is blocked by a question" in "\n".join(screen(app))


async def test_arrows_move_in_the_palette_while_typing_and_a_double_click_chooses() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, every())
        await pilot.press("down", "down", "up")
        assert app.screen.query_one(RowList).key == "app.palette"
        row = next(n for n, text in enumerate(screen(app)) if "  reload " in text)
        await pilot.click(offset=(20, row), times=2)
        await pilot.pause()
        assert answers == ["app.reload"]


async def test_nothing_by_a_name_is_said_and_chosen_not() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, every())
        await pilot.press(*"zzzz", "enter")
        await pilot.pause()
        assert "Nothing by that name." in "\n".join(screen(app))
        assert answers == []


async def test_actions_show_legal_ones_first_and_others_under_by_hand() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        keys = DEFAULTS.shown(["task.prompt", "task.copy-prompt"], why)
        by_hand = [Offer("dev", "dev, advancement", reason="it is completed", group="by hand")]
        answers = await asked(pilot, actions("submit-retry-loop", keys, by_hand))
        names = [text.strip(" ┃›")[:8].strip() for text in screen(app) if text.strip(" ┃")]
        assert [name for name in names if name in ("copy", "prompt", "─ by han", "dev, adv")] == [
            "copy",
            "prompt",
            "─ by han",
            "dev, adv",
        ]
        await pilot.press("j", "j")
        await pilot.pause()
        assert "cannot: it is completed" in "\n".join(screen(app))
        await pilot.press("enter", "k", "k", "space")
        await pilot.pause()
        assert answers == ["task.copy-prompt"]


async def test_the_key_beside_an_action_chooses_it_or_shows_why_it_cannot() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        names = ["task.copy-prompt", "task.prompt", "list.copy-id", "text.ok"]
        answers = await asked(pilot, actions("drain", DEFAULTS.shown(names, why)))
        await pilot.press("p")
        await pilot.pause()
        assert answers == []
        assert "cannot: the task is blocked by a question" in "\n".join(screen(app))
        await pilot.press("y")
        await pilot.pause()
        assert answers == ["list.copy-id"]
        again = await asked(pilot, actions("drain", DEFAULTS.shown(names, why)))
        await pilot.press("question_mark")
        await pilot.pause()
        assert "The key beside an entry" in "\n".join(screen(app))
        await pilot.press("escape", "ctrl+o")
        await pilot.pause()
        assert again == ["text.ok"]


async def test_the_cursor_passes_over_the_names_of_groups() -> None:
    offers = [Offer("a", "a", group="one"), Offer("b", "b", group="two")]
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await asked(pilot, Picker("filter", offers))
        rows = app.screen.query_one(RowList)
        assert rows.key == "a"
        await pilot.press("k")
        assert rows.key == "a"
        await pilot.press("j")
        assert rows.key == "b"
        await pilot.press("j", "home")
        assert rows.key == "a"


async def test_switches_are_boxes_and_new_offers_keep_the_cursor() -> None:
    picker = Picker("filter", [Offer("p", "pending", on=True), Offer("b", "blocked", on=False)])
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await asked(pilot, picker)
        await pilot.press("j")
        picker.set_offers([Offer("p", "pending", on=True), Offer("b", "blocked", on=True)])
        await pilot.pause()
        assert any("› [x] blocked" in text for text in screen(app))


async def test_brackets_in_an_offer_are_shown_as_typed() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await asked(pilot, Picker("[/]", [Offer("a", "[b x] [/y]", note="[red]note[/red]")]))
        shown = "\n".join(screen(app))
        assert "[b x] [/y]" in shown and "[red]note[/red]" in shown and "━ [/] ━" in shown


PLACES = [Choice("board", "board", "b"), Choice("1", "tasks", "1"), Choice("top", "top", "g")]


@pytest.mark.parametrize(
    ("key", "answer"), [("b", "board"), ("1", "1"), ("g", "top"), ("escape", None), ("x", None)]
)
async def test_go_takes_one_key(key: str, answer: str | None) -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, Go(PLACES))
        assert screen(app)[-1] == " go  b board  1 tasks  g top"
        await pilot.press(key)
        await pilot.pause()
        assert answers == [answer]


async def test_go_takes_the_letter_of_the_same_physical_key_and_a_click() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, Go(PLACES, keymap({}, "ru").latin))
        await pilot.press("и")
        await pilot.pause()
        clicked = await asked(pilot, Go(PLACES))
        await pilot.click(offset=(screen(app)[-1].index("tasks"), SIZE[1] - 1))
        await pilot.pause()
        assert (answers, clicked) == (["board"], ["1"])


async def test_a_dialog_tells_its_own_keys() -> None:
    app = Stage(keys=keymap({"app.help": ["f1", "h"]}))
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        answers = await asked(pilot, question())
        await pilot.press("h")
        told = " ".join("".join(screen(app)).split())
        assert "━ keys: copy [/x]: submit-retry-loop" in told
        assert "┃ c Copy anyway" in told and "┃ Enter Space press" in told
        assert "┃ Esc leave" in told and "F1 h help" in told
        assert "find" not in told and "Copy selected text" not in told
        await pilot.press("h", "escape", "c")
        assert answers == ["copy"]


async def test_a_form_tells_what_its_keys_do_and_types_a_letter_into_a_field() -> None:
    app = Stage()
    blanks = [Blank("name", "name"), Blank("role", "role", options=("dev", "review"))]
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        form = Form("new task", [line("What it is.")], blanks, verb="show")
        await asked(pilot, form)
        await pilot.press("question_mark")
        assert form.values == {"name": "?", "role": "dev"}
        await pilot.press("f1")
        told = " ".join("".join(screen(app)).split())
        assert "ctrl+o show" in told and "cursor" not in told and "editor" not in told
        await pilot.press("escape", "tab", "question_mark")
        told = " ".join("".join(screen(app)).split())
        assert "← before The option before." in told


async def test_every_dialog_calls_its_keys_by_name() -> None:
    app = Stage()
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        for dialog, said in DIALOGS:
            await asked(pilot, dialog())
            await pilot.press("f1")
            told = " ".join("".join(screen(app)).split())
            assert all(words in told for words in said), told
            await pilot.press("escape", "escape")


DIALOGS: list[tuple[Callable[[], Screen[Any]], tuple[str, ...]]] = [
    (lambda: Writing("w", [], "x", "write"), ("ctrl+o write", "ctrl+t editor")),
    (lambda: Asking("a", [], "x"), ("Esc leave",)),
    (lambda: Change("c", [], ["+a"], {}, verb="apply"), ("ctrl+o apply", "j ↓ down")),
    (lambda: Showing("s", b"x", ways=("adopt",)), ("ctrl+o adopt", "Esc leave")),
    (lambda: Decision("d", lambda cells: [], lambda text: "own", verb="rule"), ("ctrl+o rule",)),
    (lambda: Picker("p", [Offer("a", "A")]), ("Enter choose", "j ↓ down")),
]
