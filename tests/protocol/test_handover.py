"""Where a session stands, from what was recorded when it went out and the task file now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mandrel_tui.protocol.facts import Facts
from mandrel_tui.protocol.handover import Delivery, Handover, Then, prompt_handover
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, assemble
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.standing import HandoverState, Standing, standing
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.trail import (
    Checked,
    Ending,
    Trail,
    baseline,
    followup_handover,
    latest_sid,
    session_sid,
    sessions_of,
)
from mandrel_tui.protocol.turn import turn_of
from tests.builders import a_task, review, work
from tests.contract_sets import golden_set

OUT, RETURNED, FAILED = HandoverState
SENT = Delivery("2026-03-02T14:02:00Z", "claude", "here")
SEEN = "2026-03-02T15:00:00Z"


def read(*entries: str, **front: str | None) -> Task:
    return read_task(a_task(*entries, **front), "a-task", ".ai-tasks/a-task.md")  # type: ignore[arg-type]


FRESH = read(status="pending", est="0/3", claimed_by=None)
CLAIMED = read(status="in_progress", est="0/3", claimed_by="s-1@2026-03-02T14:03:00Z")
BACK = read(work("s-1"), est="1/3", claimed_by="s-1@2026-03-02T14:03:00Z")


def prompt_of(task: Task, **asked: str | None) -> Prompt:
    request = PromptRequest(task.name, now="2026-03-02T14:02:00Z", **asked)  # type: ignore[arg-type]
    return assemble(request, task, turn_of(task), golden_set(), 0)


def sent(task: Task = FRESH, sid: str | None = "s-1", id: str = "h-1", **asked: str) -> Handover:
    return prompt_handover(prompt_of(task, sid=sid, **asked), SENT, id)


def message(kind: str, task: Task, trail: Trail, id: str) -> Trail:
    one = followup_handover(kind, b"text", task, trail, SENT, id)
    return replace(trail, handovers=(*trail.handovers, one))


def stands(trail: Trail, task: Task) -> Standing:
    found = standing(trail, task, SEEN)
    assert found is not None
    return found


def found(trail: Trail, handover: str, task: Task, *failed: str) -> Trail:
    result = Checked(handover, SEEN, task.sha256, failed)
    return replace(trail, checks={**trail.checks, handover: result})


def test_a_handover_keeps_what_went_out_and_what_held_before() -> None:
    prompt = prompt_of(FRESH, sid="s-1")
    one = prompt_handover(prompt, SENT, "h-1")
    assert (one.task, one.kind, one.role, one.mode) == ("a-task", "dev", "dev", "advancement")
    assert (one.sha256, one.size) == (prompt.sha256, len(prompt.data))
    assert one.facts == Facts("dev", "s-1", "pending", (0, 3), False)
    assert one.then == Then(FRESH.sha256, 0, "pending", "")


def test_nothing_is_checked_of_a_plan_or_a_closeout() -> None:
    assert sent(kind="plan").facts is None
    assert sent(read(status="completed"), sid=None).facts is None


def test_without_a_handover_nothing_is_out() -> None:
    assert standing(Trail(), BACK) is None


def test_a_session_is_out_since_it_went_out() -> None:
    now = stands(Trail((sent(),)), FRESH)
    assert (now.state, now.since, now.launcher) == (OUT, SENT.at, "claude")
    assert now.out and not now.unchecked and now.sid == "s-1"


def test_a_claim_shows_that_a_session_began_not_that_it_came_back() -> None:
    assert stands(Trail((sent(),)), CLAIMED).state is OUT
    begun = stands(Trail((sent(sid=None),)), CLAIMED)
    assert (begun.state, begun.sid) == (OUT, "s-1")


def test_an_entry_written_since_shows_that_a_session_came_back() -> None:
    now = stands(Trail((sent(),)), BACK)
    assert (now.state, now.since) == (RETURNED, SEEN)
    assert now.unchecked
    assert now.words == f"line {BACK.entries[0].line}: an entry of s-1"


def test_the_sid_of_a_session_that_knew_none_is_learnt_from_its_entry() -> None:
    trail = Trail((sent(sid=None),))
    assert session_sid(trail, FRESH) is None
    assert session_sid(trail, BACK) == "s-1"
    assert baseline(trail, BACK, "s-1") == Facts("dev", "s-1", "pending", (0, 3), False)


@pytest.mark.parametrize("status", ["blocked", "final_review", "completed"])
def test_a_status_that_only_an_end_sets_shows_a_return_without_an_entry(status: str) -> None:
    now = stands(Trail((sent(),)), read(status=status, claimed_by="s-1@x"))
    assert now.state is RETURNED and "pending →" in now.words


def test_other_changes_of_the_file_show_nothing() -> None:
    assert stands(Trail((sent(),)), read(status="pending", goal="Another.")).state is OUT  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ending", "task", "state"),
    [
        (Ending("h-1", SEEN, 0), FRESH, RETURNED),
        (Ending("h-1", SEEN, 2, "exit status 2"), FRESH, FAILED),
        (Ending("h-1", SEEN, -9, "ended by signal 9"), CLAIMED, FAILED),
        (Ending("h-1", SEEN, None, "it was lost sight of"), CLAIMED, FAILED),
        (Ending("h-1", SEEN, -9, "ended by signal 9"), BACK, RETURNED),
    ],
)
def test_a_program_that_ended_badly_failed_unless_the_log_shows_its_work(
    ending: Ending, task: Task, state: HandoverState
) -> None:
    trail = Trail((sent(),), {"h-1": ending})
    assert stands(trail, task).state is state
    if state is FAILED:
        assert stands(trail, task).words == ending.cause


def test_an_agent_that_wrote_nothing_is_back_but_nothing_is_claimed_for_it() -> None:
    now = stands(Trail((sent(),), {"h-1": Ending("h-1", SEEN, 0)}), FRESH)
    assert now.unchecked and now.words == "claude ended, and the log has no new entry"


def test_what_the_human_wrote_meanwhile_shows_nothing_of_the_session() -> None:
    blocked = read(status="blocked", est="0/3", claimed_by=None)
    trail = Trail((sent(),))
    assert stands(trail, blocked).state is RETURNED
    trail = replace(trail, own={"h-1": Then.of(blocked)})
    assert stands(trail, blocked).state is OUT
    assert stands(trail, BACK).state is RETURNED


def test_checks_that_pass_settle_a_session_for_good() -> None:
    trail = found(Trail((sent(),)), "h-1", BACK)
    assert standing(trail, BACK) is None
    assert standing(trail, read(work("s-1"), review("s-1"))) is None


def test_checks_that_fail_leave_it_returned_until_the_file_changes_again() -> None:
    trail = found(Trail((sent(),)), "h-1", BACK, "claim-sid")
    now = stands(trail, BACK)
    assert now.state is RETURNED and now.failing and not now.unchecked
    later = stands(trail, read(work("s-1"), est="1/3", claimed_by="s-1@later"))
    assert later.stale and later.unchecked and not later.failing


def test_a_followup_is_out_until_the_file_changes() -> None:
    trail = found(Trail((sent(),)), "h-1", BACK, "claim-sid")
    trail = message("violation-fix", BACK, trail, "h-2")
    assert trail.handovers[1].sid == "s-1" and trail.handovers[1].role == "dev"
    now = stands(trail, BACK)
    assert now.out and now.followups == 1
    fixed = read(work("s-1"), est="1/3", claimed_by="s-1@fixed")
    assert stands(trail, fixed).unchecked
    assert standing(found(trail, "h-2", fixed), fixed) is None


def test_after_three_followups_failing_checks_are_the_humans_call() -> None:
    trail = Trail((sent(),))
    for number in range(2, 5):
        assert not stands(found(trail, trail.handovers[-1].id, BACK, "claim-sid"), BACK).exhausted
        trail = message("violation-fix", BACK, trail, f"h-{number}")
    assert stands(trail, BACK).followups == 3 and not stands(trail, BACK).exhausted
    assert stands(found(trail, "h-4", BACK, "claim-sid"), BACK).exhausted


def test_another_word_of_the_human_begins_the_count_anew() -> None:
    trail = message("violation-fix", BACK, Trail((sent(),)), "h-2")
    assert trail.followups == 1
    trail = message("human-instruction", BACK, trail, "h-3")
    assert trail.followups == 0
    assert message("violation-fix", BACK, trail, "h-4").followups == 1


def test_a_follow_up_that_was_copied_twice_counts_once_and_launched_twice_twice() -> None:
    trail = message("violation-fix", BACK, Trail((sent(),)), "h-2")
    assert message("violation-fix", BACK, trail, "h-3").followups == 2
    copied = Delivery(SENT.at, "clipboard", "copy", "xclip")
    again = followup_handover("violation-fix", b"text", BACK, trail, copied, "h-3")
    assert replace(trail, handovers=(*trail.handovers, again)).followups == 1
    later = read(work("s-1"), est="1/3", claimed_by="s-1@2026-03-02T15:03:00Z")
    again = followup_handover("violation-fix", b"text", later, trail, copied, "h-3")
    assert replace(trail, handovers=(*trail.handovers, again)).followups == 2


def test_a_new_prompt_begins_a_new_session() -> None:
    trail = message("violation-fix", BACK, Trail((sent(),)), "h-2")
    trail = replace(trail, handovers=(*trail.handovers, sent(BACK, "s-2", "h-3")))
    assert [[one.id for one in session] for session in trail.sessions] == [["h-1", "h-2"], ["h-3"]]
    now = stands(trail, BACK)
    assert (now.handover.id, now.followups, now.sid) == ("h-3", 0, "s-2")


def test_a_follow_up_belongs_to_the_session_it_went_into() -> None:
    trail = Trail((sent(), sent(BACK, "s-2", "h-2")))
    late = followup_handover("violation-fix", b"text", BACK, trail, SENT, "h-3", "s-1")
    assert (late.role, late.mode) == ("dev", "advancement")
    trail = replace(trail, handovers=(*trail.handovers, late))
    assert [[one.id for one in session] for session in trail.sessions] == [["h-2"], ["h-1", "h-3"]]
    assert (stands(trail, BACK).sid, trail.followups) == ("s-1", 1)
    first, second = baseline(trail, BACK, "s-1"), baseline(trail, BACK, "s-2")
    assert first is not None and (first.role, first.est_before) == ("dev", (0, 3))
    assert second is not None and second.role == "review"


def test_a_follow_up_goes_past_a_session_whose_sid_is_not_known_yet() -> None:
    trail = Trail((sent(), sent(BACK, None, "h-2")))
    late = followup_handover("violation-fix", b"text", BACK, trail, SENT, "h-3", "s-1")
    other = followup_handover("violation-fix", b"text", BACK, trail, SENT, "h-4", "s-2")
    trail = replace(trail, handovers=(*trail.handovers, other, late))
    assert [[one.id for one in session] for session in trail.sessions] == [
        ["h-2", "h-4"],
        ["h-1", "h-3"],
    ]


def test_a_follow_up_to_a_session_nobody_recorded_counts_for_no_other() -> None:
    trail = message("violation-fix", BACK, Trail((sent(),)), "h-2")
    other = followup_handover("violation-fix", b"text", BACK, trail, SENT, "h-3", "s-9")
    trail = replace(trail, handovers=(*trail.handovers, other))
    assert [len(session) for session in trail.sessions] == [2, 1]
    assert (other.role, trail.followups) == (None, 1)


def test_the_session_at_work_last_is_the_recorded_one_until_it_is_settled() -> None:
    other = read(work("s-1"), work("s-2"), claimed_by="s-2@2026-03-02T16:00:00Z")
    trail = Trail((sent(),))
    assert latest_sid(Trail(), other) == "s-2"
    assert latest_sid(trail, other) == "s-1"
    assert latest_sid(found(trail, "h-1", BACK, "tree-clean"), other) == "s-1"
    assert latest_sid(found(trail, "h-1", BACK), BACK) == "s-1"
    assert latest_sid(found(trail, "h-1", BACK), other) == "s-2"


def test_the_claim_of_the_session_before_is_never_taken_for_one_that_is_out() -> None:
    trail = Trail((sent(BACK, sid=None),))
    assert latest_sid(trail, BACK) is None
    assert latest_sid(Trail((sent(BACK, sid=None, kind="plan"),)), BACK) is None
    begun = read(work("s-1"), est="1/3", claimed_by="s-2@2026-03-02T16:00:00Z")
    assert latest_sid(trail, begun) == "s-2"


def test_feedback_on_a_plan_is_for_the_session_that_was_asked_for_it_alone() -> None:
    plan = sent(kind="plan", sid="p-1", id="h-1")
    trail = Trail((plan, sent(sid="s-1", id="h-2")))
    assert message("plan-feedback", BACK, trail, "h-3").handovers[-1].sid == "p-1"
    assert message("wrapup", BACK, trail, "h-3").handovers[-1].sid == "s-1"
    unknown = Trail((sent(kind="plan", sid=None),))
    later = read(work("s-1"), work("s-2"), claimed_by="s-2@2026-03-02T16:00:00Z")
    assert message("plan-feedback", later, unknown, "h-3").handovers[-1].sid is None


def test_a_plan_is_out_until_work_on_the_task_goes_on_without_it() -> None:
    trail = Trail((sent(kind="plan"),))
    now = stands(trail, CLAIMED)
    assert now.out and not now.checkable
    assert standing(trail, BACK) is None
    ended = replace(trail, endings={"h-1": Ending("h-1", SEEN, 0)})
    assert stands(ended, FRESH).state is RETURNED and not stands(ended, FRESH).unchecked


def test_the_recorded_facts_are_found_by_the_sid_even_of_an_earlier_session() -> None:
    trail = Trail((sent(), sent(BACK, "s-2", "h-2")))
    first = baseline(trail, BACK, "s-1")
    assert first is not None and first.est_before == (0, 3)
    assert baseline(trail, BACK, "s-2") == Facts("review", "s-2", "in_progress")
    assert baseline(trail, BACK, "s-9") is None


def test_what_the_human_said_with_a_follow_up_is_what_the_session_is_checked_by() -> None:
    own = Facts("dev", "s-1", "pending", (1, 3), False)
    given = followup_handover("violation-fix", b"text", BACK, Trail(), SENT, "h-1", "s-1", own)
    assert baseline(Trail((given,)), BACK, "s-1") == own
    over = replace(given, id="h-2")
    assert baseline(Trail((sent(), over)), BACK, "s-1") == own
    assert stands(Trail((given,)), BACK).checkable


def test_an_answered_session_is_checked_as_one_that_resumes() -> None:
    blocked = read(work("s-1", before="in_progress", after="blocked"), status="blocked")
    trail = message("blocked-resume", blocked, Trail((sent(),)), "h-2")
    assert baseline(trail, blocked, "s-1") == Facts("dev", "s-1", "in_progress")
    assert stands(trail, blocked).out


def test_an_answer_to_a_session_nobody_recorded_can_still_be_checked() -> None:
    blocked = read(
        work("s-1", before="in_progress", after="blocked"), status="blocked", claimed_by="s-1@x"
    )
    trail = message("blocked-resume", blocked, Trail(), "h-1")
    assert (trail.handovers[0].sid, trail.handovers[0].role) == ("s-1", None)
    more = work("s-1", before="blocked", after="in_progress")
    again = read(work("s-1", before="in_progress", after="blocked"), more)
    assert stands(trail, again).unchecked
    assert baseline(trail, again, "s-1") == Facts("dev", "s-1", "in_progress")


def test_a_session_that_was_given_no_sid_is_known_by_what_it_wrote_once_another_is_out() -> None:
    trail = Trail((sent(sid=None), sent(BACK, None, "h-2")))
    own = baseline(trail, BACK, "s-1")
    assert own is not None and (own.role, own.status_before) == ("dev", "pending")
    assert sessions_of(trail, BACK, "s-1") == (trail.sessions[0],)
    assert sessions_of(trail, BACK, "s-9") == (trail.sessions[1],)  # the one that is out, perhaps
    later = read(work("s-1"), review("s-1", "s-2"), claimed_by="s-2@2026-03-02T16:00:00Z")
    assert sessions_of(trail, later, "s-1") == (trail.sessions[0],)
    assert sessions_of(trail, later, "s-2") == (trail.sessions[1],)
    assert sessions_of(trail, later, "s-9") == ()
