"""Legible: text whose unseen characters are spelled out, cut and joined for messages; changes no
file."""

from __future__ import annotations

import unicodedata

_LONGEST = 60


def visible(text: str) -> str:
    """Text whose control and invisible characters are spelled `<U+200B>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(c):04X}>" if _invisible(c) else c for c in text)


def _invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
        char != " " and unicodedata.category(char) == "Zs"
    )


def short(text: str) -> str:
    """Text for a message: visible, undecodable bytes replaced, cut at 60 characters."""
    clean = visible(plain(text.strip(" \t\r")))
    return clean if len(clean) <= _LONGEST else clean[: _LONGEST - 1] + "…"


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 task`, `1,030 tasks`, `2 entries`."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def ended(text: str) -> str:
    """Text as a whole sentence, with a full stop where nothing ends it."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def followed(text: str, more: str) -> str:
    """Text and what follows it: behind a semicolon, or as a sentence behind a question."""
    if text.endswith(("?", "!")):
        return f"{text} {more[:1].upper()}{more[1:]}"
    return f"{text.removesuffix('.')}; {more}"


def plain(text: str) -> str:
    """Text whose undecodable bytes are replacement characters."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
