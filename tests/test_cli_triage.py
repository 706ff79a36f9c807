"""`new`, `block`, `unblock`, `edit` and `graph` through the real command line."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.builders import a_task, work
from tests.conftest import RunCli
from tests.terminals import in_terminal

NAME = "2026-03-02-a-task"
TABLE = "# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
INDEX = f"{TABLE}| {NAME} | A task | in_progress |\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".ai-tasks").mkdir(parents=True)
    (root / ".ai").mkdir()
    (root / ".ai/index.md").write_text("| File |\n|---|\n| map.md |\n| modules.md |\n", "utf-8")
    (root / ".ai/modules.md").write_text("# Modules\n", "utf-8")
    (root / ".ai-tasks/index.md").write_text(INDEX, "utf-8")
    (root / f".ai-tasks/{NAME}.md").write_bytes(a_task(work()))
    return root


def content(root: Path) -> dict[str, bytes]:
    files = (path for path in (root / ".ai-tasks").iterdir() if path.is_file())
    return {path.name: path.read_bytes() for path in files}


def today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


COMMANDS = (
    ("new", "--title", "Another"),
    ("block", NAME, "--reason", "why?"),
    ("edit", NAME, "session-est=2/3"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_yes_the_diff_is_shown_and_nothing_written(
    project: Path, run_cli: RunCli, command: tuple[str, ...]
) -> None:
    before = content(project)
    ran = run_cli(*command, cwd=project)
    assert ran.code == 1
    assert "--- " in ran.text and "+++ b/.ai-tasks/" in ran.text
    assert "nothing was written; --yes writes without asking" in ran.said
    assert content(project) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_what_was_shown_is_what_is_written(
    project: Path, run_cli: RunCli, command: tuple[str, ...]
) -> None:
    before = content(project)
    shown = run_cli(*command, cwd=project).out
    done = run_cli(*command, "--yes", cwd=project)
    assert (done.code, done.out) == (0, shown)
    assert "wrote .ai-tasks/" in done.said
    assert content(project) != before


@pytest.mark.parametrize(("answer", "code", "written"), [(b"y\n", 0, True), (b"\n", 1, False)])
def test_a_person_at_the_terminal_is_asked(
    project: Path, answer: bytes, code: int, written: bool
) -> None:
    before = content(project)
    ended, shown = in_terminal(
        ["block", NAME, "--reason", "why?"], project, typed=[(b"write this? [y/N]", answer)]
    )
    assert ended == code
    assert b"+status: blocked" in shown
    assert (content(project) != before) is written


def test_a_block_that_closes_a_circle_says_so(project: Path, run_cli: RunCli) -> None:
    other = a_task(id="other", status="blocked", blockers=f"[{NAME}]")
    (project / ".ai-tasks/other.md").write_bytes(other)
    ran = run_cli("block", NAME, "--reason", "other", cwd=project)
    assert (ran.code, ran.said.count("it waits for tasks that wait for it")) == (1, 1)


def test_blocking_and_unblocking_leaves_no_trace(project: Path, run_cli: RunCli) -> None:
    before = content(project)
    reason = 'wait, is it "a" or [b]? No. 42'
    assert run_cli("block", NAME, "--reason", reason, "--yes", cwd=project).code == 0
    row = run_cli("show", NAME, "--json", cwd=project).json
    assert (row["status"], row["blockers"]) == ("blocked", [f"external:{reason}"])
    assert f"| {NAME} | A task | blocked |" in content(project)["index.md"].decode()
    assert run_cli("unblock", NAME, "--yes", cwd=project).code == 0
    assert content(project) == before


def test_a_new_task_reads_its_texts_from_files_and_sentences(
    project: Path, run_cli: RunCli
) -> None:
    (project / "goal.md").write_text("Why it is wanted.\n", "utf-8")
    ran = run_cli(
        *("new", "--title", "Crawl | faster", "--goal", "goal.md", "--scope", "Only the queue."),
        *("--acceptance", "-", "--est", "6", "--prefetch", "modules.md", "--yes"),
        cwd=project,
        stdin=b"- it is fast\r\n",
    )
    assert ran.code == 0
    name = f"{today()}-crawl-faster"
    assert content(project)[f"{name}.md"].decode() == (
        f"---\nid: {name}\nstatus: pending\nsession-est: 0/6\nblockers: []\n"
        "prefetch: [.ai/modules.md]\n---\n\n# Crawl | faster\n\n## Goal\n\nWhy it is wanted.\n\n"
        "## Scope\n\nOnly the queue.\n\n## Acceptance\n\n- it is fast\n\n## Session log\n"
    )
    row = f"| {name} | Crawl \\| faster | pending |\n"
    assert content(project)["index.md"].decode() == INDEX + row
    assert "6 sessions: over 5" in ran.said
    (task,) = [r for r in run_cli("board", "--json", cwd=project).json if r["task"] == name]
    assert [d["rule"] for d in task["diagnostics"]] == []


def test_a_title_twice_on_a_day_gets_a_number_and_a_warning(project: Path, run_cli: RunCli) -> None:
    (project / ".ai-tasks/archive").mkdir()
    old = project / f".ai-tasks/archive/{today()}-same-thing.md"
    old.write_bytes(a_task(id=f"{today()}-same-thing", status="completed"))
    first = run_cli("new", "--title", "Same thing", "--yes", cwd=project)
    second = run_cli("new", "--title", "Same thing", "--yes", cwd=project)
    assert f"wrote .ai-tasks/{today()}-same-thing-2.md" in first.said
    assert f"wrote .ai-tasks/{today()}-same-thing-3.md" in second.said
    assert f"{today()}-same-thing-2 has a title like it" in second.said


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        (("new", "--title", " "), 1, "needs a title"),
        (("new",), 2, "--title"),
        (("new", "--title", "T", "--est", "0"), 2, "at least one session"),
        (("new", "--title", "T", "--est", "many"), 2, "--est"),
        (("new", "--title", "T", "--goal", "nowhere.md"), 2, "nowhere.md: not there"),
        (("new", "--title", "T", "--prefetch", "map.md"), 1, "loads always"),
        (("new", "--title", "T", "--goal", "-", "--scope", "-"), 2, "only one text"),
        (("block", NAME), 2, "--reason"),
        (("block", NAME, "--reason", ""), 1, "reason is empty"),
        (("block", "nobody", "--reason", "x"), 2, "no task is named nobody"),
        (("block", NAME, "--reason", "2026-01-01-old"), 1, "2026-01-01-old is archived"),
        (("unblock", NAME), 1, "not blocked"),
        (("edit", NAME, "status"), 2, "write KEY=VALUE"),
        (("edit", NAME, "status=done"), 1, "no status"),
        (("edit", NAME, "status=in_progress"), 1, "says so already"),
        (("edit", NAME, "prefetch=[.ai/nope.md]"), 1, ".ai/nope.md is not there"),
        (("edit", NAME, "prefetch=map.md"), 1, "loads always"),
        (("edit", NAME, "id=x", "id=y"), 2, "given twice"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_an_exit_code(
    project: Path, run_cli: RunCli, command: tuple[str, ...], code: int, words: str
) -> None:
    (project / ".ai-tasks/archive").mkdir()
    (project / ".ai-tasks/archive/2026-01-01-old.md").write_bytes(a_task(id="2026-01-01-old"))
    before = content(project)
    ran = run_cli(*command, "--yes", cwd=project)
    assert (ran.code, ran.out, ran.said.count("\n")) == (code, b"", 1)
    assert words in ran.said
    assert content(project) == before


def test_an_edit_says_what_would_be_odd_about_the_task(project: Path, run_cli: RunCli) -> None:
    ran = run_cli("edit", NAME, "status=blocked", cwd=project)
    assert "it names no blocker; name what blocks it" in ran.said
    ran = run_cli("edit", NAME, "blockers=[2026-01-01-nothing]", cwd=project)
    assert "`2026-01-01-nothing` is no task" in ran.said
    assert "in_progress, yet 1 blocker is listed" in ran.said
    assert run_cli("edit", NAME, "session-est=2/3", cwd=project).said.count("\n") == 1


def test_an_edit_in_the_editor_says_what_the_index_tells_otherwise(
    project: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    changes = editor(tmp_path, 'sed -i "s/^status: .*/status: pending/" "$2"')
    ran = run_cli("edit", NAME, cwd=project, env={"VISUAL": changes})
    assert "the index says in_progress, the file pending" in ran.said


def test_an_archived_task_is_not_edited(project: Path, run_cli: RunCli) -> None:
    (project / ".ai-tasks/archive").mkdir()
    (project / ".ai-tasks/archive/old.md").write_bytes(a_task(id="old"))
    ran = run_cli("edit", "old", "status=pending", "--yes", cwd=project)
    assert (ran.code, ran.out) == (1, b"")
    assert "archived" in ran.said


def test_a_diff_shows_control_characters_and_obeys_none(project: Path, run_cli: RunCli) -> None:
    (project / f".ai-tasks/{NAME}.md").write_bytes(a_task(front=["x: \x1b[31mred"]))
    ran = run_cli("edit", NAME, "session-est=2/3", cwd=project)
    assert b"\x1b" not in ran.out


def editor(folder: Path, body: str) -> str:
    path = folder / "my editor"
    path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    path.chmod(0o755)
    return f"'{path}' -w"


def test_without_values_the_editor_edits_a_copy_and_the_diff_is_shown(
    project: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    env = {"EDITOR": editor(tmp_path, 'sed -i.bak "s/^# A task/# Another/" "$2"')}
    shown = run_cli("edit", NAME, cwd=project, env=env)
    assert shown.code == 1
    assert [line for line in shown.text.splitlines()[3:] if line[0] in "+-"] == [
        "-# A task",
        "+# Another",
    ]
    done = run_cli("edit", NAME, "--yes", cwd=project, env={**env, "VISUAL": ""})
    assert done.code == 0
    assert b"\n# Another\n" in content(project)[f"{NAME}.md"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('echo x >> "$2"; exit 1', "exit status 1; the edit is discarded"),
        ("true", "was not changed"),
    ],
)
def test_an_edit_that_comes_to_nothing_writes_nothing(
    project: Path, tmp_path: Path, run_cli: RunCli, body: str, words: str
) -> None:
    before = content(project)
    ran = run_cli("edit", NAME, "--yes", cwd=project, env={"VISUAL": editor(tmp_path, body)})
    assert (ran.code in (1, 2), ran.out) == (True, b"")
    assert words in ran.said
    assert content(project) == before


def test_without_an_editor_it_says_where_it_looked(project: Path, run_cli: RunCli) -> None:
    ran = run_cli("edit", NAME, cwd=project)
    assert ran.code == 2
    assert "neither $VISUAL nor $EDITOR is set" in ran.said


def test_a_text_that_could_not_be_written_is_kept(
    project: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    task = project / f".ai-tasks/{NAME}.md"
    body = f'echo "my words" >> "$2"; echo "of an agent" >> "{task}"'
    ran = run_cli("edit", NAME, "--yes", cwd=project, env={"VISUAL": editor(tmp_path, body)})
    assert ran.code == 2
    assert f".ai-tasks/{NAME}.md changed since it was read" in ran.said
    kept = next(w for w in ran.said.split() if w.startswith("/") and w.endswith(".md"))
    assert Path(kept).read_bytes().endswith(b"my words\n")
    assert task.read_bytes().endswith(b"of an agent\n")


def test_an_editor_on_a_terminal_has_it(project: Path, tmp_path: Path) -> None:
    body = 'printf "type: "; read words < /dev/tty; echo "$words" >> "$2"'
    code, shown = in_terminal(
        ["edit", NAME],
        project,
        typed=[(b"type: ", b"hello\n"), (b"write this? [y/N]", b"y\n")],
        env={"VISUAL": editor(tmp_path, body)},
    )
    assert code == 0
    assert b"+hello" in shown
    assert content(project)[f"{NAME}.md"].endswith(b"\nhello\n")


def test_the_graph_lists_the_ready_ones_first(project: Path, run_cli: RunCli) -> None:
    store = project / ".ai-tasks"
    for name, blockers in (("b", f"{NAME}, gone"), ("c", "d"), ("d", "c, external:which?")):
        data = a_task(id=name, status="blocked", blockers=f"[{blockers}]")
        (store / f"{name}.md").write_bytes(data)
    nodes = run_cli("graph", "--json", cwd=project).json
    assert [(node["schema"], node["task"], node["ready"]) for node in nodes] == [
        (1, NAME, True),
        (1, "b", False),
        (1, "c", False),
        (1, "d", False),
    ]
    assert nodes[1]["waits_for"] == [
        {"blocker": NAME, "kind": "task", "task": NAME, "circle": False},
        {"blocker": "gone", "kind": "unknown", "task": None, "circle": False},
    ]
    assert nodes[0]["waited_by"] == ["b"]
    assert run_cli("graph", cwd=project).text.splitlines() == [
        "1 ready now, 3 not",
        f"ready {NAME}  review",
        "      b  answer",
        f"        waits for {NAME}",
        "      ! waits for gone, which is no task",
        "      c  waits",
        "      ! waits for d, which waits for it",
        "      d  answer",
        "      ! waits for c, which waits for it",
        "        asks: which?",
    ]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes anywhere")
def test_a_store_that_cannot_be_written_is_said(project: Path, run_cli: RunCli) -> None:
    (project / ".ai-tasks").chmod(0o555)
    ran = run_cli("new", "--title", "T", "--yes", cwd=project)
    (project / ".ai-tasks").chmod(0o755)
    assert ran.code == 2
    assert "permission denied" in ran.said
