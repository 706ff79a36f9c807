"""The ends of the command line: streams that close, terminals that are none, errors, signals."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mandrel_tui import __version__
from mandrel_tui.commands.cells import width
from mandrel_tui.commands.parser import build_parser
from tests.conftest import ROOT, RunCli
from tests.house.readme_tables import subcommands
from tests.terminals import in_terminal

FRESH = "2026-03-02-pending-fresh"


def child(*arguments: str, cwd: Path, **streams: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "mandrel_tui", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **streams,  # type: ignore[call-overload]
    )


def test_version_and_help_need_no_repository(tmp_path: Path, run_cli: RunCli) -> None:
    ran = run_cli("--version", cwd=tmp_path)
    assert (ran.code, ran.text, ran.said) == (0, f"mandrel-tui {__version__}\n", "")
    for command in ([], ["board"], ["prompt"], ["init"]):
        ran = run_cli(*command, "--help", cwd=tmp_path, env={"TERM": "dumb"})
        assert (ran.code, ran.said) == (0, "")
        assert ran.text.startswith("usage: mandrel-tui")


def test_a_help_says_what_a_hyphen_alone_stands_for() -> None:
    told = {}
    for name, parser in subcommands(build_parser()).items():
        for action in parser._actions:
            told[f"{name} {action.dest}"] = action.help or ""
    hyphened = {place for place, words in told.items() if re.search(r"(?<!\S)-(?!\S)", words)}
    assert hyphened == {place for place, words in told.items() if "- is standard input" in words}
    assert {"prompt plan_file", "rule text", "new goal", "closeout audit_file"} <= hyphened


def test_what_may_be_left_out_is_not_asked_for(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli("edit", cwd=golden)
    assert "the following arguments are required: ID (" in ran.said


@pytest.mark.parametrize("arguments", [[], ["open"], ["."], ["demo"]])
@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_open_without_a_terminal_is_one_line_that_names_board(
    arguments: list[str], term: str, golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli(*arguments, cwd=golden, env={"TERM": term})
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said.count("\n") == 1
    assert "mandrel-tui board" in ran.said


@pytest.mark.parametrize("term", ["dumb", "", "unknown", "no-such-terminal"])
def test_open_on_a_terminal_that_can_show_nothing_names_board(term: str, golden: Path) -> None:
    code, shown = in_terminal([], golden, env={"TERM": term})
    assert code == 2
    assert shown.count(b"\n") == 1
    assert b"TERM" in shown and b"mandrel-tui board" in shown
    assert b"\x1b" not in shown


def test_an_installation_that_lost_a_contract_is_not_opened(golden: Path, tmp_path: Path) -> None:
    for name in ("mandrel_tui", "contracts", "themes"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "contracts/prompts/entry/sid-line.md").unlink()
    code, shown = in_terminal(["open"], golden, env={"PYTHONPATH": str(tmp_path)})
    assert code == 2
    line = b"this installation lacks contracts/prompts/entry/sid-line.md: install mandrel-tui again"
    assert (shown.count(b"\n"), line in shown) == (1, True)


def test_a_folder_that_is_not_there_is_named_with_the_command_it_may_be(
    golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli("bord", cwd=golden)
    assert (ran.code, ran.said.count("\n")) == (2, 1)
    assert "did you mean the command board?" in ran.said
    named = run_cli("open", "/next", cwd=golden)
    assert (named.code, named.said) == (2, "mandrel-tui: /next: no such folder\n")


def test_no_repository_at_a_named_folder(tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    for named, words in (("nowhere", "no such folder"), ("file", "not a folder")):
        ran = run_cli("-C", named, "board", cwd=tmp_path)
        assert (ran.code, ran.out) == (2, b"")
        assert words in ran.said


@pytest.mark.parametrize("option", ["-C", "--repo", "--unheard-of"])
def test_an_option_that_is_not_understood_is_one_line(
    option: str, golden: Path, run_cli: RunCli
) -> None:
    ran = run_cli(option, cwd=golden)
    assert (ran.code, ran.out, ran.said.count("\n")) == (2, b"", 1)
    assert option in ran.said


def test_a_message_nobody_can_read_changes_no_exit_code(golden: Path) -> None:
    read, written = os.pipe()
    os.close(read)
    with child("show", "nothing", cwd=golden, stderr=written) as process:
        os.close(written)
    assert process.returncode == 2


def test_a_reader_that_stops_early_is_no_error(golden: Path) -> None:
    with child(
        "show", FRESH, cwd=golden, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_behind_standard_output_is_one_line(golden: Path) -> None:
    with (
        Path("/dev/full").open("wb") as full,
        child("board", cwd=golden, stdout=full, stderr=subprocess.PIPE) as process,
    ):
        assert process.stderr is not None
        said = process.stderr.read().decode()
    assert process.returncode == 2
    assert said.count("\n") == 1
    assert "No space left" in said


def test_a_closed_standard_output_is_one_line(golden: Path) -> None:
    line = f"{sys.executable} -m mandrel_tui board >&-"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=golden,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_an_interrupt_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    code, shown = in_terminal(["init"], tmp_path, typed=[(b"[y/N]", b"\x03")])
    assert code == 130
    assert b"Traceback" not in shown
    assert list(tmp_path.iterdir()) == []


BREAKS = """\
import mandrel_tui.commands.reading

def broken(arguments):
    raise KeyError("odd\\nkey")

mandrel_tui.commands.reading.run_board = broken
"""


def test_an_error_nobody_expected_is_one_line_with_its_report(
    golden: Path, home: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    (tmp_path / "sitecustomize.py").write_text(BREAKS, "utf-8")
    ran = run_cli("board", cwd=golden, env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"})
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said.count("\n") == 1
    assert "unexpected KeyError" in ran.said
    report = Path(ran.said.split("details in ")[1].strip())
    assert report.is_relative_to(home)
    assert "in broken" in report.read_text("utf-8")


def test_a_working_folder_that_is_gone_is_one_line(tmp_path: Path, run_cli: RunCli) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"rmdir {gone}; exec {sys.executable} -m mandrel_tui board"
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"mandrel-tui: the working folder is gone; -C names another\n"


def test_arguments_that_are_no_text_are_refused_in_one_line(golden: Path, run_cli: RunCli) -> None:
    ran = run_cli(b"show", b"\xff\x1b[31m", cwd=golden)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.said.count("\n") == 1
    assert "\x1b" not in ran.said


@pytest.mark.parametrize(
    "name", ["with space", "quote'\"", "%d #$HOME", "-dash", "e\u0301 日本", "[red]"]
)
def test_a_repository_at_an_odd_path_works(name: str, golden: Path, run_cli: RunCli) -> None:
    odd = golden.rename(golden.parent / name)
    assert len(run_cli("board", "--json", cwd=odd).json) == 51
    assert run_cli("prompt", FRESH, cwd=odd).code == 0
    assert name in run_cli(f"--repo={odd}", "board").text


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_a_terminal_that_wants_it(
    env: dict[str, str], coloured: bool, golden: Path
) -> None:
    code, shown = in_terminal(["board"], golden, env=env)
    assert (code, b"\x1b[" in shown) == (0, coloured)


def test_titles_are_cut_at_the_edge_of_the_terminal(golden: Path) -> None:
    task = golden / f".ai-tasks/{FRESH}.md"
    wide = task.read_bytes().replace(b"# A golden task", f"# {'表示幅' * 60}".encode())
    task.write_bytes(wide)
    _, shown = in_terminal(["board"], golden, env={"NO_COLOR": "1"})
    line = next(line for line in shown.decode().split("\r\n") if "表" in line)
    assert line.endswith("…")
    assert 78 <= width(line) <= 80
