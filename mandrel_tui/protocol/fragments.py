"""Fragments: the table of prompt fragments and the placeholders each declares."""

from __future__ import annotations

from collections.abc import Mapping

POSTCHECKS = "postcheck-contract"

_ENTRY = {
    "approved-plan-gate": "plan ruling",
    "automation-wrapper": "automation_md",
    "checklist-claim": "now sid_disp",
    "checklist-dev-claim-status": "",
    "checklist-dev-est": "cur ntot nxt tot undershoot",
    "checklist-dev-est-unknown": "",
    "checklist-dev-prefetch": "",
    "checklist-est-undershoot": "",
    "checklist-header": "",
    "checklist-review-est": "",
    "checklist-review-pending": "pending",
    "checks-preview-header": "",
    "closeout": "active_count sync_skill task_id",
    "conduct-annex": "",
    "dev-advancement-wrapper": "dev_rule",
    "dev-invocation": "sid_line task_id",
    "dev-pre-re-est": "",
    "dev-remediation": "group",
    "dev-remediation-wrapper": "dev_rule",
    "est-undershoot-note": "",
    "human-ruling": "ruling",
    "plan-gate": "",
    "plan-rule-wrapper": "plan_rule",
    "preamble-native-note": "",
    "review-independence": "",
    "review-invocation": "sid_line task_id",
    "review-rule-wrapper": "review_rule",
    "sid-line": "sid",
    "sid-line-from-hook": "",
    "stall-ruling": "ruling",
}
_MIDFLIGHT = {
    "answered-continue": "answer",
    "banner-agent-replied": "reply",
    "banner-blocked": "blockers open_context role sid",
    "banner-closeout-incomplete": "problems",
    "banner-convergence": "findings group rounds",
    "banner-discussion-unavailable": "",
    "banner-dispute": "review_entry reviewer_line",
    "banner-final-review-stall": "",
    "banner-followups-exhausted": "max_followups problems",
    "banner-native-closeout-incomplete": "problems",
    "banner-no-reply": "",
    "banner-plan-gate": "headline shown warning",
    "banner-request": "log_file role sid",
    "banner-run-error": "role sid",
    "banner-wrapup-exhausted": "problems",
    "blocked-resume": "answer",
    "blocked-violation": "problems",
    "clean-howto": "",
    "closeout-incomplete": "problems",
    "discussion-hint": "",
    "discussion-turn": "question",
    "human-instruction": "answer",
    "plan-confirm-instruction": "",
    "plan-feedback": "answer",
    "plan-headline-proposes": "sid",
    "plan-headline-replied": "sid",
    "plan-headline-revised": "report_rev sid",
    "plan-headline-unchanged": "log_file report_rev report_round sid",
    "plan-no-reply": "log_file",
    "plan-truncation-note": "chars log_file",
    "plan-warning-dirty-tree": "",
    "plan-warning-keep": "report_rev report_round",
    "plan-warning-no-heading": "",
    "run-error-retry": "answer role task_id",
    "violation-fix": "clean_howto problems sid",
    "wrapup": "clean_howto context_budget context_tokens handoff_note plan_note sid",
    "wrapup-note-advancement": "",
    "wrapup-note-remediation": "",
    "wrapup-note-review": "",
    "wrapup-plan-advancement": "",
}
# What stands in for the hooks and the loader of a repository that has neither; deployments that
# always lay both have no such fragments.
_STANDING_IN = {
    "preamble-bundled-note": "contracts_dir",
    "session-end-pointer": "contracts_dir",
}


def _declared(folder: str, table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {f"{folder}/{name}": frozenset(names.split()) for name, names in table.items()}


FRAGMENTS: dict[str, frozenset[str]] = {
    **_declared("entry", _ENTRY),
    **_declared("midflight", _MIDFLIGHT),
}
STANDING_IN: dict[str, frozenset[str]] = _declared("entry", _STANDING_IN)
