"""The plan of a closeout: what each file becomes, which paths are committed, what others need."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.closeout import (
    Plan,
    Stand,
    Today,
    audit_of,
    message,
    plan_closeout,
    unwritable,
)
from mandrel_tui.protocol.edit import Edit, TaskFile
from mandrel_tui.protocol.housekeeping import PENDING, noted
from mandrel_tui.protocol.index import PATH, read_index
from mandrel_tui.protocol.merge import merged
from mandrel_tui.protocol.preconditions import CHECKS, Grounds, preconditions
from mandrel_tui.protocol.proposal import ACCEPT, REJECT, Document, Review
from mandrel_tui.protocol.reconcile import reconcile, restored_status
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.tree import Dirty, Tree, TreeKind
from mandrel_tui.protocol.verify_closeout import audit_line
from tests.builders import a_task, review, work

DONE = "2026-03-02-done"
TODAY = Today("2026-03-09", "a" * 40)
DESIGN = b"---\nlast-updated: 2026-01-01\nverified-against: x\n---\n\n# Design\n\n- a fact\n"
MORE = DESIGN + b"- admitted\n"
STAMPED = MORE.replace(b"2026-01-01", b"2026-03-09").replace(b": x\n", b": " + b"a" * 40 + b"\n")
INDEX = (
    f"# Active tasks\n\n| id | title | status |\n|---|---|---|\n"
    f"| {DONE} | Done | completed |\n| {DONE}-2 | after {DONE} | blocked |\n"
).encode()


def a_file(name: str, *entries: str, **front: str | None) -> TaskFile:
    data = a_task(*entries, id=name, **front)  # type: ignore[arg-type]
    return TaskFile.read(data, name, f".ai-tasks/{name}.md")


CLOSED = a_file(DONE, work(), review(), status="completed")
WAITING = a_file(
    f"{DONE}-2",
    work(after="blocked", before="in_progress"),
    status="blocked",
    blockers=f"[{DONE}]  # soon",
)
CALM = a_file("2026-03-04-calm", status="pending")


def a_stand(*others: TaskFile, **facts: object) -> Stand:
    known = {"archive": frozenset(), "index": INDEX} | facts
    return Stand(CLOSED.task, CLOSED.data, others, **known)  # type: ignore[arg-type]


def planned(stand: Stand, *reviews: Review, **options: object) -> Plan:
    return plan_closeout(stand, reviews, TODAY, **options)  # type: ignore[arg-type]


def a_review(base: bytes | None = DESIGN, proposed: bytes | None = MORE) -> Review:
    return Review.of(Document(".ai/design.md", base, proposed), ACCEPT)


def test_a_plan_says_everything_in_the_order_in_which_it_is_done() -> None:
    plan = planned(a_stand(WAITING, CALM), a_review())
    assert [(file.path, file.action) for file in plan.files] == [
        (".ai/design.md", "changed"),
        (f".ai-tasks/archive/{DONE}.md", "added"),
        (f".ai-tasks/{DONE}.md", "moved"),
        (PATH, "changed"),
        (f".ai-tasks/{DONE}-2.md", "changed"),
    ]
    assert plan.message == "chore(.ai): absorb done findings"
    assert audit_line(plan.audit) == plan.audit
    assert plan.audit.endswith(
        f"checked 2 active task(s); updated {DONE}-2; unchanged 2026-03-04-calm"
    )


def test_a_touched_document_is_stamped_and_an_untouched_one_is_not_written() -> None:
    other = Review.of(Document(".ai/map.md", DESIGN, MORE), REJECT)
    (change,) = planned(a_stand(), a_review(), other).documents
    assert change.after == STAMPED


def test_nothing_admitted_is_an_archive_only() -> None:
    plan = planned(a_stand())
    assert plan.message == "chore: archive done"
    assert [file.action for file in plan.files] == ["added", "moved", "changed"]
    assert planned(a_stand(), Review.of(a_review().document, REJECT)).message == plan.message


def test_the_task_is_moved_unchanged() -> None:
    copy, gone = planned(a_stand()).archive
    assert copy == Edit(f".ai-tasks/archive/{DONE}.md", None, CLOSED.data)
    assert gone == Edit(f".ai-tasks/{DONE}.md", CLOSED.data, None)
    assert planned(a_stand(archived=True)).archive == ()


def test_exactly_the_row_of_the_task_leaves_and_rows_of_reconciled_ones_tell_their_status() -> None:
    plan = planned(a_stand(WAITING))
    assert plan.index is not None
    assert plan.index.edit.after == INDEX.replace(
        f"| {DONE} | Done | completed |\n".encode(), b""
    ).replace(b"| blocked |", b"| in_progress |")
    assert [row.id for row in read_index(plan.index.edit.after).rows] == [f"{DONE}-2"]


@pytest.mark.parametrize("index", [None, b"", b"# Active tasks\n\n(none)\n", b"| other | t |\n"])
def test_an_index_without_the_row_is_left_alone(index: bytes | None) -> None:
    assert planned(a_stand(index=index)).index is None


def test_a_damaged_index_is_not_planned_with() -> None:
    with pytest.raises(Refusal, match="damaged"):
        planned(a_stand(index=b"<<<<<<< ours\n"))


def test_a_reconciliation_that_is_not_accepted_is_no_part_of_the_plan() -> None:
    plan = planned(a_stand(WAITING, CALM), accepted=frozenset())
    assert plan.reconciled == ()
    assert plan.left == (f"{DONE}-2", "2026-03-04-calm")


def test_edits_of_the_working_tree_are_committed_as_they_stand_or_taken_back() -> None:
    now = {".ai/design.md": MORE}
    plan = planned(a_stand(), a_review(), now=now)
    assert plan.edits[0] == Edit(".ai/design.md", MORE, STAMPED)
    assert plan.files[0].edit == Edit(".ai/design.md", DESIGN, STAMPED)
    back = planned(a_stand(), Review.of(a_review().document, REJECT), now=now)
    assert back.edits[0] == Edit(".ai/design.md", MORE, DESIGN)
    assert back.files[0].path == ".ai/design.md"
    assert ".ai/design.md" not in back.committed
    assert back.message == "chore: archive done"


def test_a_document_already_stamped_in_the_working_tree_is_still_committed() -> None:
    plan = planned(a_stand(), a_review(), now={".ai/design.md": STAMPED})
    assert plan.edits[0].before == plan.edits[0].after == STAMPED
    assert plan.committed[0] == ".ai/design.md"


def test_a_rename_in_the_working_tree_is_taken_back_as_a_whole() -> None:
    new = ".ai/design/index.md"
    document = Document(new, DESIGN, MORE, origin=".ai/design.md")
    plan = planned(a_stand(), Review.of(document, REJECT), now={new: MORE, ".ai/design.md": None})
    assert plan.edits[:2] == (Edit(new, MORE, None), Edit(".ai/design.md", None, DESIGN))
    assert [file.action for file in plan.files[:2]] == ["removed", "added"]


def test_a_document_over_its_limit_is_noted_and_one_under_it_no_longer() -> None:
    large = b"# Design\n" + b"x" * 13_000
    plan = planned(a_stand(), a_review(None, large))
    (notes,) = plan.notes
    assert notes.path == PENDING
    size = len(plan.documents[0].after or b"") // 4
    assert notes.after == f".ai/design.md SIZE {size}/3000\n".encode()
    back = planned(a_stand(pending=b"# by hand\n" + (notes.after or b"")), a_review())
    assert back.notes == (Edit(PENDING, b"# by hand\n" + (notes.after or b""), b"# by hand\n"),)
    assert planned(a_stand(pending=notes.after), a_review()).notes[0].after is None


def test_notes_keep_what_they_do_not_know() -> None:
    pending = b"DOMINANCE 44%\r\n.ai/design.md SIZE 9/3\r\n.ai/map.md SIZE 4000/3000\r\nwords\r\n"
    after = noted(pending, {".ai/design.md": b"x" * 16_000, ".ai/index.md": b"x" * 8_000})
    assert after == pending.replace(b"9/3", b"4000/3000") + b"INDEX_SIZE\r\n"
    exempt = b"---\nhousekeeping-exempt: true\n---\n" + b"x" * 16_000
    assert noted(b"words\n", {".ai/design.md": exempt}) == b"words\n"
    assert noted(None, {".ai/design.md": None}) is None


@pytest.mark.parametrize(
    ("blockers", "archived", "left", "status"),
    [
        ("[a]", {"a"}, "[]", "in_progress"),
        ("[a, b]", {"a", "b"}, "[]", "in_progress"),
        ("[a, c]", {"a"}, "[c]", None),
        ("[a, external:who, when?]", {"a"}, "[external:who, when?]", None),
        ("[]", set(), None, "in_progress"),
        ("[external:a]", {"a"}, None, None),
        ("[ab]", {"a"}, None, None),
    ],
)
def test_blockers_that_are_archived_go_and_the_last_gives_the_status_back(
    blockers: str, archived: set[str], left: str | None, status: str | None
) -> None:
    entry = work(before="in_progress", after="blocked")
    file = a_file("t", entry, status="blocked", blockers=blockers)
    found = reconcile([file], frozenset(archived))
    if left is None and status is None:
        assert found == ()
        return
    assert found[0].edit is not None and found[0].edit.after is not None
    expected = file.data
    if left is not None:
        expected = expected.replace(f"blockers: {blockers}".encode(), f"blockers: {left}".encode())
    if status is not None:
        expected = expected.replace(b"status: blocked", f"status: {status}".encode())
    assert found[0].edit.after == expected


@pytest.mark.parametrize(
    ("entries", "status"),
    [
        ((), "pending"),
        ((work(before="pending", after="blocked"),), "pending"),
        ((work(before="final_review", after="blocked"),), "final_review"),
        ((work(before="in_progress", after="blocked"), work(sid="dev-2")), "pending"),
        ((work(before="in_progress", after="in_progress"),), "pending"),
        ((work(before="completed", after="blocked"),), "pending"),
        ((work(before="blocked", after="blocked"),), "pending"),
    ],
)
def test_a_task_returns_to_what_stands_left_of_its_latest_block(
    entries: tuple[str, ...], status: str
) -> None:
    assert restored_status(a_file("t", *entries, status="blocked").task) == status


def test_a_blocker_that_names_the_id_of_a_file_with_another_name_goes_too() -> None:
    data = a_task(work(), review(), id="2026-03-02-its-id", status="completed")
    own = TaskFile.read(data, DONE, f".ai-tasks/{DONE}.md")
    waiting = a_file("t", work(after="blocked"), status="blocked", blockers="[2026-03-02-its-id]")
    stand = Stand(own.task, own.data, (waiting,), frozenset(), INDEX)
    assert [found.name for found in planned(stand).reconciled] == ["t"]


def test_a_task_whose_front_matter_cannot_be_edited_is_named() -> None:
    front = ["blockers: [x]"]
    file = a_file("t", status="blocked", blockers=f"[{DONE}]", front=front)  # type: ignore[arg-type]
    stand = a_stand(file)
    assert "2 times" in unwritable(stand)["t"]
    assert planned(stand).reconciled == ()


def test_the_message_names_the_id_without_its_date() -> None:
    assert (
        message(a_file("2026-03-02-a-b").task, admitted=True) == "chore(.ai): absorb a-b findings"
    )
    assert message(a_file("plain").task, admitted=False) == "chore: archive plain"


def test_the_audit_names_both_lists() -> None:
    assert audit_of(["a", "b"], []) == (
        "Remaining-task audit: checked 2 active task(s); updated a, b; unchanged none"
    )
    assert audit_of([], []).endswith("checked 0 active task(s); updated none; unchanged none")


CLEAN = Tree(TreeKind.GIT, "main", "b" * 40)


def failed(**facts: object) -> list[str]:
    grounds = Grounds(**({"tree": CLEAN} | facts))  # type: ignore[arg-type]
    return [row.id for row in preconditions(grounds) if not row.passed]


def test_on_sound_ground_every_precondition_holds_and_says_so() -> None:
    rows = preconditions(Grounds(CLEAN))
    assert [row.id for row in rows] == [id for id, _, _ in CHECKS]
    assert all(row.passed and row.detail for row in rows)


@pytest.mark.parametrize(
    ("facts", "ids"),
    [
        ({"tree": Tree(TreeKind.NONE, words="no git repository here")}, ["git", "tree-clean"]),
        ({"tree": Tree(TreeKind.UNKNOWN, words="broken")}, ["git", "tree-clean"]),
        (
            {"tree": Tree(TreeKind.GIT, "m", "b", entries=(Dirty(" M", b"a.py"),))},
            ["tree-clean"],
        ),
        ({"tree": Tree(TreeKind.GIT, "m", "b", operation="rebase")}, ["no-operation"]),
        (
            {"tree": Tree(TreeKind.GIT, "m", "b", entries=(Dirty("UU", b".ai/map.md"),))},
            ["tree-clean", "no-unmerged-path"],
        ),
        ({"lock": "held"}, ["index-lock-free"]),
        ({"hidden": ("x",)}, ["paths-checked-out"]),
        ({"names": ("x",)}, ["names-fit"]),
        ({"unwritable": ("x",)}, ["paths-writable"]),
        ({"identity": "x"}, ["identity"]),
        ({"archive": "x"}, ["archive-name-free"]),
        ({"index": "x"}, ["index-sound"]),
        ({"twins": ("x",)}, ["id-unique"]),
        ({"forms": ("x",)}, ["one-form"]),
        ({"changed": ("x",)}, ["files-as-read"]),
        ({"reconciliation": ("x",)}, ["tasks-reconcilable"]),
        ({"journal": "x"}, ["journal-ready"]),
    ],
)
def test_each_precondition_fails_on_its_own_ground(facts: dict, ids: list[str]) -> None:
    assert failed(**facts) == ids


def test_edits_that_the_proposal_covers_are_tolerated_and_others_are_offered_to_it() -> None:
    dirty = Tree(TreeKind.GIT, "m", "b", entries=(Dirty(" M", b".ai/design.md"),))
    assert failed(tree=dirty, tolerated=frozenset({b".ai/design.md"})) == []
    row = next(r for r in preconditions(Grounds(dirty)) if not r.passed)
    assert "--propose worktree" in row.detail
    code = Tree(TreeKind.GIT, "m", "b", entries=(Dirty(" M", b"a.py"),))
    assert "--propose" not in next(r for r in preconditions(Grounds(code)) if not r.passed).detail


def test_two_changes_of_different_lines_are_brought_together() -> None:
    base = b"a\nb\nc\n"
    assert merged(base, b"a\nx\nb\nc\n", b"a\nb\nc\nd\n") == b"a\nx\nb\nc\nd\n"
    assert merged(base, b"a\nc\n", b"a\nb\nC\n") == b"a\nC\n"
    assert merged(base, b"a\nB\nc\n", b"a\nX\nc\n") is None
    assert merged(base, b"a\nB\nc\n", b"a\nB\nc\n") == b"a\nB\nc\n"
    assert merged(b"a", b"a\nb", b"a\nc") is None


TEXT = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"d"]), max_size=8).map(b"".join)


@given(TEXT, TEXT)
def test_one_change_alone_is_itself(base: bytes, other: bytes) -> None:
    assert merged(base, other, base) == other
    assert merged(base, base, other) == other
    assert merged(base, other, other) == other
