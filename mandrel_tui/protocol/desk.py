"""Desk: everything a person decides while closing out a task or curating a memory file, as one
value; every decision gives another desk, and the last ones can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from mandrel_tui.protocol import admission, folders, review_record
from mandrel_tui.protocol.admission import Answer, Item, Sheet, Target
from mandrel_tui.protocol.candidates import Fact
from mandrel_tui.protocol.curation import curated
from mandrel_tui.protocol.folders import Folders, with_folders
from mandrel_tui.protocol.propagation import with_rows
from mandrel_tui.protocol.proposal import ACCEPT, Document, Review
from mandrel_tui.protocol.targets import FALLBACK, Library, admitted
from mandrel_tui.protocol.upgrade import upgraded

Json = object
REMEMBERED = 200  # decisions that can be taken back
FACTS, NATIVE = "facts", "native"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the documents under review come from: the admitted facts, or a proposal that was taken
    in: a `folder`, the `worktree`, a `revision`, a `file`, or a `diff` whose text is `named`; or
    what an agent changed that closed the task out itself (`native`), which is accepted until
    somebody rejects it."""

    kind: str = FACTS
    named: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What was read: the facts, the texts of memory and loaders by path, the documents of a
    proposal that was taken in (None without one) with where they come from and remarks about them;
    `base` says of which moment the old texts are (`at 4f21c9a`).
    """

    facts: tuple[Fact, ...]
    texts: Mapping[str, bytes]
    library: Library = field(compare=False)
    documents: tuple[Document, ...] | None = None
    words: str = ""
    notes: tuple[str, ...] = ()
    base: str = ""


@dataclass(frozen=True, slots=True)
class Past:
    """The desk before a decision, and the decision in words."""

    words: str
    desk: Desk


@dataclass(frozen=True, slots=True)
class Desk:
    """One closeout, or the curation of one `file`: the candidates, the documents under review,
    which tasks' reconciliation was `accepted` or not, and which documents become `folders`, with
    the titles of the sections that leave them."""

    name: str
    given: Given
    sheet: Sheet
    reviews: tuple[Review, ...] = ()
    source: Source = Source()
    accepted: Mapping[str, bool] = field(default_factory=dict)
    file: bool = False
    folders: Folders = field(default_factory=dict)
    past: tuple[Past, ...] = ()

    @classmethod
    def opened(
        cls, name: str, given: Given, source: Source, recorded: Json, *, file: bool = False
    ) -> tuple[Desk, tuple[str, ...]]:
        """The desk as `record` kept it, on what was read now; and what is open again, in words."""
        known = recorded if isinstance(recorded, dict) else {}
        resumed = admission.resume(given.facts, known.get("sheet"))
        accepted = known.get("accepted")
        desk = cls(
            name,
            given,
            resumed.sheet,
            source=source,
            accepted=_answers(accepted) if isinstance(accepted, dict) else {},
            file=file,
            folders=folders.recorded(known.get("folders")),
        )
        return desk._reviewed(known.get("reviews"), resumed.reopened)

    @property
    def record(self) -> dict[str, Json]:
        """All that was decided, as JSON values."""
        return {
            "source": [self.source.kind, self.source.named],
            "sheet": admission.record(self.sheet),
            "reviews": review_record.record(self.reviews),
            "accepted": dict(self.accepted),
            "folders": folders.record(self.folders),
        }

    def reread(self, given: Given, source: Source | None = None) -> tuple[Desk, tuple[str, ...]]:
        """The same decisions on what was read anew; and what is open again, in words. A `source`
        takes the place of the one before."""
        told = self.record
        asked = self.source if source is None else source
        if asked != self.source:
            told["reviews"] = []
        desk, reopened = Desk.opened(self.name, given, asked, told, file=self.file)
        return replace(desk, past=self.past), reopened

    @property
    def native(self) -> bool:
        """Whether the task was closed out already, by whomever."""
        return self.source.kind == NATIVE

    # Facts.

    @property
    def facts_done(self) -> int:
        return len(self.sheet.items) - len(self.sheet.undecided)

    def answer(self, number: int, test: int, answer: Answer | None) -> Desk:
        """One test of one fact answered; one that is admitted then gets a target."""
        sheet = self.sheet.answer(number, test, answer)
        item = sheet.items[number]
        if item.admitted and item.target is None and not self.file:
            sheet = sheet.aim(number, self.offers(item)[0])
        said = "open again" if answer is None else answer.value
        test_name = admission.TESTS[test].name
        return self.with_sheet(sheet, f"fact {number + 1}, {test_name}: {said}")

    def offers(self, item: Item) -> tuple[Target, ...]:
        """Where a fact may go, the likeliest first; at least one."""
        return self.given.library.offers(item.text) or (Target(FALLBACK),)

    def with_sheet(self, sheet: Sheet, words: str) -> Desk:
        """The desk with other candidates; `words` say what was decided."""
        desk = self._before(words, sheet=sheet)
        if self.source.kind != FACTS and not self.file:
            return desk
        return desk._reviewed(review_record.record(self.reviews), ())[0]

    # Hunks.

    @property
    def hunks(self) -> int:
        return sum(len(review.hunks) for review in self.reviews)

    @property
    def hunks_done(self) -> int:
        return self.hunks - sum(len(review.open) for review in self.reviews)

    @property
    def undecided(self) -> tuple[tuple[str, int], ...]:
        """The documents with open hunks, and how many each has."""
        return tuple((r.document.path, len(r.open)) for r in self.reviews if r.open)

    def with_review(self, number: int, review: Review, words: str) -> Desk:
        """The desk with one document's review in the place of the one before."""
        reviews = (*self.reviews[:number], review, *self.reviews[number + 1 :])
        return self._before(words, reviews=reviews)

    def with_folder(self, path: str, titles: Iterable[str]) -> Desk:
        """The desk with a document as a folder, the sections with these titles in documents of
        their own; raises Refusal."""
        wanted = tuple(titles)
        standing, _ = with_folders(self._proposed(), self.given.texts, self.folders)
        upgraded(standing, self.given.texts, path, wanted)
        desk = replace(
            self._before(f"{path} becomes a folder"), folders={**self.folders, path: wanted}
        )
        return desk._reviewed(review_record.record(self.reviews), ())[0]

    # Tasks.

    def accept(self, task: str, accepted: bool) -> Desk:
        """The reconciliation of another task accepted, or not."""
        said = "accepted" if accepted else "rejected"
        return self._before(f"{task} {said}", accepted={**self.accepted, task: accepted})

    # Undo.

    def undone(self) -> tuple[Desk, str] | None:
        """The desk before the last decision that still shows, and that decision in words; None
        without one."""
        for number in reversed(range(len(self.past))):
            then = self.past[number]
            desk = then.desk._standing_on(self)
            if desk._decided != self._decided:
                return replace(desk, past=self.past[:number]), then.words
        return None

    @property
    def _decided(self) -> tuple[object, ...]:
        return self.sheet, self.reviews, self.accepted, self.folders

    def _standing_on(self, now: Desk) -> Desk:
        """These decisions on what was read for another desk; hunks of another source have none."""
        if self.given is now.given:
            return self
        told = self.record
        if self.source != now.source:
            told["reviews"] = review_record.record(now.reviews)
        return Desk.opened(now.name, now.given, now.source, told, file=now.file)[0]

    def _before(
        self,
        words: str,
        *,
        sheet: Sheet | None = None,
        reviews: tuple[Review, ...] | None = None,
        accepted: Mapping[str, bool] | None = None,
    ) -> Desk:
        now = Past(words, replace(self, past=()))
        return replace(
            self,
            sheet=self.sheet if sheet is None else sheet,
            reviews=self.reviews if reviews is None else reviews,
            accepted=self.accepted if accepted is None else accepted,
            past=(*self.past[1 - REMEMBERED :], now),
        )

    def _reviewed(self, recorded: Json, lost: Iterable[str]) -> tuple[Desk, tuple[str, ...]]:
        """The desk with its documents under review, decided as far as the record still holds."""
        documents, kept = with_folders(self._proposed(), self.given.texts, self.folders)
        found = review_record.resume(documents, recorded)
        facts = (f'fact "{text}"' for text in lost)
        whole = (f"{path} as a folder" for path in self.folders if path not in kept)
        hunks = (f"{count} of {path}" for path, count in found.reopened)
        reviews = tuple(r.decide_open(ACCEPT) if self.native else r for r in found.reviews)
        return replace(self, reviews=reviews, folders=kept), (*facts, *whole, *hunks)

    def _proposed(self) -> tuple[Document, ...]:
        """The documents that the decisions, or the proposal taken in, give."""
        if self.file:
            data = self.given.texts[self.name]
            whole = Document(self.name, data, curated(data, self.sheet))
            return (whole,) if whole.differs else ()
        if self.source.kind != FACTS:
            given = self.given.documents or ()
            return given if self.native else with_rows(given, self.given.texts)
        made = admitted(self.sheet.admitted, self.given.texts)
        return tuple(document for document in made if document.differs)


def _answers(value: dict[Json, Json]) -> dict[str, bool]:
    pairs = value.items()
    return {name: said for name, said in pairs if isinstance(name, str) and isinstance(said, bool)}


def source_of(recorded: Json) -> Source:
    """The source a record names; the facts where it names none."""
    named = recorded.get("source") if isinstance(recorded, dict) else None
    if isinstance(named, list) and len(named) == 2 and all(isinstance(v, str) for v in named):
        return Source(named[0], named[1])
    return Source()
