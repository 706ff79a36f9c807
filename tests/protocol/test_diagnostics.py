"""Every diagnostic rule has an input that fires it and one that does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mandrel_tui.protocol.board import Board, row_of
from mandrel_tui.protocol.diagnostics import RULES, Diagnostic, diagnostic
from mandrel_tui.protocol.drift import Surroundings, build_board
from mandrel_tui.protocol.index import read_index
from mandrel_tui.protocol.reading import read_task, unreadable_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, review, work

NAME = "2026-03-02-a-task"
CLAIM = "dev-1@2026-03-02T09:00:00Z"
SOUND = a_task(work(), review(), claimed_by=CLAIM)


def read(data: bytes, name: str = NAME) -> Task:
    return read_task(data, name, f".ai-tasks/{name}.md")


def sub(old: str, new: str, data: bytes = SOUND) -> bytes:
    assert old.encode() in data, old
    return data.replace(old.encode(), new.encode(), 1)


def store(
    *tasks: Task,
    archived: tuple[Task, ...] = (),
    index: str | bytes | None = None,
    documents: frozenset[str] | None = None,
    now: str = "2026-03-05T00:00:00Z",
) -> Board:
    data = index.encode() if isinstance(index, str) else index
    around = Surroundings(read_index(data) if data is not None else None, documents, now)
    return build_board(tasks, [row_of(t, archived=True) for t in archived], around)


def named(name: str, **keys: str) -> Task:
    return read(a_task(work(), review(), id=name, claimed_by=CLAIM, **keys), name)


FILES: dict[str, bytes] = {
    "not-utf8": SOUND.replace(b"One thing", b"caf\xe9"),
    "front-matter-missing": SOUND[SOUND.index(b"# A task") :],
    "front-matter-unclosed": sub(f"claimed-by: {CLAIM}\n---\n", f"claimed-by: {CLAIM}\n"),
    "front-matter-late": b"\n<!-- made by hand -->\n" + SOUND,
    "front-matter-line": sub("blockers: []\n", "blockers: []\nblocked by nobody\n"),
    "key-case": sub("prefetch:", "Prefetch:"),
    "key-repeated": sub("blockers: []\n", "blockers: []\nblockers: []\n"),
    "status-missing": sub("status: in_progress\n", ""),
    "status-unknown": sub("status: in_progress", "status: doing"),
    "status-repeated": sub("status: in_progress\n", "status: in_progress\nstatus: pending\n"),
    "id-missing": sub(f"id: {NAME}\n", ""),
    "id-differs": sub(f"id: {NAME}\n", "id: 2026-03-02-another\n"),
    "id-invisible": sub(f"id: {NAME}\n", f"id: {NAME}\u200b\n"),
    "estimate-missing": sub("session-est: 1/3\n", ""),
    "estimate-unreadable": sub("session-est: 1/3", "session-est: about two"),
    "estimate-rest": sub("session-est: 1/3", "session-est: 1/3 (was 2)"),
    "estimate-over": sub("session-est: 1/3", "session-est: 7/5"),
    "estimate-zero": sub("session-est: 1/3", "session-est: 0/0"),
    "claim-without-at": sub(CLAIM, "dev-1"),
    "claim-without-sid": sub(CLAIM, "@2026-03-02T09:00:00Z"),
    "claim-stamp": sub(CLAIM, "dev-1@yesterday"),
    "fix-set-value": sub("blockers: []\n", "blockers: []\nfix-set: yes\n"),
    "fix-set-ignored": sub("blockers: []\n", "blockers: []\nfix-set: open\n"),
    "list-unbalanced": sub("blockers: []", "blockers: [external:a [b]"),
    "list-trailing": sub("blockers: []", "blockers: [] nothing"),
    "list-expected": sub("blockers: []", "blockers: none"),
    "yaml-unreadable": sub("blockers: []", "blockers: {a: b}"),
    "title-missing": sub("# A task\n", ""),
    "section-missing": sub("## Goal", "## Aim"),
    "fence-unclosed": sub("- Next:", "```sh\n- Next:"),
    "comment-unclosed": sub("- Next:", "<!-- later\n- Next:"),
    "log-missing": a_task(log=None, claimed_by=CLAIM),
    "log-unlocated": sub("## Session log\n", "## Log\n"),
    "log-heading": sub("## Session log\n", "## session Log ##\n"),
    "entry-without-sid": sub("### 2026-03-02 / dev-1 / (", "### 2026-03-02 / ("),
    "entry-heading": sub("### 2026-03-02 / dev-1", "#### 2026-03-02 / dev-1"),
    "entry-transition": sub(" / (pending → in_progress)", ""),
    "entry-date": sub("### 2026-03-02", "### 2026-13-02"),
    "entry-date-order": sub("### 2026-03-03", "### 2026-03-01"),
    "field-repeated": sub("- Verdict: pass", "- Verdict: pass\n- Verdict: pass"),
    "verdict-missing": sub("- Verdict: pass\n", ""),
    "verdict-unreadable": sub("- Verdict: pass", "- Verdict: pass, mostly"),
    "group-missing": sub("- Group: dev-1\n", ""),
    "group-unreadable": sub("- Group: dev-1", "- Group: dev-1 and more"),
    "review-of-unknown": sub("review of dev-1", "review of dev-l"),
    "work-after-review": a_task(work(), review(), work(date="2026-03-04"), claimed_by=CLAIM),
    "scheduler-reads-differently": sub("status: in_progress", 'status: "in_progress"'),
}

ROW = f"| id | title | status |\n|---|---|---|\n| {NAME} | A task | in_progress |\n"
OTHER = "2026-03-02-other"
BOARDS: dict[str, Callable[[], Board]] = {
    "unreadable": lambda: store(unreadable_task(NAME, "x", "permission denied")),
    "not-read": lambda: build_board(
        (), (), Surroundings(notes=(diagnostic("not-read", ".ai-tasks/x.MD", None, "letter case"),))
    ),
    "log-rewritten": lambda: build_board(
        (read(SOUND),), (), Surroundings(rewritten={NAME: "earlier entries: 1 gone"})
    ),
    "claim-future": lambda: store(read(SOUND), now="2026-03-01T00:00:00Z"),
    "entry-date-future": lambda: store(read(SOUND), now="2026-03-01T00:00:00Z"),
    "prefetch-outside": lambda: store(named(NAME, prefetch="[../secret.md]")),
    "prefetch-missing": lambda: store(read(SOUND), documents=frozenset()),
    "completed-not-archived": lambda: store(named(NAME, status="completed")),
    "id-in-two-files": lambda: store(read(SOUND), read(SOUND, OTHER)),
    "active-and-archived": lambda: store(read(SOUND), archived=(read(SOUND),)),
    "same-letters": lambda: store(named("cafe\u0301"), named("caf\u00e9")),
    "blocker-archived": lambda: store(
        named(NAME, status="blocked", blockers=f"[{OTHER}]"), archived=(named(OTHER),)
    ),
    "blocker-unknown": lambda: store(named(NAME, status="blocked", blockers=f"[{OTHER}]")),
    "blocker-itself": lambda: store(named(NAME, status="blocked", blockers=f"[{NAME}]")),
    "blocker-circle": lambda: store(
        named(NAME, status="blocked", blockers=f"[{OTHER}]"),
        named(OTHER, status="blocked", blockers=f"[{NAME}]"),
    ),
    "blocked-without-blockers": lambda: store(named(NAME, status="blocked")),
    "blockers-not-blocked": lambda: store(named(NAME, blockers="[external:why?]")),
    "index-missing-row": lambda: store(read(SOUND), index="| id |\n|---|\n"),
    "index-row-repeated": lambda: store(read(SOUND), index=ROW + f"| {NAME} | again |\n"),
    "index-row-status": lambda: store(read(SOUND), index=ROW.replace("in_progress", "pending")),
    "index-row-without-file": lambda: store(read(SOUND), index=ROW + "| ghost | x | pending |\n"),
    "index-row-archived": lambda: store(
        read(SOUND), archived=(named(OTHER),), index=ROW + f"| {OTHER} | x | completed |\n"
    ),
    "index-damaged": lambda: store(read(SOUND), index=f"<<<<<<< ours\n{ROW}"),
}


def found(rule: str) -> list[Diagnostic]:
    if rule in FILES:
        return [d for d in read(FILES[rule]).diagnostics if d.rule == rule]
    board = BOARDS[rule]()
    every = [*board.notes, *(d for row in board.rows for d in row.diagnostics)]
    return [d for d in every if d.rule == rule]


def test_every_rule_has_an_input_here() -> None:
    assert set(RULES) == set(FILES) | set(BOARDS)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_fires_on_its_input_with_a_place_and_a_remedy(rule: str) -> None:
    hits = found(rule)
    assert hits
    assert all(hit.file and hit.message and hit.hint for hit in hits)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_silent_on_a_sound_store(rule: str) -> None:
    sound = store(read(SOUND), index=ROW, documents=frozenset({".ai/modules.md"}))
    every = [*sound.notes, *(d for row in sound.rows for d in row.diagnostics)]
    assert rule not in {d.rule for d in every}
    assert every == []


@pytest.mark.parametrize("rule", [r for r in FILES if RULES[r].severity == "stop"])
def test_a_stopping_fault_makes_the_turn_invalid(rule: str) -> None:
    row = store(read(FILES[rule])).rows[0]
    assert row.turn is not None
    assert (row.turn.kind, row.turn.rule, row.turn.legal) == ("invalid", None, ())
    assert row.turn.yours


def test_the_line_of_a_fault_is_the_line_an_editor_shows() -> None:
    (hit,) = found("entry-date-order")
    lines = FILES["entry-date-order"].decode().split("\n")
    assert lines[(hit.line or 0) - 1].startswith("### 2026-03-01")


@pytest.mark.parametrize(
    "lines",
    ["# a remark", "  # a remark", "", "owner: me", "note: a\n  b", "more:\n- a\n- b", "  "],
)
def test_what_belongs_to_a_key_or_is_a_comment_is_no_stray_line(lines: str) -> None:
    data = sub("blockers: []\n", f"blockers: []\n{lines}\n")
    assert "front-matter-line" not in {d.rule for d in read(data).diagnostics}


def test_stray_lines_are_one_diagnostic_at_the_first() -> None:
    data = sub("blockers: []\n", "blockers: []\nwaits\n# a\n- item\n")
    (hit,) = (d for d in read(data).diagnostics if d.rule == "front-matter-line")
    assert hit.line == 6 and "nor do 1 more" in hit.message


def test_a_fault_that_changes_no_decision_leaves_no_mark() -> None:
    task = read(a_task(claimed_by=""))
    (only,) = task.diagnostics
    assert (only.rule, only.marks) == ("scheduler-reads-differently", False)
    assert replace(only, level=None).marks
