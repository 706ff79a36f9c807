"""YAML reader: asks python-frontmatter for the values only YAML can say; every scalar a string."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def read_yaml(block: str) -> Mapping[str, object] | None:
    """The metadata of a text that begins with front matter; None where YAML fails on it."""
    import frontmatter
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    class Strings(YAMLHandler):
        """YAML whose scalars stay as they were typed."""

        def load(self, fm: str, **options: Any) -> Any:
            return yaml.load(fm, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))

    try:
        values, _ = frontmatter.parse(block, handler=Strings())
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None
    return values if isinstance(values, dict) else None
