"""The diff: one hunk in hand, its place kept through decisions, reloads and other widths."""

from __future__ import annotations

from textual.pilot import Pilot

from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Document, Review
from mandrel_tui.ui.keys import Key
from mandrel_tui.ui.widgets.diff import Diff
from mandrel_tui.ui.widgets.diff_header import DiffHeader
from mandrel_tui.ui.widgets.pane import Pane
from tests.stories.stage import Stage, cells, screen, styles

OLD = "".join(f"- fact {n}, as it was found.\n" for n in range(1, 61))
NEW = (
    OLD.replace("fact 5,", "fact five,")
    .replace("- fact 30, as it was found.\n", "- fact 30, as it was found.\n- an added fact.\n")
    .replace("fact 55,", "fact fifty-five,")
)


def a_review(old: str = OLD, new: str = NEW) -> Review:
    return Review.of(Document(".ai/design.md", old.encode(), new.encode()))


def staged(diff: Diff, **options: object) -> Stage:
    header = DiffHeader(diff, "design.md")
    header.set_sides(".ai/design.md at 4f21c9a", "proposal of 10:14")
    return Stage(Pane(header, diff, classes="pane"), hear=[Diff.Moved], **options)


async def shown(pilot: Pilot[None], diff: Diff, review: Review, hunk: int | None = None) -> None:
    diff.focus()
    diff.show_review(review, hunk=hunk)
    await pilot.pause()


def row_of(app: Stage, text: str) -> int:
    return next(at for at, row in enumerate(screen(app)) if text in row)


async def test_the_sides_stand_beside_each_other_from_100_columns_and_stacked_below() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 1)
        assert screen(app)[0].startswith("━ old: .ai/design.md at 4f21c9a ━")
        assert "┯━━━┯━ new: proposal of 10:14 ━" in screen(app)[0]
        await pilot.resize_terminal(99, 30)
        await pilot.pause()
        assert screen(app)[0].startswith("━ design.md ━")
        assert any(row.startswith("━ hunk 2 of 3, undecided ━") for row in screen(app))
        assert set(cells(app)) == {99}


async def test_crossing_100_columns_keeps_the_hunk_on_its_row() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 20), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 1)
        before = row_of(app, "hunk 2 of 3")
        for width in (80, 120, 60):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert row_of(app, "hunk 2 of 3") == before
            assert diff.diff_hunk == 1


async def test_a_decision_moves_nothing_but_the_marks() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 20), notifications=True) as pilot:
        review = a_review()
        await shown(pilot, diff, review, 1)
        before = screen(app)
        await shown(pilot, diff, review.decide(1, REJECT))
        first, end = row_of(app, "hunk 2 of 3"), row_of(app, "an added fact") + 1
        was = "\n".join(before[first:end]).replace("?", "✗").replace("undecided ", "rejected ━")
        assert screen(app) == [*before[:first], *was.split("\n"), *before[end:]]
        assert "┃ ✗ ┃+  31 - an added fact." in "\n".join(screen(app))


async def test_the_losing_side_turns_quiet_and_changed_words_are_tinted_and_bold() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 20), notifications=True) as pilot:
        review = a_review()
        await shown(pilot, diff, review, 0)
        style = styles(app, row_of(app, "fact five"))
        assert style("five").bold and style("five").bgcolor.name == "#22532f"
        assert style(", as it was").bgcolor.name in ("#17301f", "#3a1f22")
        await shown(pilot, diff, review.decide(0, ACCEPT))
        style = styles(app, row_of(app, "fact five"))
        assert style("- fact 5, as").color.name == "#9fa9b6"
        assert style("five").bold


async def test_in_ansi_only_marks_have_colour_and_changed_words_are_underlined() -> None:
    diff = Diff()
    app = staged(diff, theme="ansi", ansi_color=True)
    async with app.run_test(size=(120, 20), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 0)
        style = styles(app, row_of(app, "fact five"))
        assert style("five").underline and style("five").bold
        assert style("five").color is None or style("five").color.is_default
        assert style("+").color.name == "green"


async def test_scrolling_takes_the_hunk_in_sight_in_hand() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 12), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 0)
        diff.toggle_whole()
        await pilot.press("G")
        assert diff.diff_hunk == 2
        assert app.heard[-1].hunk == 2
        await pilot.press("home")
        assert diff.diff_hunk == 0


async def test_a_hunk_that_is_out_of_sight_is_known_to_be() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 8), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 0)
        diff.toggle_whole()
        diff.go_hunk(0)
        assert diff.in_sight
        await pilot.press("2", "0", "j")
        assert not diff.in_sight
        diff.show_hunk()
        assert diff.in_sight


async def test_the_whole_document_unfolds_around_the_hunk_in_hand() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 20), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 1)
        assert "unchanged lines" in "\n".join(screen(app))
        before = row_of(app, "hunk 2 of 3")
        diff.toggle_whole()
        await pilot.pause()
        assert "unchanged lines" not in "\n".join(screen(app))
        assert row_of(app, "hunk 2 of 3") == before


async def test_a_reload_keeps_the_hunk_in_hand_by_its_text() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 14), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 1)
        before = row_of(app, "an added fact")
        base = "- a line above all others.\n" * 9 + OLD
        proposal = "- a line above all others.\n" * 9 + NEW.replace("fact five,", "fact 5,")
        await shown(pilot, diff, a_review(base, proposal))
        assert diff.diff_hunk == 0
        assert row_of(app, "an added fact") == before
        assert diff.diff_review is not None
        assert diff.diff_review.hunks[diff.diff_hunk].new == (b"- an added fact.\n",)


async def test_long_lines_wrap_or_pan() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 12), notifications=True) as pilot:
        await shown(pilot, diff, a_review("- short\n", "- short " + "and long " * 20 + "end\n"), 0)
        assert sum("↳" in row for row in screen(app)) == 3
        assert "end" in "\n".join(screen(app))
        diff.toggle_wrap()
        await pilot.pause()
        text = "\n".join(screen(app))
        assert "↳" not in text and "…" in text
        await pilot.press(*["right"] * 20)
        assert "end" in "\n".join(screen(app))


async def test_the_head_of_the_hunk_in_hand_shows_its_keys_as_far_as_there_is_room() -> None:
    diff = Diff()
    keys = [Key("a", "a", "accept"), Key("r", "r", "reject"), Key("e", "e", "edit")]
    app = staged(diff)
    async with app.run_test(size=(120, 12), notifications=True) as pilot:
        diff.set_hints(keys)
        await shown(pilot, diff, a_review(), 0)
        assert "━ undecided   a accept   r reject   e edit ━" in "\n".join(screen(app))
        await pilot.resize_terminal(50, 12)
        await pilot.pause()
        assert "━ hunk 1 of 3, undecided ━━━ a accept  r reject ━" in "\n".join(screen(app))


async def test_a_click_takes_a_hunk_in_hand_and_a_double_click_opens_it() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 30), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 0)
        await pilot.click(diff, offset=(70, row_of(app, "an added fact") - 1))
        assert diff.diff_hunk == 1
        await pilot.click(diff, offset=(70, row_of(app, "fifty-five") - 1), times=2)
        assert isinstance(app.heard[-1], Diff.Opened) and app.heard[-1].hunk == 2


async def test_a_find_goes_through_both_sides() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(120, 12), notifications=True) as pilot:
        await shown(pilot, diff, a_review(), 0)
        await pilot.press("/", *"fifty", "enter")
        assert "fact fifty-five" in "\n".join(screen(app))
        assert "/fifty" in screen(app)[0]


async def test_nothing_to_decide_is_one_sentence() -> None:
    diff = Diff()
    app = staged(diff)
    async with app.run_test(size=(80, 8), notifications=True) as pilot:
        diff.set_empty("The proposal changes nothing.")
        await shown(pilot, diff, a_review(OLD, OLD))
        assert screen(app)[1] == " The proposal changes nothing."
