"""Copied: the fate of a text to be copied, in words that claim no more than is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

TERMINAL_LIMIT = 74_994
NOWHERE = "none"
TERMINAL = "terminal"
TMUX = "tmux buffer"


@dataclass(frozen=True, slots=True)
class Tried:
    """One way that was tried and how it ended, `done` or why not."""

    way: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Copied:
    """The fate of `size` bytes. `way` is a tool's name, TMUX, TERMINAL or NOWHERE; `checked` says
    that the tool confirmed it.

    With TERMINAL the caller has yet to write `osc52` to the terminal, and says `not_sent` where it
    cannot. `file` is the path of the private file that holds the text too, `note` what is to be
    known of it; `controls` counts control characters, `control_line` is the line of the first.
    """

    way: str
    checked: bool
    size: int
    sha256: str
    file: str | None = None
    note: str = ""
    tried: tuple[Tried, ...] = ()
    osc52: bytes = b""
    controls: int = 0
    control_line: int | None = None

    @property
    def sentence(self) -> str:
        """What to tell the human, after the deed."""
        what = f"{self.size:,} bytes"
        sha = f"sha {self.sha256[:8]}"
        if self.way == NOWHERE:
            return f"not copied: {self._why}; {self._file}; {what}, {sha}"
        if self.way == TERMINAL:
            limit = f"{what} of at most {TERMINAL_LIMIT:,}"
            return f"sent to the terminal, cannot be checked; {self._file}; {limit}, {sha}"
        where = "to the tmux buffer" if self.way == TMUX else f"with {self.way}"
        return f"copied {what} {where}, {sha}, {'also' if self.file else 'not'} kept as a file"

    @property
    def warning(self) -> str:
        """What a person should know before pasting it; empty when nothing."""
        if not self.controls:
            return ""
        many = (
            "1 control character" if self.controls == 1 else f"{self.controls:,} control characters"
        )
        return f"the text holds {many}, the first on line {self.control_line}"

    def not_sent(self, why: str) -> Copied:
        """The same when the terminal could not be written to."""
        tried = (*self.tried, Tried(TERMINAL, why))
        return replace(self, way=NOWHERE, checked=False, osc52=b"", tried=tried)

    @property
    def _why(self) -> str:
        return "; ".join(f"{t.way}: {t.outcome}" for t in self.tried) or "there is no way here"

    @property
    def _file(self) -> str:
        return f"file {self.file}" if self.file else "not kept as a file"
