"""Marked blocks: lines this program adds to somebody else's text file, found again by their first
and last line; whatever stands around them is left byte for byte."""

from __future__ import annotations


def add_block(before: bytes | None, block: bytes) -> bytes:
    """The file with the block at its end, in the file's own line ends; unchanged where the block's
    first line is there already. ValueError for a file whose encoding is not an ASCII superset."""
    if not before:
        return block
    if b"\x00" in before or before.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError("it is no UTF-8 text; add the block by hand")
    begin = block.split(b"\n", 1)[0]
    if begin in (line.strip() for line in before.split(b"\n")):
        return before
    end = b"\r\n" if b"\r\n" in before else b"\n"
    gap = end if before.endswith(b"\n") else end * 2
    return before + gap + block.replace(b"\n", end)
