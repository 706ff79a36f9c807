"""The program killed in the middle of a closeout: the next start offers to finish it or to take it
back, and both end well."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import git
from tests.stories.closing import DESIGN, FACTS, TASK, to_close

terminals = pytest.importorskip("tests.terminals")

# Git's parent is the program; the hook runs while the files are written and nothing is committed.
HOOK = "#!/bin/sh\nkill -9 $(ps -o ppid= -p $PPID)\nexit 1\n"
CLOSING = [
    (b" close out", b"x"),
    (b"facts 0/4", b"aaarrr"),
    (b"facts 4/4", b"t"),
    (b"hunk 1 of 1", b"a"),
    (b"review 1/1", b"t"),
    (b"one commit", b"Ga"),
    (b"accepted", b"\x0f"),
]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A repository in which the program was killed while it closed a task out."""
    root = to_close(tmp_path / "ledger-sync")
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    code, shown = terminals.in_terminal(["open", str(root)], tmp_path, typed=CLOSING)
    assert code == -9, shown[-2000:]
    hook.unlink()
    assert (root / f".ai-tasks/archive/{TASK}.md").is_file()
    return root


def recover(root: Path, key: bytes, until: bytes) -> None:
    typed = [(b"was interrupted", key), (until, b"qq")]
    code, shown = terminals.in_terminal(["open", str(root)], root.parent, typed=typed)
    assert code == 0 and b"Traceback" not in shown


def test_a_killed_closeout_is_finished_at_the_next_start(killed: Path) -> None:
    recover(killed, b"f", b"7 of 7 hold")
    assert git(killed, "log", "-1", "--format=%s").startswith("chore(.ai): absorb")
    assert FACTS[0].encode() in (killed / ".ai/design.md").read_bytes()
    assert git(killed, "status", "--porcelain") == ""


def test_a_killed_closeout_is_taken_back_at_the_next_start(killed: Path) -> None:
    recover(killed, b"r", b"rolled back")
    assert (killed / ".ai/design.md").read_bytes() == DESIGN
    assert (killed / f".ai-tasks/{TASK}.md").is_file()
    assert not (killed / f".ai-tasks/archive/{TASK}.md").exists()
    assert git(killed, "status", "--porcelain") == ""
