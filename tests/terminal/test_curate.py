"""`curate FILE` on a terminal opens the screens on it; a key is kept, whatever happens then."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.workspace.curate import open_file

terminals = pytest.importorskip("tests.terminals")

TEXT = b"# Rules\n\n- use pnpm, never npm\n- we are refactoring auth\n"


def test_curate_opens_its_screen_and_keeps_what_was_decided(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(TEXT)
    code, shown = terminals.in_terminal(
        ["curate", "CLAUDE.md"],
        tmp_path,
        typed=[(b"1 facts 0/2", b"r"), (b"1 facts 1/2", b"q"), (b"no tasks here yet", b"q")],
    )
    assert code == 0
    assert b"Traceback" not in shown
    assert open_file(tmp_path / "CLAUDE.md").sheet.undecided == (1,)
    assert (tmp_path / "CLAUDE.md").read_bytes() == TEXT
