"""Blank: one field of a form as a value; it draws nothing."""

from __future__ import annotations

from dataclasses import dataclass

Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Blank:
    """One field of a form: a line; with `options` one of these words; with `many` some of them, the
    value being lines; with `text` several lines.

    `names` are the words for options that do not say it themselves, `notes` words beside them.
    """

    name: str
    label: str
    value: str = ""
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    many: bool = False
    text: bool = False
