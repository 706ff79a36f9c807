"""Opening: `open` hands the terminal to the UI, after looking whether there is one to hand over."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from difflib import get_close_matches
from pathlib import Path

from mandrel_tui.commands.failure import Failure
from mandrel_tui.commands.output import is_terminal
from mandrel_tui.commands.repository import folder, path_of
from mandrel_tui.resources import bundled

_NOT_A_TERMINAL = frozenset({"", "dumb", "unknown"})


def run_open(arguments: Namespace) -> int:
    """Opens the terminal UI on the repository around a folder."""
    if arguments.dir is not None and arguments.repo is not None:
        raise Failure("name the folder once: DIR or --repo")
    if arguments.dir is not None and not path_of(arguments.dir).is_dir():
        raise Failure(_no_folder(arguments.dir))
    refuse_unusable_terminal()
    named = arguments.dir if arguments.dir is not None else arguments.repo
    return open_at(
        Path.cwd() if named is None else folder(named), explicit=arguments.repo is not None
    )


def open_at(start: Path, *, explicit: bool = True, curate: Path | None = None) -> int:
    """Runs the UI until it is left; its exit code. With `curate` that file is opened above all."""
    if os.environ.get("NO_COLOR") == "":
        del os.environ["NO_COLOR"]  # empty means not set; Textual asks only whether it is there
    from mandrel_tui.ui.app import LEAVING, MandrelApp, end_within
    from mandrel_tui.workspace.contract_files import lost

    missing = lost(bundled("contracts"))
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise Failure(f"this installation lacks {missing[0]}{more}: install mandrel-tui again")
    app = MandrelApp(start, explicit=explicit, curate=curate)
    app.run()
    end_within(LEAVING, app.return_code or 0)  # a reader of a terminal that is gone never ends
    gc.freeze()  # a last search through ten thousand tasks would keep the shell waiting a second
    return app.return_code or 0


def has_terminal() -> bool:
    """Whether a terminal UI can be shown."""
    return not _unusable()


def refuse_unusable_terminal() -> None:
    """Raises Failure where no terminal UI can be shown."""
    reason = _unusable()
    if reason:
        raise Failure(f"the terminal UI needs a terminal: {reason}; `mandrel-tui board` needs none")


def _unusable() -> str:
    if not is_terminal(sys.stdin):
        return "standard input is none"
    screen = sys.stdout if os.name == "nt" else sys.stderr
    if not is_terminal(screen):
        return f"standard {'output' if os.name == 'nt' else 'error'} is none"
    if os.name == "nt":
        return ""
    term = os.environ.get("TERM", "")
    if term in _NOT_A_TERMINAL:
        return f"TERM is {term or 'not set'}"
    return "" if _described(term) else f"TERM={term} is not described on this system"


def _described(term: str) -> bool:
    """Whether the system's terminal descriptions know the name; true where there are none."""
    try:
        import curses
    except ImportError:
        return True
    return _known(curses, term) or not _known(curses, "xterm")


def _known(curses: object, term: str) -> bool:
    try:
        curses.setupterm(term, sys.stderr.fileno())  # type: ignore[attr-defined]
    except Exception:
        return False
    return True


def _no_folder(argument: str) -> str:
    from mandrel_tui.commands.table import BY_NAME

    if "/" in argument or os.sep in argument:
        return f"{argument}: no such folder"
    near = get_close_matches(argument, BY_NAME, 1)
    hint = f"; did you mean the command {near[0]}?" if near else ""
    return f"{argument}: no such folder, and no command{hint}"
