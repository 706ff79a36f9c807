"""Surgical edits of a task file: only the changed bytes differ."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mandrel_tui.protocol.edit import Edit, TaskFile, Value, edit_task
from mandrel_tui.protocol.reading import BOM
from mandrel_tui.protocol.refusal import Refusal
from tests.builders import a_task, work

NAME = "2026-03-02-a-task"


def read(data: bytes) -> TaskFile:
    return TaskFile.read(data, NAME, f".ai-tasks/{NAME}.md")


def edited(data: bytes, values: dict[str, Value]) -> bytes:
    after = edit_task(read(data), values).after
    assert after is not None
    return after


def lines(data: bytes, values: dict[str, Value]) -> list[str]:
    """The changed lines, as the diff shows them."""
    diff = edit_task(read(data), values).diff
    return [line for line in diff[3:] if line[0] in "+-"]


FRONT = (
    b"---\r\nid: 2026-03-02-a-task\r\nstatus: pending   # one of five\r\n# a remark\r\n"
    b"session-est:\t1/3\r\nblockers: [external:use A, or B?]  # note\r\nprefetch: []\r\n"
    b"claimed-by:   # nobody yet\r\nx: caf\xe9\r\n---\r\n\r\n# T\r\n\r\nstatus: body\r\n---\r\n"
)


@pytest.mark.parametrize(
    ("key", "value", "was", "line"),
    [
        ("status", "blocked", b"status: pending ", b"status: blocked "),
        ("session-est", "2/3", b"\t1/3", b"\t2/3"),
        ("blockers", (), b"[external:use A, or B?]  #", b"[]  #"),
        ("claimed-by", "s@2026-03-02T09:00:00Z", b"by:   #", b"by: s@2026-03-02T09:00:00Z  #"),
        ("prefetch", (".ai/x.md",), b"prefetch: []", b"prefetch: [.ai/x.md]"),
        ("fix-set", "open", b"caf\xe9\r\n---", b"caf\xe9\r\nfix-set: open\r\n---"),
        ("x", None, b"x: caf\xe9\r\n", b""),
    ],
)
def test_remarks_padding_line_ends_and_odd_bytes_stay(
    key: str, value: Value, was: bytes, line: bytes
) -> None:
    for mark in (b"", BOM):
        assert FRONT.count(was) == 1
        assert edited(mark + FRONT, {key: value}) == mark + FRONT.replace(was, line)


def test_several_keys_are_one_edit() -> None:
    data = a_task(fix_set="open")
    values: dict[str, Value] = {
        "status": "blocked",
        "fix-set": None,
        "blockers": ("external:which port?",),
    }
    assert lines(data, values) == [
        "-status: in_progress",
        "+status: blocked",
        "-blockers: []",
        "+blockers: [external:which port?]",
        "-fix-set: open",
    ]


def test_a_value_over_several_lines_becomes_one_line() -> None:
    block = "\n  - a\n  # why\n  - external:b\n\n  - c"
    data = a_task(blockers=block)
    assert lines(data, {"blockers": ("d",)}) == [
        "-blockers: ",
        "-  - a",
        "+blockers: [d]",
        "-  - external:b",
        "-",
        "-  - c",
    ]
    folded = a_task(blockers=None, front=["claimed-by: >", "  s", "  @2026"], claimed_by=None)
    assert lines(folded, {"claimed-by": "s@x"}) == [
        "-claimed-by: >",
        "-  s",
        "-  @2026",
        "+claimed-by: s@x",
    ]


def test_a_line_goes_with_what_continues_it_and_nothing_else() -> None:
    data = a_task(front=["x:", "  - one", "", "y: 1"])
    assert lines(data, {"x": None}) == ["-x:", "-  - one"]


def test_what_is_so_already_is_no_edit() -> None:
    data = a_task()
    edit = edit_task(read(data), {"status": "in_progress", "blockers": (), "fix-set": None})
    assert (edit.after, edit.diff) == (data, ())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"# no front matter\n", "no front matter"),
        (b"---\nstatus: pending\n\n## Goal\n", "never closed: add --- after line 2"),
        (a_task(front=["status: pending"]), r"`status` is given 2 times \(lines 3, 8\)"),
    ],
)
def test_a_file_that_cannot_be_edited_is_refused_with_the_reason(data: bytes, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        edit_task(read(data), {"status": "blocked"})


def test_a_repeated_key_stops_only_the_edit_of_that_key() -> None:
    data = a_task(front=["prefetch: [.ai/y.md]"])
    assert lines(data, {"status": "blocked"}) == ["-status: in_progress", "+status: blocked"]


@pytest.mark.parametrize("value", ["two\nlines", "\x1b[0m", ""])
def test_a_value_that_cannot_stand_there_is_refused(value: str) -> None:
    with pytest.raises(Refusal):
        edit_task(read(a_task()), {"claimed-by": value})


@pytest.mark.parametrize("key", ["", "two words", "a:b", "2nd", "k\n"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(Refusal, match="cannot be a key"):
        edit_task(read(a_task()), {key: "x"})


def test_an_edit_whose_other_values_hang_on_it_is_refused() -> None:
    def yaml(block: str) -> dict[str, object] | None:
        name = "*" in block and "&" not in block
        return None if name else {"claimed-by": "s@x", "prefetch": ["x"]}

    data = a_task(prefetch="*docs", blockers=None, front=["more: &docs [x]"])
    file = TaskFile.read(data, NAME, "x", yaml)
    assert file.task.prefetch == ("x",)
    with pytest.raises(Refusal, match="another value"):
        edit_task(file, {"more": None})


def test_the_inverse_restores_every_byte() -> None:
    edit = edit_task(read(FRONT), {"status": "blocked", "fix-set": "open"})
    assert edit.inverse == Edit(edit.path, edit.after, FRONT)
    assert Edit("x", None, b"a").inverse == Edit("x", b"a", None)


KEYS = st.sampled_from(["id", "status", "blockers", "prefetch", "claimed-by", "x-y", "x"])
RAW = st.one_of(
    st.binary(max_size=20).map(lambda b: b.replace(b"\n", b"").replace(b"\r", b"")),
    st.sampled_from([b"[a, b] # c", b"", b"# c", b'"q # q"  # c', b">\n  folded", b"\n- a\n- b"]),
)
PAIRS = st.lists(st.tuples(KEYS, RAW), max_size=6, unique_by=lambda pair: pair[0])
VALUES = st.one_of(
    st.none(),
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=9),
    st.lists(st.text("ab,[]\"'# :", min_size=1, max_size=6), max_size=3).map(tuple),
)


@given(
    PAIRS, st.sampled_from([b"\n", b"\r\n"]), st.booleans(), st.binary(max_size=60), KEYS, VALUES
)
def test_whatever_stands_around_it_stays_byte_for_byte(
    pairs: list[tuple[str, bytes]], eol: bytes, mark: bool, body: bytes, key: str, value: Value
) -> None:
    assume(isinstance(value, tuple) == (key in ("blockers", "prefetch")) or value is None)
    head = BOM * mark + b"---" + eol
    front = [name.encode() + b": " + raw.replace(b"\n", eol) + eol for name, raw in pairs]
    tail = b"---" + eol + body
    data = head + b"".join(front) + tail
    try:
        after = edited(data, {key: value})
    except Refusal:
        return
    names = [name for name, _ in pairs]
    place = names.index(key) if key in names else len(names)
    before, behind = head + b"".join(front[:place]), b"".join(front[place + 1 :]) + tail
    assert after.startswith(before)
    assert after.endswith(behind)
    assert edited(after, {key: value}) == after


@given(VALUES, KEYS)
def test_on_a_plain_file_every_fitting_value_is_written(value: Value, key: str) -> None:
    assume(isinstance(value, tuple) == (key in ("blockers", "prefetch")) or value is None)
    after = read(edited(a_task(work()), {key: value}))
    again = edit_task(after, {key: value})
    assert again.diff == ()
