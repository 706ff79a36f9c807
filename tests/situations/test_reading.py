"""Cases of encoding, YAML, Markdown and protocol meaning: what is read, and what is next."""

from __future__ import annotations

import hashlib
import re

from tests.situations.case import Case, assert_expected, diagnostics, drift, rules
from tests.situations.tmux import app, body, right, shows


def test_enc_01_bom_before_fence(case: Case) -> None:
    before = case.snapshot()
    assert_expected(case)
    (row,) = case.board().values()
    assert row["title"] == "Saved by a Windows editor"
    assert row["id"] == row["task"] == "2026-06-01-bom"
    assert row["diagnostics"] == []
    assert case.json("show", "2026-06-01-bom")["claimed_sid"] == "sidA"
    assert case.holds_contract("2026-06-01-bom") == "review"
    with app(case) as terminal:
        screen = terminal.wait(r"c copies [\d,]+ bytes")
        assert "▾ ◔ in_progress 1 " in screen
        assert re.search("(?m)^› 1/2 .* bom +review ", screen)
        assert "─ log 1 ─" in screen
        terminal.quit()
    assert case.snapshot() == before
    data = (case.tasks / "2026-06-01-bom.md").read_bytes()
    assert (case.root / "before.sha256").read_text().split()[0] == hashlib.sha256(data).hexdigest()
    assert case.passes


def test_yaml_01_blockers_text(case: Case) -> None:
    assert_expected(case)
    asked = {
        "2026-06-01-a": ("waiting on vendor: reply due Friday", "sidA"),
        "2026-06-01-b": ("legal, finance and ops must sign", "sidB"),
        "2026-06-01-c": ("see ticket #812", "sidC"),
    }
    board, text = case.board(), case.run("board").text
    turns = {turn["task"]: turn for turn in case.json("next")}
    for name, (words, sid) in asked.items():
        assert board[name]["blockers"] == [f"external:{words}"]
        why = f"Blocked by a question: {words}; session {sid} resumes with your answer."
        assert (turns[name]["reason"], turns[name]["legal_roles"]) == (why, ["answer"])
        assert f"{words}\n" in text
        assert words in case.run("show", name).text
        assert words in case.refused("prompt", name)
        resume = case.run("followup", name, "blocked-resume", "--answer", "Sign by Monday.")
        assert (resume.code, "Sign by Monday." in resume.text) == (0, True)
    assert drift(board) == {name: [] for name in asked}
    assert "asked on Monday" not in text
    with app(case, size=(80, 24)) as terminal:
        terminal.wait("▾ ⊘ blocked 3 ")
        for name, (words, sid) in asked.items():
            terminal.wait(f"(?m)^› 1/2 {name[-1]} .* !answer ")
            shows(terminal, f"Blocked by a question: {words}; session {sid} resumes", right)
            shows(terminal, f"blockers: external:{words}", right)
            terminal.keys("c")
            terminal.wait("nothing is copied: only your answer is legal. ")
            terminal.keys("j")
        terminal.quit()


def test_yaml_05_comments_and_quotes(case: Case) -> None:
    assert_expected(case)
    board = case.board()
    template, quoted = "2026-06-01-tmpl", "2026-06-01-quoted"
    assert (board[template]["blockers"], board[template]["id"]) == ([], template)
    assert case.json("show", template)["claimed_sid"] == ""
    assert board[quoted]["id"] == quoted
    assert board[quoted]["blockers"] == [template, "external:the #ops channel"]
    assert case.json("show", quoted)["claimed_sid"] == "sid#7"
    assert case.json("next", quoted)["pending_review"] == ["sid#7"]
    assert drift(board) == {template: [], quoted: []}
    assert case.holds_contract(template) == "dev-advancement"
    assert case.holds_contract(quoted) == "review"
    assert "pending set to review: sid#7\n" in case.prompt(quoted)


def test_md_01_fence_with_entry_heading(case: Case) -> None:
    assert_expected(case)
    name = "2026-06-01-fence"
    shown = case.json("show", name)
    first, second = shown["entries"]
    assert "## Session log" in "".join(first["fields"].values())
    assert second["review_of"] == "sidA"
    (warned,) = (d for d in diagnostics(shown, "scheduler") if d["line"] == 34)
    heading = "2026-06-09 / example / (in_progress → final_review)"
    assert warned["message"] == f"it would take the quoted heading `{heading}` as an entry"
    text = case.run("show", name).text
    assert "Log, 2 entries" in text
    assert f"### {heading}" in text
    assert case.holds_contract(name) == "dev-advancement"
    with app(case, size=(80, 30)) as terminal:
        terminal.wait("(?m)^› 1/2 fence .* dev ")
        terminal.keys("Enter")
        terminal.wait(r"━ fence   \[task\]  log 2 ")
        terminal.keys("t")
        terminal.wait("(?m)^› 2 .* sidR  review  of sidA .* ✓ pass ")
        terminal.keys("Home")
        terminal.wait(f"(?ms)^› 1 .* sidA  dev .* ### {re.escape(heading)}")
        terminal.keys("t")
        terminal.wait(r"\[flags 2\]")
        terminal.keys("j")
        shows(terminal, f"it would take the quoted heading `{heading}` as an entry", body)
        terminal.keys("q")
        terminal.wait("━ tasks 1 ━")
        terminal.quit()


def test_md_06_index_table_pipes(case: Case) -> None:
    before = case.snapshot()
    board = case.board()
    assert drift(board) == {
        "2026-06-01-pipe": ["index-row-status"],
        "2026-06-01-pipe-2": [],
        "2026-06-02-mentions": [],
    }
    (other,) = diagnostics(board["2026-06-01-pipe"], "index")
    said = "the index says final_review, the file completed"
    assert (other["line"], other["message"]) == (6, said)
    assert case.run("board").text.count("index.md") == 1
    case.prompt("2026-06-01-pipe")
    assert case.snapshot() == before
    assert (case.root / "index.before").read_bytes() == (case.tasks / "index.md").read_bytes()


def test_md_08_prose_field_mention(case: Case) -> None:
    assert_expected(case)
    name = "2026-06-01-prose"
    turn = case.json("next", name)
    assert (turn["ignored_fix_set"], turn["group"]) == (False, "sidA")
    (warned,) = (d for d in diagnostics(turn, "scheduler") if d["line"] == 43)
    assert warned["message"] == "it would take `fix-set: open` from here"
    assert rules(turn, "fix-set", "verdict") == []
    work = case.json("show", name)["entries"][2]
    assert (work["sid"], work["review_of"]) == ("sidB", None)
    assert case.holds_contract(name) == "review"
    with app(case, size=(80, 24)) as terminal:
        terminal.wait("(?m)^› 2/3 prose .* review ")
        terminal.keys("Enter")
        screen = terminal.wait(r"━ prose   \[task\]  log 3 ")
        assert "fix-set" not in screen
        terminal.keys("t")
        log = terminal.wait("(?m)^› 3 .* sidB  dev ")
        assert log.count("✓ pass") == 1
        assert "✗ changes" not in log
        terminal.keys("t")
        terminal.wait("it would take `fix-set: open` from here")
        terminal.keys("q")
        terminal.wait("━ tasks 1 ━")
        terminal.quit()


def test_sem_01_fix_set_without_request(case: Case) -> None:
    assert_expected(case)
    turns = {turn["task"]: turn for turn in case.json("next")}
    assert [turn["pending_review"] for turn in turns.values()] == [["d2"]] * 4
    assert [turn["ignored_fix_set"] for turn in turns.values()] == [True, False, False, False]
    assert {name: rules(turn, "fix-set") for name, turn in turns.items()} == {
        "f-1": ["fix-set-ignored"],
        "f-2": [],
        "f-3": ["fix-set-value"],
        "f-4": [],
    }
    assert (turns["f-4"]["status"], turns["f-4"]["rule"]) == ("final_review", 3)
    assert turns["f-2"]["legal_roles"] == turns["f-4"]["legal_roles"] == ["dev-remediation"]
    assert "fix set" in case.refused("prompt", "f-2", "--kind", "review")
    wanted = {"f-1": "review", "f-2": "dev-remediation", "f-3": "review", "f-4": "dev-remediation"}
    assert {name: case.holds_contract(name) for name in turns} == wanted


def test_sem_03_index_drift(case: Case) -> None:
    before = case.snapshot()
    active = case.board()
    assert set(case.board("--archived")) == {*active, "2026-05-01-old-1"}
    assert drift(active) == {
        "done-1": [],
        "other-1": ["index-row-repeated", "index-row-status"],
        "lost-1": ["index-missing-row"],
        "extra-1": [],
    }
    text = case.run("board").text
    assert ".ai-tasks/index.md line 12 index-row-without-file: `ghost-1` has no file" in text
    assert ".ai-tasks/index.md line 13 index-row-archived: `old-1` is archived" in text
    with app(case) as terminal:
        terminal.wait("━ tasks 4 ━")
        terminal.wait(r"c copies [\d,]+ bytes")
        terminal.keys("End")
        shows(terminal, "`ghost-1` has no file", right)
        shows(terminal, "`old-1` is archived", right)
        terminal.quit()
    assert case.snapshot() == before
    lost = {name: ["index-missing-row"] for name in active}
    variants = {"none": lost, "empty": lost, "list": {**lost, "done-1": [], "other-1": []}}
    index = case.tasks / "index.md"
    for name, expected in variants.items():
        index.write_bytes((case.root / "variants" / f"{name}.md").read_bytes())
        assert drift(case.board()) == expected, name
        assert "index-damaged" not in case.run("board").text
    index.unlink()
    assert drift(case.board()) == {name: [] for name in active}
    case.prompt("done-1")
    assert not index.exists()


def test_sem_06_duplicate_ids(case: Case) -> None:
    before = case.snapshot()
    board = case.board()
    assert set(board) == {"done-1", "copy-of-done", "other-1", "file-name", "old-1"}
    assert board["done-1"]["id"] == board["copy-of-done"]["id"] == "done-1"
    titles = {name: row["title"] for name, row in board.items()}
    assert (titles["done-1"], titles["copy-of-done"]) == ("Close me", "Copy with more work")
    for name, other in (("done-1", "copy-of-done"), ("copy-of-done", "done-1")):
        (twin,) = diagnostics(board[name], "id-in-two-files")
        assert (twin["file"], twin["message"].split()[0]) == (f".ai-tasks/{name}.md", other)
        assert f"id-in-two-files: {twin['message']}" in case.run("show", name).text
    assert board["file-name"]["id"] == "real-id"
    assert drift(board)["file-name"] == ["id-differs"]
    assert rules(board["old-1"], "active") == ["active-and-archived"]
    rows = case.json("board", "--archived")
    assert [row["archived"] for row in rows if row["task"] == "old-1"] == [False, True]
    assert case.json("show", "old-1")["archived"] is False
    assert "copy-of-done carries the id done-1 too" in case.refused("prompt", "done-1")
    with app(case, size=(80, 24)) as terminal:
        screen = terminal.wait("━ tasks 5 ━")
        for name in board.keys() - {"other-1"}:
            assert re.search(f"(?m)^. ?[01]/1 {name} +⚑\\d ", screen)
        terminal.wait("(?m)^› 1/1 done-1 ")
        terminal.keys("Enter")
        terminal.wait(r"━ done-1   \[task\] ")
        terminal.keys("t", "t")
        shows(terminal, "copy-of-done carries the id `done-1` too", body)
        terminal.keys("q")
        terminal.wait("━ tasks 5 ━")
        terminal.quit()
    assert case.snapshot() == before
    assert case.passes
