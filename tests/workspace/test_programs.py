"""Which program a name means, and the true reason where none can be started."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mandrel_tui.workspace.programs import NotStarted, find_program


def put(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def find(name: str, *folders: Path | str) -> Path:
    return find_program(name, {"PATH": os.pathsep.join(map(str, folders))})


def test_the_first_program_of_that_name_is_meant(tmp_path: Path) -> None:
    first, second = put(tmp_path / "a/agent"), put(tmp_path / "b/agent")
    assert find("agent", first.parent, second.parent) == first
    assert find(str(second)) == second


def test_what_cannot_be_started_is_passed_over_while_another_can(tmp_path: Path) -> None:
    (tmp_path / "a/agent").mkdir(parents=True)
    put(tmp_path / "b/agent", mode=0o644)
    put(tmp_path / "c/agent", "#!/no/such/interpreter\n")
    good = put(tmp_path / "d/agent")
    assert find("agent", *(tmp_path / name for name in "abcd")) == good


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: put(path, mode=0o644), "is not executable"),
        (lambda path: put(path, "#!/no/such/interpreter -x\n"), "needs /no/such/interpreter"),
        (lambda path: path.symlink_to("nowhere"), "leads nowhere"),
        (lambda path: os.mkfifo(path), "is no program"),
    ],
)
def test_the_true_reason_is_told(make: object, words: str, tmp_path: Path) -> None:
    make(tmp_path / "agent")  # type: ignore[operator]
    with pytest.raises(NotStarted, match=words) as told:
        find("agent", tmp_path)
    assert str(tmp_path / "agent") in str(told.value)


def test_an_absent_program_may_be_an_alias_of_the_shell(tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match=r"no agent on PATH .*alias"):
        find("agent", tmp_path)
    with pytest.raises(NotStarted, match="/no/such/agent is not there"):
        find("/no/such/agent")


def test_a_repository_cannot_put_a_program_into_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "agent")
    put(tmp_path / "bin/agent")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotStarted, match="no agent on PATH"):
        find("agent", "", ".", "bin")
    with pytest.raises(NotStarted, match="neither a name on PATH nor an absolute path"):
        find("./agent", tmp_path)


def test_a_home_folder_may_be_named_by_its_sign(home: Path) -> None:
    agent = put(home / "bin/agent")
    assert find("~/bin/agent") == agent


def test_the_home_folder_of_nobody_is_no_place_of_a_program() -> None:
    with pytest.raises(NotStarted, match="neither a name on PATH nor an absolute path"):
        find("~no-such-user/bin/agent")


def test_a_script_without_an_interpreter_line_is_left_to_the_system(tmp_path: Path) -> None:
    agent = put(tmp_path / "agent", "echo")
    assert find("agent", tmp_path) == agent
