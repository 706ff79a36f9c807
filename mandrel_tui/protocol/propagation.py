"""Propagation: what else must change when memory documents do: routing, map and loader where one is
renamed, and what a person should look at; proposals, nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mandrel_tui.protocol.closeout import Plan
from mandrel_tui.protocol.housekeeping import note, tokens
from mandrel_tui.protocol.proposal import Change, Document
from mandrel_tui.protocol.routing import (
    INDEX,
    repointed,
    routed,
    title_of,
    with_row,
    without_row,
)
from mandrel_tui.protocol.snapshot import limit_of
from mandrel_tui.protocol.targets import headings


def with_followers(
    documents: Sequence[Document], texts: Mapping[str, bytes]
) -> tuple[Document, ...]:
    """The documents, and those of `texts` (memory and loaders, by path) that name a renamed one by
    its old path, with its new path."""
    moved = [(doc.origin, doc.path) for doc in documents if doc.origin is not None]
    return followed(documents, texts, moved) if moved else tuple(documents)


def followed(
    documents: Iterable[Document], texts: Mapping[str, bytes], moved: Sequence[tuple[str, str]]
) -> tuple[Document, ...]:
    """The documents, and those of `texts` that name one that `moved` from its old path to a new."""
    known = {document.path: document for document in documents}
    gone = {*(document.origin for document in known.values()), *(old for old, _ in moved)}
    for path, text in texts.items():
        document = known.get(path) or Document(path, text, text)
        if path not in gone and document.proposed is not None:
            known[path] = replace(document, proposed=_repointed(path, document.proposed, moved))
    for path, document in known.items():
        if path not in texts and document.proposed is not None:
            known[path] = replace(document, proposed=_repointed(path, document.proposed, moved))
    return tuple(document for document in known.values() if document.differs)


def _repointed(path: str, text: bytes, moved: Sequence[tuple[str, str]]) -> bytes:
    for old, new in moved:
        text = repointed(text, old, new, path)
    return text


def with_rows(documents: tuple[Document, ...], texts: Mapping[str, bytes]) -> tuple[Document, ...]:
    """The documents, and as one more edit the rows that the routing lacks for those that are new,
    or has for those that go; a memory without routing gets none."""
    known = next((doc for doc in documents if doc.path == INDEX), None)
    index = known or Document(INDEX, texts.get(INDEX), texts.get(INDEX))
    if index.proposed is None:
        return documents
    proposed = index.proposed
    for document in documents:
        if document.change is Change.ADDED and document.path.startswith(".ai/"):
            titles = (h.title for h in headings(document.proposed or b"") if h.depth == 1)
            proposed = with_row(proposed, document.path, next(titles, title_of(document.path)))
        elif document.change is Change.REMOVED:
            proposed = without_row(proposed, document.path)
    if proposed == index.proposed:
        return documents
    rest = (document for document in documents if document.path != INDEX)
    return (*rest, replace(index, proposed=proposed))


def other_form(path: str) -> str | None:
    """The other form of a document: `.ai/x/index.md` of `.ai/x.md` and the reverse; None for one
    that has no other."""
    if path == INDEX or not path.startswith(".ai/"):
        return None
    if path.endswith("/index.md"):
        return f"{path.removesuffix('/index.md')}.md"
    return f"{path.removesuffix('.md')}/index.md"


def both_forms(after: Mapping[str, bytes | None], texts: Mapping[str, bytes]) -> tuple[str, ...]:
    """The documents that would exist in both forms when those of `after` became so."""
    known = _standing(after, texts)
    return tuple(
        path
        for path in after
        if after[path] is not None and (other := other_form(path)) is not None and other in known
    )


def _standing(after: Mapping[str, bytes | None], texts: Mapping[str, bytes]) -> frozenset[str]:
    """The documents there are when those of `after` became so."""
    return frozenset(p for p in (*texts, *after) if after.get(p, texts.get(p)) is not None)


def alike(after: Mapping[str, bytes | None], texts: Mapping[str, bytes]) -> tuple[str, ...]:
    """The documents new in `after` whose path differs from another's in letter case alone, which
    not every file system can hold."""
    known = _standing(after, texts)
    counts = Counter(path.casefold() for path in known)
    new = (path for path in after if path in known and path not in texts)
    return tuple(path for path in new if counts[path.casefold()] > 1)


def advice(documents: Sequence[Document], texts: Mapping[str, bytes]) -> tuple[str, ...]:
    """What a person should look at, a sentence each: rows the routing lacks, has too many or is
    given for nothing, bytes that are no text, and documents over their limit."""
    return tuple(_advice(documents, texts))


def advice_on(plan: Plan, texts: Mapping[str, bytes]) -> tuple[str, ...]:
    """What a person should look at of a plan as it was decided: what is left out says nothing."""
    standing = {**texts, **{d.path: d.base for d in plan.documents if d.kept}}
    there = {path: text for path, text in standing.items() if text is not None}
    return advice([Document(d.path, d.base, d.after) for d in plan.documents if not d.kept], there)


def _advice(documents: Sequence[Document], texts: Mapping[str, bytes]) -> Iterator[str]:
    index = next((doc.proposed for doc in documents if doc.path == INDEX), texts.get(INDEX))
    named = routed(index)
    there = {*texts, *(doc.path for doc in documents if doc.proposed is not None)}
    for path in sorted(named - routed(texts.get(INDEX)) - there):
        yield f"{INDEX} names {path}, which is not there"
    for document in documents:
        path = document.path
        if index is not None and path.startswith(".ai/") and path != INDEX:
            here = document.change in (Change.ADDED, Change.RENAMED)
            if here and path not in named:
                yield f"{path} has no row in {INDEX}"
            if document.change is Change.REMOVED and path in named:
                yield f"{INDEX} still names {path}, which goes"
            if document.origin in named:
                yield f"{INDEX} still names {document.origin}, which becomes {path}"
        if document.proposed is not None and not _is_text(document.proposed):
            yield f"{path} holds bytes that are no UTF-8"
        if note(path, document.proposed):
            size = f"{tokens(document.proposed):,} of {limit_of(path):,} tokens"
            yield f"{path} is over its limit: {size}"


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
