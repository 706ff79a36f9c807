"""A text in the editor a person chose."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from mandrel_tui.workspace.editor import EditorError, edited


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which copies are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def script(folder: Path, body: str, name: str = "an editor") -> str:
    """The command line of an editor that does what the body says with `$1` and further words."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return f"'{path}'"


def test_the_text_comes_back_as_the_editor_left_it(tmp_path: Path, temporary: Path) -> None:
    command = script(tmp_path, r"""printf '\377%s' "$#" >> "$1"; cp "$1" "$1~" """)
    assert edited(b"caf\xe9\r\n", "x.md", command, cwd=tmp_path) == b"caf\xe9\r\n\xff1"
    assert list(temporary.iterdir()) == []


def test_the_command_is_split_as_a_shell_would(tmp_path: Path) -> None:
    command = script(tmp_path, """printf '%s|' "$@" > "$3" """) + " 'two words' --wait"
    assert edited(b"", "x.md", command, cwd=tmp_path).startswith(b"two words|--wait|/")


def test_the_copy_is_private_and_has_the_name_of_the_file(tmp_path: Path) -> None:
    command = script(tmp_path, """ls -ld "$1" "${1%/*}" > "$1.x"; mv "$1.x" "$1" """)
    folder, copy = edited(b"", "a task.md", command, cwd=tmp_path).decode().splitlines()
    assert copy.startswith("-rw-------") and copy.endswith("/a task.md")
    assert folder.startswith("drwx------")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('echo x > "$1"; exit 3', "an editor: exit status 3; the edit is discarded"),
        ("kill -TERM $$", "ended by signal 15; the edit is discarded"),
        ('rm "$1"', "the edited copy is gone: not there"),
    ],
)
def test_an_editor_that_fails_discards_the_edit(
    tmp_path: Path, temporary: Path, body: str, words: str
) -> None:
    with pytest.raises(EditorError, match=words):
        edited(b"text", "x.md", script(tmp_path, body), cwd=tmp_path)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", r"neither \$VISUAL nor \$EDITOR is set"),
        ("  ", "there is no editor"),
        ("'unclosed", "cannot be split: No closing quotation"),
        ("surely-no-editor -x", "no surely-no-editor on PATH"),
        ("./relative", "neither a name on PATH nor an absolute path"),
    ],
)
def test_an_editor_that_is_none_is_said(tmp_path: Path, command: str, words: str) -> None:
    with pytest.raises(EditorError, match=words):
        edited(b"text", "x.md", command, cwd=tmp_path, environ={"PATH": str(tmp_path)})


def test_a_file_that_is_not_executable_is_said(tmp_path: Path) -> None:
    command = script(tmp_path, "true")
    path = tmp_path / "an editor"
    path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o111)
    with pytest.raises(EditorError, match="is not executable"):
        edited(b"", "x.md", command, cwd=tmp_path, environ=os.environ)
