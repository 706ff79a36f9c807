"""The history of the sample repository: a table of commits, each with the files as they were then;
it names texts and reads none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Version:
    """A file as it was at one time: only its first `sections` (those that begin with `## `; None
    for all), the sections of other documents behind them, and other words in place of today's."""

    sections: int | None = None
    behind: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit, `minutes` before the clock, and the files it changed."""

    minutes: int
    subject: str
    files: Mapping[str, Version]
    body: str = ""
    deploys: bool = False

    @property
    def message(self) -> str:
        return f"{self.subject}\n\n{self.body}".rstrip() + "\n"


WHOLE = Version()

_MAIN, _SUBMIT = "cmd/ledger-sync/main.go", "internal/submit/submit.go"
_BARRIER = "internal/fifo/barrier.go"

_BARE_NUMBERS = Version(
    words=(
        ("cli.WrongUse", "2"),
        ("cli.Unreadable", "5"),
        ('\t"example.org/ledger-sync/internal/cli"\n', ""),
    )
)
_TWO_RESULTS = Version(words=(("\n// There is no fourth result.\n", "\n"), ("\tRefused\n", "")))
_COUNTED_REPORTS = Version(
    words=(
        (" A repeated report changes nothing.", ""),
        ("map[uint64]map[string]bool", "map[uint64][]string"),
        (
            "\tif b.reached[position] == nil {\n"
            "\t\tb.reached[position] = map[string]bool{}\n\t}\n"
            "\tb.reached[position][region] = true\n",
            "\tb.reached[position] = append(b.reached[position], region)\n",
        ),
    )
)


def _days(count: int, hours: int = 0) -> int:
    return (count * 24 - hours) * 60


def _whole(*paths: str) -> dict[str, Version]:
    return dict.fromkeys(paths, WHOLE)


def _memory(**sections: int | None) -> dict[str, Version]:
    """Documents of the memory by name, each with the number of its sections at the time."""
    names = {name: f".ai/{name.replace('_', '-')}.md" for name in sections}
    return {names[name]: Version(count) for name, count in sections.items()}


HISTORY = (
    Commit(
        _days(70),
        "Move decisions to the regions, in one order",
        {
            **_whole(".gitignore", "README.md", "Makefile", "go.mod", "internal/fifo/fifo.go"),
            _MAIN: _BARE_NUMBERS,
            _SUBMIT: _TWO_RESULTS,
        },
        "Each region has a queue on disk and one step in flight. The engine's position is the\n"
        "truth about what was executed; nothing here keeps an opinion of its own.",
    ),
    Commit(
        _days(68),
        "chore(.ai): first snapshot",
        {
            **_whole("AGENTS.md", "CLAUDE.md"),
            **_memory(index=2, map=3, overview=4, architecture=3, design=3, conventions=3),
        },
        deploys=True,
    ),
    Commit(
        _days(60),
        "chore(.ai): absorb fifo-segments",
        _memory(architecture=5, design=6, map=4),
        "A segment is a day, is deleted after 90 days and never edited. Kept: why no database.",
    ),
    Commit(
        _days(45),
        "chore(.ai): absorb engine-heartbeat",
        _memory(wire_format=None, architecture=6, index=3, conventions=5),
    ),
    Commit(
        _days(33),
        "Stop a region whose ledger was restored from a backup",
        _whole("internal/engine/resync.go"),
        "One step behind is a lost confirmation, more is a backup. An engine without a position\n"
        "has executed nothing since its start, which is no rewind.",
    ),
    Commit(
        _days(31),
        "chore(.ai): absorb rewind-needs-a-human",
        _memory(operator_guide=None, design=8, overview=6),
    ),
    Commit(
        _days(24),
        "Tell when a drain has ended, and what it waits for",
        {
            "internal/fifo/drain.go": WHOLE,
            ".ai/design.md": Version(8, behind=(".ai/drain-runbook.md", ".ai/metrics.md")),
        },
    ),
    Commit(
        _days(17),
        "chore(.ai): absorb drain-command, move runbook and series out of the design",
        _memory(drain_runbook=None, metrics=None, design=8, index=4),
        "Only a task that touches a drain or a dashboard needs them.",
    ),
    Commit(_days(15), "chore(.ai): rules for reviews and releases", _memory(conventions=None)),
    Commit(_days(12), "chore(.ai): what the service is not", _memory(overview=None)),
    Commit(
        _days(10),
        "Notice a stalled region by its silence",
        _whole("internal/stall/stall.go"),
        "Errors decide nothing: three a second is an ordinary reconnect.",
    ),
    Commit(_days(9), "chore(.ai): map of generated and of local files", _memory(map=None)),
    Commit(
        _days(7),
        "Report a barrier that waits, with the regions it waits for",
        {_BARRIER: _COUNTED_REPORTS},
    ),
    Commit(_days(7, 2), "chore(.ai): states, locks and limits", _memory(architecture=None)),
    Commit(
        _days(6),
        "Count regions at a barrier, not reports",
        _whole(_BARRIER, "test/scenario/barrier-double-report/script"),
        "A region that lost its connection reports again, and the barrier opened early.",
    ),
    Commit(
        _days(6, 3), "chore(.ai): what was tried and taken out", _memory(design=None, index=None)
    ),
    Commit(
        _days(4),
        "Give a step up as unknown after 30 s",
        _whole(_SUBMIT),
        "The main loop resyncs and then knows. A retry without a resync can only guess.",
    ),
    Commit(
        12,
        "Take exit codes from one table",
        _whole(_MAIN, "internal/cli/exit.go"),
        "Codes 5 and 6 were swapped in the service. Named here, since operators read the log.",
    ),
)
