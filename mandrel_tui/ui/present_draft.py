"""Present drafts: the fields of the forms in which a task is made, edited or blocked, and what was
typed into them as values; it reads no file and touches no widget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.intake import MOST_SESSIONS, Draft, Store
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.task import EXTERNAL, Status, Task
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.ui.blank import Blank
from mandrel_tui.ui.clean import label
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import words
from mandrel_tui.ui.symbols import Symbols

EDITED = ("status", "session-est", "blockers", "prefetch", "fix-set", "claimed-by")
LONGEST = 6  # cautions shown above a diff


def new_blanks(store: Store, typed: Mapping[str, str]) -> Iterator[Blank]:
    """The fields of a new task, filled with what was typed before."""

    def was(name: str, default: str = "") -> str:
        return typed.get(name, default)

    yield Blank("title", "title", was("title"))
    yield Blank("goal", "goal", was("goal"), text=True)
    yield Blank("scope", "scope", was("scope"), text=True)
    yield Blank("acceptance", "acceptance", was("acceptance"), text=True)
    yield Blank("sessions", "sessions", was("sessions", "1"))
    offered = store.offered
    yield Blank(
        "prefetch",
        "prefetch",
        was("prefetch"),
        tuple(route.path for route in offered),
        notes=tuple(label(route.words) for route in offered),
        many=True,
    )


def new_fault(values: Mapping[str, str]) -> str:
    """Why these fields make no draft; empty when they do."""
    if not values["title"].strip():
        return "a task needs a title"
    sessions = values["sessions"].strip()
    if not (sessions.isascii() and sessions.isdigit() and 0 < int(sessions) < 1000):
        return "sessions is a number, from 1"
    return ""


def draft_of(values: Mapping[str, str]) -> Draft:
    """What the fields of a new task say."""
    return Draft(
        title=values["title"],
        goal=values["goal"],
        scope=values["scope"],
        acceptance=values["acceptance"],
        sessions=int(values["sessions"]),
        prefetch=tuple(path for path in values["prefetch"].split("\n") if path),
    )


def new_words() -> list[Line]:
    """What stands above the fields of a new task."""
    return [line(f"Over {MOST_SESSIONS} sessions the work is split into tasks.", "quiet")]


def edit_blanks(task: Task, typed: Mapping[str, str] | None = None) -> Iterator[Blank]:
    """The front matter of a task as it stands in the file, or as it was typed over."""
    stands = {field.key: field.value for field in reversed(task.fields)}
    raw = {**stands, **(typed or {})}
    for key in EDITED:
        if key == "status":
            statuses = tuple(status.value for status in Status)
            known = task.status_text in statuses
            options = statuses if known else (task.status_text, *statuses)
            yield Blank(key, key, raw.get(key, task.status_text), options)
        else:
            yield Blank(key, key, raw.get(key, ""))


def changed_values(task: Task, values: Mapping[str, str]) -> dict[str, str]:
    """The values that are others than in the file."""
    before = {blank.name: blank.value for blank in edit_blanks(task)}
    return {key: text for key, text in values.items() if text != before.get(key)}


def block_blanks(others: Iterable[str], typed: Mapping[str, str] | None = None) -> Iterator[Blank]:
    """What a task is to wait for: a question, an event, or another task."""
    was = typed or {}
    yield Blank("reason", "reason", was.get("reason", ""), text=True)
    yield Blank("task", "or a task", was.get("task", ""), options=tuple(others), many=True)


def block_fault(values: Mapping[str, str]) -> str:
    """Why these fields name nothing to wait for; empty when they do."""
    tasks = [name for name in values["task"].split("\n") if name]
    if bool(values["reason"].strip()) + len(tasks) == 1:
        return ""
    return "one thing at a time: a reason, or one task" if tasks else "say what the task waits for"


def block_reason(values: Mapping[str, str]) -> str:
    """What the fields name."""
    return values["reason"].strip() or values["task"]


def unblock_blanks(task: Task, typed: Mapping[str, str] | None = None) -> Iterator[Blank]:
    """What a task waits for, all of it ticked."""
    waits = tuple(dict.fromkeys(task.blockers))
    value = (typed or {}).get("answered", "\n".join(waits))
    names = tuple(label(blocker.removeprefix(EXTERNAL).strip()) for blocker in waits)
    yield Blank("answered", "what is over", value, waits, names, many=True)


def answered(task: Task, values: Mapping[str, str]) -> tuple[str, ...] | None:
    """The blockers that are ticked; None for all of them."""
    ticked = values["answered"].split("\n")
    return None if set(task.blockers) <= set(ticked) else tuple(b for b in ticked if b)


def unblock_fault(values: Mapping[str, str]) -> str:
    """Why nothing would change; empty when something would."""
    return "" if values["answered"] else "nothing is ticked"


def plan_lines(plan: TriagePlan, symbols: Symbols) -> list[Line]:
    """What a person should know before saying yes to a plan."""
    told = [line(f"{symbols.mild} {words(text, symbols)}", "you") for text in plan.cautions]
    if len(told) > LONGEST:
        more = counted(len(told) - LONGEST + 1, "more warning")
        told = [*told[: LONGEST - 1], line(f"{symbols.mild} {more}", "you")]
    return told


def diff_roles(diff: Iterable[str]) -> dict[int, str]:
    """The role of each line of a diff, by its number from 0."""
    marks = {"+": "pass", "-": "fail", "@": "accent"}
    return {at: marks[row[0]] for at, row in enumerate(diff) if row[:1] in marks}


def mends_index(found: Diagnostic) -> bool:
    """Whether a correction of the index can put it right."""
    return found.rule.startswith("index-") and found.rule != "index-damaged"
