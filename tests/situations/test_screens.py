"""Cases of width, markup, clipboard and colour: what a real terminal shows."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.situations.case import Case
from tests.situations.tmux import Terminal, app, body, results, right, shows, told

WIDE = "把重试循环改为先返回主循环再由停滞分支处理并补充回归测试"
TITLES = {"half": "ﾊﾝｶｸ and 全角ＡＢＣ mixed", "hangul": "재시도 루프를 고친다", "wide": WIDE}


def cells(row: str, mark: str) -> list[int]:
    """The cells, from 0, at which a mark stands in a row."""
    return [cell_len(row[: found.start()]) for found in re.finditer(re.escape(mark), row)]


@pytest.mark.parametrize("size", [(80, 24), (61, 20), (60, 20)])
def test_width_01_cjk_columns(case: Case, size: tuple[int, int]) -> None:
    # The list names a task by its file, so one of the files has a wide name too.
    text = (case.tasks / "2026-06-01-wide.md").read_text(encoding="utf-8")
    wide = case.tasks / f"2026-06-02-{WIDE}.md"
    wide.write_text(text.replace("2026-06-01-wide", wide.stem), encoding="utf-8")
    width = size[0]
    with app(case, size=size) as terminal:
        terminal.wait(r"c copies [\d,]+ bytes")
        for name, title in TITLES.items():
            board = terminal.wait(rf"(?m)^› (◦ )?0/1 {name} ")
            fits(board, size)
            listed(body(board), width)
            if width == 80:
                board = shows(terminal, title, right)
                assert {tuple(cells(row, "│")) for row in body(board)} == {(38,)}
            terminal.keys("Enter")
            terminal.wait(f"━ {name} ")
            fits(shows(terminal, title, body), size)
            terminal.keys("Escape")
            terminal.wait("━ tasks 4 ")
            terminal.keys("j")
        fits(terminal.wait(rf"(?m)^› (◦ )?0/1 {WIDE[:8]}"), size)
        terminal.quit()
    wide.unlink()
    ran = (sys.executable, "-m", "mandrel_tui", "board")
    env = {**case.env, "TERM": "xterm-256color"}
    with Terminal(ran, cwd=case.repo, env=env, folder=case.root, size=size) as terminal:
        assert terminal.end() == 0
        screen = terminal.wait("(?m)^  0/1   2026-06-01-wide ")
        (row,) = (row for row in screen.split("\n") if row.startswith("  0/1   2026-06-01-wide "))
        assert_cut(row.rpartition(" ")[2])
        assert cell_len(row) in (width - 1, width)


def fits(screen: str, size: tuple[int, int]) -> None:
    """No row is longer, no row is added, no character is halved."""
    rows = screen.removesuffix("\n").split("\n")
    assert (len(rows), max(map(cell_len, rows)) <= size[0]) == (size[1], True), screen
    assert "\ufffd" not in screen


def listed(rows: list[str], width: int) -> None:
    """The turns of all tasks stand under each other, and the long name is cut."""
    tasks = [f"{row.partition('│')[0]} " for row in rows if "0/1 " in row]
    assert len(tasks) == 4
    assert len({tuple(cells(row, " dev ")) for row in tasks}) == 1
    (cut,) = (row for row in tasks if WIDE[:8] in row)
    assert_cut(cut.partition("0/1 ")[2].split(" ")[0])


def assert_cut(text: str) -> None:
    """It is the beginning of the wide text and one ellipsis."""
    assert text[-1] == "…"
    assert WIDE.startswith(text[:-1])


BRACKETS = (
    "Handle [/] in paths",
    "Range [b + gives three",
    "[red]not red[/red] and [bold",
    "[@click=app.quit]press me[/]",
    'items[0][1] and dict["k"]',
    "[link=http://example.invalid]x[/link]",
    r"\[escaped\] and [[wiki]]",
    "[ ] todo [x] done",
)


def test_render_01_markup_brackets(case: Case) -> None:
    titles = {f"b-{number}": title for number, title in enumerate(BRACKETS, start=1)}
    assert {name: row["title"] for name, row in case.board().items()} == titles
    with app(case, size=(100, 36)) as terminal:
        terminal.wait(r"c copies [\d,]+ bytes")
        for name, title in titles.items():
            terminal.wait(rf"(?m)^› 1/2 {name} ")
            screen = terminal.wait(f"blockers: external:{re.escape(title)}\n")
            prose = title.replace("\\", "")  # which Markdown takes before a bracket
            assert {f" {title}", f" Make it work: {prose}."} <= set(right(screen))
            assert title in terminal.painted
            assert f"session is not reviewed yet: sid[{name[2:]}].\n" in screen
            terminal.keys("j")
        terminal.keys("/")
        terminal.wait("━ tasks 8 of 8 /")
        terminal.type("[b")
        terminal.wait(r"━ tasks 2 of 8 /\[b ")
        found = terminal.wait(r"session is not reviewed yet: sid\[[23]\].\n")
        assert [name for name in titles if f" 1/2 {name} " in found] == ["b-2", "b-3"]
        terminal.keys("Escape")
        terminal.wait("━ tasks 8 ━")
        clicks(terminal, titles["b-4"])
        entry_and_raw(terminal, titles["b-4"])
        notice_and_dialogs(terminal, case, titles["b-4"])
        terminal.quit()


def clicks(terminal: Terminal, title: str) -> None:
    """Pointing at a title and clicking on it does nothing special."""
    terminal.click(*terminal.place("b-4 "))
    terminal.wait(r"(?m)^› 1/2 b-4 ")
    before = terminal.wait(f"blockers: external:{re.escape(title)}\n")
    for text in (title, "press me", f"external:{title}"):
        x, y = terminal.place(text)
        for step in (0, 4, len(text) - 1):
            terminal.point(x + step, y)
            terminal.click(x + step, y)
    after = terminal.wait(r"━ \[task\]")  # a click puts the focus there, and does no more
    assert right(after.replace("━", "─")) == right(before.replace("━", "─"))
    terminal.click(*terminal.place("b-4 "))
    terminal.wait("━ tasks 8 ━")


def entry_and_raw(terminal: Terminal, title: str) -> None:
    """The log and the raw file show it too."""
    terminal.keys("Enter")
    terminal.wait(r"━ b-4   \[task\]")
    terminal.keys("t")
    terminal.wait(f"Done   saw {re.escape(title)}\n")
    terminal.keys("T", "T")
    terminal.wait(f"blockers: \\[external:{re.escape(title)}\\]\n")
    terminal.wait(re.escape(f"# {title}\n"))
    terminal.keys("Escape")
    terminal.wait("━ tasks 8 ━")


def notice_and_dialogs(terminal: Terminal, case: Case, title: str) -> None:
    """A refusal that quotes it, the list of results, the actions and the help."""
    file = case.tasks / "b-4.md"
    file.write_text(file.read_text().replace("status: in_progress", "status: blocked"))
    terminal.wait("▾ ⊘ blocked 1 ")
    terminal.keys("c")
    words = f"only your answer is legal. Blocked by a question: {title}"
    terminal.wait(re.escape(words[:50]))
    results(terminal, words)
    terminal.keys("Escape")
    terminal.lose("━ results ━")
    terminal.keys("Space")
    terminal.wait("┏━ b-4 ━")
    terminal.keys("Escape")
    terminal.lose("┏━")


def test_clip_01_no_tool_false_success(case: Case) -> None:
    with app(case, size=(80, 24)) as terminal:
        terminal.wait(r"c copies [\d,]+\s")
        terminal.keys("c")
        screen = terminal.wait("sent to the terminal, cannot be checked; file /")
        assert "copied" not in screen.lower()
        told_of = results(terminal, "bytes of at most 74,994, sha")
        terminal.keys("Escape")
        terminal.lose("┏━")
        terminal.quit()
    (kept,) = (case.root / "home/.local/state/mandrel-tui").glob("*/kept/*.md")
    assert told([f"cannot be checked; file {kept}; "]) in told([told_of])
    data = kept.read_bytes()
    assert base64.b64encode(data) in terminal.written
    claim = re.search(rb"`claimed-by: (.+)@(.+)`", data)
    assert claim is not None
    sid, now = (part.decode() for part in claim.groups())
    assert case.prompt("2026-06-01-go", "--sid", sid, "--now", now).encode() == data
    ran = case.run("prompt", "2026-06-01-go", "--copy", "--sid", sid, "--now", now)
    assert (ran.code, ran.out) == (1, b"")
    lies = re.search(r"not copied: terminal: there is no terminal to ask; file (.+?); ", ran.said)
    assert lies is not None, ran.said
    assert Path(lies[1]).read_bytes() == data


COLOURS = {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}


def colours(written: bytes) -> set[int]:
    """The colour codes among what a terminal was sent."""
    orders = re.findall(rb"\x1b\[([\d;:]*)m", written)
    return {int(code) for order in orders for code in re.split(rb"[;:]", order) if code} & COLOURS


def test_a11y_01_colour_only_status(case: Case) -> None:
    (case.tasks / "c-broken.md").write_text("# No front matter\n")
    with app(case, size=(80, 24)) as terminal:
        screen = terminal.wait(r"c copies [\d,]+\s")
        left = [row.partition("│")[0].rstrip() for row in body(screen)]
        assert [re.sub(" +", " ", row) for row in left if row][1:] == [
            "▾ ✓ completed 1",
            "› 1/1 c-completed !close",
            "▾ ◕ final_review 1",
            " 1/1 c-final_review !rule",
            "▾ ◔ in_progress 1",
            " 1/1 c-in_progress dev",
            "▾ ⊘ blocked 1",
            " 1/1 c-blocked !answer",
            "▾ ◦ pending 1",
            " 1/1 c-pending dev",
            "▾ ! off-schema 1",
            " -/- c-broken ⚑4 !invalid",
        ]
        focused(terminal, "━ tasks 6 ━")
        terminal.keys("Tab")
        focused(terminal, "━ [task] ")
        terminal.keys("Tab")
        terminal.keys("G")
        screen = terminal.wait("(?m)^› -/- c-broken ")
        assert "│ invalid" in terminal.wait("Nothing is assembled|nothing is assembled")
        terminal.keys("Home")
        terminal.wait("(?m)^›▾✓ completed 1")
        terminal.keys("j", "Enter")
        terminal.wait("━ c-completed ")
        terminal.keys("t")
        terminal.wait(r"(?m)^› 2 .* review  of sidA .* ✓ pass ")
        terminal.keys("q")
        terminal.wait("━ tasks 6 ━")
        terminal.quit()
    assert colours(terminal.written) == set()
    assert re.search(rb"\x1b\[(\d+;)*7(;\d+)*m", terminal.written)  # the cursor row is reversed
    with app(case, env={"NO_COLOR": ""}) as terminal:
        terminal.wait(r"c copies [\d,]+\s")
        assert colours(terminal.written) >= {38, 48}
    for value, expected in (("1", set()), ("", {31, 33})):
        env = {"NO_COLOR": value}
        with app(case, "board", env=env) as terminal:
            assert terminal.end() == 0
            terminal.wait("x line 1 front-matter-missing: ")
            assert colours(terminal.written) == expected


def focused(terminal: Terminal, header: str) -> None:
    """Exactly this one header becomes heavy."""

    def alone(screen: str) -> bool:
        heavy = [row for row in re.split("[\n│]", screen) if "━" in row]
        return len(heavy) == 1 and heavy[0].startswith(header)

    terminal.until(alone, header)
