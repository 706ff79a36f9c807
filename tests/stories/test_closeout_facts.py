"""Closing a task out, first step: fact by fact, test by test, and every key is kept at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import TextArea

from mandrel_tui.protocol.admission import Outcome
from mandrel_tui.protocol.desk import Desk
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.state import State
from tests.builders import a_task, review, work
from tests.stories.closing import FACTS, LOG, TASK, TASKS, WAITING, close_out, propose, to_close
from tests.stories.seat import Story, seated
from tests.stories.stage import cells

SIZE = (100, 30)


def desk(story: Story) -> Desk:
    assert story.app.sitting is not None
    return story.app.sitting.desk


def outcomes(story: Story) -> list[str | None]:
    return [item.outcome for item in desk(story).sheet.items]


async def kept(story: Story) -> None:
    """Wait until what is decided lies on disk."""
    draft = Drafts(State.of(story.app.workspace.root))
    await story.until(lambda: draft.load(TASK).value == desk(story).record)


async def test_a_completed_task_opens_on_its_first_open_test(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), (80, 24)) as story:
        assert " x close out  c copy" in story.rows[-1]
        await close_out(story)
        await story.until("facts 1 to 4 of 4")
        assert "[1 facts 0/4]    2 review    3 plan    4 verify" in story.rows[1]
        assert "c s l  outcome ━" in story.rows[2]
        assert story.rows[3].startswith("›  1  e1 Done     Rejected: retry with the same")
        assert "─ fact 1, entry 1, 08-20, 7c1e09aa, line 29 ─" in story.text
        assert " › derivation cost  several files, cross-module reasoning" in story.text
        assert "hint a rejected alternative: prefer to keep" in story.told
        assert "target design.md › Retry" in story.told
        assert "next close out barrier-timeouts: 4 facts are undecided" in story.told


async def test_x_on_a_task_that_is_not_completed_says_why(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await story.until(lambda: story.board.tasks.go(WAITING))
        await story.press("x")
        await story.until("close out: it is blocked: only a completed task is closed out")


async def test_an_answer_goes_on_and_a_fail_settles_the_fact(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "a", "r")
        await story.until("facts 2/4")
        assert "✓ ✓ ✓  keep" in story.rows[3]
        assert "✓ ✗ ◦  drop" in story.rows[4]
        assert story.rows[5].startswith("›  3  ")
        assert "keep 1, drop 1" in story.rows[2]
        assert outcomes(story) == [Outcome.KEEP, Outcome.DROP, None, None]


async def test_a_borderline_fact_that_is_long_asks_for_one_line(tmp_path: Path) -> None:
    long = "The idempotency cache " + "cannot tell executed from confirmed and " * 5 + "stays so."
    task = TASKS[TASK].replace(FACTS[0].encode(), long.encode())
    async with seated(to_close(tmp_path / "r", {**TASKS, TASK: task}), SIZE) as story:
        await close_out(story)
        await story.press("a", "b", "a")
        await story.until("one line: fact 1")
        await story.until("It is kept as one line: at most 160 characters")
        await story.press("a", "b", "r", "k", "e")
        await story.until("your text")
        assert story.app.screen.query_one(TextArea).text == long
        story.app.screen.query_one(TextArea).clear()
        await story.type("cache: executed = confirmed?")
        await story.press("ctrl+o")
        await story.until("facts 1/4")
        assert desk(story).sheet.items[0].text == "cache: executed = confirmed?"
        assert "✓ ~ ✓  one line" in story.rows[3]


async def test_one_line_may_be_worded_later(tmp_path: Path) -> None:
    task = TASKS[TASK].replace(FACTS[0].encode(), b"long " * 40 + b"fact")
    async with seated(to_close(tmp_path / "r", {**TASKS, TASK: task}), SIZE) as story:
        await close_out(story)
        await story.press("b", "a", "a")
        await story.until("one line: fact 1")
        await story.press("n")
        await story.until("─ fact 2,")
        assert outcomes(story)[:2] == [Outcome.ONE_LINE, None]


async def test_the_arrows_choose_the_test_that_is_answered(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("right", "right", "r")
        await story.until("◦ ◦ ✗ drop")
        assert outcomes(story)[0] is Outcome.DROP


async def test_every_key_is_kept_and_leaving_is_free(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "r")
        await kept(story)
        await story.press("escape")
        await story.until("─ next ─")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.until("facts 2/4")
        assert story.rows[5].startswith("›  3  ")


async def test_a_decision_is_taken_back_and_said(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("a", "r")
        await story.until("facts 1/4")
        await story.press("u")
        await story.until("taken back: fact 1, stability: fail")
        assert desk(story).facts_done == 0
        assert "─ fact 1," in story.text
        await story.press("u", "u")
        await story.until("undo: nothing was decided since this was opened")


async def test_undo_goes_back_to_the_fact_and_to_its_first_open_test(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "a", "a", "a")
        await story.until("─ fact 3,")
        await story.press("u")
        await story.until("─ fact 2,")
        await story.until("› leverage")
        await story.press("u", "u")
        await story.until("› derivation cost")
        await story.press("r")
        await story.until("facts 2/4")
        assert outcomes(story) == [Outcome.KEEP, Outcome.DROP, None, None]


async def test_facts_are_split_merged_reworded_and_aimed(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("s")
        await story.until("split: fact 1")
        await story.press("ctrl+o")
        await story.until("facts 0/5")
        assert "Rejected: retry with the same decision id." in desk(story).sheet.items[0].text
        await story.press("m")
        await story.until("facts 1 and 2 merged")
        assert desk(story).sheet.items[0].text.startswith("Rejected: retry with the same")
        await story.press("e")
        await story.until("wording: fact 1")
        await story.press("ctrl+u")
        await story.type("retry: rejected")
        await story.press("ctrl+o")
        await story.until("retry: rejected")
        await story.press("d")
        await story.until("target: fact 1")
        await story.type("fifo")
        await story.press("enter")
        await story.until("target design.md › Fifo")
        await story.press("d", *"new", "enter")
        await story.until("A document below .ai/ that is not there yet")
        await story.press("ctrl+u", *"src/x.md", "enter")
        await story.until("target: it lies outside .ai/")
        await story.press("d", *"new", "enter")
        await story.until("A document below")
        await story.press("enter")
        await story.until("target new.md")


async def test_n_and_p_go_round_the_undecided_facts(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("r", "n")
        await story.until("─ fact 3,")
        await story.press("n", "n")
        await story.until("─ fact 2,")
        await story.press("p")
        await story.until("─ fact 4,")


async def test_enter_offers_the_answers_as_a_menu(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("enter")
        await story.until("fact 1: derivation cost")
        await story.press("down", "down", "enter")
        await story.until("facts 1/4")
        assert outcomes(story)[0] is Outcome.DROP


async def test_a_fact_whose_text_changes_is_open_again_and_named(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "a", "a", "a")
        await story.until("facts 2/4")
        path = root / f".ai-tasks/{TASK}.md"
        path.write_bytes(path.read_bytes().replace(b"wins over a resync", b"loses to a resync"))
        await story.until('open again, since they changed: fact "A step that is already')
        assert desk(story).facts_done == 1
        assert "loses to a resync" in story.text


async def test_a_new_entry_adds_its_facts_under_a_still_cursor(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("r", "r")
        await story.until("─ fact 3,")
        path = root / f".ai-tasks/{TASK}.md"
        entry = review("7c1e09aa-1", "late-1", findings="a late one", date="2026-08-22")
        path.write_bytes(path.read_bytes() + b"\n" + entry.encode() + b"\n")
        await story.until("facts 2/5")
        assert "─ fact 3," in story.text


async def test_the_request_for_a_proposal_is_copied_with_the_admitted_facts(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a", "c")
        await story.until("not copied: terminal: there is no terminal")
        kept = next(Path.home().rglob("kept/*-proposal-*.md")).read_text()
        assert f".ai-tasks/proposals/{TASK}" in kept
        assert f"- {FACTS[0]} (.ai/design.md, Retry)" in kept


async def test_taking_a_split_back_leaves_the_cursor_on_the_fact(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("s")
        await story.until("split: fact 1")
        await story.press("ctrl+end", "enter")
        await story.type("More of it.")
        await story.press("ctrl+o")
        await story.until("facts 0/")
        await story.until("More of it.")
        await story.press("u")
        await story.until("taken back: fact 1 split")
        await story.until("─ fact 1,")


async def test_a_proposal_is_taken_in_from_where_the_person_says(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("i")
        await story.until("take a proposal in")
        await story.until("cannot: no document in ")
        await story.press("down", "down", "enter")
        await story.until("a commit or branch")
        await story.press(*"nowhere", "enter")
        await story.until(lambda: "a commit or branch" in story.text and "no commit" in story.told)
        await story.until("nowhere is no folder, no file and no commit")
        await story.press("escape")
        await story.until(lambda: "a commit or branch" not in story.text)
        propose(root, {"design.md": b"# Design\n\n- all is new\n"})
        await story.press("i")
        await story.until("━ take a proposal in")
        await story.press("enter")
        await story.until("the proposal folder: 1 document, 2 hunks")
        assert desk(story).source.kind == "folder"


async def test_kept_facts_are_left_out_of_a_proposal_only_when_that_is_wanted(
    tmp_path: Path,
) -> None:
    root = to_close(tmp_path / "r")
    propose(root, {"design.md": b"# Design\n\n- all is new\n"})
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("a", "a", "a")
        await story.until(lambda: len(desk(story).sheet.admitted) == 1)
        await story.press("i")
        await story.until("━ take a proposal in")
        await story.until("the proposal folder")
        await story.press("enter")
        await story.until("━ the proposal alone?")
        await story.until("1 kept fact is left out then")
        await story.press("enter")
        await story.until(lambda: "━ the proposal alone?" not in story.text)
        assert desk(story).source.kind == "facts"
        await story.press("i")
        await story.until("━ take a proposal in")
        await story.until("the proposal folder")
        await story.press("enter")
        await story.until("━ the proposal alone?")
        await story.press("y")
        await story.until("the proposal folder: 1 document, 2 hunks")
        assert desk(story).source.kind == "folder"
        await story.press("t", "t")
        await story.until("1 kept fact is in no hunk of the proposal")


async def test_a_log_without_facts_says_what_is_left(tmp_path: Path) -> None:
    bare = a_task(id=TASK, status="completed", est="1/1")
    async with seated(to_close(tmp_path / "r", {TASK: bare}), SIZE) as story:
        await close_out(story)
        await story.until("No facts. t goes to archive only.")
        await story.press("a")
        await story.until("pass: there is no fact")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50), (50, 12)])
async def test_every_row_fills_the_terminal_at_every_size(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with seated(to_close(tmp_path / "r"), size) as story:
        await close_out(story)
        await story.press("a")
        assert set(cells(story.app)) == {size[0]}
        assert len(story.rows) == size[1]


async def test_a_proposal_that_was_asked_for_is_waited_for_and_told(tmp_path: Path) -> None:
    root = to_close(tmp_path / "r")
    async with seated(root, (120, 34)) as story:
        await close_out(story)
        await story.press("c")
        await story.until("not copied")
        await story.press("j")
        await story.until("waiting for .ai-tasks/propo…barrier-timeouts, 0 files")
        propose(root, {"design.md": b"# Design\n\n- all is new\n"})
        await story.until("1 file in the proposal folder, i takes them in")
        await story.press("i", "enter")
        await story.until("2 review 0/2")
        propose(root, {"map.md": b"# Map\n"})
        await story.until("2 review 0/3")


async def test_what_was_typed_comes_back_when_the_dialog_was_left(tmp_path: Path) -> None:
    async with seated(to_close(tmp_path / "r"), SIZE) as story:
        await close_out(story)
        await story.press("e")
        await story.until("wording: fact 1")
        await story.type(" More.")
        await story.press("escape")
        await story.until(lambda: "wording" not in story.text)
        await story.press("e")
        await story.until("separates them. More.")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_test_that_is_asked_stays_in_sight_whatever_the_fact_s_length(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    long = "- " + " and ".join(f"clause number {n} of a long fact" for n in range(40))
    many = "".join(f"\n  - fact {n} of many" for n in range(40))
    log = (work("7c1e09aa-1", done=f"\n  {long}{many}", open="none", next=None), LOG[1])
    name = "2026-08-11-a-name-so-long-that-a-sentence-which-begins-with-it-would-say-nothing-else"
    tasks = {name: a_task(*log, id=name, status="completed", est="3/3")}
    async with seated(to_close(tmp_path / "r", tasks), size) as story:
        await close_out(story, name)
        await story.until("› derivation cost several files")
        assert "clause number 0" in story.told and "leverage does it change" in story.told
        assert "42 facts are u" in story.told
        await story.press("tab", "G")
        await story.until("clause number 39")
        await story.press("a")
        await story.until("› stability")


async def test_two_closeouts_in_two_modes_keep_their_decisions_apart(tmp_path: Path) -> None:
    other = "2026-08-12-other"
    tasks = {**TASKS, other: a_task(*LOG, id=other, status="completed", est="3/3")}
    root = to_close(tmp_path / "r", tasks)
    async with seated(root, SIZE) as story:
        await close_out(story)
        await story.press("r")
        await story.until("facts 1/4")
        await story.press("f3")
        await story.until("━ inbox")
        rows = story.top.items
        rows.go(next(row.key for row in rows.rows if row.item.task == other))
        await story.press("x")
        await story.until("close out other")
        await story.press("r", "r")
        await story.until("facts 2/4")
        await story.press("f2")
        await story.until("close out barrier-timeouts")
        await story.press("r", "r")
        await story.until("facts 3/4")
        draft = Drafts(State.of(root))
        await story.pilot.pause(0.5)
    done = {name: str(draft.load(name).value).count("'fail'") for name in (TASK, other)}
    assert done == {TASK: 3, other: 2}
