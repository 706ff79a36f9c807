"""Upgrades: a proposal in which a document that outgrew its limit becomes a folder; reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mandrel_tui.protocol import upgrade
from mandrel_tui.protocol.propagation import advice
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.workspace.documents import ProposalRefused, document, memory
from mandrel_tui.workspace.proposals import NOTHING, Proposal
from mandrel_tui.workspace.visible import shown


def upgraded(
    root: Path, proposal: Proposal, path: str, titles: Sequence[str] | None = None
) -> Proposal:
    """The proposal with one document, of it or of the memory, as a folder and all that names it
    following; the sections with these `titles` become documents of their own, by default as many
    as it needs. Raises ProposalRefused."""
    texts = memory(root)
    if path not in texts and all(d.path != path for d in proposal.documents):
        document(root, path)  # raises where it is a link, or cannot be read
    try:
        documents = upgrade.upgraded(proposal.documents, texts, path, titles)
    except Refusal as refusal:
        raise ProposalRefused(str(refusal)) from None
    made = f"{shown(path)} made a folder"
    source = made if proposal is NOTHING else f"{proposal.source}, {made}"
    return replace(proposal, source=source, documents=documents, advice=advice(documents, texts))
