"""Blobs: bytes kept outside the repository under their own digest, each once; never removed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from mandrel_tui.workspace import atomic
from mandrel_tui.workspace.files import NotRead, read
from mandrel_tui.workspace.state import State, words_of


@dataclass(frozen=True, slots=True)
class Blobs:
    """The kept bytes of one repository."""

    state: State

    def path(self, digest: str) -> Path:
        """Where bytes of that SHA-256 lie, if they were kept."""
        return self.state.folder / "blobs" / digest[:2] / digest[2:]

    def put(self, data: bytes, digest: str = "", *, durable: bool = False) -> str:
        """Keeps the bytes, whose digest may be known already; why it could not, empty when it did.

        `durable` ones survive a power cut.
        """
        path = self.path(digest or sha256(data).hexdigest())
        try:
            if path.stat().st_size == len(data):
                return ""
        except OSError:
            pass
        note = self.state.ready()
        if note:
            return note
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            atomic.put(path, data, durable=durable)
        except OSError as error:
            return f"the bytes are not kept: {words_of(error)}"
        return ""

    def get(self, digest: str) -> bytes | None:
        """The bytes of that digest, computed again; None where they are not there or not those."""
        try:
            data = read(self.path(digest)).data
        except NotRead:
            return None
        return data if sha256(data).hexdigest() == digest else None
