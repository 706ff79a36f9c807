"""Prompts: legality, rulings, forms, places, and the bytes that must come through untouched."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.parts import VALUES
from mandrel_tui.protocol.placeholders import gaps
from mandrel_tui.protocol.prompt import Prompt, PromptRequest, assemble, wants_sid
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.turn import turn_of
from mandrel_tui.workspace.contract_files import load_contracts
from tests.builders import a_task, review, work
from tests.contract_sets import BUNDLE, golden_set, with_text

NOW = "2026-03-04T05:06:07Z"
SET = golden_set()
FRESH = a_task(status="pending", est="0/2")
UNREVIEWED = a_task(work())
PASSED = a_task(work(), review())
FINDINGS = a_task(work(), review(verdict="changes-requested"))
DISPUTED = a_task(work(), review(verdict="changes-requested", dispute="F1 stays."))
SPENT = a_task(
    work(), *(review(sid=f"rev-{n}", verdict="changes-requested", group="dev-1") for n in (1, 2, 3))
)
STALLED = a_task(work(after="final_review"), review(), status="final_review")
COMPLETED = a_task(work(after="final_review"), review(), status="completed")
BLOCKED = a_task(work(after="blocked"), status="blocked", blockers="[external:how many?]")


def prompt(file: bytes, contracts: Contracts = SET, others: int = 4, **asked: object) -> Prompt:
    """The prompt of a task file under the name `a-task`."""
    task = read_task(file, "a-task", ".ai-tasks/a-task.md")
    request = PromptRequest("a-task", **{"now": NOW, **asked})  # type: ignore[arg-type]
    return assemble(request, task, turn_of(task), contracts, others)


def refusal(file: bytes, contracts: Contracts = SET, **asked: object) -> str:
    with pytest.raises(Refusal) as refused:
        prompt(file, contracts, **asked)
    said = str(refused.value)
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("file", "kind", "mode"),
    [
        (FRESH, "dev", "advancement"),
        (FINDINGS, "dev", "remediation"),
        (UNREVIEWED, "review", "interim"),
        (a_task(work(after="final_review"), status="final_review"), "review", "final-gate"),
        (COMPLETED, "closeout", None),
    ],
)
def test_without_a_kind_the_turn_decides(file: bytes, kind: str, mode: str | None) -> None:
    made = prompt(file)
    assert (made.kind, made.mode) == (kind, mode)
    assert made.role == (None if kind == "closeout" else kind)


@pytest.mark.parametrize("form", ["headless", "interactive", "contract", "invoke"])
@pytest.mark.parametrize("kind", ["dev", "review", "plan", "closeout"])
@pytest.mark.parametrize("file", [FRESH, UNREVIEWED, FINDINGS, PASSED, COMPLETED])
def test_a_prompt_exists_exactly_where_the_kind_is_legal(file: bytes, kind: str, form: str) -> None:
    turn = turn_of(read_task(file, "a-task", "a-task.md"))
    roles = {"dev": {"dev-advancement", "dev-remediation"}}.get(kind, {kind})
    if roles & set(turn.legal):
        assert prompt(file, kind=kind, form=form).kind == kind
    else:
        said = refusal(file, kind=kind, form=form)
        assert turn.reason.rstrip(".") in said
        assert ", ".join(turn.legal) in said


def test_an_open_fix_set_leaves_only_remediation() -> None:
    file = a_task(work(), review(verdict="changes-requested"), work("dev-2"), fix_set="open")
    assert prompt(file).mode == "remediation"
    assert "legal is dev-remediation" in refusal(file, kind="review")


def test_a_task_with_unreadable_state_is_refused_with_what_to_do() -> None:
    said = refusal(a_task(status="done"))
    assert said.startswith("a-task: ") and "done" in said


def test_a_blocked_task_is_refused_with_the_way_to_answer() -> None:
    said = refusal(BLOCKED)
    assert "how many?" in said and "followup a-task blocked-resume --answer" in said


def test_a_task_whose_question_no_session_asked_is_refused_with_the_way_to_free_it() -> None:
    said = refusal(a_task(status="blocked", blockers="[external:how many?]", claimed_by=None))
    assert "how many? `unblock a-task` frees it" in said and "followup" not in said


def test_a_task_that_waits_for_another_owes_nobody_an_answer() -> None:
    task = read_task(a_task(work(), status="blocked", blockers="[other]"), "a-task", "a-task.md")
    with pytest.raises(Refusal, match=r"waits for other.*no session runs before that"):
        assemble(PromptRequest("a-task"), task, turn_of(task, frozenset({"other"})), SET, 1)


def test_an_unknown_form_or_kind_is_refused_with_those_there_are() -> None:
    assert "headless, interactive, contract, invoke" in refusal(FRESH, form="short")
    assert "dev, review, plan, closeout" in refusal(FRESH, kind="intake")


@pytest.mark.parametrize("file", [SPENT, DISPUTED])
@pytest.mark.parametrize("form", ["headless", "interactive", "contract", "invoke"])
def test_an_escalated_task_gets_no_dev_prompt_without_a_ruling(file: bytes, form: str) -> None:
    said = refusal(file, form=form)
    assert "group dev-1" in said and "rounds" in said and "--without-ruling" in said
    assert ("--ruling TEXT" in said) == (form in ("headless", "interactive"))
    assert prompt(file, form=form, without_ruling=True).mode == "remediation"


def test_a_dispute_on_a_pass_holds_back_the_plan_as_well() -> None:
    file = a_task(work(), review(dispute="F1 stays."))
    assert "dispute-unresolved" in refusal(file, kind="plan")
    assert b"\nRULING Drop it." in prompt(file, kind="plan", ruling="Drop it.").data


def test_the_ruling_of_an_escalation_binds_a_dev_prompt_chosen_beside_a_review() -> None:
    file = a_task(work(), review(verdict="changes-requested", dispute="F1 stays."), work("dev-2"))
    assert prompt(file).kind == "review"
    assert "dispute-unresolved" in refusal(file, kind="dev")


def test_a_stalled_gate_gets_a_review_that_carries_the_ruling() -> None:
    said = refusal(STALLED)
    assert "final-review-stall" in said and "--ruling TEXT" in said
    assert prompt(STALLED, ruling="Accept.").data.endswith(b"\nSTALL RULING Accept.")
    assert b"RULING" not in prompt(STALLED, without_ruling=True).data


def test_a_stalled_gate_that_never_had_a_review_names_none() -> None:
    assert "no review has concluded" in refusal(a_task(status="final_review"))


def test_a_ruling_that_nobody_asked_for_is_carried_where_there_is_a_place() -> None:
    assert b"\n\nRULING Hurry.\n\n" in prompt(FRESH, ruling="Hurry.").data
    assert prompt(UNREVIEWED, ruling="Hurry.").data.endswith(b"\nSTALL RULING Hurry.")


def test_a_blank_ruling_is_no_ruling() -> None:
    assert "ruling is empty" in refusal(SPENT, ruling=" \n")


@pytest.mark.parametrize("form", ["contract", "invoke"])
@pytest.mark.parametrize(
    "given", [{"sid": "s"}, {"ruling": "r"}, {"plan": "## Goal / Acceptance\nx"}]
)
def test_the_short_forms_have_no_place_for_a_sid_a_ruling_or_a_plan(
    form: str, given: dict[str, str]
) -> None:
    said = refusal(FRESH, kind="dev", form=form, **given)
    assert f"The {form} form has no place for a {next(iter(given))}" in said


@pytest.mark.parametrize("given", [{"sid": "s"}, {"ruling": "r"}, {"plan": "p"}])
def test_a_closeout_has_no_place_for_a_sid_a_ruling_or_a_plan(given: dict[str, str]) -> None:
    assert "A closeout prompt has no place for" in refusal(COMPLETED, **given)


def test_a_plan_goes_with_a_dev_prompt_that_advances() -> None:
    plan = "## Goal / Acceptance\nx"
    assert "A review prompt has no place for a plan" in refusal(UNREVIEWED, plan=plan)
    assert "A plan prompt has no place for a plan" in refusal(FRESH, kind="plan", plan=plan)
    assert "findings are open" in refusal(FINDINGS, plan=plan)


def test_an_approved_plan_is_taken_out_of_the_whole_reply() -> None:
    reply = "Here it is.\n\n## goal / acceptance\r\nDo it.\n\n"
    made = prompt(FRESH, plan=reply, plan_answer="yes, go", form="headless")
    assert made.data.endswith(
        b"\n\nPLAN APPROVED\nruling=yes, go\nreport=## goal / acceptance\r\nDo it."
    )
    assert any("dropped" in warning for warning in made.warnings)


def test_an_empty_plan_is_refused() -> None:
    assert "plan is empty" in refusal(FRESH, plan=" \n\n")


@pytest.mark.parametrize(
    "sid", ["", " s", "s ", "a\nb", "a\x1b[31m", "a\u2028b", "a / b", "\udcff"]
)
def test_a_sid_must_be_one_token_of_a_log_heading(sid: str) -> None:
    refusal(FRESH, sid=sid)


def test_the_time_must_be_one_line_without_control_characters() -> None:
    assert "time" in refusal(FRESH, now="2026\n03")


def test_a_task_name_with_control_characters_is_put_into_no_prompt() -> None:
    task = read_task(FRESH, "a\nb", ".ai-tasks/a\nb.md")
    with pytest.raises(Refusal, match="name must be one line"):
        assemble(PromptRequest("a\nb"), task, turn_of(task), SET, 0)


def test_text_that_is_no_unicode_is_refused_in_words() -> None:
    assert "UTF-8" in refusal(FRESH, ruling="\ud800")


def test_bytes_that_were_no_utf8_come_back_as_they_were() -> None:
    assert b"RULING caf\xe9\n" in prompt(FRESH, ruling="caf\udce9").data


def test_a_sid_that_already_wrote_is_pointed_out() -> None:
    assert any("already has an entry" in w for w in prompt(UNREVIEWED, sid="dev-1").warnings)
    assert prompt(UNREVIEWED, sid="rev-9").warnings == ()


def test_a_stray_fix_set_is_ignored_with_a_warning() -> None:
    made = prompt(a_task(work(), review(), fix_set="open"))
    assert made.kind == "dev" and made.mode == "advancement"
    assert any("fix-set" in warning for warning in made.warnings)


def test_a_broken_set_refuses_every_assembly_with_the_list() -> None:
    broken = replace(SET, problems=("one.md: missing", "two.md: missing"))
    for file in (FRESH, UNREVIEWED, COMPLETED):
        for form in ("headless", "invoke"):
            with pytest.raises(ContractError) as refused:
                prompt(file, broken, form=form)
            assert refused.value.problems == ("one.md: missing", "two.md: missing")


def test_a_closeout_without_its_procedure_names_what_is_needed() -> None:
    bare = replace(SET, skill_path=None)
    with pytest.raises(ContractError, match=r"ai-sync-v2/SKILL\.md"):
        prompt(COMPLETED, bare)
    texts = {name: text for name, text in SET.texts.items() if "closeout" not in name}
    with pytest.raises(ContractError, match=r"\.ai-protocol/workflow/skills/closeout\.md: missing"):
        prompt(COMPLETED, replace(SET, texts=texts), form="contract")


@pytest.mark.parametrize(
    ("file", "kind", "line"),
    [
        (FRESH, "dev", b"/invoke dev-advancement a-task"),
        (FINDINGS, "dev", b"/invoke dev-remediation a-task"),
        (UNREVIEWED, "review", b"/invoke review a-task"),
        (FRESH, "plan", b"/invoke plan a-task"),
        (COMPLETED, "closeout", b"/ai-sync-v2 a-task"),
    ],
)
def test_the_invoke_form_is_one_line(file: bytes, kind: str, line: bytes) -> None:
    assert prompt(file, kind=kind, form="invoke").data == line


@pytest.mark.parametrize(
    ("file", "kind", "first", "text"),
    [
        (FRESH, "dev", b"task a-task", "protocols/dev-advancement"),
        (FINDINGS, "dev", b"task a-task", "protocols/dev-remediation"),
        (UNREVIEWED, "review", b"review a-task", "protocols/review"),
        (FRESH, "plan", b"plan a-task", "protocols/plan"),
        (COMPLETED, "closeout", b"closeout a-task", "workflow/skills/closeout"),
    ],
)
def test_the_contract_form_is_an_address_and_the_contract(
    file: bytes, kind: str, first: bytes, text: str
) -> None:
    made = prompt(file, kind=kind, form="contract")
    assert made.data == first + b"\n\n" + SET.texts[text].data


def test_the_outline_names_its_parts_and_their_files() -> None:
    made = prompt(a_task(work(), work("dev-2")))
    assert [part.name for part in made.parts] == [
        "preamble-native-note",
        "review-rule-wrapper",
        "review-invocation",
        "review-independence",
        "checklist, 4 parts",
        "checks preview, 6",
    ]
    assert made.parts[1].source == ".ai-protocol/protocols/review.md"
    assert not any(part.bundled for part in made.parts)
    assert made.tokens == len(made.data) // 4


@given(
    contract=st.binary(max_size=200),
    ruling=st.text(max_size=60).filter(str.strip),
    sid=st.text(st.characters(codec="utf-8", categories=("L", "N", "S", "P")), min_size=1),
)
def test_contract_bytes_and_values_come_through_untouched(
    contract: bytes, ruling: str, sid: str
) -> None:
    ruling = ruling.encode("utf-8", "replace").decode()
    changed = with_text(SET, "protocols/dev-remediation", contract)
    made = prompt(FINDINGS, changed, sid=sid, ruling=ruling)
    assert b"".join(part.data for part in made.parts) == made.data
    assert b"\n\n[[ remediation\n" + contract + b"\n]]\n\n" in made.data
    assert b"\n\nRULING " + ruling.encode() + b"\n\nAFTERWARDS" in made.data
    assert b":: id " + sid.encode() + b"\n" in made.data


@pytest.mark.parametrize("name", sorted(VALUES))
def test_a_value_that_looks_like_a_placeholder_stays_as_it_is(name: str) -> None:
    text = "{{" + name + "}}"
    made = prompt(FINDINGS, sid=text, ruling=f"{text} {text}")
    assert f"\nRULING {text} {text}\n".encode() in made.data
    assert f":: id {text}\n".encode() in made.data


def self_contained() -> Contracts:
    """The bundle in a repository that has neither hooks nor a loader."""
    return load_contracts(BUNDLE / "nothing-is-here", BUNDLE)


def test_where_no_hook_tells_the_sid_the_prompt_must_carry_one() -> None:
    bundled = self_contained()
    for file in (FRESH, UNREVIEWED):
        for form in ("headless", "interactive"):
            assert "--sid" in refusal(file, bundled, form=form)
            assert b"s-1" in prompt(file, bundled, form=form, sid="s-1").data


@pytest.mark.parametrize(
    ("file", "form", "sid", "wanted"),
    [
        (FRESH, "interactive", None, True),
        (FRESH, "headless", None, True),
        (FRESH, "headless", "s-1", False),
        (FRESH, "invoke", None, False),
        (FRESH, "contract", None, False),
        (COMPLETED, "interactive", None, False),
        (BLOCKED, "interactive", None, False),
    ],
)
def test_a_sid_is_chosen_only_for_a_prompt_with_a_place_for_it(
    file: bytes, form: str, sid: str | None, wanted: bool
) -> None:
    turn = turn_of(read_task(file, "a-task", "a-task.md"))
    request = PromptRequest("a-task", form=form, sid=sid)
    assert wants_sid(request, turn, self_contained()) is wanted
    assert not wants_sid(request, turn, SET)


def test_without_hooks_the_note_names_the_files_and_the_end_is_pointed_at() -> None:
    bundled = self_contained()
    made = prompt(UNREVIEWED, bundled, sid="s-1")
    folder = str(BUNDLE).encode()
    assert folder + b"/protocols/conduct.md" in made.parts[0].data
    assert made.parts[-1].name == "session-end-pointer"
    assert made.parts[-1].data.startswith(b"\n\n")
    assert folder + b"/workflow/skills/session-end.md" in made.parts[-1].data
    assert all(part.bundled for part in made.parts)


def test_a_plan_and_a_headless_session_get_no_pointer_to_the_end() -> None:
    bundled = self_contained()
    for asked in ({"kind": "plan"}, {"form": "headless"}):
        names = [part.name for part in prompt(FRESH, bundled, sid="s-1", **asked).parts]
        assert "session-end-pointer" not in names
        assert names[0] == "preamble-bundled-note"


def test_a_procedure_that_is_pointed_at_but_missing_is_said() -> None:
    bundled = replace(self_contained(), texts=dict(SET.texts), contracts_dir=".ai-protocol")
    texts = {name: text for name, text in SET.texts.items() if "session-end" not in name}
    assert prompt(FRESH, bundled, sid="s-1").warnings == ()
    made = prompt(FRESH, replace(bundled, texts=texts), sid="s-1")
    assert any("session-end.md" in warning for warning in made.warnings)


def test_a_contract_that_differs_from_the_receipt_is_said() -> None:
    name = "protocols/review"
    texts = {**SET.texts, name: replace(SET.texts[name], lock="differs")}
    made = prompt(UNREVIEWED, replace(SET, texts=texts))
    assert any("review.md differs" in warning for warning in made.warnings)
    assert made.parts[1].lock == "differs"
    assert prompt(FRESH, replace(SET, texts=texts)).warnings == ()


def test_each_file_that_differs_is_named_alone_and_what_every_session_reads_is_among_them() -> None:
    texts = {
        name: replace(text, lock="differs") if name == "protocols/conduct" else text
        for name, text in SET.texts.items()
    }
    line = replace(SET.fragments["entry/sid-line"], lock="differs")
    fragments = {**SET.fragments, "entry/sid-line": line}
    made = prompt(UNREVIEWED, replace(SET, texts=texts, fragments=fragments), sid="s-1")
    paths = (SET.texts["protocols/conduct"].path, line.path)
    assert made.warnings == tuple(f"{path} differs from .ai-deploy-lock.json" for path in paths)


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        (FRESH, {"plan": "## Goal / Acceptance\nx"}),
        (FRESH, {"kind": "plan"}),
        (a_task(status="pending", est="soon"), {}),
        (a_task(work(), review(), est="3/3"), {}),
        (FINDINGS, {}),
        (SPENT, {"ruling": "Keep it."}),
        (UNREVIEWED, {}),
        (STALLED, {"ruling": "Accept."}),
    ],
)
def test_the_bundled_fragments_leave_no_gap_unfilled(file: bytes, asked: dict[str, str]) -> None:
    bundled = self_contained()
    for form in ("headless", "interactive"):
        made = prompt(file, bundled, form=form, sid="s-1", **asked)
        texts = [source.data for source in bundled.texts.values()]
        rest = made.data
        for text in texts:
            rest = rest.replace(text, b"")
        assert not gaps(rest)
    assert not gaps(prompt(COMPLETED, bundled).data)
