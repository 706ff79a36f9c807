"""How reading time grows with a file of one hostile shape.

`python -m tests.benchmarks.reading_growth` prints, for each shape, the time of a file eight times
the size over that of the small one: about eight where reading is linear.
"""

from __future__ import annotations

import time

from mandrel_tui.protocol.reading import read_task
from tests.builders import a_task, review, work

SHAPES = (
    "x",
    " ",
    "<!-- ",
    "`<!--` ",
    "- - ",
    "```a\n",
    "````\n```\n",
    "### 2026-03-02 / s / (a -> b)\n```x\n",
    "->",
    "session log ",
    "## session log" + " " * 50,
    "- Verdict: pass ",
    "[ , ' ",
    '", "',
    "\n\n",
    "\n- Verdict: x",
    "\n#### 2026-01-01 / ",
    "<!-- a\n\n",
)
SMALL = 100_000


def seconds(shape: str, size: int) -> float:
    """The best of five readings of one file that is the shape over and over."""
    body = (shape * (size // len(shape) + 1))[:size]
    files = (
        a_task(work(extra=[body]), review()),
        a_task(blockers="[external:" + body.replace("\n", " ")),
        a_task(blockers="[a," + body.replace("\n", " ")),
    )
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for data in files:
            read_task(data, "2026-03-02-a-task", "x")
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    for shape in SHAPES:
        small, large = seconds(shape, SMALL), seconds(shape, 8 * SMALL)
        print(f"{large / small:6.1f}×  {1e3 * large:8.1f} ms  {shape[:40]!r}")


if __name__ == "__main__":
    main()
