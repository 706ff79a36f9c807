"""README.md names the keys that `--json` prints, no more and no fewer."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mandrel_tui.commands.parser import build_parser
from mandrel_tui.resources import bundled
from mandrel_tui.workspace.sample import make
from tests.conftest import RunCli
from tests.house.readme_tables import README, subcommands

ROWS = dict(
    re.findall(r"^\| `([a-z]+) --json` \| [^|]+ \| (.*) \|$", README.read_text("utf-8"), re.M)
)
DRAIN = "fifo-drain"
ARGUMENTS = {
    "board": (),
    "show": (DRAIN,),
    "next": (),
    "inbox": (),
    "graph": (),
    "receipts": (),
    "check": (DRAIN,),
    "rule": ("stall-detection",),
    "closeout": ("barrier-timeouts",),
    "curate": (".ai/design.md",),
}


def keys(words: str) -> list[str]:
    return re.findall(r"`(\w+)`", words)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample repository."""
    root = tmp_path_factory.mktemp("sample") / "s"
    make(root, bundled("contracts"), datetime.now(UTC))
    return root


@pytest.mark.parametrize("command", ARGUMENTS)
def test_the_keys_of_a_commands_objects_are_those_of_the_page(
    command: str, sample: Path, run_cli: RunCli
) -> None:
    names = {path.stem[11:]: path.stem for path in (sample / ".ai-tasks").glob("2*.md")}
    arguments = [names.get(word, word) for word in ARGUMENTS[command]]
    if command == "receipts":
        output = sample.parent / "prompt.md"
        assert run_cli("prompt", names[DRAIN], "--output", output, cwd=sample).code == 0
    printed = run_cli(command, *arguments, "--json", cwd=sample).json
    (first, *_) = printed if isinstance(printed, list) else [printed]
    plain, _, verified = ROWS[command].partition("; with `--verify` instead ")
    above = keys(ROWS["board"]) if command == "show" else []
    expected = [*above, *(key for key in keys(plain) if key != "board")]
    assert list(first) == ["schema", *expected]
    if verified:
        done = run_cli(command, *arguments, "--verify", "--json", cwd=sample).json
        assert list(done) == ["schema", *keys(verified)]


def test_what_is_null_of_an_archived_task_is_on_the_page(sample: Path, run_cli: RunCli) -> None:
    page = README.read_text("utf-8")
    (said,) = re.findall(r"- In the JSON of an archived task (.+?)\s+are null", page, re.S)
    (name, *_) = (path.stem for path in (sample / ".ai-tasks/archive").glob("2*.md"))
    printed = run_cli("next", name, "--json", cwd=sample).json
    shown = run_cli("show", name, "--json", cwd=sample).json
    assert {key for one in (printed, shown) for key in one if one[key] is None} == set(keys(said))


def test_every_command_that_prints_json_is_on_the_page() -> None:
    printing = {
        name
        for name, parser in subcommands(build_parser()).items()
        if any("--json" in action.option_strings for action in parser._actions)
    }
    assert set(ROWS) == printing == set(ARGUMENTS)
