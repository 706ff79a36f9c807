"""Present: the words all screens share (ages, sids, numbers, the name of a turn) and the role each
is shown in; it asks no clock and touches no widget.

Colour says who acts: dev, review, you; else pass, fail, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from mandrel_tui.protocol.board import slug
from mandrel_tui.protocol.task import short_sids
from mandrel_tui.protocol.turn import Mode, Turn, TurnKind
from mandrel_tui.ui.clean import label
from mandrel_tui.ui.symbols import Symbols

TURN_ROLES: Mapping[str, str] = {
    "dev": "dev",
    "fix": "dev",
    "review": "review",
    "gate": "review",
    "answer": "you",
    "rule": "you",
    "waits": "quiet",
    "close": "pass",
    "out": "dev",
    "plan": "dev",
    "check": "you",
    "failed": "fail",
    "invalid": "fail",
    "unread": "fail",
}
GROUP_ROLES: Mapping[str, str] = {
    "completed": "pass",
    "final_review": "review",
    "in_progress": "dev",
    "blocked": "you",
    "pending": "quiet",
    "off-schema": "fail",
}
MODE_WORDS: Mapping[Mode, str] = {
    Mode.ADVANCEMENT: "dev, advancement",
    Mode.REMEDIATION: "dev, remediation",
    Mode.INTERIM: "review, interim",
    Mode.FINAL_GATE: "review, final gate",
}
KIND_WORDS: Mapping[TurnKind, str] = {
    TurnKind.CLOSEOUT: "close out",
    TurnKind.BLOCKED: "blocked",
    TurnKind.RULING: "a ruling, then a fresh review",
    TurnKind.INVALID: "invalid",
}
SKEW = timedelta(minutes=10)  # clocks of two machines differ; more than this is a wrong stamp
OLDEST = 2000  # no repository of agents is older: an earlier year is a wrong stamp


@dataclass(frozen=True, slots=True)
class Age:
    """How long ago a stamp was; `odd` names what is wrong with a stamp that gives no age."""

    text: str
    odd: str = ""


def age(stamp: str, now: datetime) -> Age:
    """The age of a stamp as typed, `9m 2h 1d 3y`; `now` has a zone, a stamp without one is UTC.

    A bare date counts in whole days, and one day ahead is today: sessions write their own date.
    """
    typed = stamp.strip()
    if not typed:
        return Age("")
    try:
        if len(typed) == 10:
            return _days((now.astimezone(UTC).date() - date.fromisoformat(typed)).days, typed)
        then = datetime.fromisoformat(typed)
    except ValueError:
        return Age("", "not a time")
    passed = now - (then if then.tzinfo else then.replace(tzinfo=UTC))
    if passed < -SKEW:
        return Age("", "in the future")
    if then.year < OLDEST:
        return Age("", "too long ago")
    return _elapsed(max(passed, timedelta()))


def _days(days: int, typed: str) -> Age:
    if days < -1:
        return Age("", "in the future")
    if typed < str(OLDEST):
        return Age("", "too long ago")
    return _elapsed(timedelta(days=max(days, 0))) if days > 0 else Age("0d")


def _elapsed(passed: timedelta) -> Age:
    minutes = passed // timedelta(minutes=1)
    if minutes < 60:
        return Age(f"{minutes}m")
    if minutes < 24 * 60:
        return Age(f"{minutes // 60}h")
    return Age(f"{passed.days}d" if passed.days < 1000 else f"{passed.days // 365}y")


def clock(moment: datetime) -> str:
    """A time of day in the zone of the moment: `14:31`."""
    return f"{moment:%H:%M}"


def number(value: int) -> str:
    """`14,212`."""
    return f"{value:,}"


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def words(text: str, symbols: Symbols) -> str:
    """Text of a file, or a sentence around it, as one safe line for a place that holds one."""
    return symbols.spelt(label(text, ascii=symbols.ascii))


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Each name without its date, or with it where two would then look alike."""
    kept = tuple(dict.fromkeys(names))
    seen: dict[str, int] = {}
    for name in kept:
        seen[slug(name)] = seen.get(slug(name), 0) + 1
    return {name: slug(name) if seen[slug(name)] == 1 else name for name in kept}


def task_words(name: str, symbols: Symbols) -> str:
    """A task's name without its date, as it is shown where no other stands beside it."""
    return words(slug(name), symbols)


def sid_words(sids: Iterable[str], symbols: Symbols) -> dict[str, str]:
    """Each sid as it is shown in lists: 8 characters, 16 where two begin alike."""
    return {sid: words(short, symbols) for sid, short in short_sids(sids).items()}


def turn_title(turn: Turn) -> str:
    """The turn in words, `review, final gate`."""
    return MODE_WORDS[turn.mode] if turn.mode is not None else KIND_WORDS[turn.kind]


def turn_role(turn: Turn) -> str:
    """The role that says who acts next."""
    return TURN_ROLES.get(turn.word, "text")
