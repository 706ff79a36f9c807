"""Text made safe to show: control and invisible characters become visible, and cutting, padding
and wrapping count terminal cells; it knows no colour and no widget."""

from __future__ import annotations

import re
from itertools import pairwise

from rich.cells import cell_len, split_graphemes

# C0 but line feed, DEL, C1, bidirectional controls, line and paragraph separators, characters that
# show nothing, lone surrogates, tags. U+200C and U+200D are spelling in several scripts and glue
# in emoji: they stay after a character that is not ASCII.
_UNSAFE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]"
)
_SELECTOR = range(0xFE00, 0xFE10)
_LINE_END = re.compile("\r\n|\n")
TAB = 4


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    # Terminals disagree about the width of a character with a presentation selector.
    return "" if code in _SELECTOR else "\ufffd"


def _caret(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20 or code == 0x7F:
        return "^" + chr(code ^ 0x40)
    return "" if code in _SELECTOR else "?"


def clean(text: str, *, ascii: bool = False, tabs: bool = True) -> str:
    """The text with line feeds kept and nothing else a terminal would obey: CRLF becomes LF, tabs
    become spaces (their picture where `tabs` is false), control characters pictures (`^[` in
    ASCII), characters that show nothing U+FFFD; presentation selectors are dropped."""
    text = text.replace("\r\n", "\n")
    if tabs and "\t" in text:
        text = "\n".join(line.expandtabs(TAB) for line in text.split("\n"))
    return _UNSAFE.sub(_caret if ascii else _picture, text)


def typed(text: str, *, ascii: bool = False) -> str:
    """The text with exactly one character for each of its own, so that a cursor stays where it is:
    what a terminal would obey becomes its picture (`?` in ASCII), tabs stay."""
    if text.replace("\t", "").isprintable():
        return text
    return "".join(
        c if c.isprintable() or c == "\t" else "?" if ascii else clean(c) or "?" for c in text
    )


def label(text: str, *, ascii: bool = False) -> str:
    """The text as one line: line ends and tabs become spaces, the rest as in `clean`."""
    return clean(_LINE_END.sub(" ", text).replace("\t", " "), ascii=ascii)


def width(text: str) -> int:
    """Its cells."""
    return cell_len(text)


def _window(text: str, cells: int) -> str:
    """As many characters as could matter for `cells`: no longer text is ever measured."""
    return text[: cells * 4 + 16]


def head(text: str, cells: int) -> str:
    """The longest start of clean text within `cells`, never half a character."""
    if cells <= 0:
        return ""
    text = _window(text, cells)
    if text.isascii():
        return text[:cells]
    used, end = 0, 0
    for _, stop, size in split_graphemes(text)[0]:
        if used + size > cells:
            break
        used, end = used + size, stop
    return text[:end]


def tail(text: str, cells: int) -> str:
    """The longest end of clean text within `cells`, never half a character."""
    if cells <= 0:
        return ""
    text = text[-(cells * 4 + 16) :]
    if text.isascii():
        return text[-cells:]
    used, start = 0, len(text)
    for begin, _, size in reversed(split_graphemes(text)[0]):
        if used + size > cells:
            break
        used, start = used + size, begin
    return text[start:]


def fits(text: str, cells: int) -> bool:
    """Whether clean text needs no more than `cells`, found without measuring all of a long one."""
    window = _window(text, max(cells, 0))
    return len(window) == len(text) and cell_len(text) <= cells


def cut(text: str, cells: int, ellipsis: str = "…") -> str:
    """Clean text within `cells`: whole, or cut at a cell edge with one ellipsis at its end."""
    if fits(text, cells):
        return text
    room = cells - len(ellipsis)
    return head(text, room) + ellipsis if room >= 0 else ellipsis[: max(cells, 0)]


def cut_middle(text: str, cells: int, ellipsis: str = "…") -> str:
    """Clean text within `cells`, its middle left out: for paths, whose ends tell most."""
    if fits(text, cells):
        return text
    room = cells - len(ellipsis)
    if room < 2:
        return cut(text, cells, ellipsis)
    end = tail(text, (room + 1) // 2)
    return head(text, room - cell_len(end)) + ellipsis + end


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """Clean text filled with spaces to `cells`, at its start when `right`; never cut."""
    space = " " * (cells - cell_len(text))
    return space + text if right else text + space


def chop(text: str, cells: int) -> list[str]:
    """One clean line cut into rows of at most `cells`, every character kept; at least one row.

    A character wider than `cells` has a row of its own. Linear in the text.
    """
    cells = max(cells, 1)
    if text.isascii():
        return [text[at : at + cells] for at in range(0, len(text), cells)] or [""]
    edges, used = [0], 0
    for start, _, size in split_graphemes(text)[0]:
        if used + size > cells and start > edges[-1]:
            edges.append(start)
            used = 0
        used += size
    return [text[start:stop] for start, stop in pairwise([*edges, len(text)])]


def wrap(text: str, cells: int) -> list[str]:
    """One clean line as rows of at most `cells`, broken at spaces where it can be, else at a cell
    edge; the spaces at a break are dropped; at least one row."""
    cells = max(cells, 1)
    rows: list[str] = []
    row, used = "", 0
    for word in re.findall(r" *[^ ]+", text):
        size = cell_len(word)
        if row and used + size > cells:
            rows.append(row)
            row, used = "", 0
        if not row and rows:
            word = word.lstrip(" ")
            size = cell_len(word)
        if size > cells - used:
            *whole, word = chop(word, cells)
            rows += whole
            size = cell_len(word)
        row, used = row + word, used + size
    return [*rows, row]
