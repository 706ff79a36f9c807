"""Symbols: every mark, line and block the screens draw, in a Unicode and an ASCII table; it draws
nothing itself.

All but the lines, blocks, `…` and `→` are one cell wide in every terminal; those are wide in some
CJK set-ups, which `symbols = "ascii"` answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Symbols:
    """One table. Fields name what a symbol says; every one is one cell, save `ellipsis` and
    `arrow` in ASCII."""

    name: str
    owe: str  # you owe something
    flag: str  # before the number of diagnostics
    ok: str  # pass, accepted, done
    fail: str  # fail, rejected, dropped
    mild: str  # borderline, changed, warning
    unknown: str  # undecided, unreviewed
    none: str  # not yet
    half: str  # in progress
    most: str  # final review
    blocked: str
    thin: str
    heavy: str
    bar: str
    heavy_bar: str
    joint: str  # where a vertical line meets a horizontal one, in timelines
    tee: str  # where a vertical line begins under a thin or a heavy header
    heavy_tee: str
    cursor: str
    opened: str
    folded: str
    full: str
    empty: str
    ellipsis: str
    arrow: str
    bullet: str
    wrapped: str  # in the gutter of a continued row
    more: str  # rows left out
    gap: str  # lines of a text left out
    chosen: str
    box: str  # left top, right top, left bottom, right bottom: heavy corners

    @property
    def ascii(self) -> bool:
        """Whether only ASCII may be drawn."""
        return self.name == "ascii"

    @property
    def status(self) -> Mapping[str, str]:
        """The mark of each board group, by the status as written in a task file."""
        return {
            "pending": self.none,
            "in_progress": self.half,
            "final_review": self.most,
            "blocked": self.blocked,
            "completed": self.ok,
            "off-schema": self.owe,
        }

    def keys(self, text: str) -> str:
        """Names of keys with their arrows, as words where only ASCII may be drawn."""
        return text.translate(_ARROWS) if self.ascii else text

    def spelt(self, text: str) -> str:
        """A sentence of the program with its quotes, arrows and dots in ASCII where only that may
        be drawn."""
        return text.translate(_SPELT) if self.ascii else text

    def gauge(self, share: float, cells: int) -> tuple[str, str]:
        """The full and the empty part of a bar of `cells` for a share of 0 to 1; more than 1 is
        full, more than 0 is never quite empty."""
        full = min(cells, max(round(share * cells), 1 if share > 0 else 0))
        return self.full * full, self.empty * (cells - full)


_SPELT = str.maketrans({"→": "->", "…": "...", "“": '"', "”": '"', "×": "x", "›": ">"})
_ARROWS = str.maketrans({"↑": "Up", "↓": "Down", "←": "Left", "→": "Right"})

UNICODE = Symbols(
    name="unicode",
    owe="!",
    flag="⚑",
    ok="✓",
    fail="✗",
    mild="~",
    unknown="?",
    none="◦",
    half="◔",
    most="◕",
    blocked="⊘",
    thin="─",
    heavy="━",
    bar="│",
    heavy_bar="┃",
    joint="┼",
    tee="┬",
    heavy_tee="┯",
    cursor="›",
    opened="▾",
    folded="▸",
    full="▰",
    empty="▱",
    ellipsis="…",
    arrow="→",
    bullet="∙",
    wrapped="↳",
    more="⋮",
    gap="⋯",
    chosen="∙",
    box="┏┓┗┛",
)

ASCII = Symbols(
    name="ascii",
    owe="!",
    flag="f",
    ok="v",
    fail="x",
    mild="~",
    unknown="?",
    none=".",
    half="o",
    most="O",
    blocked="#",
    thin="-",
    heavy="=",
    bar="|",
    heavy_bar="|",
    joint="+",
    tee="+",
    heavy_tee="+",
    cursor=">",
    opened="-",
    folded="+",
    full="#",
    empty=".",
    ellipsis="...",
    arrow="->",
    bullet="*",
    wrapped=">",
    more=":",
    gap=":",
    chosen="*",
    box="++++",
)

TABLES: Mapping[str, Symbols] = {"unicode": UNICODE, "ascii": ASCII}


def symbols_of(app: object) -> Symbols:
    """The table an app chose as its `symbols`; Unicode where it chose none."""
    chosen: Symbols = getattr(app, "symbols", UNICODE)
    return chosen


def is_utf8(environ: Mapping[str, str]) -> bool:
    """Whether the locale these variables name writes UTF-8; the first one set decides.

    No variable at all says nothing about the terminal on Windows and macOS, and means the C locale
    elsewhere; the caller knows the platform.
    """
    named = (environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((value for value in named if value), "")
    return "utf8" in locale.lower().replace("-", "")


def choose(setting: str, environ: Mapping[str, str], platform: str) -> Symbols:
    """The table for a setting of `unicode`, `ascii` or `auto`, on `sys.platform`."""
    if setting in TABLES:
        return TABLES[setting]
    named = any(environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if not named and platform in ("win32", "darwin"):
        return UNICODE
    return UNICODE if is_utf8(environ) else ASCII
