"""Drafts: decisions outlive the program, each under its own name, and end when carried out."""

from __future__ import annotations

from pathlib import Path

from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.state import State


def drafts(root: Path) -> Drafts:
    root.mkdir(exist_ok=True)
    return Drafts(State.of(root))


def test_a_draft_comes_back_under_its_name_alone(tmp_path: Path) -> None:
    kept = drafts(tmp_path / "r")
    assert kept.save("2026-03-02-ä", {"sheet": []}) == ""
    assert kept.load("2026-03-02-ä").value == {"sheet": []}
    assert kept.load("2026-03-02-a").value is None
    assert drafts(tmp_path / "other").load("2026-03-02-ä").value is None


def test_a_draft_that_was_carried_out_is_gone(tmp_path: Path) -> None:
    kept = drafts(tmp_path / "r")
    kept.save("a", {"sheet": []})
    kept.end("a")
    kept.end("a")
    assert kept.load("a").value is None


def test_a_torn_draft_is_set_aside_and_said(tmp_path: Path) -> None:
    kept = drafts(tmp_path / "r")
    kept.save("a", {"sheet": []})
    torn = next(kept.state.folder.glob("draft-*.json"))
    torn.write_bytes(torn.read_bytes()[:-4])
    loaded = kept.load("a")
    assert loaded.value is None and "set aside" in loaded.note
