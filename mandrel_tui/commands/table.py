"""Table: every command with its arguments, and the module that runs it; it parses nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mandrel_tui.protocol.kinds import FOLLOWUPS, FORMS, GROUPS, KINDS, PLACES, ROLES

SHELLS = ("bash", "zsh", "fish")
STDIN = "- is standard input"

Adder = Callable[[argparse.ArgumentParser], None]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its summary, what adds its arguments, and the module whose function of the
    command's name runs it, imported only then."""

    name: str
    summary: str
    add: Adder
    module: str


def _open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", nargs="?", metavar="DIR", help="a folder of the repository")


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", nargs="?", metavar="DIR", help="an empty or missing folder")
    parser.add_argument("--no-open", action="store_true", help="make it, and open nothing")


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", nargs="?", metavar="DIR", help="the top folder of the repository")
    _yes(parser)
    parser.add_argument(
        "--loader",
        action="store_true",
        help="with --yes, also add the loader block to AGENTS.md and CLAUDE.md",
    )


def _board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--status", metavar="S", choices=GROUPS, help=f"only {', '.join(GROUPS)}")
    parser.add_argument("--archived", action="store_true", help="archived tasks too")
    _json(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    _json(parser)


def _next(parser: argparse.ArgumentParser) -> None:
    _task(parser, nargs="?")
    _json(parser)


def _prompt(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    add = parser.add_argument
    help = f"{', '.join(KINDS)}, or a dev role by its name; default: the turn's own"
    add("--kind", choices=(*KINDS, *ROLES), metavar="K", help=help)
    add("--form", choices=FORMS, metavar="F", default="interactive", help=", ".join(FORMS))
    add("--sid", metavar="SID", help="the session's id, where it is known")
    add("--now", metavar="T", help="the time of the claim, YYYY-MM-DDTHH:MM:SSZ")
    _ruling(parser)
    help = f"the approved plan, or the reply it came in; {STDIN}"
    add("--plan-file", metavar="FILE", help=help)
    add("--plan-answer", metavar="TEXT", help="the answer that approved the plan")
    add("--copy", action="store_true", help="to the clipboard instead of standard output")
    add("--output", metavar="FILE", help="into a file instead of standard output")


def _followup(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    kinds = ", ".join(FOLLOWUPS)
    parser.add_argument("kind", choices=FOLLOWUPS, metavar="KIND", help=kinds)
    parser.add_argument("--answer", metavar="TEXT", help="what you answer")
    help = "the session's id; default: the latest that is known"
    parser.add_argument("--sid", metavar="SID", type=_named, help=help)


def _launch(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    help = "a launcher's name; default: that of the settings, else claude"
    parser.add_argument("--agent", metavar="NAME", help=help)
    where = "here, tmux (a new window), headless (without a terminal); default: here"
    parser.add_argument("--where", choices=PLACES, metavar="PLACE", default="here", help=where)
    _ruling(parser)
    help = "launch without asking, whatever makes it doubtful"
    parser.add_argument("--yes", action="store_true", help=help)


def _check(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    add = parser.add_argument
    help = "the session; default: the latest that is known"
    add("--sid", metavar="SID", type=_named, help=help)
    add("--role", choices=("dev", "review"), metavar="R", help="what it was: dev, review")
    add("--status-before", choices=GROUPS[:-1], metavar="S", help="the status before it")
    add("--est-before", metavar="C/T", help="the estimate before it, done and total")
    help = "whether it answered findings"
    add("--remediation", action=argparse.BooleanOptionalAction, default=None, help=help)
    _json(parser)


def _rule(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    change = parser.add_mutually_exclusive_group()
    help = f"your ruling; {STDIN}; default: show the one there is"
    change.add_argument("text", nargs="?", metavar="TEXT", help=help)
    change.add_argument("--withdraw", action="store_true", help="take the ruling back")
    _json(parser)


def _inbox(parser: argparse.ArgumentParser) -> None:
    _json(parser)


def _receipts(parser: argparse.ArgumentParser) -> None:
    _task(parser, nargs="?")
    _json(parser)


def _new(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--title", metavar="T", required=True, help="the outcome in one line")
    for name in ("goal", "scope", "acceptance"):
        add(f"--{name}", metavar="F", default="", help=f"the {name}: a file or a sentence; {STDIN}")
    add("--est", metavar="N", type=int, default=1, help="how many dev sessions; default: 1")
    add("--prefetch", metavar="LIST", default="", help="routed documents, a.md,b.md")
    _yes(parser)


def _block(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    help = "the question or event it waits for, or another active task's id"
    parser.add_argument("--reason", metavar="TEXT", required=True, help=help)
    _yes(parser)


def _unblock(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    _yes(parser)


def _edit(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    help = "front matter; an empty value removes the line; without any, the editor opens"
    # Without a default an argument of any number counts as required where others are missing.
    parser.add_argument("values", metavar="KEY=VALUE", nargs="*", default=[], help=help)
    _yes(parser)


def _graph(parser: argparse.ArgumentParser) -> None:
    _json(parser)


def _closeout(parser: argparse.ArgumentParser) -> None:
    _task(parser)
    add = parser.add_argument
    help = "a folder that mirrors .ai/, a diff, a commit or branch, or worktree"
    add("--propose", metavar="WHAT", help=help)
    add("--upgrade", metavar="DOC", help="make a document a folder, x.md to x/index.md")
    help = "with --upgrade, a section that leaves, repeatable; default: as many as it needs"
    add("--section", metavar="TITLE", action="append", help=help)
    help = "its hunks, or those of an agent's own closeout: all, none"
    add("--accept", choices=("all", "none"), metavar="A", help=help)
    help = "with --accept all, a document, or its Nth hunk, that is rejected; repeatable"
    add("--reject", metavar="DOC[:N]", action="append", default=[], help=help)
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--apply", action="store_true", help="carry the plan out")
    act.add_argument("--request", action="store_true", help="print what asks an agent to propose")
    act.add_argument("--finish", action="store_true", help="finish one that was interrupted")
    act.add_argument("--roll-back", action="store_true", help="take an interrupted one back")
    act.add_argument("--undo", action="store_true", help="take the last one of the task back")
    act.add_argument("--verify", action="store_true", help="verify one that is done")
    help = f"with --verify, the report with the audit line; {STDIN}"
    add("--audit-file", metavar="F", help=help)
    _yes(parser)
    _json(parser)


def _curate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="CLAUDE.md, AGENTS.md, any Markdown file")
    _yes(parser)
    _json(parser)


def _why(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("place", metavar="DOC:LINE", help="a line of a document of the memory")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def _task(parser: argparse.ArgumentParser, nargs: Literal["?"] | None = None) -> None:
    help = "the task's file name without .md"
    parser.add_argument("task", metavar="ID", nargs=nargs, type=_named, help=help)


def _named(text: str) -> str:
    """A name that says something, where leaving it out would mean another thing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return text


def _yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="write without asking")


def _ruling(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--ruling", metavar="TEXT", help="your binding ruling")
    choice.add_argument("--without-ruling", action="store_true", help="go on without one")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON for machines")


COMMANDS = (
    Command("open", "open the terminal UI", _open, "opening"),
    Command("demo", "make a sample repository and open it", _demo, "founding"),
    Command("init", "lay contracts, memory and task folder", _init, "founding"),
    Command("board", "list the tasks", _board, "reading"),
    Command("show", "show one task, parsed", _show, "reading"),
    Command("next", "say whose turn it is, and why", _next, "reading"),
    Command("prompt", "print the exact prompt of a session", _prompt, "handing"),
    Command("followup", "print a message for an open session", _followup, "handing"),
    Command("launch", "start an agent with the next prompt", _launch, "launching"),
    Command("check", "check a session that came back", _check, "checking"),
    Command("rule", "give, show or withdraw a ruling", _rule, "deciding"),
    Command("inbox", "list what waits for you", _inbox, "deciding"),
    Command("receipts", "list what was handed over, and prove it", _receipts, "receipts"),
    Command("new", "draft a task, show it, write it", _new, "triaging"),
    Command("block", "block a task, with the reason", _block, "triaging"),
    Command("unblock", "free a task of its blockers", _unblock, "triaging"),
    Command("edit", "change a task's front matter, or its text", _edit, "triaging"),
    Command("graph", "say what waits on what", _graph, "waiting"),
    Command("closeout", "close a task out: plan, apply, verify, recover", _closeout, "closing"),
    Command("curate", "keep, compress or remove a memory file's facts", _curate, "curating"),
    Command("why", "say which task brought a line of memory, and why", _why, "tracing"),
    Command("completion", "print a shell's completion script", _completion, "completing"),
)
BY_NAME = {command.name: command for command in COMMANDS}
