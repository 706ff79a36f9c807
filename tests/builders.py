"""Task files as bytes: `a_task(work(...), review(of=...))` is the file sessions leave behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def work(
    sid: str = "dev-1",
    *,
    before: str = "pending",
    after: str = "in_progress",
    date: str = "2026-03-02",
    done: str | None = "Did the slice. Rejected: a cache, since nothing repeats.",
    plan_slice: str | None = None,
    next: str | None = "The other slice.",
    open: str | None = "none",
    extra: Iterable[str] = (),
) -> str:
    """One work entry; a field given as None is left out, `extra` lines stand last."""
    fields = {"Done": done, "Plan-slice": plan_slice, "Next": next, "Open": open}
    return _entry(f"{date} / {sid} / ({before} → {after})", fields, extra)


def review(
    of: str = "dev-1",
    sid: str = "rev-1",
    *,
    verdict: str | None = "pass",
    group: str | None = "",
    findings: str | None = "none",
    dispute: str | None = None,
    before: str = "in_progress",
    after: str = "in_progress",
    date: str = "2026-03-03",
    extra: Iterable[str] = (),
) -> str:
    """One review entry of the session `of`; an empty group is `of` itself, None leaves it out."""
    fields = {
        "Verdict": verdict,
        "Group": of if group == "" else group,
        "Findings": findings,
        "Dispute-unresolved": dispute,
    }
    return _entry(f"{date} / {sid} / review of {of} / ({before} → {after})", fields, extra)


def a_task(
    *entries: str,
    id: str | None = "2026-03-02-a-task",
    status: str | None = "in_progress",
    est: str | None = "1/3",
    blockers: str | None = "[]",
    prefetch: str | None = "[.ai/modules.md]",
    fix_set: str | None = None,
    claimed_by: str | None = "dev-1@2026-03-02T09:00:00Z",
    front: Iterable[str] = (),
    title: str = "A task",
    goal: str = "Reach the state the acceptance describes.",
    scope: str = "- One thing.\n- Another thing.",
    acceptance: str = "- It can be seen.",
    sections: Mapping[str, str] | None = None,
    log: str | None = "## Session log",
    eol: str = "\n",
) -> bytes:
    """The bytes of one task file: a front-matter key given as None is left out, `front` lines are
    added as they are, `sections` stand between Acceptance and the log, `log` None leaves the log
    heading out (the entries still follow), and every line ends in `eol`."""
    keys = {
        "id": id,
        "status": status,
        "session-est": est,
        "blockers": blockers,
        "prefetch": prefetch,
        "fix-set": fix_set,
        "claimed-by": claimed_by,
    }
    matter = [f"{key}: {value}".rstrip(" ") for key, value in keys.items() if value is not None]
    told = {"Goal": goal, "Scope": scope, "Acceptance": acceptance, **(sections or {})}
    blocks = [
        "\n".join(["---", *matter, *front, "---"]),
        f"# {title}",
        *(f"## {heading}\n\n{body}" for heading, body in told.items()),
        *([] if log is None else [log]),
        *entries,
    ]
    return ("\n\n".join(blocks) + "\n").replace("\n", eol).encode("utf-8", "surrogateescape")


def _entry(heading: str, fields: Mapping[str, str | None], extra: Iterable[str]) -> str:
    lines = [f"- {name}: {value}" for name, value in fields.items() if value is not None]
    return "\n".join([f"### {heading}", *lines, *extra])
