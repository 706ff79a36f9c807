"""A wish becomes the draft of a task."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.intake import Draft, Store, alike, plan_new, slug_of, task_id
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.triage import TriagePlan
from tests.builders import a_task

TODAY = "2026-03-02"
INDEX = b"# Active tasks\n\n| id | title | status |\n|---|---|---|\n| a | A | pending |\n"
ROUTING = (
    b"# Routing\n\n| Document | File | Read when |\n|---|---|---|\n| Map | map.md | always |\n"
    b"| Design | design/index.md | always |\n| Modules | [modules](modules.md) | touching one |\n"
    b"| Gone | gone.md | never |\n"
)


def new(draft: Draft, **around: object) -> TriagePlan:
    return plan_new(draft, TODAY, Store(active=(), **around))  # type: ignore[arg-type]


def text(plan: TriagePlan) -> str:
    data = plan.files[0].edit.after
    assert data is not None
    return data.decode()


def tasks(*titles: str) -> tuple[Task, ...]:
    return tuple(read_task(a_task(title=t), f"t-{n}", "x") for n, t in enumerate(titles))


def test_a_new_task_is_a_file_of_the_schema_and_a_row() -> None:
    draft = Draft(
        "Retry the submit loop", "Why.\n", "- in\n- out\r\n", "- seen", 3, ("modules.md",)
    )
    plan = new(draft, index=INDEX, documents=frozenset({".ai/modules.md"}))
    assert text(plan) == (
        "---\nid: 2026-03-02-retry-the-submit-loop\nstatus: pending\nsession-est: 0/3\n"
        "blockers: []\nprefetch: [.ai/modules.md]\n---\n\n# Retry the submit loop\n\n"
        "## Goal\n\nWhy.\n\n## Scope\n\n- in\n- out\n\n## Acceptance\n\n- seen\n\n## Session log\n"
    )
    assert plan.files[0].edit.path == ".ai-tasks/2026-03-02-retry-the-submit-loop.md"
    assert plan.diff[-1] == (
        "+| 2026-03-02-retry-the-submit-loop | Retry the submit loop | pending |"
    )
    assert plan.cautions == ()
    task = read_task(text(plan).encode(), "2026-03-02-retry-the-submit-loop", "x")
    assert [d.rule for d in task.diagnostics if d.marks] == []


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Retry the submit loop of the client", "retry-the-submit-loop-of"),
        ("Don't drop `F2`: it's (very) odd!", "dont-drop-f2-its-very"),
        ("Café à Zürich, ß and ﬁ", "cafe-a-zurich-ss-and"),
        ("修复登录 バグ", "修复登录-バグ"),
        ("हिन्दी का काम", "हिन्दी-का-काम"),
        ("🚀 ship 1️⃣ it 👩‍💻", "ship-1-it"),
        ("🚀", "task"),
        ("...", "task"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 100, "x" * 48),
        ("Support C# and C++", "support-c-and-c"),
    ],
)
def test_the_slug_keeps_letters_of_any_script_and_nothing_else(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text(max_size=60))
def test_a_slug_is_a_safe_part_of_a_file_name(title: str) -> None:
    slug = slug_of(title)
    assert slug and len(f"{TODAY}-{slug}-99.md".encode()) < 255
    assert not set(slug) & set(" /\\.,[]#:\"'\n\0")
    assert slug == slug_of(slug) or len(slug) > 40


def test_a_taken_id_gets_a_number_whether_active_or_archived_in_any_case() -> None:
    assert task_id("Do it", TODAY, {f"{TODAY}-do-it-now"}) == f"{TODAY}-do-it"
    taken = {f"{TODAY}-DO-IT", f"{TODAY}-do-it-2"}
    assert task_id("Do it", TODAY, taken) == f"{TODAY}-do-it-3"
    decomposed = {f"{TODAY}-이-2", f"{TODAY}-\u110b\u1175"}
    assert task_id("이", TODAY, decomposed) == f"{TODAY}-이-3"


@pytest.mark.parametrize(
    ("title", "other", "same"),
    [
        ("Retry the submit loop", "retry the SUBMIT loop!", True),
        ("Retry submit loop", "Retry the submit loop", True),
        ("修复登录错误", "修复登录错误。", True),
        ("Add tests for parser", "Add tests for lexer and printer", False),
        ("🚀", "🚀", True),
        ("🚀", "🎉", False),
        ("One", "", False),
    ],
)
def test_titles_that_say_nearly_the_same_are_found(title: str, other: str, same: bool) -> None:
    assert bool(alike(title, tasks(other))) is same


def test_a_duplicate_is_named_before_anything_is_written() -> None:
    plan = plan_new(Draft("Retry loop", "g", "s", "a"), TODAY, Store(tasks("The retry loop")))
    assert plan.cautions[0] == "t-0 has a title like it: The retry loop"


def test_what_speaks_against_a_draft_is_said() -> None:
    plan = new(Draft("T", sessions=6), routing=ROUTING, documents=frozenset({".ai/modules.md"}))
    assert plan.cautions == (
        "6 sessions: over 5 the work is split into tasks",
        "nothing stands under Goal, Scope, Acceptance yet",
        "nothing is prefetched; routed are .ai/modules.md",
        "there is no .ai-tasks/index.md, so no row is added",
    )


def test_documents_are_offered_that_are_routed_there_and_not_loaded_always() -> None:
    there = frozenset({".ai/map.md", ".ai/design/index.md", ".ai/modules.md"})
    store = Store((), documents=there, routing=ROUTING)
    assert [(route.path, route.words) for route in store.offered] == [
        (".ai/modules.md", "modules Modules touching one")
    ]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("map.md", "loads always"),
        (".ai/design/index.md", "loads always"),
        ("../x.md", "does not lie in .ai/"),
        ("gone.md", "is not there"),
    ],
)
def test_a_prefetch_entry_that_helps_nobody_is_refused(entry: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        new(Draft("T", prefetch=(entry,)), documents=frozenset({".ai/modules.md"}))


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (Draft("  "), "needs a title"),
        (Draft("two\nlines"), r"U\+000A"),
        (Draft("closed ##"), "would not read back as the title"),
        (Draft("T", sessions=0), "at least one session"),
        (Draft("T", goal="x\n\n## Session log\n"), "Goal cannot hold a heading"),
        (Draft("T", scope="# Another"), "Scope cannot hold a heading"),
        (Draft("T", acceptance="```\ncode"), "broken: the fence opened here is never closed"),
        (Draft("T", goal="<!-- x"), "broken"),
        (Draft("T", acceptance="a\n## More"), "cannot hold a heading"),
    ],
)
def test_a_draft_that_would_break_the_file_is_refused(draft: Draft, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        new(draft)


def test_headings_inside_a_closed_fence_are_text() -> None:
    goal = "```\n## Session log\n### 2026-01-01 / x / (pending → blocked)\n```"
    assert goal in text(new(Draft("T", goal)))


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_a_draft_reads_back_or_is_refused(title: str, goal: str, scope: str) -> None:
    try:
        plan = new(Draft(title, goal, scope), index=INDEX)
    except Refusal:
        return
    name = plan.files[0].edit.path[len(".ai-tasks/") : -3]
    task = read_task(text(plan).encode(), name, "x")
    assert (task.name, task.title, task.entries) == (task.id, title.strip(), ())
    assert task.invalid is None


def test_a_damaged_index_leaves_the_task_without_a_row_and_says_so() -> None:
    plan = new(Draft("T", "g", "s", "a"), index=b"\xff")
    assert len(plan.files) == 1
    assert "damaged" in plan.cautions[0]
