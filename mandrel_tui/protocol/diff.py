"""Diff: two versions of one file as unified lines to read, every byte of them visible in text;
decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mandrel_tui.protocol.patience import Changed, changes, lines_of

CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file"


def unified(path: str, before: bytes | None, after: bytes | None) -> tuple[str, ...]:
    """The difference as lines without their ends, None being a file that is not there; empty where
    nothing differs. Bytes that are not UTF-8 show as `\\xNN`."""
    if before == after:
        return ()
    old, new = lines_of(before or b""), lines_of(after or b"")
    uniform = all(line.endswith(b"\r\n") for line in (*old, *new))
    head = (
        "--- " + ("/dev/null" if before is None else f"a/{path}"),
        "+++ " + ("/dev/null" if after is None else f"b/{path}"),
    )
    hunks = _grouped(changes(old, new))
    return (*head, *(line for hunk in hunks for line in _hunk(hunk, old, new, uniform)))


def touched(before: bytes, after: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The lines that go and the lines that come, without their ends."""
    old, new = ([line.rstrip(b"\r\n") for line in lines_of(data)] for data in (before, after))
    found = changes(old, new)
    gone = tuple(line for c in found for line in old[c.old_start : c.old_end])
    come = tuple(line for c in found for line in new[c.new_start : c.new_end])
    return gone, come


def _grouped(found: Sequence[Changed]) -> Iterator[list[Changed]]:
    """The changes of each hunk: those whose surroundings meet stand together."""
    hunk: list[Changed] = []
    for change in found:
        if hunk and change.old_start - hunk[-1].old_end > 2 * CONTEXT:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _hunk(
    hunk: Sequence[Changed], old: Sequence[bytes], new: Sequence[bytes], uniform: bool
) -> Iterator[str]:
    lead = min(CONTEXT, hunk[0].old_start)
    tail = min(CONTEXT, len(old) - hunk[-1].old_end)
    start, end = hunk[0].old_start - lead, hunk[-1].old_end + tail
    new_start, new_end = hunk[0].new_start - lead, hunk[-1].new_end + tail
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@"
    for change in hunk:
        yield from _shown(" ", old[start : change.old_start], uniform)
        yield from _shown("-", old[change.old_start : change.old_end], uniform)
        yield from _shown("+", new[change.new_start : change.new_end], uniform)
        start = change.old_end
    yield from _shown(" ", old[start:end], uniform)


def _range(start: int, end: int) -> str:
    """Lines as a hunk heading counts them: from 1, an empty range by the line before it."""
    count = end - start
    return f"{start + (count > 0)}" if count == 1 else f"{start + (count > 0)},{count}"


def _shown(sign: str, lines: Sequence[bytes], uniform: bool) -> Iterator[str]:
    for line in lines:
        bare = line.removesuffix(b"\n")
        bare = bare.removesuffix(b"\r") if uniform else bare
        yield sign + bare.decode("utf-8", "backslashreplace")
        if not line.endswith(b"\n"):
            yield _NO_NEWLINE
