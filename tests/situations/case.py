"""Situations: builds the situation of a case with its own script, and runs the program in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Ran

CASES = ROOT / "tests" / "cases"
# The words of expected.json for what comes next: turn and mode.
NEXT = {
    "dev-advancement": ("dev", "advancement"),
    "dev-remediation": ("dev", "remediation"),
    "review-interim": ("review", "interim"),
    "review-final-gate": ("review", "final-gate"),
    "ruling": ("ruling", None),
    "blocked": ("blocked", None),
    "closeout": ("closeout", None),
}
MARKS = ("dev-advancement", "dev-remediation", "review")


Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One case as its script left it in `root`; `env` is what the user's shell has exported."""

    id: str
    root: Path
    env: Mapping[str, str] = field(repr=False)

    @property
    def repo(self) -> Path:
        return self.root / "repo"

    @property
    def tasks(self) -> Path:
        return self.repo / ".ai-tasks"

    @property
    def start(self) -> Path:
        """Where the user stands."""
        return Path(self.env.get("CASE_START", self.env["CASE_REPO"]))

    def run(
        self,
        *arguments: str | bytes | Path,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        prefix: tuple[str | Path, ...] = (),
        timeout: float = 60,
    ) -> Ran:
        """The real command line where the user stands, without a terminal."""
        done = subprocess.run(
            [*prefix, sys.executable, "-m", "mandrel_tui", *arguments],
            cwd=cwd or self.start,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def json(self, *arguments: str, **options: Any) -> Any:
        """What a reading command says as JSON; a failure fails the test with its words."""
        ran = self.run(*arguments, "--json", **options)
        assert ran.code == 0, ran.said
        assert ran.said == ""
        return ran.json

    def board(self, *arguments: str, **options: Any) -> dict[str, Any]:
        """The board's rows by task."""
        rows = self.json("board", *arguments, **options)
        found = {row["task"]: row for row in rows}
        assert len(found) == len(rows)
        return found

    def prompt(self, task: str, *arguments: str) -> str:
        """The exact prompt; it must be assembled."""
        ran = self.run("prompt", task, *arguments)
        assert ran.code == 0, ran.said
        return ran.text

    def refused(self, *arguments: str, **options: Any) -> str:
        """The one line that refuses an illegal request; nothing is on standard output."""
        ran = self.run(*arguments, **options)
        assert (ran.code, ran.out) == (1, b"")
        (words,) = ran.said.splitlines()
        return words

    def holds_contract(self, task: str, *arguments: str) -> str:
        """Which one role contract the prompt of a task holds."""
        text = self.prompt(task, *arguments)
        (mark,) = [mark for mark in MARKS if f"MARK-CONTRACT-{mark}\n" in text]
        return mark

    @property
    def passes(self) -> bool:
        """Whether the case's own script finds the files as they should be."""
        script = CASES / self.id / "check.sh"
        return subprocess.run(["bash", script, self.root], capture_output=True).returncode == 0

    def snapshot(self, folder: Path | None = None) -> dict[str, bytes | None]:
        """Every file below a folder with its bytes, git's own left out."""
        found: dict[str, bytes | None] = {}
        for parent, folders, names in os.walk(folder or self.repo):
            folders[:] = [name for name in folders if name != ".git"]
            for name in (*folders, *names):
                path = Path(parent, name)
                regular = path.is_file() and os.access(path, os.R_OK)
                found[str(path)] = path.read_bytes() if regular else None
        return found


def diagnostics(row: Row, begins: str = "") -> list[Row]:
    """What is wrong with a task, of the rules whose ids begin so."""
    return [found for found in row["diagnostics"] if found["rule"].startswith(begins)]


def rules(row: Row, *begins: str) -> list[str]:
    """The ids of the rules it breaks, of those that begin with one of these words; sorted."""
    return sorted(d["rule"] for d in row["diagnostics"] if d["rule"].startswith(begins or ("",)))


def drift(rows: dict[str, Row]) -> dict[str, list[str]]:
    """Of each task, what is said of its row in the index and of its identity."""
    return {name: rules(row, "index-", "id-", "same-letters") for name, row in rows.items()}


def build(id: str, root: Path) -> Case:
    """Runs the case's setup.sh in an absent folder, and sources the env.sh it leaves."""
    script = CASES / id / "setup.sh"
    done = subprocess.run(["bash", script, root], capture_output=True, env=_shell())
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    printed = subprocess.run(
        ["bash", "-c", '. "$1/env.sh" && exec "$2" -0', "bash", root, _ENV],
        capture_output=True,
        env=_shell(),
        check=True,
    ).stdout
    pairs = (os.fsdecode(pair).partition("=") for pair in printed.split(b"\0") if pair)
    env = {name: value for name, _, value in pairs if name not in ("_", "SHLVL", "PWD", "OLDPWD")}
    return Case(id, root, env)


_ENV = "/usr/bin/env"


def _shell() -> dict[str, str]:
    """The shell the user comes from: everything private hangs on the HOME that the case sets."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
    }


def assert_expected(case: Case) -> None:
    """Everything that the case's expected.json says, through `board`, `show` and `next`."""
    facts = json.loads((CASES / case.id / "expected.json").read_bytes())
    rows = case.board()
    for name, expected in facts.pop("tasks", {}).items():
        told = {"next": case.json("next", name), "show": case.json("show", name)}
        assert {key: _TOLD[key](told) for key in expected if key != "warn"} == {
            key: value for key, value in expected.items() if key != "warn"
        }
        same = {key: told["show"][key] for key in rows[name]}
        assert rows[name] == same
        if "warn" in expected:
            subjects = {found["rule"] for found in told["next"]["diagnostics"]}
            assert any(expected["warn"] in subject for subject in subjects)
    if "task_count" in facts:
        assert len(rows) == facts.pop("task_count")
    if "by_status" in facts:
        statuses = [row["status"] for row in rows.values()]
        by_status = facts.pop("by_status")
        assert {status: statuses.count(status) for status in by_status} == by_status
    assert facts == {}


def _verdict(told: Any) -> str | None:
    reviews = [entry for entry in told["show"]["entries"] if entry["review_of"] is not None]
    return reviews[-1]["fields"].get("Verdict") if reviews else None


_WORDS = {value: word for word, value in NEXT.items()}
_TOLD = {
    "status": lambda told: told["next"]["status"],
    "est": lambda told: told["show"]["session_est"],
    "claimed_by": lambda told: told["show"]["fields"].get("claimed-by", ""),
    "entries": lambda told: len(told["show"]["entries"]),
    "sids": lambda told: [entry["sid"] for entry in told["show"]["entries"]],
    "verdict": _verdict,
    "fix_set": lambda told: told["show"]["fields"].get("fix-set", ""),
    "pending": lambda told: told["next"]["pending_review"],
    "next": lambda told: _WORDS[told["next"]["turn"], told["next"]["mode"]],
}
