"""How a prompt, a folder and an environment get to an agent, or why they cannot."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mandrel_tui.workspace.launcher import (
    ARGUMENT,
    ARGUMENT_LIMIT,
    HEADLESS,
    HERE,
    PASTE,
    STDIN,
    TMUX,
    Launcher,
    Plan,
    clean_environment,
    conversation,
    plan,
)
from mandrel_tui.workspace.programs import NotStarted

AGENT = Launcher(
    name="agent",
    program="agent",
    resume=("--resume", "{sid}"),
    headless=("--print",),
    session=("--session-id", "{sid}"),
    stdin=("-",),
    conversations=("$AGENT_HOME/*/{sid}.jsonl", "~/.agent/*/{sid}.jsonl"),
)
LONG = b"x" * (ARGUMENT_LIMIT + 1)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    program = tmp_path / "bin/agent"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    return {"PATH": str(program.parent), "HOME": str(tmp_path / "home")}


def planned(
    environ: dict[str, str],
    data: bytes = b"---\nrole: dev\n",
    place: str = HERE,
    launcher: Launcher = AGENT,
    sid: str | None = "s-1",
    resume: bool = False,
) -> Plan:
    cwd = Path(environ["PATH"]).parent
    return plan(launcher, place, data, cwd, sid=sid, resume=resume, environ=environ, marks=())


def test_the_prompt_goes_whole_as_one_argument_behind_the_end_of_options(
    environ: dict[str, str],
) -> None:
    made = planned(environ)
    program = str(Path(environ["PATH"]) / "agent")
    assert made.argv == (program, "--session-id", "s-1", "--", b"---\nrole: dev\n")
    assert made.route == ARGUMENT
    assert made.line == "agent --session-id s-1 -- <prompt, 14 bytes>"


def test_bytes_that_are_no_text_go_as_they_are(environ: dict[str, str]) -> None:
    assert planned(environ, b"\xff\r\n").argv[-1] == b"\xff\r\n"


@pytest.mark.parametrize("place", [HERE, TMUX, HEADLESS])
def test_what_fits_an_argument_is_one_wherever_it_goes(environ: dict[str, str], place: str) -> None:
    assert planned(environ, LONG[:-1], place).route == ARGUMENT


def test_what_is_too_long_goes_on_standard_input_or_by_paste(environ: dict[str, str]) -> None:
    headless = planned(environ, LONG, HEADLESS)
    assert headless.route == STDIN and headless.argv[-1] == "-"
    assert headless.line.endswith("- < <prompt, 131,072 bytes>")
    pasted = planned(environ, LONG, TMUX)
    assert pasted.route == PASTE and pasted.argv[-1] == "s-1"
    assert planned(environ, b"a\0b", TMUX).route == PASTE


def test_what_reaches_no_agent_is_said_with_size_and_limit_before_anything_is_done(
    environ: dict[str, str],
) -> None:
    with pytest.raises(NotStarted, match=r"131,072 bytes and one argument holds 131,071") as told:
        planned(environ, LONG, HERE)
    assert "tmux takes it by paste" in str(told.value)
    with pytest.raises(NotStarted, match="NUL byte"):
        planned(environ, b"a\0b", HERE)
    deaf = Launcher("deaf", "agent", headless=())
    with pytest.raises(NotStarted, match="deaf reads none from standard input headless"):
        planned(environ, LONG, HEADLESS, deaf)


def test_a_conversation_is_resumed_by_its_id(environ: dict[str, str]) -> None:
    assert planned(environ, resume=True).arguments == ("--resume", "s-1")
    with pytest.raises(NotStarted, match="the id of its conversation is not known"):
        planned(environ, resume=True, sid=None)
    with pytest.raises(NotStarted, match="agent cannot resume a conversation headless"):
        planned(environ, place=HEADLESS, resume=True)


def test_an_id_of_another_form_is_no_conversation(environ: dict[str, str]) -> None:
    strict = replace(AGENT, sids="[0-9]+")
    assert planned(environ, launcher=strict, sid="17", resume=True).arguments == ("--resume", "17")
    with pytest.raises(NotStarted, match=r"17a is the id of no agent conversation: copy the text"):
        planned(environ, launcher=strict, sid="17a", resume=True)


def test_without_a_known_id_a_new_conversation_is_given_none(environ: dict[str, str]) -> None:
    assert planned(environ, sid=None).arguments == ()


@pytest.mark.parametrize("sid", ["--dangerous", "-x", "a b", "a\nb", "a\x1b"])
def test_an_id_from_a_task_file_is_never_an_option(environ: dict[str, str], sid: str) -> None:
    with pytest.raises(NotStarted, match="none that an agent could be given"):
        planned(environ, sid=sid, resume=True)


def test_a_missing_program_or_folder_is_named(environ: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match="no absent on PATH"):
        planned(environ, launcher=Launcher("absent", "absent"))
    with pytest.raises(NotStarted, match=r"the folder .*gone is not there"):
        plan(
            AGENT, HERE, b"x", tmp_path / "gone", sid=None, resume=False, environ=environ, marks=()
        )


def test_the_agent_sees_neither_gits_places_nor_an_outer_session() -> None:
    environ = {"GIT_DIR": "/x", "GIT_AUTHOR_NAME": "n", "MARK": "1", "HOME": "/h", "TMUX": "t"}
    kept, left_out = clean_environment(environ, ["MARK", "OTHER"])
    assert kept == {"GIT_AUTHOR_NAME": "n", "HOME": "/h", "TMUX": "t"}
    assert left_out == ("GIT_DIR", "MARK")


def begun(folder: Path, sid: str, cwd: str) -> None:
    folder.mkdir(parents=True)
    lines = ["not json", "[1]", json.dumps({"type": "x"}), json.dumps({"cwd": cwd})]
    (folder / f"{sid}.jsonl").write_text("\n".join(lines), encoding="utf-8")


def test_the_folder_of_a_conversation_is_read_from_the_agents_own_files(
    environ: dict[str, str], tmp_path: Path
) -> None:
    assert conversation(AGENT, "s-1", environ).folder is None
    begun(tmp_path / "home/.agent/key", "s-1", str(tmp_path))
    found = conversation(AGENT, "s-1", environ)
    assert found.folder == tmp_path and not found.gone
    assert conversation(AGENT, "s-*", environ).folder is None
    begun(tmp_path / "elsewhere/key", "s-1", str(tmp_path / "removed"))
    moved = conversation(AGENT, "s-1", {**environ, "AGENT_HOME": str(tmp_path / "elsewhere")})
    assert moved.folder == tmp_path / "removed" and moved.gone
