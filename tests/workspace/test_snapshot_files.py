"""The gauge of a real `.ai/`: sparse checkouts, pipes, links, nothing at all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mandrel_tui.protocol.snapshot import Presence
from mandrel_tui.workspace.snapshot_files import read_gauge
from tests.conftest import git

TITLES = ("index", "map", "overview", "architecture", "design", "conventions")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    (tmp_path / ".ai").mkdir()
    for title in TITLES:
        (tmp_path / ".ai" / f"{title}.md").write_bytes(b"x" * 400)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "memory")
    return tmp_path


def presence(root: Path) -> dict[str, Presence]:
    return {d.title: d.presence for d in read_gauge(root).documents}


def test_the_gauge_counts_the_bytes_on_disk(repo: Path) -> None:
    (repo / ".ai" / "design.md").write_bytes("é".encode() * 2_000)
    found = read_gauge(repo)
    assert found.tokens == 5 * 100 + 1_000
    assert found.troubles == ()


def test_complete_memory_asks_git_nothing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object, **__: object) -> None:
        raise AssertionError("a child was started")

    monkeypatch.setattr(subprocess, "Popen", start)
    assert read_gauge(repo).words == "3%"


def test_documents_not_checked_out_are_told_from_missing_ones(repo: Path) -> None:
    (repo / ".ai" / "map.md").unlink()
    git(repo, "update-index", "--skip-worktree", ".ai/design.md")
    (repo / ".ai" / "design.md").unlink()
    found = presence(repo)
    assert found["map"] is Presence.MISSING
    assert found["design"] is Presence.NOT_CHECKED_OUT
    assert read_gauge(repo).words == "2% ?"


def test_memory_outside_a_sparse_checkout_is_not_missing(repo: Path) -> None:
    (repo / "src").mkdir()
    (repo / "src" / "a").write_text("a")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "src")
    git(repo, "sparse-checkout", "set", "src")
    assert not (repo / ".ai").exists()
    assert set(presence(repo).values()) == {Presence.NOT_CHECKED_OUT}


def test_a_pipe_or_a_folder_in_the_place_of_a_document_is_named(repo: Path) -> None:
    (repo / ".ai" / "map.md").unlink()
    os.mkfifo(repo / ".ai" / "map.md")
    (repo / ".ai" / "design.md").unlink()
    (repo / ".ai" / "design.md").mkdir()
    assert read_gauge(repo).troubles == (
        "map.md is unreadable: a pipe",
        "design.md is unreadable: a folder",
    )


def test_without_git_or_memory_there_is_none(tmp_path: Path) -> None:
    assert read_gauge(tmp_path).words == "none"
    (tmp_path / ".ai").write_text("a file")
    assert read_gauge(tmp_path).words == "none"
