"""Tmux: opens windows and panes for agents and pastes into them; changes no setting of it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mandrel_tui.workspace.process import Ended, run
from mandrel_tui.workspace.programs import NotStarted
from mandrel_tui.workspace.visible import visible

_LIMIT = 5.0
_STEP = 0.15
_STILL = 4  # looks in a row at which an agent that is ready shows the same
_FORMAT = "#{pane_id} #{window_index}"


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane: its id for tmux, and the number of its window for a person."""

    id: str
    window: str

    @property
    def place(self) -> str:
        """Where it is, in words that `pane_in` reads again."""
        return f"tmux window {self.window}, pane {self.id}"


def pane_in(place: str) -> Pane | None:
    """The pane that words name; None where they name none."""
    words = place.replace(",", "").split()
    if len(words) == 5 and words[:2] == ["tmux", "window"] and words[4].startswith("%"):
        return Pane(words[4], words[2])
    return None


def inside(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether this program runs in tmux."""
    return bool(environ.get("TMUX"))


def open_pane(argv: Sequence[str], name: str, *, split: bool = False) -> Pane:
    """A new window of that name, or half of this pane, in which the program runs; raises
    NotStarted. The program's own arguments are not read by a shell or by tmux."""
    if not inside():
        raise NotStarted("this program does not run in tmux")
    # In a name tmux would replace what stands behind a #.
    named = () if split else ("-n", visible(name).replace("#", "##"))
    how = "split-window" if split else "new-window"
    ended = _tmux(how, "-P", "-F", _FORMAT, *named, "--", *argv)
    words = ended.stdout.decode("utf-8", "replace").split()
    if not ended.ok or len(words) != 2:
        raise NotStarted(f"tmux opened no window: {ended.words}")
    return Pane(*words)


def paste(pane: Pane, data: bytes) -> None:
    """Pastes exactly these bytes, bracketed where the program in the pane asked for it; raises
    NotStarted."""
    name = f"mandrel-tui-{os.urandom(4).hex()}"
    loaded = _tmux("load-buffer", "-b", name, "-", input=data)
    if not loaded.ok:
        raise NotStarted(f"tmux took no buffer: {loaded.words}")
    pasted = _tmux("paste-buffer", "-p", "-r", "-d", "-b", name, "-t", pane.id)
    if not pasted.ok:
        _tmux("delete-buffer", "-b", name)
        raise NotStarted(f"tmux pasted nothing: {pasted.words}")


def ready(pane: Pane, patience: float) -> bool:
    """Whether the program in the pane takes a paste: it says so, or, where tmux cannot tell, it
    shows something that no longer changes."""
    end, before, still = time.monotonic() + patience, "", 0
    while time.monotonic() < end:
        flag = _told(pane, "#{bracket_paste_flag}")
        now = text(pane)
        still = still + 1 if now.strip() and now == before else 0
        if flag == "1" or (not flag and still >= _STILL):
            return True
        before = now
        time.sleep(_STEP)
    return False


def text(pane: Pane) -> str:
    """What the pane shows, wrapped lines as one; empty when it is gone."""
    ended = _tmux("capture-pane", "-p", "-J", "-t", pane.id)
    return ended.stdout.decode("utf-8", "replace") if ended.ok else ""


def lives(pane: Pane) -> bool:
    """Whether the pane is still there."""
    return _told(pane, "#{pane_id}") == pane.id


def close(pane: Pane) -> None:
    """Closes a pane, and with it what runs in it."""
    _tmux("kill-pane", "-t", pane.id)


def _told(pane: Pane, format: str) -> str:
    ended = _tmux("display-message", "-p", "-t", pane.id, format)
    return ended.stdout.decode("utf-8", "replace").strip() if ended.ok else ""


def _tmux(*words: str, input: bytes | None = None) -> Ended:
    return run(["tmux", *words], input=input, timeout=_LIMIT)
