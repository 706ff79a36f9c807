"""Follow-ups: the golden messages and what each kind needs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from mandrel_tui.protocol.followup import KINDS, Message, followup, needs
from mandrel_tui.protocol.fragments import FRAGMENTS
from mandrel_tui.protocol.refusal import ContractError, Refusal
from tests.contract_sets import GOLDEN, golden_set

SET = golden_set()
CASES = json.loads((GOLDEN / "expected/followups.json").read_bytes())
WHOLE = Message("", ("a", "b"), "yes", "s-1", "dev", "a-task", "advancement", 180_000)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["kind"])
def test_a_golden_follow_up_is_equal_byte_for_byte(case: dict[str, object]) -> None:
    values = dict(case["values"])  # type: ignore[call-overload]
    problems = values.get("problems")
    message = Message(
        str(case["kind"]),
        None if problems is None else tuple(problems),
        values.get("answer"),
        values.get("sid"),
        values.get("role"),
        values.get("task_id"),
    )
    assert followup(message, SET) == str(case["text"]).encode()


def test_every_kind_but_the_wrap_up_is_among_the_golden_ones() -> None:
    assert {case["kind"] for case in CASES} == KINDS.keys() - {"wrapup"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_fills_exactly_what_its_fragment_declares(kind: str) -> None:
    assert KINDS[kind].keys() == FRAGMENTS[f"midflight/{kind}"]


@pytest.mark.parametrize(
    ("mode", "note"),
    [
        ("advancement", "slice landed; split the slice; "),
        ("remediation", "flag an open fix set; "),
        ("review", "rest stays pending; "),
    ],
)
def test_a_wrap_up_carries_the_note_of_its_mode(mode: str, note: str) -> None:
    message = Message("wrapup", sid="s-1", mode=mode, context_tokens=180_000)
    assert followup(message, SET) == f"WRAP 180000/200000 tidy the tree s-1 {note}end".encode()


def test_a_wrap_up_says_when_nobody_measured_the_context() -> None:
    message = Message("wrapup", sid="s-1", mode="review")
    assert followup(message, SET).startswith(b"WRAP an unmeasured number/200000 ")


@pytest.mark.parametrize(
    ("kind", "need"), [(kind, need) for kind in KINDS for need in sorted(needs(kind))]
)
def test_a_follow_up_without_what_it_needs_is_refused(kind: str, need: str) -> None:
    own = replace(WHOLE, kind=kind, answer="yes" if "answer" in needs(kind) else None)
    assert followup(own, SET)
    for empty in (None, () if need == "problems" else " \n"):
        with pytest.raises(Refusal, match=rf"{kind} needs"):
            followup(replace(own, **{need: empty}), SET)


def test_an_answer_goes_only_where_there_is_a_place_for_it() -> None:
    with pytest.raises(Refusal, match="no place for an answer"):
        followup(replace(WHOLE, kind="violation-fix"), SET)


@pytest.mark.parametrize(
    "message",
    [
        Message("blocked-resume", answer="\ud800"),
        Message("wrapup", sid="a\nb", mode="review"),
    ],
)
def test_text_that_cannot_go_out_is_refused(message: Message) -> None:
    with pytest.raises(Refusal, match=r"UTF-8|one line"):
        followup(message, SET)


def test_a_sid_that_is_not_used_is_not_judged() -> None:
    assert needs("no-such-kind") == frozenset()
    assert followup(Message("blocked-resume", answer="Yes.", sid=" "), SET) == b"UNBLOCKED Yes."


def test_an_unknown_follow_up_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refusal, match=r"banner-blocked.*violation-fix, blocked-resume"):
        followup(Message("banner-blocked"), SET)


def test_a_broken_set_refuses_follow_ups_too() -> None:
    broken = replace(SET, problems=("one.md: missing",))
    with pytest.raises(ContractError, match=r"one\.md"):
        followup(Message("blocked-resume", answer="Yes."), broken)
