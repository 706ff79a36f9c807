"""Cases of paths, permissions, locale and clock: where and as whom the program runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.situations.case import Case, assert_expected, build, diagnostics, drift
from tests.situations.tmux import app, results, top_bar


def test_path_01_odd_repo_path(case: Case) -> None:
    odd = case.start
    assert '"Pro ject" 100% #1 $HOME cafe\u0301 & co/-repo' in str(odd)
    decomposed = "2026-06-01-cafe\u0301"
    for arguments, folder in (
        ((), odd),
        ((), odd / "src"),
        ((), case.root / "repo"),
        (("-C", odd), case.root),
        (("--repo=-repo",), odd.parent),
    ):
        rows = {row["task"]: row for row in case.json(*arguments, "board", cwd=folder)}
        assert set(rows) == {"done-1", "other-1", decomposed}
        assert drift(rows) == {"done-1": [], "other-1": [], decomposed: ["same-letters"]}
    (twin,) = diagnostics(rows[decomposed], "same-letters")
    assert (twin["file"], twin["line"]) == (".ai-tasks/index.md", 11)
    assert "index-row-without-file" not in case.run("board").text
    assert case.run("board").text.startswith(f"{odd}: 3 tasks\n")
    with app(case, size=(80, 24)) as terminal:
        assert top_bar(terminal, "tasks 3").startswith(" -repo  main ")
        terminal.wait("(?m)^  0/1 cafe\u0301 +⚑1  dev ")
        terminal.quit()
    skill = odd / ".ai-protocol/workflow/skills/closeout.md"
    assert f"`{skill}`" in case.prompt("done-1")
    assert case.json("show", decomposed)["id"] == decomposed
    assert f"`.ai-tasks/{decomposed}.md`" in case.prompt(decomposed)
    saved = odd.parent / "-my prompt.txt"
    ran = case.run("prompt", "other-1", "--sid=x", "--output", "../-my prompt.txt")
    assert (ran.code, ran.out) == (0, b"")
    assert b"MARK-CONTRACT-dev-advancement" in saved.read_bytes()


def test_locale_01_posix_ascii(case: Case) -> None:
    assert (case.env["LC_ALL"], case.env["PYTHONUTF8"]) == ("C", "0")
    assert_expected(case)
    title = "Ünïcode títle 日本"
    assert case.board()["loc-1"]["title"] == title
    (entry,) = case.json("show", "loc-1")["entries"]
    assert (entry["sid"], entry["before"], entry["after"]) == ("sidA", "in_progress", "in_progress")
    assert entry["fields"]["Done"] == "naïve → fixed ✅"
    assert title in case.run("board").text
    assert "Done: naïve → fixed ✅" in case.run("show", "loc-1").text
    contract = case.repo / ".ai-protocol/protocols/review.md"
    contract.write_bytes(contract.read_bytes() + "- naïve → fixed ✅ 日本\n".encode())
    fixed = ("prompt", "loc-1", "--sid", "sïd-→", "--now", "2026-06-02T09:00:00Z")
    posix = case.run(*map(os.fsencode, fixed))
    assert (posix.code, contract.read_bytes() in posix.out) == (0, True)
    assert "`sïd-→`".encode() in posix.out
    assert case.run(*fixed, env={"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}).out == posix.out
    answer = "naïve → fixed ✅"
    said = case.run("followup", "loc-1", "human-instruction", "--answer", answer.encode())
    assert answer.encode() in said.out
    with app(case, size=(80, 24)) as terminal:
        screen = terminal.wait(r"c copies [\d,]+\s")
        assert "\n= tasks 1 ===" in screen
        assert "\n- o in_progress 1 " in screen
        assert "\n> 1/2 loc-1 " in screen
        assert title in screen
        terminal.keys("Enter")
        terminal.wait("= loc-1 ")
        terminal.keys("t")
        terminal.wait("Done   naïve → fixed ✅")
        terminal.keys("p")
        prompt = terminal.wait("- preview -")
        typed = set((case.tasks / "loc-1.md").read_text(encoding="utf-8"))
        assert {c for c in screen + prompt if not c.isascii()} <= typed
        terminal.keys("q")
        terminal.wait("= loc-1 ")
        terminal.keys("q")
        terminal.wait("= tasks 1 =")
        terminal.quit()
    unknown = case.run("show", "títle-日本".encode())
    assert (unknown.code, "títle-日本" in unknown.said) == (2, True)


def test_time_01_utc_and_local_date(case: Case) -> None:
    claim = re.compile(r"`claimed-by: [0-9a-f-]{36}@(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)`")
    for zone in (case.env["TZ"], "XXX-14", "XXX+12"):
        began = datetime.now(UTC).replace(microsecond=0)
        ran = case.run("prompt", "other-1", env={"TZ": zone})
        found = claim.search(ran.text)
        assert found is not None, ran.text
        stamp = datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        assert began <= stamp <= datetime.now(UTC)
    file = case.tasks / "done-1.md"
    past = (datetime.now(UTC) - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    file.write_text(file.read_text().replace("2026-06-02T23:30:00Z", past))
    future = (datetime.now(UTC) + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    other = case.tasks / "other-1.md"
    other.write_text(other.read_text().replace("claimed-by: \n", f"claimed-by: sidX@{future}\n"))
    ages = set()
    for zone in (case.env["TZ"], "XXX+12"):
        with app(case, env={"TZ": zone}) as terminal:
            screen = terminal.wait("claimed by sidR since ")
            (row,) = (row for row in screen.split("\n") if " done-1 " in row)
            ages.add(row.partition("│")[0].split()[-1])
            terminal.quit()
    assert ages <= {"1h", "60m", "61m"}
    for zone in (case.env["TZ"], "XXX+12"):
        rows = case.board(env={"TZ": zone})
        claims = {
            name: [d["rule"] for d in diagnostics(row, "claim")] for name, row in rows.items()
        }
        assert claims == {"done-1": [], "other-1": ["claim-future"]}


def test_path_05_permissions(open_folder: Path) -> None:
    case = build("path-05-permissions", open_folder / "situation")
    user = (case.root / "as-user.sh",)
    reaches = [*user, sys.executable, "-c", "import mandrel_tui.ui.app"]
    if subprocess.run(reaches, env=case.env, capture_output=True).returncode != 0:
        pytest.skip("another user cannot reach the program")
    scratch = open_folder / "tmp"
    scratch.mkdir()
    scratch.chmod(0o1777)
    env = {"TMPDIR": str(scratch)}

    def run(*arguments: str) -> Ran:
        return case.run(*arguments, prefix=user, env=env)

    before = case.snapshot()
    rows = case.board(prefix=user, env=env)
    assert set(rows) == {"done-1", "other-1", "sec-1"}
    (secret,) = diagnostics(rows["sec-1"], "unreadable")
    assert secret["message"] == "cannot be read (permission denied)"
    assert (rows["sec-1"]["turn"], rows["sec-1"]["status"]) == ("invalid", None)
    board = run("board")
    assert "cannot be read (permission denied)" in board.text
    assert board.said == ""
    assert run("show", "sec-1").code == run("next", "sec-1").code == 0
    prompt = run("prompt", "sec-1")
    assert (prompt.code, prompt.out) == (2, b"")
    assert "sec-1.md: cannot be read (permission denied)" in prompt.said
    assert "MARK-CONTRACT-dev-advancement" in run("prompt", "other-1").text
    copied = run("prompt", "other-1", "--copy")
    assert copied.out == b""
    assert copied.said.count("permission denied") == 1
    assert case.snapshot() == before
    with app(case, size=(100, 30), prefix=user, env=env) as terminal:
        screen = terminal.wait("━ tasks 3, 1 cannot be read ━")
        assert re.search("(?m)^  -/- sec-1 .* ⚑2 !unread ", screen)
        terminal.keys("End")
        terminal.wait("cannot be read \\(permission denied\\)")
        terminal.keys("k", "k")
        terminal.wait("(?m)^› 0/1 other-1 ")
        terminal.wait(r"c copies [\d,]+ bytes")
        terminal.keys("c")
        terminal.wait(f"sent to the terminal, cannot be checked; file {re.escape(str(scratch))}")
        said = results(terminal, "not recorded: nothing is kept in ", "permission denied")
        assert said.count("permission denied") == 1
        terminal.keys("Escape")
        terminal.lose("┏━")
        terminal.quit()
    assert list((case.root / "home").iterdir()) == []
    case.tasks.chmod(0o000)
    for arguments in (("board",), ("board", "--json"), ("next",), ("prompt", "other-1")):
        closed = run(*arguments)
        assert (closed.code, closed.out) == (2, b"")
        assert f"{case.tasks}: cannot be read (permission denied)" in closed.said
    case.tasks.chmod(0o755)
    assert case.passes
