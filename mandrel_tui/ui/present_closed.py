"""Present what is left of a closeout: whether everything holds, and one that was interrupted, as
lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mandrel_tui.protocol.board import slug
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.verify_closeout import named
from mandrel_tui.ui.clean import cut_middle, pad
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.present import number, words
from mandrel_tui.ui.present_session import local
from mandrel_tui.ui.symbols import Symbols

NAME = 26  # cells of a code


@dataclass(frozen=True, slots=True)
class Verified:
    """What holds after the closeout of a task: `results` empty while it is looked at, `audit` the
    line about the remaining tasks, `commit` the commit that was made, `said` what git and its hooks
    said, `note` what else must be known; `undoable` while it can be taken back, `done` where it was
    carried out just now."""

    task: str
    results: tuple[CheckResult, ...] = ()
    audit: str = ""
    commit: str = ""
    said: str = ""
    note: str = ""
    undoable: bool = False
    done: bool = False
    fault: str = ""

    @property
    def failed(self) -> tuple[CheckResult, ...]:
        return tuple(result for result in self.results if not result.passed)


def verified_title(found: Verified) -> str:
    """`verify 7`."""
    return f"verify {len(found.results)}" if found.results else "verify"


def verified_end(found: Verified) -> tuple[str, str]:
    """`7 of 7 hold`, and its role."""
    if not found.results:
        return ("looking" if not found.fault else "", "quiet")
    failed, total = len(found.failed), len(found.results)
    if failed:
        verb = "does not hold" if failed == 1 else "do not hold"
        return (f"{failed} of {total} {verb}", "fail")
    return (f"{total} of {total} hold", "pass")


def verified_row(result: CheckResult, symbols: Symbols) -> Line:
    """`✓ the task file is gone from .ai-tasks/`, `✗ index-row-present   index.md line 5`."""
    mark, role = (symbols.ok, "pass") if result.passed else (symbols.fail, "fail")
    name, said = (words(text, symbols) for text in named(result))
    return Line(((f"{mark} ", role), (pad(name, NAME) if said else name, "text"), (said, "quiet")))


def verified_sentence(found: Verified, symbols: Symbols) -> Line:
    """What is next once it was looked at."""
    name = words(slug(found.task), symbols)
    if found.fault:
        return line(words(found.fault, symbols), "fail")
    if not found.results:
        return line(f"looking whether {name} is closed out", "quiet")
    if found.failed:
        count = counted(len(found.failed), "requirement")
        verb = "is" if len(found.failed) == 1 else "are"
        return line(f"next  {name}: {count} {verb} not met", "quiet")
    return line(f"{name} is closed out; Esc goes back", "quiet")


@dataclass(frozen=True, slots=True)
class Recovery:
    """One step of an interrupted closeout: its path, whether it is `done`, and what is to be said
    of it; `edit` is what was planned and `now` what stands there. `conflict` says that somebody
    changed the file since."""

    path: str
    done: bool
    words: str
    edit: Edit
    now: bytes | None
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A closeout that did not end: the task, when it began (UTC), its steps, the message of its
    commit (empty without one) and whether that is made; `more` others are interrupted too; `undo`
    where it took an earlier one back."""

    task: str
    started: str
    steps: tuple[Recovery, ...]
    message: str = ""
    committed: bool = False
    more: int = 0
    undo: bool = False

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)

    @property
    def conflicts(self) -> tuple[Recovery, ...]:
        return tuple(step for step in self.steps if step.conflict)


def interrupted_title(found: Interrupted, now: datetime) -> str:
    """`a closeout was interrupted, begun at 14:07`."""
    what = "taking a closeout back" if found.undo else "a closeout"
    more = f"; {counted(found.more, 'other')} too" if found.more else ""
    return f"{what} was interrupted, begun at {local(found.started, now)}{more}"


def recovery_row(at: int, found: Interrupted, symbols: Symbols, cells: int) -> Line:
    """`✓ 2 .ai/design.md    new text is in place`; behind the steps the commit."""
    digits = len(str(len(found.steps) + 1))
    if at == len(found.steps):
        mark = (symbols.ok, "pass") if found.committed else (symbols.none, "quiet")
        said = "is made" if found.committed else "is not made"
        path = f"commit: {found.message}" if found.message else "commit"
    else:
        step = found.steps[at]
        mark = (symbols.ok, "pass") if step.done else (symbols.none, "quiet")
        if step.conflict:
            mark = (symbols.fail, "fail")
        said, path = step.words, step.path
    said = words(said, symbols)
    room = max(cells - digits - len(said) - 6, 8)
    name = cut_middle(words(path, symbols), room, symbols.ellipsis)
    return Line(
        (mark, (f" {at + 1:>{digits}} ", "quiet"), (name, "text")), ((f"{said} ", "quiet"),)
    )


def recovery_lines(found: Interrupted, symbols: Symbols) -> list[Line]:
    """What finishing and rolling back would do, in words."""
    left, commit = len(found.steps) - found.done, found.message and not found.committed
    steps = [f"does {counted(left, 'step')}"] if left else []
    steps += ["makes the commit"] if commit else []
    finish = f"{', '.join([*steps, 'verifies'])}."
    back = f"restores {counted(found.done, 'file')} byte for byte."
    if found.committed:
        back = "takes the commit back by a revert commit; history stays."
    lines = [
        Line((("Finish     ", "text bold"), (finish, "text")), (), 11),
        Line((("Roll back  ", "text bold"), (back, "text")), (), 11),
        line("Neither loses a byte. Later opens the board; the journal stays, nothing moves."),
    ]
    if found.conflicts:
        said = "; ".join(step.words for step in found.conflicts)
        lines.append(line(f"{symbols.fail} {words(said, symbols)}", "fail"))
    return lines


def left_words(found: Interrupted) -> str:
    """What is left of it: `2 of 6 steps are left`, `only the commit is left`."""
    left, total = len(found.steps) - found.done, len(found.steps)
    if left:
        return f"{left} of {total} steps {'is' if left == 1 else 'are'} left"
    if found.message and not found.committed:
        return "only the commit is left"
    return "all of it is done, only its record is left"


def bytes_words(data: bytes | None) -> str:
    """`1,204 bytes`, or that there is no file."""
    return "no file" if data is None else f"{number(len(data))} bytes"
