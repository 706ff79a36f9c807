"""All benchmarks in one run: `python -m tests.benchmarks`.

Every time is the median of nine and is printed beside a bare interpreter start measured in the
same run, since only such ratios compare between machines.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import review
from tests.benchmarks.stores import make_store
from tests.benchmarks.terminal import Painted, paint

RUNS = 9
# Else the look would be another one, or every start would compile every module.
LEFT_OUT = ("NO_COLOR", "TMUX", "COLORTERM", "PYTHONDONTWRITEBYTECODE")
SETTLED = 2.5  # seconds after which a file's times can be trusted
PLAIN = """
import os, sys
for folder in sys.argv[1:]:
    for name in os.listdir(folder):
        if name.endswith(".md"):
            with open(os.path.join(folder, name), "rb") as file:
                file.read()
"""


def timed(argv: list[str], environ: dict[str, str]) -> float:
    """Seconds one child takes from start to end; its output goes nowhere."""
    start = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, env=environ)
    return time.perf_counter() - start


def medians(commands: dict[str, list[str]], environ: dict[str, str]) -> dict[str, float]:
    """The median seconds of each command; the runs are interleaved, after one warm-up each."""
    for argv in commands.values():
        timed(argv, environ)
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, argv in commands.items():
            taken[name].append(timed(argv, environ))
    return {name: statistics.median(values) for name, values in taken.items()}


def environment(state: Path) -> dict[str, str]:
    """The environment of a child that keeps its state in a folder of this run."""
    kept = {k: v for k, v in os.environ.items() if k not in LEFT_OUT}
    return {**kept, "MANDREL_TUI_STATE": str(state), "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def command_line(folder: Path, environ: dict[str, str]) -> None:
    """`next` of 30 tasks and the board of 1,030 files beside plain reading."""
    make_store(folder, 30, 1000, 9_400)
    time.sleep(SETTLED)
    store = [str(folder / ".ai-tasks"), str(folder / ".ai-tasks/archive")]
    size = sum(f.stat().st_size for part in store for f in Path(part).glob("*.md"))
    tool = [sys.executable, "-m", "mandrel_tui"]
    spent = medians(
        {
            "bare": [sys.executable, "-c", ""],
            "plain": [sys.executable, "-c", PLAIN, *store],
            "next": [*tool, "next", "-C", str(folder), "--json"],
            "board": [*tool, "board", "-C", str(folder), "--archived", "--json"],
        },
        environ,
    )
    bare = spent["bare"]
    print(f"1,030 files, {size / 1e6:.1f} MB; median of {RUNS}")
    for name, words in (
        ("bare", "bare interpreter"),
        ("plain", "plain reading of all files"),
        ("next", "next --json, 30 active tasks"),
        ("board", "board --archived --json"),
    ):
        over = f"+{1e3 * (spent[name] - bare):6.1f} over bare" if name != "bare" else ""
        print(f"  {words:32} {1e3 * spent[name]:7.1f} ms  {over}")
    ratio = (spent["board"] - bare) / (spent["plain"] - bare)
    print(f"  (board - bare) / (plain - bare) = {ratio:.1f}, aim 8")
    print(f"  next over bare = {1e3 * (spent['next'] - bare):.0f} ms, aim 150")


def terminal(folder: Path, environ: dict[str, str], active: int, archived: int) -> None:
    """The real program in a pseudo-terminal: first paint, key to paint, memory."""
    make_store(folder, active, archived, 7_800)
    argv = [sys.executable, "-m", "mandrel_tui", "open", str(folder)]
    runs: list[Painted] = [paint(argv, environ) for _ in range(3)]
    middle: Callable[[Callable[[Painted], float]], float] = lambda part: statistics.median(  # noqa: E731
        part(run) for run in runs
    )
    print(f"{active:,} active and {archived:,} archived tasks in a 120×40 terminal; median of 3")
    print(f"  first painted board   {1e3 * middle(lambda r: r.first):7.0f} ms")
    print(f"  key to paint          {1e3 * middle(lambda r: r.key):7.1f} ms (median of 30 keys)")
    print(f"  key to paint, shown all {1e3 * middle(lambda r: r.key_all):5.1f} ms")
    print(f"  peak memory           {middle(lambda r: r.peak) / 1e6:7.0f} MB")


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        environ = environment(place / "state")
        command_line(place / "small", environ)
        terminal(place / "large", environ, 500, 1000)
        review.report(environ)


if __name__ == "__main__":
    main()
