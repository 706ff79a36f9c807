"""The bundled contract set: which files it has, which placeholders, and what each text must say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
CONTRACTS = REPOSITORY / "contracts"
PROMPTS = CONTRACTS / "prompts"
GOLDEN = tuple(
    golden
    for golden in (
        REPOSITORY.parent / "shared" / "golden" / "workspace",
        REPOSITORY / "tests" / "golden" / "workspace",
    )
    if golden.is_dir()
)

ROLE_TEXTS = tuple(
    f"protocols/{role}"
    for role in ("dev-advancement", "dev-remediation", "review", "plan", "intake")
)
TEXTS = (
    "protocols/conduct",
    *ROLE_TEXTS,
    "meta/taskfile",
    "meta/memory",
    "meta/init",
    "workflow/runbook",
    "workflow/rolemapping",
    "workflow/skills/closeout",
    "workflow/skills/session-end",
    "skills/ai-sync-v2/SKILL",
)
SNAPSHOT = ("index", "map", "overview", "architecture", "design", "conventions")
TEMPLATES = {
    **{f"ai/{name}.md": {"today", "head"} for name in SNAPSHOT},
    "ai/overview.md": {"today", "head", "project"},
    "ai-tasks/index.md": set(),
    "gitignore": set(),
    "loader-agents.md": set(),
    "loader-claude.md": set(),
}
# Names and placeholders are facts of the protocol: repositories that carry these files exist.
ENTRY = {
    "approved-plan-gate": {"plan", "ruling"},
    "automation-wrapper": {"automation_md"},
    "checklist-claim": {"now", "sid_disp"},
    "checklist-dev-claim-status": set(),
    "checklist-dev-est": {"cur", "ntot", "nxt", "tot", "undershoot"},
    "checklist-dev-est-unknown": set(),
    "checklist-dev-prefetch": set(),
    "checklist-est-undershoot": set(),
    "checklist-header": set(),
    "checklist-review-est": set(),
    "checklist-review-pending": {"pending"},
    "checks-preview-header": set(),
    "closeout": {"active_count", "sync_skill", "task_id"},
    "conduct-annex": set(),
    "dev-advancement-wrapper": {"dev_rule"},
    "dev-invocation": {"sid_line", "task_id"},
    "dev-pre-re-est": set(),
    "dev-remediation": {"group"},
    "dev-remediation-wrapper": {"dev_rule"},
    "est-undershoot-note": set(),
    "human-ruling": {"ruling"},
    "plan-gate": set(),
    "plan-rule-wrapper": {"plan_rule"},
    "preamble-native-note": set(),
    "review-independence": set(),
    "review-invocation": {"sid_line", "task_id"},
    "review-rule-wrapper": {"review_rule"},
    "sid-line": {"sid"},
    "sid-line-from-hook": set(),
    "stall-ruling": {"ruling"},
}
MIDFLIGHT = {
    "answered-continue": {"answer"},
    "banner-agent-replied": {"reply"},
    "banner-blocked": {"blockers", "open_context", "role", "sid"},
    "banner-closeout-incomplete": {"problems"},
    "banner-convergence": {"findings", "group", "rounds"},
    "banner-discussion-unavailable": set(),
    "banner-dispute": {"review_entry", "reviewer_line"},
    "banner-final-review-stall": set(),
    "banner-followups-exhausted": {"max_followups", "problems"},
    "banner-native-closeout-incomplete": {"problems"},
    "banner-no-reply": set(),
    "banner-plan-gate": {"headline", "shown", "warning"},
    "banner-request": {"log_file", "role", "sid"},
    "banner-run-error": {"role", "sid"},
    "banner-wrapup-exhausted": {"problems"},
    "blocked-resume": {"answer"},
    "blocked-violation": {"problems"},
    "clean-howto": set(),
    "closeout-incomplete": {"problems"},
    "discussion-hint": set(),
    "discussion-turn": {"question"},
    "human-instruction": {"answer"},
    "plan-confirm-instruction": set(),
    "plan-feedback": {"answer"},
    "plan-headline-proposes": {"sid"},
    "plan-headline-replied": {"sid"},
    "plan-headline-revised": {"report_rev", "sid"},
    "plan-headline-unchanged": {"log_file", "report_rev", "report_round", "sid"},
    "plan-no-reply": {"log_file"},
    "plan-truncation-note": {"chars", "log_file"},
    "plan-warning-dirty-tree": set(),
    "plan-warning-keep": {"report_rev", "report_round"},
    "plan-warning-no-heading": set(),
    "run-error-retry": {"answer", "role", "task_id"},
    "violation-fix": {"clean_howto", "problems", "sid"},
    "wrapup": {
        "clean_howto",
        "context_budget",
        "context_tokens",
        "handoff_note",
        "plan_note",
        "sid",
    },
    "wrapup-note-advancement": set(),
    "wrapup-note-remediation": set(),
    "wrapup-note-review": set(),
    "wrapup-plan-advancement": set(),
}
PUBLISHED = {
    **{f"entry/{name}": names for name, names in ENTRY.items()},
    **{f"midflight/{name}": names for name, names in MIDFLIGHT.items()},
}
# They stand in for hooks and loader where a repository has neither, so no published set has them.
BUNDLED_ONLY = {
    "entry/preamble-bundled-note": {"contracts_dir"},
    "entry/session-end-pointer": {"contracts_dir"},
}
FRAGMENTS = {**PUBLISHED, **BUNDLED_ONLY}
CHECKS: dict[str, set[str]] = {
    "tree-clean": set(),
    "session-log-entry": {"sid_disp"},
    "claim-sid": {"sid_disp"},
    "dev-remediation-status": {"status_before"},
    "dev-advancement-status": set(),
    "fix-set-value": set(),
    "fix-set-closed": set(),
    "dev-est-increment": {"cur", "ntot", "nxt", "tot", "undershoot"},
    "review-status-final-gate": set(),
    "review-status-interim": {"status_before"},
    "review-entry-fields": set(),
}


def bytes_of(name: str) -> bytes:
    return (CONTRACTS / f"{name}.md").read_bytes()


def text(name: str) -> str:
    return bytes_of(name).decode("utf-8")


def fragment(name: str) -> str:
    return text(f"prompts/{name}")


def placeholders(written: str) -> set[str]:
    return set(re.findall(r"\{\{([a-z][a-z0-9_]*)\}\}", written))


def flat(written: str) -> str:
    """A text in one line, lower case, without emphasis and code marks."""
    return " ".join(re.sub(r"[*`]", "", written).lower().split())


def assert_says(name: str, *terms: str) -> None:
    said = flat(text(name))
    missing = [term for term in terms if flat(term) not in said]
    assert not missing, f"{name} does not say {missing}"


def section(name: str, heading: str) -> str:
    """One `## ` section of a text with its heading; headings inside a code fence are quoted."""
    found: list[list[str]] = []
    inside = fenced = False
    for line in text(name).split("\n"):
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            inside = line.startswith(f"## {heading}")
            found += [[]] if inside else []
        if inside:
            found[-1].append(line)
    assert len(found) == 1, f"{name}: {heading!r} stands there {len(found)} times"
    return "\n".join(found[0])


def sentences(written: str) -> set[str]:
    """Sentences and table cells of four words or more, flattened; placeholders count as words."""
    pieces = re.split(r"(?<=[.:;!?])\s+|\n\s*\n|\n\s*[-*|]\s|\s\|\s", written)
    return {found for piece in pieces if len((found := flat(piece).strip(" -|.")).split()) >= 4}


def runs(written: str, length: int) -> set[str]:
    """Every run of `length` neighbouring words."""
    words = re.findall(r"[a-z_]+", re.sub(r"\{\{\w+\}\}|\S*/\S*", " ", flat(written)))
    return {" ".join(words[at : at + length]) for at in range(len(words) - length + 1)}


# --- the files


def test_the_set_has_exactly_these_files() -> None:
    found = {
        path.relative_to(CONTRACTS).as_posix() for path in CONTRACTS.rglob("*") if path.is_file()
    }
    assert found == {
        *(f"{name}.md" for name in TEXTS),
        *(f"prompts/{name}.md" for name in FRAGMENTS),
        *(f"templates/{name}" for name in TEMPLATES),
        "prompts/postcheck-contract.md",
        "prompts/README.md",
        "templates/README.md",
    }


def test_every_file_is_utf8_with_plain_line_ends_and_one_final_newline() -> None:
    for path in CONTRACTS.rglob("*"):
        if path.is_file():
            read = path.read_bytes()
            read.decode("utf-8")
            assert read.endswith(b"\n") and not read.endswith(b"\n\n"), path
            assert not read.startswith(b"\xef\xbb\xbf"), path
            assert b"\r" not in read and b"\t" not in read, path
            assert not re.search(rb"[ ]\n", read), f"{path}: blank at the end of a line"


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_one_title_closed_fences_and_no_placeholder(name: str) -> None:
    outside: list[str] = []
    fenced = False
    for line in text(name).split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            outside.append(line)
    assert not fenced
    assert len([line for line in outside if line.startswith("# ")]) == 1
    assert placeholders(text(name)) == set()


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_can_be_read_at_one_sitting(name: str) -> None:
    assert 15 <= len(text(name).split("\n")) <= 160
    assert len(bytes_of(name)) // 4 <= 2_000


# --- the fragments


@pytest.mark.parametrize("name", sorted(FRAGMENTS))
def test_a_fragment_has_exactly_its_placeholders(name: str) -> None:
    assert placeholders(fragment(name)) == FRAGMENTS[name]
    braces = re.sub(r"\{\{[a-z][a-z0-9_]*\}\}", "", fragment(name))
    assert "{{" not in braces and "}}" not in braces


@pytest.mark.skipif(not GOLDEN, reason="no published set to compare with")
def test_names_and_placeholders_are_those_of_the_published_set() -> None:
    for golden in GOLDEN:
        folder = golden / ".mandrel" / "orchestrator" / "prompts"
        published = {
            path.relative_to(folder).with_suffix("").as_posix(): placeholders(
                path.read_text("utf-8")
            )
            for path in folder.glob("*/*.md")
        }
        assert published == PUBLISHED


@pytest.mark.skipif(not GOLDEN, reason="no published set to compare with")
def test_no_sentence_is_taken_from_the_published_set() -> None:
    ours = set().union(*(sentences(path.read_text("utf-8")) for path in CONTRACTS.rglob("*.md")))
    for golden in GOLDEN:
        for folder in (".ai-protocol", ".mandrel"):
            for path in (golden / folder).rglob("*.md"):
                body = re.sub(r"(?m)^#.*$", "", path.read_text("utf-8"))
                assert not sentences(body) & ours, path


def test_fragments_are_a_few_lines_each() -> None:
    longest = {name: len(fragment(name).split("\n")) - 1 for name in FRAGMENTS}
    assert {name for name, lines in longest.items() if lines > 8} == set()


def test_fragments_point_at_rules_and_repeat_none() -> None:
    rules = [text(name) for name in TEXTS]
    said = set().union(*(sentences(rule) for rule in rules))
    runs_of_rules = set().union(*(runs(rule, 8) for rule in rules))
    for name in FRAGMENTS:
        assert not sentences(fragment(name)) & said, name
        assert not runs(fragment(name), 8) & runs_of_rules, name


def test_sections_that_fragments_name_exist_in_the_owning_text() -> None:
    owners = {
        "entry/review-independence": ("protocols/review", "Evidence"),
        "entry/dev-pre-re-est": ("protocols/dev-advancement", "Estimate first"),
        "entry/dev-remediation": ("protocols/dev-remediation", "Start"),
        "entry/approved-plan-gate": ("protocols/dev-advancement", "Start"),
        "entry/checklist-dev-est-unknown": ("meta/taskfile", "Estimate"),
        "midflight/blocked-resume": ("meta/taskfile", "Blocked"),
        "midflight/plan-feedback": ("protocols/plan", "Revising"),
        "midflight/wrapup": ("workflow/skills/session-end", "Wrap-up"),
        "midflight/wrapup-plan-advancement": ("protocols/dev-advancement", "Split only what"),
    }
    for name, (owner, heading) in owners.items():
        assert f"*{heading}" in fragment(name), name
        assert section(owner, heading)


def test_wrappers_set_the_contract_off_from_the_lines_around_it() -> None:
    for name in ("dev-advancement", "dev-remediation", "review-rule", "plan-rule"):
        before, rule, after = fragment(f"entry/{name}-wrapper").split("\n")[:3]
        assert before.startswith("<contract name=") and after == "</contract>"
        assert re.fullmatch(r"\{\{\w+_rule\}\}", rule)


def test_notes_that_continue_a_line_begin_with_a_blank() -> None:
    for name in (
        "entry/checklist-est-undershoot",
        "entry/est-undershoot-note",
        "midflight/wrapup-note-advancement",
        "midflight/wrapup-note-remediation",
        "midflight/wrapup-note-review",
        "midflight/wrapup-plan-advancement",
    ):
        assert re.match(r" \S", fragment(name)), name
        assert fragment(name).count("\n") == 1, name


def test_the_note_for_a_bare_repository_names_the_substrate_and_where_it_lies() -> None:
    note = fragment("entry/preamble-bundled-note")
    named = re.findall(r"\{\{contracts_dir\}\}/([\w/-]+)\.md", note)
    assert named == ["protocols/conduct", "meta/taskfile", "meta/memory"]
    assert all(name in TEXTS for name in named)
    for path in (".ai-tasks/index.md", ".ai/index.md", ".ai/map.md", "`.ai-protocol/`"):
        assert path in note
    pointer = fragment("entry/session-end-pointer")
    assert "{{contracts_dir}}/workflow/skills/session-end.md" in pointer


def test_the_bundled_only_fragments_are_documented() -> None:
    for name in BUNDLED_ONLY:
        assert f"`{name}.md`" in text("prompts/README")
    assert "`{{contracts_dir}}`" in text("prompts/README")


# --- the post-check contract


def postchecks() -> dict[str, list[str]]:
    parts = re.split(r"(?m)^## ", text("prompts/postcheck-contract"))[1:]
    return {
        part.split("\n")[0]: [line for line in part.split("\n")[1:] if line.strip()]
        for part in parts
    }


def test_each_check_has_one_requirement_line_in_the_published_order() -> None:
    found = postchecks()
    assert list(found) == list(CHECKS)
    assert {id: len(lines) for id, lines in found.items()} == dict.fromkeys(CHECKS, 1)


def test_each_requirement_has_exactly_its_placeholders() -> None:
    assert {id: placeholders(lines[0]) for id, lines in postchecks().items()} == CHECKS


def test_requirements_read_as_parts_of_a_list_and_of_a_sentence() -> None:
    for id, (line,) in postchecks().items():
        assert not line.startswith(("-", "*", " ")) and not line.endswith("."), id


def test_status_requirements_name_every_status_that_passes() -> None:
    allowed = {
        "dev-remediation-status": ("blocked",),
        "dev-advancement-status": ("in_progress", "final_review", "blocked"),
        "review-status-final-gate": ("completed", "final_review", "in_progress", "blocked"),
        "review-status-interim": ("in_progress", "blocked"),
    }
    for id, statuses in allowed.items():
        named = re.findall(r"`([a-z_]+)`", postchecks()[id][0])
        assert tuple(name for name in named if name != "status") == statuses


@pytest.mark.skipif(not GOLDEN, reason="no published set to compare with")
def test_checks_are_those_of_the_published_set() -> None:
    for golden in GOLDEN:
        path = golden / ".mandrel" / "orchestrator" / "prompts" / "postcheck-contract.md"
        parts = re.split(r"(?m)^## ", path.read_text("utf-8"))[1:]
        assert {part.split("\n")[0]: placeholders(part) for part in parts} == CHECKS


# --- forbidden wording

OTHER_ROLE = re.compile(
    r"\b(?:dev|development|developer|advancement|advancing|remediation|fix|review|reviewing|reviewer"
    r"|plan|planning|planner|intake|closeout|closing)[\s-]+sessions?\b",
    re.IGNORECASE,
)
PREDICTION = re.compile(
    r"\bnext\s+(?:session|agent|run)\b|\breviewed\s+next\b|\bhand(?:s|ed)?\s+back\b"
    r"|\bwill\s+be\s+(?:reviewed|judged|fixed|merged)\b|\breviewer\s+will\b",
    re.IGNORECASE,
)
CALLER = re.compile(r"orchestr|dispatch", re.IGNORECASE)
WIRING = re.compile(
    r"stop[\s-]hook|/ai-sync-v2|/intake-task|/ai-init|(?<!\S)/[a-z]+-[a-z-]+\b", re.I
)
FORBIDDEN = {
    "another role": OTHER_ROLE,
    "a prediction": PREDICTION,
    "caller vocabulary": CALLER,
    "hook wiring or a slash command": WIRING,
    "a section sign": re.compile("§"),
}


@pytest.mark.parametrize("what", sorted(FORBIDDEN))
@pytest.mark.parametrize("name", (*ROLE_TEXTS, "protocols/conduct"))
def test_a_role_text_is_free_of_forbidden_wording(name: str, what: str) -> None:
    assert not FORBIDDEN[what].search(text(name))


@pytest.mark.parametrize(
    ("what", "sample"),
    (
        ("another role", "left to a review\nsession"),
        ("a prediction", "the next session takes it up"),
        ("a prediction", "it is reviewed next"),
        ("a prediction", "then hands back"),
        ("caller vocabulary", "the Orchestrator"),
        ("hook wiring or a slash command", "run /ai-sync-v2 now"),
        ("hook wiring or a slash command", "the stop hook"),
        ("a section sign", "see §4"),
    ),
)
def test_the_forbidden_wording_would_be_noticed(what: str, sample: str) -> None:
    assert FORBIDDEN[what].search(sample)


@pytest.mark.parametrize("what", ("a prediction", "caller vocabulary", "a section sign"))
def test_no_text_or_fragment_speaks_of_callers_or_of_what_comes_next(what: str) -> None:
    for name in (*TEXTS, *(f"prompts/{name}" for name in (*FRAGMENTS, "postcheck-contract"))):
        assert not FORBIDDEN[what].search(text(name)), name


def test_no_procedure_speaks_of_hooks_or_slash_commands() -> None:
    for name in TEXTS:
        assert not WIRING.search(text(name)), name


def test_a_role_text_names_no_other_role_text() -> None:
    for name in ROLE_TEXTS:
        named = set(re.findall(r"\.ai-protocol/([\w/-]+)\.md", text(name)))
        assert named.isdisjoint(ROLE_TEXTS), name


def test_every_protocol_path_mentioned_exists_in_the_set() -> None:
    for path in CONTRACTS.rglob("*"):
        if not path.is_file():
            continue
        for named in re.findall(r"\.ai-protocol/([\w/.-]*[\w-])", path.read_text("utf-8")):
            assert (CONTRACTS / named).is_file(), f"{path}: {named}"


def test_conduct_and_session_end_are_named_by_each_role_text_that_claims() -> None:
    for name in ROLE_TEXTS:
        assert_says(name, ".ai-protocol/protocols/conduct.md")
    for name in ("dev-advancement", "dev-remediation", "review"):
        last = text(f"protocols/{name}").rstrip("\n").split("\n")[-1]
        assert last == "End by `.ai-protocol/workflow/skills/session-end.md`."


# --- what the texts must say


def test_conduct_reasons_from_code_and_verifies_symbols() -> None:
    assert_says("protocols/conduct", "reason from code", "names", "symbol", "exists before you use")


def test_conduct_asks_or_stops_and_never_guesses_at_what_is_load_bearing() -> None:
    assert_says(
        "protocols/conduct", "ask or stop, never guess", "load-bearing", "blocked procedure"
    )


def test_conduct_explains_disagreement() -> None:
    assert_says("protocols/conduct", "disagree in the open", "with evidence", "deviate in silence")


def test_conduct_has_the_three_tiers() -> None:
    tiers = section("protocols/conduct", "Tiers")
    assert re.findall(r"(?m)^\| (free|confirm|forbidden) \|", tiers) == [
        "free",
        "confirm",
        "forbidden",
    ]


def test_conduct_puts_all_work_under_a_task_and_sorts_discovered_work() -> None:
    work = flat(section("protocols/conduct", "All work is under a task"))
    assert "does not block this task" in work and "write a pending task" in work
    assert "blocks this task" in work and "adjust this task" in work


def test_conduct_tells_constraints_from_intent_and_history() -> None:
    assert_says("protocols/conduct", "constraints: they bind", "intent:", "instructs nobody")


def test_advancement_compares_remaining_work_with_the_estimate_before_any_change() -> None:
    estimate = flat(section("protocols/dev-advancement", "Estimate first"))
    assert "before any change compare the remaining work with the estimate" in estimate
    assert text("protocols/dev-advancement").index("## Estimate first") < text(
        "protocols/dev-advancement"
    ).index("## One slice")


def test_advancement_splits_only_unimplemented_slices() -> None:
    split = flat(section("protocols/dev-advancement", "Split only what is not begun"))
    assert "unimplemented slices only" in split
    assert "continuation slice" in split and "no renumbering" in split


def test_advancement_lands_one_slice_as_one_reviewable_unit() -> None:
    assert section("protocols/dev-advancement", "One slice")
    unit = flat(section("protocols/dev-advancement", "One reviewable unit"))
    assert "the task file, .ai/ and the diff" in unit and "nothing else" in unit


def test_advancement_never_writes_fix_set_completed_or_memory() -> None:
    limits = flat(section("protocols/dev-advancement", "Limits of this contract"))
    for never in ("write fix-set", "set completed", "edit .ai/"):
        assert f"| {never} |" in limits
    assert "is a line in done" in limits


def test_advancement_records_scope_changes_in_its_entry() -> None:
    limits = flat(section("protocols/dev-advancement", "Limits of this contract"))
    assert "goal, scope, acceptance or session plan" in limits
    assert "recorded in the entry you write" in limits


def test_advancement_hands_over_decisions_with_rejected_alternatives() -> None:
    entry = flat(section("protocols/dev-advancement", "The entry"))
    assert "decisions, each with the alternatives you rejected and why" in entry
    for field in ("done", "plan-slice", "next", "open"):
        assert f"- {field}:" in entry


def test_advancement_has_nothing_open_at_final_review() -> None:
    assert "at final_review it is none" in flat(section("protocols/dev-advancement", "The entry"))
    status = flat(section("protocols/dev-advancement", "Status at the end"))
    assert "the whole scope is landed" in status and "open is none | final_review" in status


def test_remediation_treats_findings_as_claims_correctness_first() -> None:
    claim = flat(section("protocols/dev-remediation", "A finding is a claim"))
    assert "verify before you change anything" in claim
    assert "correctness, then design and test, then style" in claim
    assert "nothing is skipped silently" in claim


def test_remediation_records_an_invalid_finding_once_as_a_dispute() -> None:
    dispute = flat(section("protocols/dev-remediation", "Dispute"))
    assert "neither fixed to please nor passed over" in dispute
    assert "record it once, in done" in dispute and "shown by" in dispute


def test_remediation_keeps_status_and_planned_scope_untouched() -> None:
    assert section("protocols/dev-remediation", "Status").split("\n\n")[1].startswith("Untouched")
    assert "no planned scope" in flat(section("protocols/dev-remediation", "Keep to the set"))


def test_remediation_marks_an_unfinished_fix_set_and_removes_the_line_when_done() -> None:
    life = flat(section("protocols/dev-remediation", "`fix-set`"))
    assert "| fix-set: open |" in life
    assert "remove it, do not empty it" in life and "no other value" in life


def test_review_judges_by_task_file_memory_and_diffs() -> None:
    evidence = flat(section("protocols/review", "Evidence"))
    assert "the task file, .ai/, and the diffs" in evidence


def test_review_classes_have_their_weights() -> None:
    classes = section("protocols/review", "Classes")
    weights = re.findall(r"(?m)^\| (\w+) \|.*\| (must|should|optional) \|$", classes)
    assert weights == [
        ("correctness", "must"),
        ("design", "should"),
        ("test", "should"),
        ("style", "optional"),
    ]


def test_only_correctness_blocks() -> None:
    classes = flat(section("protocols/review", "Classes"))
    assert "severity gate: only correctness blocks" in classes
    assert "cheap or carried as new tasks" in classes


def test_review_writes_one_entry_for_each_pending_sid() -> None:
    entries = flat(section("protocols/review", "The entries"))
    assert "one entry for each pending sid" in entries
    assert "/ review of <reviewed sid> / (<before> → <after>)" in entries
    assert "only the last carries the transition" in entries


def test_the_first_review_is_comprehensive_and_later_ones_look_at_the_delta() -> None:
    groups = flat(section("protocols/review", "Groups: frozen sets"))
    assert "the first review is comprehensive" in groups
    assert "delta only: prior findings, and regressions" in groups


def test_groups_are_frozen_anchored_and_never_opened_by_a_fix() -> None:
    groups = flat(section("protocols/review", "Groups: frozen sets"))
    for term in ("the set is frozen", "anchor", "that advanced the scope", "a fix opens none"):
        assert term in groups


def test_interim_reviews_advise_and_the_gate_judges_the_whole_ledger() -> None:
    kinds = flat(section("protocols/review", "Interim and final gate"))
    assert "advises" in kinds and "the whole ledger" in kinds
    assert "completed on pass; final_review on changes requested" in kinds
    assert "only when final_review was set in error" in kinds


def test_a_finding_held_after_a_dispute_is_one_line_and_not_requested_again() -> None:
    disputes = flat(section("protocols/review", "Disputes"))
    assert "- dispute-unresolved:" in disputes and "one line" in disputes
    assert "not requested again" in disputes


def test_plan_reads_only_and_claims_nothing() -> None:
    reading = flat(section("protocols/plan", "Read, write nothing"))
    assert "no claim" in reading and "no edit" in reading


def test_plan_report_has_its_six_headings_in_order() -> None:
    fenced = re.search(r"(?s)```\n(.*?)```", text("protocols/plan"))
    assert fenced is not None and fenced[1].split("\n")[:-1] == [
        "## Goal / Acceptance",
        "## Confirmed Facts",
        "## Assumptions / Unknowns",
        "## Work Approach",
        "## Verification Strategy",
        "## Risks / Likely Failure Points",
    ]
    assert_says("protocols/plan", "`None identified`")


def test_plan_is_revised_by_whole_restatement_or_declared_unchanged() -> None:
    revising = section("protocols/plan", "Revising")
    assert "restate the **whole** report" in revising
    assert "last line `PLAN-REPORT: unchanged`" in revising


def test_intake_looks_for_duplicates_before_anything_else() -> None:
    headings = re.findall(r"(?m)^## (.*)$", text("protocols/intake"))
    assert headings[0] == "1. Duplicates first"


def test_intake_fills_the_fields_of_a_new_task() -> None:
    draft = flat(section("protocols/intake", "3. Draft"))
    for term in ("| id |", "| status | pending", "0/<total>", "2–5 routed", "none of them eager"):
        assert term in draft
    assert "over 5 sessions: split" in draft


def test_intake_shows_the_draft_before_it_writes() -> None:
    show = flat(section("protocols/intake", "4. Show, then write"))
    assert "show the whole draft" in show and "write only after a yes" in show


def test_session_end_has_its_steps_in_order() -> None:
    headings = re.findall(r"(?m)^## \d\. (.*)$", text("workflow/skills/session-end"))
    assert headings[:5] == [
        "Clean tree",
        "Entry",
        "Status",
        "Prefetch backfill",
        "Other tasks (work sessions only)",
    ]


def test_session_end_says_what_a_clean_tree_is() -> None:
    clean = flat(section("workflow/skills/session-end", "1. Clean tree"))
    assert "git status --porcelain prints nothing" in clean and "not a clean tree: a stash" in clean


def test_session_end_has_a_wrap_up_for_a_full_context() -> None:
    wrapup = flat(section("workflow/skills/session-end", "Wrap-up"))
    assert "split the slice" in wrapup and "fix-set: open" in wrapup and "stay pending" in wrapup


def test_closeout_checks_everything_before_the_first_write() -> None:
    before = flat(section("workflow/skills/closeout", "0. Preconditions"))
    assert "before the first write" in before and "status: completed" in before
    assert "git status --porcelain is empty" in before and "no merge" in before


def test_closeout_walks_every_entry_and_asks_the_three_tests() -> None:
    candidates = flat(section("workflow/skills/closeout", "1. Candidates"))
    assert "every entry of the log" in candidates
    for term in ("derivation cost", "stability", "leverage", "keyword-dense line"):
        assert term in candidates


def test_closeout_names_its_commits_exactly() -> None:
    apply = section("workflow/skills/closeout", "5. Apply")
    assert "`chore(.ai): absorb <slug> findings`" in apply and "`chore: archive <slug>`" in apply
    assert "**One** commit of exactly these paths" in apply and "ignore rule" in flat(apply)


def test_closeout_reconciles_every_other_active_task() -> None:
    others = flat(section("workflow/skills/closeout", "4. Reconcile"))
    assert "left of → blocked in its latest heading, else pending" in others
    assert "blockers: []" in others


def test_closeout_ends_with_the_audit_line() -> None:
    line = (
        "`Remaining-task audit: checked N active task(s); updated <ids|none>; unchanged <ids|none>`"
    )
    assert line in section("workflow/skills/closeout", "7. Report").split("\n")


def test_closeout_proposals_are_whole_documents_in_a_mirrored_folder() -> None:
    proposal = flat(section("workflow/skills/closeout", "Proposal only"))
    assert ".ai-tasks/proposals/<id>/" in proposal and "whole documents" in proposal
    assert "an empty file of its name proposes its removal" in proposal
    assert "one unified diff" in proposal


def test_the_closeout_skill_points_at_the_procedure() -> None:
    skill = text("skills/ai-sync-v2/SKILL")
    assert skill.startswith("---\nname: ai-sync-v2\ndescription: ")
    assert "`.ai-protocol/workflow/skills/closeout.md`" in skill


def test_memory_states_the_eager_six_and_their_limits() -> None:
    assert_says("meta/memory", ".ai/index.md, .ai/map.md, and overview, architecture, design,")
    limits = flat(section("meta/memory", "Limits"))
    for term in ("bytes // 4", "3,000", "1,500", "16,500"):
        assert term in limits


def test_memory_has_the_three_admission_tests_and_their_outcomes() -> None:
    tests = section("meta/memory", "The three admission tests")
    assert re.findall(r"(?m)^\| (derivation cost|stability|leverage) \|", tests) == [
        "derivation cost",
        "stability",
        "leverage",
    ]
    assert "| a clear fail on any | kept out |" in tests
    assert "borderline on any | kept, compressed to one keyword-dense line |" in tests
    assert "rejected alternatives, intentional omissions, invariants, topology" in flat(tests)


def test_memory_writes_one_line_a_fact_and_prefers_tables() -> None:
    form = flat(section("meta/memory", "Form"))
    assert "one line per fact" in form and "a table where facts share a shape" in form


def test_memory_upgrades_by_rename_and_never_keeps_both_forms() -> None:
    upgrade = flat(section("meta/memory", "Upgrade to a folder"))
    assert "a rename" in upgrade and "never both forms" in upgrade and "loader" in upgrade


def test_memory_gives_the_lines_of_the_housekeeping_notes() -> None:
    notes = section("meta/memory", "Housekeeping notes")
    for line in ("`<path> SIZE <tokens>/<limit>`", "`INDEX_SIZE`", "`DOMINANCE <n>%`"):
        assert line in notes
    assert "unknown lines are kept" in flat(notes)


def test_taskfile_explains_every_key_and_status() -> None:
    keys = section("meta/taskfile", "Front matter")
    assert re.findall(r"(?m)^\| `([a-z-]+)` \|", keys) == [
        "id",
        "status",
        "session-est",
        "blockers",
        "prefetch",
        "fix-set",
        "claimed-by",
    ]
    for status in ("pending", "in_progress", "final_review", "completed", "blocked"):
        assert f"`{status}`" in keys
    assert "`<sid>@<YYYY-MM-DDTHH:MM:SSZ>`" in keys


def test_taskfile_explains_every_field_of_the_log() -> None:
    log = section("meta/taskfile", "Session log")
    assert dict(re.findall(r"(?m)^\| `([A-Z][a-z-]+)` \| (work|review) \|", log)) == {
        "Done": "work",
        "Plan-slice": "work",
        "Next": "work",
        "Open": "work",
        "Verdict": "review",
        "Group": "review",
        "Findings": "review",
        "Dispute-unresolved": "review",
    }


def test_taskfile_shows_both_heading_forms() -> None:
    headings = re.findall(r"(?m)^### \d{4}-\d\d-\d\d / .*$", text("meta/taskfile"))
    assert len(headings) == 2
    assert headings[0].endswith("/ <sid> / (pending → in_progress)")
    assert headings[1].endswith("/ <sid> / review of <reviewed sid> / (in_progress → in_progress)")


def test_taskfile_claims_first_and_counts_the_session() -> None:
    assert section("meta/taskfile", "Claim: the first write")
    assert_says(
        "meta/taskfile", "`0/2` → `1/2`", "`3/3` → `4/4`", "`pending` becomes `in_progress`"
    )


def test_taskfile_gives_the_transitions_of_every_kind_of_entry() -> None:
    rows = re.findall(r"(?m)^\| ([\w -]+) \| .* \| .* \|$", section("meta/taskfile", "Status"))
    assert rows == [
        "entry of",
        "advancing work",
        "repairing work",
        "interim review",
        "final-gate review",
        "any",
    ]


def test_taskfile_blocks_with_an_external_question_and_resumes() -> None:
    blocked = flat(section("meta/taskfile", "Blocked"))
    assert "blockers: [external:" in blocked and "(before → blocked)" in blocked
    assert "restore the status that stands left of → blocked" in blocked


def test_the_runbook_has_the_seven_turn_rules_in_order() -> None:
    rules = section("workflow/runbook", "2. Turn")
    assert re.findall(r"(?m)^\| (\d) \|", rules) == list("1234567")


def test_role_mapping_keeps_role_contracts_off_the_loader() -> None:
    mapping = text("workflow/rolemapping")
    assert "contract text of a role is **never** on the loader" in mapping
    named = set(
        re.findall(r"\.ai-protocol/([\w/-]+)\.md", section("workflow/rolemapping", "Texts"))
    )
    assert set(ROLE_TEXTS) <= named


def test_the_first_filling_admits_by_the_three_tests_and_verifies_against_a_commit() -> None:
    assert_says("meta/init", "the three admission tests", "`verified-against` the full commit")


# --- what init lays down


@pytest.mark.parametrize("name", sorted(TEMPLATES))
def test_a_template_has_exactly_the_placeholders_its_readme_lists(name: str) -> None:
    written = (CONTRACTS / "templates" / name).read_text("utf-8")
    assert placeholders(written) == TEMPLATES[name]
    readme = text("templates/README")
    assert f"`{name}`" in readme
    assert all(f"`{{{{{placeholder}}}}}`" in readme for placeholder in TEMPLATES[name])


@pytest.mark.parametrize("name", ("loader-claude.md", "loader-agents.md"))
def test_the_loader_carries_the_substrate_and_no_role(name: str) -> None:
    block = (CONTRACTS / "templates" / name).read_text("utf-8")
    lines = block.rstrip("\n").split("\n")
    assert lines[0] == "<!-- mandrel: begin -->" and lines[-1] == "<!-- mandrel: end -->"
    loaded = re.findall(r"(?m)^(?:@|\d+\. `)([\w./-]+\.md)`?$", block)
    assert loaded == [
        ".ai-protocol/protocols/conduct.md",
        ".ai-protocol/meta/taskfile.md",
        ".ai-protocol/meta/memory.md",
        ".ai-tasks/index.md",
        *(f".ai/{document}.md" for document in SNAPSHOT),
    ]
    assert not any(role in block for role in ROLE_TEXTS)


@pytest.mark.parametrize("name", SNAPSHOT)
def test_an_empty_snapshot_document_is_stamped(name: str) -> None:
    document = text(f"templates/ai/{name}")
    stamp = "---\nlast-updated: {{today}}\nverified-against: {{head}}\n---\n\n# "
    assert document.startswith(stamp)


def test_the_empty_routing_names_the_other_five_documents() -> None:
    rows = re.findall(r"(?m)^\| \w+ \| ([\w./]+\.md) \|", text("templates/ai/index"))
    assert rows == [f"{name}.md" for name in SNAPSHOT if name != "index"]


def test_the_active_list_begins_with_the_published_columns() -> None:
    assert text("templates/ai-tasks/index").split("\n") == [
        "# Active tasks",
        "",
        "| id | title | status | session-est | blockers |",
        "|---|---|---|---|---|",
        "",
    ]


def test_the_ignore_block_keeps_the_task_store_out_of_git() -> None:
    lines = (CONTRACTS / "templates" / "gitignore").read_text("utf-8").rstrip("\n").split("\n")
    assert lines[0] == "# mandrel: begin" and lines[-1] == "# mandrel: end"
    assert "/.ai-tasks/" in lines
    assert not any("CLAUDE" in line or line == "/.ai/" for line in lines)
