"""Failure: how a command ends when it cannot do what was asked; it prints nothing."""

from __future__ import annotations

DONE, REFUSED, WRONG, INTERRUPTED = 0, 1, 2, 130


class Failure(Exception):
    """One line that says what and where, and the exit code: REFUSED or WRONG."""

    def __init__(self, message: str, code: int = WRONG) -> None:
        super().__init__(message)
        self.code = code
