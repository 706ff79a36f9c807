"""Front-matter values written so that they read back exactly."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.spelling import listed, reads, scalar

LINE = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20)
ODD = st.text(alphabet="abx,[]\"'\\#: -|2", min_size=1, max_size=12)
ITEM = st.one_of(ODD, ODD.map(lambda t: f"external:{t}"), st.just("2026-03-02-a-task"), LINE)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("in_progress", "in_progress"),
        ("dev-1@2026-03-02T09:00:00Z", "dev-1@2026-03-02T09:00:00Z"),
        ("what? a: b, c", "what? a: b, c"),
        ("see #42", '"see #42"'),
        ("#42", '"#42"'),
        ("[draft] title", '"[draft] title"'),
        ('"so called" thing', '"so called" thing'),
        ('"quoted"', '"\\"quoted\\""'),
        (" outer blanks ", '" outer blanks "'),
        ("> folded", '"> folded"'),
    ],
)
def test_a_value_is_bare_where_that_is_enough(value: str, written: str) -> None:
    assert scalar(value) == written


@pytest.mark.parametrize(
    ("items", "written"),
    [
        ((), "[]"),
        (("external:which port?",), "[external:which port?]"),
        (("external:red, green, or blue?",), "[external:red, green, or blue?]"),
        (("external:a,b",), '["external:a,b"]'),
        (("external:wait, 2026-03-02-a-task",), '["external:wait, 2026-03-02-a-task"]'),
        (("external:is [draft] meant?",), "[external:is [draft] meant?]"),
        (("external:one ] too many",), '["external:one ] too many"]'),
        (("external:see #42", "b"), "[external:see #42,b]"),
        (("b", "external:say \"hi\", then 'go'"), "[b, external:say \"hi\", then 'go']"),
        (("external:first", "external:second"), "[external:first, external:second]"),
    ],
)
def test_an_item_is_quoted_only_where_it_must_be(items: tuple[str, ...], written: str) -> None:
    assert listed(items) == written


@given(st.lists(ITEM.filter(bool), max_size=5))
@example(["external:a [", "b"])
@example(['"', "]"])
@example(["['[']", "2"])
@example(["'", "']"])
@example(["external:a, 'b", "c']"])
@example(['external:"', "external:\\"])
def test_every_list_reads_back(items: list[str]) -> None:
    assert reads(listed(items)) == tuple(items)


@given(LINE.filter(bool))
def test_every_value_reads_back_or_is_refused(value: str) -> None:
    assert scalar(value)


@given(st.lists(ITEM.filter(bool), max_size=4), ITEM.filter(bool))
def test_an_item_put_behind_others_leaves_their_bytes(items: list[str], item: str) -> None:
    before = listed(items)
    after = listed((*items, item), before)
    assert after.startswith(before[:-1])
    assert reads(after) == (*items, item)


@given(st.lists(ITEM.filter(bool), min_size=1, max_size=4), st.data())
def test_an_item_can_go_from_anywhere(items: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(items) - 1))
    left = [*items[:place], *items[place + 1 :]]
    assert reads(listed(left, listed(items))) == tuple(left)


def test_what_stays_in_a_list_is_left_as_it_is_typed() -> None:
    day = "2026-03-02-b"
    raw = f"[ 'a' ,  external:\"odd\"  , {day} ]"
    assert listed(("a", day), raw) == f"[ 'a', {day} ]"
    assert listed(("a", 'external:"odd"', day, "c"), raw) == f"{raw[:-2]}, c ]"
    assert listed((), raw) == "[]"


@pytest.mark.parametrize("text", ["two\nlines", "bell\a", "\x1b[31m", "a\u2028b", "\ud800"])
def test_what_ends_a_line_or_steers_a_terminal_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match=r"U\+"):
        scalar(text)
    with pytest.raises(Refusal, match=r"U\+"):
        listed((text,))


def test_an_empty_item_is_refused() -> None:
    with pytest.raises(Refusal):
        listed(("",))
