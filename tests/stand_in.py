"""A stand-in agent: does to the task what its prompt's contract says, by the real command line, and
writes its entry slowly, in two halves.

Run as the agent would be: `stand_in.py … --session-id SID -- PROMPT`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

DATE = "2026-08-22"
HALF = 0.4  # seconds between the halves of an entry


def run(*words: str) -> bytes:
    """What a command of the program prints."""
    done = subprocess.run([sys.executable, "-m", "mandrel_tui", *words], capture_output=True)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout


def told(*words: str) -> Any:
    return json.loads(run(*words, "--json"))


def edit(name: str, **values: str) -> None:
    """Set front-matter values of the task."""
    run("edit", name, *(f"{k.replace('_', '-')}={v}" for k, v in values.items()), "--yes")


def append(path: Path, text: str) -> None:
    """Add an entry to the log, slowly, in two halves."""
    half = len(text) // 2
    for part in (text[:half], text[half:]):
        with path.open("a", encoding="utf-8") as file:
            file.write(part)
            file.flush()
            os.fsync(file.fileno())
        time.sleep(HALF)


def develop(name: str, sid: str, turn: dict[str, Any], path: Path) -> None:
    """Advance by one slice, or fix what a review found."""
    advances = turn["mode"] == "advancement"
    done, total = map(int, told("show", name)["session_est"].split("/"))
    before = turn["status"]
    entered = "in_progress" if before == "pending" else before
    last = advances and done + 1 == total
    after = "final_review" if last else entered
    claim, estimate = f"{sid}@{DATE}T14:31:00Z", f"{done + 1}/{total}"
    edit(name, status=entered, claimed_by=claim, session_est=estimate)
    what = "The slice." if advances else "Fixed what was found."
    fields = f"- Done: {what}\n- Next: none\n- Open: none\n"
    append(path, f"\n### {DATE} / {sid} / ({before} → {after})\n{fields}")
    if last:
        edit(name, status=after)


def review(name: str, sid: str, turn: dict[str, Any], path: Path) -> None:
    """Judge every session that is not reviewed yet; the first review finds something."""
    entries, status = told("show", name)["entries"], turn["status"]
    first = not any(entry["review_of"] for entry in entries)
    gate = turn["mode"] == "final-gate"
    group = next((e["sid"] for e in entries if not e["review_of"]), sid)
    edit(name, claimed_by=f"{sid}@{DATE}T14:31:00Z")
    pending = turn["pending_review"]
    for number, of in enumerate(pending, start=1):
        after = "completed" if gate and number == len(pending) else status
        verdict = "changes-requested" if first else "pass"
        fields = (
            f"- Verdict: {verdict}\n- Group: {group}\n- Findings: {'F1' if first else 'none'}\n"
        )
        append(path, f"\n### {DATE} / {sid} / review of {of} / ({status} → {after})\n{fields}")
    if gate:
        edit(name, status="completed")


def main(arguments: list[str]) -> None:
    sid, prompt = arguments[arguments.index("--session-id") + 1], arguments[-1]
    invoked = re.search(r"(?m)^(task|review) (\S+) ::", prompt)
    assert invoked is not None, prompt
    name = invoked[2]
    path, turn = Path(f".ai-tasks/{name}.md"), told("next", name)
    assert invoked[1] == ("review" if turn["turn"] == "review" else "task")
    (review if turn["turn"] == "review" else develop)(name, sid, turn, path)
    print(f"{turn['turn']} {turn['mode']} done")


if __name__ == "__main__":
    main(sys.argv[1:])
