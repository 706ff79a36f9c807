"""Intake: a wish as the draft of a new task: its id, its text, its row, and what speaks against it;
writes nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.index_edit import AddRow, index_edit
from mandrel_tui.protocol.index_rows import Told
from mandrel_tui.protocol.reading import SECTIONS, read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.routing import Route, routes
from mandrel_tui.protocol.spelling import listed, refuse_unwritable
from mandrel_tui.protocol.task import Status, Task
from mandrel_tui.protocol.triage import Planned, TriagePlan, is_eager, prefetched

MOST_SESSIONS = 5
_SLUG_WORDS, _SLUG_LENGTH = 5, 48
_ALIKE_WORDS, _ALIKE_LETTERS = 0.6, 0.85
_BREAKING = ("fence-unclosed", "comment-unclosed")


@dataclass(frozen=True, slots=True)
class Draft:
    """What a person wants: texts of the sections as Markdown, `sessions` as the estimate's total,
    `prefetch` as documents below `.ai/`."""

    title: str
    goal: str = ""
    scope: str = ""
    acceptance: str = ""
    sessions: int = 1
    prefetch: tuple[str, ...] = ()

    @property
    def bodies(self) -> tuple[str, ...]:
        """The sections' texts in the order of SECTIONS, with LF line ends."""
        texts = (self.goal, self.scope, self.acceptance)
        return tuple(text.replace("\r\n", "\n").rstrip().strip("\n") for text in texts)


@dataclass(frozen=True, slots=True)
class Store:
    """What a new task is fitted into: the active tasks, every name and id that is `taken` (archived
    ones too), the paths of memory documents (None without memory), the bytes of the index (None
    without one) and of the routing document."""

    active: tuple[Task, ...]
    taken: frozenset[str] = frozenset()
    documents: frozenset[str] | None = None
    index: bytes | None = None
    routing: bytes = b""

    @property
    def offered(self) -> tuple[Route, ...]:
        """The documents a task may prefetch: those that are routed and not loaded always."""
        found = {
            route.path: route
            for route in reversed(routes(self.routing))
            if not is_eager(route.path) and (self.documents is None or route.path in self.documents)
        }
        return tuple(sorted(found.values(), key=lambda route: route.line))


def plan_new(draft: Draft, today: str, store: Store) -> TriagePlan:
    """The new task file and its row; `today` is the UTC date. Raises Refusal for a title or text
    that would break the file, and a prefetch entry that is no routed document."""
    title = draft.title.strip()
    refuse_unwritable(title)
    if not title:
        raise Refusal("a task needs a title")
    if draft.sessions < 1:
        raise Refusal("a task takes at least one session")
    prefetch = tuple(prefetched(entry, store.documents) for entry in draft.prefetch)
    name = task_id(title, today, store.taken)
    path = f".ai-tasks/{name}.md"
    data = _text(name, title, draft, prefetch)
    task = read_task(data, name, path)
    _verify(task, title, draft, prefetch)
    row, missing = _row(task, store.index)
    cautions = (*_cautions(title, draft, task, store), *missing)
    return TriagePlan(f"new task {name}", (Planned(Edit(path, None, data)), *row), cautions)


def task_id(title: str, today: str, taken: Set[str]) -> str:
    """`YYYY-MM-DD-<slug>` with `-2`, `-3`, … where that is taken, in any letter case."""
    known = {_folded(name) for name in taken}
    stem = f"{today}-{slug_of(title)}"
    number, name = 1, stem
    while _folded(name) in known:
        number += 1
        name = f"{stem}-{number}"
    return name


def slug_of(title: str) -> str:
    """At most five words and 48 letters of a title, joined by hyphens: accents go, letters of other
    scripts stay, everything else parts words; `task` where nothing is left."""
    kept: list[str] = []
    for word in _words(title)[:_SLUG_WORDS]:
        if kept and len("-".join([*kept, word])) > _SLUG_LENGTH:
            break
        kept.append(word[:_SLUG_LENGTH])
    return "-".join(kept) or "task"


def alike(title: str, tasks: Iterable[Task]) -> tuple[Task, ...]:
    """The tasks whose titles say nearly the same."""
    return tuple(task for task in tasks if _alike(title, task.title))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _words(title: str) -> list[str]:
    letters: list[str] = []
    for char in unicodedata.normalize("NFKC", title).casefold():
        letters.append(_letter(char, letters[-1] if letters else " "))
    return unicodedata.normalize("NFC", "".join(letters)).split()


def _letter(char: str, before: str) -> str:
    """A letter or digit without its accent, nothing for an apostrophe, a blank for anything else; a
    mark of another script stays with its letter."""
    base = unicodedata.normalize("NFKD", char)[0]
    if base.isascii():
        return base if base.isalnum() else "" if base == "'" else " "
    kind = unicodedata.category(char)[0]
    if char == "’":
        return ""
    return char if kind in "LN" or (kind == "M" and before.isalpha()) else " "


def _alike(one: str, other: str) -> bool:
    ours, theirs = _words(one), _words(other)
    if not ours or not theirs:
        return one.strip() == other.strip() != ""
    shared, every = set(ours) & set(theirs), set(ours) | set(theirs)
    if len(shared) >= _ALIKE_WORDS * len(every):
        return True
    return SequenceMatcher(None, " ".join(ours), " ".join(theirs)).ratio() >= _ALIKE_LETTERS


def _text(name: str, title: str, draft: Draft, prefetch: Sequence[str]) -> bytes:
    matter = {
        "id": name,
        "status": Status.PENDING.value,
        "session-est": f"0/{draft.sessions}",
        "blockers": "[]",
        "prefetch": listed(prefetch),
    }
    lines = ["---", *(f"{key}: {value}" for key, value in matter.items()), "---"]
    blocks = ["\n".join(lines), f"# {title}"]
    for heading, body in zip(SECTIONS, draft.bodies, strict=True):
        blocks += [f"## {heading}", body] if body else [f"## {heading}"]
    return "\n\n".join([*blocks, "## Session log\n"]).encode("utf-8", "surrogateescape")


def _verify(task: Task, title: str, draft: Draft, prefetch: tuple[str, ...]) -> None:
    """Raises Refusal unless the file says exactly what was drafted."""
    if task.title != title or task.prefetch != prefetch:
        raise Refusal(f"`{title}` would not read back as the title")
    broken = next((d for d in task.diagnostics if d.stops or d.rule in _BREAKING), None)
    if broken is not None:
        raise Refusal(f"the draft would be broken: {broken.message}")
    sections = tuple((section.title, section.body) for section in task.sections)
    wanted = tuple(zip(SECTIONS, draft.bodies, strict=True))
    for found, drafted in zip(sections, wanted, strict=False):
        if found != drafted:
            raise Refusal(f"{drafted[0]} cannot hold a heading of a task file, such as `## `")
    if len(sections) != len(wanted) or task.entries:
        raise Refusal("a section cannot hold a heading of a task file, such as `## `")


def _row(task: Task, index: bytes | None) -> tuple[tuple[Planned, ...], tuple[str, ...]]:
    if index is None:
        return (), ("there is no .ai-tasks/index.md, so no row is added",)
    step = AddRow(Told.of(task))
    try:
        return (Planned(index_edit(step, index), step),), ()
    except Refusal as refusal:
        return (), (f"no row is added: {refusal}",)


def _cautions(title: str, draft: Draft, task: Task, store: Store) -> Iterator[str]:
    for other in alike(title, store.active):
        yield f"{other.name} has a title like it: {other.title}"
    if draft.sessions > MOST_SESSIONS:
        yield f"{draft.sessions} sessions: over {MOST_SESSIONS} the work is split into tasks"
    empty = [name for name, body in zip(SECTIONS, draft.bodies, strict=True) if not body]
    if empty:
        yield f"nothing stands under {', '.join(empty)} yet"
    if not draft.prefetch and store.offered:
        names = ", ".join(route.path for route in store.offered)
        yield f"nothing is prefetched; routed are {names}"
    yield from (f"{d.message}; {d.hint}" for d in task.diagnostics if d.marks)
