"""Visible text: names, paths and the words of children made safe to show on one line."""

from __future__ import annotations

import re
from os import fsdecode, fsencode

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNDECODED = re.compile("[\udc80-\udcff]")
_LONE = re.compile("[\ud800-\udfff]")
_LIMIT = 400


def visible(text: str) -> str:
    """The text on one line: control characters as pictures, other unseen ones as escapes."""
    return _UNSEEN.sub(_picture, text)


def shown(path: object) -> str:
    """A path or file name as one visible line."""
    return visible(_in_utf8(str(path) if not isinstance(path, bytes) else fsdecode(path)))


def name_of(file_name: str) -> str:
    """A file name as text that can be encoded: bytes that are no UTF-8 become `\\xNN`."""
    if file_name.isascii():
        return file_name
    return _LONE.sub(_picture, _UNDECODED.sub(_byte, _in_utf8(file_name)))


def _in_utf8(file_name: str) -> str:
    """The name as the UTF-8 it is on disk, which not every locale decodes it as."""
    try:
        return fsencode(file_name).decode("utf-8")
    except UnicodeError:
        return file_name


def first_words(data: bytes) -> str:
    """What a program printed, as one visible line of at most 400 characters."""
    lines = (line.strip() for line in data.decode("utf-8", "replace").split("\n"))
    text = visible("; ".join(line for line in lines if line))
    return text if len(text) <= _LIMIT else text[: _LIMIT - 1] + "…"


def _byte(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]) - 0xDC00:02x}"


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
