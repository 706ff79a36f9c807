"""Placeholders: the `{{name}}` gaps of a fragment, filled over bytes, strictly and in one pass."""

from __future__ import annotations

import re
from collections.abc import Mapping

_GAP = re.compile(rb"\{\{([a-z][a-z0-9_]*)\}\}")


def gaps(text: bytes) -> frozenset[str]:
    """The names of the placeholders a text holds."""
    return frozenset(name.decode("ascii") for name in _GAP.findall(text))


def fill(text: bytes, values: Mapping[str, bytes]) -> bytes:
    """The text with each gap replaced; what a value holds is never looked at again.

    Raises ValueError unless `values` names exactly the gaps.
    """
    if gaps(text) != values.keys():
        wrong = sorted(gaps(text) ^ values.keys())
        raise ValueError(f"placeholders that do not match their values: {', '.join(wrong)}")
    return _GAP.sub(lambda gap: values[gap[1].decode("ascii")], text)


def encoded(value: str) -> bytes:
    """A value's bytes; those that were no UTF-8 when it was read come back as they were."""
    return value.encode("utf-8", "surrogateescape")


def shown(names: frozenset[str]) -> str:
    """Placeholder names for a message, as they are written in a fragment."""
    return ", ".join(f"{{{{{name}}}}}" for name in sorted(names)) or "none"
