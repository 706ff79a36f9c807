"""Present a task: its text as Markdown, the log's entries and fields, the convergence timelines and
the diagnostics as lines of text and role; it asks no clock and touches no widget."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from textwrap import dedent

from mandrel_tui.protocol.diagnostics import Diagnostic, Severity
from mandrel_tui.protocol.task import LogEntry, Task, Verdict
from mandrel_tui.ui.clean import clean, pad, width
from mandrel_tui.ui.line import Line, Piece, Pieces
from mandrel_tui.ui.present import age, sid_words, words
from mandrel_tui.ui.symbols import Symbols

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
KIND = 8  # cells of `review  `
FIELD = 7  # cells of a field's name, `Done`
VERDICT = 10  # cells of `✗ changes `


def task_sids(task: Task, symbols: Symbols) -> dict[str, str]:
    """How each session of the task is shown."""
    named = (sid for e in task.entries for sid in (e.sid, e.review_of or "", e.group or ""))
    return sid_words((*named, task.claimed_sid), symbols)


def claim_words(task: Task, symbols: Symbols, now: datetime, *, full: bool = False) -> str:
    """`claimed by 9b02f4d1 since 12:31Z`, since the day when that is not today; with `full` sid and
    stamp as typed, as always when the stamp cannot be true; empty without a claim."""
    if not task.claimed_by:
        return ""
    sid = task.claimed_sid if full else task_sids(task, symbols)[task.claimed_sid]
    typed = words(task.claimed_at, symbols)
    odd = age(task.claimed_at, now).odd
    short = typed[11:16] + "Z" if _today(task.claimed_at, now) else typed[:10]
    since = f" since {typed if full or odd else short}" if typed else ""
    return f"claimed by {words(sid, symbols)}{since}" + (f" ~ {odd}" if odd else "")


def _today(stamp: str, now: datetime) -> bool:
    try:
        then = datetime.fromisoformat(stamp)
    except ValueError:
        return False
    return then.tzinfo is not None and not then.utcoffset() and then.date() == _utc(now).date()


def _utc(now: datetime) -> datetime:
    offset = now.utcoffset()
    return (now - offset).replace(tzinfo=None) if offset is not None else now


def facts(task: Task, symbols: Symbols, now: datetime) -> list[str]:
    """What stands under the title: exact name, claim, another id, blockers, prefetch, fix set."""
    rows = [
        ("", task.name),
        ("", claim_words(task, symbols, now)),
        ("id", "" if task.id == task.name else task.id or "none"),
        ("blockers", ", ".join(task.blockers)),
        ("prefetch", ", ".join(task.prefetch)),
        ("fix-set", task.fix_set or ""),
    ]
    told = ((f"{name}: " if name else "") + value for name, value in rows if value)
    return [words(each, symbols) for each in told]


def task_text(task: Task, symbols: Symbols, now: datetime) -> str:
    """The title, the facts and the sections before the log as Markdown; title and facts are shown
    as typed, sections are the Markdown their authors wrote."""
    title = [f"# {literal(words(task.title, symbols))}"] if task.title else []
    told = "\\\n".join(literal(fact) for fact in facts(task, symbols, now))
    parts = [
        f"## {literal(words(section.title, symbols))}\n\n{section.body}"
        for section in task.sections
    ]
    return clean("\n\n".join((*title, told, *parts)), ascii=symbols.ascii)


def literal(text: str) -> str:
    """Text that Markdown shows as typed."""
    return _PUNCTUATION.sub(r"\\\g<0>", text)


def entry_kind(task: Task, position: int) -> str:
    """`dev`, `fix` (the last review before it requests changes) or `review`."""
    entry = task.entries[position]
    if entry.is_review:
        return "review"
    before = next((e for e in reversed(task.entries[:position]) if e.is_review), None)
    return "fix" if before is not None and before.verdict is Verdict.CHANGES_REQUESTED else "dev"


def entry_row(
    task: Task,
    position: int,
    sids: Mapping[str, str],
    symbols: Symbols,
    now: datetime,
    *,
    dated: bool = True,
    aged: bool = True,
) -> Line:
    """One log entry: number, date, session, kind, what its heading declares; verdict and age at
    the right end."""
    entry = task.entries[position]
    kind = entry_kind(task, position)
    number = pad(str(position + 1), len(str(len(task.entries))), right=True)
    left: list[Piece] = [(f"{number}  ", "quiet")]
    if dated:
        left.append((f"{_short_date(entry.date, symbols)}  ", "quiet"))
    left.append((f"{sids.get(entry.sid, entry.sid)}  ", "text"))
    left.append((pad(kind, KIND), "review" if entry.is_review else "dev"))
    left.append((_declared(entry, sids, symbols), "text"))
    return Line(tuple(left), (*_verdict(task, entry, symbols), *_ended(entry, now, aged)))


def _ended(entry: LogEntry, now: datetime, aged: bool) -> Pieces:
    if not aged:
        return ()
    found = age(entry.date, now)
    return ((pad("~" if found.odd else found.text, 5, right=True), "quiet"),)


def _short_date(typed: str, symbols: Symbols) -> str:
    """`08-22` of a date; anything else as typed."""
    shown = words(typed, symbols)
    dated = len(shown) == 10 and shown[4] == shown[7] == "-"
    return shown[5:] if dated else shown


def _declared(entry: LogEntry, sids: Mapping[str, str], symbols: Symbols) -> str:
    moved = _moved(entry, symbols)
    if entry.review_of is None:
        return moved
    of = f"of {sids.get(entry.review_of, entry.review_of)}"
    return f"{of}  {moved}" if entry.after not in (None, entry.before) else of


def _moved(entry: LogEntry, symbols: Symbols) -> str:
    """`pending → in_progress`; one status where nothing moved; empty without a transition."""
    before, after = (words(side or "", symbols) for side in (entry.before, entry.after))
    return before if before == after else f"{before} {symbols.arrow} {after}"


def _verdict(task: Task, entry: LogEntry, symbols: Symbols) -> Pieces:
    dispute = ((f"{symbols.flag} ", "you"),) if entry.dispute is not None else ()
    if not entry.is_review:
        open_ = entry.sid in task.pending_review
        return (
            ((pad(f"{symbols.unknown} open", VERDICT), "quiet"),)
            if open_
            else ((" " * VERDICT, "text"),)
        )
    return (*dispute, *_verdict_words(entry, symbols))


def _verdict_words(entry: LogEntry, symbols: Symbols) -> Pieces:
    if entry.verdict is Verdict.PASS:
        return ((pad(f"{symbols.ok} pass", VERDICT), "pass"),)
    if entry.verdict is Verdict.CHANGES_REQUESTED:
        return ((pad(f"{symbols.fail} changes", VERDICT), "fail"),)
    return ((pad(f"{symbols.unknown} none", VERDICT), "you"),)


def entry_title(task: Task, position: int) -> str:
    """`entry 6, lines 88 to 97`."""
    entry = task.entries[position]
    lines = f"lines {entry.line} to {entry.end_line}"
    return f"entry {position + 1}, {lines if entry.end_line > entry.line else f'line {entry.line}'}"


def field_lines(entry: LogEntry, cells: int, symbols: Symbols) -> list[Line]:
    """The fields of an entry for about `cells`, a line each of their values: names left, values
    beside."""
    names = [words(field.name, symbols) for field in entry.fields]
    column = min(max([FIELD, *(width(name) + 2 for name in names)]), max(cells // 3, FIELD))
    out: list[Line] = []
    for name, field in zip(names, entry.fields, strict=True):
        for at, text in enumerate(_outdented(clean(field.value, ascii=symbols.ascii))):
            head = f"{name} " if at == 0 and width(name) >= column else name if at == 0 else ""
            out.append(Line(((pad(head, column), "quiet"), (text, "text")), indent=column))
    return out


def _outdented(value: str) -> list[str]:
    """The lines of a value, those after the first without the blanks all of them begin with."""
    first, *rest = value.split("\n")
    return [first, *dedent("\n".join(rest)).split("\n")] if rest else [first]


SEVERITY: Mapping[Severity, str] = {Severity.STOP: "fail", Severity.WARN: "you"}


def diagnostic_row(found: Diagnostic, symbols: Symbols, lines: int) -> Line:
    """`✗ 14   rule: hint`; `lines` cells for the line number; `~` does not stop the turn."""
    mark = symbols.fail if found.stops else symbols.mild if found.marks else symbols.none
    place = pad(str(found.line) if found.line is not None else "", lines)
    said = words(f"{found.message}; {found.hint}", symbols)
    return Line(
        (
            (f"{mark} ", SEVERITY.get(found.severity, "quiet")),
            (f"{place}   ", "quiet"),
            (f"{found.rule}: ", "text bold"),
            (said, "text"),
        )
    )


def diagnostic_rows(found: Iterable[Diagnostic], symbols: Symbols) -> list[Line]:
    """The rows of these diagnostics under each other, their line numbers in one column."""
    kept = tuple(found)
    cells = max((len(str(each.line or "")) for each in kept), default=0)
    return [diagnostic_row(each, symbols, cells) for each in kept]
