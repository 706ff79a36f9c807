"""Housekeeping: the notes of `.ai/.housekeeping-pending` about documents over their limit; lines
that say anything else stay as they are."""

from __future__ import annotations

from collections.abc import Mapping

from mandrel_tui.protocol.patience import joined, lines_of
from mandrel_tui.protocol.routing import INDEX
from mandrel_tui.protocol.snapshot import exempt, limit_of
from mandrel_tui.protocol.stamps import eol_of

PENDING = ".ai/.housekeeping-pending"
_INDEX_SIZE = "INDEX_SIZE"


def tokens(data: bytes | None) -> int:
    """The tokens of a document, 0 where there is none."""
    return len(data or b"") // 4


def note(path: str, data: bytes | None) -> str:
    """The line about a document that is over its limit; empty where it is not, or is exempt."""
    size, limit = tokens(data), limit_of(path)
    if data is None or size <= limit or exempt(data):
        return ""
    return _INDEX_SIZE if path == INDEX else f"{path} SIZE {size}/{limit}"


def noted(pending: bytes | None, documents: Mapping[str, bytes | None]) -> bytes | None:
    """The notes after the documents became what is given, None for one that is gone: those about
    them are made anew, all others stay. None is a file without lines, which is no file."""
    before = pending or b""
    eol = eol_of(before)
    wanted = {path: note(path, data) for path, data in documents.items()}
    lines: list[bytes] = []
    for line in lines_of(before):
        path = _about(line)
        if path not in wanted:
            lines.append(line)
        elif wanted[path]:
            lines.append(wanted.pop(path).encode() + eol)
        else:
            continue
    lines += [line.encode() + eol for line in wanted.values() if line]
    text = joined(lines, eol)
    return text if text.strip() or (pending is not None and text == pending) else None


def flagged(pending: bytes | None) -> tuple[str, ...]:
    """The documents the notes say are over their limit, in order."""
    return tuple(dict.fromkeys(filter(None, map(_about, lines_of(pending or b"")))))


def _about(line: bytes) -> str:
    """The document a note is about, empty for another line."""
    text = line.decode("utf-8", "replace").strip()
    if text == _INDEX_SIZE:
        return INDEX
    path, mark, _ = text.rpartition(" SIZE ")
    return path if mark else ""
