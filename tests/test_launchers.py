"""The table of launchers, and what the user's settings add to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.launchers import load_launchers
from mandrel_tui.settings import load
from mandrel_tui.workspace.launcher import HEADLESS, HERE, Launcher

SID = "5f0c2b1e-0000-4000-8000-000000000001"
BUNDLED, _ = load_launchers({})


@pytest.mark.parametrize(
    ("name", "place", "resume", "arguments"),
    [
        ("claude", HERE, False, ["--session-id", SID]),
        ("claude", HERE, True, ["--resume", SID]),
        ("claude", HEADLESS, False, ["--print", "--session-id", SID]),
        ("claude", HEADLESS, True, ["--print", "--resume", SID]),
        ("codex", HERE, False, []),
        ("codex", HERE, True, ["resume", SID]),
        ("codex", HEADLESS, False, ["exec"]),
        ("codex", HEADLESS, True, ["exec", "resume", SID]),
        ("cursor-agent", HERE, False, []),
        ("cursor-agent", HERE, True, ["--resume", SID]),
        ("cursor-agent", HEADLESS, False, ["--print"]),
        ("cursor-agent", HEADLESS, True, ["--print", "--resume", SID]),
    ],
)
def test_the_bundled_agents_are_started_by_their_documented_flags(
    name: str, place: str, resume: bool, arguments: list[str]
) -> None:
    launcher = BUNDLED[name]
    assert launcher.program == name
    assert list(launcher.arguments(place, SID, resume=resume)) == arguments
    assert launcher.prompt == ("--", "{prompt}")


def test_three_agents_come_with_the_program_in_a_fixed_order() -> None:
    assert list(BUNDLED) == ["claude", "codex", "cursor-agent"]
    assert all(launcher.marks for launcher in BUNDLED.values())


def of(table: object, name: str = "mine") -> tuple[dict[str, Launcher], tuple[str, ...]]:
    return load_launchers({name: table})


def test_the_user_adds_an_agent_or_changes_keys_of_one() -> None:
    table = {"program": "/opt/mine", "prompt": ["-i", "{prompt}"], "headless": ["run"]}
    launchers, faults = of(table)
    assert faults == () and launchers["mine"].prompt == ("-i", "{prompt}")
    assert launchers["mine"].resume is None and launchers["mine"].open == ()
    launchers, faults = of({"headless": ["--print", "--permission-mode", "acceptEdits"]}, "claude")
    assert faults == () and launchers["claude"].program == "claude"
    assert launchers["claude"].headless == ("--print", "--permission-mode", "acceptEdits")
    assert launchers["claude"].session == ("--session-id", "{sid}")


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "launchers.mine.program: it is missing"),
        ({"program": ""}, "launchers.mine.program: "),
        ({"program": "x", "flags": []}, "launchers.mine.flags: there is no such key"),
        ({"program": "x", "open": "y"}, "launchers.mine.open: "),
        ({"program": "x", "prompt": ["{prompt}", "{prompt}"]}, "exactly once"),
        ({"program": "x", "prompt": ["--prompt={prompt}"]}, "exactly once"),
        ("program", "launchers.mine"),
    ],
)
def test_a_launcher_that_is_wrong_is_left_out_with_a_line_that_says_where(
    table: object, words: str
) -> None:
    launchers, (fault,) = of(table)
    assert words in fault and "\n" not in fault
    assert list(launchers) == list(BUNDLED)


@pytest.mark.parametrize("name", ["clipboard", "file", "", "a\nb"])
def test_names_that_mean_something_else_are_no_agents(name: str) -> None:
    launchers, (fault,) = of({"program": "x"}, name)
    assert "no agent can have this name" in fault and list(launchers) == list(BUNDLED)


def test_settings_carry_the_tables_as_they_were_written(home: Path) -> None:
    file = home / "config/mandrel-tui/settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('agent = "mine"\n[launchers.mine]\nprogram = "/opt/mine"\n', encoding="utf-8")
    settings = load()
    assert settings.faults == () and settings.agent == "mine"
    assert load_launchers(settings.launchers)[0]["mine"].program == "/opt/mine"
    assert load({**_environ(home), "MANDREL_TUI_AGENT": "codex"}).agent == "codex"


def _environ(home: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(home / "config")}


def test_a_repository_can_name_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("settings.toml", ".mandrel/settings.toml", "mandrel_tui/launchers.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        text = '[launchers.evil]\nprogram = "/x"\n[claude]\nprogram = "/x"\n'
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_launchers(load().launchers)[0] == BUNDLED
