"""Keys typed faster than a screen opens act as if each had waited for the one before."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.situations.tmux import Terminal

PROGRAM = (sys.executable, "-m", "mandrel_tui")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Terminal]:
    """The board of the sample, the cursor on its first task."""
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    sample = tmp_path / "sample"
    subprocess.run([*PROGRAM, "demo", "--no-open", sample], env=env, check=True)
    with Terminal(
        (*PROGRAM, sample), cwd=tmp_path, env=env, folder=tmp_path, size=(100, 30)
    ) as terminal:
        terminal.wait(r"(?m)^› .* barrier-timeouts ")
        yield terminal


def test_a_find_takes_the_letters_typed_with_its_key(board: Terminal) -> None:
    board.type("/ret")
    board.wait("━ tasks 3 of 9 /ret")


def test_a_find_is_typed_kept_and_left_in_one_burst(board: Terminal) -> None:
    board.type("/drain\rjc")
    board.wait("━ tasks 1 of 9 /drain ━")
    board.wait("(?m)^› .* fifo-drain .* out ")


def test_go_takes_the_letter_typed_with_its_key(board: Terminal) -> None:
    board.type("G")
    board.wait("(?m)^› .* notes-from-standup ")
    board.type("gg")
    board.wait("(?m)^›▾✓ completed")
    board.type("gl")
    board.wait("┏━ results ━")


def test_keys_after_a_place_is_chosen_go_there(board: Terminal) -> None:
    board.type("g2jjg1jjj")
    board.wait("(?m)^› .* submit-retry-loop ")
    board.lose("go  b board")


def test_the_palette_takes_the_letters_typed_with_its_key(board: Terminal) -> None:
    board.type(":role")
    board.wait("┃ role ")
    board.keys("Escape")
    board.lose("┏━ palette")
    board.type(":prompt\r")
    board.wait("━ outline ━")


def test_a_screen_is_opened_used_and_left_in_one_burst(board: Terminal) -> None:
    board.type("pqjjpf")
    board.wait("┏━ form ━")
    board.wait("─ prompt: stall-detection, ")


def test_a_file_name_typed_with_the_key_that_asks_for_it_is_whole(
    board: Terminal, tmp_path: Path
) -> None:
    board.type("ps\x15/new/place/out.md")
    board.wait("┃ /new/place/out.md ")


def test_a_place_clicked_twice_at_once_opens_once_and_closes_nothing_else(board: Terminal) -> None:
    board.keys("g")
    board.wait("(?m)^ go  b board")
    x, y = board.place("results")
    board.type(2 * f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")
    board.wait("┏━ results ━")
    board.keys("Escape")
    board.lose("┏━ results ━")
    board.quit()


def test_a_long_burst_of_steps_loses_none(board: Terminal) -> None:
    board.type("j" * 60 + "k" * 60 + "G" + "k" * 4)
    board.wait("(?m)^› .* region-failover ")
