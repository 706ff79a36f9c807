"""Spelling: how a front-matter value is written so that it reads back exactly; refuses what cannot.

Bare where that is enough, in double quotes where it is not; what stands in a list already is left
as it is typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from mandrel_tui.protocol.frontmatter import (
    item_spans,
    list_end,
    list_items,
    unquoted,
    value_length,
)
from mandrel_tui.protocol.legible import plain
from mandrel_tui.protocol.refusal import Refusal

# What begins like this is padding, or is read by YAML or as a list.
_NOT_BARE = re.compile(r"[ \t|>&*{!\[%@`]")
# Where a quote opens a quoted item, and one in a later item could close it.
_OPENS = re.compile(r"""(?:^|[\[,])[ \t]*["']""")
_REMARK = " # remark"
_UNWRITABLE = frozenset({"Cc", "Zl", "Zp", "Cs"})


def scalar(value: str) -> str:
    """One value as it is written behind its key; raises Refusal."""
    refuse_unwritable(value)
    for text in (value, quoted(value)):
        if value and not _NOT_BARE.match(text) and _reads_as(text, value):
            return text
    raise Refusal(f"`{value}` would not read back as it is written")


def listed(items: Sequence[str], raw: str = "[]") -> str:
    """A list as it is written; `raw` is how it is written now, and what stays is left so.

    Raises Refusal for an item that no spelling reads back, such as an empty one.
    """
    for item in items:
        refuse_unwritable(item)
    wanted = tuple(items)
    for text in (_kept(wanted, raw), _extended("[]", wanted)):
        if text is not None and reads(text) == wanted:
            return text
    raise Refusal(f"`{', '.join(wanted)}` would not read back as it is written")


def reads(raw: str) -> tuple[str, ...] | None:
    """The items of a list text that ends where it should, even before a remark; else None."""
    whole = raw.startswith("[") and list_end(raw) == (len(raw), True)
    if not whole or value_length(raw + _REMARK) != len(raw):
        return None
    return list_items(raw)


def quoted(text: str) -> str:
    """The text in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def refuse_unwritable(text: str) -> None:
    """Raises Refusal for what cannot stand in one line: control characters, line separators."""
    for char in text:
        if unicodedata.category(char) in _UNWRITABLE:
            raise Refusal(f"U+{ord(char):04X} cannot be written into one line")


def _reads_as(text: str, value: str) -> bool:
    ends = value_length(text) == len(text) == value_length(text + _REMARK)
    return ends and plain(unquoted(text)) == value


def _kept(wanted: tuple[str, ...], raw: str) -> str | None:
    """The list as it is written now without what goes and with what comes; None where its items
    do not stand in the same order."""
    before = reads(raw)
    if before is None:
        return None
    here = iter(enumerate(before))
    stays = []
    for item in wanted:
        place = next((n for n, old in here if old == item), None)
        if place is None:
            break
        stays.append(place)
    kept = raw if len(stays) == len(before) else _without(raw, len(before), stays)
    return _extended(kept, wanted[len(stays) :])


def _without(raw: str, count: int, stays: Sequence[int]) -> str:
    """The list text with those items alone, the blanks at its ends kept."""
    spans = [(a, b) for a, b in item_spans(raw) if plain(unquoted(raw[a:b]))]
    if len(spans) != count or not stays:
        return "[]"
    parts = [raw[spans[n][0] : spans[n][1]] for n in stays]
    return raw[: spans[0][0]] + ", ".join(parts) + raw[spans[-1][1] :]


def _extended(raw: str, items: Sequence[str]) -> str | None:
    """The list text with items put behind those that are there."""
    for item in items:
        longer = _with(raw, item)
        if longer is None:
            return None
        raw = longer
    return raw


def _with(raw: str, item: str) -> str | None:
    wanted = (*(reads(raw) or ()), item)
    head = raw[:-1].rstrip(" \t")
    tail = raw[len(head) :]
    commas = ("",) if head == "[" or head.endswith(",") else (", ", ",")
    for comma in commas:
        for text in (quoted(item),) if _OPENS.search(item) else (item, quoted(item)):
            longer = f"{head}{comma}{text}"
            if reads(longer + tail) == wanted and _takes_more(longer, wanted):
                return longer + tail
    return None


def _takes_more(head: str, items: tuple[str, ...]) -> bool:
    """Whether what is put behind an unclosed list is another item, not a part of the last."""
    return all(reads(f"{head},{quoted(more)}]") == (*items, more) for more in ("2", "]"))
