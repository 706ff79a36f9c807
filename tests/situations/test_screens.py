"""Cases of width, markup, clipboard and colour: what a real terminal shows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable

import pytest
from rich.cells import cell_len

from tests.situations.case import Case
from tests.situations.tmux import Terminal, app

WIDE = "把重试循环改为先返回主循环再由停滞分支处理并补充回归测试"
TITLES = {"half": "ﾊﾝｶｸ and 全角ＡＢＣ mixed", "hangul": "재시도 루프를 고친다", "wide": WIDE}


def cells(row: str, mark: str) -> list[int]:
    """The cells, from 0, at which a mark stands in a row."""
    return [cell_len(row[: found.start()]) for found in re.finditer(re.escape(mark), row)]


def body(screen: str) -> list[str]:
    """The rows between the top bar and the two rows at the bottom."""
    return screen.removesuffix("\n").split("\n")[1:-2]


def told(rows: Iterable[str]) -> str:
    """What rows say, whatever the wrapping did to the blanks."""
    return "".join(rows).replace(" ", "")


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
        (row,) = (row for row in terminal.rows if row.startswith("  0/1   2026-06-01-wide "))
        assert_cut(row.rpartition(" ")[2])
        assert cell_len(row) in (width - 1, width)


def shows(terminal: Terminal, text: str, part: Callable[[str], list[str]]) -> str:
    """The first screen of which a part shows the whole text."""
    return terminal.until(lambda screen: told([text]) in told(part(screen)), text)


def right(screen: str) -> list[str]:
    """The right one of two columns."""
    return [row.partition("│")[2] for row in body(screen)]


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
