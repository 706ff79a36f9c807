"""Completion in the real shells, where they are there: commands, flags, kinds and live tasks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, RunCli
from tests.terminals import run

TASK = "2026-03-02-est-zero"


@pytest.fixture
def shell_env(tmp_path: Path) -> dict[str, str]:
    """An environment in which `mandrel-tui` is this checkout."""
    program = tmp_path / "bin/mandrel-tui"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mandrel_tui "$@"\n', "utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}


def offers(run_cli: RunCli, repository: Path, *words: str) -> list[str]:
    return run_cli("__complete", "plain", *words, cwd=repository).text.split("\n")[:-1]


def test_commands_are_offered_by_their_beginning(golden: Path, run_cli: RunCli) -> None:
    assert offers(run_cli, golden, "pr") == ["prompt"]
    assert offers(run_cli, golden, "-C", ".", "bo") == ["board"]


def test_live_tasks_are_offered_with_their_titles(golden: Path, run_cli: RunCli) -> None:
    done = golden / ".ai-tasks/archive"
    done.mkdir()
    (golden / f".ai-tasks/{TASK}.md").rename(done / f"{TASK}.md")
    assert TASK not in offers(run_cli, golden, "next", "")
    assert len(offers(run_cli, golden, "next", "")) == 50
    ran = run_cli("__complete", "fish", "show", "2026-03-02-est-zeros", cwd=golden)
    assert ran.text == "2026-03-02-est-zeros\tA golden task\n"


def test_an_option_with_its_value_in_one_word_is_understood(
    golden: Path, run_cli: RunCli, tmp_path: Path
) -> None:
    for words in ([f"--repo={golden}"], ["--repo", "=", f"{golden}"]):
        found = offers(run_cli, tmp_path, *words, "next", TASK)
        assert found == [TASK, f"{TASK}s"], words
    assert offers(run_cli, golden, "prompt", "--kind=dev", TASK[:-1]) == [TASK, f"{TASK}s"]
    assert offers(run_cli, golden, "prompt", "--kind", "=", "pl") == ["plan"]


def test_choices_are_offered_where_they_belong(golden: Path, run_cli: RunCli) -> None:
    assert offers(run_cli, golden, "prompt", TASK, "--kind", "") == [
        "dev",
        "review",
        "plan",
        "closeout",
        "dev-advancement",
        "dev-remediation",
    ]
    assert offers(run_cli, golden, "prompt", TASK, "--f") == ["--form"]
    assert offers(run_cli, golden, "followup", TASK, "wr") == ["wrapup"]
    assert offers(run_cli, golden, "board", "--status", "off") == ["off-schema"]
    assert offers(run_cli, golden, "prompt", TASK, "--output", "") == []
    assert offers(run_cli, golden, "prompt", TASK, "") == []


def test_completion_never_fails_where_there_is_nothing(tmp_path: Path, run_cli: RunCli) -> None:
    ran = run_cli("__complete", "plain", "prompt", "", cwd=tmp_path)
    assert (ran.code, ran.out, ran.err) == (0, b"", b"")


def test_a_hostile_title_is_no_order_to_the_shell(golden: Path, run_cli: RunCli) -> None:
    task = golden / f".ai-tasks/{TASK}.md"
    task.write_bytes(task.read_bytes().replace(b"# A golden task", b"# A\x1b]0;x\x07 task"))
    ran = run_cli("__complete", "fish", "next", TASK, cwd=golden)
    assert ran.text.startswith(f"{TASK}\tA")
    assert "\x1b" not in ran.text


def in_shell(shell: str, script: str, cwd: Path, env: dict[str, str]) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    flags = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *flags, "-c", script], cwd=cwd, env=env, capture_output=True, timeout=60
    )
    assert done.stderr == b"", done.stderr.decode()
    return done.stdout.decode().split("\n")[:-1]


def test_bash_completes(golden: Path, shell_env: dict[str, str]) -> None:
    script = """
source <(mandrel-tui completion bash)
COMP_WORDS=(mandrel-tui prompt 2026-03-02-est-z); COMP_CWORD=2
_mandrel_tui
printf '%s\\n' "${COMPREPLY[@]}"
complete -p mandrel-tui
"""
    words = in_shell("bash", script, golden, shell_env)
    assert words[:2] == ["2026-03-02-est-zero", "2026-03-02-est-zeros"]
    assert words[2].startswith("complete -o default -F _mandrel_tui")


def test_fish_completes(golden: Path, shell_env: dict[str, str]) -> None:
    script = "mandrel-tui completion fish | source\ncomplete -C 'mandrel-tui next 2026-03-02-est-z'"
    assert in_shell("fish", script, golden, shell_env) == [
        "2026-03-02-est-zero\tA golden task",
        "2026-03-02-est-zeros\tA golden task",
    ]


def test_zsh_completes(golden: Path, shell_env: dict[str, str]) -> None:
    """The completion system of zsh runs only where somebody types."""
    if shutil.which("zsh") is None:
        pytest.skip("no zsh here")
    set_up = (
        b"autoload -Uz compinit; compinit -u -d ~/.zcompdump; "
        b"source <(mandrel-tui completion zsh); print RE''ADY\r"
    )
    typed = [
        (b"zsh> ", set_up),
        (b"READY", b"mandrel-tui show 2026-03-02-est-zero\t"),
        (b"est-zeros", b"\x15exit\r"),
    ]
    env = {**shell_env, "PS1": "zsh> ", "TERM": "xterm"}
    _, shown = run(["zsh", "-f", "-i"], golden, env, typed)
    assert shown.count(b"-- A golden task") == 2
