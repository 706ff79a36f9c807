"""Triage: blocking, unblocking and editing a task as plans of file changes that are shown first;
writes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.drift import prefetch_path
from mandrel_tui.protocol.edit import LISTS, Edit, TaskFile, Value, edit_task
from mandrel_tui.protocol.frontmatter import list_items
from mandrel_tui.protocol.index_edit import SetCells, Step, index_edit
from mandrel_tui.protocol.index_rows import COLUMNS, Told
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.snapshot import FOLDER, NAMES
from mandrel_tui.protocol.spelling import listed, reads
from mandrel_tui.protocol.task import EXTERNAL, Status, Task

_ESTIMATE = re.compile(r"[0-9]{1,9} ?/ ?[0-9]{1,9}")
_NEVER_EMPTY = ("id", "status", "session-est")
_KEYS = (*_NEVER_EMPTY, *LISTS, "fix-set", "claimed-by")


@dataclass(frozen=True, slots=True)
class Planned:
    """One file as it would be. An index change carries the `step` that makes it, so that it can be
    planned anew where the index changed meanwhile."""

    edit: Edit
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class TriagePlan:
    """What one act of triage would write, in that order; `what` says it in a few words, `cautions`
    what a person should know before saying yes."""

    what: str
    files: tuple[Planned, ...]
    cautions: tuple[str, ...] = ()

    @property
    def diff(self) -> tuple[str, ...]:
        """The exact differences as lines, file by file; empty where nothing changes."""
        return tuple(line for planned in self.files for line in planned.edit.diff)


def block(
    file: TaskFile,
    reason: str,
    index: bytes | None,
    active: Set[str] = frozenset(),
    archived: Set[str] = frozenset(),
) -> TriagePlan:
    """The task blocked by a question or an event outside; by a task where `reason` is exactly the
    name or id of another one of `active`. Raises Refusal, also for one of `archived`."""
    task = file.task
    _refuse_unreadable(task)
    if task.status is Status.COMPLETED:
        raise Refusal(f"{task.name} is completed: only its closeout is left")
    blocker = _blocker(task, reason, active)
    if blocker not in active and reason.strip() in archived:
        raise Refusal(f"{reason.strip()} is archived: there is nothing to wait for")
    if blocker in task.blockers:
        raise Refusal(f"{task.name} is blocked by that already")
    values: dict[str, Value] = {
        "status": Status.BLOCKED.value,
        "blockers": (*task.blockers, blocker),
    }
    return _plan(f"block {task.name}", file, values, index)


def unblock(
    file: TaskFile, index: bytes | None, answered: tuple[str, ...] | None = None
) -> TriagePlan:
    """The task without the blockers in `answered`, by default all; when none is left it returns to
    the status it had, as far as that can be inferred. Raises Refusal."""
    task = file.task
    _refuse_unreadable(task)
    unknown = [blocker for blocker in answered or () if blocker not in task.blockers]
    if unknown:
        raise Refusal(f"{task.name} is not blocked by {', '.join(unknown)}")
    if task.status is not Status.BLOCKED and not task.blockers:
        raise Refusal(f"{task.name} is not blocked: it is {task.status_text}")
    left = () if answered is None else tuple(b for b in task.blockers if b not in answered)
    values: dict[str, Value] = {}
    if task.status is Status.BLOCKED and not left:
        values["status"] = status_before(task).value
    values["blockers"] = left
    return _plan(f"unblock {task.name}", file, values, index)


def status_before(task: Task) -> Status:
    """The status a blocked task had: what stands left of `→ blocked` in its latest heading; where a
    person blocked it, what its latest heading left it at; without entries, what a claim makes of
    a task, else pending."""
    latest = task.entries[-1] if task.entries else None
    if latest is None:
        return Status.IN_PROGRESS if task.claimed_sid else Status.PENDING
    told = latest.before if latest.after == Status.BLOCKED else latest.after
    legal = (Status.PENDING, Status.IN_PROGRESS, Status.FINAL_REVIEW)
    return next((status for status in legal if status == told), Status.IN_PROGRESS)


def edit(
    file: TaskFile,
    typed: Mapping[str, str],
    index: bytes | None,
    documents: Set[str] | None = None,
) -> TriagePlan:
    """Front-matter values set to what a person typed; an empty text removes the line of a key that
    may be absent and empties a list. A document that comes into `prefetch` is one of `documents`,
    None where they are not known. Raises Refusal."""
    if not typed:
        raise Refusal("nothing is to be changed")
    values = {key: _value(file, key, text.strip(" \t")) for key, text in typed.items()}
    if "prefetch" in values:
        values["prefetch"] = tuple(_routed(file.task, values["prefetch"] or (), documents))
    plan = _plan(f"edit {file.task.name}", file, values, index)
    if not plan.diff:
        raise Refusal(f"{file.task.name} says so already: nothing is to be changed")
    return plan


def edited_text(file: TaskFile, after: bytes) -> TriagePlan:
    """The task file as a person left it in an editor, whatever it says now. Raises Refusal for a
    file that was not changed."""
    if after == file.data:
        raise Refusal(f"{file.task.name} was not changed")
    planned = Planned(Edit(file.task.path, file.data, after))
    return TriagePlan(f"edit {file.task.name}", (planned,), _cautions(file, after))


def _plan(
    what: str, file: TaskFile, values: Mapping[str, Value], index: bytes | None
) -> TriagePlan:
    changed = edit_task(file, values)
    after = changed.after or b""
    rows, cautions = _row(file.task, Told.of(file.reread(after)), values, index)
    return TriagePlan(what, (Planned(changed), *rows), (*_cautions(file, after), *cautions))


def _row(
    task: Task, told: Told, values: Mapping[str, Value], index: bytes | None
) -> tuple[tuple[Planned, ...], tuple[str, ...]]:
    """The change of the task's row that keeps it true, and why there is none."""
    cells = tuple((key, told.cell(key)) for key in values if key in COLUMNS[2:])
    if index is None or not cells:
        return (), ()
    step = SetCells(Told.of(task).names, cells)
    try:
        changed = index_edit(step, index)
    except Refusal as refusal:
        return (), (f"the row in the index stays as it is: {refusal}",)
    return ((Planned(changed, step),) if changed.diff else ()), ()


def _cautions(file: TaskFile, after: bytes) -> tuple[str, ...]:
    return news(file.task.diagnostics, file.reread(after).diagnostics)


def news(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> tuple[str, ...]:
    """What is odd about a task as it would be, and was not before."""
    known = {(d.rule, d.message) for d in before}
    return tuple(
        f"{d.message}; {d.hint}" for d in after if d.marks and (d.rule, d.message) not in known
    )


def _refuse_unreadable(task: Task) -> None:
    if task.status is None:
        fault = task.invalid.message if task.invalid else "its status cannot be read"
        raise Refusal(f"{task.name}: {fault}; edit the file first")


def _blocker(task: Task, reason: str, active: Set[str]) -> str:
    text = reason.removeprefix(EXTERNAL).strip()
    if not text:
        raise Refusal("the reason is empty: say what the task waits for")
    if text in (task.name, task.id):
        raise Refusal(f"{task.name} cannot wait for itself")
    if reason == text and text in active:
        return text
    _refuse_cut(text)
    return f"{EXTERNAL}{text}"


def _refuse_cut(text: str) -> None:
    """A person's words are not changed: raises Refusal for those that not everyone reads whole."""
    if "#" in text:
        raise Refusal("a scheduler that reads plain lines ends a value at `#`: say it without")


def _value(file: TaskFile, key: str, text: str) -> Value:
    """What was typed for a key as a value; raises Refusal for what the key cannot hold."""
    present = next((field for field in file.task.fields if field.key == key), None)
    if key not in _KEYS and present is None:
        raise Refusal(f"`{key}` is no key of a task: {', '.join(_KEYS)}")
    if key in LISTS:
        items = _items(text)
        listed(items)
        if key == "blockers":
            _refuse_cut("".join(item for item in items if item not in file.task.blockers))
        return items
    if not text:
        if key in _NEVER_EMPTY:
            raise Refusal(f"`{key}` cannot be empty")
        return None
    fault = next(_faults(file, key, text), None)
    if fault:
        raise Refusal(fault)
    if key in _KEYS and (present is None or text != present.value):
        _refuse_cut(text)
    return text


def _items(text: str) -> tuple[str, ...]:
    """The items of a list as typed, with or without brackets."""
    items = reads(text)
    return list_items(f"[{text}]") if items is None else items


def _routed(task: Task, items: Iterable[str], documents: Set[str] | None) -> Iterator[str]:
    """The documents to prefetch; what the task names already stays as it is written."""
    for item in items:
        yield item if item in task.prefetch else prefetched(item, documents)


def prefetched(entry: str, documents: Set[str] | None) -> str:
    """The path, `.ai/x.md`, of a document that a task is to prefetch; raises Refusal for one that
    is none of `documents`, where they are known, or loads always."""
    path = prefetch_path(entry)
    if path is None:
        raise Refusal(f"`{entry}` does not lie in .ai/")
    if is_eager(path):
        raise Refusal(f"{path} loads always: a task does not prefetch it")
    if documents is not None and path not in documents:
        raise Refusal(f"{path} is not there")
    return path


def is_eager(path: str) -> bool:
    """Whether a document, `.ai/x.md`, is one of those that load always."""
    return path.removeprefix(f"{FOLDER}/") in NAMES


def _faults(file: TaskFile, key: str, text: str) -> Iterator[str]:
    words = ", ".join(status.value for status in Status)
    if key == "status" and text not in Status._value2member_map_:
        yield f"`{text}` is no status: {words}"
    if key == "session-est" and not _ESTIMATE.fullmatch(text):
        yield f"`{text}` is no estimate: write done/total, as in 1/3"
    if key == "id" and text != file.task.name:
        yield f"the id is the file name, `{file.task.name}`"
    if key == "fix-set" and text != "open":
        yield "fix-set is `open` or removed (fix-set=)"
