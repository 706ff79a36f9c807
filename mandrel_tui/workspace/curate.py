"""Curate: one memory file of any kind, its facts, and what was decided of them so far; writes only
the reviewed result. It needs no repository."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from mandrel_tui.protocol import admission
from mandrel_tui.protocol.admission import Sheet
from mandrel_tui.protocol.candidates import facts_of_document
from mandrel_tui.protocol.curation import carried_on, curated
from mandrel_tui.protocol.edit import Edit
from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.files import read, write_atomic
from mandrel_tui.workspace.state import State


@dataclass(frozen=True, slots=True)
class Curation:
    """A file under curation: its bytes as they were read, and the sheet of its facts.

    `reopened` are the words of facts whose decisions are gone since they changed, `note` says what
    was set aside.
    """

    path: Path
    data: bytes
    sheet: Sheet
    reopened: tuple[str, ...] = ()
    note: str = ""

    @property
    def after(self) -> bytes:
        """The file as the decisions make it."""
        return curated(self.data, self.sheet)

    @property
    def edit(self) -> Edit:
        return Edit(self.path.name, self.data, self.after)

    def decided(self, sheet: Sheet) -> Curation:
        return replace(self, sheet=sheet)


def file_state(path: Path) -> State:
    """Where the draft of a file is kept: with its repository's state, or its folder's."""
    return folder_state(path.parent)


def folder_state(folder: Path) -> State:
    """The state of the repository around a folder, else of the folder."""
    own = gitdir.nearest(folder)
    return State.of(own.top if own is not None else folder)


def open_file(path: Path) -> Curation:
    """The curation of a file as it was left, on what it holds now; raises files.NotRead."""
    place = Path(os.path.normpath(path.absolute()))
    data = read(place).data
    loaded = Drafts(file_state(place)).load(str(place))
    draft = loaded.value if isinstance(loaded.value, dict) else {}
    resumed = admission.resume(facts_of_document(data), draft.get("sheet"))
    return Curation(place, data, resumed.sheet, resumed.reopened, loaded.note)


def keep(curation: Curation) -> str:
    """Keeps what was decided so far; why it could not, empty when it did."""
    drafts = Drafts(file_state(curation.path))
    kept = drafts.load(str(curation.path)).value
    draft = dict(kept) if isinstance(kept, dict) else {}
    return drafts.save(str(curation.path), {**draft, "sheet": admission.record(curation.sheet)})


def write(curation: Curation) -> None:
    """Writes the result over exactly the bytes that were read, and forgets the draft, unless facts
    are open still: then what stayed keeps its answers. Raises files.NotWritten, StaleFile."""
    after = curation.after
    write_atomic(curation.path, after, curation.data)
    Drafts(file_state(curation.path)).end(str(curation.path))
    left = carried_on(after, curation.sheet)
    if left.undecided:
        keep(replace(curation, data=after, sheet=left))
