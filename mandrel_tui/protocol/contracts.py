"""Contract texts and prompt fragments in force: what must exist, and what is wrong with a set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.fragments import FRAGMENTS, POSTCHECKS, STANDING_IN
from mandrel_tui.protocol.placeholders import gaps, shown
from mandrel_tui.protocol.postchecks import CHECKS, Requirements
from mandrel_tui.protocol.refusal import ContractError

REQUIRED_TEXTS = tuple(
    f"protocols/{name}"
    for name in ("conduct", "dev-advancement", "dev-remediation", "review", "plan", "intake")
)
PROCEDURES = (
    "meta/taskfile",
    "meta/memory",
    "workflow/skills/session-end",
    "workflow/skills/closeout",
)
TEXTS = (*REQUIRED_TEXTS, *PROCEDURES, "meta/init", "workflow/runbook", "workflow/rolemapping")


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
    absolute path of the closeout skill, None where there is none; `contracts_dir` is where a
    session finds the texts. `problems` refuse every assembly; `notes` are told and refuse nothing.
    """

    texts: Mapping[str, Source]
    fragments: Mapping[str, Source]
    texts_bundled: bool
    fragments_bundled: bool
    native: bool
    skill_path: str | None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    contracts_dir: str = ".ai-protocol"

    @property
    def differing(self) -> tuple[Source, ...]:
        """Texts whose bytes are not those the deployment receipt lists."""
        return tuple(
            s for s in (*self.texts.values(), *self.fragments.values()) if s.lock == "differs"
        )

    @property
    def self_contained(self) -> bool:
        """Whether a prompt must itself bring what hooks and a loader bring elsewhere."""
        return not self.native and STANDING_IN.keys() <= self.fragments.keys()

    def text(self, name: str) -> Source:
        """A contract text; raises ContractError where it is not there."""
        if name not in self.texts:
            raise ContractError((f"{self._text_folder}/{name}.md: missing",))
        return self.texts[name]

    @property
    def _text_folder(self) -> str:
        return "contracts" if self.texts_bundled else ".ai-protocol"

    def fragment(self, name: str) -> bytes:
        """A fragment's text: its file minus exactly one final newline."""
        data = self.fragments[name].data
        return data.removesuffix(b"\r\n") if data.endswith(b"\r\n") else data.removesuffix(b"\n")

    def requirements(self) -> Requirements:
        """What the post-check contract says of each check; raises ContractError."""
        if self.problems:
            raise ContractError(self.problems)
        sections = postcheck_sections(self.fragments[POSTCHECKS].data)
        texts = {id: lines[0] for id, lines in sections}
        return Requirements(texts, self.fragment("entry/est-undershoot-note"))


def postcheck_sections(contract: bytes) -> tuple[tuple[str, tuple[bytes, ...]], ...]:
    """The `## <check-id>` headings of a post-check contract with the non-blank lines under each."""
    sections: list[tuple[str, list[bytes]]] = []
    for line in (raw.removesuffix(b"\r") for raw in contract.split(b"\n")):
        if line.startswith(b"## "):
            sections.append((line[3:].decode("utf-8", "replace").strip(), []))
        elif sections and line.strip():
            sections[-1][1].append(line)
    return tuple((id, tuple(lines)) for id, lines in sections)


def missing_texts(texts: Mapping[str, Source], bundled: bool) -> tuple[str, ...]:
    """Names of texts the set must have and has not; the bundle must have the procedures too."""
    required = (*REQUIRED_TEXTS, *PROCEDURES) if bundled else REQUIRED_TEXTS
    return tuple(name for name in required if name not in texts)


def declared(standing_in: bool) -> tuple[str, ...]:
    """Names of the fragments of a whole set, with or without those that stand in for hooks and
    loader: the bundled set and what is laid from it have them."""
    return (*FRAGMENTS, *(STANDING_IN if standing_in else ()), POSTCHECKS)


def fragment_problems(fragments: Mapping[str, Source]) -> tuple[str, ...]:
    """What is wrong inside the fragments that are there: placeholders, checks without text."""
    found: list[str] = []
    for name, source in fragments.items():
        if name == POSTCHECKS:
            found += _postcheck_problems(source)
        else:
            own = FRAGMENTS.get(name) or STANDING_IN.get(name) or frozenset()
            found += _gap_problems(source.path, gaps(source.data), own)
    return tuple(found)


def _gap_problems(where: str, found: frozenset[str], own: frozenset[str]) -> Iterator[str]:
    if found - own:
        yield f"{where}: undeclared placeholder {shown(found - own)}"
    if own - found:
        yield f"{where}: missing placeholder {shown(own - found)}"


def _postcheck_problems(source: Source) -> Iterator[str]:
    checks = {check.id: check for check in CHECKS}
    sections = postcheck_sections(source.data)
    headings = [id for id, _ in sections]
    for id in (id for id in checks if id not in headings):
        yield f"{source.path}: no text for the check {id}"
    for id, lines in sections:
        where = f"{source.path}: ## {id}"
        if id not in checks:
            yield f"{where}: no such check"
        elif headings.count(id) > 1:
            yield f"{where}: stands there {headings.count(id)} times"
        elif len(lines) != 1:
            yield f"{where}: {len(lines)} lines of text, exactly one is needed"
        else:
            yield from _gap_problems(where, gaps(lines[0]), checks[id].gaps)
