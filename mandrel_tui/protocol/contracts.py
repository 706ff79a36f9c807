"""Contract texts and prompt fragments: which must exist, their exact placeholders, strict filling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """One text as found: `path` for display (relative to the repository, or `contracts/…` of the
    bundle), its exact bytes, and what `.ai-deploy-lock.json` says: `equal`, `differs`, or None."""

    path: str
    data: bytes
    bundled: bool
    lock: str | None = None


@dataclass(frozen=True, slots=True)
class Contracts:
    """The texts and fragments in force for one repository.

    `texts` by name: `protocols/review`, `meta/taskfile`, `workflow/skills/closeout`, …;
    `fragments` by name: `entry/sid-line`, `midflight/wrapup`, …, `postcheck-contract`.
    `native` is true when hooks or a loader are found in the repository; `skill_path` is the
    absolute path of the closeout skill, None where there is none.
    """

    texts: Mapping[str, Source]
    fragments: Mapping[str, Source]
    texts_bundled: bool
    fragments_bundled: bool
    native: bool
    skill_path: str | None
    problems: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[Source, ...]:
        """Texts whose bytes are not those the deployment receipt lists."""
        return tuple(
            s for s in (*self.texts.values(), *self.fragments.values()) if s.lock == "differs"
        )
