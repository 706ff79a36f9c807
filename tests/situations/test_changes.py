"""Cases of watching and scale: what an open program makes of changes, litter and ten thousand
files."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import pytest

from mandrel_tui.resources import bundled
from mandrel_tui.workspace import files
from mandrel_tui.workspace.watch import Changed, Watch
from mandrel_tui.workspace.workspace import Workspace
from tests.situations.case import Case, assert_expected
from tests.situations.tmux import Terminal, app

# What stands in for `sleep` in act.sh: it lasts until somebody opens the gate.
GATE = '#!/bin/sh\ncat "$GATE" > /dev/null\n'


def test_watch_01_atomic_replace_twice(case: Case, tmp_path: Path) -> None:
    for name in ("v-1", "x-1"):
        text = (case.tasks / "w-1.md").read_text(encoding="utf-8").replace("w-1", name)
        (case.tasks / f"{name}.md").write_text(text, encoding="utf-8")
    sleep, gate = tmp_path / "bin/sleep", tmp_path / "gate"
    sleep.parent.mkdir()
    sleep.write_text(GATE)
    sleep.chmod(0o755)
    os.mkfifo(gate)
    env = {**case.env, "PATH": f"{sleep.parent}:{case.env['PATH']}", "GATE": str(gate)}
    with app(case) as board, app(case, size=(80, 24)) as details:
        board.wait(r"c copies [\d,]+ bytes")
        for terminal in (board, details):
            terminal.wait("(?m)^› 1/3 .*v-1 ")
            terminal.keys("j")
            terminal.wait("(?m)^› 1/3 .*w-1 ")
        details.keys("Enter")
        details.wait(r"━ w-1   \[task\]  log 1 ")
        details.keys("t")
        details.wait(r"(?m)^› 1 .* sidA ")
        act = subprocess.Popen(["bash", case.root / "act.sh"], env=env)
        try:
            for count in (2, 3, 4):
                board.wait(f"─ log {count} ─")
                board.wait(f" {count} .* sidS{count - 1} ")
                details.wait(rf"━ w-1   task  \[log {count}\]")
                if count == 2:  # from the last entry the cursor follows; from here it does not
                    details.keys("Home")
                details.wait("(?m)^› 1 ")
                kept(board, "in_progress 3")
                gate.write_bytes(b"")
            assert act.wait(20) == 0
        finally:
            act.kill()
        kept(board, "final_review 1")
        details.wait("(?m)^› 1 ")
        assert "No active task" not in board.written.decode("utf-8")
        details.keys("q")
        details.wait("━ tasks 3 ━")
        for terminal in (board, details):
            terminal.quit()


def kept(board: Terminal, group: str) -> None:
    """The cursor is on the same task among the same three, now in this group."""
    screen = board.wait(f" {group} ")
    assert "━ tasks 3 ━" in screen
    board.wait("(?m)^› 1/3 .*w-1 ")
    board.wait("│ w-1\n")


def test_watch_05_noise_files(case: Case) -> None:
    assert set(case.board()) == {"w-1"}
    text = case.run("board").text
    for name in ("w-9.md", "pipe.md", ".w-1.md.tmp-991", "w-1 (conflicted copy).md.part"):
        assert f"- .ai-tasks/{name} not-read: " in text
    assert "README" not in text
    act = [case.root / "act.sh"]
    changes: list[Changed] = []
    stop = Event()
    watching = Thread(target=lambda: changes.extend(Watch(case.repo).changes(stop)))
    with app(case, size=(80, 24)) as terminal:
        terminal.wait(r"c copies [\d,]+\s")
        watching.start()
        with subprocess.Popen(act, env={**case.env, "SECS": "3"}) as churn:
            pressed = 0
            while churn.poll() is None:
                terminal.keys("?")
                terminal.wait("┏━ keys")
                terminal.keys("Escape")
                assert "━ tasks 1 ━" in terminal.lose("┏━")
                pressed += 1
        assert pressed > 1
        terminal.keys("G")
        terminal.wait("not-read: a pipe")
        terminal.keys("k")
        terminal.quit()
    stop.set()
    watching.join()
    assert changes == []


def test_scale_01_ten_thousand_tasks(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_expected(case)
    one_change_costs_one_read(case, monkeypatch)
    with app(case, size=(80, 24)) as terminal:
        terminal.wait("━ tasks 10,000 ━")
        terminal.wait(r"c copies [\d,]+\s")
        terminal.keys("Home")
        for group in ("✓ completed 1", "◕ final_review 2,500", "◔ in_progress 2,499"):
            terminal.wait(f"(?m)^›▾{group} ")
            terminal.keys("Left")  # folded, so that the next group stands under it
            terminal.wait(f"(?m)^›▸{group} ")
            terminal.keys("j")
        terminal.wait("(?m)^›▾⊘ blocked 2,500 ")
        terminal.keys("/")
        terminal.wait("━ tasks 10,000 of 10,000 /")
        terminal.type("task-09999")
        terminal.wait("━ tasks 1 of 10,000 /task-09999")
        terminal.wait("Task number 9999")
        terminal.keys("Escape")
        terminal.wait("━ tasks 10,000 ━")
        terminal.keys("End")
        terminal.wait(r"(?m)^› 2/3 task-09992 ")
        terminal.wait("Task number 9992")
        file = case.tasks / "2026-03-03-task-00002.md"
        file.write_text(file.read_text().replace("status: final_review", "status: completed"))
        terminal.keys("Home")
        terminal.wait("(?m)^›▸✓ completed 2 ")
        terminal.quit()


def one_change_costs_one_read(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second board of an open program reads the one file that changed, and the index."""
    reads: Counter[str] = Counter()
    read = files.read

    def counted(path: Path) -> files.Reading:
        reads[path.name] += 1
        return read(path)

    monkeypatch.setattr(files, "read", counted)
    monkeypatch.setenv("HOME", case.env["HOME"])
    workspace = Workspace(case.repo, bundled("contracts"))
    first = workspace.board(archived=True)
    assert (len(first.active), len(first.archived)) == (10_000, 3_000)
    assert (len(reads), reads.total()) == (13_001, 13_001)
    reads.clear()
    changed = case.tasks / "2026-02-02-task-00001.md"
    changed.write_text(changed.read_text().replace("status: in_progress", "status: completed"))
    second = workspace.board(archived=True)
    row = second.find(changed.stem)
    assert row is not None and row.status == "completed"
    assert set(reads) <= {changed.name, "index.md"}
