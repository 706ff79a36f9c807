"""`board`, `show` and `next`: their JSON shapes, their text for people, and what they never do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mandrel_tui.commands.cells import width
from tests.conftest import RunCli

BOARD_FIELDS = (
    "schema task id status session_est title blockers archived turn mode escalation handover "
    "diagnostics"
)
NEXT_FIELDS = (
    "schema task status turn rule role mode reason pending_review group escalation "
    "ignored_fix_set legal_roles diagnostics"
)
SHOW_FIELDS = f"{BOARD_FIELDS} fields sections entries groups claimed_sid"

TASK = """\
---
id: {id}
status: {status}
session-est: 1/3
blockers: {blockers}
prefetch: []
claimed-by: sid-a@2026-03-02T09:00:00Z
---

# {title}

## Goal

It is there.

## Scope

- one thing

## Acceptance

- it can be seen

## Session log

### 2026-03-02 / sid-a / (pending → in_progress)
- Done: the first part
- Next: more
- Open: none
"""


def task(title: str = "A thing", id: str = "one", status: str = "in_progress") -> str:
    blockers = "[external:which limit?]" if status == "blocked" else "[]"
    return TASK.format(id=id, status=status, title=title, blockers=blockers)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A repository without git that holds one task and one archived."""
    repository = tmp_path / "repository"
    (repository / ".ai-tasks/archive").mkdir(parents=True)
    write(repository, "one", task())
    (repository / ".ai-tasks/archive/old.md").write_bytes(
        task(id="old", status="completed").encode()
    )
    return repository


def write(repository: Path, name: str, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    (repository / f".ai-tasks/{name}.md").write_bytes(data)


def test_a_board_element_has_exactly_its_fields(store: Path, run_cli: RunCli) -> None:
    (row,) = run_cli("board", "--json", cwd=store).json
    assert " ".join(row) == BOARD_FIELDS
    assert (row["schema"], row["task"], row["turn"], row["mode"]) == (1, "one", "review", "interim")
    assert (row["session_est"], row["blockers"], row["handover"]) == ("1/3", [], None)


def test_archived_rows_have_no_turn(store: Path, run_cli: RunCli) -> None:
    rows = run_cli("board", "--archived", "--json", cwd=store).json
    old = next(row for row in rows if row["task"] == "old")
    assert (old["archived"], old["turn"], old["mode"]) == (True, None, None)


def test_the_board_can_be_narrowed_to_a_status(store: Path, run_cli: RunCli) -> None:
    write(store, "two", task(id="two", status="blocked"))
    rows = run_cli("board", "--status", "blocked", "--json", cwd=store).json
    assert [(row["task"], row["status"]) for row in rows] == [("two", "blocked")]
    assert run_cli("board", "--status", "pending", "--json", cwd=store).json == []


def test_a_diagnostic_has_rule_file_line_message_and_hint(store: Path, run_cli: RunCli) -> None:
    write(store, "one", task(status="doing"))
    (row,) = run_cli("board", "--json", cwd=store).json
    found = next(d for d in row["diagnostics"] if d["rule"] == "status-unknown")
    assert list(found) == ["rule", "file", "line", "message", "hint"]
    assert (found["file"], found["line"]) == (".ai-tasks/one.md", 3)
    assert (row["status"], row["turn"]) == (None, "invalid")


def test_next_has_exactly_its_fields(store: Path, run_cli: RunCli) -> None:
    (listed,) = run_cli("next", "--json", cwd=store).json
    one = run_cli("next", "one", "--json", cwd=store).json
    assert " ".join(one) == NEXT_FIELDS
    assert one == listed
    assert (one["rule"], one["role"], one["mode"]) == (4, "review", "interim")
    assert one["pending_review"] == ["sid-a"]
    assert one["legal_roles"] == ["dev-advancement", "review", "plan"]


def test_next_of_an_archived_task_says_that_nothing_is_next(store: Path, run_cli: RunCli) -> None:
    ran = run_cli("next", "old", "--json", cwd=store)
    assert ran.code == 0
    assert (ran.json["turn"], ran.json["rule"], ran.json["legal_roles"]) == (None, None, [])
    assert "archived" in run_cli("next", "old", cwd=store).text


def test_show_adds_what_the_file_says(store: Path, run_cli: RunCli) -> None:
    shown = run_cli("show", "one", "--json", cwd=store).json
    assert " ".join(shown) == SHOW_FIELDS
    assert shown["fields"]["session-est"] == "1/3"
    assert shown["sections"]["Goal"].strip() == "It is there."
    assert shown["entries"] == [
        {
            "line": 26,
            "date": "2026-03-02",
            "sid": "sid-a",
            "review_of": None,
            "before": "pending",
            "after": "in_progress",
            "fields": {"Done": "the first part", "Next": "more", "Open": "none"},
        }
    ]
    assert (shown["groups"], shown["claimed_sid"]) == ([], "sid-a")


def test_show_finds_archived_tasks(store: Path, run_cli: RunCli) -> None:
    shown = run_cli("show", "old", "--json", cwd=store).json
    assert (shown["archived"], shown["turn"]) == (True, None)
    assert run_cli("show", "old", cwd=store).code == 0


def test_the_golden_groups_count_their_rounds(golden: Path, run_cli: RunCli) -> None:
    shown = run_cli("show", "2026-03-02-budget-spent", "--json", cwd=golden).json
    (group,) = (g for g in shown["groups"] if g["rounds"] > 2)
    assert list(group) == ["group", "rounds", "budget", "entries"]
    assert group["budget"] == 2
    assert all(0 <= place < len(shown["entries"]) for place in group["entries"])


def test_an_unknown_task_is_one_line_with_close_names(store: Path, run_cli: RunCli) -> None:
    for command in ("show", "next", "prompt"):
        ran = run_cli(command, "onee", cwd=store)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.said.count("\n") == 1
        assert "did you mean one?" in ran.said


def test_an_id_that_is_no_file_name_is_answered_with_the_name(store: Path, run_cli: RunCli) -> None:
    write(store, "two", task(id="real-id"))
    ran = run_cli("show", "real-id", cwd=store)
    assert (ran.code, ran.out) == (2, b"")
    assert "that is the id of two" in ran.said


def test_near_misses_and_files_of_another_encoding_hide_nothing(
    store: Path, run_cli: RunCli
) -> None:
    (store / ".ai-tasks/broken.md").symlink_to("nowhere.md")
    write(store, "two", b"\xff\xfe\x00 no front matter")
    ran = run_cli("board", cwd=store)
    assert ran.code == 0
    assert {".ai-tasks/broken.md", "two", "one"} <= set(ran.text.split())


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that cannot be read")
def test_a_file_that_cannot_be_read_is_a_task_with_its_reason(store: Path, run_cli: RunCli) -> None:
    (store / ".ai-tasks/odd.md").symlink_to("/proc/self/mem")
    rows = {row["task"]: row for row in run_cli("board", "--json", cwd=store).json}
    assert (rows["odd"]["turn"], rows["odd"]["status"]) == ("invalid", None)
    assert rows["odd"]["diagnostics"][0]["rule"] == "unreadable"
    for command in ("show", "next"):
        ran = run_cli(command, "odd", cwd=store)
        assert (ran.code, "input/output error" in ran.text) == (0, True)
    (store / ".ai-tasks/archive/gone.md").symlink_to("/proc/self/mem")
    for command in ("show", "next"):
        ran = run_cli(command, "gone", cwd=store)
        assert (ran.code, "input/output error" in ran.text) == (0, True)
    refused = run_cli("prompt", "odd", cwd=store)
    assert (refused.code, refused.out) == (2, b"")


def test_a_name_that_is_no_utf8_is_given_as_it_is_on_disk_or_as_it_is_shown(
    store: Path, run_cli: RunCli
) -> None:
    path = os.fsencode(store) + b"/.ai-tasks/caf\xe9.md"
    try:
        Path(os.fsdecode(path)).write_bytes((store / ".ai-tasks/one.md").read_bytes())
    except OSError:
        pytest.skip("no such names here")
    for name in (b"caf\xe9", b"caf\\xe9"):
        assert run_cli(b"next", b"--json", name, cwd=store).json["task"] == "caf\\xe9"


HOSTILE = "\x1b]52;c;aGk=\x07 \x9b31m \u202eevil [/bold] [red]x"


def test_no_control_character_of_a_file_reaches_the_terminal(store: Path, run_cli: RunCli) -> None:
    text = task(title=f"T{HOSTILE}").replace("the first part", f"done{HOSTILE}")
    write(store, "one", text.replace("one thing", f"one{HOSTILE}"))
    for command in (["board"], ["next"], ["show", "one"], ["show", "one", "--json"]):
        out = run_cli(*command, cwd=store).text
        assert not {c for c in out if not c.isprintable() and c != "\n"}, command
    assert "[/bold] [red]x" in run_cli("board", cwd=store).text


def test_json_keeps_text_exact(store: Path, run_cli: RunCli) -> None:
    write(store, "one", task(title=f"T{HOSTILE} 日本"))
    (row,) = run_cli("board", "--json", cwd=store).json
    assert row["title"] == f"T{HOSTILE} 日本"


def test_wide_titles_and_names_stay_in_their_columns(store: Path, run_cli: RunCli) -> None:
    write(store, "課題", task(id="課題", title="表示幅の確認"))
    write(store, "a-longer-name", task(id="a-longer-name", title="A narrow one"))
    lines = run_cli("board", cwd=store).text.split("\n")
    places = {width(line[: line.index(" review ")]) for line in lines if " review " in line}
    assert len(places) == 1


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_data_is_utf8_whatever_the_locale(
    locale: dict[str, str], store: Path, run_cli: RunCli
) -> None:
    write(store, "é", task(id="é", title="naïve → 日本"))
    ran = run_cli("show", "é", cwd=store, env=locale)
    assert ran.code == 0, ran.said
    assert "naïve → 日本" in ran.text
    assert run_cli("next", "é", "--json", cwd=store, env=locale).json["task"] == "é"
    assert "é" in run_cli("show", "éé", cwd=store, env=locale).said


def test_output_is_bare_when_it_is_no_terminal(store: Path, run_cli: RunCli) -> None:
    assert b"\x1b" not in run_cli("board", cwd=store, env={"TERM": "xterm-256color"}).out


def test_reading_leaves_the_repository_untouched(store: Path, run_cli: RunCli) -> None:
    before = sorted(str(p) for p in store.rglob("*"))
    for command in (["board", "--archived"], ["next"], ["show", "one"], ["prompt", "one"]):
        assert run_cli(*command, cwd=store).code == 0
    assert sorted(str(p) for p in store.rglob("*")) == before


def test_every_json_list_and_object_says_its_schema(golden: Path, run_cli: RunCli) -> None:
    for command in (["board", "--json"], ["next", "--json"]):
        ran = run_cli(*command, cwd=golden)
        assert all(element["schema"] == 1 for element in ran.json)
        assert all(json.loads(line.rstrip(",")) for line in ran.text.split("\n")[1:-2])


def test_a_folder_without_tasks_is_one_line_that_offers_init(
    tmp_path: Path, run_cli: RunCli
) -> None:
    (tmp_path / "empty").mkdir()
    for command in ("board", "next"):
        ran = run_cli(command, cwd=tmp_path / "empty")
        assert (ran.code, ran.out) == (2, b"")
        assert ran.said.count("\n") == 1
        assert "init" in ran.said and "demo" in ran.said


def test_the_repository_is_found_from_below_and_by_name(store: Path, run_cli: RunCli) -> None:
    below = store / "src/deep"
    below.mkdir(parents=True)
    assert len(run_cli("board", "--json", cwd=below).json) == 1
    assert len(run_cli("-C", store, "board", "--json").json) == 1
    assert len(run_cli("board", "--repo", store, "--json").json) == 1
