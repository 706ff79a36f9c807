"""Contract sets for tests: the golden one as it lies in its repository, and small changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.workspace.contract_files import load_contracts

GOLDEN = Path(__file__).resolve().parent / "golden"
BUNDLE = Path(__file__).resolve().parent.parent / "contracts"


def golden_set() -> Contracts:
    """The golden contracts, which come from a repository with its own texts and fragments."""
    return load_contracts(GOLDEN / "workspace", BUNDLE)


def with_text(contracts: Contracts, name: str, content: bytes) -> Contracts:
    """The set with other bytes in one of its texts."""
    source = replace(contracts.texts[name], data=content)
    return replace(contracts, texts={**contracts.texts, name: source})


def with_fragment(contracts: Contracts, name: str, content: bytes) -> Contracts:
    """The set with other bytes in one of its fragments."""
    source = replace(contracts.fragments[name], data=content)
    return replace(contracts, fragments={**contracts.fragments, name: source})
