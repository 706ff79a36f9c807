"""Folders: which documents of a proposal become folders, by path, with the titles of the sections
that leave each; decides nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mandrel_tui.protocol.proposal import Document
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.upgrade import upgraded

Json = object
Folders = Mapping[str, tuple[str, ...]]


def with_folders(
    documents: Sequence[Document], texts: Mapping[str, bytes], folders: Folders
) -> tuple[tuple[Document, ...], dict[str, tuple[str, ...]]]:
    """The proposal with these documents as folders, and which of them still can become one;
    `texts` are memory and loaders by path."""
    made, kept = tuple(documents), {}
    for path, titles in folders.items():
        try:
            made = upgraded(made, texts, path, titles)
        except Refusal:
            continue
        kept[path] = titles
    return made, kept


def record(folders: Folders) -> dict[str, Json]:
    """The folders as JSON values."""
    return {path: [*titles] for path, titles in folders.items()}


def recorded(value: Json) -> dict[str, tuple[str, ...]]:
    """The folders a record tells of; anything that is no such record counts as none."""
    pairs = value.items() if isinstance(value, dict) else ()
    return {
        path: tuple(title for title in titles if isinstance(title, str))
        for path, titles in pairs
        if isinstance(path, str) and isinstance(titles, list)
    }
