"""Looking never disturbs: whatever is asked of a repository, another process can commit to it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from mandrel_tui.protocol.prompt import PromptRequest
from mandrel_tui.workspace.workspace import Workspace
from tests.builders import review, work
from tests.seats import NAME, Seat

COMMITS = 100
# Commits as an agent does, with git as it is configured, and stops at the first that fails.
_COMMITTER = """
import pathlib, subprocess, sys
for number in range(int(sys.argv[1])):
    pathlib.Path("code.py").write_text(f"{number}\\n")
    subprocess.run(["git", "add", "code.py"], check=True)
    subprocess.run(["git", "commit", "--quiet", "--message", str(number)], check=True)
"""


def look(workspace: Workspace) -> None:
    """Everything this program asks by itself while it is open, and what a key press adds."""
    workspace.board(archived=True)
    workspace.tree()
    workspace.gauge()
    workspace.prompt(PromptRequest(NAME, sid="s-2"))
    workspace.check(NAME, "rev-1")


def test_a_hundred_commits_succeed_while_the_program_looks(tmp_path: Path) -> None:
    seat = Seat.at(tmp_path / "repository", work("dev-1"), review("dev-1"))
    committer = subprocess.Popen(
        [sys.executable, "-c", _COMMITTER, str(COMMITS)],
        cwd=seat.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    looks = 0
    while committer.poll() is None:
        look(seat.open())
        looks += 1
    printed, _ = committer.communicate()
    assert committer.returncode == 0, printed.decode()
    counted = subprocess.check_output(["git", "rev-list", "--count", "HEAD"], cwd=seat.root)
    assert int(counted) == COMMITS + 1
    assert looks > 1
    assert not (seat.root / ".git/index.lock").exists()
