"""Cache: rows of archived files between runs, each bound to the file it was read from.

It saves reading and decides nothing: an absent, old or torn cache is an empty one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.files import NotRead, Stamp, read

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

# Two changes of a file within one tick of the clock leave the same times behind.
_TICK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class CacheRow:
    """What was read from one file when it had this size, these times and this inode."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    row: Json

    @classmethod
    def of(cls, stamp: Stamp, row: Json) -> CacheRow:
        return cls(stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, row)

    def fits(self, stamp: Stamp) -> bool:
        """Whether the file is still the one that was read."""
        return (self.size, self.mtime_ns, self.ctime_ns, self.inode) == (
            stamp.size,
            stamp.mtime_ns,
            stamp.ctime_ns,
            stamp.inode,
        )


def load_cache(path: Path, version: int) -> dict[str, CacheRow]:
    """The rows saved by the same version, by file name."""
    with suppress(NotRead, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        value = json.loads(read(path).data)
        if value["version"] == version:
            rows = {name: CacheRow(*row) for name, row in value["rows"].items()}
            return rows if all(_sound(row) for row in rows.values()) else {}
    return {}


def save_cache(path: Path, version: int, rows: Mapping[str, CacheRow], now_ns: int) -> None:
    """Saves the rows of files that had settled by `now_ns`; raises OSError."""
    settled = {
        name: [r.size, r.mtime_ns, r.ctime_ns, r.inode, r.row]
        for name, r in rows.items()
        if max(r.mtime_ns, r.ctime_ns) < now_ns - _TICK_NS
    }
    text = json.dumps({"version": version, "rows": settled}, separators=(",", ":"))
    atomic.put(path, text.encode())


def _sound(row: CacheRow) -> bool:
    return all(type(part) is int for part in (row.size, row.mtime_ns, row.ctime_ns, row.inode))
