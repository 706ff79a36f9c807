"""Document paths: which files a proposal may touch, by their names alone."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_GIT = re.compile(r"\.git|git~\d+", re.IGNORECASE)


def fault(path: str) -> str:
    """Why a path, relative to the repository with `/`, names no document of the memory; empty where
    it does: a Markdown file below `.ai/`, nothing of git's own, no way out."""
    parts = path.split("/")
    if _CONTROL.search(path) or "\\" in path:
        return "it holds a character that no document's name may have"
    if any(_GIT.fullmatch(part.rstrip(" .")) for part in parts):
        return "it reaches into .git"
    if parts[0] != ".ai" or len(parts) < 2 or {"", ".", ".."} & set(parts):
        return "it lies outside .ai/"
    if not parts[-1].endswith(".md"):
        return "it is no Markdown document (.md)"
    return ""
