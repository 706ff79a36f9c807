"""What went out is kept with its exact bytes, survives restarts, and can be proved."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import Delivery, Handover, Then
from mandrel_tui.protocol.trail import Checked, Ending
from mandrel_tui.workspace.handovers import Handovers
from mandrel_tui.workspace.state import State

DATA = b"[[ dev\r\n\xff the exact bytes"
SENT = Handover(
    id="h-1",
    task="2026-03-02-a-task",
    kind="dev",
    role="dev",
    mode="advancement",
    sid=None,
    sha256=sha256(DATA).hexdigest(),
    size=len(DATA),
    delivery=Delivery("2026-03-02T14:02:00Z", "claude", "tmux", "window 3"),
    then=Then("00" * 32, 2, "pending", "x@y"),
    facts=Facts("dev", None, "pending", (0, 3), True),
    form="contract",
)


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path, tmp_path / "state")


def test_what_was_recorded_comes_back_whole_in_another_run(state: State) -> None:
    other = replace(SENT, id="h-2", kind="violation-fix", role=None, mode=None, facts=None, form="")
    assert Handovers(state).record(SENT, DATA) == ""
    assert Handovers(state).record(other, DATA) == ""
    ending = Ending("h-1", "t2", -9, "ended by signal 9")
    checked = Checked("h-2", "t3", "11" * 32, ("tree-clean", "claim-sid"))
    assert Handovers(state).ended(SENT.task, ending) == ""
    assert Handovers(state).checked(SENT.task, checked) == ""
    trail = Handovers(state).trail(SENT.task)
    assert trail.handovers == (SENT, other)
    assert trail.endings == {"h-1": ending} and trail.checks == {"h-2": checked}


def test_a_record_that_names_no_form_is_read(state: State) -> None:
    Handovers(state).record(SENT, DATA)
    (path,) = Handovers(state).records.folder.iterdir()
    path.write_bytes(path.read_bytes().replace(b'"form":"contract",', b""))
    assert Handovers(state).trail(SENT.task).handovers == (replace(SENT, form=""),)


def test_the_bytes_that_were_sent_can_be_shown_and_proved_later(state: State) -> None:
    Handovers(state).record(SENT, DATA)
    (one,) = Handovers(state).trail(SENT.task).handovers
    assert Handovers(state).bytes_of(one) == DATA
    Handovers(state).blobs.path(one.sha256).write_bytes(DATA + b"!")
    assert Handovers(state).bytes_of(one) is None


WHOLE = {
    **dict.fromkeys(("handover", "task", "kind", "sha256"), "x"),
    **dict.fromkeys(("role", "mode", "sid")),
    "size": 3,
    "delivery": {"launcher": "claude", "way": "x", "place": "y", "at": "z"},
    "then": {"sha256": "x", "entries": 1, "status": "pending", "claim": ""},
    "before": {
        "role": "dev",
        "sid": None,
        "status_before": "pending",
        "est_before": [0, 3],
        "remediation": False,
    },
}


@pytest.mark.parametrize("odd", ["3", 1e999, float("nan"), [], {}, None, True, [1], [1, 2, 3], "é"])
@pytest.mark.parametrize("place", ["size", "then.entries", "before.est_before", "delivery", "then"])
def test_an_odd_value_hides_no_other_hand_over(state: State, place: str, odd: object) -> None:
    handovers = Handovers(state)
    handovers.record(SENT, DATA)
    outer, _, inner = place.partition(".")
    fact = {**WHOLE, "task": SENT.task}
    handovers.records.append(SENT.task, fact)
    assert len(handovers.trail(SENT.task).handovers) == 2
    value = {**fact[outer], inner: odd} if inner else odd
    handovers.records.append(SENT.task, {**fact, "handover": "h-9", outer: value})
    known = [one.id for one in handovers.trail(SENT.task).handovers]
    assert "h-9" not in known or (place, odd) == ("before.est_before", None)
    assert len(known) >= 2


@pytest.mark.parametrize(
    "fact",
    [
        {"handover": "h-9"},
        {"handover": 3, "kind": "dev"},
        {"ended": "h-1", "at": "t", "status": "no number", "cause": ""},
        {"checked": "h-1", "at": "t", "task_sha256": "x", "failed": [1]},
        {"something": "else"},
    ],
)
def test_a_fact_of_another_shape_is_left_out(state: State, fact: dict[str, object]) -> None:
    handovers = Handovers(state)
    handovers.record(SENT, DATA)
    handovers.records.append(SENT.task, fact)
    assert handovers.trail(SENT.task).handovers == (SENT,)
    assert not handovers.trail(SENT.task).endings


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"")
    handovers = Handovers(State(tmp_path, tmp_path / "state"))
    assert "nothing is kept" in handovers.record(SENT, DATA)
    assert handovers.trail(SENT.task).handovers == ()
