"""Present the plan of a closeout: its file changes, what holds before the first byte, its commit,
as lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.closeout import ARCHIVE, Plan
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.housekeeping import PENDING, tokens
from mandrel_tui.protocol.index import PATH
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.patience import changes, lines_of
from mandrel_tui.protocol.preconditions import Precondition
from mandrel_tui.protocol.reconcile import Reconciliation
from mandrel_tui.ui.clean import cut_middle
from mandrel_tui.ui.line import Line, Piece, Pieces, line, size
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.symbols import Symbols

PLANNED, APPLYING, STOPPED = "planned", "applying", "stopped"
SHORT = {
    "git": "git works",
    "tree-clean": "tree clean apart from the proposal",
    "no-operation": "no merge or rebase",
    "no-unmerged-path": "nothing unmerged",
    "index-lock-free": "no index.lock",
    "paths-checked-out": "all checked out",
    "names-fit": "names fit",
    "paths-writable": "all writable",
    "identity": "git identity",
    "archive-name-free": "archive name is free",
    "index-sound": "index is sound",
    "id-unique": "id is unique",
    "one-form": "one form each",
    "files-as-read": "every file as it was read",
    "tasks-reconcilable": "tasks reconcile",
    "journal-ready": "journal ready",
}


@dataclass(frozen=True, slots=True)
class PlanSheet:
    """A closeout as its screen shows it: the plan it would carry out, or the `fault` for which
    there is none; every reconciliation there is to accept; the paths git would commit; the share of
    the eager memory before and after, in per cent.

    `stage` says how far it is, `done` which paths are written, `said` what git and its hooks said
    when it was stopped, and `problem` why it was; `advice` is what a person should look at.
    """

    task: str
    plan: Plan | None = None
    reconciliations: tuple[Reconciliation, ...] = ()
    preconditions: tuple[Precondition, ...] = ()
    carried: frozenset[str] = frozenset()
    place: str = ""
    memory: tuple[int, int] = (0, 0)
    fault: str = ""
    stage: str = PLANNED
    done: frozenset[str] = frozenset()
    problem: str = ""
    said: str = ""
    advice: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[Precondition, ...]:
        return tuple(row for row in self.preconditions if not row.passed)

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """Its file changes, one row each."""
        return tuple(_changes(self.plan, self.reconciliations)) if self.plan is not None else ()


@dataclass(frozen=True, slots=True)
class FileChange:
    """One row of a plan: the path, what happens to it (`~ + - >`), the edit, and the other task
    whose reconciliation it is."""

    path: str
    sign: str
    edit: Edit
    task: str = ""
    words: str = ""


def _changes(plan: Plan, every: tuple[Reconciliation, ...]) -> Iterator[FileChange]:
    signs = {"added": "+", "removed": "-", "changed": "~", "moved": ">"}
    others = {r.edit.path for r in every if r.edit is not None}
    for action in plan.changes:
        if action.path not in others and action.path != PENDING:
            yield FileChange(action.path, signs[action.action], action.edit)
    for reconciliation in every:
        edit = reconciliation.edit
        if edit is not None:
            words = reconciliation.words
            yield FileChange(edit.path, "~", edit, reconciliation.name, words)
    for note in plan.notes:
        yield FileChange(note.path, "~", note)


def plan_title(sheet: PlanSheet) -> str:
    """`7 file changes, one commit`; `5 of 7` while it is being applied."""
    if sheet.plan is None:
        return "plan"
    total = len(sheet.changes)
    if sheet.stage == APPLYING:
        return f"applying: {len(_written(sheet))} of {total}"
    commit = "one commit" if sheet.carried else "no commit: git carries none of it"
    return f"{counted(total, 'file change')}, {commit}"


def _written(sheet: PlanSheet) -> list[FileChange]:
    return [change for change in sheet.changes if change.path in sheet.done]


def memory_words(sheet: PlanSheet, symbols: Symbols) -> str:
    """`memory 61% → 62%`."""
    before, after = sheet.memory
    return f"memory {before}% {symbols.arrow} {after}%" if sheet.plan is not None else ""


def change_row(
    change: FileChange,
    sheet: PlanSheet,
    accepted: Mapping[str, bool],
    symbols: Symbols,
    cells: int,
) -> Line:
    """One file change: what happens, its path cut in the middle, sizes, where it goes."""
    sign = _sign(change, sheet, symbols)
    right = (*_right(change, sheet, accepted, symbols), (" ", "text"))
    room = cells - size((sign,)) - 2 - size(right)
    path = cut_middle(words(change.path, symbols), max(room, 8), symbols.ellipsis)
    return Line((sign, (" ", "text"), (path, "text")), right)


def _sign(change: FileChange, sheet: PlanSheet, symbols: Symbols) -> Piece:
    if change.path in sheet.done:
        return (symbols.ok, "pass")
    roles = {"+": "pass", "-": "fail", "~": "you", ">": "accent"}
    sign = symbols.mild if change.sign == "~" else change.sign
    return (sign, roles[change.sign])


def _right(
    change: FileChange, sheet: PlanSheet, accepted: Mapping[str, bool], symbols: Symbols
) -> Pieces:
    if change.task:
        answer = _answer(accepted.get(change.task), symbols)
        return ((f"{_task_words(change, symbols)}   ", "quiet"), *answer)
    if change.sign == ">":
        return (("to archive/", "quiet"),)
    if change.path == PATH:
        return ((f"{_row_words(change.edit)}", "quiet"),)
    if change.path.startswith(f"{ARCHIVE}/"):
        return (("copy", "quiet"),)
    before, after = tokens(change.edit.before), tokens(change.edit.after)
    sizes = f"{number(before)} {symbols.arrow} {number(after)}"
    where = "in the commit" if change.path in sheet.carried else "not in git"
    return ((f"{sizes}   {where}", "quiet"),)


def _answer(accepted: bool | None, symbols: Symbols) -> Pieces:
    if accepted is None:
        return ((f"{symbols.unknown} ", "you"), ("undecided", "text"))
    mark, role = (symbols.ok, "pass") if accepted else (symbols.fail, "fail")
    return ((f"{mark} ", role), ("accepted" if accepted else "rejected", "text"))


def _task_words(change: FileChange, symbols: Symbols) -> str:
    """`blocked → pending`, or that a blocker goes: the diff says which."""
    moved = [part for part in change.words.split("; ") if "→" in part]
    said = moved[0] if moved else "a blocker goes"
    return words(said, symbols)


def _row_words(edit: Edit) -> str:
    """`line 9, row removed`."""
    old, new = lines_of(edit.before or b""), lines_of(edit.after or b"")
    found = changes(old, new)
    if not found:
        return "unchanged"
    what = "row removed" if len(new) < len(old) else "row corrected"
    return f"line {found[0].old_start + 1}, {what}"


def ground_end(sheet: PlanSheet) -> Piece:
    """`16 of 16 hold`, and its role."""
    total, failed = len(sheet.preconditions), len(sheet.failed)
    if not total:
        return ("", "quiet")
    return (f"{total - failed} of {total} hold", "fail" if failed else "pass")


def ground_lines(sheet: PlanSheet, symbols: Symbols) -> list[Line]:
    """What must hold before the first byte: each failure in its own line, so what else is to be
    looked at, then what holds."""
    if sheet.fault:
        return [line(words(sheet.fault, symbols), "fail")]
    told = [(symbols.fail, "fail", f"{r.id}: {r.detail}") for r in sheet.failed]
    told += [(symbols.mild, "you", said) for said in sheet.advice]
    rows = [
        Line(((f"{mark} ", role), (words(said, symbols), "text")), (), 2)
        for mark, role, said in told
    ]
    pieces: list[Piece] = []
    for row in sheet.preconditions:
        if row.passed:
            gap = [("   ", "text")] if pieces else []
            # Blanks that do not break keep the mark with its words.
            said = f"\u00a0{SHORT.get(row.id, row.id)}".replace(" ", "\u00a0")
            pieces += [*gap, (symbols.ok, "pass"), (said, "text")]
    return [*rows, Line(tuple(pieces))]


def commit_title(sheet: PlanSheet, symbols: Symbols) -> str:
    """`commit: chore(.ai): absorb barrier-timeouts findings`."""
    if sheet.plan is None or not sheet.carried:
        return "commit"
    return f"commit: {words(sheet.plan.message, symbols)}"


def commit_words(sheet: PlanSheet, symbols: Symbols) -> str:
    """`4 paths, on main 4f21c9a`."""
    if sheet.plan is None:
        return ""
    where = f", on {words(sheet.place, symbols)}" if sheet.place else ""
    return f"{counted(len(sheet.carried), 'path')}{where}"
