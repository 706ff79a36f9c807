"""Page: one decoded task file with what its readers share; says where things stand, reads none."""

from __future__ import annotations

import re
from bisect import bisect_right

from mandrel_tui.protocol.diagnostics import Diagnostic, Severity, diagnostic
from mandrel_tui.protocol.headings import NextEntry
from mandrel_tui.protocol.quoting import read_quoting


class Page:
    """The text of the file `path`; `body` is the offset behind its front matter, `quoting` its
    quoted stretches, `found` the diagnostics met so far."""

    def __init__(self, text: str, path: str, body: int) -> None:
        self.text, self.path, self.body = text, path, body
        self.found: list[Diagnostic] = []
        self.quoting = read_quoting(text, body, NextEntry(text))
        self._breaks = [match.start() for match in re.finditer("\n", text)]

    def line(self, offset: int) -> int:
        """The line (from 1) of a character offset."""
        return bisect_right(self._breaks, offset - 1) + 1

    def note(
        self,
        rule: str,
        line: int | None,
        message: str,
        hint: str | None = None,
        level: Severity | None = None,
    ) -> None:
        """Adds a diagnostic about this file."""
        self.found.append(diagnostic(rule, self.path, line, message, hint, level))
