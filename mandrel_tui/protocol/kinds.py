"""Kinds: the names of board groups, prompts, forms, follow-up messages and places to launch in;
light to import."""

from __future__ import annotations

GROUPS = ("completed", "final_review", "in_progress", "blocked", "pending", "off-schema")
FORMS = ("headless", "interactive", "contract", "invoke")
KINDS = ("dev", "review", "plan", "closeout")
# Roles that are a kind in one mode.
ROLES = {"dev-advancement": ("dev", "advancement"), "dev-remediation": ("dev", "remediation")}
FOLLOWUPS = (
    "violation-fix",
    "blocked-resume",
    "blocked-violation",
    "plan-feedback",
    "human-instruction",
    "closeout-incomplete",
    "answered-continue",
    "run-error-retry",
    "wrapup",
)
# A request for a proposal: an agent reads and proposes, and its session belongs to no role.
PROPOSAL = "proposal"
PLACES = ("here", "tmux", "headless")
