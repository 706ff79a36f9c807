"""Drafts: what was decided so far of a closeout or a curation, kept outside the repository until it
is carried out; one of each name."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from mandrel_tui.workspace.cache import Json
from mandrel_tui.workspace.state import Loaded, State


@dataclass(frozen=True, slots=True)
class Drafts:
    """The drafts of one repository, by the name of a task or the path of a file."""

    state: State

    def load(self, name: str) -> Loaded:
        """What was kept under a name, None without anything; `note` says what was set aside."""
        loaded = self.state.load(_key(name))
        value = loaded.value
        if isinstance(value, dict) and value.get("name") == name:
            return Loaded(value.get("draft"), loaded.note)
        return Loaded(None, loaded.note)

    def save(self, name: str, draft: Json) -> str:
        """Keeps a draft; why it could not, empty when it did."""
        note = self.state.save(_key(name), {"name": name, "draft": draft})
        return note.replace(_key(name), "the draft", 1)

    def end(self, name: str) -> None:
        """Forgets a draft that was carried out."""
        with suppress(OSError):
            (self.state.folder / f"{_key(name)}.json").unlink(missing_ok=True)


def _key(name: str) -> str:
    return "draft-" + sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]
